"""Everything in a chapter's text: values, figures, terms, links, formulas."""

import json
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from chapters.page import KINDS, WORDS
from support.mistakes import Wrong
from testing.case import BookCase
from support.store import Store
from text import compute, diagrams, highlight, tree
from web import webpage


class Compute(BookCase):
    def test_names_live_until_the_chapters_end(self):
        page = self.html("```{.compute}\nx = [1.0, 2.0]\n```\n\n"
                         "```{.compute .shown}\ny = [v / 3 for v in x]\n```"
                         "\n\n`x`{.value} `y[0]`{.value digits=2}")
        self.assertIn("1.0, 2.0 0.33", page)
        self.assertIn('<code class="kept">a+</code>',
                      self.html('`"a+"`{.value .code}'))
        self.assertEqual(page.count("<pre"), 1)

    def test_values_in_tables_formulas_and_diagrams(self):
        page = self.page(
            "```{.compute}\nx = -1234.5\n```\n\n| a |\n|--:|\n"
            "| `x`{.value places=0} |\n\n$\\value{x}{2}$\n\n"
            '```{.dot alt="x"}\ndigraph { "$(x:2)" -> "$(1 + 1)" }\n```')
        blocks = page.expanded()
        page = str(blocks)
        self.assertIn("'−1,234'", page)
        self.assertIn("-1{,}200", page)
        self.assertIn(">−1,200<", page)
        self.assertIn(">2<", page)

    def test_a_claim_that_does_not_hold(self):
        self.html("```{.compute}\nclaim('one is less', 1 < 2)\n```")
        self.assert_wrong([("```{.compute}\nclaim('one is more', 1 > 2)\n```",
                            "a claim does not hold: one is more")])

    def test_what_a_command_prints_is_at_hand(self):
        self.assertIn("<p>7, 4</p>", self.html(
            "```{.compute}\na = run('./rung 3 4').split()[1]\n"
            "b = json('[4]')[0]\n```\n\n`[int(a), b]`{.value}"))

    def test_another_rung_stands_in_the_text(self):
        """Else another chapter's commands might run there at the same time."""
        self.html("`run('./rung 3 4', rung='m1')`{.value}")
        self.assert_wrong([("`run('./rung 3 4', 'm1')`{.value}",
                            'run: write rung="m1" to name another rung')])

    def test_a_measured_figure_is_a_number_with_a_source(self):
        self.write("measured.json", json.dumps({"m0.speed": {
            "value": 12.5, "unit": "MB/s", "machine": "A machine",
            "date": "2026-11-21", "commit": "0123456789abcdef"}}))
        page = self.html("```{.compute}\nhalf = measured('m0.speed') / 2\n"
                         "```\n\n`half`{.value}")
        self.assertIn("<p>6.25</p>", page)
        self.assertIn("A machine, 2026-11-21, commit 0123456789", page)
        self.assert_wrong([("`measured('gone')`{.value}",
                            "measured.json has no gone")])

    def test_a_mistake_is_told_in_pythons_words(self):
        self.assert_wrong([
            ("```{.compute}\nx = 1 / 0\n```", "ZeroDivisionError"),
            ("`gone`{.value}", "'gone' is not defined"),
            ("```{.compute}\nimport os\n```", "ImportError"),
            ("`open('x')`{.value}", "'open' is not defined"),
            ("`1 +`{.value}", "SyntaxError"),
            ("`1`{.value digits=0}", "digits=0"),
            ("$\\value{gone}$", "'gone' is not defined")])

    def test_rounding(self):
        for value, arguments, text in (
                (3, {}, "3"), (1234567, {}, "1,234,567"), (0.1, {}, "0.1"),
                (0.0, {"digits": 3}, "0.00"), (2.0, {"digits": 3}, "2.00"),
                (0.012345, {"digits": 2}, "0.012"), (-1.5, {}, "−1.5"),
                (1234.6, {"digits": 2}, "1,200"),
                (9.996, {"digits": 3}, "10.0"),
                (1e-9, {"digits": 2}, "1.0 × 10⁻⁹"),
                (2.5, {"places": 2}, "2.50"), (True, {}, "True"),
                ([1, 2.5], {"digits": 2}, "1.0, 2.5")):
            with self.subTest(value=value):
                self.assertEqual(compute.shown(value, **arguments), text)
        self.assertEqual(compute.in_tex("1.0 × 10⁻⁹"),
                         r"1.0 \times 10^{-9}")

    def test_helpers(self):
        self.assertEqual(compute.matvec([[1, 2], [3, 4]], [1, 1]), [3, 7])
        self.assertAlmostEqual(sum(compute.softmax([1e4, 1e4, 0])), 1)
        self.assertEqual(compute.f32([0.1]), [0.10000000149011612])
        with self.assertRaises(ValueError):
            compute.dot([1], [1, 2])


