"""Prints grades: as tables, as JSON, as CSV."""

import csv
import json

from tree import ROOT  # and finds the kit
from verdicts import BROKEN, FAIL, MISSING, PASS, UNKNOWN, WAIT, groups
from words import explain

COLUMNS = {"pass": (PASS,), "fail": (FAIL, BROKEN), "wait": (WAIT,),
           "not written": (MISSING,), "not tested": (UNKNOWN,)}
SAYS = {PASS: "passes", FAIL: "FAILS", WAIT: "waits",
        MISSING: "is not written", BROKEN: "does not compile",
        UNKNOWN: "was not tested"}


def as_table(grades, out):
    """A table of what does not pass for each submission, then one line for
    each."""
    for grade in grades:
        print_details(grade, out)
    width = max([len(grade.name) for grade in grades] + [10])
    head = "".join(f"  {name:>4}" for name in COLUMNS)
    print(f"{'submission':{width}}  functions{head}".rstrip(), file=out)
    for grade in grades:
        counts = "".join(f"{count(grade, kinds):{2 + max(4, len(name))}}"
                         for name, kinds in COLUMNS.items())
        print(f"{grade.name:{width}}{len(grade.verdicts):11}{counts}",
              file=out)


def count(grade, kinds):
    return sum(v.kind in kinds for v in grade.verdicts)


def print_details(grade, out):
    """What a teacher wants to see of one: each function that does not pass,
    but for those not written, with the first difference."""
    print(grade.name + (f" ({assignment(grade)})" if grade.rung else ""),
          file=out)
    for note in grade.notes:
        print(f"  {note}", file=out)
    for group in groups(grade.verdicts):
        names = ", ".join(verdict.name for verdict in group)
        fails = "FAILS" if len(group) == 1 else "FAIL together"
        print(f"  {group[0].file}: {names} {fails}", file=out)
        for words in first_difference(group[0], grade):
            print(f"      {words}", file=out)
    for verdict in grade.verdicts:
        if verdict.kind not in (PASS, MISSING, FAIL):
            print("  " + line(verdict), file=out)
    print(file=out)


def assignment(grade):
    return grade.rung + (": " + " ".join(grade.only) if grade.only else "")


def line(verdict):
    text = f"{verdict.file}: {verdict.name} {SAYS[verdict.kind]}"
    if verdict.kind == WAIT:
        return text + f" for {', '.join(verdict.on)}"
    return text + f" ({verdict.passed} of {verdict.tests} tests)"


def first_difference(verdict, grade):
    """What the first failed test says."""
    if verdict.kind != FAIL:
        return []
    test = verdict.failures[0]
    return [test.partition(":")[2], *explain(grade.results[test],
                                                 ROOT / grade.rung)]


def rows(grade):
    """A row for each function, plain data; one without a function for what
    could not be graded."""
    if not grade.verdicts:
        return [{"submission": grade.name, "rung": grade.rung, "file": "",
                 "function": "", "verdict": "not graded", "tests_passed": 0,
                 "tests": 0, "waits_for": "",
                 "difference": "", "notes": "; ".join(grade.notes)}]
    return [{"submission": grade.name, "rung": grade.rung, "file": v.file,
             "function": v.name, "verdict": v.kind, "tests_passed": v.passed,
             "tests": v.tests, "waits_for": " ".join(v.on),
             "difference": "; ".join(first_difference(v, grade)),
             "notes": "; ".join(note for note in grade.notes
                                if note.startswith(v.file))}
            for v in grade.verdicts]


def as_json(grades, out):
    json.dump([{"submission": grade.name, "rung": grade.rung,
                "only": grade.only, "notes": grade.notes,
                "functions": len(grade.verdicts),
                **{name.replace(" ", "_"): count(grade, kinds)
                   for name, kinds in COLUMNS.items()},
                "verdicts": rows(grade)} for grade in grades], out, indent=1)
    out.write("\n")


def as_csv(grades, out):
    every = [row for grade in grades for row in rows(grade)]
    names = list(every[0]) if every else ["submission"]
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(every)


FORMATS = {"table": as_table, "json": as_json, "csv": as_csv}
