"""The plan of a rung's course: its functions in order, the own tests of
each, and what every test calls.  Made by running all tests, which takes a
minute; kept in build/course until the rung changes.
"""

import hashlib
import json

from calls import find_calls
from functions import taught_functions
from graph import TestCode, callees
from own import Own
from tree import HERE, ROOT, lineage_of

STORE = ROOT / "build/course"
FORMAT = "1"  # goes up when plans of older tools must not be used


def make_plan(rung, files, only=(), programs=None, store=None,
              flags="-O2"):
    """The plan of a rung; with `only`, of these files or functions; with
    `programs`, as if these were all tests."""
    functions = taught_functions(files)
    found = kept(store or STORE, rung, files, programs, lambda: find_calls(
        files, functions, programs, flags))
    chosen = [f.name for f in taught_functions(files, only)]
    return assemble(rung, files, functions, found, only, chosen)


def assemble(rung, files, functions, found, only, chosen):
    """The plan itself, plain data."""
    names = [function.name for function in functions]
    calls = {test: called for test, (called, _) in found.items()}
    called = callees(files, names)
    code = TestCode(files)
    words = {test: code.words(test) for test in calls}
    own = Own(functions, calls, words, called).all()
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


def kept(store, rung, files, programs, find):
    """What `find` finds, from the store where nothing has changed."""
    tools = hashlib.sha256(b"".join(
        path.read_bytes() for path in sorted(HERE.rglob("*"))
        if path.suffix in (".c", ".h", ".mk") or path.name in (
            "given.txt", "calls.py", "bodies.py", "functions.py")))
    key = hashlib.sha256(json.dumps(
        [FORMAT, rung, digest(files), programs,
         tools.hexdigest()]).encode()).hexdigest()[:16]
    path = store / f"{rung}-{key}.json"
    if path.exists():
        return json.loads(path.read_text())
    found = {test: list(row) for test, row in find().items()}
    store.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(found))
    fresh.replace(path)
    return found
