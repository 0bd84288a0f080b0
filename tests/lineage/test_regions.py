"""Every line of a C file belongs to exactly one region."""

import unittest
from unittest import mock

from ladder import SHAPES_C, SHAPES_H
from problem import Refusal
from regions import cut_all


def cut(text):
    """The regions of one text, as {name: text} in the file's order."""
    regions = cut_all([text])[0]
    if isinstance(regions, Refusal):
        raise regions
    return {region.name: region.text for region in regions}


class Regions(unittest.TestCase):
    def test_names_say_what_a_region_is(self):
        text = ("#include <stdio.h>\n#define ONE 1\nstruct a {\n int x;\n};\n"
                "union b {\n int x;\n};\nenum c { C };\ntypedef int d;\n"
                "extern const int e;\nstatic int f(void);\n"
                "static const int g[] = {1};\nint h(void)\n{\n}\n")
        self.assertEqual(list(cut(text)), [
            "top", "macro:ONE", "struct:a", "union:b", "enum:c", "typedef:d",
            "var:e", "proto:f", "var:g", "h"])

    def test_regions_laid_end_to_end_are_the_file(self):
        for text in (SHAPES_C, SHAPES_H):
            self.assertEqual("".join(cut(text).values()), text)

    def test_blank_lines_comments_and_attributes_lead_the_next(self):
        text = ("#include <a.h>\nint f(void)\n{\n}\n\n/* Part two. */\n\n"
                "/* Why. */\n__attribute__((cold,\n               noinline))\n"
                "static const char *\ng(int a,\n  int b)\n{\n}\n")
        regions = cut(text)
        self.assertEqual(regions["f"], "int f(void)\n{\n}\n")
        self.assertTrue(regions["g"].startswith("\n/* Part two. */"))

    def test_a_comment_behind_a_declaration_belongs_to_it(self):
        text = "int a; /* one\n        * two */\nint b;\n"
        self.assertEqual(cut(text)["var:a"] + "int b;\n", text)

    def test_top_is_the_guard_and_the_includes(self):
        text = ("/* File. */\n#ifndef A_H\n#define A_H\n\n#define UNITS 8\n"
                "#include <a.h>\n#ifdef B\n#include <b.h>\n#endif\n\n"
                "/* f */\nint f(void);\n\n#endif\n")
        regions = cut(text)
        self.assertEqual(list(regions), ["top", "proto:f", "end"])
        self.assertTrue(regions["top"].endswith("<b.h>\n#endif\n"))

    def test_top_without_includes_is_the_first_comment(self):
        text = "/* File. */\n\n/* f */\nint f(void);\n"
        self.assertEqual(cut(text)["top"], "/* File. */\n")
        self.assertEqual(list(cut("/* f */\nint f(void);\n")), ["proto:f"])

    def test_the_end_of_the_guard_is_no_ones_neighbour(self):
        self.assertEqual(cut(SHAPES_H)["end"], "\n#endif\n")
        self.assertNotIn("end", cut(SHAPES_C))

    def test_two_names_in_one_declaration_make_one_region(self):
        text = ("typedef struct p {\n int x;\n} p;\nint a, b;\n"
                "int c; int d[] = {\n 1,\n};\nint e;\n")
        regions = cut(text)
        self.assertEqual(list(regions),
                         ["struct:p", "var:a", "var:c", "var:e"])
        self.assertEqual(regions["var:e"], "int e;\n")

    def test_a_declaration_without_a_name_leads_the_next(self):
        text = ("#include <a.h>\nstruct s;\n_Static_assert(1, \"x\");\n"
                "int f(void);\n")
        self.assertEqual(list(cut(text)), ["top", "proto:f"])

    def test_brackets_in_strings_and_comments_are_text(self):
        text = ("const char *a = \"\\\"{;\"; /* } */\nchar b = '{';\n"
                "const char *c = \"/*\"; // {\n#define D \"/* {\"\nint e;\n")
        self.assertEqual(list(cut(text)), [
            "var:a", "var:b", "var:c", "macro:D", "var:e"])

    def test_only_functions_are_functions(self):
        text = ("struct a {\n int x;\n};\nint t[] = {1};\nint f(void)\n{\n}\n"
                "int g(void);\n#define H(x) x\n")
        self.assertEqual([region.name for region in cut_all([text])[0]
                          if region.is_function], ["f"])

    def test_a_function_that_returns_a_struct_or_pointer_is_a_function(self):
        text = ("struct a f(struct b *c)\n{\n}\nint (*g(void))(int)\n{\n}\n"
                "static int (*const table[])(int) = {h};\n")
        self.assertEqual(list(cut(text)), ["f", "g", "var:table"])

    def test_an_include_inside_a_table_belongs_to_the_table(self):
        text = ("static const int t[] = {\n#include \"t.inc\"\n};\n"
                "int f(void);\n")
        self.assertEqual(list(cut(text)), ["var:t", "proto:f"])

    def test_functions_of_one_branch_each_have_their_own_region(self):
        text = ("#if X\nint f(void)\n{\n}\n#else\nint g(void)\n{\n}\n"
                "#endif\nint h(void)\n{\n}\n")
        self.assertEqual(list(cut(text)), ["f", "g", "h"])

    def test_the_start_of_a_function_is_below_its_comment(self):
        square = cut_all([SHAPES_C])[0][4]
        self.assertEqual(square.name, "square")
        self.assertEqual(SHAPES_C.split("\n")[square.start - 1],
                         "int square(int a)")

    def test_a_text_is_cut_once(self):
        first, = cut_all(["int twice_cut;\n"])
        with mock.patch("regions.tag_texts", return_value=[]) as tags:
            self.assertIs(cut_all(["int twice_cut;\n"])[0], first)
        tags.assert_called_once_with([])

    def test_a_file_may_be_empty_or_lack_its_last_newline(self):
        self.assertEqual(cut(""), {})
        self.assertEqual(cut("int a;\nint b;"),
                         {"var:a": "int a;\n", "var:b": "int b;"})
