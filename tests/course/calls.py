"""Finds out which functions each test calls: builds a copy in which every
taught function keeps its name, and runs every test alone."""

import subprocess
import tempfile
from pathlib import Path

from copies import (environment, goals_of, must_build, test_programs,
                    write_copy, write_marked)
from tree import HERE, Stop, is_program  # first: it finds the kit
from running import PASS, SKIP, Runner
from showing import counted, progress

SECONDS = 600  # for one test, on a busy machine
SLOW = 4       # seconds of a processor; longer tests take no part in a course
WHY = "Finds out, once, which test calls what"
OBJECTS = "build/plain/*.o"
LISTING = "-D_cmocka_run_group_tests=list_or_run"


def find_calls(files, functions, programs=None, flags="-O2"):
    """{test: (its calls, its seconds)}: the functions in the order in which
    they are first called, also by programs that the test starts."""
    programs = programs or test_programs(files)
    with tempfile.TemporaryDirectory(prefix="rung-calls-") as folder:
        write_copy(files, folder)
        write_marked(files, functions, folder)
        with open(Path(folder, "course/end_test.c"), "a") as file:
            file.write((HERE / "list_tests.c").read_text())
        say = Counter(files, programs)
        must_build(folder, goals_of(programs), f"CFLAGS={flags} {LISTING}",
                   say=lambda: say(len(list(Path(folder).glob(OBJECTS)))))
        return run_all(folder, programs)


class Counter:
    """Says how many files are compiled, whenever there are more."""

    def __init__(self, files, programs):
        self.all = len(programs) + sum(
            is_program(path) and path.endswith(".c") for path in files)
        self.said = 0

    def __call__(self, n):
        for step in range(self.said + 1, min(n, self.all) + 1):
            counted(f"{WHY}: compiles", step, self.all)
        self.said = max(self.said, n)


def run_all(folder, programs):
    """Run each test of these programs; it must pass, or be skipped."""
    runner = Runner(folder, seconds=SECONDS, memory=0, processor=SLOW,
                    variables=environment())
    tests = list(dict.fromkeys(
        f"{program}:{name}" for program in programs
        for name in list_tests(folder, program)))
    results = runner.run(tests, lambda n: counted(
        f"{WHY}: runs each test", n, len(tests)))
    progress()
    check_failed(folder, [
        test for test, result in results.items()
        if result.outcome not in (PASS, SKIP) and "SIGXCPU" not in result.why])
    return {test: (result.met, result.seconds)
            for test, result in results.items() if result.outcome == PASS}


def check_failed(folder, tests):
    """A test may fail because a program that it started needed longer: then
    it takes no part either, and passes where there is time."""
    runner = Runner(folder, seconds=SECONDS, memory=0, processor=0,
                    variables=environment())
    for test, result in runner.run(tests).items():
        if result.outcome != PASS:
            raise Stop(f"{test} fails though nothing is changed: "
                       f"{result.why} {' '.join(result.words)}")


def list_tests(folder, program):
    """The names of a program's tests."""
    done = subprocess.run(
        [Path(folder, "build/plain", program)], cwd=folder, text=True,
        env={**environment(), "LIST_TESTS": "1"}, capture_output=True)
    return [line[len("TEST "):] for line in done.stdout.splitlines()
            if line.startswith("TEST ")]