class Units(unittest.TestCase):
    TEXTS = ("/* One\n   two. */\nint a = 1; /* three\n*/ char b = '\"';\n"
             "#define M(x) \\\n    ((x) + 1) // no /* comment\n"
             'const char *s = "/* none";\nint c;',
             'int c;\nconst char *s = "/* none";\n}\n\nint d;')

    def test_a_text_of_known_units_is_as_pandoc_has_it(self):
        with mock.patch.object(highlight, "UNITS", {}), \
                tempfile.TemporaryDirectory() as folder:
            self.assertIsNone(highlight.compose("c", self.TEXTS[0]))
            for chunk in highlight.lists_of_units(self.TEXTS):
                highlight.learn(chunk, Store(Path(folder)))
            whole = highlight.ask_pandoc([("c", text) for text in self.TEXTS])
            for text, html in zip(self.TEXTS, whole):
                self.assertEqual(highlight.compose("c", text), html)
            self.assertIsNone(highlight.compose("c", "int unknown;"))
            self.assertIsNone(highlight.compose("python", "int c;"))

    def test_texts_that_digests_choose_are_compared_as_a_whole(self):
        text = self.TEXTS[1]
        with mock.patch.object(highlight, "UNITS", {}), \
                mock.patch.object(highlight, "SAMPLE", ""), \
                tempfile.TemporaryDirectory() as folder:
            store = Store(Path(folder))
            highlight.compare([text], store)  # of nothing that is known
            for chunk in highlight.lists_of_units([text]):
                highlight.learn(chunk, store)
            highlight.compare([text], store)
            highlight.UNITS["int d;"] = "another"
            with self.assertRaisesRegex(Wrong, "otherwise than line by line"):
                highlight.compare([text + "\nint d;"], store)
            highlight.SAMPLE = "none begins so"
            highlight.compare([text + "\nint d;"], store)
            with self.assertRaisesRegex(Wrong, "otherwise than line by line"):
                highlight.compare([text + "\nint d;"], store, every=True)

    def test_what_is_composed_is_kept_for_who_learns_nothing(self):
        code = ("c", self.TEXTS[1])
        with tempfile.TemporaryDirectory() as folder:
            store = Store(Path(folder))
            with mock.patch.object(highlight, "UNITS", {}):
                for chunk in highlight.lists_of_units([code[1]]):
                    highlight.learn(chunk, store)
                lines = highlight.inside([code], store)
            with mock.patch.object(highlight, "ask_pandoc") as asked:
                self.assertEqual(highlight.inside([code], store), lines)
            asked.assert_not_called()

    def test_lists_hold_each_unit_once(self):
        with mock.patch.object(highlight, "CHUNK", 30):
            lists = highlight.lists_of_units(self.TEXTS)
        self.assertGreater(len(lists), 2)
        self.assertEqual(sum(lists, []), [
            "/* One\n   two. */", "int a = 1; /* three\n*/ char b = '\"';",
            "#define M(x) \\\n    ((x) + 1) // no /* comment",
            'const char *s = "/* none";', "int c;", "}", "", "int d;"])


