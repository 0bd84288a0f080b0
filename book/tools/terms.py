"""The glossary, and where chapters use its terms.

glossary.md is a definition list; in a chapter, [logits]{.term} becomes a link
to its entry with the definition at hand.  [the logits]{.term of=logits} says
which entry is meant where the words differ.
"""

import html
import re

from tree import each, inline_html, line_of, pairs_of, text_of, walk


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


def link_terms(blocks, glossary, path, mistakes):
    """Replace each term by a link with a card."""
    line = 0

    def visit(node):
        nonlocal line
        if node["t"] != "Span":
            return None
        line = line_of(node) or line
        if "term" not in node["c"][0][1]:
            return None
        pairs, words = pairs_of(node), text_of(node)
        key = entry_of(slug(pairs.get("of", words)), glossary)
        if key is None:
            mistakes.add(path, line, f"the glossary has no {words!r}")
            return node["c"][1]
        card = html.escape(glossary[key][1], quote=True)
        head = (f'<a class="term" href="glossary.html#{key}" '
                f'data-card="{card}">')
        return [inline_html(head), *node["c"][1], inline_html("</a>")]
    return walk(blocks, visit)
