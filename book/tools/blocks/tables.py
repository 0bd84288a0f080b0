"""Tables that a program prints, in Markdown.

    ```{.table run="./rung families --markdown" caption="…"}
    ```
"""

import html
import json

from blocks.commands import command_of, rung_of
from support.mistakes import Wrong
from support.store import digest
from text import tree


def is_table(node):
    """Whether a block asks for a table."""
    return node["t"] == "CodeBlock" and "table" in node["c"][0][1]


def expand(node, page):
    """The table, in a frame with its caption."""
    command = command_of(node)
    output = page.outputs([command], rung_of(node, page), [0])[0]
    blocks = page.store.get(digest("table", output), lambda: json.loads(
        json.dumps(tree.parse(output)["blocks"])))
    if [block["t"] for block in blocks] != ["Table"]:
        raise Wrong(f"{command}: prints no Markdown table")
    caption = tree.pairs_of(node).get("caption")
    words = f"<figcaption>{html.escape(caption)}</figcaption>" if caption \
        else ""
    return [tree.html('<figure class="table">'), *blocks,
            tree.html(f"{words}</figure>")]


def scrolling(blocks):
    """The blocks with each table in a frame that scrolls where it is wider
    than the page."""
    def visit(node):
        if node["t"] != "Table":
            return None
        return [tree.html('<div class="scroll" tabindex="0">'), node,
                tree.html("</div>")]
    return tree.walk(blocks, visit)