class Diagrams(BookCase):
    DOT = ('```{.dot alt="One < two" caption="C"}\n'
           "digraph { 1 -> 2 [color=warm]; 2 [fillcolor=paper] }\n```")

    def test_follow_the_scheme_on_the_site(self):
        page = self.html(self.DOT)
        self.assertIn('role="img" aria-label="One &lt; two"', page)
        self.assertIn("stroke:var(--warm)", page)
        self.assertIn("fill:var(--paper)", page)
        self.assertNotIn("#", page.partition("<svg")[2])

    def test_plain_words_have_no_box(self):
        def filled(attributes):
            page = self.html(f'```{{.dot alt="A"}}\ndigraph {{ a [{attributes}]'
                             " }\n```")
            return "fill:var(--box)" in page
        self.assertTrue(filled("shape=box"))
        self.assertFalse(filled('shape=plain, label="b"'))
        self.assertTrue(filled("shape=plain, style=filled"))

    def test_have_the_colours_of_light_paper_elsewhere(self):
        page = self.html(self.DOT, medium="epub")
        self.assertNotIn("var(", page)
        self.assertIn('stroke="#9a3d0c"', page)

    def test_are_smaller_on_paper(self):
        sizes = [[float(size) for size in re.findall(
            r'(?:width|height)="([\d.]+)pt"', self.html(self.DOT, medium=m))]
            for m in ("site", "pdf")]
        for screen, paper in zip(*sizes, strict=True):
            self.assertAlmostEqual(paper / screen, diagrams.PAPER, 2)

    def test_names_in_two_diagrams_differ(self):
        page = self.html(self.DOT + "\n\n" + self.DOT)
        self.assertIn('id="dm0-1-node1"', page)
        self.assertIn('id="dm0-2-node1"', page)

    def test_what_is_wrong_is_said(self):
        self.assert_wrong([
            ("```{.dot}\ndigraph { a }\n```", "without alt text"),
            ('```{.dot alt=" "}\ndigraph { a }\n```', "without alt text"),
            ('```{.dot alt="x"}\ndigraph { a -> \n```', "dot:"),
            ('```{.dot alt="x"}\ndigraph { a [color=red] }\n```',
             "the colour red is not one of"),
            ('```{.dot alt="x"}\ndigraph { "$(gone)" }\n```',
             "'gone' is not defined")])


class Formulas(BookCase):
    TEX = "$x^2$\n\n$$\\sqrt{x}$$"

    def test_html_on_the_site_mathml_in_the_ebook(self):
        page = self.html(self.TEX)
        self.assertEqual(page.count('class="katex-html"'), 2)
        self.assertIn('<span class="formula" tabindex="0">', page)
        page = self.html(self.TEX, medium="epub")
        self.assertIn("<msqrt>", page)
        self.assertNotIn("katex-html", page)

    def test_no_line_begins_with_the_sign_behind_a_formula(self):
        page = self.html("Of $q$, and $k$ too; $" + "q + " * 20 + "q$.")
        self.assertEqual(page.count('<span class="kept"><span class="katex">'),
                         1)
        self.assertIn("</span>,</span> and", page)

    def test_a_word_as_operator_is_text(self):
        self.assertIn(">mod</mo>", self.html(r"So $p \bmod 2$.",
                                             medium="epub"))

    def test_unknown_words_are_wrong(self):
        self.assert_wrong([("$\\gone{x}$", "gone")])


class TermsAndLinks(BookCase):
    def test_terms_have_cards(self):
        page = self.html("[numbers]{.term} [it]{.term of=number}")
        self.assertEqual(page.count('href="glossary.html#number" data-card='
                                    '"What can be counted."'), 2)

    def test_the_glossary_links_to_the_chapters_that_use_a_term(self):
        self.write("m0.md", "# Title\n\n[numbers]{.term} [number]{.term}\n")
        self.write("m1.md", "# M\n\n[other]{.term of=number}\n")
        book = self.book()
        glossary = next(c for c in book.chapters if c.name == "glossary")
        text = webpage.fragment(book.expanded(glossary, "site")["blocks"],
                                book.store)
        self.assertIn('In <a href="m0.html">Title</a>, <a href="m1.html">M</a>',
                      text)
        self.write("m1.md", "# M\n")
        changed = self.book()
        self.assertNotIn("m1.html", str(changed.expanded(glossary, "site")))

    def test_links_name_pages_or_places(self):
        text = ("## Here\n\n[a](m1.md) [b](m1.md#the-mean) [c](#here) "
                "[d](https://example.org/) [e](glossary.md#number)")
        page = self.html(text)
        for target in ("m1.html", "m1.html#the-mean", "#here",
                       "https://example.org/", "glossary.html#number"):
            self.assertIn(f'href="{target}"', page)
        page = self.html(text, medium="pdf")
        for target in ("#m1", "#m1--the-mean", "#m0--here"):
            self.assertIn(f'href="{target}"', page)
        self.assertIn('id="m0--here"', page)
        self.assertIn('<h1 id="m0">', page)

    def test_dead_links_and_unknown_terms_are_wrong(self):
        self.assert_wrong([
            ("[x](m9.md)", "m9.md is no chapter"),
            ("[x](m1)", "m1 is no chapter"),
            ("[x](m1.md#gone)", "m1.md has nothing named gone"),
            ("[x](#gone)", "m0.md has nothing named gone"),
            ("[x](../README.md)", "is no chapter"),
            ("[gone]{.term}", "the glossary has no 'gone'")])


