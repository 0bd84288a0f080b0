"""With PLAIN=1: which tests are of the reading model's family, and which of
the others, a second stage."""

from dataclasses import dataclass
from fnmatch import fnmatchcase

from tree import HERE, Stop

LATER = HERE / "later.txt"


@dataclass(frozen=True)
class Row:
    """A line of later.txt: of this program, the tests that match one of
    `these` and none of `but`."""

    program: str
    these: tuple
    but: tuple
    line: int

    def covers(self, test):
        program, _, name = test.partition(":")
        return program == self.program and \
            any(fnmatchcase(name, pattern) for pattern in self.these) and \
            not any(fnmatchcase(name, pattern) for pattern in self.but)


def read_later(path=LATER):
    """The Rows of later.txt."""
    rows = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words, _, reason = line.partition("#")
        program, *names = words.split() or [""]
        if program and not (names and reason.strip()):
            raise Stop(f"{path.name}:{number}: expected PROGRAM TEST…  # why")
        if program:
            rows.append(Row(
                program, tuple(n for n in names if not n.startswith("-")),
                tuple(n[1:] for n in names if n.startswith("-")), number))
    return rows


def later_tests(tests, rows=None):
    """Those of these tests that are of the second stage."""
    rows = read_later() if rows is None else rows
    return [test for test in tests if any(row.covers(test) for row in rows)]


def stale_rows(tests, rows):
    """The rows that cover none of these, all rungs' tests, as text."""
    return [f"later.txt:{row.line}: {row.program} has no such test"
            for row in rows if not later_tests(tests, [row])]
