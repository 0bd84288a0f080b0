"""Which functions of a rung a student writes, and in which order.

Those are the rung's functions that LINEAGE calls new or changed, all of the
lowest rung's, without those that given.txt keeps.  What stands in a header,
a test or a benchmark is given, always.
"""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

from tree import (CHANGED, HERE, NEW, Stop, cut, is_program, lineage_of,
                  name_of)

GIVEN = HERE / "given.txt"
STATIC = re.compile(r"^static\b", re.MULTILINE)


@dataclass(frozen=True)
class Function:
    """One that is taught: where it stands, and its whole region's text."""

    name: str
    file: str
    text: str
    line: int

    @property
    def is_static(self):
        """Whether only its own file can call it by name."""
        return bool(STATIC.search(self.text.partition("{")[0]))

    @property
    def body_lines(self):
        """How many lines a student writes: those inside the braces."""
        return self.text.partition("{")[2].strip().count("\n")


@dataclass(frozen=True)
class Row:
    """A line of given.txt: of the files that match, these functions (all of
    them, unless some are named)."""

    file: str
    names: tuple
    reason: str
    line: int

    def covers(self, function):
        return fnmatchcase(name_of(function.file), self.file) and \
            (not self.names or function.name in self.names)


def read_given(path=GIVEN):
    """The Rows of given.txt."""
    rows = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        names, _, reason = line.partition("#")
        words = names.split()
        if words and not reason.strip():
            raise Stop(f"{path.name}:{number}: a line needs its reason: add "
                       "\"# why\" at its end")
        if words:
            rows.append(Row(words[0], tuple(words[1:]), reason.strip(),
                            number))
    return rows


def new_functions(files):
    """Every Function of these files of a rung that is new in it or changed,
    in the order of LINEAGE (in the lowest rung, of the files' names)."""
    regions = cut({path: file for path, file in files.items()
                   if is_program(path)})
    lineage = lineage_of(files)
    if lineage is None:
        wanted = [(path, None) for path in sorted(regions)]
    else:
        wanted = [(path, entry.region or None)
                  for entry in lineage.entries if entry.verb in (NEW, CHANGED)
                  for path in sorted(filter(entry.covers, regions))]
    found = {}
    for path, name in wanted:
        for region in regions[path]:
            if region.is_function and name in (None, region.name):
                found[region.name] = Function(
                    region.name, path, region.text, region.start)
    return list(found.values())


def split(functions, rows):
    """(taught, [(function, Row that keeps it)])."""
    taught, given = [], []
    for function in functions:
        row = next((row for row in rows if row.covers(function)), None)
        if row:
            given.append((function, row))
        else:
            taught.append(function)
    return taught, given


def taught_functions(files, only=()):
    """The Functions that a student of this rung writes; with `only`, those
    of these files or with these names."""
    return only_of(split(new_functions(files), read_given())[0], only)


def only_of(taught, only):
    """Of what a rung's course teaches the Functions of these files or with
    these names; all, where none are named."""
    if not only:
        return taught
    for word in only:
        if not any(matches(function, word) for function in taught):
            raise Stop(f"ONLY: {word} is neither a file nor a function that "
                       "this rung's course teaches")
    return [function for function in taught
            if any(matches(function, word) for word in only)]


def matches(function, word):
    return word in (function.name, function.file, name_of(function.file))


def stale_rows(ladder, rows):
    """The rows that keep no function of any rung, as text."""
    used, names = set(), {}
    for files in ladder.values():
        for function, row in split(new_functions(files), rows)[1]:
            used.add(row)
            names.setdefault(row, set()).add(function.name)
    stale = [f"given.txt:{row.line}: {row.file} keeps nothing"
             for row in rows if row not in used]
    return stale + [f"given.txt:{row.line}: {row.file} has no {name}"
                    for row in used for name in row.names
                    if name not in names[row]]


