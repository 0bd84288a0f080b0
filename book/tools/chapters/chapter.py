"""One chapter as it is written: read, and asked about itself."""

import pickle
from functools import cached_property
from pathlib import Path

from support.mistakes import Wrong
from support.store import digest
from text import links, tree


class Chapter:
    """A chapter of the book."""

    def __init__(self, path, shown, store):
        self.path = Path(path)
        self.name = self.path.stem.removeprefix("00-")
        self.shown = shown  # its path as mistakes name it
        self.text = self.path.read_text()
        key = digest("chapter", 2, tree.version(), self.text)
        read = store.get(key, self.read)
        self.parsed, self.names = read["blocks"], {"", *read["names"]}
        self.rung = None

    def read(self):
        """Its blocks, and the names in them that links may point to."""
        blocks = tree.read(self.path)["blocks"]
        return {"blocks": blocks, "names": sorted(links.names_in(blocks))}

    @cached_property
    def pickled(self):
        """Its blocks as bytes, of which a copy is made in less time."""
        return pickle.dumps(self.parsed)

    @property
    def blocks(self):
        """Its blocks, as a copy that may be changed."""
        return pickle.loads(self.pickled)

    @property
    def heading(self):
        """Its first heading, or None."""
        return next(tree.each(self.parsed, ("Header",)), None)

    @property
    def title(self):
        """The words of its first heading."""
        return tree.text_of(self.heading["c"][2]) if self.heading \
            else self.name

    def attribute(self, name):
        """What its first heading says about it, or ""."""
        return tree.pairs_of(self.heading).get(name, "") if self.heading \
            else ""

    @property
    def main(self):
        """Its rung's main command, or ""."""
        return self.attribute("main")

    def find_rung(self, sources):
        """Note which rung it is about: what its heading says, or its
        name."""
        wanted = self.attribute("rung")
        try:
            self.rung = sources.rung(wanted or self.name.partition("-")[0])
        except Wrong:
            self.rung = None
            if wanted:
                raise

    def check_headings(self, mistakes):
        """One title, which comes first; no level skipped."""
        before = 0
        for node in tree.each(self.parsed, ("Header",)):
            level = node["c"][0]
            if (level == 1) != (before == 0):
                mistakes.add(self.shown, tree.line_of(node), "a chapter has "
                             "one heading of level 1, its first")
            elif level > before + 1:
                mistakes.add(self.shown, tree.line_of(node), f"a heading of "
                             f"level {level} below one of level {before}")
            before = max(1, level)
        if not before:
            mistakes.add(self.shown, 1, "a chapter without a title")
