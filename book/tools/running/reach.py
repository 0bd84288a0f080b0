"""Which tests a change of a rung can reach: the others say what they said.

A test program runs only what its own object needs, and what that needs in
turn, by name.  A source that is compiled once for each instruction set has
several objects, x.avx2.o beside x.neon.o: they count as one.  A program that
can start programs may start ./rung, and then runs
what that needs, too.
"""

import re
import subprocess

from reading.sources import is_c

from rooms import is_program, name_of

SYMBOL = re.compile(r"^(?:.*/)?([\w.-]+)\.o:(?: *[0-9a-f]+)? +"
                    r"([A-Za-z]) (\S+)$", re.M)
# What starts another program.
STARTS = re.compile(r"system|popen|exec[lv]\w*|fexecve|posix_spawnp?")
# A file that is part of another's object, or that runs without being called.
HIDDEN = re.compile(r'#\s*include\s+".*\.c"|\b__?constructor\b|\bconstructor\b'
                    r"|\bifunc\b")
TESTS = re.compile(r"^TESTS\s*=", re.M)  # the Makefile takes a list of them
WORD = re.compile(r"\w+")
PLAIN = "build/plain"


def objects(files):
    """The objects of a rung's tests, as the Makefile calls them; none where
    it does not take a list of tests."""
    if not TESTS.search(files["Makefile"].text):
        return []
    return [f"{PLAIN}/{stem_of(path)}.o" for path in sorted(files, key=name_of)
            if is_test_program(path)]


def is_test_program(path):
    """Whether a file is the source of a test program."""
    return bool(re.fullmatch(r"test_\w+\.c", name_of(path)))


def survey(files, folder):
    """(test programs, {object: objects that it needs}, the objects that start
    programs), which is the same for all changes of a rung; None: it is not
    known.  `files` are the rung's, `folder` a copy with all objects built."""
    tests = [stem_of(path) for path in objects(files)]
    if not tests or hides(files):
        return None
    return tests, *read_objects(folder / PLAIN, set(map(stem_of, files)))


def tests_reached(known, changed):
    """The test programs, as the Makefile calls them, that could behave
    otherwise when these program files change, by the rung's survey; None:
    that is not known."""
    if known is None or not all(map(is_program, changed)):
        return None
    tests, needs, starts = known
    stems = set(map(stem_of, changed))
    program = stems & reached("main", needs)
    return [f"{PLAIN}/{test}" for test in tests
            if stems & (found := reached(test, needs))
            or program and starts & found]


def stem_of(path):
    """bpe of tokenizer/bpe/bpe.c, of build/plain/bpe.o or bpe.avx2.o."""
    return name_of(path).partition(".")[0]


def hides(files):
    """Whether some file may run what no name leads to."""
    return any(is_c(path) and file.text and HIDDEN.search(file.text)
               for path, file in files.items())


def read_objects(folder, stems):
    """({object: objects that it needs}, the objects that start programs), of
    those with these stems: what a file that is gone has left is no part."""
    names = subprocess.run(
        ["nm", "-A", *sorted(str(path) for path in folder.glob("*.o")
                             if stem_of(path.name) in stems)], check=True,
        capture_output=True, text=True).stdout
    rows = [(stem_of(home), kind, symbol)
            for home, kind, symbol in SYMBOL.findall(names)]
    homes = {symbol: home for home, kind, symbol in rows
             if (kind.isupper() or kind in "iu") and kind != "U"
             and not home.startswith(("test_", "bench_"))}
    needs, starts = {}, set()
    for home, kind, symbol in rows:
        if kind in "Uwv":
            if symbol in homes:
                needs.setdefault(home, set()).add(homes[symbol])
            if STARTS.fullmatch(symbol):
                starts.add(home)
    return needs, starts


def reached(start, needs):
    """An object and all that it needs."""
    found, ahead = set(), [start]
    while ahead:
        one = ahead.pop()
        if one not in found:
            found.add(one)
            ahead += needs.get(one, ())
    return found
