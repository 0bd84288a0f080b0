"""Runs several suites at a time, and shows their output one after the other.

A job is a function that takes a Turn to write to, and returns its Records.
"""

import concurrent.futures
import sys
import threading

import watch


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


def run(jobs, at_once, out=None, starting=None):
    """The Records of all jobs, in their order, which is that of the output;
    `starting` are their indexes in the order in which they are started.
    Whatever ends this ends the programs that are still running."""
    turns = [Turn(out or sys.stdout) for _ in jobs]
    results = []
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        started = {at: pool.submit(jobs[at], turns[at])
                   for at in starting or range(len(jobs))}
        futures = [started[at] for at in range(len(jobs))]
        try:
            for turn, future in zip(turns, futures):
                turn.begin()
                results += future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            watch.end_all()
            raise
    return results
