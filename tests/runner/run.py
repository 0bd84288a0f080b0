"""Everything that `make test` runs: each rung's tests, the lineage check, the
tests of the tools, and the book: built as site, e-book and PDF, and looked at
in a browser.

    python3 run.py

Shows the output as it comes, then a line for each suite, what failed, what
was skipped, and last `N passed, N failed`.  The exit status is 1 when
anything failed.  A test program that is the same in a rung above (same.py)
runs there only; with ALL=1 in the environment every rung runs all of its own.
"""

import json
import os
import pathlib
import shlex
import sys
import time
from functools import partial

import formats
import same
import together
import watch

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = sys.executable
RECORDS = pathlib.Path("build/tests")
AT_ONCE = min(4, os.cpu_count() or 1)  # suites; their output is not mixed
BOOK = "book/tools/build.py"
# Seconds; each program of a rung, each trial of the book has its own limit.
RUNG_LIMIT = BOOK_LIMIT = 3600


def rungs(root):
    return sorted(m.parent.name for m in root.glob("m[0-9]*/Makefile"))


def python_suites(root):
    """The folders that `python3 -m unittest` runs: those that hold a
    test_*.py, or, where it is in a package, the folder around that."""
    folders = set()
    for top in ("tests", "book", "site"):
        for test in (root / top).rglob("test_*.py"):
            folders.add(str(outside_packages(test).relative_to(root)))
    return sorted(folders)


def outside_packages(test):
    folder = test.parent
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


def leave_make():
    """Whatever make runs from here on gets the variables of the command line
    (SAN=1), but not the jobs and options of the make that called."""
    _, _, variables = os.environ.get("MAKEFLAGS", "").partition("-- ")
    os.environ["MAKEFLAGS"] = f"-- {variables}" if "=" in variables else ""
    os.environ.pop("MFLAGS", None)
    os.environ.pop("MAKELEVEL", None)


def environment(root, rung):
    """Tests that take long and stand in many rungs are run in the highest."""
    long = {"RUNG_LONG": "1"} if rung == rungs(root)[-1] else {}
    return os.environ | long


def make_test(root, rung, watcher, out):
    """`make test` in a rung, with each test program under a watcher."""
    with watch.Watched(
            ["make", "-C", rung, "--no-print-directory",
             f"-j{os.cpu_count()}", "test", "WITH=" + shlex.join(watcher)],
            root, RUNG_LIMIT, environment(root, rung)) as made:
        for line in made.lines():
            out.write(line)
        return made.wait(), made.work


def build_rung(root, rung, out):
    """All that a rung's `make test` builds, and no test; what is wrong with
    it is said when the tests are run."""
    title(f"{rung}: build", out)
    begun = time.monotonic()
    _, work = make_test(root, rung, [":"], out)
    return [watch.Record(f"{rung}: build", 0, [], [],
                         time.monotonic() - begun, work=work)]


def test_rung(root, rung, out):
    """`make test` in a rung, with each test program run under watch.py."""
    title(rung, out)
    records = root / RECORDS / f"{rung}.jsonl"
    records.write_text("")
    watcher = [PYTHON, "../tests/runner/watch.py",
               f"../{records.relative_to(root)}"]
    status, _ = make_test(root, rung, watcher, out)
    return results_of(rung, records, status)


def find_same(root):
    """Build the rungs, and write down for watch.py which test programs of
    each are not to be run, since they are the same in one above."""
    names = [] if os.environ.get("ALL") else rungs(root)
    built_all = together.run([partial(build_rung, root, rung)
                              for rung in names], AT_ONCE)
    built = "build/san" if os.environ.get("SAN") else "build/plain"
    found = same.same_as_above([root / name for name in names], built)
    (root / RECORDS).mkdir(parents=True, exist_ok=True)
    (root / RECORDS / watch.SAME).write_text(json.dumps(found))
    return built_all


def results_of(rung, records, status):
    """What the watchers recorded, and what make itself has to say."""
    results = [watch.Record(**json.loads(line))
               for line in records.read_text().splitlines()]
    if not results or status and not any(r.failed for r in results):
        why = f"make test: {formats.describe(status)} " \
              f"({len(results)} test programs ran)"
        results.append(watch.Record(rung, 0, [why], [], 0))
    return results


