"""Tries mutants in several processes, each with copies of its own."""

import concurrent.futures
import multiprocessing
import os
import time
from dataclasses import dataclass
from pathlib import Path

from functions import Function
from mutation import Mutation
from tree import Stop

TOGETHER = 40      # mutants that one process tries, at most, before it reports
SECONDS = 100      # of tests, should all of these live


@dataclass(frozen=True)
class Task:
    """Some mutants of a function; what they cost if all of them live."""

    rung: str
    function: Function
    numbers: tuple
    seconds: float

    @staticmethod
    def cut(rung, function, numbers, seconds):
        """The Tasks of a function whose own tests take so many seconds."""
        size = max(1, min(TOGETHER, int(SECONDS / (seconds + 0.1))))
        return [Task(rung, function, tuple(numbers[i:i + size]),
                     seconds * size) for i in range(0, len(numbers), size)]


class Crowd:
    """Rungs' copies in a folder, and who tries mutants in copies of these."""

    def __init__(self, folder, jobs, kind=Mutation):
        self.folder, self.jobs, self.kind = Path(folder), jobs, kind
        self.mutations, self.wrong = {}, []

    def prepare(self, results, say):
        """Build a rung's copy."""
        tasks = results.tasks()
        say(f"{results.rung}: builds")
        mutation = self.kind(results.files, results.plan,
                             self.folder / results.rung,
                             results.programs(tasks))
        mutation.build()
        for task in tasks:
            mutation.compilations(task.function.file)
        self.mutations[results.rung] = mutation

    def run(self, tasks, seconds=None):
        """(Task, its outcomes) of each, as they come: the dearest are begun
        first; when only so many seconds are given, the cheapest."""
        end = time.monotonic() + (seconds or float("inf"))
        todo = sorted(tasks, key=lambda task: task.seconds,
                      reverse=not seconds)
        MUTATIONS.update(self.mutations)
        with concurrent.futures.ProcessPoolExecutor(
                self.jobs, multiprocessing.get_context("fork")) as pool:
            running = {pool.submit(try_one, task, end): task for task in todo}
            for done in concurrent.futures.as_completed(running):
                outcomes, wrong = done.result()
                self.wrong += filter(None, [wrong])
                if outcomes:
                    yield running[done], outcomes


MUTATIONS = {}  # {rung: its Mutation}: each process has it from this one
MINE = {}       # {rung: a copy}, of one process alone


def try_one(task, end):
    """In one of the processes: (the outcomes, or none when it is late or they
    cannot be found; why they cannot)."""
    if time.monotonic() > end:
        return [], ""
    if task.rung not in MINE:
        mutation = MUTATIONS[task.rung]
        MINE[task.rung] = mutation.copied(f"{mutation.folder}.{os.getpid()}")
    try:
        return MINE[task.rung].outcomes(task.function, task.numbers), ""
    except Stop as stop:
        return [], str(stop)
