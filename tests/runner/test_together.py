"""Suites that run at the same time."""

import io
import sys
import threading
import time
import unittest
from functools import partial

import formats
import together
import watch


class Together(unittest.TestCase):
    def setUp(self):
        self.out = io.StringIO()

    def run_jobs(self, functions, at_once, order=None):
        """The Records of jobs of these functions; `order` are the indexes in
        which they are started."""
        jobs = [together.Job(function) for function in functions]
        return together.run(jobs, at_once, self.out,
                            order and [jobs[at] for at in order])

    def test_what_is_written_stays_apart_and_in_order(self):
        second_is_done = threading.Event()

        def first(out):
            out.write("a\n")
            second_is_done.wait(10)
            out.write("b\n")
            return [1]

        def second(out):
            out.write("c\n")
            second_is_done.set()
            return [2, 3]
        self.assertEqual(self.run_jobs([first, second], 2), [1, 2, 3])
        self.assertEqual(self.out.getvalue(), "a\nb\nc\n")

    def test_another_order_of_starting_changes_no_output(self):
        started = []

        def job(name, out):
            started.append(name)
            out.write(name)
            return [name]
        jobs = [partial(job, name) for name in "abc"]
        self.assertEqual(self.run_jobs(jobs, 1, [2, 0, 1]),
                         ["a", "b", "c"])
        self.assertEqual(self.out.getvalue(), "abc")
        self.assertEqual(started, ["c", "a", "b"])

    def test_the_first_is_shown_while_it_runs(self):
        def job(out):
            out.write("a\n")
            begun.set()
            ended.wait(10)
            return []
        begun, ended = threading.Event(), threading.Event()
        thread = threading.Thread(target=self.run_jobs, args=([job], 1))
        thread.start()
        begun.wait(10)
        late = time.monotonic() + 10
        while not self.out.getvalue() and time.monotonic() < late:
            time.sleep(0.01)
        self.assertEqual(self.out.getvalue(), "a\n")
        ended.set()
        thread.join()

    def test_no_more_than_so_many_at_once(self):
        running, most = [], []

        def job(_):
            running.append(1)
            most.append(len(running))
            gone.wait(0.05)
            running.pop()
            return []
        gone = threading.Event()
        self.run_jobs([job] * 6, 2)
        self.assertEqual(max(most), 2)

    def test_a_job_begins_when_those_that_it_comes_after_have_ended(self):
        """Meanwhile the next one is run: the first ends only after that."""
        last_has_run = threading.Event()

        def first(_):
            self.assertTrue(last_has_run.wait(10))
            return [1]

        def both(_, ones, twos):
            return [3, ones, twos]

        def last(_):
            last_has_run.set()
            return [4]
        one, two = together.Job(first), together.Job(lambda _: [2])
        jobs = [together.Job(both, [one, two]), one, two, together.Job(last)]
        self.assertEqual(together.run(jobs, 2, self.out),
                         [3, [1], [2], 1, 2, 4])

    def test_a_job_whose_earlier_one_is_broken_is_not_begun(self):
        begun = []
        broken = together.Job(lambda _: 1 // 0)
        after = together.Job(lambda _, earlier: begun.append(earlier), [broken])
        with self.assertRaises(ZeroDivisionError):
            together.run([after, broken], 2, self.out)
        self.assertEqual(begun, [])

    def test_what_ends_one_ends_all_programs(self):
        asleep = [sys.executable, "-c",
                  "print('on', flush=True); import time; time.sleep(60)"]
        on = threading.Event()

        def fails(_):
            on.wait(10)
            raise KeyboardInterrupt

        def sleeps(_):
            with watch.Watched(asleep) as program:
                for _ in program.lines():
                    on.set()
                statuses.append(program.wait())
            record = watch.watch("next", ["true"], formats.Cmocka())
            statuses.append(record.failed[0])
            return []
        statuses = []
        with self.assertRaises(KeyboardInterrupt):
            self.run_jobs([fails, sleeps], 2)
        self.assertEqual(statuses, [-15, "cannot be run: all programs were "
                                    "ended"])
        self.assertEqual(watch.Watched.running, set())
        self.assertEqual(self.run_jobs([lambda _: [watch.Watched.ended]], 1),
                         [False])


if __name__ == "__main__":
    unittest.main()
