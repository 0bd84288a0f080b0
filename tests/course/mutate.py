#!/usr/bin/env python3
"""make course-mutants: does each function's own tests see its mistakes?

    python3 mutate.py [RUNG…] --report [--only FILE-or-FUNCTION…] [--keep]
    python3 mutate.py [RUNG…]

Makes the mutants of each function (mutants.py), runs the function's own tests
against each, and prints those that live; or only says what is not as
survivors/ has it: there stand, rung by rung, the functions that were looked
at, and the mutants that may live, with a reason: mostly that no test could see
them.  Any other that lives is a mistake, and so is a line there that has died.

What was found is kept until it may have changed; --keep writes it into
survivors/ too, so that a clone need not find it again, and brings the lists
there up to date.
"""

import argparse
import functools
import json
import os
import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass

from asked import asked_functions
from crowd import Crowd, Task
from keep import STORE, keys_of, sha
from functions import taught_functions
from mutants import mutants
from mutation import ALIVE, HANGS, KILLED, REFUSED, SAME, Mutation
from plan import make_plan
from tree import HERE, Stop, find_rung, read_ladder
from showing import progress

SURVIVORS = HERE / "survivors"
RESULTS = STORE / "mutants"
FORMAT = "2"
ANY = "…"
ASKED = "asked"   # any function that is only asked whether it failed
OPEN = "open"     # so begins the reason of one that a test should see
UNKNOWN = "unknown"
LETTERS = {KILLED: "k", HANGS: "h", ALIVE: "a", SAME: "s", REFUSED: "r",
           UNKNOWN: "."}
WORDS = {letter: word for word, letter in LETTERS.items()}


@dataclass
class Row:
    """A line of a file in survivors/: a function that was looked at, or one
    mutant of it that may live, and why; or, with the function ANY, every
    mutant that reads like this, whatever stands for ANY; with ASKED, of those
    of the functions alone."""

    function: str
    mutant: str = ""
    reason: str = ""
    functions: frozenset = frozenset()

    def covers(self, function, mutant):
        """Whether it gives the reason of a mutant of more than one
        function."""
        return (self.function == ANY or self.function == ASKED
                and function in self.functions) and bool(re.fullmatch(
                    ".*".join(map(re.escape, self.mutant.split(ANY))),
                    mutant))

    @property
    def is_general(self):
        return self.function in (ANY, ASKED)

    @property
    def is_open(self):
        return self.reason.startswith(OPEN)


def read_survivors(rung):
    """The Rows of a rung's file, and of all rungs'."""
    general = read_rows_of("all.txt")
    for row in general:
        if row.function == ASKED:
            row.functions = asked_of_rung(rung)
    return read_rows_of(f"{rung}.txt") + general


@functools.lru_cache(maxsize=None)
def asked_of_rung(rung):
    """The names of the rung's functions that are only asked."""
    return frozenset(asked_functions(read_ladder().get(rung, {})))


def read_rows_of(name):
    path, rows = SURVIVORS / name, []
    for line in path.read_text().splitlines() if path.exists() else ():
        head, _, reason = line.partition("  ## ")
        function, _, mutant = head.partition(": ")
        if line.strip() and not line.startswith("#"):
            rows.append(Row(function.strip(), mutant.strip(), reason.strip()))
    return rows


def unseen(rung, names):
    """{function: how many small mistakes its own tests should see and do not},
    of these, where there are any; None where none was tried.  Nothing of a
    rung that has no list."""
    rows = read_survivors(rung)
    tried = {row.function for row in rows if not row.is_general}
    counts = Counter(
        row.function for row in rows if row.mutant
        and (row_of(rows, row.function, row.mutant) or NONE).is_open)
    return {name: counts[name] if name in tried else None for name in names
            if tried and (counts[name] or name not in tried)}


def write_survivors(rung, found, names):
    """Bring a rung's file up to date, function by function in the order of
    `names`: what died is taken out, and what lives without a reason comes in
    as open.  What is known of a function that was not tried stays."""
    path, rows = SURVIVORS / f"{rung}.txt", read_survivors(rung)
    head = [line for line in path.read_text().splitlines()
            if line.startswith("#")] if path.exists() else []
    lines = []
    for name in names:
        outcomes = found.get(name, {})
        if name not in found or UNKNOWN in outcomes.values():
            known = [row for row in rows if row.function == name]
            lines += [line_of(row) for row in known]
            continue
        lines.append(name)
        lines += [line_of(row_of(rows, name, mutant) or Row(
            name, mutant, f"{OPEN}: no test of its own sees it yet"))
            for mutant, outcome in outcomes.items() if outcome == ALIVE
            and not (row_of(rows, name, mutant) or NONE).is_general]
    path.write_text("\n".join([*head, "", *lines, ""]))


