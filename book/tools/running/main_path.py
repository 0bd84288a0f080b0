"""Which functions of a rung its main command runs: compiled for gcov."""

import json
import shutil

from running.workshop import BUILD_LIMIT, TIME_LIMIT, write_files
from support import timing
from support.mistakes import Wrong
from support.store import digest

FLAGS = "CC=gcc CFLAGS='-O0 --coverage'"
# gcov takes the data of all object files at once, and answers in JSON lines.
GCOV = ("find build -name '*.gcda' -exec gcov --json-format --stdout {} + "
        "2>/dev/null")


def functions_run(workshop, rung, command):
    """The (file, function)s that a command runs."""
    key = digest("gcov", 1, workshop.sources.digests[rung],
                 workshop.sources.models, command)

    def find():
        with timing.spent("counting what runs (gcov)", rung):
            return measure(workshop, rung, command)
    found = workshop.store.get(key, find)
    return {tuple(row) for row in found}


def measure(workshop, rung, command):
    """Build a copy that counts, run the command, read the counts."""
    if not shutil.which("gcov"):
        raise Wrong("gcov is missing: sh tests/setup/setup.sh cc")
    folder = workshop.folder / f"{rung}-gcov"
    workshop.link_tests()
    try:
        write_files(folder, workshop.sources.ladder[rung])
        for step, limit in ((f"make -s {FLAGS}", BUILD_LIMIT),
                            (command, TIME_LIMIT)):
            status, output = workshop.execute(step, folder, limit)
            if status:
                raise Wrong(f"{step}: {output[-500:]}")
        return read_counts(workshop.execute(GCOV, folder, TIME_LIMIT)[1])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def read_counts(output):
    """[(file, function)] that were run at least once."""
    rows = set()
    for line in output.split("\n"):
        if not line.startswith("{"):
            continue
        for file in json.loads(line)["files"]:
            rows |= {(file["file"], function["name"])
                     for function in file["functions"]
                     if function["execution_count"]}
    return sorted(rows)
