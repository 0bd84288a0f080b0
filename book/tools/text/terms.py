"""The glossary, and where chapters use its terms.

glossary.md is a definition list; in a chapter, [logits]{.term} becomes a link
to its entry with the definition at hand.  [the logits]{.term of=logits} says
which entry is meant where the words differ.
"""

import html
import re

from support.mistakes import Wrong
from text.tree import (
    div, each, element, inline_html, link, pairs_of, paragraph, text_of, words)


def slug(text):
    """A name for a link."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def read_glossary(blocks):
    """{slug: (term, first sentence of its definition)}."""
    glossary = {}
    for node in each(blocks, ("DefinitionList",)):
        for term, definitions in node["c"]:
            words = text_of(term)
            first = re.split(r"(?<=[.!?]) ", text_of(definitions[0]))[0]
            glossary[slug(words)] = (words, first)
    return glossary


def entry_of(key, glossary):
    """The entry for a word, in singular or plural, or None."""
    for candidate in (key, key.removesuffix("s"), key + "s",
                      key.removesuffix("es")):
        if candidate in glossary:
            return candidate
    return None


def is_term(node):
    """Whether an element is a term of the glossary."""
    return node["t"] == "Span" and "term" in node["c"][0][1]


def key_of(node, glossary):
    """The entry that a marked term means, or None."""
    return entry_of(slug(pairs_of(node).get("of", text_of(node))), glossary)


def expand(node, page):
    """The term as a link, on the site with a card."""
    key = key_of(node, page.glossary)
    if key is None:
        raise Wrong(f"the glossary has no {text_of(node)!r}")
    target = page.link("glossary", key)
    if page.medium != "site":
        return [element("Link", [["", ["term"], []], node["c"][1],
                                 [target, ""]])]
    card = html.escape(page.glossary[key][1])
    return [inline_html(f'<a class="term" href="{target}" '
                        f'data-card="{card}">'), *node["c"][1],
            inline_html("</a>")]


def uses(chapters, glossary):
    """{slug: the names of the chapters that mark the term}."""
    found = {}
    for chapter in chapters:
        for node in each(chapter.parsed, ("Span",)):
            key = key_of(node, glossary) if is_term(node) else None
            names = found.setdefault(key, [])
            if chapter.name not in names:
                names.append(chapter.name)
    return found


def with_ids(blocks):
    """The glossary's blocks, each term with the name that links use."""
    for node in each(blocks, ("DefinitionList",)):
        for entry in node["c"]:
            name = slug(text_of(entry[0]))
            entry[0] = [element("Span", [[name, [], []], entry[0]])]
    return blocks


def with_uses(blocks, page):
    """The same, with links from each term to the chapters that use it."""
    titles = {chapter.name: chapter.title for chapter in page.book.chapters
              if chapter.name != "glossary"}
    used = page.book.uses()
    for node in each(blocks, ("DefinitionList",)):
        for term, definitions in node["c"]:
            links = [link(page.link(name), titles[name])
                     for name in used.get(slug(text_of(term)), ())
                     if name in titles]
            if links:
                definitions[-1].append(div(["used-in"],
                                           [paragraph(listed(links))]))
    return blocks


def listed(links):
    """Links as a list in words: "In a, b, c"."""
    inlines = words("In ")
    for at, one in enumerate(links):
        inlines += words(", ") * bool(at) + [one]
    return inlines