def line_of(row):
    return f"{row.function}: {row.mutant}  ## {row.reason}" if row.mutant \
        else row.function


def row_of(rows, function, mutant):
    """The Row that gives a mutant's reason, or None: its own, one of many,
    or that it is open."""
    own = next((row for row in rows if row.reason
                and (row.function, row.mutant) == (function, mutant)), None)
    if own and not own.is_open:
        return own
    return next((row for row in rows if row.covers(function, mutant)), own)


def mistakes(rows, found):
    """What is wrong with what was found, {function: {mutant: outcome}}, by
    the Rows, as text."""
    wrong = [f"{name}: lives, and no reason is given: {mutant}"
             for name, outcomes in found.items()
             for mutant, outcome in outcomes.items()
             if outcome == ALIVE and not row_of(rows, name, mutant)]
    return wrong + [
        f"{row.function}: does not live any more: {row.mutant}"
        for row in rows if row.mutant and row.reason and row.function in found
        and found[row.function].get(row.mutant) not in (ALIVE, SAME, UNKNOWN)]


NONE = Row("")


def key_of(files, function, own, keys):
    """A name for all that a function's result depends on."""
    programs = sorted({test.partition(":")[0] for test in own})
    tools = [(HERE / name).read_text() for name in ("mutants.py",)]
    return sha([FORMAT, tools, files[function.file].text, own,
                [keys[program] for program in programs]])


class Results:
    """What is known of a rung's mutants: of each function a letter a mutant,
    until what it depends on changes."""

    def __init__(self, rung, files, only=()):
        self.rung, self.files = rung, files
        self.plan = make_plan(rung, files)
        self.own = {f["name"]: f["own"] for f in self.plan["functions"]}
        self.functions = taught_functions(files, only)
        self.mutants = {f.name: mutants(f) for f in self.functions}
        self.keys = self.find_keys()
        self.rows = read_rows(RESULTS / f"{rung}.json")
        for name in self.keys:
            if not self.is_known(name):
                self.rows[name] = {
                    "key": self.keys[name],
                    "found": LETTERS[UNKNOWN] * len(self.mutants[name])}
        self.adopt(read_rows(SURVIVORS / f"{rung}.json"))

    def find_keys(self):
        programs = sorted({test.partition(":")[0] for f in self.functions
                           for test in self.own[f.name]})
        keys = keys_of(self.files, list(self.own), programs)
        return {f.name: key_of(self.files, f, self.own[f.name], keys)
                for f in self.functions}

    def is_known(self, name, rows=None):
        """Whether these rows, or its own, are of what the function is now."""
        row = (self.rows if rows is None else rows).get(name, {})
        return row.get("key") == self.keys[name]

    def adopt(self, rows):
        """Take over what these rows know and its own do not."""
        for name in self.keys:
            if self.is_known(name, rows) and self.unknown(name):
                self.rows[name] = rows[name]

    def unknown(self, name):
        """The numbers of the mutants that were not tried."""
        return [i for i, letter in enumerate(self.rows[name]["found"])
                if letter == LETTERS[UNKNOWN]]

    def tasks(self):
        """What is to be done, as Tasks."""
        return [task for f in self.functions
                for task in Task.cut(self.rung, f, self.unknown(f.name),
                                     sum(self.plan["tests"][test]["seconds"]
                                         for test in self.own[f.name]))]

    def programs(self, tasks):
        return sorted({test.partition(":")[0] for task in tasks
                       for test in self.own[task.function.name]})

    def put(self, task, outcomes):
        """Keep what a Task has found."""
        row = self.rows[task.function.name]
        letters = list(row["found"])
        for number, outcome in zip(task.numbers, outcomes):
            letters[number] = LETTERS[outcome]
        row["found"] = "".join(letters)
        write_rows(RESULTS / f"{self.rung}.json", self.rows)

    def outcomes(self):
        """{function: {mutant: outcome}}."""
        return {name: {str(mutant): WORDS[letter] for mutant, letter in
                       zip(found, self.rows[name]["found"])}
                for name, found in self.mutants.items()}


