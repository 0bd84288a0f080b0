"""The first page: what it shows comes from the rungs, and what is not there
is left out."""

import json
import re
import unittest
from string import Template
from unittest import mock

from reading.sources import ROOT, Sources
from testing.case import BookCase, report
from web import frontfacts, frontpage, frontprompt, webpage, website
from web.frontfacts import CANDIDATE, PIECE, Prompt

from rungs import File

DATA = {
    "sentence": "It's a loop.",
    "prompt": "1 2",
    "stack": [{"name": "The top", "line": "a line", "what": "What.",
               "why": "Why.", "rungs": ["m0", "m2"]}],
    "ideas": [{"name": "Idea", "rung": "m2", "text": "Text."}],
    "ladder": [
        {"name": "m0-sum", "idea": "a sum", "adds": "sums",
         "speed": [["m0.speed", "each"]]},
        {"name": "m1-mean", "idea": "a mean is a sum divided",
         "adds": "means", "speed": []},
        {"name": "m2-later", "idea": "later", "adds": "more", "speed": []}],
    "recomputing": {"of": "m0.speed", "tokens": 128, "ended": "m2"},
    "close": {"until": "m2", "text": "They lie close together."},
    "models": {"small": "a small one", "large": "a large one"},
    "covers": {"columns": [{"name": "Rungs"}, {
        "name": "Other", "link": "https://example.org/", "read": "commit 1",
        "is": "Another."}], "rows": [["Sums", "m0", "yes"],
                                     ["Later", "m2", "–"]]},
}
FIGURE = {"value": 2.5, "unit": "ms", "machine": "a machine",
          "date": "2026-01-02", "commit": "abcdef0123456"}


class Page(BookCase):
    def setUp(self):
        super().setUp()
        silent = mock.patch.object(frontfacts, "ask", return_value="")
        self.ask = silent.start()
        self.addCleanup(silent.stop)

    def body(self, figures=None, **changes):
        """The page's text."""
        book = self.book()
        book.figures = figures or {}
        self.keep_transcripts()
        site = website.Site(book, self.folder / "site")
        return frontpage.body(site, {**DATA, **changes})

    def test_sentence_and_links_to_chapters(self):
        page = self.body()
        self.assertIn("It’s a loop.", page)
        self.assertIn('href="m0.html">Begin to read</a>', page)
        self.assertIn('<a href="glossary.html">Glossary</a>', page)
        self.assertNotIn("teaching.html", page)
        self.assertIn('<p class="built">Built in <a href="m0.html">m0-sum</a>,'
                      ' m2-later <span class="planned">planned</span></p>',
                      page)

    def test_counts_what_is_done(self):
        self.assertIn("2 of 3 rungs done", self.body())

    def test_lines_are_those_of_the_program(self):
        page = self.body()
        rungs = re.findall(r'class="numbers">([^<·]*)', page)
        self.assertEqual(len(rungs), 2)
        lower, upper = rungs
        self.assertRegex(lower, r"^\d+ lines$")
        found = re.match(r"(\d+) lines, (\d+) of them new", upper)
        total, new = map(int, found.groups())
        self.assertLess(0, new)
        self.assertLess(new, total)

    def test_neighbours_link_to_their_difference(self):
        self.assertEqual(self.body().count('href="diff/m0-m1.html"'), 1)

    def test_without_figures_there_are_none(self):
        page = self.body()
        self.assertNotIn("ms", re.sub("<[^>]*>", "", page).split())
        self.assertNotIn("Measured figures", page)
        self.assertNotIn("class=\"speed\"", page)

    def test_a_figure_says_where_it_is_from(self):
        page = self.body({"m0.speed": FIGURE})
        self.assertIn("2.50\u00a0ms each", page)
        self.assertIn("a machine, 2026-01-02, commit abcdef0123", page)

    def test_without_a_cache_writing_costs_as_much_as_reading_all(self):
        page = self.body({"m0.speed": FIGURE})
        self.assertIn("2.50\u00a0ms for each token", page)
        self.assertIn("about 320\u00a0ms", page)  # 128 times 2.5

    def test_the_split_shows_the_highest_rung_with_both(self):
        speed = {**FIGURE, "unit": "tokens/s"}
        page = self.body({
            "m0.prefill.speed": {**speed, "value": 10},
            "m1.prefill.speed": {**speed, "value": 400},
            "m1.decode.speed": {**speed, "value": 30},
            "m1.large.decode.speed": {**speed, "value": 5},
            "m0.speed": FIGURE})
        self.assertIn("<b>400\u00a0tokens/s</b> <a href=\"m1.html\">", page)
        self.assertIn("<b>30.0\u00a0tokens/s</b>", page)
        self.assertIn("With a small one.</p>", page)
        self.assertIn("With a small one; 5.00\u00a0tokens/s with a large one.",
                      page)
        self.assertNotIn("has no cache yet", page)
        self.assertIn("close together", page)

    def test_what_is_said_until_a_rung_is_not_said_with_it(self):
        speed = {**FIGURE, "unit": "tokens/s"}
        page = self.body({"m1.prefill.speed": speed, "m1.decode.speed": speed},
                         close={"until": "m1", "text": "Close together."})
        self.assertNotIn("together", page)

    def test_the_table_links_to_rungs_and_names_its_sources(self):
        page = self.body()
        self.assertIn('<td data-label="Rungs"><a href="m0.html">m0</a></td>'
                      '<td data-label="Other">yes</td>', page)
        self.assertIn('<td data-label="Rungs">m2 <span class="planned">'
                      'planned</span></td><td data-label="Other">'
                      '<span class="none">–</span></td>', page)
        self.assertIn('<a href="https://example.org/">Other</a>', page)
        self.assertIn("Read: commit 1.", page)

    def test_no_rung_no_prompt(self):
        self.assertNotIn('id="prompt"', self.body())
        self.ask.side_effect = lambda book, rung, command: \
            "  7  31 '1'" if rung == "m0-sum" else ""
        page = self.body()
        self.assertIn("<li><span>1</span> <b>7</b></li>", page)
        self.assertNotIn("probabilities", page)


