"""Where trials run: two at a time, each on a processor of its own.

A program that finds one processor computes with one thread.  With two threads
beside another trial that also has two, one of them would often look whether
the other is done while that one waits for a processor.  The numbers are the
same; tests that ask for several threads get them here, too.
"""

import os
import threading
from contextlib import contextmanager

AT_ONCE = 2
GUARD = threading.Semaphore(AT_ONCE)
# A system that does not place processes has none.
ALL = sorted(os.sched_getaffinity(0)) \
    if hasattr(os, "sched_setaffinity") else []
free = [ALL[at % len(ALL)] for at in range(AT_ONCE)] if ALL else []


@contextmanager
def place(shared=False):
    """One of the places: what this thread starts meanwhile is on a processor
    of its own; or, `shared`, on any, as when threads have to race."""
    with GUARD:
        if shared or not ALL:
            yield
            return
        mine = free.pop()
        try:
            with one(mine):
                yield
        finally:
            free.append(mine)


@contextmanager
def one(number=None):
    """What this thread starts meanwhile is on one processor, if the system
    places processes: the last, or that of a number."""
    if not ALL:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {ALL[-1] if number is None else number})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
