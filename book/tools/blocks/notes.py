"""Notes and warnings, what a chapter leaves out, and what it must not hold.

    ::: note
    Said aside.
    :::
"""

import html
import re

from blocks.coverage import ROW
from support.mistakes import Wrong
from text import tree

KINDS = {"note": "Note", "warning": "Careful"}
# Classes that mean something on blocks and spans; others are mistyped.
BLOCKS = {"exercise", "predict", "change", "measure", "answer", "note",
          "warning", "wrong", "patch", "shown"}
OPENING = re.compile(r":::+ *\{")  # of a block; in a text it is none
SPANS = {"term", "measured", "value"}


def is_note(node):
    """Whether an element is a note."""
    return node["t"] == "Div" and KINDS.keys() & set(node["c"][0][1])


def expand(node, _):
    """The note with its label."""
    kind = next(k for k in KINDS if k in tree.classes_of(node))
    label = tree.html(f'<p class="label">{KINDS[kind]}</p>')
    return [tree.div([kind], [label, *node["c"][1]])]


def left_out(node, _):
    """What the chapter leaves out, as a list at its place."""
    rows = []
    for row in node["c"][1].split("\n"):
        found = ROW.match(row)
        if found:
            file, names, reason = map(html.escape, found.groups())
            what = "all of it" if names.strip() == "*" else names.strip()
            rows.append(f"<dt><code>{file}</code>: {what}</dt>"
                        f"<dd>{reason}</dd>")
    return [tree.html('<div class="left-out"><p class="label">Left out of '
                      "this chapter</p><dl>" + "".join(rows) + "</dl></div>")]


def is_html(node):
    """Whether an element is HTML that the author wrote."""
    return node["t"] in ("RawBlock", "RawInline") and "line" in node


def refuse_html(node, _):
    """The e-book and the PDF would not show it; comments go."""
    if node["c"][1].startswith("<!--"):
        return []
    raise Wrong(f"HTML in a chapter: {node['c'][1][:40]}")


def is_torn(node):
    """Whether pandoc took a block's attributes for text."""
    if node["t"] == "CodeBlock":
        return any(name.startswith("{") for name in tree.classes_of(node))
    return node["t"] in ("Para", "Plain", "DefinitionList") and bool(
        OPENING.match(tree.text_of(node)))


def refuse_torn(node, _):
    """Most often it is a quote that ends a value too early."""
    help = "write the command as the block's lines" \
        if node["t"] == "CodeBlock" else "write &quot;"
    raise Wrong("the {…} of this block is not understood; a quote inside of "
                f'run="…"? {help}')


def is_stray(node):
    """Whether a class or an attribute was most likely mistyped."""
    if node["t"] in ("Div", "Span"):
        known = BLOCKS if node["t"] == "Div" else SPANS
        return bool(set(tree.classes_of(node)) - known)
    return node["t"] in ("Code", "CodeBlock") and bool(
        tree.pairs_of(node)) and "line" in node \
        and "patch" not in tree.classes_of(node)


def refuse_stray(node, _):
    """Name what was not understood."""
    attribute = tree.attribute_of(node)
    said = [f".{name}" for name in attribute[1]] + \
        [key for key, _ in attribute[2]]
    raise Wrong("no such kind of block: {" + " ".join(said) + "}")


def refuse_answers(blocks, page):
    """An answer, or a patch, outside of an exercise would be seen by
    students."""
    for node in tree.each(blocks, ("Div", "CodeBlock")):
        if {"answer", "patch"} & set(tree.classes_of(node)):
            page.wrong(node, "an answer or a patch outside of an exercise")


def strip_title(blocks):
    """The title without what it says about the chapter."""
    for node in tree.each(blocks, ("Header",)):
        node["c"][1][2] = []