def test_tool(root, suite, command, format, out):
    """A suite that is one program, run in its folder."""
    title(suite, out)
    folder = root if suite == "lineage" else root / suite
    return [watch.watch(suite, [PYTHON, *command], format, folder, out=out)]


def run_all(root):
    """The rungs, then the tools, which look at what the rungs are, then the
    book, which is made with both."""
    builds = find_same(root)
    rung_jobs = [partial(test_rung, root, rung) for rung in rungs(root)]
    tools = [("lineage", ["tests/lineage/lineage.py"], formats.Check())]
    tools += [(folder, ["-m", "unittest", "-v"], formats.Unittest())
              for folder in python_suites(root)]
    tool_jobs = [partial(test_tool, root, *tool) for tool in tools]
    results = together.run(rung_jobs, AT_ONCE)
    blame_unrun(results)
    results += together.run(tool_jobs, AT_ONCE)
    os.environ["RUNGS_PASSED"] = " ".join(passed_rungs(root, results))
    return builds + results + test_book(root)


def passed_rungs(root, results):
    """The rungs whose tests have passed, for the book (trials.py)."""
    failed = {r.suite.partition("/")[0] for r in results if r.failed}
    return [rung for rung in rungs(root) if rung not in failed]


def blame_unrun(results):
    """A program that was left to a rung above must have run in that rung."""
    ran = {r.suite for r in results if not r.same}
    for r in results:
        program = pathlib.PurePath(r.suite).name
        if r.same and f"{r.same}/{program}" not in ran:
            r.failed.append(f"left to {r.same}, which did not run it")


def test_book(root):
    """The book as its readers get it.  Its programs are built as readers
    build them, so there is nothing in it for the sanitizers."""
    if not (root / BOOK).exists():
        return []
    if os.environ.get("SAN"):
        return [watch.Record("the book", 0, [], ["all of it: SAN is set"], 0)]
    site = together.run([partial(run_book, root, "site", [BOOK, "site"],
                                 formats.Check())], 1)
    rest = [partial(run_book, root, "e-book and PDF", [BOOK, "book"],
                    formats.Check())]
    if not site[0].failed:
        rest.append(partial(
            run_book, root, "in a browser",
            ["book/tools/browser_check.py", "build/site"], formats.Counted()))
    return site + together.run(rest, AT_ONCE)


def run_book(root, name, arguments, format, out):
    """One of the steps that make and look at the book."""
    title(f"book: {name}", out)
    return [watch.watch(f"book: {name}", [PYTHON, *arguments], format, root,
                        BOOK_LIMIT, out)]


def title(text, out):
    out.write(f"\n== {text}\n")


def list_names(heading, results, field):
    lines = [f"    {r.suite}: {name}" for r in results
             for name in getattr(r, field)]
    if lines:
        print(f"\n{heading}:", *lines, sep="\n")


def report(results):
    """Print the summary; True when nothing failed."""
    print(f"\n{'':34}passed  failed  skipped  seconds  processor")
    for r in results:
        print(f"{r.suite:34}{r.passed:6}{len(r.failed):8}"
              f"{len(r.skipped):9}{r.seconds:9.1f}{r.work:11.1f}"
              + (f"  ran in {r.same}" if r.same else ""))
    n_same = sum(bool(r.same) for r in results)
    if n_same:
        print(f"\nThe same in a rung above, and run only there: {n_same} test "
              "programs; ALL=1 runs them all.")
    list_names("Skipped", results, "skipped")
    list_names("FAILED", results, "failed")
    n_passed = sum(r.passed for r in results)
    n_failed = sum(len(r.failed) for r in results)
    n_skipped = sum(len(r.skipped) for r in results)
    skipped = f", {n_skipped} skipped" if n_skipped else ""
    print(f"\n{n_passed} passed, {n_failed} failed{skipped}", flush=True)
    return n_failed == 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")
    leave_make()
    sys.exit(0 if report(run_all(ROOT)) else 1)
