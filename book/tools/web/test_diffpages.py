"""The pages of differences: every two rungs, step by step, light."""

import re
import unittest
from unittest import mock

from reading import diffrows
from testing.case import BookCase
from web import diffpages, website

from declarations import CHANGED, NEW
from differences import Row
from regions import whole


class Pages(BookCase):
    def setUp(self):
        super().setUp()
        self.keep_transcripts()
        self.built = self.folder.parent / "site"

    def pages(self):
        """{name: text} of the pages that the step makes."""
        book = self.book()
        website.build(book, self.built, steps=(diffpages.write,))
        return {str(path.relative_to(self.built)): path.read_text()
                for path in self.built.rglob("*.html")}

    def test_a_page_for_each_pair_and_one_that_leads_there(self):
        pages = self.pages()
        self.assertEqual([name for name in sorted(pages)
                          if name.startswith("diff/")],
                         ["diff/index.html", "diff/m0-m1.html"])
        self.assertIn('<td><a href="m0-m1.html">m0 → m1</a></td>',
                      pages["diff/index.html"])

    def test_neighbours_go_by_the_steps_of_lineage(self):
        page = self.pages()["diff/m0-m1.html"]
        self.assertIn('<p class="idea">A mean is a sum divided</p>', page)
        self.assertEqual(re.findall(r'<h2 id="([^"]*)"', page),
                         ["the-mean", "the-picture"])
        first, second = page.split('<h2 id="the-picture">')
        self.assertIn("mean.c", first)
        self.assertIn("dots.c", second)
        self.assertIn('href="#the-picture"', page)

    def test_a_new_room_stands_above_its_files_with_what_it_owns(self):
        pages = self.pages()
        page = pages["diff/m0-m1.html"]
        room = page.index("<h3>New room <code>dots/</code></h3>")
        self.assertLess(room, page.index("dots/dots.c</code>"))
        words = "Draws numbers as rows of dots.</p>"
        self.assertIn(f"<p>{words}", page[room:])
        self.assertIn(f"<p><code>dots/</code>: {words}",
                      pages["source/m1-mean/dots/dots.c.html"])

    def test_a_change_has_its_reason_and_its_lines(self):
        page = self.pages()["diff/m0-m1.html"]
        link = re.search(r'<a href="../source/m1-mean/main.c.html#L(\d+)">'
                         "<code>main.c</code></a> <b>main</b> – prints it",
                         page)
        whole = self.pages()["source/m1-mean/main.c.html"]
        line = re.search(rf'id="L{link[1]}">(.*)', whole)[1]
        self.assertIn("main", line)
        self.assertIn('<ins><span class="sign">+</span>    printf(&quot;mean '
                      "%.4g\\n&quot;, mean(&amp;n));</ins>", page)

    def test_between_rungs_far_apart_tests_are_only_named(self):
        pair = mock.Mock(wraps=diffpages.Pair)
        pair.are_neighbours.return_value = False
        pair.file_link.return_value = "dots/tests/test_a.c"
        row = Row(CHANGED, "dots/tests/test_a.c", "f", whole("1\n")[0],
                  whole("2\n")[0], "")
        self.assertEqual(diffpages.Pair.changed(pair, row),
                         '<p class="file">dots/tests/test_a.c <b>f</b></p>')
        pair.are_neighbours.return_value = True
        self.assertIn("<ins>", diffpages.Pair.changed(pair, row))

    def test_between_rungs_far_apart_a_new_file_is_a_line(self):
        text = "/* Dots.  More. */\nint f(void);\n"
        file = mock.Mock(text=text, data=text.encode())
        pair = mock.Mock(upper="m2")
        pair.are_neighbours.return_value = False
        pair.sources.ladder = {"m2": {"dots.h": file}}
        row = Row(NEW, "dots.h", "", None, whole(text)[0], "")
        with mock.patch.object(diffpages.diffrows, "home", return_value="m1"):
            self.assertEqual(
                diffpages.Pair.new(pair, row), '<p class="file"><a href='
                '"../source/m1/dots.h.html"><code>dots.h</code></a> '
                "<small>new, 2 lines</small> <span>Dots.</span></p>")

    def test_between_rungs_far_apart_new_tests_are_only_named(self):
        text = "/* Dots.  More. */\nint f(void);\n"
        file = mock.Mock(text=text, data=text.encode())
        pair = mock.Mock(upper="m2")
        pair.are_neighbours.return_value = False
        pair.sources.ladder = {"m2": {"dots/tests/test_a.c": file}}
        row = Row(NEW, "dots/tests/test_a.c", "", None, whole(text)[0], "")
        with mock.patch.object(diffpages.diffrows, "home", return_value="m1"):
            self.assertEqual(
                diffpages.Pair.new(pair, row), '<p class="file"><a href='
                '"../source/m1/dots/tests/test_a.c.html">'
                "<code>dots/tests/test_a.c</code></a> "
                "<small>new</small></p>")

    def test_between_rungs_far_apart_long_changes_are_only_named(self):
        pair = mock.Mock(wraps=diffpages.Pair)
        pair.are_neighbours.return_value = False
        pair.file_link.return_value = "dots/a.c"
        for n in (diffpages.LONG - 1, diffpages.LONG):
            row = Row(CHANGED, "dots/a.c", "f", whole("1\n")[0],
                      whole("2\n" * n)[0], "")
            said = diffpages.Pair.changed(pair, row)
            self.assertEqual("<ins>" in said, n < diffpages.LONG)

    def test_a_new_file_is_folded_to_what_is_in_it(self):
        page = self.pages()["diff/m0-m1.html"]
        fold = re.search(r"<details.*?mean\.c.*?</details>", page, re.S)[0]
        self.assertNotIn("<details open", page)
        self.assertIn("Means of a few numbers: see mean.h.", fold)
        self.assertIn('href="../source/m1-mean/mean.c.html#L5">'
                      "<code>mean</code>", fold)
        self.assertNotIn("return n-&gt;count", page)

    def test_the_functions_of_new_tests_are_not_listed(self):
        pair = mock.Mock(upper="m1")
        text = whole("int f(void)\n{\n    return 1;\n}\n")
        with mock.patch.object(diffpages.diffrows, "regions",
                               return_value={"f": text[0]}):
            for path, n in (("dots/f.c", 1), ("dots/tests/test_f.c", 0)):
                made = diffpages.Pair.outline(pair, path, "f.html")
                self.assertEqual(made.count("<li>"), n, path)

    def test_each_new_or_changed_file_has_a_page_once(self):
        pages = self.pages()
        self.assertIn("source/m0-sum/sum.c.html", pages)
        self.assertIn("source/m1-mean/main.c.html", pages)
        self.assertNotIn("source/m1-mean/sum.c.html", pages)  # unchanged
        self.assertIn('id="L5"', pages["source/m1-mean/mean.c.html"])

    def test_a_page_that_a_chapter_made_is_left_alone(self):
        book = self.book()
        site = website.Site(book, self.built)
        site.output.write("source/m0-sum/sum.c.html", "made by a chapter")
        diffpages.files(site)
        self.assertEqual((self.built / "source/m0-sum/sum.c.html")
                         .read_text(), "made by a chapter")


