"""Chooses each function's own tests, of all that call it.

A function's own tests are, the first of these that there are:

1. in the programs of its file (test_ops of ops.c, and test_ops_x where there
   is no ops_x.c), those whose code names it, or, of a static function, whose
   comment does;
2. there, those own tests of its callers in its file that call it;
3. there, all that call it;
4. elsewhere, those whose code names it, else all that call it; a
   test that starts ./rung is taken only where there is no other.

A test's code can name only functions that are not static; a comment above it
says then which of them it is about.
"""

from tree import name_of

STARTS_PROGRAMS = {"execv", "execl", "execlp", "execvp", "popen", "system"}


class Own:
    """Own tests from `calls` ({test: functions called}), `words` ({test: the
    words of its code}), `callees` ({function: functions}), `functions`, and
    `said` ({test: the words of its comment})."""

    def __init__(self, functions, calls, words, callees, said=None):
        self.functions = {f.name: f for f in functions}
        self.calls = calls
        self.words = words
        self.said = said or {}
        self.callees = callees
        self.chosen = {}
        self.homes = {"test_" + stem(f.file) for f in functions}

    def all(self):
        """{function: its own tests}; none where no test calls it."""
        return {name: self.of(name) for name in self.functions}

    def of(self, name, seen=()):
        if name not in self.chosen:
            found = self.choose(name, (*seen, name))
            if seen:
                return found  # a circle may have cut it short
            self.chosen[name] = found
        return self.chosen[name]

    def choose(self, name, seen):
        every = [test for test, called in self.calls.items()
                 if name in called]
        here = [test for test in every
                if self.is_home(name, program_of(test))]
        if here:
            return self.named(here, name) or self.meant(here, name) or \
                self.through_callers(here, name, seen) or here
        there = self.handy(every)
        return self.named(there, name) or there

    def is_home(self, name, program):
        """Whether a program of tests is about the function's file."""
        home = "test_" + stem(self.functions[name].file)
        return program == home or \
            program.startswith(home + "_") and program not in self.homes

    def named(self, tests, name):
        if self.functions[name].is_static:
            return []
        return [test for test in tests if name in self.words[test]]

    def meant(self, tests, name):
        if not self.functions[name].is_static:
            return []
        return [test for test in tests if name in self.said.get(test, ())]

    def through_callers(self, tests, name, seen):
        own = set()
        for caller in self.callers(name):
            if caller not in seen:
                own.update(self.of(caller, seen))
        return [test for test in tests if test in own]

    def callers(self, name):
        """The functions of its file that call it."""
        file = self.functions[name].file
        return [caller for caller, called in self.callees.items()
                if name in called and self.functions[caller].file == file]

    def handy(self, tests):
        """Those that call functions themselves, or, where there are none,
        all."""
        return [test for test in tests
                if not STARTS_PROGRAMS & self.words[test]] or tests


def program_of(test):
    return test.partition(":")[0]


def stem(file):
    """The name of a C file without its end."""
    return name_of(file)[:-len(".c")]
