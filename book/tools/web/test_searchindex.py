"""What the search can find, and where it leads."""

import json
import shutil
import unittest

import browser_check
from reading import diffrows
from testing.case import BookCase
from web import diffpages, searchindex, searchtext, sitelinks, website


class Searched(BookCase):
    def setUp(self):
        super().setUp()
        self.keep_transcripts()
        self.built = self.folder.parent / "site"
        steps = (*website.BOOK, diffpages.write, searchindex.write,
                 searchtext.write)
        website.build(self.book(), self.built, steps=steps)

    def data(self, name, variable):
        """What a script of the site holds."""
        text = (self.built / name).read_text()
        start, end = f"window.{variable}=", ";\n"
        self.assertTrue(text.startswith(start) and text.endswith(end))
        return json.loads(text[len(start):-len(end)])


class Index(Searched):
    def setUp(self):
        super().setUp()
        self.entries = self.data(searchindex.NAME, "searchIndex")

    def test_chapters_sections_and_terms(self):
        self.assertIn(["page", "Sums", "m0-sum", "m0.html"], self.entries)
        self.assertIn(["heading", "By hand", "Sums", "m0.html#by-hand"],
                      self.entries)
        self.assertIn(["term", "number", "What can be counted.",
                       "glossary.html#number"], self.entries)

    def test_what_changes_from_rung_to_rung(self):
        self.assertEqual(
            [entry for entry in self.entries if entry[0] == "difference"],
            [["difference", "m0-sum → m1-mean", "difference: what changes",
              "diff/m0-m1.html"]])

    def test_a_function_leads_to_the_section_that_shows_it(self):
        self.assertIn(["code", "sum", "m0-sum/sum.c",
                       "m0.html#the-code"], self.entries)

    def test_another_function_leads_to_its_file(self):
        address = "source/m0-sum/main.c.html#L17"
        self.assertIn(["code", "name_of", "m0-sum/main.c", address],
                      self.entries)

    def test_a_rung_has_only_what_is_new_or_changed_there(self):
        upper = {words for kind, words, where, _ in self.entries
                 if where.startswith("m1-mean/")}
        self.assertIn("mean", upper)
        self.assertIn("main", upper)  # changed
        self.assertNotIn("sum", upper)
        self.assertNotIn("complain", upper)  # in a changed file, the same

    def test_tests_and_prototypes_are_left_out(self):
        names = [words for _, words, *_ in self.entries]
        self.assertNotIn("adds_all", names)
        self.assertEqual(names.count("mean"), 1)

    def test_every_entry_leads_somewhere(self):
        links = sitelinks.Links(self.built)
        self.assertEqual([links.wrong_with("index.html", entry[3])
                          for entry in self.entries],
                         [""] * len(self.entries))


class Text(Searched):
    def setUp(self):
        super().setUp()
        self.rows = self.data(searchtext.NAME, "searchText")

    def text_of(self, address):
        """The words of one section."""
        return next(row[3] for row in self.rows if row[2] == address)

    def test_a_row_for_each_section(self):
        self.assertIn(["Sums", "Sums", "m0.html",
                       "A number and another; see means and above."],
                      self.rows)
        self.assertIn("The sum is 7", self.text_of("m0.html#by-hand"))

    def test_a_row_for_each_term(self):
        self.assertIn(["number", "Glossary", "glossary.html#number"],
                      [row[:3] for row in self.rows])

    def test_formulas_are_words_once(self):
        text = self.text_of("m0.html#by-hand")
        self.assertIn("sum i x i = 7", text)
        self.assertEqual(text.count("= 7"), 1)

    def test_neither_code_nor_captions_nor_answers(self):
        words = " ".join(row[3] for row in self.rows)
        for left_out in ("total +=", "lines 4", "Secret", "sum 7"):
            self.assertNotIn(left_out, words)

    def test_every_row_leads_somewhere(self):
        links = sitelinks.Links(self.built)
        self.assertEqual([links.wrong_with("index.html", row[2])
                          for row in self.rows], [""] * len(self.rows))

    @unittest.skipUnless(shutil.which("node"), "node is missing")
    def test_what_is_found(self):
        right = [["summing numbers", ["m0.html#by-hand", "m0.html"]],
                 ["what is a number", ["glossary.html#number"]],
                 ["sum", ["m0.html#the-code"]]]
        asked = [*right, ["mean", ["glossary.html#number"]],
                 ["nosuchword", ["m0.html"]]]
        wrong = [result["wrong"] for result in
                 browser_check.search_checks(self.built, asked)]
        self.assertEqual(wrong[:3], [[], [], []])
        self.assertRegex(wrong[3][0], "^finds .*m1.html.*, not glossary.html#n")
        self.assertEqual(wrong[4], ["finds nothing, not m0.html"])


class Sections(unittest.TestCase):
    def test_of_a_page(self):
        page = ("<h1 id='a'>T <em>t</em></h1><p>One<br>two.</p><ul><li>three"
                "</li></ul><h2>not one</h2><h3 id='b'>B</h3>"
                "<div class='solution'><p>no</p></div><pre>no</pre><p>a, "
                "<code>b</code>c</p><dl><dt><span id='d'>D</span></dt>"
                "<dd>four</dd></dl>")
        self.assertEqual(searchtext.sections_of(page), [
            [1, "", "", ""], [1, "a", "T t", "One two. three not one"],
            [3, "b", "B", "a, bc"], [2, "d", "D", "four"]])


class Names(unittest.TestCase):
    def test_as_a_reader_would_type_them(self):
        for name, want in (("struct:state", "struct state"),
                           ("typedef:id", "id"), ("var:families", "families"),
                           ("rmsnorm", "rmsnorm"),
                           ("top", "the top of the file")):
            self.assertEqual(diffrows.spoken(name), want)


if __name__ == "__main__":
    unittest.main()
