"""Lines that the chapter's main command does not run are dimmed on the
site."""

import re
import unittest
from types import SimpleNamespace

from blocks import idle
from testing.case import BookCase, report

C = """/* Adds,
 * or fails. */
int f(struct n *n)
{
    int total;

    if (n->bad ||
        !n->good)
        /* Why it fails. */
        return fail(n,
                    "bad");
    total = n->half
                ? 1
                : 2;
    switch (total) {
    case 1:
        return 3;
    default:
        n->good = 0;
    }
    return total;
}
""".split("\n")


class Within(unittest.TestCase):
    def dimmed(self, ran, idle_lines):
        """The dimmed lines of f, some of which were counted."""
        return idle.within(C, 1, 23, {**dict.fromkeys(ran, True),
                                      **dict.fromkeys(idle_lines, False)})

    def test_a_statement_is_dimmed_to_its_end_but_not_comments(self):
        self.assertEqual(self.dimmed([3, 7, 12, 15], [10]), {10, 11})

    def test_a_statement_of_which_a_part_ran(self):
        self.assertEqual(self.dimmed([3, 12, 14], [13]), {13})

    def test_what_has_no_code_is_not_dimmed(self):
        self.assertEqual(self.dimmed([3, 7, 15, 17], [19, 21]), {19, 21})

    def test_a_function_that_did_not_run_is_left_alone(self):
        self.assertEqual(self.dimmed([], [3, 7, 10, 12]), set())

    def test_a_name_goes_with_its_value(self):
        lines = ["if (a)", "    b =", "        c();", "d();"]
        self.assertEqual(idle.within(lines, 1, 4, {1: True, 3: False,
                                                   4: True}), {2, 3})

    def test_an_else_goes_with_what_it_leads_to(self):
        lines = ["if (a)", "    b();", "else", "    c();"]
        self.assertEqual(idle.within(lines, 1, 4, {1: True, 2: True,
                                                   4: False}), {3, 4})

    def test_where_threads_wait_for_each_other_nothing_is_dimmed(self):
        ran = {3: True, 7: True, 10: False}
        for more, dimmed in (("", [10, 11]),
                             ("pthread_cond_wait(&more, &lock);", [])):
            sources = SimpleNamespace(
                text=lambda path: "\n".join([*C, more]),
                regions=lambda path: {"f": SimpleNamespace(
                    is_function=True, first=1, last=23)})
            self.assertEqual(idle.of_file(sources, "m0/f.c", ran), dimmed)


class Dimmed(BookCase):
    def dimmed(self, text, title='# Sums {main="./rung 1"}', medium="site"):
        """The dimmed lines of the page of a chapter, as text."""
        page = self.page(text, medium=medium)
        self.write("m0.md", f"{title}\n\n{text}\n")
        book = self.book()
        page.chapter = next(c for c in book.chapters if c.name == "m0")
        page.book = book
        made = str(page.expanded())
        self.assertEqual(report(book), "")
        return re.findall(r'<span class="line idle">(.*?)</span>\\n', made)

    def test_what_the_main_command_does_not_run(self):
        lines = self.dimmed("```{src=main.c}\n```")
        self.assertEqual(len(lines), 3, lines)
        self.assertIn("complain();", lines[0])
        self.assertIn("numbers", lines[1])
        self.assertIn("name_of", lines[2])

    def test_another_command_runs_other_lines(self):
        said = self.dimmed("```{src=main.c fn=main}\n```",
                           '# Sums {main="NAMES=1 ./rung 1"}')
        self.assertEqual(len(said), 1, said)

    def test_a_chapter_without_a_command_dims_nothing(self):
        self.assertEqual(self.dimmed("```{src=main.c}\n```", "# Sums"), [])

    def test_paper_dims_nothing(self):
        self.assertEqual(self.dimmed("```{src=main.c}\n```",
                                     medium="print"), [])

    def test_other_rungs_and_texts_are_left_alone(self):
        self.assertEqual(self.dimmed("```{src=m1-mean/main.c}\n```\n\n"
                                     "```{src=Makefile}\n```"), [])

    def test_a_command_that_fails_is_said_once(self):
        self.write("m0.md", '# Sums {main="./rung"}\n\n```{src=main.c}\n```'
                   "\n\n```{src=sum.c}\n```\n")
        book = self.book()
        chapter = next(c for c in book.chapters if c.name == "m0")
        book.expanded(chapter, "site")
        self.assertEqual(report(book), "book/m0.md:1: ./rung: rung: no "
                         "numbers\n")


if __name__ == "__main__":
    unittest.main()
