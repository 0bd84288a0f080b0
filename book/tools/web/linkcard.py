"""What other sites show of a page that is linked there: a card with a title,
a sentence and a picture.

Such sites want whole addresses.  The build knows them when it is told where
the site will stand (make site SITE=https://...); without that a card has no
picture.
"""

import html
import re
import subprocess
import textwrap

from support.mistakes import Wrong
from support.palette import light
from support.store import digest

WIDTH, HEIGHT = 900, 472.4  # points: 1200 by 630 pixels at 96 to the inch
DPI = 96
RUNGS = 8  # of the ladder that is drawn
LEFT, RIGHT, LOW, STEP = 700, 820, 70, 44  # where it stands, in points
FONT = "Helvetica,Arial,sans-serif"
WHOLE = "An LLM inference engine, one rung at a time"
CAPTION = "Rungs: an LLM inference engine that is a book"


def write(site):
    """Draw a picture for each chapter, and one for all other pages."""
    if not site.frame.address:
        return
    for name, title, rung in (("index", WHOLE, ""), *(
            (chapter.name, chapter.title, chapter.rung or "")
            for chapter in site.book.chapters)):
        text = drawing(title, rung.partition("-")[0])
        kept = site.book.store.path(digest("card", text), ".png")
        if not kept.exists():
            kept.write_bytes(draw(text))
        site.output.copy(kept, f"cards/{name}.png")


def names(chapters):
    """What the pictures of some chapters are called."""
    return [f"cards/{name}.png" for name in
            ("index", *(chapter.name for chapter in chapters))]


def drawing(title, rung):
    """A card as Graphviz reads it: a title beside the ladder, on which its
    rung has another colour."""
    here = int(rung[1:]) if re.fullmatch(r"m\d+", rung) else None
    middle = LOW + STEP * (RUNGS - 1) / 2
    parts = [box(WIDTH / 2, HEIGHT / 2, WIDTH, HEIGHT, "paper"),
             *(box(x, middle, 10, STEP * (RUNGS + 0.5), "accent")
               for x in (LEFT, RIGHT)),
             *(box((LEFT + RIGHT) / 2, LOW + STEP * n, RIGHT - LEFT, 10,
                   "warm" if n == here else "line") for n in range(RUNGS))]
    lines = textwrap.wrap(title, 22)
    top = HEIGHT / 2 + 26 * (len(lines) - 1)
    parts += [words(line, 60, top - 52 * n, 40, "ink")
              for n, line in enumerate(lines)]
    parts.append(words(rung or "Rungs", 60, top + 66, 30, "warm"))
    parts.append(words(CAPTION, 60, 48, 17, "muted"))
    return "graph {\n" + "\n".join(parts) + "\n}\n"


def box(x, y, width, height, colour):
    """A filled box with its middle at (x, y)."""
    return (f'"{x} {y} {width}" [label="", shape=box, style=filled, '
            f"penwidth=0, fixedsize=true, width={width / 72:.4f}, "
            f"height={height / 72:.4f}, "
            f'fillcolor="{light(colour)}", pos="{x},{y}"]')


def words(text, x, y, size, colour):
    """A line of text that begins at x."""
    width = 600
    cell = (f'<table border="0" cellborder="0" cellpadding="0" fixedsize="true"'
            f' width="{width}" height="{2 * size}"><tr><td align="left">'
            f"{html.escape(text)}</td></tr></table>")
    return (f'"{text} {y}" [shape=plain, fontname="{FONT}", fontsize={size}, '
            f'fontcolor="{light(colour)}", pos="{x + width / 2},{y}", '
            f"label=<{cell}>]")


def draw(text):
    """The PNG that Graphviz makes of a card."""
    done = subprocess.run(
        ["neato", "-n2", "-Tpng", f"-Gdpi={DPI}", "-Gpad=0", "-Gmargin=0"],
        input=text.encode(), capture_output=True)
    if done.returncode or not done.stdout:
        raise Wrong(f"neato: {done.stderr.decode()}")
    return done.stdout


def tags(address, name, title, description, cards=()):
    """The tags of a page's head; title and description are HTML.  `cards` are
    the names of the pictures that were drawn."""
    said = [("og:type", "article" if name != "index.html" else "website"),
            ("og:site_name", "Rungs"), ("og:title", title),
            ("og:description", description)]
    if address:
        page = "" if name == "index.html" else name
        said.append(("og:url", f"{address}/{page}"))
    picture = picture_of(name, cards)
    if address and picture:
        said.append(("og:image", f"{address}/{picture}"))
    kind = "summary_large_image" if address and picture else "summary"
    return "".join(f'<meta property="{key}" content="{value}">\n'
                   for key, value in said) + \
        f'<meta name="twitter:card" content="{kind}">\n'


def picture_of(name, cards):
    """The picture of a page, the site's where it has none of its own, or
    None."""
    own = f"cards/{name.removesuffix('.html')}.png"
    return next((card for card in (own, "cards/index.png") if card in cards),
                None)
