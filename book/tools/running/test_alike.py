"""Answers that are the same in other words."""

import unittest

from running.alike import alike


class Alike(unittest.TestCase):
    """What may differ between machines, and what may not."""

    def test_the_last_digits_of_floats(self):
        self.assertTrue(alike([0.6047311852694751], [0.604731185269475]))
        self.assertTrue(alike(0.0, 1e-17))
        self.assertFalse(alike([0.60473118], [0.60473119]))
        self.assertFalse(alike([1], [2]))
        self.assertFalse(alike([1], [1.0]))

    def test_floats_in_a_text(self):
        self.assertTrue(alike("at 0.30000000000000004, 1", "at 0.3, 1"))
        self.assertFalse(alike("at 0.31, 1", "at 0.3, 1"))
        self.assertFalse(alike("at 0.3, 1", "at 0.3, 2"))
        self.assertFalse(alike("at 0.3", "at 0.3, 0.4"))

    def test_marks_of_cmocka(self):
        self.assertTrue(alike({"words": "ERROR: no\ntest_a.c:5: error"},
                              {"words": "ERROR: no\n"
                                        "[   LINE   ] --- test_a.c:5: error"}))
        self.assertFalse(alike({"words": "ERROR: no"}, {"words": "ERROR: so"}))

    def test_the_order_in_which_tests_failed(self):
        self.assertTrue(alike({"failed": ["a", "b"]}, {"failed": ["b", "a"]}))
        self.assertFalse(alike({"failed": ["a"]}, {"failed": ["a", "a"]}))
        self.assertFalse(alike({"values": ["a", "b"]},
                               {"values": ["b", "a"]}))

    def test_other_kinds(self):
        self.assertFalse(alike({"a": 1}, {"b": 1}))
        self.assertFalse(alike(None, 0))
        self.assertFalse(alike([1], [1, 2]))


if __name__ == "__main__":
    unittest.main()