class Counting(unittest.TestCase):
    def test_tests_and_benchmarks_are_no_part_of_the_program(self):
        line = File(b"int x;\n")
        rung = {"a.c": line, "test_a.c": line, "bench_a.c": line}
        self.assertEqual(frontfacts.count({"m0": rung}, "m0", None), (1, 1))

    def test_blank_lines_and_comments_do_not_count(self):
        rung = {"a.c": File(b"/* One.\n */\n\nint x; /* two */\n")}
        self.assertEqual(frontfacts.count({"m0": rung}, "m0", None), (1, 1))


class Asking(BookCase):
    def test_a_rung_that_is_not_there(self):
        self.assertEqual(frontfacts.ask(self.book(), "m7-server", "ls"), "")

    def test_a_rung_that_answers(self):
        self.assertEqual(
            frontfacts.ask(self.book(), "m0-sum", "./rung 1 2"), "sum 3")

    def test_a_rung_that_fails_is_a_mistake(self):
        book = self.book()
        self.assertEqual(frontfacts.ask(book, "m0-sum", "./rung"), "")
        self.assertIn("site/front.html:1: ./rung: ended with status 1",
                      report(book))

    def test_the_prompt_is_one_word_to_the_shell(self):
        asked = []
        with mock.patch.object(frontfacts, "ask", side_effect=lambda *words:
                               asked.append(words[1:]) or ""):
            frontfacts.follow(None, "it's", ["a", "b", "c"])
        self.assertEqual(asked, [
            ("a", r"./rung encode --pieces 'it'\''s'"),
            ("b", "./rung config --json"), ("c", r"./rung next 'it'\''s'")])


