"""Trials that have a processor each."""

import contextlib
import os
import subprocess
import sys
import threading
import unittest

from running import cores

COUNT = "import os; print(len(os.sched_getaffinity(0)))"


def seen():
    """How many processors a program finds that is started here."""
    return int(subprocess.run([sys.executable, "-c", COUNT], check=True,
                              capture_output=True).stdout)


@unittest.skipUnless(cores.ALL, "this system does not place processes")
class Places(unittest.TestCase):
    def test_a_program_finds_one_processor_until_its_trial_ends(self):
        with cores.place():
            self.assertEqual(seen(), 1)
        with cores.place(shared=True):
            self.assertEqual(seen(), len(cores.ALL))
        with self.assertRaises(ValueError), cores.place():
            raise ValueError
        self.assertEqual(os.sched_getaffinity(0), set(cores.ALL))
        self.assertEqual(len(cores.free), cores.AT_ONCE)

    def test_a_program_that_waits_for_no_place(self):
        def look():
            with cores.one():
                found.append(seen())
            found.append(seen())
        found = []
        thread = threading.Thread(target=look, daemon=True)
        with contextlib.ExitStack() as places:
            for _ in range(cores.AT_ONCE):
                places.enter_context(cores.place(shared=True))
            thread.start()
            thread.join(60)
        self.assertEqual(found, [1, len(cores.ALL)])

    def test_within_a_place_it_leaves_that(self):
        with cores.place():
            mine = os.sched_getaffinity(0)
            with cores.one():
                self.assertEqual(os.sched_getaffinity(0), {cores.ALL[-1]})
            self.assertEqual(os.sched_getaffinity(0), mine)

    def test_two_at_a_time_have_two(self):
        together = threading.Barrier(cores.AT_ONCE, timeout=60)
        found = []

        def try_one():
            with cores.place():
                together.wait()
                found.append(os.sched_getaffinity(0))
                together.wait()
        threads = [threading.Thread(target=try_one)
                   for _ in range(2 * cores.AT_ONCE)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 2 * cores.AT_ONCE)
        for at in range(0, len(found), cores.AT_ONCE):
            self.assertEqual(
                len(set().union(*found[at:at + cores.AT_ONCE])),
                min(cores.AT_ONCE, len(cores.ALL)))


if __name__ == "__main__":
    unittest.main()
