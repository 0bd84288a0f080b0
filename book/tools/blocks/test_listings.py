"""Listings and differences show what the sources say, or fail."""

import re
import unittest

from blocks import listings
from testing.case import BookCase
from text import highlight


class Listings(BookCase):
    def test_function_with_its_comment_and_the_files_line_numbers(self):
        page = self.html("```{src=sum.c fn=sum}\n```")
        self.assertIn("The sum of all numbers.", page)
        self.assertIn("counter-reset:line 3", page)
        self.assertIn("m0-sum/sum.c, lines 4–13", page)
        self.assertIn('href="source/m0-sum/sum.c.html#L4"', page)

    def test_a_file_in_a_room_is_found_by_its_name(self):
        page = self.html("```{src=dots.h proto=dots}\n```", name="m1")
        self.assertIn("m1-mean/dots/dots.h, line 5", page)
        page = self.html("```{src=m1-mean/dots/dots.h proto=dots}\n```")
        self.assertIn("m1-mean/dots/dots.h, line 5", page)
        page = self.html("```{diff=m0..m1 file=dots.h}\n```", name="m1")
        self.assertIn("dots/dots.h, m0-sum → m1-mean", page)

    def test_a_rule_across_the_file_is_not_the_functions(self):
        page = self.html("```{src=main.c fn=main}\n```")
        self.assertIn("lines 24–39", page)
        self.assertNotIn("the command", page)

    def test_lines_hold_no_empty_links(self):
        page = self.html("```{src=sum.c fn=sum}\n```")
        self.assertNotIn("<a href=\"#cb", page)
        self.assertNotIn("></a>", page)
        self.assertEqual(page.count('<span class="line">'), 10)

    def test_functions_that_follow_each_other_are_one_listing(self):
        page = self.html('```{src=main.c fn="complain name_of"}\n```')
        self.assertEqual(page.count("<figure"), 1)
        page = self.html('```{src=main.c fn="complain main"}\n```')
        self.assertEqual(page.count("<figure"), 2)

    def test_type_variable_macro_prototype_part_and_file(self):
        cases = (("src=sum.h type=numbers", "sum.h, lines 8–12", "struct"),
                 ("src=main.c var=names", "main.c, lines 7–8", "zero"),
                 ("src=sum.h macro=MOST", "sum.h, lines 5–6", "16"),
                 ("src=sum.h proto=sum", "sum.h, line 14", "numbers"),
                 ("src=sum.c part=loop", "sum.c, lines 9–10", "total"),
                 ("src=m0-sum/Makefile", "Makefile, lines 1–18", "OBJECTS"),
                 ("src=m1-mean/LINEAGE", "LINEAGE, lines 1–9", "divided"))
        page = self.html("\n\n".join(f"```{{{attributes}}}\n```"
                                     for attributes, *_ in cases))
        for shown, (_, *words) in zip(page.split("<figure")[1:], cases):
            for word in words:
                self.assertIn(word, shown)

    def test_part_leaves_out_its_marks(self):
        page = self.html("```{src=sum.c part=loop}\n```")
        self.assertNotIn("part", page)
        self.assertIn("lines 9–10", page)

    def test_caption(self):
        page = self.html('```{src=sum.c fn=sum caption="The <loop>"}\n```')
        self.assertIn("The &lt;loop&gt; (", page)

    def test_what_is_missing_is_named(self):
        self.assert_wrong([(f"```{{{attributes}}}\n```", words)
                           for attributes, words in (
            ("src=sum.c fn=gone", "m0-sum/sum.c has no gone"),
            ("src=sum.h type=numbers fn=sum", "type= and fn="),
            ("src=sum.c fn=sum part=loop", "part= and fn="),
            ("diff=m0..m1 file=sum.c fn=sum type=numbers", "type= and fn="),
            ("src=sum.h type=gone", "m0-sum/sum.h has no type gone"),
            ("src=main.c var=gone", "has no var:gone"),
            ("src=sum.h macro=GONE", "has no macro:GONE"),
            ("src=sum.h proto=gone", "has no proto:gone"),
            ("src=sum.c part=gone", "has no part gone"),
            ("src=gone.c", "there is no file m0-sum/gone.c"),
            ("src=../../etc/passwd", "there is no file"),
            ("src=Makefile fn=all", "is no C file"))])

    def test_without_a_rung_a_file_needs_its_folder(self):
        self.assert_wrong([("```{src=sum.c}\n```", "names no folder")],
                          name="glossary")


