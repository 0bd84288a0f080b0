"""Where the time of a build goes."""

import threading
import unittest
from unittest import mock

from support import timing
from support.store import Store


class Timing(unittest.TestCase):
    def setUp(self):
        for name, value in (("SECONDS", {}), ("HERE", threading.local()),
                            ("PIECES", [])):
            new = mock.patch.object(timing, name, value)
            new.start()
            self.addCleanup(new.stop)
        clock = mock.patch.object(timing.time, "thread_time",
                                  side_effect=lambda: self.now)
        clock.start()
        self.addCleanup(clock.stop)
        self.now = 0

    def test_what_is_inside_of_another_counts_once(self):
        with timing.spent("outer"):
            self.now += 1
            with timing.spent("inner", "m0-sum"):
                self.now += 4
            with timing.spent("inner", "m0-sum"):
                self.now += 3
            self.now += 2
        self.assertEqual(timing.SECONDS, {("outer", ""): 3,
                                          ("inner", "m0-sum"): 7})

    def test_a_program_belongs_to_the_work_around_it(self):
        with timing.spent("outer"):
            with timing.spent("inner", "m0-sum"):
                timing.used(4)
                self.now += 1
            timing.used(2)
        timing.used(5)
        self.assertEqual(timing.SECONDS, {("outer", ""): 2,
                                          ("inner", "m0-sum"): 5})

    def test_what_fails_takes_time_too(self):
        with self.assertRaises(KeyError), timing.spent("outer"):
            self.now += 1
            raise KeyError
        self.assertEqual(timing.SECONDS, {("outer", ""): 1})

    def test_pieces_that_are_dear_are_named(self):
        for seconds in (10, 15):
            with timing.spent("trials"), timing.piece(f"trial {seconds}"):
                timing.used(seconds)
                self.now += 8
        self.assertEqual(timing.PIECES, [(18, "trial 10"), (23, "trial 15")])
        self.assertEqual(timing.dearest(timing.PIECES),
                         "  23.0 s for trial 15\n")
        self.assertEqual(timing.dearest([(n, "a") for n in range(30)], 20, 2),
                         "  29.0 s for a\n  28.0 s for a\n")

    def test_table(self):
        said = timing.table({("short", "m0-sum"): 0.4, ("a", "m1-mean"): 1,
                             ("b", "m0-sum"): 2.25, ("b", ""): 1})
        self.assertEqual([line.split() for line in said.split("\n")], [
            ["seconds", "m0", "m1", "all"], ["b", "2.2", "3.2"],
            ["a", "1.0", "1.0"]])


class Stored(unittest.TestCase):
    def test_a_lock_is_given_back(self):
        store = Store(None)
        with self.assertRaises(KeyError), store.held("key"):
            self.assertTrue(store.lock("key").locked())
            raise KeyError
        self.assertFalse(store.lock("key").locked())


if __name__ == "__main__":
    unittest.main()
