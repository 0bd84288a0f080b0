#!/usr/bin/env python3
"""make diff: what one rung changes in another, by step and region.

Between neighbours it follows the upper one's LINEAGE; between others it goes
file by file.
"""

import argparse
import os
import sys
from collections import namedtuple
from pathlib import Path

from declarations import CHANGED, NEW, parse
from differ import Painter, show_file, show_region
from differences import by_room, differences, find_region, owns
from problem import Stop
from rooms import find, name_of
from rungs import DECLARATION, is_c, read_tree, repository

# Differences that belong together, under a title.
Group = namedtuple("Group", "title rows")


def main(arguments=None):
    """Print the differences asked for; 1 when there is nothing to look at."""
    options = parse_options(arguments)
    paint = Painter(wants_color(options.color, sys.stdout))
    try:
        for line in report(options, paint):
            print(line)
    except Stop as stop:
        print(f"diff: {stop}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of a pager has seen enough
        sys.stdout = None
    return 0


def parse_options(arguments):
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lower", help="a rung, as m1-loader")
    parser.add_argument("upper", help="another, as m2-forward")
    parser.add_argument("--function", metavar="NAME",
                        help="only this function or region (struct:config)")
    parser.add_argument("--file", help="only this file; a new one in full")
    parser.add_argument("--color", action="store_true",
                        help="colour even when no terminal reads this")
    parser.add_argument("--root", type=Path, default=repository())
    return parser.parse_args(arguments)


def wants_color(forced, stream):
    """Colour is for terminals, unless the user says otherwise."""
    return forced or (stream.isatty() and not os.environ.get("NO_COLOR"))


def report(options, paint):
    """The lines to print."""
    ladder = read_tree(options.root)
    for name in (options.lower, options.upper):
        if name not in ladder:
            raise Stop(f"there is no rung {name}; the rungs are "
                       + ", ".join(ladder))
    lower, upper = ladder[options.lower], ladder[options.upper]
    if options.file and not find({**lower, **upper}, options.file):
        raise Stop(f"neither rung has a file {options.file}")
    if options.function:
        return report_region(options, lower, upper, paint)
    return report_rungs(options, ladder, paint)


def report_region(options, lower, upper, paint):
    """One region, whole, with what changed in it."""
    name = options.function
    found = list(find_region(lower, upper, name, options.file))
    if not found:
        raise Stop(f"neither rung has a function or region {name}")
    lines = []
    for row in found:
        lines += [paint.title(f"{row.path}  {name}"), ""]
        lines += show_region(row, paint, whole=True) or [
            "the same in both rungs"]
        lines.append("")
    return lines


def report_rungs(options, ladder, paint):
    """All differences, or those of one file, in their groups."""
    lower, upper = ladder[options.lower], ladder[options.upper]
    rows = [row for row in differences(lower, upper)
            if options.file in (None, row.path, name_of(row.path))]
    if not rows:
        raise Stop("nothing differs")
    lineage = lineage_of(options.upper, upper)
    lines, seen = [paint.title(f"{options.lower} -> {options.upper}")], set()
    groups = [Group("", rows)]
    if lineage and lineage.origin == options.lower:
        lines = [paint.title(f"{lines[0]}: {lineage.idea}")]
        groups = in_steps(lineage, rows)
    for group in groups:
        lines += ["", paint.step(f"* {group.title}")] if group.title else []
        rooms = by_room(group.rows, lower, upper)
        for room in rooms:
            lines += title_of(room, rooms[0], seen, paint)
            seen.add(room.name)
            for row in room.rows:
                lines += show_row(row, paint, bool(options.file))
    return lines


def lineage_of(rung, files):
    """A rung's Lineage, or None for the lowest."""
    if DECLARATION not in files:
        return None
    return parse(f"{rung}/{DECLARATION}", files[DECLARATION].text or "")


def in_steps(lineage, rows):
    """The rows in the order of LINEAGE, with their reasons, then the rest.  A
    room's line stands for those of its files that no line names alone."""
    left = {(row.path, row.name): row for row in rows}
    alone = {key for entry in lineage.entries if not entry.is_room
             for key in left if names(entry, key)}
    groups = []
    for step in lineage.steps:
        taken = []
        for entry in step.entries:
            for key in [key for key in left if names(entry, key)
                        and not (entry.is_room and key in alone)]:
                reason = "" if entry.is_room else entry.reason
                taken.append(left.pop(key)._replace(reason=reason))
        groups.append(Group(step.title, taken))
    groups.append(Group("not declared in LINEAGE", list(left.values())))
    return [group for group in groups if group.rows]


def names(entry, key):
    """Whether a line of LINEAGE names the row with this key."""
    path, region = key
    return entry.covers(path) and entry.region == region


def title_of(room, first, seen, paint):
    """The lines above the rows of a new room, or above those of no new room
    that stand behind such."""
    if room.name in seen and room.name:
        return ["", paint.title(f"in the new room {room.name}/")]
    if room.name:
        reason = paint.reason(f"  # {room.about}") if room.about else ""
        return ["", paint.title(f"new room {room.name}/") + reason]
    return ["", paint.title("in other rooms")] if first.name else []


def verb_of(row):
    """What happened: a region that one rung lacks is added, or gone."""
    if row.verb != CHANGED or (row.lower is None) == (row.upper is None):
        return row.verb
    return "gone" if row.upper is None else "added"


def show_row(row, paint, in_full):
    """One difference under its name and reason."""
    why = row.reason or (owns(row.upper.text) if row.verb == NEW and row.upper
                         and is_c(row.path) else "")
    reason = paint.reason(f"  # {why}") if why else ""
    lines = ["", paint.title(f"{verb_of(row)} {row.path} {row.name}".rstrip())
             + reason]
    if row.verb == CHANGED:
        return lines + show_region(row, paint)
    return lines + show_file(row, paint, in_full)


if __name__ == "__main__":
    sys.exit(main())
