#!/usr/bin/env python3
"""make check: which functions of this folder pass, which fail, which wait.

Builds the folder, runs each function's own tests, each in a process of its
own, and says what they show.  The exit status is 1 when a function fails or
does not compile; what is not written yet is no failure.
"""

import argparse
import dataclasses
import json
import sys
import textwrap
from pathlib import Path

from building import errors_of, find_stubs, lost_names, make
from running import MEMORY, Runner, split_id
from showing import Page, advice, progress, show, summary
from verdicts import (BROKEN, FAIL, PASS, UNKNOWN, Judge, first_stage, limits,
                      own_tests)
from words import explain

FOLDER = Path(__file__).resolve().parents[1]
PLAN = FOLDER / "course/plan.json"
FIRST = 3  # errors or warnings of a file that are shown


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="one function or file")
    parser.add_argument("--san", action="store_true",
                        help="with address and undefined sanitizers")
    parser.add_argument("--json", action="store_true",
                        help="the verdicts as JSON")
    options = parser.parse_args(arguments)
    plan = json.loads(PLAN.read_text())
    return check_stages(plan, options)


def check_stages(plan, options):
    """The first stage, if there are two and it has what was asked for; then,
    if all of it passes, everything.  The exit status."""
    page = Page()
    first = first_stage(plan)
    names = choose(plan, options.only) & {f["name"]
                                          for f in first["functions"]}
    if first is plan or not names:
        return check(plan, options, page)[0]
    status, done = check(first, options, page)
    if not done or options.only or options.json:
        return status
    page.line("The reading model's family is whole. Second stage, the other "
              "families:\n")
    return check(plan, options, page)[0]


def check(plan, options, page):
    """Build, run, judge, show; (the exit status, whether all pass)."""
    chosen = choose(plan, options.only)
    tests = own_tests(plan, chosen)
    build = "build/san" if options.san else "build/plain"
    progress("building")
    if not build_all(plan, tests, build, options, page):
        return 1, False
    results = Runner(
        FOLDER, build, limits(plan), memory=0 if options.san else MEMORY,
        rung=f"{build}/rung" if options.san else "./rung").run(
            tests, lambda n: progress(f"{n} of {len(tests)} tests"))
    progress()
    missing = find_stubs(FOLDER, {f["file"] for f in plan["functions"]})
    judge = Judge(plan, results, missing)
    verdicts = [v for v in judge.verdicts() if v.name in chosen]
    if options.json:
        print(json.dumps([dataclasses.asdict(v) for v in verdicts]))
    else:
        show(judge, verdicts, FOLDER, page)
        close(judge, verdicts, page)
        if not options.san and crashed(verdicts, results):
            page.line("Something crashed: `make check SAN=1` says where.")
    return int(any(v.kind in (FAIL, BROKEN) for v in verdicts)), \
        all(v.kind == PASS for v in verdicts)


def choose(plan, word):
    """The names of the functions to check."""
    names = {f["name"] for f in plan["functions"]
             if word in (None, f["name"], f["file"], Path(f["file"]).name)}
    if not names:
        sys.exit(f"{word} is no function and no file of this course")
    return names


def build_all(plan, tests, build, options, page):
    """Build what these tests need; say what is wrong where that fails, and
    what the compiler warns of in files that are to be written."""
    programs = sorted({split_id(test)[0] for test in tests})
    rung = f"{build}/rung" if options.san else "rung"
    goals = [rung, *(f"{build}/{program}" for program in programs)]
    status, output = make(FOLDER, goals, ["SAN=1"] if options.san else [])
    progress()
    if status:
        complain(output, page)
    elif not options.json:
        warn(output, {f["file"] for f in plan["functions"]}, page)
    return not status


def warn(output, files, page):
    """What the compiler warns of in these files."""
    for file, lines in errors_of(output, "warning").items():
        if file in files:
            page.line(page.paint(UNKNOWN, f"{file} compiles with warnings")
                      + ":")
            show_first(file, lines, page)
            page.line()


def show_first(file, lines, page):
    for line in lines[:FIRST]:
        page.line(f"    {file}:{line}")
    if len(lines) > FIRST:
        page.line(f"    and {len(lines) - FIRST} more")


def complain(output, page):
    """What the compiler or the linker says, the first of it."""
    errors = errors_of(output)
    for file, lines in errors.items():
        page.line(page.paint(BROKEN, f"{file} does not compile") + ":")
        show_first(file, lines, page)
    names = [] if errors else lost_names(output)
    if names:
        page.line(page.paint(BROKEN, "The program cannot be put together")
                  + f": missing, or there twice: {', '.join(names)}")
    if not errors and not names:
        page.line(output[-2000:])


def close(judge, verdicts, page):
    """The last lines: how many, and what next."""
    page.line()
    page.line(summary(verdicts))
    if len(verdicts) == len(judge.functions):
        page.line("\n".join(textwrap.wrap(advice(judge, verdicts), 79)))


def crashed(verdicts, results):
    """Whether a test of a function that fails ended in a crash."""
    return any(line.startswith("crashed: ") for verdict in verdicts
               if verdict.kind == FAIL for test in verdict.failures
               for line in explain(results[test], FOLDER))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("\nstopped")
