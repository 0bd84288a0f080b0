#!/usr/bin/env python3
"""The labs: parts of a rung that are a week's work.

    python3 labs.py     a table of them, in Markdown
"""

import re
from dataclasses import dataclass

from functions import only_of, taught_functions
from tree import HERE, Stop, find_rung, read_ladder

LABS = HERE / "labs.txt"
LINE = re.compile(r"(\S+)\s+(\S+)\s+(\d+)\s+(\S[^#]*?)\s*#\s*(\S.*)")


@dataclass(frozen=True)
class Lab:
    """A line of labs.txt."""

    name: str
    rung: str
    hours: int
    only: tuple
    about: str


def read_labs(path=LABS):
    """{name: Lab}, in the file's order."""
    labs = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = LINE.fullmatch(line.strip())
        if not found:
            raise Stop(f"{path.name}:{number}: expected NAME RUNG HOURS "
                       "FILE…  # what it is about")
        name, rung, hours, only, about = found.groups()
        labs[name] = Lab(name, rung, int(hours), tuple(only.split()), about)
    return labs


def find_lab(name):
    labs = read_labs()
    if name not in labs:
        raise Stop(f"there is no lab {name}; there are {' '.join(labs)}")
    return labs[name]


def sizes(labs, ladder):
    """{name: (how many functions the lab has, how many lines their bodies)};
    what a rung teaches is looked up once."""
    taught = {rung: taught_functions(ladder[find_rung(ladder, rung)])
              for rung in dict.fromkeys(lab.rung for lab in labs.values())}
    found = {}
    for name, lab in labs.items():
        functions = only_of(taught[lab.rung], lab.only)
        found[name] = len(functions), sum(f.body_lines for f in functions)
    return found


def table(labs, ladder):
    """The labs as a table."""
    rows = ["| lab | rung | what it is about | functions | lines | hours |",
            "|------------|-----|------------------------|--------:|-----:"
            "|-----:|"]
    for name, (functions, lines) in sizes(labs, ladder).items():
        lab = labs[name]
        rows.append(f"| {name} | {lab.rung} | {lab.about} | "
                    f"{functions} | {lines} | {lab.hours} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table(read_labs(), read_ladder()))
