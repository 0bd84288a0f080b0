"""The whole book: its chapters in order, and what they share."""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

from blocks import coverage
from chapters import abreast, readme
from chapters.chapter import Chapter
from chapters.page import Page
from reading.sources import ROOT, Sources
from running import transcripts
from running.outcomes import Outcomes
from running.trials import Trials, every_test
from running.workshop import Workshop
from support import helpers, timing
from support.mistakes import Mistakes, Wrong
from support.modules import Modules
from support.store import Store, digest
from text import measured, terms, tree

TOOLS = Path(__file__).resolve().parents[1]
# The chapters, in the order of the book; those that do not exist yet are
# left out.  m0-regex.md and others of that form come behind m0.md.
ORDER = ("00-start", "m0", "m1", "m2", "families", "m3", "m4", "m5", "m6",
         "m7", "teaching", "glossary")


class Book:
    """Chapters, sources, glossary, figures, and the mistakes found so far."""

    def __init__(self, root=ROOT, folder=None, build=None, modules=None,
                 trusting=False, awaited=False):
        self.root = Path(root)
        self.folder = folder or self.root / "book"
        self.build = build or self.root / "build" / "book"
        # What was found with some of the tests is not kept for all of them.
        self.store = Store(self.build / ("store-of-all" if every_test()
                                         else "store"))
        self.modules = modules or Modules(ROOT / "build" / "node",
                                          checks=False)
        self.learned = False  # the C lines of all rungs, to highlight them
        self.mistakes = Mistakes()
        self.sources = Sources(self.root, self.store)
        self.outcomes = Outcomes(self.folder / "outcomes", self.store,
                                 trusting, awaited)
        self.front = self.outcomes.asker()  # what no chapter asks for
        self.workshop = Workshop(self.sources, self.build, self.store,
                                 counting=not (trusting or awaited))
        self.trials = Trials(self.workshop, self.outcomes.committed)
        if trusting:
            self.begin()
        self.chapters = self.read_chapters()
        self.names = {chapter.name: chapter.names
                      for chapter in self.chapters}
        self.glossary = self.read_glossary()
        self.figures = measured.load(self.folder / "measured.json")
        self.shared = self.digest_shared()
        self.find_rungs()

    def paths(self):
        """The files of the chapters that exist."""
        paths = []
        for name in ORDER:
            paths += sorted(self.folder.glob(f"{name}.md"))
            paths += sorted(self.folder.glob(f"{name}-*.md"))
        return paths

    def read_chapters(self):
        """The chapters, in order; pandoc reads several at a time."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(self.read_chapter, self.paths()))

    def read_chapter(self, path):
        """One of them."""
        return Chapter(path, f"{self.folder.name}/{path.name}", self.store)

    def begin(self):
        """Let helpers read the chapters, and cut the files of all rungs: one
        of them, since most files are in several."""
        helpers.do([self.cut_all, *(
            lambda path=path: self.read_chapter(path)
            for path in self.paths())])
        self.cut_all()  # from the store, for the next helpers, too

    def cut_all(self):
        """Cut the C files of all rungs into regions."""
        for rung in self.sources.rungs:
            self.sources.cut(rung)

    def expand_ahead(self, media=("site",)):
        """Expand the chapters, several at a time.  Of a build that trusts
        helpers do it, the longest first; they run no commands."""
        if not self.outcomes.trusting:
            abreast.expand(self, media)
        else:
            helpers.do([lambda one=one: [self.expanded(one, medium)
                                         for medium in media]
                        for one in sorted(self.chapters, key=lambda chapter:
                                          -len(chapter.text))],
                       self.workshop.close)

    def read_glossary(self):
        """The glossary's entries, empty without a glossary."""
        for chapter in self.chapters:
            if chapter.name == "glossary":
                entries = terms.read_glossary(chapter.parsed)
                chapter.names |= set(entries)
                return entries
        return {}

    def find_rungs(self):
        """Which rung each chapter is about."""
        for chapter in self.chapters:
            try:
                chapter.find_rung(self.sources)
            except Wrong as why:
                self.mistakes.add(chapter.shown, 1, why)

    def digest_shared(self):
        """A digest of all that a page depends on beside its chapter."""
        tools = [path.read_text() for path in sorted(TOOLS.glob("*/*.*"))
                 if path.suffix in (".py", ".js", ".json")
                 and not path.name.startswith("test_")]
        titles = [(chapter.name, chapter.title, sorted(chapter.names))
                  for chapter in self.chapters]
        return digest(tools, self.sources.digests, self.sources.models,
                      self.sources.tools, titles, self.glossary, self.figures,
                      tree.version())

    def check(self):
        """Note the mistakes that are not of one page alone."""
        for chapter in self.chapters:
            chapter.check_headings(self.mistakes)
        if self.outcomes.trusting:
            return
        coverage.check(self)
        readme.check(self)

    def transcripts_path(self, chapter):
        """Where a chapter's transcripts are kept."""
        return self.folder / "transcripts" / f"{chapter.name}.txt"

    def transcripts(self, chapter):
        """{(rung, command): output} as it is kept."""
        path = self.transcripts_path(chapter)
        return transcripts.parse(path.read_text()) if path.exists() else {}

    @lru_cache(maxsize=None)
    def uses(self):
        """Which chapters use each term of the glossary."""
        return terms.uses(self.chapters, self.glossary)

    def page_key(self, chapter, medium):
        """A digest of all that a page depends on."""
        others = self.uses() if chapter.name == "glossary" else {}
        return digest("page", 2, medium, chapter.text, self.shared,
                      self.outcomes.taken,
                      sorted(map(str, self.transcripts(chapter).items())),
                      sorted(map(str, others.items())))

    def is_kept(self, chapter, medium):
        """Whether a page was made before, and nothing was wrong with it."""
        return self.store.path(self.page_key(chapter, medium)).exists()

    def expanded(self, chapter, medium):
        """A chapter as one output shows it: {"blocks", "answers", "pictures",
        "quoted", "asked", "unverified"}.  Kept when nothing is wrong with
        it."""
        key = self.page_key(chapter, medium)
        kept = self.store.peek(key)
        if not kept and self.outcomes.trusting:
            key = digest("trusting", key, self.outcomes.digest)
            kept = self.store.peek(key)
        if kept and all(map(exists, kept["pictures"].values())):
            return kept
        with timing.spent("expanding chapters"):
            return self.expand(chapter, medium, key)

    def expand(self, chapter, medium, key):
        """The same, made now."""
        page = Page(self, chapter, medium)
        made = {"blocks": page.expanded(), "answers": page.answers,
                "pictures": page.pictures, "quoted": sorted(page.quoted),
                "asked": page.outcomes.asked,
                "unverified": page.outcomes.unverified}
        if page.is_right:
            self.store.put(key, made)
        return made


def exists(path):
    """Whether a file is there."""
    return Path(path).exists()
