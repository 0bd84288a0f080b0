#!/usr/bin/env python3
"""make course-mutants: does each function's own tests see its mistakes?

    python3 mutate.py RUNG --report [--only FILE-or-FUNCTION…]
    python3 mutate.py [RUNG…]

Makes the mutants of each function (mutants.py), runs the function's own tests
against each, and prints those that live; or does so with the functions that
survivors/ names, and says what is not as it is there.  survivors/ holds for each rung the
functions that were looked at, and the mutants that may live, with a reason:
mostly that no test could see them.  Any other that lives is a mistake, and so
is a line there that has died.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from copies import build, environment, object_of
from keep import STORE, keys_of, sha
from functions import taught_functions
from mutants import mutants
from plan import make_plan
from tree import HERE, Stop, find_rung, read_ladder
from trial import Trial
from running import CRASH, FAIL, LATE, Runner
from showing import progress

SURVIVORS = HERE / "survivors"
RESULTS = STORE / "mutants"
FORMAT = "1"
FLAGS = "-O1"
STRICT = "-Werror=incompatible-pointer-types -Werror=int-conversion"
SECONDS = 60       # for one test, on a busy machine
PROCESSOR = 5      # the same, of a processor: an endless loop ends there
KILLS = (FAIL, CRASH, LATE)
TRIED, ALIVE, SAME, REFUSED = "killed", "alive", "same", "refused"


@dataclass
class Row:
    """A line of a rung's file in survivors/: a function that was looked at,
    or one mutant of it that may live, and why."""

    function: str
    mutant: str = ""
    reason: str = ""


class Mutation(Trial):
    """A rung's copy in which one function after the other gets mistakes."""

    def __init__(self, files, plan, folder, programs=None):
        super().__init__(files, plan, folder, programs, f"{FLAGS} {STRICT}")
        self.own = {f["name"]: f["own"] for f in plan["functions"]}
        self.commands = {}

    def build(self):
        super().build()
        self.runner = Runner(self.folder, seconds=SECONDS,
                             processor=PROCESSOR, variables=environment())

    def command(self, file):
        """How a file's object is compiled, as make would do it."""
        if file not in self.commands:
            status, output = build(self.folder, [object_of(file)], self.flags,
                                   "-n", "-W", file, "WARNINGS=")
            line = next(line for line in output.replace("\\\n", " ")
                        .splitlines() if f"-c -o {object_of(file)}" in line)
            self.commands[file] = shlex.split(line.partition("&&")[0])
        return self.commands[file]

    def compile(self, file):
        """The object's bytes; None where the file does not compile."""
        done = subprocess.run(self.command(file), cwd=self.folder,
                              capture_output=True)
        path = self.folder / object_of(file)
        return None if done.returncode else path.read_bytes()

    def survivors(self, function):
        """{outcome: mutants} of one function."""
        path = self.folder / function.file
        kept = path.read_text()
        whole, killers = self.compile(function.file), []
        found = {TRIED: [], ALIVE: [], SAME: [], REFUSED: []}
        try:
            for mutant in mutants(function):
                path.write_text(kept.replace(function.text, mutant.text))
                made = self.compile(function.file)
                outcome = REFUSED if made is None else \
                    SAME if made == whole else \
                    self.outcome(function.name, killers)
                found[outcome].append(mutant)
        finally:
            path.write_text(kept)
            self.compile(function.file)
        self.link()
        return found

    def outcome(self, name, killers):
        """Whether its own tests see the mistake that is built in; those that
        saw others are tried first, and the quick ones."""
        self.link()
        rest = sorted(set(self.own[name]) - set(killers), key=lambda test:
                      (self.plan["tests"][test]["seconds"], test))
        for test in [*killers, *rest]:
            self.runner.late.clear()
            if self.runner.run_test(test).outcome in KILLS:
                if test in killers:
                    killers.remove(test)
                killers.insert(0, test)
                return TRIED
        return ALIVE


def read_survivors(rung):
    """The Rows of a rung's file."""
    path, rows = SURVIVORS / f"{rung}.txt", []
    for line in path.read_text().splitlines() if path.exists() else ():
        head, _, reason = line.partition("  ## ")
        function, _, mutant = head.partition(": ")
        if line.strip() and not line.startswith("#"):
            rows.append(Row(function.strip(), mutant.strip(), reason.strip()))
    return rows