def read_rows(path):
    return json.loads(path.read_text()) if path.exists() else {}


def write_rows(path, rows):
    """A line a function."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_suffix(".new").write_text("{\n" + ",\n".join(
        f"{json.dumps(name)}: {json.dumps(row)}"
        for name, row in sorted(rows.items())) + "\n}\n")
    path.with_suffix(".new").replace(path)


def find_out(every, jobs=None, seconds=None, say=progress, kind=Mutation):
    """Try what these Results do not know, at most for so many seconds, in
    copies of this kind; why some could not be, as text."""
    tasks = [task for results in every for task in results.tasks()]
    by_rung = {results.rung: results for results in every}
    with tempfile.TemporaryDirectory(prefix="rung-mutants-") as folder:
        crowd = Crowd(folder, jobs or os.cpu_count() or 1, kind)
        for results in every:
            if results.tasks():
                crowd.prepare(results, say)
        for n, (task, outcomes) in enumerate(crowd.run(tasks, seconds), 1):
            by_rung[task.rung].put(task, outcomes)
            say(f"{n}/{len(tasks)}: {task.rung} {task.function.name}")
    say("")
    return list(dict.fromkeys(crowd.wrong))


def keep_found(results, found):
    """Write what these Results have found into survivors/."""
    path, names = SURVIVORS / f"{results.rung}.json", list(results.own)
    known = {**read_rows(path), **{name: results.rows[name] for name in found}}
    write_rows(path, {name: known[name] for name in names if name in known})
    write_survivors(results.rung, found, names)


def show(found):
    """A line a function."""
    for name, outcomes in found.items():
        n = Counter(outcomes.values())
        print(f"{name}: {n[KILLED]} killed, {n[HANGS]} hang, {n[ALIVE]} live, "
              f"{n[SAME]} are the same code, {n[REFUSED]} do not compile"
              + (f", {n[UNKNOWN]} are to be tried" if n[UNKNOWN] else ""))


def summary(rung, found, rows, taught):
    """A line about a rung."""
    n = Counter(each for outcomes in found.values()
                for each in outcomes.values())
    open_ones = sum(
        outcome == ALIVE and (row_of(rows, name, mutant) or NONE).is_open
        for name, outcomes in found.items()
        for mutant, outcome in outcomes.items())
    return (f"{rung}: {len(found)} of {taught} functions; of "
            f"{n[KILLED] + n[HANGS] + n[ALIVE]} mutants {n[KILLED]} are "
            f"killed, {n[HANGS]} hang, {n[ALIVE]} live, {open_ones} of them "
            "open" + (f"; {n[UNKNOWN]} are to be tried" if n[UNKNOWN] else ""))


def looked_at(rung, files):
    """(the functions that a rung's file in survivors/ names, what is wrong
    with these names)."""
    taught = [f.name for f in taught_functions(files)]
    names = list(dict.fromkeys(row.function for row in read_survivors(rung)
                               if not row.is_general))
    return ([name for name in names if name in taught],
            [f"survivors/{rung}.txt: {name} is not taught in this rung"
             for name in names if name not in taught])


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rungs", nargs="*")
    parser.add_argument("--only", default="")
    parser.add_argument("--report", action="store_true",
                        help="on all functions, or these; else what "
                             "survivors/ names is checked")
    parser.add_argument("--keep", action="store_true",
                        help="what was found, in survivors/")
    parser.add_argument("--jobs", type=int, help="else one a processor")
    parser.add_argument("--seconds", type=float, help="then nothing more is "
                        "begun; the next call goes on")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = options_of(arguments)
    ladder, wrong, every = read_ladder(), [], []
    for rung in [find_rung(ladder, name) for name in options.rungs] or ladder:
        only = options.only.split()
        if not options.report:
            only, lost = looked_at(rung, ladder[rung])
            wrong += lost
        if only or options.report:
            every.append(Results(rung, ladder[rung], only))
    wrong += find_out(every, options.jobs, options.seconds)
    for results in every:
        found = results.outcomes()
        if options.report:
            show(found)
        rows = read_survivors(results.rung)
        print(summary(results.rung, found, rows, len(results.own)),
              flush=True)
        wrong += [f"{results.rung}: {line}" for line in mistakes(rows, found)]
        if options.keep:
            keep_found(results, found)
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Stop as stop:
        sys.exit(f"course: {stop}")