class Long(BookCase):
    def test_paper_cuts_between_functions_only(self):
        code = highlight.inside([("c", "int a;\nint c;\nint d;\n\n/* f */\n\n"
                                  "int f(void)\n{\n\n    g();\n\n}\n\n"
                                  "/* b */\nint b;")],
                                self.book().store)[0]
        cut = highlight.in_pieces(code, 7)
        starts = re.findall(r"counter-reset:line (\d+)", cut)
        self.assertEqual(starts, ["6", "10", "19"])
        self.assertEqual(re.findall('<span class="line between"></span>(.*)',
                                    cut), ["</code></pre>"] * 2)

    def test_pieces_together_are_the_listing(self):
        text = "```{src=main.c}\n```"
        site, paper = (self.html(text, medium=medium).count('class="line')
                       for medium in ("site", "pdf"))
        self.assertEqual(site, paper)

    def test_long_listings_are_marked(self):
        self.assertIn("code numbered long", self.html("```{src=main.c}\n```"))
        self.assertNotIn("long", self.html("```{src=sum.c}\n```"))


class Differences(BookCase):
    def test_region_is_shown_whole(self):
        page = self.html("```{diff=m0..m1 file=main.c fn=main}\n```")
        self.assertIn('<ins><span class="sign">+</span>        return '
                      "dots(argv[2]);</ins>", page)
        self.assertIn("for (int i = 1", page)
        self.assertIn("main.c, m0-sum → m1-mean", page)

    def test_a_blank_line_stands_between_functions(self):
        page = self.html('```{diff=m0..m1 file=main.c fn="main main"}\n```')
        self.assertIn('}</span>\n<span><span class="sign"> </span></span>\n'
                      '<span><span class="sign"> </span>int main(', page)

    def test_rows(self):
        old = [str(number) for number in range(20)]
        new = ["x", *old[1:]]
        whole = listings.diff_rows("\n".join(old), "\n".join(new), True)
        self.assertEqual(whole[:3], [("-", "0"), ("+", "x"), (" ", "1")])
        self.assertEqual(len(whole), 21)
        part = listings.diff_rows("\n".join(old), "\n".join(new), False)
        self.assertEqual(part[4:], [(" ", "3"), ("…", "")])
        self.assertEqual(listings.diff_rows("", "a\n\nb", True),
                         [("+", "a"), ("+", ""), ("+", "b")])

    def test_file_is_shown_around_its_changes(self):
        page = self.html("```{diff=m0..m1 file=main.c}\n```")
        self.assertIn('class="sign">…', page)
        self.assertIn("mean.h", page)
        self.assertNotIn("no numbers", page)

    def test_new_file(self):
        page = self.html("```{diff=m0..m1 file=mean.h}\n```")
        self.assertIn("+</span>double mean(", page)

    def test_what_cannot_be_shown_is_named(self):
        self.assert_wrong([(f"```{{{attributes}}}\n```", words)
                           for attributes, words in (
            ("diff=m0..m1 file=main.c fn=complain", "does not differ"),
            ("diff=m0..m1 file=main.c fn=gone", "has no gone in"),
            ("diff=m0..m1 file=gone.c", "does not differ"),
            ("diff=m0..m9 file=main.c", "there is no rung m9"),
            ("diff=m0..m1", "without file="))])


if __name__ == "__main__":
    unittest.main()
