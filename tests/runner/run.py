"""Everything that `make test` runs: each rung's tests, the lineage check, the
tests of the tools, and the book: built as site and e-book, as PDF where its page
is new and CI is set, and looked at in a browser.  Suites run at the same time,
what others wait for first.

    python3 run.py

Shows the output as it comes, then a line for each suite, what failed, what
was skipped, and last `N passed, N failed`.  The exit status is 1 when
anything failed.  An object that is the same in the rung below (objects.py) is
compiled once, and a test program that is the same in a rung above (same.py) is
linked and run there only; with ALL=1 in the environment every rung compiles
and runs all of its own.
"""

import json
import os
import pathlib
import shlex
import sys
import time
from functools import partial

import formats
import objects
import same
import together
import watch

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = sys.executable
RECORDS = pathlib.Path("build/tests")
AT_ONCE = max(2, min(4, os.cpu_count() or 1))  # suites; output is not mixed
# Without make's own rules, of which the rungs need none: it tries them for
# every header.
MAKE = ["make", "-r", "--no-print-directory"]
BOOK = "book/tools/build.py"
BUILDS = ("tests/bits",)  # compile in a rung's folder, as the book's pages do
# Short suites that run last, on the processor that is left while the e-book's
# programs run one after the other.
LAST = ("tests/lineage", "tests/runner", "tests/templates")
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
    """Tests that may take a minute, as they read more of the same texts, do so
    where nobody waits: in the highest rung where CI is set, and with ALL=1 in
    every rung."""
    everything = os.environ.get("ALL") or \
        os.environ.get("CI") and rung == rungs(root)[-1]
    return os.environ | ({"RUNG_LONG": "1"} if everything else {})


def make(root, rung, arguments, out):
    """Run make in a rung: its exit status, and the processor time."""
    with watch.Watched(
            [*MAKE, "-C", rung, f"-j{os.cpu_count()}", *arguments],
            root, RUNG_LIMIT, environment(root, rung)) as made:
        for line in made.lines():
            out.write(line)
        return made.wait(), made.work


def build_rung(root, rung, below, out):
    """The objects of a rung, of which those that are the same in the rung
    below are not compiled again; what is wrong with them is said when the
    tests are run."""
    title(f"{rung}: objects", out)
    begun = time.monotonic()
    _, work = make(root, rung, [f"{built()}/flags"], out)
    build = objects.Build(root / rung, built())
    if below:
        taken = objects.take(build, objects.Build(root / below, built()))
        out.write(f"{len(taken)} objects are those of {below}\n")
    wanted = [f"{built()}/library.a", f"{built()}/main.o",
              *(f"{built()}/{stem}.o" for stem in sorted(build.sources)
                if stem.startswith("test_"))]
    more = make(root, rung, ["-k", *wanted], out)[1]
    return [watch.Record(f"{rung}: objects", 0, [], [],
                         time.monotonic() - begun, work=work + more)]


def built():
    """Where a rung's objects and tests are."""
    return "build/san" if os.environ.get("SAN") else "build/plain"


def test_rung(root, rung, same_above, out):
    """`make test` in a rung, with each test program run under watch.py, but
    for those in {program: the rung above that runs the same}."""
    title(rung, out)
    for program, above in same_above.items():
        out.write(f"{program}: the same as in {above}, which runs it\n")
    records = root / RECORDS / f"{rung}.jsonl"
    records.write_text("")
    # -S: it starts hundreds of times, and needs no packages.
    watcher = [PYTHON, "-S", "../tests/runner/watch.py",
               f"../{records.relative_to(root)}"]
    status, _ = make(root, rung, [
        "test", "WITH=" + shlex.join(watcher),
        *others(root, rung, same_above)], out)
    left = [watch.Record(f"{rung}/{program}", 0, [], [], 0, above)
            for program, above in same_above.items()]
    return left + results_of(rung, records, status, bool(left))


def test_elsewhere(root, rung, out, _):
    """What a rung computes as other processors do: `make arm` and `make
    emulated`, which skip what is not installed; of rungs that have them, the
    highest alone, or with ALL=1 each.  It uses what the tests have built, and
    so comes after them; the sanitizers know but this machine."""
    targets = elsewhere(root, rung)
    if not os.environ.get("ALL"):
        above = rungs(root)[rungs(root).index(rung) + 1:]
        targets -= set().union(*[elsewhere(root, one) for one in above])
    if os.environ.get("SAN"):
        return []
    results = []
    for target in sorted(targets):
        title(f"{rung}: {target}", out)
        results.append(watch.watch(
            f"{rung}/{target}",
            [*MAKE, "-C", rung, f"-j{os.cpu_count()}", "--silent", target],
            formats.Counted(), root, RUNG_LIMIT, out=out))
    return results


def elsewhere(root, rung):
    makefile = (root / rung / "Makefile").read_text()
    return {target for target in ("arm", "emulated")
            if f"\n{target}:" in makefile}


def others(root, rung, same_above):
    """What tells a rung's make to link and run its other programs; nothing
    where there are none to leave out."""
    programs = sorted({path.stem for path in (root / rung).rglob("test_*.c")})
    left = [f"{built()}/{program}" for program in programs
            if program not in same_above]
    return [f"TESTS={' '.join(left)}"] if same_above else []


