"""One chapter: read from Markdown, its blocks expanded, ready to be written.

Each kind of block is the business of one module; this one knows only their
order.  Expanding never stops at a mistake: all of them are collected.
"""

import re
from pathlib import Path

import consoles
import figures
import formulas
import listings
import measured
import terms
import tree
from sources import ROOT, Missing


class Chapter:
    """A chapter of the book."""

    def __init__(self, path):
        self.path = Path(path)
        self.name = re.sub(r"^\d+-", "", self.path.stem)
        document = tree.read(self.path)
        self.document = document
        self.blocks = document["blocks"]
        self.title = self.find_title()

    @property
    def shown(self):
        """Its path as messages name it."""
        path = self.path.resolve()
        return str(path.relative_to(ROOT) if path.is_relative_to(ROOT)
                   else path)

    def find_title(self):
        """The words of the first heading."""
        for node in tree.each(self.blocks, ("Header",)):
            return tree.text_of(node["c"][2])
        return self.name

    def rung(self, sources):
        """The full name of the rung that this chapter is about, or None."""
        try:
            return sources.rung(self.name)
        except Missing:
            return None

    def expanded(self, book, output):
        """The chapter's blocks, all expanded, for "site", "epub" or "pdf"."""
        blocks = tree.walk(self.blocks, lambda node: expand_block(
            node, self, book, output))
        blocks = measured.insert(blocks, book, self.shown)
        blocks = terms.link_terms(blocks, book.glossary, self.shown,
                                  book.mistakes)
        kind = "mathml" if output == "epub" else "htmlAndMathml"
        blocks = formulas.expand(blocks, kind, book.modules, self.shown,
                                 book.mistakes)
        return tree.strip_positions(blocks)


def expand_block(node, chapter, book, output):
    """The blocks that a special block stands for; None for a plain one."""
    if node["t"] != "CodeBlock":
        return None
    if listings.is_listing(node) or listings.is_difference(node):
        return listings.expand(node, book.sources, chapter.shown,
                               book.mistakes)
    if figures.kind_of(node):
        return figures.expand(node, book.pictures(chapter), chapter.shown,
                              book.mistakes, output == "site")
    if consoles.is_console(node):
        return consoles.expand(node, book.transcripts(chapter),
                               chapter.shown, book.mistakes)
    return None
