"""The cover of the printed book and of the e-book: the ladder, whose planned
rungs are dashed."""

import html
import json

from support import palette
from web import webpage
from web.frontpage import DATA, plain, sentence

WIDTH, HEIGHT = 600, 800
RAILS = (70, 120)  # x of the two, between which a rung lies
FOOT, STEP = 740, 62  # y of the lowest rung, and from one to the next
SANS = "'TeX Gyre Heros', 'Liberation Sans', Arial, sans-serif"


def drawing(book):
    """The cover as SVG."""
    ladder = json.loads((webpage.SITE / DATA).read_text())["ladder"]
    top = FOOT - STEP * len(ladder) + STEP // 3
    rails = "".join(line(x, top, x, FOOT + 30, "accent", 7) for x in RAILS)
    done = book.sources.rungs
    rungs = "".join(rung(row, FOOT - i * STEP, row["name"] in done)
                    for i, row in enumerate(ladder))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" role="img" '
            f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{SANS}">'
            f"<title>Rungs</title>"
            f"{text(70, 110, 72, 'ink', 'Rungs', bold=True)}"
            f"{text(72, 155, 23, 'muted', 'An LLM inference engine,')}"
            f"{text(72, 185, 23, 'muted', 'one rung at a time')}"
            f"{rails}{rungs}</svg>")


def rung(row, y, done):
    """One rung of the ladder with its name and what it adds."""
    colour = "ink" if done else "muted"
    return (line(*(RAILS[0], y, RAILS[1], y), "accent", 7 if done else 3,
                 "" if done else ' stroke-dasharray="6 5"')
            + text(150, y - 3, 17, colour, row["name"], bold=done)
            + text(150, y + 17, 14, "muted", sentence(plain(row["idea"]))))


def line(x1, y1, x2, y2, colour, width, more=""):
    """A line."""
    return (f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" '
            f'stroke="{palette.light(colour)}" stroke-width="{width}"{more}/>')


def text(x, y, size, colour, words, bold=False):
    """A line of text."""
    weight = ' font-weight="bold"' if bold else ""
    return (f'<text x="{x}" y="{y}" font-size="{size}"{weight} '
            f'fill="{palette.light(colour)}">{html.escape(words)}</text>')
