"""Runs several suites at a time; shows their output one after the other."""

import concurrent.futures
import sys
import threading

import watch


class Job:
    """A suite.  `work` is a function that gets a Turn to write to, and the
    Records of each job in `after`, all of which have ended when it begins; it
    returns its own Records."""

    def __init__(self, work, after=()):
        self.work = work
        self.after = after
        self.future = concurrent.futures.Future()

    def is_ready(self):
        return all(job.future.done() for job in self.after)

    def run(self, turn):
        try:
            earlier = [job.future.result() for job in self.after]
            self.future.set_result(self.work(turn, *earlier))
        except BaseException as why:
            self.future.set_exception(why)


class Turn:
    """The output of one job: held back until its turn comes, from then on
    shown as it comes."""

    def __init__(self, out):
        self.out = out
        self.held = []
        self.lock = threading.Lock()

    def write(self, text):
        with self.lock:
            if self.held is None:
                self.show(text)
            else:
                self.held.append(text)

    def begin(self):
        with self.lock:
            self.show("".join(self.held))
            self.held = None

    def show(self, text):
        self.out.write(text)
        self.out.flush()


class Queue:
    """The jobs that have not begun, in the order in which they are wanted:
    whoever asks gets the first that may begin."""

    def __init__(self, jobs):
        self.jobs = list(jobs)
        self.changed = threading.Condition()

    def next(self):
        """A job; None when no more are to be begun."""
        with self.changed:
            while self.jobs:
                for job in self.jobs:
                    if job.is_ready():
                        self.jobs.remove(job)
                        return job
                self.changed.wait()
            return None

    def note_end(self):
        """Of a job, for which others may have waited."""
        with self.changed:
            self.changed.notify_all()

    def clear(self):
        with self.changed:
            self.jobs.clear()
            self.changed.notify_all()


def run(jobs, at_once, out=None, starting=None):
    """The Records of all jobs, in their order, which is that of the output;
    `starting` has the same jobs in the order in which they are started.
    Whatever ends this ends the programs that are still running."""
    turns = {job: Turn(out or sys.stdout) for job in jobs}
    queue = Queue(starting or jobs)
    assert set(queue.jobs) == set(jobs)
    assert all(job in jobs for later in jobs for job in later.after)

    def work():
        while job := queue.next():
            job.run(turns[job])
            queue.note_end()
    results, watch.Watched.ended = [], False
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        try:
            for _ in range(at_once):
                pool.submit(work)
            for job in jobs:
                turns[job].begin()
                results += job.future.result()
        except BaseException:
            queue.clear()
            watch.end_all()
            raise
    return results