class Chapters(BookCase):
    def test_no_word_is_special(self):
        for kind in WORDS:
            self.assertFalse(any(is_kind(tree.element(kind, "{.value")) for
                                 is_kind, _ in KINDS), kind)

    def test_headings_in_order(self):
        self.write("m0.md", "## Early\n\n# Title\n\n### Deep\n\n# Again\n")
        book = self.book()
        for chapter in book.chapters:
            chapter.check_headings(book.mistakes)
        lines = sorted(line for _, line, _ in book.mistakes.found)
        self.assertEqual(lines, [1, 3, 5, 7])

    def test_order_and_rungs(self):
        self.write("m0-more.md", "# More\n")
        self.write("families.md", "# Families {rung=m1}\n")
        self.write("00-start.md", "# Start\n")
        self.write("m2.md", "# Not there yet\n")
        self.assertEqual([(chapter.name, chapter.rung)
                          for chapter in self.book().chapters],
                         [("start", None), ("m0", "m0-sum"),
                          ("m0-more", "m0-sum"), ("m1", "m1-mean"),
                          ("m2", None), ("families", "m1-mean"),
                          ("glossary", None)])

    def test_every_element_knows_its_line(self):
        blocks = tree.parse("# T\n\na `b`\n\n- *c*\n\n```x\n```\n")["blocks"]
        lines = {node["t"]: node["line"] for node in tree.each(blocks)
                 if "line" in node}
        self.assertEqual([lines[kind] for kind in
                          ("Header", "Code", "Emph", "CodeBlock")],
                         [1, 3, 5, 7])

    def test_html_strays_and_unknown_rungs_are_wrong(self):
        self.assert_wrong([
            ("x<br>", "HTML in a chapter"),
            ("::: nota\nx\n:::", "no such kind of block: {.nota}"),
            ("[x]{.trem}", "no such kind of block: {.trem}"),
            ("```{.consol run=x}\n```", "no such kind of block"),
            ("::: answer\nx\n:::", "outside of an exercise")])
        self.write("m0.md", "# Title {rung=m9}\n")
        book = self.book()
        self.assertIn(("book/m0.md", 1, "there is no rung m9"),
                      book.mistakes.found)

    def test_comments_and_notes(self):
        page = self.html("<!-- not shown -->\n\n::: note\nWords.\n:::")
        self.assertNotIn("not shown", page)
        self.assertIn('<p class="label">Note</p>', page)

    def test_a_fold_says_who_may_skip_it(self):
        page = self.html('::: {.fold title="More" skip="Skip it & go on."}\n'
                         "Words, and `code`.\n:::")
        self.assertRegex(page, r'(?s)<details class="fold"><summary><b>More'
                         r"</b> <small>Skip it &amp; go on.</small></summary>"
                         r".*<p>Words.*</p>\s*</details>")
        self.assert_wrong([
            ('::: {.fold title="More"}\nx\n:::', "'skip' is missing"),
            ('::: {.fold title="More" skip="who"}\nx\n:::', "a sentence")])

    def test_attributes_of_the_title_are_not_shown(self):
        self.write("m0.md", '# Title {main="./rung 1"}\n')
        book = self.book()
        self.assertEqual(book.chapters[0].main, "./rung 1")
        self.assertNotIn("./rung", str(book.expanded(book.chapters[0],
                                                     "site")["blocks"]))


class Evaluator(unittest.TestCase):
    def test_wrong_passes_through(self):
        def run(*_):
            raise Wrong("as it is")
        with self.assertRaisesRegex(Wrong, "^as it is$"):
            compute.Values(run).value("run('x')")


if __name__ == "__main__":
    unittest.main()
