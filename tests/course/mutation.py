"""A copy of a rung in which one function after the other gets small mistakes,
and its own tests are run against each."""

import copy
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from copies import build, objects_of
from mutants import mutants
from tree import HERE, Stop
from trial import LIBRARY, Trial
from variants import refused, same_heads, variants
from running import end_group

FLAGS = "-O1"
STRICT = "-Werror=incompatible-pointer-types -Werror=int-conversion"
TRYING = "-D_cmocka_run_group_tests=try_tests"
MISTAKEN = "build/plain/libmutant.so"
TIMES = 10         # as long as without the mistake a test may take,
LEAST = 2          # and so many seconds of a processor in any case
KILLED, HANGS, ALIVE, SAME, REFUSED = "killed", "hangs", "alive", "same", \
    "refused"


class Mutation(Trial):
    """A rung's copy in which functions get mistakes."""

    SANITIZE = ""  # more flags: sanitized.py
    PROGRAM = "./rung"

    def __init__(self, files, plan, folder, programs=None):
        super().__init__(files, plan, folder, programs,
                         f"{FLAGS} {STRICT} {TRYING} {self.SANITIZE}")
        self.own = {f["name"]: f["own"] for f in plan["functions"]}
        self.commands, self.objects_of = {}, {}

    def write(self):
        super().write()
        with open(self.folder / "course/end_test.c", "a") as file:
            file.write((HERE / "try_tests.c").read_text())

    def copied(self, folder):
        """The same in another folder, to be changed beside this one."""
        shutil.copytree(self.folder, folder)
        other = copy.copy(self)
        other.folder, other.objects_of = Path(folder), {}
        return other

    def compilations(self, file):
        """How a file's objects are compiled, as make would do it: as many
        commands as it has objects."""
        if file not in self.commands:
            made = objects_of(file, self.objects)
            status, output = build(self.folder, made, self.flags, "-n", "-W",
                                   file, "WARNINGS=")
            self.commands[file] = [
                shlex.split(line.partition("&&")[0])
                for line in output.replace("\\\n", " ").splitlines()
                if any(f"-c -o {path} " in line for path in made)]
        return self.commands[file]

    def errors(self, file):
        """What the compiler says where a file does not compile, or None."""
        for command in self.compilations(file):
            done = subprocess.run(command, cwd=self.folder, text=True,
                                  errors="replace", capture_output=True)
            if done.returncode:
                return done.stderr
        return None

    def object(self, file):
        """The bytes of all objects of a file."""
        return b"".join((self.folder / path).read_bytes()
                        for path in objects_of(file, self.objects))

    def link_file(self, file):
        """Let the programs find this file's functions before the others;
        whether it could be linked."""
        if sys.platform == "darwin":
            self.link()
            return True
        return subprocess.run(
            [os.environ.get("CC", "cc"), "-shared", "-o", MISTAKEN,
             *objects_of(file, self.objects), LIBRARY], cwd=self.folder,
            capture_output=True).returncode == 0

    def outcomes(self, function, chosen=None):
        """What became of each of a function's mutants, or of those with the
        chosen numbers, in their order."""
        path = self.folder / function.file
        every = mutants(function)
        numbers = range(len(every)) if chosen is None else chosen
        kept = path.read_text()
        try:
            # number 0 is the function itself
            found = self.together(function, {n + 1: every[n]
                                             for n in numbers})
            return [found[n + 1] if n + 1 in found and
                    found[n + 1] != ALIVE else self.alone(function, every[n],
                                                          found.get(n + 1))
                    for n in numbers]
        finally:
            path.write_text(kept)
            self.errors(function.file)
            (self.folder / MISTAKEN).unlink(missing_ok=True)
            if sys.platform == "darwin":
                self.link()

    def together(self, function, chosen):
        """{number: outcome} of {number: Mutant}, compiled at once, as far as
        that can be done."""
        path, kept = self.folder / function.file, \
            (self.folder / function.file).read_text()
        chosen = {n: mutant for n, mutant in chosen.items()
                  if same_heads(function, {n: mutant})}
        text, bad = variants(kept, function, chosen), set()
        while text:
            path.write_text(text)
            errors = self.errors(function.file)
            if errors is None:
                break
            more = refused(errors) - bad - {0}
            bad |= more
            text = more and variants(kept, function, {
                n: chosen[n] for n in chosen if n not in bad})
        path.write_text(kept)
        if not text or not self.link_file(function.file):
            return {}
        return {**dict.fromkeys(bad, REFUSED), **self.try_all(
            function.name, [n for n in chosen if n not in bad])}

    def try_all(self, name, numbers):
        """{number: outcome} of the mutants that are built in."""
        found, left = {}, numbers
        for tests in by_program(sorted(self.own[name], key=self.cost)):
            said = self.run(tests, left) if left else {}
            found.update(said)
            left = [n for n in left if said.get(n) == ALIVE]
        if found and not left and set(self.run_all(name, [0]).values()) != {
                ALIVE}:
            raise Stop(f"{name}: its tests fail though nothing is changed")
        return found

    def run_all(self, name, numbers):
        """The outcomes of one mutant, by program."""
        return {tests[0]: self.run(tests, numbers).get(numbers[0])
                for tests in by_program(self.own[name])}

    def alone(self, function, mutant, known=None):
        """The outcome of one mutant, compiled as a student would have it;
        known, ALIVE, if that is."""
        path = self.folder / function.file
        kept = path.read_text()
        if function.file not in self.objects_of:
            self.errors(function.file)
            self.objects_of[function.file] = self.object(function.file)
        try:
            path.write_text(kept.replace(function.text, mutant.text))
            if self.errors(function.file) is not None:
                return REFUSED
            if self.object(function.file) == self.objects_of[function.file]:
                return SAME
            return known or self.built_in(function)
        finally:
            path.write_text(kept)

    def built_in(self, function):
        """The outcome of the one mutant that is built in."""
        if not self.link_file(function.file):
            return REFUSED
        for tests in by_program(sorted(self.own[function.name],
                                       key=self.cost)):
            outcome = self.run(tests, [0]).get(0, KILLED)
            if outcome != ALIVE:
                return outcome
        return ALIVE

    def cost(self, test):
        return self.plan["tests"][test]["seconds"], test

    def list_tests(self, program, tests):
        """The file that tells a program its tests, and how many seconds of a
        processor each may use: one that uses more hangs."""
        path = self.folder / f"{program}.txt"
        path.write_text("".join(
            f"{LEAST + math.ceil(TIMES * self.cost(test)[0])} "
            f"{test.partition(':')[2]}\n" for test in tests))
        return str(path.resolve())

    def run(self, tests, numbers):
        """{number: outcome} of mutants that are built in, by these tests of
        one program."""
        program = tests[0].partition(":")[0]
        preload = {"LD_PRELOAD": str((self.folder / MISTAKEN).resolve())} \
            if (self.folder / MISTAKEN).exists() else {}
        with subprocess.Popen(
                [(self.folder / "build/plain" / program).resolve()],
                cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True, env={
                    **self.variables(), **preload, "RUNG": self.PROGRAM,
                    "TRY_TESTS": self.list_tests(program, tests),
                    "TRY_MUTANTS": " ".join(map(str, numbers)),
                    "LC_ALL": "C.UTF-8"}) as child:
            try:
                said, _ = child.communicate()
            finally:
                end_group(child.pid)
        return outcomes_said(said.decode(errors="replace"))


def outcomes_said(text):
    """{number: outcome} that a program of tests has printed: of a number that
    is there twice, the one that shows more."""
    found = {}
    for number, outcome in re.findall(r"^TRIED (\d+) (\w+)", text, re.M):
        if found.get(int(number), ALIVE) == ALIVE:
            found[int(number)] = outcome
    return found


def by_program(tests):
    """The tests, those of a program together, in the order in which programs
    come first among them."""
    found = {}
    for test in tests:
        found.setdefault(test.partition(":")[0], []).append(test)
    return list(found.values())
