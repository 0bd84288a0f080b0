"""Pictures that the engine draws, and picture files.

    ```{.picture run="./rung picture weights NAME -o w.png" alt="…" width=480}
    ```

How a picture looks stands in the chapter's transcripts.
"""

import html
import re
from base64 import b64decode, b64encode

from blocks import png, redrawn
from blocks.commands import command_of, rung_of
from running.workshop import TIME_LIMIT
from support import timing
from support.mistakes import Wrong
from support.store import digest
from text.diagrams import SCREEN, alt_of, figure
from text.tree import inline_html, pairs_of, text_of

FILE = re.compile(r"[\w./-]+\.png\b")


def is_picture(node):
    """Whether a block asks for a picture."""
    return node["t"] == "CodeBlock" and "picture" in node["c"][0][1]


def expand(node, page):
    """The blocks of one picture; it looks as it did when its transcript was
    written."""
    pairs = pairs_of(node)
    alt = alt_of(pairs)
    command, rung = command_of(node), rung_of(node, page)
    path = draw(page, command, rung)
    if not page.outcomes.trusting and not is_as_before(page, path, rung,
                                                       command):
        page.wrong(node, f"{command}: draws another picture than before: "
                   "look at it, and at its alt text (make transcripts)")
    width, height = shown_size(path, pairs)
    target = page.picture(path)
    if page.medium == "site":
        shapes = in_colours(path, target, page)
        return figure(narrowing(shapes, alt, target, width, height), pairs)
    return figure(f'<img src="{target}" alt="{alt}" width="{width}" '
                  f'height="{height}"/>', pairs)


def is_as_before(page, path, rung, command):
    """Whether a picture looks as its transcript says."""
    kept, look = page.transcripts.get((rung, command)), look_of(page, path)
    return kept is not None and png.alike(kept, look)


def in_colours(path, target, page):
    """The SVG of a drawn picture in the colours of the page."""
    data = path.read_bytes()
    key = digest("redrawn", 2, data)
    rest = page.store.path(key, ".png")  # empty for a chart

    def draw_again():
        paths, cells = redrawn.redrawn(data)
        rest.write_bytes(cells or b"")
        return paths

    paths = page.store.get(key, draw_again)
    width, height = png.size(data)
    image = ""
    if rest.stat().st_size:
        name = target.rpartition("/")[2].replace(".png", "-cells.png")
        image = f'<image href="{page.picture(rest, name)}" ' \
            f'width="{width}" height="{height}"/>'
    return f'<svg viewBox="0 0 {width} {height}">{image}{paths}</svg>'


def narrowing(shapes, alt, target, width, height):
    """A picture that becomes narrower on a phone as long as its words can be
    read, and then scrolls; it links to itself in full size."""
    shapes = shapes.replace(
        "<svg", f'<svg role="img" aria-label="{alt}" width="{width}" '
        f'height="{height}" style="min-width:{SCREEN * width:.0f}px"', 1)
    return f'<div class="scroll" tabindex="0"><a href="{target}">{shapes}' \
        "</a></div>"


def looks(node, page):
    """{(rung, command): how it looks} of one picture, drawn now."""
    command, rung = command_of(node), rung_of(node, page)
    return {(rung, command): look_of(page, draw(page, command, rung))}


def look_of(page, path):
    """A drawn picture's fingerprint."""
    data = path.read_bytes()
    return page.store.get(digest("look", 1, data),
                          lambda: png.fingerprint(data))


def draw(page, command, rung):
    """The picture that a command draws, kept under its command."""
    found = FILE.search(command)
    if not found or rung is None:
        raise Wrong(f"{command}: no word ends in .png")

    def find():
        folder = page.workshop.build(rung)
        page.workshop.prepare(rung, page.needed(rung, [command]))
        with page.workshop.place(rung), timing.spent("pictures", rung):
            status, output = page.workshop.execute(command, folder,
                                                   TIME_LIMIT)
        drawn = folder / found.group()
        if status or not drawn.is_file():
            raise Wrong(f"{command}: draws nothing: {output[-500:]}")
        data = drawn.read_bytes()
        drawn.unlink()
        return b64encode(data).decode()
    data = b64decode(page.outcomes.get(key_of(page, command, rung), "picture",
                                       rung, find))
    kept = page.store.path(digest("png", data), ".png")
    if not kept.exists():
        page.store.write(kept, data)
    return kept


def key_of(page, command, rung):
    """What a drawn picture depends on."""
    return digest("picture", 2, page.workshop.key(command, rung))


def is_drawn(node, page):
    """Whether a picture is there already, for this build."""
    return page.outcomes.has(key_of(page, command_of(node),
                                    rung_of(node, page)))


def shown_size(path, pairs):
    """Width and height on the page."""
    width, height = png.size(path.read_bytes())
    if "width" in pairs:
        shown = int(pairs["width"])
        return shown, round(height * shown / width)
    return width, height


def is_image(node):
    """Whether an element shows a picture file."""
    return node["t"] == "Image"


def expand_image(node, page):
    """A picture file: it exists, and has alt text."""
    target, alt = node["c"][2][0], text_of(node["c"][1]).strip()
    path = page.folder / target
    if not alt:
        raise Wrong(f"{target} without alt text")
    if not target.startswith("images/") or not path.is_file():
        raise Wrong(f"there is no picture {target} (they stand in "
                    "book/images/)")
    width = pairs_of(node).get("width")
    size = f' width="{html.escape(width)}"' if width else ""
    return [inline_html(f'<img src="{page.picture(path, path.name)}" '
                        f'alt="{html.escape(alt)}"{size}/>')]
