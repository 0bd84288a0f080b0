"""Links between chapters, each to something that is there.

    [a chapter](m1.md)  [a heading](m1.md#a-table)  [above](#one-layer)
"""

import re

from support.mistakes import Wrong
from text.tree import attribute_of, each, element

OUTSIDE = re.compile(r"^(https?:|mailto:)")


def names_in(blocks):
    """Every name that a link may point to."""
    attributes = filter(None, map(attribute_of, each(blocks)))
    return {attribute[0] for attribute in attributes if attribute[0]}


def is_link(node):
    """Whether an element links somewhere."""
    return node["t"] == "Link"


def expand(node, page):
    """The link with its target as the output names it."""
    attribute, inlines, (target, title) = node["c"]
    if OUTSIDE.match(target):
        return None
    file, _, name = target.partition("#")
    chapter = file.removesuffix(".md") or page.chapter.name
    if file and (chapter == file or chapter not in page.names):
        raise Wrong(f"dead link: {target} is no chapter")
    if name and name not in page.names[chapter]:
        raise Wrong(f"dead link: {chapter}.md has nothing named {name}")
    return [element("Link", [attribute, inlines,
                             [page.link(chapter, name), title]])]


def with_prefix(blocks, chapter):
    """The blocks of a chapter that shares a document with others: names are
    its own.  The chapter's name itself is that of its title."""
    titled = False
    for node in each(blocks):
        attribute = attribute_of(node)
        if node["t"] == "Header" and node["c"][0] == 1 and not titled:
            attribute[0], titled = chapter, True
        elif attribute and attribute[0]:
            attribute[0] = f"{chapter}--{attribute[0]}"
    return blocks
