"""What differs between two rungs, in the order in which a reader wants it:
by the steps of LINEAGE between neighbours, else by kind."""

from collections import namedtuple
from difflib import SequenceMatcher

from reading.sources import ROOT  # noqa: F401  (finds the lineage tools)
from support.mistakes import Wrong

from declarations import CHANGED, NEW, REMOVED
from diff import in_steps

CONTEXT = 3  # lines shown around a change

# Differences that belong together, under a title.
Group = namedtuple("Group", "title rows")


def groups(sources, lower, upper):
    """The Groups of Rows between two rungs."""
    rows = sources.differences(lower, upper)
    lineage = sources.lineage(upper)
    if lineage and lineage.origin == lower and not lineage.problems:
        return [Group(group.title or lineage.idea, group.rows)
                for group in in_steps(lineage, rows)]
    kinds = ((CHANGED, "Changed"), (NEW, "New"), (REMOVED, "Gone"))
    found = [Group(title, [row for row in rows if row.verb == verb])
             for verb, title in kinds]
    return [group for group in found if group.rows]


def idea(sources, lower, upper):
    """The upper rung's idea when the lower is the one below it, or ""."""
    lineage = sources.lineage(upper)
    return lineage.idea if lineage and lineage.origin == lower else ""


def lines_of(region):
    """A region's lines, without blank ones around."""
    return region.text.strip("\n").split("\n") if region else []


def signed(row):
    """[(sign, line)] of a changed region: "+", "-", " ", or "…" where equal
    lines are left out."""
    old, new = lines_of(row.lower), lines_of(row.upper)
    matcher = SequenceMatcher(None, old, new, False)
    result, end = [], 0
    for group in matcher.get_grouped_opcodes(CONTEXT):
        if group[0][1] > end:
            result.append(("…", ""))
        for what, i, j, k, m in group:
            if what == "equal":
                result += [(" ", line) for line in old[i:j]]
            else:
                result += [("-", line) for line in old[i:j]]
                result += [("+", line) for line in new[k:m]]
        end = group[-1][2]
    if result and end < len(old):
        result.append(("…", ""))
    return result


def counts(rows):
    """{"+": lines added, "-": lines removed} by some Rows of text."""
    total = {"+": 0, "-": 0}
    for row in rows:
        if row.verb == CHANGED:
            for sign, _ in signed(row):
                if sign in total:
                    total[sign] += 1
        elif row.verb == NEW:
            total["+"] += len(lines_of(row.upper))
        else:
            total["-"] += len(lines_of(row.lower))
    return total


def home(sources, rung, path):
    """The lowest rung from which a file came up unchanged to `rung`."""
    below = sources.below(rung)
    while below and sources.ladder[below].get(path) == \
            sources.ladder[rung][path]:
        rung, below = below, sources.below(below)
    return rung


def regions(sources, path):
    """{name: Region} of a C file; empty for one beyond the lineage tools'
    limits, which `make lineage` names."""
    try:
        return sources.regions(path)
    except Wrong:
        return {}


def spoken(name):
    """A region's name as a reader would say it: struct state, rmsnorm."""
    kind, colon, rest = name.partition(":")
    if name == "top":
        return "the top of the file"
    if not colon:
        return name
    return f"{kind} {rest}" if kind in ("struct", "enum", "union") else rest