def find_same(root):
    """({rung: {program: the rung above that runs the same}}, the Records of
    building them).  All is built before anything is run: so no suite that
    calls make in a rung compiles what another one does."""
    names = rungs(root)
    everything = os.environ.get("ALL")
    (root / RECORDS).mkdir(parents=True, exist_ok=True)
    builds = together.run([
        together.Job(partial(build_rung, root, rung,
                             None if everything else below))
        for below, rung in zip([None, *names], names)], 1)
    if everything:
        return {name: {} for name in names}, builds
    return same.same_as_above([root / name for name in names],
                              built()), builds


def results_of(rung, records, status, may_be_empty=False):
    """What the watchers recorded, and what make itself has to say."""
    results = [watch.Record(**json.loads(line))
               for line in records.read_text().splitlines()]
    silent = not results and not may_be_empty
    if silent or status and not any(r.failed for r in results):
        why = f"make test: {formats.describe(status)} " \
              f"({len(results)} test programs ran)"
        results.append(watch.Record(rung, 0, [why], [], 0))
    return results


def test_tool(root, suite, command, format, out, *_):
    """A suite that is one program, run in its folder."""
    title(suite, out)
    folder = root if suite == "lineage" else root / suite
    return [watch.watch(suite, [PYTHON, *command], format, folder, out=out)]


def run_all(root):
    """The rungs, the tools, and the book, which is made with both.  What others
    wait for is started first: the highest rung, whose tests take longest, one
    after the other, and then the site, beside which most tools are tested, and
    the short ones after it."""
    found, builds = find_same(root)
    names = rungs(root)
    rung_jobs = [together.Job(partial(test_rung, root, rung, found[rung]))
                 for rung in names]
    elsewhere_jobs = [together.Job(partial(test_elsewhere, root, rung), [job])
                      for rung, job in zip(names, rung_jobs)]
    tools = tool_jobs(root)
    before = [job for folder, job in tools.items()
              if folder.startswith("book") or folder in BUILDS]
    book = book_jobs(root, rung_jobs, before)
    last = [tools.pop(name) for name in LAST if name in tools]
    for job in last:
        job.after = book[:1]
    jobs = [*rung_jobs, *elsewhere_jobs, *tools.values(), *book, *last]
    first = [*reversed(rung_jobs), *before, *book]
    results = together.run(jobs, AT_ONCE, starting=first + [
        job for job in jobs if job not in first])
    for record in unrun(results):
        record.failed.append(f"left to {record.same}, which did not run it")
    return builds + results


def tool_jobs(root):
    """{suite: its Job}."""
    tools = [("lineage", ["tests/lineage/lineage.py"], formats.Check())]
    tools += [(folder, ["-m", "unittest", "-v"], formats.Unittest())
              for folder in python_suites(root)]
    return {tool[0]: together.Job(partial(test_tool, root, *tool))
            for tool in tools}


def passed_rungs(root, results):
    """The rungs whose tests have passed, for the book (trials.py), which
    does not ask what other processors compute."""
    failed = [r for r in results if r.failed] + unrun(results)
    names = {r.suite.partition("/")[0] for r in failed}
    return [rung for rung in rungs(root) if rung not in names]


def unrun(results):
    """The programs that were left to a rung above, and did not run there."""
    ran = {r.suite for r in results if not r.same}
    return [r for r in results if r.same and
            f"{r.same}/{pathlib.PurePath(r.suite).name}" not in ran]


def book_jobs(root, rung_jobs, before):
    """The book as its readers get it.  Its programs are built as readers
    build them, so there is nothing in it for the sanitizers.  The site finds
    everything that the e-book and the PDF have, too; and as it is made with
    packages that the tests of its tools install, these come before it."""
    if not (root / BOOK).exists():
        return []
    if os.environ.get("SAN"):
        return [together.Job(lambda _: [watch.Record(
            "the book", 0, [], ["all of it: SAN is set"], 0)])]
    site = together.Job(partial(build_site, root, len(rung_jobs)),
                        [*rung_jobs, *before])
    steps = [("e-book and PDF", [BOOK, "book", "--test"], formats.Check()),
             ("in a browser", ["book/tools/browser_check.py", "build/site"],
              formats.Counted())]
    return [site, *(together.Job(partial(after_site, root, *step), [site])
                    for step in steps)]


def build_site(root, n_rungs, out, *earlier):
    """The site, which hears which rungs have passed: the first n_rungs of
    what was run before are theirs."""
    passed = passed_rungs(root, sum(earlier[:n_rungs], []))
    return run_book(root, "site", [BOOK, "site", "--test"], formats.Check(),
                    out, os.environ | {"RUNGS_PASSED": " ".join(passed)})


def after_site(root, name, arguments, format, out, site):
    """What is made of the site's pages, or looks at them, if there are any."""
    if site[0].failed:
        return []
    return run_book(root, name, arguments, format, out)


def run_book(root, name, arguments, format, out, environment=None):
    """One of the steps that make and look at the book."""
    title(f"book: {name}", out)
    return [watch.watch(f"book: {name}", [PYTHON, *arguments], format, root,
                        BOOK_LIMIT, out, environment)]


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
