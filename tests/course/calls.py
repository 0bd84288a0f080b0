"""Finds out which functions each test calls: builds a copy in which every
taught function keeps its name, and runs every test alone."""

import subprocess
import tempfile
from pathlib import Path

from copies import (environment, goals_of, must_build, test_programs,
                    write_copy, write_marked)
from tree import HERE, Stop  # first: it finds the kit
from running import PASS, SKIP, Runner
from showing import progress

SECONDS = 600  # for one test, on a busy machine
SLOW = 4       # seconds of a processor; longer tests take no part in a course
WHY = "Finds out, once, which test calls what"
LISTING = "-D_cmocka_run_group_tests=list_or_run"


def find_calls(files, functions, programs=None, flags="-O2"):
    """{test: (its calls, its seconds)}: the functions in the order in which
    they are first called, also by programs that the test starts."""
    programs = programs or test_programs(files)
    with tempfile.TemporaryDirectory(prefix="rung-calls-") as folder:
        progress(f"{WHY}; builds first")
        write_copy(files, folder)
        write_marked(files, functions, folder)
        with open(Path(folder, "course/end_test.c"), "a") as file:
            file.write((HERE / "list_tests.c").read_text())
        must_build(folder, goals_of(programs), f"CFLAGS={flags} {LISTING}")
        return run_all(folder, programs)


def run_all(folder, programs):
    """Run each test of these programs; it must pass, or be skipped."""
    runner = Runner(folder, seconds=SECONDS, memory=0, processor=SLOW,
                    variables=environment())
    tests = list(dict.fromkeys(
        f"{program}:{name}" for program in programs
        for name in list_tests(folder, program)))
    found = {}
    results = runner.run(tests, lambda n: progress(
        f"{WHY}: {n} of {len(tests)} tests"))
    progress()
    for test, result in results.items():
        if result.outcome == SKIP or "SIGXCPU" in result.why:
            continue
        if result.outcome != PASS:
            raise Stop(f"{test} fails though nothing is changed: "
                       f"{result.why} {' '.join(result.words)}")
        found[test] = (result.met, result.seconds)
    return found


def list_tests(folder, program):
    """The names of a program's tests."""
    done = subprocess.run(
        [Path(folder, "build/plain", program)], cwd=folder, text=True,
        env={**environment(), "LIST_TESTS": "1"}, capture_output=True)
    return [line[len("TEST "):] for line in done.stdout.splitlines()
            if line.startswith("TEST ")]
