"""What the search can find, and where it leads."""

import json
import unittest

from reading import diffrows
from testing.case import BookCase
from web import diffpages, searchindex, sitelinks, website


class Index(BookCase):
    def setUp(self):
        super().setUp()
        self.keep_transcripts()
        self.built = self.folder.parent / "site"
        steps = (*website.BOOK, diffpages.write, searchindex.write)
        website.build(self.book(), self.built, steps=steps)
        text = (self.built / searchindex.NAME).read_text()
        start, end = "window.searchIndex=", ";\n"
        self.assertTrue(text.startswith(start) and text.endswith(end))
        self.entries = json.loads(text[len(start):-len(end)])

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


class Names(unittest.TestCase):
    def test_as_a_reader_would_type_them(self):
        for name, want in (("struct:state", "struct state"),
                           ("typedef:id", "id"), ("var:families", "families"),
                           ("rmsnorm", "rmsnorm"),
                           ("top", "the top of the file")):
            self.assertEqual(diffrows.spoken(name), want)


if __name__ == "__main__":
    unittest.main()
