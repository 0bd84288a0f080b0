"""Everything that `make test` runs: each rung's tests, the lineage check, the
tests of the tools, and the book: built as site, e-book and PDF, and looked at
in a browser.

    python3 run.py

Shows the output as it comes, then a line for each suite, what failed, what
was skipped, and last `N passed, N failed`.  The exit status is 1 when
anything failed.
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys

import formats
import watch

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = sys.executable
RECORDS = pathlib.Path("build/tests.jsonl")
BOOK = "book/tools/build.py"
BOOK_LIMIT = 3600  # seconds; each trial in it has a limit of its own


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


def test_rung(root, rung):
    """`make test` in a rung, with each test program run under watch.py."""
    records = root / RECORDS
    records.parent.mkdir(exist_ok=True)
    records.write_text("")
    watcher = [PYTHON, "../tests/runner/watch.py", f"../{RECORDS}"]
    made = subprocess.run(
        ["make", "-C", rung, "--no-print-directory", f"-j{os.cpu_count()}",
         "test", "WITH=" + shlex.join(watcher)],
        cwd=root, stdin=subprocess.DEVNULL, env=environment(root, rung))
    results = [watch.Record(**json.loads(line))
               for line in records.read_text().splitlines()]
    if not results or made.returncode and not any(r.failed for r in results):
        why = f"make test: {formats.describe(made.returncode)} " \
              f"({len(results)} test programs ran)"
        results.append(watch.Record(rung, 0, [why], [], 0))
    return results


def run_all(root):
    results = []
    for rung in rungs(root):
        title(rung)
        results += test_rung(root, rung)
    title("lineage")
    results.append(watch.watch(
        "lineage", [PYTHON, "tests/lineage/lineage.py"], formats.Check(),
        root))
    for folder in python_suites(root):
        title(folder)
        results.append(watch.watch(
            folder, [PYTHON, "-m", "unittest", "-v"], formats.Unittest(),
            root / folder))
    return results + test_book(root)


def test_book(root):
    """The book as its readers get it.  Its programs are built as readers
    build them, so there is nothing in it for the sanitizers."""
    if not (root / BOOK).exists():
        return []
    title("the book")
    if os.environ.get("SAN"):
        return [watch.Record("the book", 0, [], ["all of it: SAN is set"], 0)]
    site = run_book(root, "site", [BOOK, "site"], formats.Check())
    results = [site, run_book(root, "e-book and PDF", [BOOK, "book"],
                              formats.Check())]
    if not site.failed:
        results.append(run_book(
            root, "in a browser",
            ["book/tools/browser_check.py", "build/site"], formats.Counted()))
    return results


def run_book(root, name, arguments, format):
    return watch.watch(f"book: {name}", [PYTHON, *arguments], format, root,
                       BOOK_LIMIT)


def title(text):
    print(f"\n== {text}", flush=True)


def list_names(heading, results, field):
    lines = [f"    {r.suite}: {name}" for r in results
             for name in getattr(r, field)]
    if lines:
        print(f"\n{heading}:", *lines, sep="\n")


def report(results):
    """Print the summary; True when nothing failed."""
    print(f"\n{'':34}passed  failed  skipped  seconds")
    for r in results:
        print(f"{r.suite:34}{r.passed:6}{len(r.failed):8}"
              f"{len(r.skipped):9}{r.seconds:9.1f}")
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
