"""make style measures functions, files, lines and growth, and names who is
past an aim."""

import sys
import unittest
from pathlib import Path

from aims import missed
from measure import PROGRAM, TESTS, Numbers, Size, code_lines, columns
from style import main, measure_ladder

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lineage"))

from ladder import LadderCase  # noqa: E402
from rungs import read_tree  # noqa: E402


def function(name, length):
    """A C function of this many lines, with a comment above it."""
    body = "    x();\n" * (length - 3)
    return f"/* Why. */\nint {name}(void)\n{{\n{body}}}\n\n"


class Counting(unittest.TestCase):
    def test_code_lines_leave_out_comments_and_blanks(self):
        text = ("/* one\n * two */\n\nint a; /* three */\n// four\n"
                "const char *b = \"/* no comment */\";\n")
        self.assertEqual(code_lines(text), [
            "int a;", "const char *b = \"/* no comment */\";"])

    def test_columns_are_those_of_a_terminal(self):
        self.assertEqual(columns("abc"), 3)
        self.assertEqual(columns("\tx"), 9)
        self.assertEqual(columns("日本"), 4)
        self.assertEqual(columns("e\u0301"), 1)

    def test_the_percentile_is_the_length_that_95_of_100_do_not_exceed(self):
        sizes = [Size(n, "a.c", 1, f"f{n}") for n in range(1, 101)]
        numbers = Numbers(functions=sizes)
        self.assertEqual((numbers.median, numbers.percentile95), (50.5, 95))

    def test_an_aim_is_missed_only_past_its_size(self):
        good = Numbers(functions=[Size(12, "a.c", 1, "f")],
                       files=[Size(399, "a.c", 1, "a.c")])
        self.assertEqual(missed(good), [])
        bad = Numbers(functions=[Size(45, "a.c", 1, "f")],
                      files=[Size(400, "a.c", 1, "a.c")],
                      wide=[Size(80, "a.c", 3, "")])
        self.assertEqual(missed(bad), ["median 45", "95th percentile 45",
                                       "a file too long", "a line too wide"])


class Style(LadderCase):
    def measured(self, rung):
        """{PROGRAM: Numbers, TESTS: Numbers} of a rung."""
        return {name: numbers for name, _, numbers
                in measure_ladder(read_tree(self.root))}[rung]

    def test_program_and_tests_are_counted_apart(self):
        self.write("m0-low/a.c", function("f", 5) + function("g", 9))
        self.write("m0-low/test_a.c", function("h", 20))
        numbers = self.measured("m0-low")
        self.assertEqual(numbers[PROGRAM].lengths, [5, 9])
        self.assertEqual(numbers[TESTS].lengths, [20])

    def test_a_functions_length_leaves_out_its_comment(self):
        self.write("m0-low/a.c", "/* 1\n * 2\n * 3 */\nint f(void)\n{\n}\n")
        self.assertEqual(self.measured("m0-low")[PROGRAM].lengths, [3])

    def test_the_share_of_comment(self):
        self.write("m0-low/a.c",
                   "/* 1 */\n\nint a;\nint b; /* 2 */\n\nint c;\n")
        self.assertEqual(self.measured("m0-low")[PROGRAM].comment_share, 0.25)

    def test_growth_counts_new_lines_and_touched_functions(self):
        self.two()
        self.edit("m1-high/shapes.c", "return a * a;", "a++;\n    return a;")
        self.edit("m1-high/shapes.c", "The area of a rec", "Area of a rec")
        self.write("m1-high/more.c", function("f", 5))
        self.write("m1-high/test_more.c", function("g", 4))
        numbers = self.measured("m1-high")
        self.assertEqual((numbers[PROGRAM].added, numbers[PROGRAM].touched),
                         (2 + 5, 2))
        self.assertEqual((numbers[TESTS].added, numbers[TESTS].touched),
                         (4, 0))

    def test_a_lost_function_is_touched(self):
        self.two()
        (self.root / "m1-high/shapes.c").unlink()
        self.assertEqual(self.measured("m1-high")[PROGRAM].touched, 3)

    def test_the_report_names_the_largest(self):
        self.write("m0-low/a.c", function("f", 5) + function("g", 9))
        status, said = self.run_tool(main)
        self.assertEqual(status, 0)
        for text in ("functions: median       7 lines",
                     "functions: longest      9 g (a.c:9)",
                     "files: longest          18 a.c"):
            self.assertIn(text, said)
        self.assertTrue(said.endswith("m0-low program: all met\n"
                                      "m0-low tests: all met\n"), said)

    def test_offenders_are_listed_once_at_the_lowest_rung(self):
        self.write("m0-low/a.c", "int a;" + " " * 74 + "\n"
                   + function("f", 45))
        self.write("m0-low/b.c", "int b;\n" * 400)
        self.climb("m0-low", "m1-high")
        self.edit("m1-high/a.c", "int a;", "\nint a;")
        _, said = self.run_tool(main)
        self.assertIn("m0-low/a.c:1: the line has 80 columns\n", said)
        self.assertEqual(said.count("a.c:3: f has 45 lines"), 1)
        self.assertEqual(said.count("f has 45 lines"), 1)
        self.assertEqual(said.count("the file has 400 lines"), 1)

    def test_a_generated_table_may_be_long(self):
        rows = "".join(f"int b{at};\n" for at in range(400))
        self.write("m0-low/unicode_tables.c", rows)
        self.assertEqual(self.run_tool(main, "--check")[0], 0)
        self.write("m0-low/other_tables.c", rows)
        self.assertEqual(self.run_tool(main, "--check")[0], 1)

    def test_what_cannot_be_measured_is_said(self):
        self.write("m0-low/a.c", "enum { A };\n")
        status, said = self.run_tool(main, "--check")
        self.assertEqual(status, 1)
        self.assertIn("m0-low/a.c:1: an anonymous enum", said)

    def test_check_fails_when_an_aim_is_missed(self):
        self.write("m0-low/a.c", function("f", 12))
        self.assertEqual(self.run_tool(main, "--check")[0], 0)
        self.write("m0-low/a.c", function("f", 13))
        self.assertEqual(self.run_tool(main, "--check")[0], 1)
        self.assertEqual(self.run_tool(main)[0], 0)