def mistakes(rows, found):
    """What is wrong with what was found, {function: mutants that live}, by
    the Rows, as text."""
    known = {(row.function, row.mutant): row for row in rows if row.mutant}
    wrong = [f"{name}: lives, and no reason is given: {mutant}"
             for name, alive in found.items() for mutant in alive
             if not known.get((name, mutant), Row("")).reason]
    return wrong + [
        f"{name}: does not live any more: {mutant}"
        for name, mutant in known if name in found
        and mutant not in found[name]]


def key_of(files, function, own, keys):
    """A name for all that a function's result depends on."""
    programs = sorted({test.partition(":")[0] for test in own})
    tools = [(HERE / name).read_text() for name in ("mutants.py",)]
    return sha([FORMAT, tools, files[function.file].text, own,
                [keys[program] for program in programs]])


def try_rung(rung, files, only=(), say=progress):
    """{function: the mutants that live, as text} of these functions; what was
    found before is taken, where nothing has changed."""
    plan = make_plan(rung, files)
    own = {f["name"]: f["own"] for f in plan["functions"]}
    functions = taught_functions(files, only)
    programs = sorted({test.partition(":")[0] for f in functions
                       for test in own[f.name]})
    keys = keys_of(files, list(own), programs)
    keys = {f.name: key_of(files, f, own[f.name], keys) for f in functions}
    results = read_results(rung)
    todo = [f for f in functions
            if results.get(f.name, {}).get("key") != keys[f.name]]
    if todo:
        with tempfile.TemporaryDirectory(prefix="rung-mutants-") as folder:
            mutation = Mutation(files, plan, folder, sorted({
                test.partition(":")[0] for f in todo for test in own[f.name]}))
            mutation.build()
            for number, function in enumerate(todo, 1):
                say(f"{rung} {number}/{len(todo)} {function.name}")
                found = mutation.survivors(function)
                results[function.name] = {
                    "key": keys[function.name],
                    "counts": {kind: len(each)
                               for kind, each in found.items()},
                    "alive": [str(mutant) for mutant in found[ALIVE]]}
                write_results(rung, results)
            say("")
    return {f.name: results[f.name] for f in functions}


def read_results(rung):
    path = RESULTS / f"{rung}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def write_results(rung, results):
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{rung}.json"
    path.with_suffix(".new").write_text(json.dumps(results, indent=1))
    path.with_suffix(".new").replace(path)


def report(found, rows, out=sys.stdout):
    """A line a function, then those that live without a reason."""
    wrong = mistakes(rows, {name: result["alive"]
                            for name, result in found.items()})
    for name, result in found.items():
        counts = result["counts"]
        print(f"{name}: {counts[TRIED]} killed, {counts[ALIVE]} live, "
              f"{counts[SAME]} are the same code, "
              f"{counts[REFUSED]} do not compile", file=out)
    print("\n".join(wrong), file=out)
    return wrong


def check_rung(rung, files):
    """What is wrong with the functions that survivors/ names, as text; says
    how many were looked at."""
    rows = read_survivors(rung)
    taught = [f.name for f in taught_functions(files)]
    names = list(dict.fromkeys(row.function for row in rows))
    wrong = [f"survivors/{rung}.txt: {name} is not taught in this rung"
             for name in names if name not in taught]
    known = [name for name in names if name in taught]
    found = try_rung(rung, files, known) if known else {}
    print(f"{rung}: mutants of {len(known)} of {len(taught)} functions, "
          f"{sum(len(each['alive']) for each in found.values())} live",
          flush=True)
    return wrong + mistakes(rows, {name: result["alive"]
                                   for name, result in found.items()})


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rungs", nargs="*")
    parser.add_argument("--only", default="")
    parser.add_argument("--report", action="store_true",
                        help="on all functions, or these; else what "
                             "survivors/ names is checked")
    options = parser.parse_args(arguments)
    ladder, wrong = read_ladder(), []
    for rung in [find_rung(ladder, name) for name in options.rungs] or ladder:
        if options.report:
            found = try_rung(rung, ladder[rung], options.only.split())
            wrong += report(found, read_survivors(rung))
        else:
            wrong += check_rung(rung, ladder[rung])
    if not options.report:
        print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Stop as stop:
        sys.exit(f"course: {stop}")
