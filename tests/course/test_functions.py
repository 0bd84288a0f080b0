"""Which functions a course teaches, by LINEAGE and given.txt."""

import pathlib
import tempfile
import unittest

from functions import (Row, new_functions, read_given, split, stale_rows,
                       taught_functions)
from tree import File, Stop, find_rung, read_ladder

C = b"int %s(void)\n{\n    return 0;\n}\n"


def files(**texts):
    return {name.replace("__", "."): File(text)
            for name, text in texts.items()}


def names(functions):
    return [f.name for f in functions]


LINEAGE = b"""from m0-first
idea     another
new      late.c late.h test_late.c golden/late.bin
step     more
changed  old.c  altered var:table  # why
new      early.c
removed  gone.c  # why
"""
UPPER = files(LINEAGE=LINEAGE, late__c=C % b"late", early__c=C % b"early",
              late__h=C % b"inline_one", test_late__c=C % b"a_test",
              old__c=C % b"kept" + C % b"altered")


class New(unittest.TestCase):
    def test_lineage_names_them_and_their_order(self):
        self.assertEqual(names(new_functions(UPPER)),
                         ["late", "altered", "early"])

    def test_in_the_lowest_rung_all_are_new(self):
        lowest = files(b__c=C % b"b", a__c=C % b"a" + C % b"c",
                       test_a__c=C % b"t", bench_a__c=C % b"m")
        self.assertEqual(names(new_functions(lowest)), ["a", "c", "b"])


class Given(unittest.TestCase):
    def test_a_file_or_some_of_its_functions(self):
        rows = [Row("l*.c", (), "why", 1), Row("old.c", ("altered",), "y", 2)]
        taught, given = split(new_functions(UPPER), rows)
        self.assertEqual(names(taught), ["early"])
        self.assertEqual([(f.name, row.line) for f, row in given],
                         [("late", 1), ("altered", 2)])

    def test_rows_that_keep_nothing_are_found(self):
        rows = [Row("l*.c", (), "why", 1), Row("lost.c", (), "why", 2),
                Row("old.c", ("altered", "lost"), "why", 3)]
        self.assertEqual(stale_rows({"m1": UPPER}, rows),
                         ["given.txt:2: lost.c keeps nothing",
                          "given.txt:3: old.c has no lost"])

    def test_each_row_needs_a_reason(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "given.txt")
            path.write_text("# all\na.c  # why\nb.c f\n")
            with self.assertRaisesRegex(Stop, "given.txt:3: .*reason"):
                read_given(path)
            path.write_text("# all\na.c  # why\nb.c f g # and why\n")
            self.assertEqual(
                read_given(path), [Row("a.c", (), "why", 2),
                                   Row("b.c", ("f", "g"), "and why", 3)])


class Only(unittest.TestCase):
    def test_files_and_functions(self):
        self.assertEqual(names(taught_functions(UPPER, ["late.c", "early"])),
                         ["late", "early"])

    def test_what_is_not_there_is_named(self):
        with self.assertRaisesRegex(Stop, "ONLY: lat.c is neither"):
            taught_functions(UPPER, ["lat.c"])


class TheLadder(unittest.TestCase):
    """Of the rungs as they are."""

    @classmethod
    def setUpClass(cls):
        cls.ladder = read_ladder()

    def test_no_row_of_given_txt_is_stale(self):
        self.assertEqual(stale_rows(self.ladder, read_given()), [])

    def test_every_rung_teaches_something(self):
        for rung, its in self.ladder.items():
            self.assertTrue(taught_functions(its), rung)

    def test_what_a_rung_is_about_is_taught(self):
        found = {rung: names(taught_functions(its))
                 for rung, its in self.ladder.items()}
        for rung, name in (("m0", "bpe_merge"), ("m1", "safetensors_read"),
                           ("m2", "attend"), ("m7", "schedule_plan"),
                           ("m7", "guard_key")):
            self.assertIn(name, found[find_rung(self.ladder, rung)])

    def test_an_unknown_rung_is_named(self):
        with self.assertRaisesRegex(Stop, 'there is no rung "m9"'):
            find_rung(self.ladder, "m9")


if __name__ == "__main__":
    unittest.main()
