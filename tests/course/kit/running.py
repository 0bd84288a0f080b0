"""Runs single tests of cmocka programs, each in a process of its own, and
says how each went: a crash or an endless loop is one test's own."""

import concurrent.futures
import os
import re
import resource
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

PASS, FAIL, SKIP, LATE, CRASH = "pass", "fail", "skip", "late", "crash"

MEMORY = 2 << 30      # bytes that a test may allocate (it may map more)
OUTPUT = 16 << 20     # bytes that it may print
LEAST_SECONDS = 10    # that any test may take, but for $CHECK_SECONDS
LATE_ONES = 3         # of one program; then the rest of it is not tried

LINE = re.compile(r"^\[ *(=+|RUN|OK|FAILED|SKIPPED|ERROR|LINE|PASSED) *\] ?")
FRAME = re.compile(r"^(\[ *(ERROR|LINE) *\] (--- )?)*")


@dataclass
class Result:
    """How a test went: `met` are the functions not written that it called,
    in order; `words` what it printed; `why` what the system says."""

    outcome: str
    met: list = field(default_factory=list)
    words: list = field(default_factory=list)
    why: str = ""
    seconds: float = 0.0

    @property
    def passed(self):
        return self.outcome == PASS and not self.met


def split_id(test):
    """The program and the name of a test's id, test_ops:a_dot_product."""
    program, _, name = test.partition(":")
    return program, name


class Runner:
    """Runs tests of the programs in a rung's folder."""

    def __init__(self, folder, programs="build/plain", limits=None,
                 rung="./rung", memory=MEMORY, seconds=None,
                 variables=None, processor=0):
        self.folder = Path(folder)
        self.programs = programs
        self.rung = rung
        self.limits = limits or {}
        self.memory = memory
        self.seconds = seconds or float(
            os.environ.get("CHECK_SECONDS") or LEAST_SECONDS)
        self.processor = processor
        self.variables = dict(variables or os.environ)
        self.late = {}

    def run(self, tests, say=lambda n: None):
        """{test: Result}, as many at a time as there are processors; `say`
        is told how many are done."""
        results = {}
        workers = os.cpu_count() or 1
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for result in pool.map(self.run_test, tests):
                results[tests[len(results)]] = result
                say(len(results))
        return results

    def run_test(self, test):
        """The Result of one test."""
        program, name = split_id(test)
        if self.late.get(program, 0) >= LATE_ONES:
            return Result(LATE, why=f"not tried: {LATE_ONES} tests of "
                          f"{program} were not done in time")
        result = self.run_alone(program, name, self.limits.get(test, 0))
        if result.outcome == LATE:
            self.late[program] = self.late.get(program, 0) + 1
        return result

    def run_alone(self, program, name, limit=0):
        """The Result of one test, or, with the name "", of all."""
        limit = max(limit, self.seconds)
        with tempfile.TemporaryDirectory(prefix="rung-check-") as scratch:
            record, output = Path(scratch, "met"), Path(scratch, "output")
            start = time.monotonic()
            status = self.execute(program, name, record, output, limit)
            seconds = time.monotonic() - start
            text = output.read_bytes().decode("utf-8", "replace")
            met = read_record(record)
        result = judge(text, name, status, limit)
        result.met = list(dict.fromkeys(met))
        result.seconds = round(seconds, 3)
        return result

    def execute(self, program, name, record, output, limit):
        """Run a program; its exit status, or None when it was not done."""
        command = [str(self.folder.resolve() / self.programs / program)]
        with open(output, "wb") as file:
            try:
                child = subprocess.Popen(
                    command, cwd=self.folder, stdin=subprocess.DEVNULL,
                    stdout=file, stderr=file, start_new_session=True,
                    env=self.environment(name, record),
                    preexec_fn=self.set_limits)
            except OSError as error:
                file.write(f"{program} cannot be run: {error}\n".encode())
                return 127
            with child:
                try:
                    return wait(child, output, limit)
                finally:
                    end_group(child.pid)

    def environment(self, name, record):
        kept = {key: value for key, value in self.variables.items()
                if not key.startswith(("MAKE", "MFLAGS", "CMOCKA"))}
        return {**kept, "RUNG": self.rung, "ONLY_TEST": name,
                "NOT_WRITTEN": str(record), "LC_ALL": "C.UTF-8",
                "UBSAN_OPTIONS": "print_stacktrace=1"}

    def set_limits(self):
        """In the child: what a test may use."""
        limit(resource.RLIMIT_CORE, 0)
        if self.memory:
            limit_memory(self.memory)
        if self.processor:
            limit(resource.RLIMIT_CPU, self.processor, self.processor + 1)


def read_record(path):
    """The names that a test left: lines of a file, or, of those that could
    not be written, folders beside it."""
    text = path.read_text(errors="replace") if path.exists() else ""
    lines = text.split("\n")[:-1]
    return lines + sorted(folder.name.partition(".")[2]
                          for folder in path.parent.glob(f"{path.name}.*"))


def wait(child, output, seconds):
    """The exit status; None when it was not done in time, or printed and
    printed."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and output.stat().st_size < OUTPUT:
        try:
            return child.wait(min(0.5, max(0, end - time.monotonic())))
        except subprocess.TimeoutExpired:
            pass
    return None


def limit(what, most, end=None):
    """Lower a limit, where the system lets us."""
    try:
        resource.setrlimit(what, (most, end or most))
    except (ValueError, OSError):
        pass


def limit_memory(most):
    """Bytes that this process, and each that it starts, may allocate."""
    limit(resource.RLIMIT_DATA, most)


def end_group(leader):
    """End a process and all that it started."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def judge(text, name, status, limit):
    """The Result that an output and an exit status mean."""
    words = words_of(text)
    if status is None:
        return Result(LATE, words=words, why=f"not done after {limit:g} s: "
                      "an endless loop?")
    if status < 0:
        return Result(CRASH, words=words, why=f"crashed: {describe(status)}")
    if status == 0 and says(text, "OK", name):
        return Result(PASS, words=words)
    if says(text, "SKIPPED", name):
        return Result(SKIP, words=words)
    if status == 0 and not re.search(r"^\[ RUN ", text, re.MULTILINE):
        return Result(SKIP, words=words, why="this test is not there: its "
                      "files are missing (RUNG_TESTS names their folder)")
    if not says(text, "FAILED", name) and "Running" in text:
        return Result(FAIL, words=words, why=f"ended with exit status "
                      f"{status} in the middle of the test"
                      if "RUN" in text else "")
    return Result(FAIL, words=words)


def says(text, word, name):
    """Whether cmocka says this of the test."""
    pattern = rf"^\[ *{word} *\] {re.escape(name)}$"
    return bool(re.search(pattern, text, re.MULTILINE))


def describe(status):
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def words_of(text):
    """What a test says by itself, without cmocka's frame."""
    kept = []
    for line in text.split("\n"):
        found = LINE.match(line)
        if found and found[1] not in ("ERROR", "LINE"):
            continue
        line = FRAME.sub("", line).strip()
        if line and not re.fullmatch(r"\d+ FAILED TEST\(S\)", line):
            kept.append(line)
    return kept
