"""Programs that read a text and print one: pandoc, Graphviz, KaTeX.  Their
time counts for the work that they are run for (timing.py)."""

import atexit
import os
import subprocess
import tempfile
from contextlib import suppress
from threading import Lock

from support import timing

WORKING = {}  # {name: a program that answers line by line}
GUARD = Lock()


def run(command, feed):
    """(exit status, what it printed, what it said on standard error)."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
        given.write(feed.encode())
        given.seek(0)
        with subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE,
                              stderr=said) as child:
            output = child.stdout.read()
            ended(child)
        said.seek(0)
        return child.returncode, output.decode(), said.read().decode()


def ended(child):
    """Wait for a program's end, and count its time."""
    _, status, cost = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    timing.used(cost.ru_utime + cost.ru_stime)


def checked(command, feed):
    """What a program prints; CalledProcessError where it fails."""
    status, output, said = run(command, feed)
    if status:
        raise subprocess.CalledProcessError(status, command, output, said)
    return output


def ask(name, command, line, **environment):
    """The line with which a program answers one; it goes on running, and
    waits for the next."""
    with GUARD:
        if name not in WORKING:
            WORKING[name] = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                env={**os.environ, **environment})
        child = WORKING[name]
        try:
            child.stdin.write(f"{line}\n".encode())
            child.stdin.flush()
            answer = child.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer:
            end(name)
            raise subprocess.CalledProcessError(child.returncode, command)
    return answer.decode()


def end(name):
    """Let such a program end."""
    child = WORKING.pop(name)
    with suppress(BrokenPipeError):
        child.stdin.close()
    child.stdout.close()
    with timing.spent(name):
        ended(child)


@atexit.register
def end_all():
    """The same for all; before, their time counts for nothing."""
    for name in list(WORKING):
        end(name)
