#!/usr/bin/env python3
"""make grade: runs this tree's own tests against students' folders.

Of a submission only the C files are read that hold functions to be written;
they are put into a fresh copy of the rung, with this tree's headers, tests,
Makefile and other files.  Each test has limits of time and memory.
"""

import argparse
import dataclasses
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tree import Stop, find_rung, read_ladder  # first: it finds the kit
from building import find_stubs, lost_names, make
from copies import (environment, goals_of, must_build, objects_of,
                    program_objects, write_copy, write_emptied)
from functions import taught_functions
from labs import find_lab
from odd import Odd
from plan import make_plan
from report import FORMATS
from running import Runner, split_id
from showing import progress
from verdicts import Judge, first_stage, limits, own_tests

LARGEST = 1 << 20     # bytes of a file that a student hands in
LARGEST_PLAN = 16 << 20
COMPILE_SECONDS = 60


@dataclasses.dataclass
class Grade:
    """What is known of one submission."""

    name: str
    rung: str
    only: list
    verdicts: list
    results: dict
    notes: list


class Assignment:
    """A rung's plan, and a built copy of it in which all is emptied."""

    def __init__(self, ladder, rung, only, plain=False, store=None):
        self.rung = find_rung(ladder, rung)
        self.only = list(only)
        self.files = ladder[self.rung]
        self.plan = first_stage(make_plan(
            self.rung, self.files, self.only, plain=plain,
            stores=[store] if store else None))
        self.tests = own_tests(self.plan)
        self.sources = list(dict.fromkeys(
            f["file"] for f in self.plan["functions"]))
        programs = sorted({split_id(test)[0] for test in self.tests})
        self.goals = goals_of(programs)
        self.scratch = tempfile.TemporaryDirectory(prefix="rung-grade-")
        self.base = Path(self.scratch.name, "base")
        write_copy(self.files, self.base)
        write_emptied(self.files, taught_functions(self.files, only),
                      self.base)
        must_build(self.base, self.goals)
        self.objects = program_objects(self.base)
        self.odd = Odd(sorted(self.base.glob("build/plain/*.o")))


class Grading:
    """One submission's way through an assignment."""

    def __init__(self, assignment, submission):
        self.assignment = assignment
        self.submission = submission
        self.folder = None
        self.broken = set()
        self.notes = []

    def grade(self):
        """The Grade; done in a folder that is gone afterwards."""
        with tempfile.TemporaryDirectory(prefix="rung-grade-") as scratch:
            self.folder = Path(scratch, "rung")
            subprocess.run(["cp", "-a", self.assignment.base, self.folder],
                           check=True)
            return self.judge()

    def judge(self):
        assignment = self.assignment
        taken = [file for file in assignment.sources if self.take(file)]
        for file in taken:
            self.compile(file)
        self.link([file for file in taken if file not in self.broken])
        results = Runner(self.folder, limits=limits(assignment.plan),
                         variables=environment()).run(assignment.tests)
        missing = find_stubs(self.folder, assignment.sources)
        judge = Judge(assignment.plan, results, missing, self.broken)
        return Grade(self.submission.name, assignment.rung, assignment.only,
                     judge.verdicts(), results, self.notes)

    def take(self, file):
        """Copy one of the student's files; whether it differs."""
        try:
            data = read(handed_in(self.submission, file), LARGEST)
        except Stop as stop:
            self.notes.append(str(stop))
            return False
        if data == (self.folder / file).read_bytes():
            return False
        (self.folder / file).write_bytes(data)
        return True

    def compile(self, file):
        made = objects_of(file, self.assignment.objects)
        status, output = self.make(made)
        if status:
            lines = [line for line in output.splitlines() if "error" in line]
            self.give_up(file, lines[0] if lines else output[:200])
            return
        odd = self.assignment.odd.about(
            [self.folder / path for path in made],
            self.assignment.files[file].text)
        if odd:
            self.notes.append(f"{file} should be read: {', '.join(odd)}")

    def link(self, taken):
        """Put the programs together; files that prevent it are given up."""
        while True:
            status, output = self.make(self.assignment.goals)
            if not status:
                return
            guilty = self.guilty(lost_names(output), taken) or taken
            if not guilty:
                raise Stop(f"{self.submission}: {output[-1000:]}")
            for file in guilty:
                self.give_up(file, "it cannot be linked: " +
                             (", ".join(lost_names(output)) or output[:200]))
            taken = [file for file in taken if file not in guilty]

    def guilty(self, names, taken):
        """The files that should have these functions, or have a second."""
        homes = {f["name"]: f["file"]
                 for f in self.assignment.plan["functions"]}
        return [file for file in taken
                if any(homes.get(name) == file or name not in homes and
                       name in (self.folder / file).read_text(
                           errors="replace") for name in names)]

    def give_up(self, file, why):
        """Go on without the student's version of a file."""
        self.broken.add(file)
        self.notes.append(f"{file} does not compile: {why}")
        (self.folder / file).write_bytes(
            (self.assignment.base / file).read_bytes())

    def make(self, goals):
        return make(self.folder, goals, seconds=COMPILE_SECONDS)


