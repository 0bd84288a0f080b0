"""A PDF is laid out again only where its page is another one."""

import html
import os
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock
from urllib.parse import quote

import build
from paper import laid_out
from running.trials import somebody_waits


class LaidOut(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.outcomes = self.folder / "outcomes"
        self.begin(PATH=f"{folder.name}:{os.environ['PATH']}",
                   EVERY_TEST="", ALL="", CI="true")
        self.weasyprint("57.2")

    def begin(self, **environment):
        """What holds until the test's end."""
        patch = mock.patch.dict(os.environ, environment)
        patch.start()
        self.addCleanup(patch.stop)

    def weasyprint(self, version):
        """A made-up program, which writes down that it was called, and the
        others that make the page."""
        calls = self.folder / "calls"
        for name, words in (("weasyprint", f"WeasyPrint version {version}"),
                            ("pandoc", "pandoc 1"), ("dot", "dot 1")):
            program = self.folder / name
            program.write_text('#!/bin/sh\ncase "$1" in --version|-V) '
                               f"exec echo {words};; esac\n"
                               f"echo laid out >> {calls}\n")
            program.chmod(0o755)

    def page(self, name="here", text="text", picture="picture",
             style="style"):
        """The page as it is made in a folder."""
        place = self.folder / name
        place.mkdir(exist_ok=True)
        (place / "katex.css").write_text(style)
        (place / "one.png").write_text(picture)
        return (f'<link href="{(place / "katex.css").as_uri()}">'
                f'<img src="{quote(html.escape(str(place)), "/&;")}/one.png">'
                + text)

    def known(self, page):
        return laid_out.is_known(self.outcomes, page)

    def test_a_page_is_known_once_it_is_kept(self):
        self.assertFalse(self.known(self.page()))
        self.assertTrue(laid_out.keep(self.outcomes, self.page()))
        self.assertTrue(self.known(self.page()))
        self.assertFalse(laid_out.keep(self.outcomes, self.page()))

    def test_it_is_the_same_in_another_folder(self):
        laid_out.keep(self.outcomes, self.page())
        for name in ("elsewhere", "two words", "j\xfcr&gen"):
            self.assertTrue(self.known(self.page(name)), name)

    def test_another_text_picture_or_program_is_another_page(self):
        laid_out.keep(self.outcomes, self.page())
        self.assertFalse(self.known(self.page(text="other")))
        self.assertFalse(self.known(self.page(picture="other")))
        self.assertFalse(self.known(self.page(style="other")))
        self.weasyprint("63.0")
        self.assertFalse(self.known(self.page()))

    def test_another_way_to_lay_out_is_another_page(self):
        laid_out.keep(self.outcomes, self.page())
        with mock.patch("paper.printed.NO_SEARCH", "other"):
            self.assertFalse(self.known(self.page()))

    def test_what_other_programs_made_stays(self):
        laid_out.keep(self.outcomes, self.page())
        before = laid_out.committed(self.outcomes)
        self.assertTrue(laid_out.keep(self.outcomes, self.page(text="new")))
        laid_out.keep(self.outcomes, self.page())
        self.weasyprint("63.0")
        self.assertFalse(laid_out.keep(self.outcomes, self.page()))
        self.assertEqual(laid_out.committed(self.outcomes), before)

    def calls(self, test=True, answers="folded"):
        """How often a build laid out the page, which it wrote self.written
        times."""
        book = SimpleNamespace(outcomes=SimpleNamespace(
            folder=self.outcomes, awaited=test and somebody_waits()))
        source = self.folder / "book.html"
        source.write_text(self.page())
        (self.folder / "calls").write_text("")
        with mock.patch("builtins.print") as printed, \
                mock.patch("build.ROOT", self.folder), \
                mock.patch("build.build_ebook") as ebook, \
                mock.patch("paper.printed.written",
                           return_value=source) as written:
            build.build_books(book, answers, test)
        ebook.assert_called_once()
        self.written = written.call_count
        self.said = " ".join(call.args[0] for call in printed.mock_calls)
        return len((self.folder / "calls").read_text().splitlines())

    def test_a_test_leaves_out_what_is_known_and_keeps_nothing(self):
        self.assertEqual([self.calls(), self.calls()], [1, 1])
        self.assertEqual([self.calls(test=False), self.calls()], [1, 0])
        self.assertEqual(self.calls(test=False), 1)
        for name in ("ALL", "EVERY_TEST"):
            with mock.patch.dict(os.environ, {name: "1"}):
                self.assertEqual(self.calls(), 1, name)

    def test_somebody_who_waits_is_told_that_it_is_left_out(self):
        with mock.patch.dict(os.environ, CI=""):
            self.assertEqual((self.calls(), self.written), (0, 0))
            self.assertEqual(self.said, "SKIPPED the PDF: minutes to lay it "
                             "out (make book, or make test ALL=1)")
            self.assertEqual(self.calls(test=False), 1)
            with mock.patch.dict(os.environ, ALL="1"):
                self.assertEqual(self.calls(), 1)
        self.assertEqual((self.calls(), self.written), (0, 1))
        self.assertNotIn("SKIPPED", self.said)

    def test_no_older_pdf_is_left_where_it_is_left_out(self):
        pdf = self.folder / "build" / "book.pdf"
        pdf.parent.mkdir()
        self.calls(test=False)
        pdf.write_text("older")
        self.assertEqual([self.calls(), pdf.exists()], [0, False])

    def test_a_book_without_answers_is_not_kept(self):
        self.calls(test=False, answers="none")
        self.assertFalse(self.known(self.page()))


if __name__ == "__main__":
    unittest.main()
