#!/usr/bin/env python3
"""The plan of a rung's course: its functions in order, the own tests of
each, and what every test calls.  Made by running all tests, which takes
minutes; keep.py keeps what was found.

    python3 plan.py [RUNG…]     what is out of date in plans/, found anew
"""

import hashlib
import sys

from calls import find_calls
from copies import test_programs
from functions import taught_functions
from graph import TestCode, callees
from keep import COMMITTED, STORE, kept, stale
from own import Own
from stages import later_tests
from tree import Stop, find_rung, lineage_of, read_ladder


def make_plan(rung, files, only=(), programs=None, stores=None,
              flags="-O2", plain=False):
    """The plan of a rung; with `only`, of these files or functions; with
    `programs`, as if these were all tests; `plain`, in two stages."""
    functions = taught_functions(files)
    found = kept(rung, files, [f.name for f in functions],
                 programs or test_programs(files),
                 lambda unknown: find_calls(files, functions, unknown, flags),
                 stores or [STORE, COMMITTED])
    chosen = [f.name for f in taught_functions(files, only)]
    plan = assemble(rung, files, functions, found, only, chosen)
    return {**plan, "later": later_tests(plan["tests"]) if plain else []}


def assemble(rung, files, functions, found, only, chosen):
    """The plan itself, plain data."""
    names = [function.name for function in functions]
    calls = {test: called for test, (called, _) in found.items()}
    called = callees(files, names)
    code = TestCode(files)
    words = {test: code.words(test) for test in calls}
    said = {test: code.comment(test) for test in calls}
    own = Own(functions, calls, words, called, said).all()
    needed = set(chosen)
    lineage = lineage_of(files)
    return {
        "rung": rung, "only": list(only), "digest": digest(files),
        "idea": lineage.idea if lineage else "",
        "functions": [
            {"name": f.name, "file": f.file, "static": f.is_static,
             "own": own[f.name],
             "calls": [name for name in called[f.name] if name in needed]}
            for f in functions if f.name in needed],
        "tests": {
            test: {"calls": [name for name in called if name in needed],
                   "seconds": seconds}
            for test, (called, seconds) in found.items()
            if needed & set(called)},
    }


def digest(files):
    """A name for exactly these files."""
    sha = hashlib.sha256()
    for path in sorted(files):
        sha.update(f"{path}\0{files[path].mode}\0".encode())
        sha.update(files[path].data + b"\0")
    return sha.hexdigest()[:16]


def renew(rung, files):
    """Bring a rung's file in plans/ up to date; what to say about it."""
    names = [function.name for function in taught_functions(files)]
    old = stale(rung, files, names, test_programs(files), COMMITTED)
    if old:
        make_plan(rung, files, stores=[COMMITTED, STORE])
    return f"{rung}: {len(old)} test programs found anew"


def main(names):
    ladder = read_ladder()
    for rung in [find_rung(ladder, name) for name in names] or ladder:
        print(renew(rung, ladder[rung]), flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Stop as stop:
        sys.exit(f"course: {stop}")
