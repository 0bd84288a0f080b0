"""Where the time of a build goes: seconds of a processor for each kind of work
and rung, which other work on the machine changes little.

    with timing.spent("running trials", "m2-forward"): …

What is inside of another counts once, for the inner one; waiting counts for
nothing.  The time of a program that was run belongs to the work around it, if
it is told by `used`.
"""

import threading
import time
from contextlib import contextmanager

HERE = threading.local()
GUARD = threading.Lock()
SECONDS = {}  # {(kind of work, rung): seconds}
PIECES = []  # (seconds, name)
DEAR = 20  # seconds of a piece, from which on it is pointed out
PROGRAMS = "other programs"  # the kind of what used() was not told


@contextmanager
def spent(work, rung=""):
    """Count the time of this thread in this context for a kind of work."""
    outer, begun = getattr(HERE, "work", None), time.thread_time()
    HERE.work = [work, rung, 0.0]
    try:
        yield
    finally:
        passed, inner = time.thread_time() - begun, HERE.work[2]
        HERE.work = outer
        if outer:
            outer[2] += passed
        add(work, rung, passed - inner)


@contextmanager
def piece(name):
    """Note what this thread and its programs use in this context, under a
    name, too; pieces do not stand in each other."""
    HERE.programs, begun = 0.0, time.thread_time()
    try:
        yield
    finally:
        PIECES.append((time.thread_time() - begun + HERE.programs, name))


def dearest(pieces, at_least=DEAR, most=5):
    """A line for each of the longest pieces; "" where none is long."""
    rows = sorted(((seconds, name) for seconds, name in pieces
                   if seconds >= at_least), reverse=True)
    return "".join(f"{seconds:6.1f} s for {name}\n"
                   for seconds, name in rows[:most])


def used(seconds):
    """Count the time of a program for the work that it was run for."""
    HERE.programs = getattr(HERE, "programs", 0.0) + seconds
    if getattr(HERE, "work", None):
        add(*HERE.work[:2], seconds)


def add(work, rung, seconds):
    """Count seconds for a kind of work."""
    with GUARD:
        SECONDS[work, rung] = SECONDS.get((work, rung), 0) + seconds


def begin_anew():
    """Forget what was counted, in a copy of a process."""
    SECONDS.clear()
    PIECES.clear()
    HERE.__dict__.clear()


def table(seconds):
    """A row for each kind of work, the longest first, a column for each
    rung; what took less than half a second is left out."""
    rows = {}
    for (work, rung), part in seconds.items():
        rows.setdefault(work, {})[rung] = part
    rows = {work: by for work, by in rows.items() if sum(by.values()) >= 0.5}
    rungs = sorted({rung for by in rows.values() for rung in by} - {""})
    lines = [row_of("seconds", {rung: rung.partition("-")[0]
                                for rung in rungs}, rungs, "all")]
    for work, by in sorted(rows.items(), key=lambda row:
                           -sum(row[1].values())):
        lines.append(row_of(work, {rung: f"{part:.1f}" for rung, part
                                   in by.items()}, rungs,
                            f"{sum(by.values()):.1f}"))
    return "\n".join(lines) if rows else ""


def row_of(name, cells, rungs, last):
    """A line of the table."""
    return f"{name:30}" + "".join(f"{cells.get(rung, ''):>8}"
                                  for rung in rungs) + f"{last:>9}"
