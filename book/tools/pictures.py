"""Pictures that the engine draws, and picture files.

    ```{.picture run="./rung picture weights NAME -o w.png" alt="…" width=480}
    ```
"""

import html
import re
import shutil

from commands import command_of, rung_of
from diagrams import alt_of, figure
from mistakes import Wrong
from store import digest
from tree import inline_html, pairs_of, text_of

FILE = re.compile(r"[\w./-]+\.png\b")


def is_picture(node):
    """Whether a block asks for a picture."""
    return node["t"] == "CodeBlock" and "picture" in node["c"][0][1]


def expand(node, page):
    """The blocks of one picture."""
    pairs = pairs_of(node)
    alt = alt_of(pairs)
    path = draw(page, command_of(node), rung_of(node, page))
    width, height = shown_size(path, pairs)
    return figure(f'<img src="{page.picture(path)}" alt="{alt}" '
                  f'width="{width}" height="{height}"/>', pairs)


def draw(page, command, rung):
    """The picture that a command draws, kept under its command."""
    found = FILE.search(command)
    if not found or rung is None:
        raise Wrong(f"{command}: no word ends in .png")
    kept = page.store.path(digest("picture", page.workshop.key(command, rung)),
                           ".png")
    if not kept.exists():
        folder = page.workshop.build(rung)
        status, output = page.workshop.execute(command, folder, 120)
        drawn = folder / found.group()
        if status or not drawn.is_file():
            raise Wrong(f"{command}: draws nothing: {output[-500:]}")
        shutil.move(drawn, kept)
    return kept


def shown_size(path, pairs):
    """Width and height on the page."""
    width, height = png_size(path)
    if "width" in pairs:
        shown = int(pairs["width"])
        return shown, round(height * shown / width)
    return width, height


def png_size(path):
    """Width and height from a PNG's header."""
    with open(path, "rb") as file:
        header = file.read(24)
    if header[:8] != b"\x89PNG\r\n\x1a\n":
        raise Wrong(f"{path.name} is no PNG file")
    return (int.from_bytes(header[16:20], "big"),
            int.from_bytes(header[20:24], "big"))


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