def handed_in(submission, file):
    """Where a submission has a file: in its room or, when single files were
    handed in, beside the others.  A room that is a link is none."""
    path = submission / file
    inside = path.exists() and not any(
        folder.is_symlink() for folder in path.parents
        if folder.is_relative_to(submission) and folder != submission)
    return path if inside or path.is_symlink() else submission / path.name


def read(path, most):
    """The bytes of a file that was handed in; a link or a device is none."""
    if path.is_symlink() or not path.is_file():
        raise Stop(f"{path.name} is not there")
    if path.stat().st_size > most:
        raise Stop(f"{path.name} is larger than {most} bytes")
    return path.read_bytes()


def grade_all(submissions, rung, only, ladder=None, store=None,
              assignments=None, plain=False):
    """Yield the Grade of each submission; {(rung, only, plain): Assignment}
    may be known already."""
    ladder = ladder or read_ladder()
    assignments = {} if assignments is None else assignments
    for number, submission in enumerate(submissions, 1):
        progress(f"grades {submission}, {number} of {len(submissions)}")
        key = None
        if not submission.is_dir():  # a list, an archive beside the folders
            yield ungraded(submission, "it is no folder")
            continue
        try:
            key = (rung, tuple(only), plain) if rung \
                else recorded(submission)
            if key not in assignments:
                assignments[key] = Assignment(ladder, *key, store)
            yield Grading(assignments[key], submission).grade()
        except Stop as stop:
            if rung and key not in assignments:
                raise  # no submission's fault
            yield ungraded(submission, str(stop))
    progress()


def ungraded(submission, why):
    """The Grade of what is no submission."""
    return Grade(submission.name, "", [], [], {}, [f"not graded: {why}"])


def recorded(submission):
    """The rung and the part of it that a folder was made for, and whether the
    other families are a second stage."""
    try:
        plan = json.loads(read(submission / "course/plan.json", LARGEST_PLAN))
        return str(plan["rung"]), tuple(map(str, plan["only"])), \
            bool(plan.get("later"))
    except (Stop, OSError, ValueError, KeyError, TypeError, RecursionError):
        raise Stop("it does not say which course it is of: give LAB=, or "
                   "RUNG= and ONLY=") from None


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("submissions", nargs="+", type=Path)
    parser.add_argument("--rung", default="")
    parser.add_argument("--lab", help="instead: a line of labs.txt")
    parser.add_argument("--only", default="")
    parser.add_argument("--plain", action="store_true",
                        help="only the reading model's family counts")
    parser.add_argument("--format", choices=sorted(FORMATS), default="table")
    options = parser.parse_args(arguments)
    for submission in options.submissions:
        if not submission.exists():
            sys.exit(f"grade: {submission} is not there")
    rung, only = options.rung, options.only.split()
    try:
        if options.lab:
            lab = find_lab(options.lab)
            rung, only = lab.rung, lab.only
        grades = list(grade_all(options.submissions, rung, only,
                                plain=options.plain))
    except Stop as stop:
        sys.exit(f"grade: {stop}")
    FORMATS[options.format](grades, sys.stdout)
    sys.exit(any(not grade.verdicts for grade in grades))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nstopped")
