"""The labs are parts of the rungs as they are."""

import pathlib
import tempfile
import unittest

from labs import find_lab, read_labs, sizes, table
from tree import Stop, read_ladder


class Labs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ladder, cls.labs = read_ladder(), read_labs()
        cls.sizes = sizes(cls.labs, cls.ladder)

    def test_every_lab_names_what_a_course_teaches(self):
        self.assertEqual(self.sizes.keys(), self.labs.keys())
        for name, (functions, lines) in self.sizes.items():
            self.assertGreater(functions, 0, name)
            self.assertGreater(lines, functions, name)

    def test_a_lab_is_a_week_at_most(self):
        for name, (_, lines) in self.sizes.items():
            hours = self.labs[name].hours
            self.assertLessEqual(hours, 9, name)
            self.assertLessEqual(lines, 45 * hours, name)

    def test_no_file_is_in_two_labs(self):
        seen = set()
        for lab in read_labs().values():
            for name in lab.only:
                self.assertNotIn((lab.rung, name), seen)
                seen.add((lab.rung, name))

    def test_the_table_has_a_row_for_each(self):
        rows = table(self.labs, self.ladder).split("\n")
        self.assertEqual(len(rows), 2 + len(self.labs))
        self.assertRegex(rows[2], r"^\| queue \| m0 \| .* \| 14 \| \d+ \| "
                                  r"4 \|$")

    def test_a_line_that_cannot_be_read_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "labs.txt")
            path.write_text("# labs\n\nqueue m0 hash.c  # no hours\n")
            with self.assertRaisesRegex(Stop, "labs.txt:3: expected NAME"):
                read_labs(path)

    def test_an_unknown_lab_is_named(self):
        with self.assertRaisesRegex(Stop, "there is no lab x; there are que"):
            find_lab("x")


if __name__ == "__main__":
    unittest.main()
