"""The whole book: its chapters in order, and what they share."""

import json
from pathlib import Path

import measured
import terms
import transcripts
import tree
from chapter import Chapter
from figures import Pictures
from mistakes import Mistakes
from runner import Runner
from sources import ROOT, Sources

# The chapters, in the order of the book; those that do not exist yet are
# left out.
ORDER = ("00-start", "m0", "m1", "m2", "families", "m3", "m4", "m5", "m6",
         "m7", "teaching", "glossary")


class Book:
    """Chapters, sources, glossary, figures, and the mistakes found so far."""

    def __init__(self, folder=ROOT / "book", build=ROOT / "build" / "book",
                 root=ROOT):
        self.folder, self.build = Path(folder), Path(build)
        self.modules = ROOT / "build" / "node" / "node_modules"
        self.mistakes = Mistakes()
        self.sources = Sources(root)
        self.chapters = [Chapter(path) for path in self.paths()]
        self.glossary = self.read_glossary()
        self.measured = measured.load(self.folder / "measured.json")

    def paths(self):
        """The files of the chapters that exist."""
        paths = [self.folder / f"{name}.md" for name in ORDER]
        return [path for path in paths if path.exists()]

    def read_glossary(self):
        """The glossary's entries, empty without a glossary."""
        for chapter in self.chapters:
            if chapter.name == "glossary":
                return terms.read_glossary(chapter.blocks)
        return {}

    def runner(self, chapter):
        """What runs the commands of a chapter: its own rung, or the
        highest."""
        rung = chapter.rung(self.sources) or self.sources.rungs[-1]
        return Runner(self.sources, rung)

    def pictures(self, chapter):
        """What draws the pictures of a chapter."""
        return Pictures(self.runner(chapter), self.build / "pictures")

    def transcripts_path(self, chapter):
        """Where a chapter's transcripts are kept."""
        return self.folder / "transcripts" / f"{chapter.name}.txt"

    def transcripts(self, chapter):
        """{command: output} as it is kept."""
        path = self.transcripts_path(chapter)
        return transcripts.parse(path.read_text()) if path.exists() else {}

    def document(self, blocks, **meta):
        """A pandoc document of some blocks."""
        version = self.chapters[0].document["pandoc-api-version"]
        strings = {key: tree.element("MetaString", str(value))
                   for key, value in meta.items()}
        return json.dumps({"pandoc-api-version": version, "meta": strings,
                           "blocks": blocks})
