"""Walking pandoc's document tree (its JSON form), and making parts of it.

An element is {"t": type, "c": content}.  Chapters are read with positions,
so most elements carry a data-pos attribute, from which mistakes get their
line; `strip_positions` removes them once everything is in place.
"""

import json
import re
import subprocess

READER = "commonmark_x+sourcepos"
POSITION = re.compile(r"@(\d+):")


def read(path):
    """The document of one Markdown file, with positions."""
    return pandoc(["-f", READER, "-t", "json", str(path)])


def pandoc(arguments, feed=None):
    """Run pandoc, which answers with JSON."""
    done = subprocess.run(["pandoc", *arguments], input=feed, text=True,
                          capture_output=True, check=True)
    return json.loads(done.stdout)


def element(kind, content=None):
    """A new element."""
    return {"t": kind} if content is None else {"t": kind, "c": content}


def attributes(name="", classes=(), **pairs):
    """Pandoc's form of attributes; data_x=… becomes data-x=…"""
    named = [[key.replace("_", "-"), str(value)]
             for key, value in pairs.items()]
    return [name, list(classes), named]


def div(classes, blocks, name="", **pairs):
    """A block that holds blocks."""
    return element("Div", [attributes(name, classes, **pairs), blocks])


def html(text):
    """A block of HTML as it is."""
    return element("RawBlock", ["html", text])


def inline_html(text):
    """HTML as it is inside a paragraph."""
    return element("RawInline", ["html", text])


def code_block(text, classes=(), **pairs):
    """A listing."""
    return element("CodeBlock", [attributes("", classes, **pairs), text])


def words(text):
    """Inline elements for a plain text."""
    parts = []
    for index, word in enumerate(text.split(" ")):
        parts += [element("Space")] * (index > 0)
        parts += [element("Str", word)] * bool(word)
    return parts


def paragraph(inlines):
    """A paragraph; a string is taken word by word."""
    if isinstance(inlines, str):
        inlines = words(inlines)
    return element("Para", inlines)


def attribute_of(node):
    """The attributes of an element, or None when its kind has none."""
    kind, content = node.get("t"), node.get("c")
    if kind in ("Div", "Span", "CodeBlock", "Code", "Link", "Image", "Table"):
        return content[0]
    return content[1] if kind == "Header" else None


def pairs_of(node):
    """The named attributes of an element as a dictionary."""
    return dict(attribute_of(node)[2])


def line_of(node):
    """The line where an element begins in its Markdown file, or 0."""
    found = POSITION.search(pairs_of(node).get("data-pos", ""))
    return int(found.group(1)) if found else 0


def walk(node, visit):
    """Replace each element, innermost first, by what `visit` returns: None to
    keep it, or a list of elements."""
    if isinstance(node, list):
        result = []
        for item in node:
            if isinstance(item, dict) and "t" in item:
                if "c" in item:
                    item = {**item, "c": walk(item["c"], visit)}
                replaced = visit(item)
                result += [item] if replaced is None else replaced
            else:
                result.append(walk(item, visit))
        return result
    if isinstance(node, dict):
        return {key: walk(value, visit) for key, value in node.items()}
    return node


def each(node, kinds=None):
    """Every element below `node` in the document's order, outermost first."""
    if isinstance(node, list):
        for item in node:
            yield from each(item, kinds)
    elif isinstance(node, dict):
        if "t" in node and (kinds is None or node["t"] in kinds):
            yield node
        for value in node.values():
            if isinstance(value, (list, dict)):
                yield from each(value, kinds)


def text_of(node):
    """The words of an element, without its marks."""
    parts = []
    for item in each(node):
        if item["t"] == "Str":
            parts.append(item["c"])
        elif item["t"] in ("Space", "SoftBreak", "LineBreak"):
            parts.append(" ")
        elif item["t"] in ("Code", "Math"):
            parts.append(item["c"][1])
    return "".join(parts)


def strip_positions(blocks):
    """The blocks without positions, and without the spans and divs that only
    carried them."""
    def visit(node):
        attribute = attribute_of(node)
        if attribute is None:
            return None
        before = len(attribute[2])
        attribute[2] = [pair for pair in attribute[2] if pair[0] != "data-pos"]
        bare = before and attribute == ["", [], []]
        return node["c"][1] if bare and node["t"] in ("Div", "Span") else None
    return walk(blocks, visit)
