#!/usr/bin/env python3
"""make course-test: empties every function of every rung, each alone, and
holds the check to what it must say then.

Emptied alone, a function's own check fails (it is "not written"), each
function that shares a test with it waits for it, and every other passes;
with the body back, all pass.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import stages
from bodies import empty, rewrite
from building import find_stubs
from copies import (environment, must_build, objects_of, program_objects,
                    test_programs, write_copy)
from functions import (new_functions, read_given, split, stale_rows,
                       taught_functions)
from keep import COMMITTED, stale
from plan import make_plan
from running import Runner
from showing import progress
from tree import Stop, find_rung, read_ladder
from verdicts import MISSING, PASS, UNKNOWN, WAIT, Judge, limits, own_tests

LIBRARY = "build/plain/librung.so"


class Trial:
    """A rung's copy whose functions are a shared library, so that a change
    of one means to compile one file and link once."""

    def __init__(self, files, plan, folder, programs=None, flags="-O1 -g"):
        self.files = files
        self.flags = f"CFLAGS={flags} -fPIC"
        self.plan = plan
        self.folder = Path(folder)
        self.programs = programs or test_programs(files)
        self.functions = {f.name: f for f in taught_functions(files)}
        self.tests = own_tests(plan)

    def write(self):
        write_copy(self.files, self.folder)

    def build(self):
        self.write()
        self.objects = [*program_objects(self.folder),
                        "build/plain/not_written.o"]
        must_build(self.folder, self.objects, self.flags)
        self.link()
        must_build(self.folder, ["rung", *(f"build/plain/{program}"
                                           for program in self.programs)],
                   self.flags, "NOT_WRITTEN=", "LIBRARY=",
                   f"LIBRARIES={LIBRARY} {' '.join(self.libraries())}")

    def libraries(self):
        """The options with which the rung links the packages it needs."""
        packages = [line.partition("=")[2].split()
                    for line in self.files["Makefile"].text.splitlines()
                    if line.startswith("PACKAGES")][0]
        said = subprocess.run(["pkg-config", "--libs", *packages], text=True,
                              capture_output=True, check=True).stdout
        return [*said.split(), "-lm", "-lpthread"]

    def variables(self):
        """The environment in which programs find the folder's library."""
        place = str((self.folder / LIBRARY).resolve().parent)
        return {**environment(), "LD_LIBRARY_PATH": place,
                "DYLD_LIBRARY_PATH": place}

    def link(self):
        """Make the library; it is found by its name alone."""
        path = self.folder.resolve() / LIBRARY
        name = ["-install_name", path.name] if sys.platform == "darwin" \
            else [f"-Wl,-soname,{path.name}"]
        done = subprocess.run(
            [os.environ.get("CC", "cc"), "-shared", *name, "-o", path,
             *self.objects, *self.libraries()],
            cwd=self.folder, text=True, stderr=subprocess.PIPE)
        if done.returncode:
            raise Stop(f"{path} cannot be linked: {done.stderr[-1000:]}")

    def empty(self, function):
        """Empty one function; what undoes it, to be called."""
        source = self.folder / function.file
        built = objects_of(function.file, self.objects)
        kept = [(path, path.with_name(path.name + ".kept"))
                for path in (source, *map(self.folder.joinpath, built))]
        for path, copy in kept:
            shutil.copy2(path, copy)
        source.write_text(rewrite(self.files, [function],
                                  empty)[function.file])
        must_build(self.folder, built, self.flags)
        self.link()

        def undo():
            for path, copy in kept:
                copy.replace(path)
        return undo

    def verdicts(self, tests):
        """What the check says after these tests; all others pass."""
        passed = {test: PASSED for test in self.tests}
        found = Runner(self.folder, limits=limits(self.plan), seconds=60,
                       variables=self.variables()).run(tests)
        missing = find_stubs(self.folder, {
            f["file"] for f in self.plan["functions"]})
        return Judge(self.plan, {**passed, **found}, missing).verdicts()

    def expected(self, name):
        """{function: (kind, on)} when this one is empty."""
        touched = {test for test in self.tests
                   if name in self.plan["tests"][test]["calls"]}
        return {f["name"]: (MISSING, []) if f["name"] == name
                else (WAIT, [name]) if touched & set(f["own"])
                else (PASS, []) if f["own"] else (UNKNOWN, [])
                for f in self.plan["functions"]}

    def try_function(self, name, every=False):
        """The differences between what must be said and what is, as text;
        `every` runs also the tests that do not call it."""
        tests = [test for test in self.tests
                 if every or name in self.plan["tests"][test]["calls"]]
        undo = self.empty(self.functions[name])
        try:
            found = self.verdicts(tests)
        finally:
            undo()
        expected = self.expected(name)
        return [f"{name} empty: {v.name} is said to "
                f"{describe(v.kind, v.on)}, not to "
                f"{describe(*expected[v.name])}" for v in found
                if (v.kind, v.on) != expected[v.name]]

    def try_whole(self):
        """With every body in its place, all pass."""
        self.link()
        return [f"nothing empty: {v.name} is said to "
                f"{describe(v.kind, v.on)}" for v in
                self.verdicts(self.tests) if v.kind != PASS]


class Passed:
    """The result of a test that need not be run."""

    outcome, met, words, why, passed = "pass", [], [], "", True


PASSED = Passed()


def describe(kind, on):
    return {MISSING: "be missing", WAIT: f"wait for {' '.join(on)}"}.get(
        kind, kind)


def holes(plan):
    """The functions that no test notices."""
    return [f"{f['file']}: {f['name']} is called by no test: add one, or a "
            "line to given.txt" for f in plan["functions"] if not f["own"]]


def try_rung(rung, files, say):
    """Everything about one rung; what is wrong, as text."""
    plan = make_plan(rung, files)
    wrong = holes(plan)
    with tempfile.TemporaryDirectory(prefix="rung-trial-") as folder:
        trial = Trial(files, plan, folder)
        trial.build()
        wrong += trial.try_whole()
        for number, function in enumerate(plan["functions"], 1):
            found = trial.try_function(function["name"])
            say(f"{rung} {number}/{len(plan['functions'])} "
                f"{function['name']}" + (": WRONG" if found else ""))
            wrong += found
        wrong += trial.try_whole()
    return [f"{rung}: {line}" for line in wrong]


def out_of_date(rung, files):
    """What is to be renewed in plans/, as text."""
    names = [function.name for function in taught_functions(files)]
    old = stale(rung, files, names, test_programs(files), COMMITTED)
    return [f"{rung}: plans/ is out of date about {', '.join(old)}: make "
            "course-plans"] if old else []


def stale_later(ladder):
    """The lines of later.txt that no rung's tests need."""
    tests = {test for rung, files in ladder.items()
             for test in make_plan(rung, files)["tests"]}
    return stages.stale_rows(tests, stages.read_later())


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rungs", nargs="*")
    options = parser.parse_args(arguments)
    ladder = read_ladder()
    rungs = [find_rung(ladder, name) for name in options.rungs] or ladder
    wrong = stale_rows(ladder, read_given())
    for rung in rungs:
        start = time.monotonic()
        found = out_of_date(rung, ladder[rung])
        found += try_rung(rung, ladder[rung], progress)
        taught, given = split(new_functions(ladder[rung]), read_given())
        progress()
        print(f"{rung}: {len(taught)} functions emptied, {len(given)} "
              f"given, {len(found)} mistakes, "
              f"{time.monotonic() - start:.0f} s", flush=True)
        wrong += found
    if not options.rungs:
        wrong += stale_later(ladder)
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Stop as stop:
        sys.exit(f"course: {stop}")
