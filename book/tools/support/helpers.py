"""Work on all processors: processes that leave what they find in the store.

    helpers.do([lambda: book.expanded(one, "site"), …])

Python's threads share one processor, so each helper is a copy of this process,
which takes one task after the other.  Nothing is handed back: this process
then does what it would have done anyway, and finds the answers in the store.
What went wrong in a helper is met here again, and noted.
"""

import json
import os
import tempfile
import threading

from support import programs, timing

STEP = 4  # bytes of a task's number


def do(tasks, prepare=lambda: None, processors=None):
    """Let helpers do the tasks, as many as there are processors; nothing where
    that is one, or where threads run, which a copy would lack.  `prepare` is
    what each helper does first."""
    count = min(processors or os.cpu_count() or 1, len(tasks))
    if count < 2 or not hasattr(os, "fork") or threading.active_count() > 1:
        return
    programs.end_all()  # they answer one process
    with tempfile.TemporaryDirectory(prefix="rungs-helpers-") as folder:
        queue = numbers(len(tasks))
        children = [begin(tasks, prepare, queue, f"{folder}/{number}")
                    for number in range(count)]
        for child in children:
            os.waitpid(child, 0)
        os.close(queue)
        for name in sorted(os.listdir(folder)):
            tell(f"{folder}/{name}")


def numbers(count):
    """A pipe with the numbers of all tasks: each helper takes the next."""
    queue, end = os.pipe()
    os.write(end, b"".join(number.to_bytes(STEP, "big")
                           for number in range(count)))
    os.close(end)
    return queue


def begin(tasks, prepare, queue, path):
    """Start a helper, which says in a file where its time went; its
    number."""
    child = os.fork()
    if child:
        return child
    try:
        timing.begin_anew()
        prepare()
        with timing.spent("all else"):
            work(tasks, queue)
        programs.end_all()
        with open(path, "w", encoding="utf-8") as file:
            json.dump([[*key, seconds] for key, seconds
                       in timing.SECONDS.items()], file)
    finally:
        os._exit(0)


def work(tasks, queue):
    """Take one task after the other."""
    while True:
        number = os.read(queue, STEP)
        if not number:
            return
        try:
            tasks[int.from_bytes(number, "big")]()
        except Exception:
            pass  # it is met again by who waits for this


def tell(path):
    """Count a helper's time here, too."""
    with open(path, encoding="utf-8") as file:
        for kind, rung, seconds in json.load(file):
            timing.add(kind, rung, seconds)
