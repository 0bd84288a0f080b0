"""Trials that have a processor each."""

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
        places = [cores.place(shared=True) for _ in range(cores.AT_ONCE)]
        for place in places:
            place.__enter__()
        with cores.one():
            self.assertEqual(seen(), 1)
        self.assertEqual(seen(), len(cores.ALL))
        for place in places:
            place.__exit__(None, None, None)

    def test_a_thread_gives_way_and_others_do_not(self):
        nice = [sys.executable, "-c", "import os; print(os.nice(0))"]

        def niceness():
            return int(subprocess.run(nice, check=True,
                                      capture_output=True).stdout)

        def work():
            cores.give_way()
            found.append(niceness())
        before, found = niceness(), []
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertEqual(found, [min(before + cores.POLITE, 19)])
        self.assertEqual(niceness(), before)

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
