"""Where the time of a build goes: seconds for each kind of work and rung.

    with timing.spent("tests of broken copies", "m2-forward"): …

What is inside of another counts once, for the inner one.  Work that goes on
at the same time counts for each, so that the sum is more than the clock says.
"""

import threading
import time
from contextlib import contextmanager

HERE = threading.local()
GUARD = threading.Lock()
SECONDS = {}  # {(kind of work, rung): seconds}


@contextmanager
def spent(work, rung=""):
    """Count the time of this context for a kind of work."""
    outer, begun = getattr(HERE, "inside", None), time.monotonic()
    HERE.inside = [0.0]
    try:
        yield
    finally:
        passed, inner = time.monotonic() - begun, HERE.inside[0]
        HERE.inside = outer
        if outer is not None:
            outer[0] += passed
        with GUARD:
            SECONDS[work, rung] = SECONDS.get((work, rung), 0) \
                + passed - inner


@contextmanager
def waiting():
    """Count the time of this context for nothing: another thread works."""
    begun = time.monotonic()
    try:
        yield
    finally:
        if getattr(HERE, "inside", None) is not None:
            HERE.inside[0] += time.monotonic() - begun


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
