"""Runs one test program, shows its output, and records how it went.

    python3 watch.py RECORD PROGRAM [ARGUMENT...]

runs a cmocka program and appends its Record as a line of JSON to the file
RECORD.  The exit status is 1 when a test failed, when the program crashed,
printed no summary, or was ended because it ran past the time limit.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import types

import formats

# Seconds that a program may run; the sanitizers make it 20 times slower.
LIMIT = 600
LIMIT_SAN = 3600


class Record(types.SimpleNamespace):
    """How a suite went: `same` is the rung above in which this program runs,
    not here; `work` is seconds of processor time."""

    def __init__(self, suite, passed, failed, skipped, seconds, same="",
                 work=0):
        super().__init__(suite=suite, passed=passed, failed=failed,
                         skipped=skipped, seconds=seconds, same=same,
                         work=work)


def time_limit():
    given = os.environ.get("TEST_LIMIT")
    if given:
        return float(given)
    return LIMIT_SAN if os.environ.get("SAN") else LIMIT


class Watched:
    """A running program whose output is read line by line.  At the limit it
    is ended, together with whatever it started."""

    running = set()
    ended = False  # all of them: no other one begins

    def __init__(self, command, folder=None, limit=None, environment=None):
        if Watched.ended:
            raise InterruptedError("all programs were ended")
        self.limit = limit or time_limit()
        self.late = False
        self.work = 0  # seconds of processor time, once it has ended
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True, encoding="utf-8", errors="replace",
            env=environment)
        self.running.add(self)
        if Watched.ended:  # while it began
            self.kill(signal.SIGTERM)
        self.timer = threading.Timer(self.limit, self.end)
        self.timer.start()

    def end(self):
        self.late = True
        self.kill()

    def kill(self, number=signal.SIGKILL):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def lines(self):
        yield from self.process.stdout

    def wait(self):
        """The exit status; from here on `work` counts the program and all
        that it waited for."""
        try:
            _, status, used = os.wait4(self.process.pid, 0)
            self.process.returncode = os.waitstatus_to_exitcode(status)
            self.work = used.ru_utime + used.ru_stime
            return self.process.returncode
        finally:
            self.timer.cancel()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.timer.cancel()
        self.kill()
        self.process.wait()
        self.process.stdout.close()
        self.running.discard(self)


def end_all():
    """End every program that is being watched, and let none begin; one that
    watches others is given the time to end them."""
    Watched.ended = True
    for program in list(Watched.running):
        program.kill(signal.SIGTERM)


def watch(suite, command, format, folder=None, limit=None, out=None,
          environment=None):
    """Run `command`, whose output is in `format`, and return its Record; the
    output goes on to `out`."""
    start, work = time.monotonic(), 0
    try:
        watched = Watched(command, folder, limit, environment)
        outcome = follow(watched, format, out or sys.stdout)
        work = watched.work
    except OSError as error:
        outcome = formats.Outcome(0, [f"cannot be run: {error}"])
    seconds = time.monotonic() - start
    return Record(suite, outcome.passed, outcome.failed, outcome.skipped,
                  round(seconds, 2), work=round(work, 2))


def follow(watched, format, out):
    with watched as program:
        for line in program.lines():
            out.write(line)
            format.read(line)
        outcome = format.finish(program.wait())
        if program.late:
            outcome.failed.append(
                f"ended after {program.limit:g} s, the time limit")
        return outcome


def main():
    sys.stdout.reconfigure(errors="replace", line_buffering=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    file, rung = sys.argv[1], os.path.basename(os.getcwd())
    program = os.path.basename(sys.argv[2])
    record = watch(f"{rung}/{program}", sys.argv[2:], formats.Cmocka())
    with open(file, "a", encoding="utf-8") as records:
        print(json.dumps(vars(record)), file=records)
    sys.exit(bool(record.failed))


if __name__ == "__main__":
    main()