class Reading(unittest.TestCase):
    def test_pieces(self):
        text = ("     287  54 68 65                 'The'\n"
                "     458  20 63                    ' c'\n"
                "       1  27                       '''")
        self.assertEqual(frontfacts.rows(PIECE, text), [
            ("287", "The"), ("458", " c"), ("1", "'")])

    def test_candidates(self):
        text = ("probability      id  token\n"
                '     0.9987    2993  " Par"\n'
                '     0.0000       5  "\\"s\\""')
        self.assertEqual(frontfacts.rows(CANDIDATE, text), [
            ("0.9987", "2993", " Par"), ("0.0000", "5", '\\"s\\"')])


class Stages(unittest.TestCase):
    def test_spaces_can_be_seen(self):
        self.assertEqual(frontprompt.visible(" a b "), "␣a b␣")
        self.assertEqual(frontprompt.visible("  "), "␣␣")

    def test_a_bar_is_as_long_as_its_probability(self):
        self.assertIn('style="--part:0.25"', frontprompt.bar("0.25", "1", "a"))
        self.assertIn("&lt; 0.0001", frontprompt.bar("0.0000", "1", "a"))

    def test_texts_are_escaped(self):
        got = Prompt("<a>", [("1", "<b>")], {}, [("0.5", "2", "<c>")], "<d>")
        page = (frontprompt.tokens(got)[1] + frontprompt.chances(got)[1]
                + frontprompt.again(got)[1])
        for letter in "abcd":
            self.assertIn(f"&lt;{letter}&gt;", page)


class Data(unittest.TestCase):
    def setUp(self):
        self.data = json.loads((webpage.SITE / frontpage.DATA).read_text())

    def test_ideas_are_those_that_the_rungs_declare(self):
        sources = Sources()
        for row in self.data["ladder"]:
            if row["name"] in sources.rungs[1:]:
                with self.subTest(row["name"]):
                    self.assertEqual(sources.lineage(row["name"]).idea,
                                     row["idea"])

    def test_the_eight_rungs_in_order(self):
        self.assertEqual([row["name"][:3] for row in self.data["ladder"]],
                         [f"m{n}-" for n in range(8)])

    def test_each_layer_says_all_three(self):
        self.assertEqual(len(self.data["stack"]), 8)
        for layer in self.data["stack"]:
            self.assertTrue(layer["what"] and layer["why"] and layer["rungs"])
        named = {rung for layer in self.data["stack"]
                 for rung in layer["rungs"]}
        self.assertEqual(named, {f"m{n}" for n in range(8)})

    def test_the_table_is_whole_and_others_are_cited(self):
        covers = self.data["covers"]
        for row in covers["rows"]:
            self.assertEqual(len(row), 1 + len(covers["columns"]), row)
        for column in covers["columns"][1:]:
            self.assertTrue(column["link"].startswith("https://"))
            self.assertTrue(column["read"])

    def test_figures_of_rungs_that_exist_are_measured(self):
        rows = json.loads((ROOT / "book" / "measures.json").read_text())
        measured = {row["name"] for row in rows}
        rungs = Sources().rungs
        for row in self.data["ladder"]:
            for name, _ in row["speed"] if row["name"] in rungs else []:
                self.assertIn(name, measured)
        self.assertIn(self.data["recomputing"]["of"], measured)
        kinds = {name.partition(".")[2] for name in measured}
        for kind in frontpage.SPEEDS:
            self.assertLessEqual({kind, frontpage.LARGE + kind}, kinds)

    def test_the_template_asks_for_nothing_else(self):
        text = (webpage.SITE / frontpage.TEXT).read_text()
        names = {found.group("named") for found
                 in Template.pattern.finditer(text)}
        self.assertEqual(names, {
            "sentence", "start", "stack", "prompt", "ideas", "ladder",
            "covers", "others", "differences", "reading", "writing", "split",
            "done", "total", "measured"})


if __name__ == "__main__":
    unittest.main()
