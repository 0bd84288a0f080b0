"""How two changes to the same region, or list, meet."""

import unittest

from merge import RegionMerge, merge_text
from regions import cut_all

LABELS = ("upper", "old", "new")
TOP = "#include \"a.h\"\n#include \"c.h\"\n\n#include <m.h>\n"
TABLE = "int t[] = {\n    1,\n    2,\n};\n"
BODY = "int f(int a)\n{\n    a += 1;\n    a += 2;\n    return a;\n}\n"


def merge(old, new, upper):
    """Carry old → new into upper: (text, [(region, deed)])."""
    base, new, upper = cut_all([old, new, upper])
    work = RegionMerge([base], new, upper, LABELS)
    return work.run(), [(deed.name, deed.what) for deed in work.deeds]


def functions(*names):
    """A text with these functions."""
    return "\n".join(f"int {name}(void)\n{{\n}}\n" for name in names)


class Lists(unittest.TestCase):
    def joined(self, name, old, new, upper, result):
        """The three meet in `result`, without a conflict."""
        self.assertEqual(merge_text(name, old, new, upper, LABELS),
                         (result, False))

    def test_rows_next_to_each_other_may_both_change(self):
        self.joined("var:t", TABLE, TABLE.replace("2,", "22,"),
                    TABLE.replace("1,", "11,"),
                    TABLE.replace("2,", "22,").replace("1,", "11,"))

    def test_a_row_may_change_above_rows_that_were_added(self):
        self.joined("var:t", TABLE, TABLE.replace("2,", "22,"),
                    TABLE.replace("2,", "2,\n    3,\n    4,"),
                    TABLE.replace("2,", "22,\n    3,\n    4,"))

    def test_both_may_add_an_include_at_one_place(self):
        self.joined("top", TOP,
                    TOP.replace("a.h\"", "a.h\"\n#include \"b.h\""),
                    TOP.replace("a.h\"", "a.h\"\n#include \"bb.h\""),
                    TOP.replace("a.h\"", "a.h\"\n#include \"b.h\"\n"
                                "#include \"bb.h\""))

    def test_one_may_remove_an_include_and_one_add_to_it(self):
        self.joined("top", TOP, TOP.replace("#include \"c.h\"\n", ""),
                    TOP.replace("c.h\"", "c.h\"\n#include \"d.h\""),
                    TOP.replace("c.h", "d.h"))

    def test_rows_added_at_one_place_have_no_order(self):
        _, conflict = merge_text("var:t", TABLE, TABLE.replace("2,", "2,\n3,"),
                                 TABLE.replace("2,", "2,\n4,"), LABELS)
        self.assertTrue(conflict)

    def test_neighbouring_lines_of_a_function_are_a_conflict(self):
        text, conflict = merge_text("f", BODY, BODY.replace("+= 1", "+= 3"),
                                    BODY.replace("+= 2", "+= 4"), LABELS)
        self.assertTrue(conflict)
        for mark in ("<<<<<<< upper\n", "||||||| old\n", ">>>>>>> new\n"):
            self.assertIn(mark, text)

    def test_distant_lines_of_a_function_both_change(self):
        self.joined("f", BODY, BODY.replace("int a)", "int a, int b)"),
                    BODY.replace("return a", "return -a"),
                    BODY.replace("int a)", "int a, int b)")
                    .replace("return a", "return -a"))


class Regions(unittest.TestCase):
    def test_a_new_region_follows_its_predecessor(self):
        text, deeds = merge(functions("a", "b"), functions("a", "x", "b"),
                            functions("a", "own", "b"))
        self.assertEqual(text, functions("a", "x", "own", "b"))
        self.assertEqual(deeds, [("x", "added")])

    def test_a_new_region_at_the_end_follows_the_last(self):
        text, _ = merge(functions("a"), functions("a", "x"),
                        functions("a", "own"))
        self.assertEqual(text, functions("a", "x", "own"))

    def test_a_removed_region_goes_where_it_was_left_alone(self):
        text, deeds = merge(functions("a", "b", "c"), functions("a", "c"),
                            functions("a", "b", "own", "c"))
        self.assertEqual(text, functions("a", "own", "c"))
        self.assertEqual(deeds, [("b", "removed")])

    def test_a_removed_region_that_was_changed_is_a_conflict(self):
        mine = functions("a", "b").replace("b(void)", "b(int x)")
        text, deeds = merge(functions("a", "b"), functions("a"), mine)
        self.assertEqual(deeds, [("b", "CONFLICT")])
        self.assertIn("<<<<<<< upper\n", text)

    def test_a_region_that_both_added_is_a_conflict_unless_equal(self):
        both = functions("a", "x")
        self.assertEqual(merge(functions("a"), both, both), (both, []))
        _, deeds = merge(functions("a"), both, both.replace(
            "x(void)", "x(int y)"))
        self.assertEqual(deeds, [("x", "CONFLICT")])

    def test_a_region_that_the_upper_lacks_is_left_out(self):
        text, deeds = merge(functions("a", "b"), functions("a", "b").replace(
            "b(void)", "b(int x)"), functions("a"))
        self.assertEqual(text, functions("a"))
        self.assertEqual(deeds[0][0], "b")
        self.assertIn("left out", deeds[0][1])

    def test_regions_that_moved_below_move_above(self):
        text, deeds = merge("int a;\nint b;\nint c;\n",
                            "int b;\nint c;\nint a;\n",
                            "int a;\nint b;\nint own;\nint c;\n")
        self.assertEqual(text, "int b;\nint own;\nint c;\nint a;\n")
        self.assertEqual(deeds, [("var:a", "moved")])

    def test_a_file_without_its_last_newline_gets_it_when_it_grows(self):
        text, _ = merge("int a;\n", "int a;\nint b;\n", "int a;")
        self.assertEqual(text, "int a;\nint b;\n")

    def test_the_end_of_a_file_stays_its_end(self):
        text, _ = merge(functions("a"), functions("a") + "\n/* done */\n",
                        functions("a", "own"))
        self.assertEqual(text, functions("a", "own") + "\n/* done */\n")

    def test_what_both_removed_needs_nothing(self):
        self.assertEqual(merge(functions("a", "b"), functions("a"),
                               functions("a")), (functions("a"), []))


