"""A made-up ladder and its book, in a temporary repository, for the tests.

The ladder is in fixtures/.  It is set up once; what was found out with it is
kept from one test to the next, as it is from one build to the next.
"""

import atexit
import io
import shutil
import subprocess
import tempfile
import unittest
from functools import lru_cache
from pathlib import Path

from chapters.book import Book
from chapters.page import Page
from reading.sources import ROOT
from running import transcripts
from support.modules import Modules
from web import webpage

FIXTURES = Path(__file__).resolve().parent / "fixtures"
BUILD = ROOT / "build"


@lru_cache(maxsize=None)
def ladder():
    """The folder of the ladder, set up when it is first asked for."""
    folder = tempfile.mkdtemp(prefix="rungs-book-")
    atexit.register(shutil.rmtree, folder)
    root = Path(folder)
    for lower, upper in (("m0-sum", "m0-sum"), ("m0-sum", "m1-mean"),
                         ("m1-mean", "m1-mean")):
        shutil.copytree(FIXTURES / lower, root / upper, dirs_exist_ok=True)
    subprocess.run(["git", "init", "-q", root], check=True)
    (root / ".gitignore").write_text("build/\n/m*/rung\n")
    return root


class BookCase(unittest.TestCase):
    """A test with a book of its own about the ladder."""

    def setUp(self):
        self.root = ladder()
        folder = tempfile.TemporaryDirectory(prefix="rungs-chapters-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "book"
        shutil.copytree(FIXTURES / "book", self.folder)

    def write(self, name, text):
        """Write a file of the book."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def edit(self, name, old, new):
        """Replace the one place of a chapter that reads `old`."""
        text = (self.folder / name).read_text()
        self.assertEqual(text.count(old), 1, f"{old!r} in {name}")
        self.write(name, text.replace(old, new))

    def book(self):
        """The book as it is written now."""
        return Book(self.root, self.folder, self.root / "build" / "book",
                    Modules(BUILD / "node"))

    def page(self, text, name="m0", medium="site"):
        """A page whose chapter holds just a text below its title."""
        self.write(f"{name}.md", f"# Title\n\n{text}\n")
        book = self.book()
        chapter = next(c for c in book.chapters if c.name == name)
        return Page(book, chapter, medium)

    def html(self, text, **more):
        """What a page shows of a text, all HTML in one string; nothing may
        be wrong with it."""
        page = self.page(text, **more)
        blocks = page.expanded()
        self.assertEqual(report(page.book), "")
        return fragment(blocks, page.book)

    def wrong(self, text, **more):
        """What is said to be wrong with a text."""
        page = self.page(text, **more)
        page.expanded()
        return report(page.book)

    def assert_wrong(self, cases, name="m0", **more):
        """Each (block, words) of a chapter is wrong at its line, and is said
        to be so in these words; nothing else is."""
        text = "\n\n".join(block for block, *_ in cases)
        said = self.wrong(text, name=name, **more)
        line = 3
        for block, *words in cases:
            with self.subTest(block):
                there = [row for row in said.split("\n")
                         if row.startswith(f"book/{name}.md:{line}: ")]
                self.assertEqual(len(there), 1, said)
                for word in words:
                    self.assertIn(word, there[0])
            line += block.count("\n") + 2
        self.assertEqual(said.count("\n"), len(cases), said)

    def keep_transcripts(self):
        """Write the transcripts of all chapters."""
        book = self.book()
        for chapter in book.chapters:
            kept = Page(book, chapter, "site").renewed_transcripts()
            self.write(f"transcripts/{chapter.name}.txt",
                       transcripts.render(kept))


def report(book):
    """All mistakes as a build prints them."""
    out = io.StringIO()
    book.mistakes.report(out)
    return out.getvalue()


def fragment(blocks, book):
    """The HTML of some blocks."""
    return webpage.fragment(blocks, book.store)
