"""A program's picture in the page's colours.

Paper, words and lines are drawn again, as shapes in the palette's colours, and
so follow the reader's scheme.  The cells of a map keep their colours, which
mean numbers: they are a PNG below the shapes, transparent where no cell is.  A
chart, which has few colours, is all shapes.
"""

import struct
import zlib
from functools import lru_cache
from itertools import groupby

from blocks import png

PAPER = (255, 255, 255)
# What the programs draw with, by the palette's names.
NAMES = {(26, 26, 26): "ink", (96, 96, 96): "muted", (160, 160, 160): "frame",
         (200, 200, 200): "line", (214, 214, 214): "line",
         (216, 216, 216): "line"}
# A frame is fainter than words.
STYLES = {"frame": "fill:var(--muted);opacity:0.5"}
TALL = 18  # pixels: no letter has a higher part
FEW = 3  # colours, no more than which a chart has beside those


def redrawn(data):
    """(paths, cells): SVG paths for a picture's shapes, and a PNG for the
    rest, None for a chart."""
    rows = png.rows(data)
    rects = rectangles(rows)
    own = [colour for colour in rects if colour not in NAMES]
    names = dict(NAMES)
    if len(own) <= FEW:
        names.update({(red, green, blue): "warm" if red > blue else "accent"
                      for red, green, blue in own})
    shapes = {}
    for colour, found in rects.items():
        if colour in names:
            shapes.setdefault(names[colour], []).extend(found)
    paths = "".join(path(name, found) for name, found in shapes.items())
    return paths, None if len(own) <= FEW else \
        cells(rows, png.size(data), names)


def rectangles(rows):
    """{colour: [(x, y, width, height)]}: all but the paper, in rows of one
    colour; rows that stand on equal ones are one rectangle."""
    done, open_ = {}, {}  # (x, width, colour): first y
    for y, (row, step) in enumerate(rows):
        here = runs(row, step)
        for key in open_.keys() - here:
            close(done, key, open_.pop(key), y)
        for key in here:
            open_.setdefault(key, y)
    for key, top in open_.items():
        close(done, key, top, len(rows))
    return done


def close(done, key, top, bottom):
    """Note a rectangle that has come to its end."""
    x, width, colour = key
    done.setdefault(colour, []).append((x, top, width, bottom - top))


@lru_cache(maxsize=1)  # a row is often as the one above it
def runs(row, step):
    """{(x, width, colour)} of all in a row that is not paper."""
    x, found = 0, set()
    for pixel, same in groupby(pixels(row, step)):
        width = len(list(same))
        if pixel != bytes(PAPER):
            found.add((x, width, tuple(pixel)))
        x += width
    return found


def pixels(row, step):
    """The colours of a row, three bytes each; grey is one of them."""
    if step < 3:
        row = bytes(part for grey in row[::step] for part in (grey,) * 3)
    elif step > 3:
        row = b"".join(row[at:at + 3] for at in range(0, len(row), step))
    return [row[at:at + 3] for at in range(0, len(row), 3)]


def path(name, rects):
    """One SVG path of all rectangles of a colour; each begins where the one
    before did, so that equal letters are equal text, which packs well."""
    style = STYLES.get(name, f"fill:var(--{name})")
    shapes, before = ["M0 0"], (0, 0)
    for x, y, width, height in in_lines(rects):
        shapes.append(f"m{x - before[0]} {y - before[1]}"
                      f"h{width}v{height}h-{width}z")
        before = x, y
    return f'<path style="{style}" d="{"".join(shapes)}"/>'


def in_lines(rects):
    """Rectangles as one reads them: line by line, each from left to right."""
    line, bottom, placed = 0, 0, []
    for x, y, width, height in sorted(rects, key=lambda rect: rect[1]):
        if height <= TALL:
            line += y > bottom
            bottom = max(bottom, y + height)
        placed.append((line, x, y, width, height))
    return [rect for _, *rect in sorted(placed)]


def cells(rows, size, names):
    """The PNG with paper, transparent, in place of all that has a name."""
    drawn = {bytes(colour): bytes(PAPER) for colour in names}

    @lru_cache(maxsize=1)
    def line(row, step):
        return b"\0" + b"".join(drawn.get(pixel, pixel)
                                for pixel in pixels(row, step))

    lines = [line(row, step) for row, step in rows]
    head = struct.pack(">2I5B", *size, 8, 2, 0, 0, 0)
    clear = struct.pack(">3H", *PAPER)
    return png.SIGNATURE + b"".join(
        chunk(kind, body) for kind, body in (
            (b"IHDR", head), (b"tRNS", clear),
            (b"IDAT", zlib.compress(b"".join(lines), 9)), (b"IEND", b"")))


def chunk(kind, body):
    """A part of a PNG file."""
    return (struct.pack(">I", len(body)) + kind + body
            + struct.pack(">I", zlib.crc32(kind + body)))
