"""What of a rung its main command runs: functions and lines, by gcov.  Where a
rung chooses instructions by the processor, it is told to take portable C: the
same lines run on every machine."""

import json
import re
import shutil

from reading.sources import objects
from running import cores
from running.workshop import (
    BUILD_LIMIT, FLAGS, MAKE, TIME_LIMIT, tested_copy, write_files)
from support import timing
from support.mistakes import Wrong
from support.store import digest

COUNTING = "CC=gcc CFLAGS='-O0 --coverage{more}' {sets}"
# Counts that two threads add to are added up atomically, or some are lost.
# That takes several times as long, so kernels, which run in one thread where
# the system puts the program on one processor, do without it.
ATOMIC = " -fprofile-update=atomic"
SINGLE = "SET_portable=-fprofile-update=single"
# A function that is inlined is compiled, and counted, wherever it is called,
# and is not known to run itself: kernels' inline functions become functions
# like any other, which also compile in a third of the time.
CALLED = " -DINLINE=static"
COPY = "gcov"  # the folder of a copy that counts
SAME_ANYWHERE = "export RUNG_CPU=portable\n"
# An object for another instruction set, which will not run; that of the widest
# vectors has lines that portable C lacks, and they are counted, too.
OTHER_SET = re.compile(r"\w+\.(?!(?:portable|avx512|neon)\.)\w+\.o")
# gcov takes the data of all object files at once, and answers in JSON lines.
GCOV = ("find build -name '*.gcda' -exec gcov --json-format --stdout {} + "
        "2>/dev/null")


def functions_run(workshop, rung, command):
    """The (file, function)s that a command runs."""
    return {tuple(row) for row in counts(workshop, rung, command)["functions"]}


def lines_run(workshop, rung, command):
    """{file: {line: whether a command runs it}} of the lines with code, in
    the files of which it runs any."""
    return {file: {int(line): bool(ran) for line, ran in lines.items()}
            for file, lines
            in counts(workshop, rung, command)["lines"].items()}


def counts(workshop, rung, command):
    """What gcov says, as read_counts gives it; it is kept."""
    def find():
        with timing.spent("counting what runs (gcov)", rung):
            return measure(workshop, rung, command)
    return workshop.store.get(key_of(workshop, rung, command), find)


def key_of(workshop, rung, command):
    """What the counts depend on."""
    return digest("gcov", 6, workshop.sources.digests[rung],
                  workshop.sources.models, command)


def measure(workshop, rung, command):
    """Build a copy that counts, run the command, on one processor, read the
    counts."""
    if not shutil.which("gcov"):
        raise Wrong("gcov is missing: sh tests/setup/setup.sh cc")
    folder = workshop.folder / COPY
    workshop.link_tests()
    with workshop.store.held(f"folder {COPY}"):
        build = f"{MAKE} {counting(workshop.sources.ladder[rung])}"
        begin(workshop, rung, folder, build)
        do(workshop, build, folder, BUILD_LIMIT)
        with cores.one():
            do(workshop, command, folder, TIME_LIMIT, SAME_ANYWHERE)
        return read_counts(workshop.execute(GCOV, folder, TIME_LIMIT)[1])


def do(workshop, command, folder, limit, before=""):
    """Run a command, which may not fail, behind a line of no interest."""
    status, output = workshop.execute(before + command, folder, limit)
    if status:
        raise Wrong(f"{command}: {output[-500:]}")


def counting(files):
    """What tells make to build a rung of these files so that it counts."""
    makefile = files["Makefile"].text
    has_sets = "\nSETS_" in makefile
    return COUNTING.format(
        more=(ATOMIC if "pthread" in makefile else "")
        + (CALLED if has_sets else ""),
        sets=SINGLE if cores.ALL and has_sets else "").rstrip()


def begin(workshop, rung, folder, build):
    """A new copy of a rung, with the objects that need not be compiled.  All
    copies stand in the same place, one after the other, since an object that
    counts has in it where its counts go: so the next one can have those that
    are the same."""
    last = folder.with_name(f"{folder.name}-last")
    shutil.rmtree(last, ignore_errors=True)
    if folder.exists():
        folder.rename(last)
    write_files(folder, workshop.sources.ladder[rung])
    workshop.execute(f"{build} {FLAGS}", folder, BUILD_LIMIT)
    if (folder / FLAGS).exists():
        take_last(folder, last)
        take_other_sets(workshop, rung, folder)
    shutil.rmtree(last, ignore_errors=True)


def take_last(folder, last):
    """Copy the objects that are the same in the copy before, with what gcov
    knows of their lines."""
    for stem in objects.take(objects.Build(folder), objects.Build(last)):
        notes = (last / FLAGS).parent / f"{stem}.gcno"
        if notes.exists():
            shutil.copy(notes, (folder / FLAGS).parent)


def take_other_sets(workshop, rung, folder):
    """Put the objects for other instruction sets into a copy, as they are
    built without counting, so that make leaves them as they are: most of a
    rung's time to compile is theirs."""
    if "\nSETS_" not in workshop.sources.ladder[rung]["Makefile"].text:
        return
    built = workshop.build(rung, tested_copy(rung))
    for path in (built / FLAGS).parent.glob("*.o"):
        if OTHER_SET.fullmatch(path.name):
            shutil.copyfile(path, (folder / FLAGS).parent / path.name)


def read_counts(output):
    """{"functions": [(file, function)] that were run at least once, "lines":
    {file: {line: 1 if it was run, else 0}}}; a header's line may stand in
    several programs."""
    functions, lines = set(), {}
    for line in output.split("\n"):
        if not line.startswith("{"):
            continue
        for file in json.loads(line)["files"]:
            name = file["file"]
            functions |= {(name, function["name"])
                          for function in file["functions"]
                          if function["execution_count"]}
            here = lines.setdefault(name, {})
            for row in file["lines"]:
                number = row["line_number"]
                here[number] = max(here.get(number, 0), row["count"] > 0)
    return {"functions": sorted(functions),
            "lines": {name: {number: int(ran) for number, ran
                             in sorted(here.items())}
                      for name, here in sorted(lines.items())
                      if any(here.values())}}
