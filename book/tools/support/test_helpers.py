"""Helpers, and programs that answer line by line."""

import os
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from threading import Event, Thread
from unittest import mock

from support import helpers, programs, timing
from support.store import Store


class Helpers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rungs-helped-")
        self.addCleanup(folder.cleanup)
        self.store = Store(Path(folder.name))
        self.numbers = [f"{number:02}key" for number in range(30)]

    def do(self, *first, processors=2, **more):
        """Let helpers note, of each number, who did it."""
        helpers.do([*first, *(
            lambda key=key: self.store.get(key, os.getpid)
            for key in self.numbers)], processors=processors, **more)
        return [self.store.peek(key) for key in self.numbers]

    def test_helpers_leave_what_they_find(self):
        done = self.do(lambda: time.sleep(0.2))
        self.assertNotIn(None, done)
        self.assertNotIn(os.getpid(), done)

    def test_both_work(self):
        def wait():
            while self.store.peek("other") is None:
                time.sleep(0.01)
            self.store.put("mine", 1)
        self.do(wait, lambda: self.store.put("other", 1))
        self.assertEqual(self.store.peek("mine"), 1)

    def test_what_fails_is_left(self):
        def fail():
            raise ValueError
        self.assertNotIn(None, self.do(fail, fail, fail))

    def test_one_processor_has_no_helpers(self):
        self.assertEqual(set(self.do(processors=1)), {None})

    def test_a_process_with_threads_has_none(self):
        done = Event()
        thread = Thread(target=done.wait)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(done.set)
        self.assertEqual(set(self.do()), {None})

    def test_each_prepares(self):
        seen = []
        self.do(lambda: self.store.put("seen", seen),
                prepare=lambda: seen.append(1))
        self.assertEqual(self.store.peek("seen"), [1])
        self.assertEqual(seen, [])

    def test_their_time_counts(self):
        def work():
            with timing.spent("test of helpers"):
                sum(range(2_000_000))
        with mock.patch.dict(timing.SECONDS, {("before", ""): 1}):
            self.do(work)
            self.assertGreater(timing.SECONDS["test of helpers", ""], 0.001)
            self.assertEqual(timing.SECONDS["before", ""], 1)


class Programs(unittest.TestCase):
    def test_what_it_prints_and_says(self):
        self.assertEqual(programs.run(["sh", "-c", "cat; echo no >&2; exit 3"],
                                      "é\n"), (3, "é\n", "no\n"))

    def test_one_that_fails(self):
        with self.assertRaises(subprocess.CalledProcessError) as caught:
            programs.checked(["sh", "-c", "echo why >&2; exit 1"], "")
        self.assertEqual(caught.exception.stderr, "why\n")

    def test_one_process_answers_each_line(self):
        script = "while read line; do echo $line $$ $NAME; done"
        said = [programs.ask("test", ["sh", "-c", script], line, NAME="x")
                for line in ("a", "b")]
        programs.end("test")
        self.assertRegex(" ".join(said), r"^a (\d+) x\n b \1 x\n$")
        self.assertNotIn("test", programs.WORKING)

    def test_one_that_ends_too_early(self):
        with self.assertRaises(subprocess.CalledProcessError) as caught:
            programs.ask("test", ["sh", "-c", "exit 4"], "a")
        self.assertEqual(caught.exception.returncode, 4)
        self.assertNotIn("test", programs.WORKING)


if __name__ == "__main__":
    unittest.main()
