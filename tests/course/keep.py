"""Keeps what is known of a rung's tests, which test calls what: program by
program, until what a program is made of changes.

Two places are asked: build/course, which every `make course` fills, and
plans/, which is committed and renewed by `make course-plans`.  A file of either
is {"functions": names, "programs": {program: {"key": of what it is made,
"tests": {name: [calls, seconds]}}}}, in which the calls are a text, the number
in hexadecimal whose bit i stands for function i; or a number, which says that
they are those of the test at this place in the program, from 0 on.
"""

import hashlib
import json
import os

from graph import words_of
from own import STARTS_PROGRAMS
from part import Needs
from tree import DECLARATION, HERE, KIT, ROOT, find, is_program, is_test

STORE = ROOT / "build/course"
COMMITTED = HERE / "plans"
FORMAT = "2"  # goes up when plans of older tools must not be used
SHARED = ("checkpoints", "checkpoints/goldens", "models", "tokenizers")
TOOLS = ("calls.py", "bodies.py", "called.h", "list_tests.c")


def kept(rung, files, names, programs, find_calls, stores):
    """{test: [calls, seconds]} of these programs: kept, or found anew by
    `find_calls`(programs), and then kept in the first of the stores."""
    keys = keys_of(files, names, programs)
    rows = [read(store / f"{rung}.json", keys) for store in stores]
    known = {program: row for kept in reversed(rows)
             for program, row in kept.items()}
    unknown = [program for program in programs if program not in known]
    if unknown:
        known.update(by_program(find_calls(unknown), unknown, names))
    if len(rows[0]) < len(programs):
        write(stores[0] / f"{rung}.json", names, keys, known)
    return {test: row for program in programs
            for test, row in known[program].items()}


def stale(rung, files, names, programs, store):
    """The programs of which this store knows nothing, or what was once."""
    keys = keys_of(files, names, programs)
    known = read(store / f"{rung}.json", keys)
    return [program for program in programs if program not in known]


def by_program(found, programs, names):
    """{program: {test: [calls, seconds]}} of {test: (calls, seconds)}; the
    calls in the order of these names."""
    rows = {program: {} for program in programs}
    for test, (calls, seconds) in found.items():
        rows[test.partition(":")[0]][test] = [
            [name for name in names if name in calls], round(seconds, 2)]
    return rows


def read(path, keys):
    """What a file knows of the programs whose keys are still these."""
    if not path.exists():
        return {}
    data = json.loads(path.read_text())
    return {program: {
        f"{program}:{test}": [unpack(calls, data["functions"]), seconds]
        for test, (calls, seconds) in spelled_out(row["tests"]).items()}
        for program, row in data["programs"].items()
        if row["key"] == keys.get(program)}


def spelled_out(tests):
    """{name: [calls, seconds]} with no calls that are said to be another
    test's."""
    rows = list(tests.values())
    return {name: [rows[calls][0] if isinstance(calls, int) else calls,
                   seconds] for name, (calls, seconds) in tests.items()}


def said_once(tests):
    """The same with such: each calls' text stands there once."""
    first = {}
    for i, (calls, _) in enumerate(tests.values()):
        first.setdefault(calls, i)
    return {name: [calls if first[calls] == i else first[calls], seconds]
            for i, (name, (calls, seconds)) in enumerate(tests.items())}


def write(path, names, keys, known):
    """Keep all that is known, a line a program."""
    lines = ",\n".join(
        f"{json.dumps(program)}: " + json.dumps({
            "key": keys[program],
            "tests": said_once({test.partition(":")[2]: [
                pack(calls, names), seconds]
                for test, (calls, seconds) in known[program].items()})})
        for program in sorted(known))
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}")  # others may write it now
    fresh.write_text(f'{{"functions": {json.dumps(names)},\n"programs": '
                     f"{{\n{lines}\n}}}}\n")
    fresh.replace(path)


def pack(calls, names):
    """In hexadecimal, a number whose bits are the functions that are called."""
    places = {name: i for i, name in enumerate(names)}
    return f"{sum(1 << places[name] for name in calls):x}"


def unpack(calls, names):
    bits = int(calls, 16)
    return [name for i, name in enumerate(names) if bits >> i & 1]


def keys_of(files, names, programs):
    """{program: a name for exactly what it is made of}: its files and those
    that they need, all of the program when it starts that; what its tests
    read; the course's own tools, and which functions are taught."""
    common = sha([FORMAT, names, tools(), shared_names(),
                  digests(files, [path for path in files if path != DECLARATION
                                  and not path.endswith((".c", ".h", ".md"))])])
    needs = Needs(files)
    return {program: sha([common, digests(files, made_of(needs, program))])
            for program in programs}


def made_of(needs, program):
    """The C files and headers that a test program is made of, of files of
    which these are the Needs."""
    files = needs.files
    test = find(files, f"{program}.c")
    sources = needs.of([test])
    headers = set().union(*(needs.includes.of(path) for path in sources))
    code = [test, *filter(is_test, headers)]
    if STARTS_PROGRAMS & set().union(*(words_of(files[path].text)
                                       for path in code)):
        sources |= set(filter(is_program, files))
    return sources | headers


def digests(files, paths):
    return [[path, files[path].mode,
             hashlib.sha256(files[path].data).hexdigest()]
            for path in sorted(paths)]


def tools():
    """What finds the calls."""
    return [hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted([*KIT.iterdir(), *HERE.iterdir()])
            if path.name in TOOLS or path.parent == KIT
            and path.suffix in (".c", ".h", ".mk")]


def shared_names():
    """The models that lie beside the rungs: some tests are one for each."""
    return [sorted(path.name for path in (ROOT / "tests" / name).iterdir())
            for name in SHARED]


def sha(value):
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]
