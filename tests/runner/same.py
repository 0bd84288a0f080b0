"""Which test programs of a rung are the same in a rung above it.

A rung is a copy of the one below, so many of its tests are, too.  A test
program is what it is linked from: its own object and those that define what
it calls, and what these call.  It is the same in two rungs when these objects
are equal without their debug information, when the golden files of the lower
rung are those of the upper one, and when it does not run ./rung, which
differs.  What is the same gives the same answers, and need not run twice.
"""

import hashlib
import pathlib
import re
import subprocess
import tempfile

RUNS_THE_PROGRAM = b"./rung"
SYMBOL = re.compile(r"^(.+?): ?(\S+) ([A-Za-z])", re.M)
OF_ANOTHER_PROGRAM = re.compile(r"(test|bench)_|main\.o$")


class Rung:
    """The objects of a rung that is built, in `folder`/`objects`; what a
    source that is gone has left there is none of them."""

    def __init__(self, folder, objects="build/plain"):
        self.folder = folder
        sources = {path.stem for path in folder.rglob("*.c")}
        self.objects = {path.name: path
                        for path in sorted((folder / objects).glob("*.o"))
                        if path.name.partition(".")[0] in sources}
        self.needs, self.owners = self.symbols()
        self.digests = {}

    def symbols(self):
        """{object: what it leaves undefined}, {symbol: where it is}."""
        needs, owners = {name: set() for name in self.objects}, {}
        if not self.objects:
            return needs, owners
        said = subprocess.run(["nm", "-A", "-P", *self.objects.values()],
                              text=True, capture_output=True, check=True)
        for path, symbol, kind in SYMBOL.findall(said.stdout):
            name = pathlib.Path(path).name
            if kind in "Uw":
                needs[name].add(symbol)
            elif kind.isupper() and not OF_ANOTHER_PROGRAM.match(name):
                owners[symbol] = name
        return needs, owners

    def parts(self, program):
        """The names of the objects that a program needs."""
        found, queue = set(), [program + ".o"]
        while queue:
            name = queue.pop()
            if name not in found:
                found.add(name)
                queue += {self.owners[symbol] for symbol in self.needs[name]
                          if symbol in self.owners}
        return sorted(found)

    def digest(self, name):
        """Of an object's bytes without debug information; None when it
        runs ./rung."""
        if name not in self.digests:
            data = without_debug(self.objects[name])
            self.digests[name] = None if RUNS_THE_PROGRAM in data \
                else hashlib.sha256(data).hexdigest()
        return self.digests[name]

    def programs(self):
        """{program: digests of all that it is linked from}."""
        tests = [name[:-2] for name in self.objects
                 if name.startswith("test_")]
        said = {test: [(name, self.digest(name)) for name in self.parts(test)]
                for test in tests}
        return {test: parts for test, parts in said.items()
                if all(digest for _, digest in parts)}

    def goldens(self):
        """{path: digest} of the golden files."""
        folder = self.folder / "golden"
        return {path.relative_to(folder):
                hashlib.sha256(path.read_bytes()).hexdigest()
                for path in folder.rglob("*") if path.is_file()}


def without_debug(path):
    """An object's bytes as far as they are linked into a program."""
    with tempfile.NamedTemporaryFile() as stripped:
        subprocess.run(["objcopy", "--strip-debug", path, stripped.name],
                       check=True, capture_output=True)
        return pathlib.Path(stripped.name).read_bytes()


def same_as_above(folders, objects="build/plain"):
    """{rung: {program: the highest rung with the same}}, for the folders of
    built rungs, lowest first.  Empty where nm or objcopy is missing."""
    same = {folder.name: {} for folder in folders}
    above = []  # (name, programs, goldens), highest first
    try:
        for folder in reversed(folders):
            rung = Rung(folder, objects)
            programs, goldens = rung.programs(), rung.goldens()
            for program, parts in programs.items():
                for name, theirs, files in above:
                    if theirs.get(program) == parts and \
                            goldens.items() <= files.items():
                        same[folder.name][program] = name
                        break
            above.append((folder.name, programs, goldens))
    except (OSError, subprocess.CalledProcessError):
        return {folder.name: {} for folder in folders}
    return same
