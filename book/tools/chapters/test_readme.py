"""README.md shows what the program prints."""

import unittest

from chapters import readme
from chapters.book import Book
from support.mistakes import Wrong
from testing.case import BookCase, report

TEXT = """# Name

<!-- m0: ./rung 1 2 -->

sum 3

<!-- end -->

Words.
"""


def answer_three(command, rung):
    return {("./rung 1 2", "m0"): "sum 3"}[command, rung]


class Parts(unittest.TestCase):
    def test_a_part_is_written_anew(self):
        old = TEXT.replace("sum 3", "an old sum")
        self.assertEqual(readme.renewed(old, answer_three), TEXT)
        self.assertEqual(readme.renewed(TEXT, answer_three), TEXT)

    def test_each_of_several_parts_is_its_own(self):
        twice = TEXT + TEXT
        self.assertEqual(readme.renewed(twice, answer_three), twice)
        [(line, _)] = readme.stale(TEXT + TEXT.replace("sum 3", "4"),
                                   answer_three)
        self.assertEqual(line, 3 + TEXT.count("\n"))

    def test_an_empty_part_is_filled(self):
        empty = TEXT.replace("\nsum 3\n\n", "")
        self.assertEqual(readme.renewed(empty, answer_three), TEXT)

    def test_a_part_that_differs_is_named_with_its_line(self):
        self.assertEqual(list(readme.stale(TEXT, answer_three)), [])
        [(line, why)] = readme.stale(TEXT.replace("sum 3", "sum 4"), answer_three)
        self.assertEqual(line, 3)
        self.assertIn("./rung 1 2: prints something else now", why)

    def test_a_command_that_fails_is_named(self):
        def fail(command, rung):
            raise Wrong("no such command")
        [(line, why)] = readme.stale(TEXT, fail)
        self.assertEqual((line, str(why)), (3, "no such command"))


class Figures(unittest.TestCase):
    figures = {"m0.a": {"value": 1.23456, "unit": "MB/s", "machine": "this",
                        "date": "2026-01-02", "commit": "0123456789abcdef"}}
    labels = {"m0.a": "reading", "m0.b": "writing"}

    def test_a_table_with_labels_units_and_where_it_was_measured(self):
        self.assertEqual(
            readme.table("m0.a", self.labels, self.figures),
            "| | |\n|---|---|\n| reading | 1.2 MB/s |\n\n"
            "Measured on: this, 2026-01-02, commit 0123456789.")

    def test_a_table_with_columns(self):
        figures = {"m0.a.ours": self.figures["m0.a"],
                   "m0.a.ratio": {**self.figures["m0.a"], "unit": ""}}
        figures["m0.a"] = figures["m0.a.ours"]
        table = readme.table("m0.a | = m0 | ratio = times as fast",
                             {"m0.a": "reading"}, figures)
        self.assertEqual(table.splitlines()[:4], [
            "| | m0 | times as fast |", "|---|---|---|",
            "| reading | 1.2 MB/s | 1.2 |", ""])

    def test_a_figure_without_label_or_value_is_named(self):
        with self.assertRaisesRegex(Wrong, "measured.json has no m0.b"):
            readme.table("m0.b", self.labels, self.figures)
        with self.assertRaisesRegex(Wrong, "no label for m0.c"):
            readme.table("m0.c", self.labels, self.figures)

    def test_a_part_may_be_measured(self):
        text = "<!-- measured: m0.a -->\n\nold\n\n<!-- end -->\n"
        self.assertEqual(
            readme.renewed(text, lambda names, kind: f"{kind} {names}"),
            text.replace("old", "measured m0.a"))


class Build(BookCase):
    def setUp(self):
        super().setUp()
        self.readme = self.root / "README.md"
        self.addCleanup(self.readme.unlink)

    def test_a_build_fails_and_transcripts_mend_it(self):
        self.readme.write_text(TEXT.replace("sum 3", "sum 4"))
        book = self.book()
        readme.check(book)
        self.assertIn("README.md:3: ./rung 1 2: prints", report(book))
        readme.renew(book)
        self.assertEqual(self.readme.read_text(), TEXT)
        book = self.book()
        readme.check(book)
        self.assertEqual(report(book), "")


class ThisReadme(unittest.TestCase):
    def test_it_shows_what_the_program_prints(self):
        book = Book()
        text = (book.root / "README.md").read_text()
        self.assertTrue(readme.PART.search(text))
        self.assertEqual(list(readme.stale(text, readme.run_with(book))), [])


if __name__ == "__main__":
    unittest.main()