class Rows(unittest.TestCase):
    def row(self, old, new):
        """A changed region."""
        return Row(CHANGED, "a.c", "f", whole(old)[0], whole(new)[0], "")

    def test_far_lines_are_left_out(self):
        old = "".join(f"{n}\n" for n in range(20))
        signed = diffrows.signed(self.row(old, old.replace("9\n", "x\n", 1)))
        self.assertEqual(signed, [
            ("…", ""), (" ", "6"), (" ", "7"), (" ", "8"), ("-", "9"),
            ("+", "x"), (" ", "10"), (" ", "11"), (" ", "12"), ("…", "")])

    def test_two_changes_far_apart(self):
        old = "".join(f"{n}\n" for n in range(30))
        new = old.replace("5\n", "x\n", 1).replace("\n25\n", "\ny\n")
        signs = "".join(sign for sign, _ in diffrows.signed(
            self.row(old, new)))
        self.assertEqual(signs, "…   -+   …   -+   …")

    def test_counts(self):
        rows = [self.row("a\nb\n", "a\nc\nd\n"),
                Row("new", "n", "", None, whole("1\n2\n")[0], ""),
                Row("removed", "r", "", whole("1\n")[0], None, "")]
        self.assertEqual(diffrows.counts(rows), {"+": 4, "-": 2})


class Words(unittest.TestCase):
    def test_the_comment_that_opens_a_file(self):
        for text, want in (
                ("/* One. Two\n * more. */\nint x;",
                 ("One.", [("p", "Two more.")])),
                ("/* One.\n *\n *     a  1\n *       2\n *\n * End. */",
                 ("One.", [("pre", "a  1\n  2"), ("p", "End.")])),
                ("/* As Su et al. 2021 say: it turns. */",
                 ("As Su et al. 2021 say: it turns.", [])),
                ("# make runs it.\n# Or not.\nall:\n",
                 ("make runs it.", [("p", "Or not.")])),
                ('"""Doc."""\nimport os\n', ("Doc.", [])),
                ('#!/bin/sh\n# Said.\n', ("Said.", [])),
                ("#include <a.h>\n/* no */", ("", [])),
                ("int x; /* no */", ("", []))):
            with self.subTest(text):
                self.assertEqual(diffpages.first_words(text), want)

    def test_plurals_and_sizes(self):
        self.assertEqual([diffpages.plural(n, "file") for n in (0, 1, 2)],
                         ["no files", "1 file", "2 files"])


if __name__ == "__main__":
    unittest.main()
