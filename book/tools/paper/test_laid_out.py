"""A PDF is laid out again only where its page is another one."""

import os
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import build
from paper import laid_out

PAGE = '<link href="file://{0}/katex.css"><img src="{0}/one.png"> {1}'


class LaidOut(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.outcomes = self.folder / "outcomes"
        self.begin(PATH=f"{folder.name}:{os.environ['PATH']}",
                   EVERY_TEST="", ALL="")
        self.weasyprint("57.2")

    def begin(self, **environment):
        """What holds until the test's end."""
        patch = mock.patch.dict(os.environ, environment)
        patch.start()
        self.addCleanup(patch.stop)

    def weasyprint(self, version):
        """A made-up program, which writes down that it was called."""
        program = self.folder / "weasyprint"
        program.write_text('#!/bin/sh\ntest "$1" != --version || '
                           f'exec echo WeasyPrint version {version}\n'
                           f'echo laid out >> {self.folder}/calls\n')
        program.chmod(0o755)

    def page(self, name="here", text="text", picture="picture"):
        """The page as it is made in a folder."""
        place = self.folder / name
        place.mkdir(exist_ok=True)
        (place / "katex.css").write_text("style")
        (place / "one.png").write_text(picture)
        return PAGE.format(place, text)

    def known(self, page):
        return laid_out.is_known(self.outcomes, page)

    def test_a_page_is_known_once_it_is_kept(self):
        self.assertFalse(self.known(self.page()))
        self.assertTrue(laid_out.keep(self.outcomes, self.page()))
        self.assertTrue(self.known(self.page()))
        self.assertFalse(laid_out.keep(self.outcomes, self.page()))

    def test_it_is_the_same_in_another_folder(self):
        laid_out.keep(self.outcomes, self.page())
        self.assertTrue(self.known(self.page("elsewhere")))

    def test_another_text_picture_or_program_is_another_page(self):
        laid_out.keep(self.outcomes, self.page())
        self.assertFalse(self.known(self.page(text="other")))
        self.assertFalse(self.known(self.page(picture="other")))
        self.weasyprint("63.0")
        self.assertFalse(self.known(self.page()))

    def calls(self, **how):
        """How often a build laid out the page."""
        book = SimpleNamespace(outcomes=SimpleNamespace(folder=self.outcomes))
        source = self.folder / "book.html"
        source.write_text(self.page())
        (self.folder / "calls").write_text("")
        with mock.patch("builtins.print"):
            build.build_pdf(book, source, **{"test": True, "with_answers":
                                             True, **how})
        return len((self.folder / "calls").read_text().splitlines())

    def test_a_test_leaves_out_what_is_known_and_keeps_nothing(self):
        self.assertEqual([self.calls(), self.calls()], [1, 1])
        self.assertEqual([self.calls(test=False), self.calls()], [1, 0])
        self.assertEqual(self.calls(test=False), 1)
        self.begin(ALL="1")
        self.assertEqual(self.calls(), 1)

    def test_a_book_without_answers_is_not_kept(self):
        self.calls(test=False, with_answers=False)
        self.assertFalse(self.known(self.page()))


if __name__ == "__main__":
    unittest.main()
