"""What a test program's output says: which tests passed, failed, were skipped.

Each format is a class.  `read` takes the output a line at a time; `finish`
takes the exit status and returns the Outcome.  A program whose words and
status disagree, or which never came to its summary, has failed.
"""

import collections
import re
import signal
import types


class Outcome(types.SimpleNamespace):
    def __init__(self, passed=0, failed=(), skipped=()):
        super().__init__(passed=passed, failed=list(failed),
                         skipped=list(skipped))


def describe(status):
    """The words for an exit status as subprocess gives it."""
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"ended by signal {-status}"


class Cmocka:
    """cmocka 1.1 and 2.0: `[ RUN      ] name`, then `[       OK ] name`.

    From 1.1.7 on a group's lines begin with its name: `[==========] tests:
    Running 2 test(s).`  A program that skips a group, or all it has, says so
    itself: `SKIPPED what: why`.
    """

    tag = re.compile(r"\[ *(=+|RUN|OK|FAILED|SKIPPED|ERROR) *\] (.*)")
    begin = re.compile(r"(?:.*: )?Running (\d+) test\(s\)\.")
    end = re.compile(r"(?:.*: )?\d+ test\(s\) run\.")

    def __init__(self):
        self.outcome = Outcome()
        self.groups = 0
        self.expected = None  # tests of the group that is running
        self.test = None  # the test that is running
        self.note = ""  # the last line it printed

    def read(self, line):
        found = self.tag.match(line)
        if line.startswith("SKIPPED ") and self.expected is None:
            self.outcome.skipped.append(line[len("SKIPPED "):].strip())
        elif not found:
            self.note = line.strip() or self.note
        elif found[1][0] == "=":
            self.read_bar(found[2])
        elif self.expected is not None:
            self.read_test(found[1], found[2])

    def read_bar(self, text):
        """The line before a group's tests, or the one after them."""
        begin = self.begin.match(text)
        if begin:
            self.groups += 1
            self.expected = int(begin[1])
        elif self.end.match(text):
            self.end_group()

    def end_group(self):
        if self.expected:
            self.outcome.failed.append(
                f"{self.expected} tests of a group that did not run")
        self.expected = None
        self.test = None

    def read_test(self, tag, name):
        if tag == "RUN":
            self.test, self.note = name, ""
        elif name.startswith("GROUP "):
            self.outcome.failed.append(name)
            self.expected = 0
        elif name == self.test:
            self.count(tag, name)

    def count(self, tag, name):
        self.test = None
        self.expected -= 1
        if tag == "OK":
            self.outcome.passed += 1
        elif tag == "SKIPPED":
            why = f" ({self.note})" if self.note else ""
            self.outcome.skipped.append(name + why)
        else:
            self.outcome.failed.append(name)

    def finish(self, status):
        outcome = self.outcome
        where = f" in {self.test}" if self.test else ""
        silent = self.groups == 0 and not outcome.skipped
        if silent or self.expected is not None:
            outcome.failed.append(f"no summary: {describe(status)}{where}")
        elif status and not outcome.failed:
            outcome.failed.append(f"{describe(status)}, but no test failed")
        elif outcome == Outcome():
            outcome.failed.append("no tests")
        return outcome


class Unittest:
    """`python3 -m unittest -v`."""

    name = re.compile(r"(\w+) \(([\w.<>]+)\)")
    skip = re.compile(r".* \.\.\. skipped (.*)")
    failure = re.compile(r"(?:FAIL|ERROR): (.*)")
    ran = re.compile(r"Ran (\d+) tests? in ")

    def __init__(self):
        self.n_ran = None
        self.last = ""  # the test named last
        self.failed = {}  # test: None; a subtest's failure is its test's
        self.skipped = {}  # test: reason

    def read(self, line):
        failure = self.failure.match(line)
        named = self.name.match(failure[1] if failure else line)
        self.last = named[0] if named else self.last
        if failure:
            self.failed[named[0] if named else failure[1]] = None
        elif skip := self.skip.match(line):
            self.skipped[self.last] = skip[1]
        elif ran := self.ran.match(line):
            self.n_ran = int(ran[1])

    def finish(self, status):
        skipped = [f"{test}: {why}" for test, why in self.skipped.items()]
        outcome = Outcome(0, list(self.failed), skipped)
        if self.n_ran is None:
            outcome.failed.append(f"no summary: {describe(status)}")
            return outcome
        # A class or module whose set-up failed or skipped is not in "Ran".
        whole = sum(t.startswith(("setUp", "tearDown"))
                    for t in [*self.failed, *self.skipped])
        outcome.passed = max(0, self.n_ran + whole - len(self.failed)
                             - len(self.skipped))
        if status and not outcome.failed:
            outcome.failed.append(f"{describe(status)}, but no test failed")
        elif self.n_ran == 0 and not skipped and not outcome.failed:
            outcome.failed.append("no tests")
        return outcome


class Counted:
    """A line for each failure, `FAILED what`, for each thing left out,
    `SKIPPED what`, and last `N passed, N failed`."""

    last = re.compile(r"(\d+) passed, (\d+) failed$")

    def __init__(self):
        self.outcome = Outcome()
        self.ended = False

    def read(self, line):
        word, _, rest = line.strip().partition(" ")
        if word == "FAILED":
            self.outcome.failed.append(rest)
        elif word == "SKIPPED":
            self.outcome.skipped.append(rest)
        elif found := self.last.match(line.strip()):
            self.ended = True
            self.outcome.passed = int(found[1])

    def finish(self, status):
        failed = self.outcome.failed
        if not self.ended:
            failed.append(f"no summary: {describe(status)}")
        elif status and not failed:
            failed.append(f"{describe(status)}, but no check failed")
        return self.outcome


class Check:
    """A program that is one test: it passes when its exit status is 0.  The
    last lines that it wrote tell why it failed; `SKIPPED what` is a line for
    each thing that it left out."""

    def __init__(self):
        self.last = collections.deque(maxlen=40)
        self.skipped = []

    def read(self, line):
        self.last.append(line.rstrip())
        word, _, rest = line.strip().partition(" ")
        if word == "SKIPPED":
            self.skipped.append(rest)

    def finish(self, status):
        if not status:
            return Outcome(1, [], self.skipped)
        words = [describe(status), *(f"        {line}" for line in self.last)]
        return Outcome(0, ["\n".join(words)], self.skipped)
