"""Walking pandoc's document tree (its JSON form), and making parts of it.

An element is {"t": type, "c": content}; here most carry {"line": n} too, the
line of the Markdown file where they begin, so that mistakes can name it.
"""

import json
import re
from functools import lru_cache

from support import programs, timing

# Images stay in their paragraphs, so that all versions of pandoc agree.
READER = "commonmark_x+sourcepos-implicit_figures"
PARTS = (dict, list)  # what may hold elements
POSITION = re.compile(r"^(?:.*@)?(\d+):")
WITH_ATTRIBUTES = ("Div", "Span", "CodeBlock", "Code", "Link", "Image",
                   "Table", "Figure")


def read(path):
    """The document of one Markdown file, each element with its line."""
    return parse(path.read_text(), path.name)


def parse(text, name="text"):
    """The document of a Markdown text."""
    document = json.loads(pandoc(["-f", READER, "-t", "json"], text,
                                 "pandoc, reading"))
    document["blocks"] = with_lines(document["blocks"])
    return document


def pandoc(arguments, feed, work="pandoc"):
    """What pandoc makes of a text; `work` is what that is called where the
    time is told."""
    with timing.spent(work):
        return programs.checked(["pandoc", *arguments], feed)


@lru_cache(maxsize=None)
def version():
    """Pandoc's own version, as 2.17.1.1."""
    return pandoc(["--version"], "").split()[1]


@lru_cache(maxsize=None)
def api_version():
    """The version of the JSON form that this pandoc reads and writes."""
    empty = json.loads(pandoc(["-f", READER, "-t", "json"], ""))
    return empty["pandoc-api-version"]


def document(blocks, **meta):
    """A document of some blocks, as pandoc reads it."""
    strings = {key: element("MetaString", str(value))
               for key, value in meta.items()}
    return json.dumps({"pandoc-api-version": api_version(), "meta": strings,
                       "blocks": blocks})


def with_lines(node, line=0):
    """The elements with lines in place of pandoc's positions; spans and divs
    that only carry a position are replaced by what they hold."""
    if isinstance(node, dict):
        return {key: with_lines(value, line) for key, value in node.items()}
    if not isinstance(node, list):
        return node
    result = []
    for item in node:
        if not (isinstance(item, dict) and "t" in item):
            result.append(with_lines(item, line))
            continue
        here = take_position(item) or line
        bare = item["t"] in ("Div", "Span") and item["c"][0] == ["", [], []]
        if bare:
            result += with_lines(item["c"][1], here)
        else:
            result.append({**with_lines(item, here), "line": here})
    return result


def take_position(node):
    """Remove an element's position; its line, or 0."""
    attribute = attribute_of(node)
    if attribute is None:
        return 0
    pairs = dict(attribute[2])
    found = POSITION.search(pairs.pop("data-pos", ""))
    pairs.pop("wrapper", "")  # pandoc 3 marks what it adds for positions
    attribute[2] = [[key, value] for key, value in pairs.items()]
    return int(found.group(1)) if found else 0


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


def header(level, inlines, name="", classes=()):
    """A heading; a string is taken word by word."""
    if isinstance(inlines, str):
        inlines = words(inlines)
    return element("Header", [level, attributes(name, classes), inlines])


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


def link(target, text):
    """A link with a text."""
    return element("Link", [["", [], []], words(text), [target, ""]])


def attribute_of(node):
    """The attributes of an element, or None when its kind has none."""
    kind, content = node.get("t"), node.get("c")
    if kind in WITH_ATTRIBUTES:
        return content[0]
    return content[1] if kind == "Header" else None


def pairs_of(node):
    """The named attributes of an element as a dictionary."""
    attribute = attribute_of(node)
    return dict(attribute[2]) if attribute else {}


def classes_of(node):
    """The classes of an element."""
    attribute = attribute_of(node)
    return attribute[1] if attribute else []


def line_of(node):
    """The line where an element begins in its Markdown file, or 0."""
    return node.get("line", 0)


def walk(node, visit):
    """Replace each element, innermost first, by what `visit` returns: None to
    keep it, or a list of elements."""
    if isinstance(node, dict):
        return {key: walk(value, visit) for key, value in node.items()}
    if not isinstance(node, list):
        return node
    result = []
    for item in node:
        if isinstance(item, dict) and "t" in item:
            if isinstance(item.get("c"), PARTS):
                item = {**item, "c": walk(item["c"], visit)}
            replaced = visit(item)
            result += [item] if replaced is None else replaced
        else:
            result.append(walk(item, visit) if isinstance(item, PARTS)
                          else item)
    return result


def each(node, kinds=None):
    """Every element below `node` in the document's order, outermost first."""
    waiting = [[node]]
    while waiting:
        node = parts = waiting.pop()
        if isinstance(node, dict):
            if "t" in node and (kinds is None or node["t"] in kinds):
                yield node
            parts = node.values()
        waiting.extend([part for part in reversed(parts)
                        if isinstance(part, PARTS)])


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
