"""Tries out changed copies of rungs: what their tests and commands say then.

A changed copy begins as a copy of the built rung, so only what the change
touches is compiled again, and only the tests that can reach it are run, and
of these only those that do (seen.py): the others pass, as they did in the
unchanged rung. Which those are is committed (outcomes.py), and so is which of
them failed when the same change of the same rung was tried before: then only
the programs run that hold such tests, or, of a box that quotes one, that test;
their tests are to fail and to say the same again. EVERY_TEST=1 or ALL=1 in the
environment runs all tests, and sees again which do. `make test` runs the tests
of the unchanged rungs before it builds the book, and names those that passed in
RUNGS_PASSED: these are not run once more. At most two copies are tried at a
time, each on a processor of its own (cores.py), but for what races.
"""

import fnmatch
import os
import re
import shlex
import shutil
from functools import partial

from running import cores, reach, seen, sets
from running.workshop import BUILD_LIMIT, MAKE, TIME_LIMIT, tested_copy
from support import timing
from support.mistakes import Wrong
from support.store import digest

FAILED = re.compile(r"^\[  FAILED  \] ([\w./-]+)$", re.MULTILINE)
STARTED = re.compile(r"^\[ RUN      \] ([\w./-]+)$", re.MULTILINE)
# How cmocka begins and ends what a program says.
BEGUN = re.compile(r"^\[=+\].* Running \d+ test", re.MULTILINE)
ENDED = re.compile(r"^\[=+\].* test\(s\) run\.$", re.MULTILINE)
FAILURE = ": error: Failure!\n"  # the last words of an assertion that fails
PREFIX = re.compile(r"^\[ *[A-Z]+ *\] (?:--- )?", re.MULTILINE)
TEST = re.compile(r"(test|bench)_\w+")  # a program, not its object
EVERYTHING = ("EVERY_TEST", "ALL")  # the second is that of `make test`
MOST_RUNS = 20  # until a race is seen
RULES = "of-all.d"  # what all objects of a folder were made of


class Trials:
    """Changed copies, and what was found out with them."""

    def __init__(self, workshop, committed=()):
        self.workshop = workshop
        self.sources = workshop.sources
        self.store = workshop.store
        self.committed = dict(committed)  # {key: answer}
        self.sets = sets.Sets(workshop)
        self.surveys = {}  # {rung: which objects need which (reach.py)}
        self.ready = set()  # rungs with all objects built, to be copied
        # {rung: the (path, place)s where the book's boxes change it}
        self.subjects = {}

    def place(self, rung):
        """What trials of a rung depend on, beside the change."""
        return self.sources.digests[rung], self.sources.models

    def tests(self, rung, texts, until=(), failed=None):
        """{"failed": names, "words": {name: what the test says}, "ran": names
        of all that ran, "ended": whether each program came to its end} with
        these files ({path: text}) in place of the rung's.  Chance decides
        whether a race is seen: the tests run until one fails of each pattern
        of names in `until`, MOST_RUNS times at most.  `failed` are names of
        those that failed when all this was the same, all or some, whose
        programs alone run; None: it is not known."""
        if every_test():
            failed = None
        key = digest("tests", 2, *self.place(rung), texts, *until, failed)

        def find():
            reached = self.holding(rung, failed, self.reached(rung, texts))
            with cores.place(shared=bool(until)):
                return self.changed(rung, texts, key, lambda folder:
                                    self.run_until(until, folder, reached),
                                    optimized=sets.HERE)
        return self.store.get(key, find)

    def output(self, rung, texts, command):
        """[status, output] of a command in a changed copy."""
        key = digest("output", 2, *self.place(rung), texts, command)

        def find():
            with cores.place(shared=True):
                return self.changed(
                    rung, texts, key, lambda folder: self.workshop.execute(
                        command, folder, TIME_LIMIT),
                    "make" in command.split(),
                    optimized=sets.ALL if every_test()
                    else sets.optimized_for(command))
        return self.store.get(key, find)

    def changed(self, rung, texts, key, action, makes=False,
                optimized=sets.ALL):
        """What `action`, which may itself run make, finds in the folder of a
        changed copy, built; the folder is named after the answer's key.
        `optimized`: for which sets kernels are (sets.py)."""
        self.tested(rung)
        if f"{rung}/Makefile" in texts:  # which says itself how to compile
            optimized = sets.ALL
        folder = self.workshop.folder / f"{rung}-{key[:12]}"
        try:
            with timing.piece(f"a trial of {' '.join(texts) or rung}"):
                return self.attempt(rung, texts, folder, action, makes,
                                    optimized)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def attempt(self, rung, texts, folder, action, makes, optimized):
        """The same, in a folder that is made here."""
        with timing.spent("copying for a trial", rung):
            copy_folder(self.tested(rung), folder,
                        with_objects=bool(texts or makes))
        put(folder, texts)
        if texts:
            with timing.spent("compiling trials", rung):
                self.compile(folder, self.sets.options(
                    rung, folder, optimized))
        with timing.spent("running trials", rung):
            return action(folder)

    def tested(self, rung):
        """The folder of a copy of the rung whose tests are built and pass;
        no command of the book runs in it."""
        folder = self.workshop.build(rung, tested_copy(rung))
        key = digest("baseline", *self.place(rung))

        def find():
            with timing.spent("tests of unchanged rungs", rung):
                return self.run_tests(folder)
        passed = rung in os.environ.get("RUNGS_PASSED", "").split()
        outcome = {"failed": []} if passed else self.store.get(key, find)
        if outcome["failed"]:
            raise Wrong(f"{rung}: tests fail before anything is changed: "
                        + " ".join(outcome["failed"]))
        with self.store.held(f"folder {tested_copy(rung)}"):
            if rung not in self.ready:
                with timing.spent("building the rungs", rung):
                    self.compile(folder,
                                 reach.objects(self.sources.ladder[rung]))
                    gather_rules(folder)
                self.ready.add(rung)
        return folder

    def compile(self, folder, targets=()):
        """Build a changed copy: its program, or these files; options of make
        may stand among them."""
        status, output = self.workshop.execute(
            " ".join([MAKE, *targets]), folder, BUILD_LIMIT)
        if status:
            raise Wrong(f"the changed copy cannot be built: {output[-500:]}")

    def reached(self, rung, texts):
        """The test programs that could say something else after a change,
        None for all."""
        if every_test():
            return None
        with cores.place(shared=True):
            tests = self.linked(rung, texts)
        changed = {seen.subject(self.sources, path, text)
                   for path, text in texts.items()}
        if tests is None or not changed <= self.subjects.get(rung, set()):
            return tests
        ran = self.ran(rung)
        return [test for test in tests if test not in ran
                or changed & ran[test]]

    def holding(self, rung, names, tests):
        """Of some test programs, None for all, those that hold tests of these
        names; as many as are given where that is not known."""
        if not names or tests is None:
            return tests
        files = {reach.stem_of(path): file for path, file
                 in self.sources.ladder[rung].items()
                 if reach.is_test_program(path)}
        held = {test: set(reach.WORD.findall(files[reach.stem_of(test)].text))
                & set(names) for test in tests}
        known = set().union(*held.values())
        return [test for test in tests if held[test]] \
            if known == set(names) else tests

    def linked(self, rung, paths):
        """Those that hold something of these files, None where that is not
        known."""
        if rung not in self.surveys:
            self.surveys[rung] = reach.survey(self.sources.ladder[rung],
                                              self.tested(rung))
        return reach.tests_reached(self.surveys[rung], [
            path.partition("/")[2] for path in paths])

    def ran(self, rung):
        """{test program: the (path, place)s that it came to, of those where
        the book's boxes begin}; without what is not known."""
        subjects, texts = self.marked(rung)
        if not texts:
            return {}
        key = self.key_of_ran(rung, subjects)
        known = None if every_test() else self.committed.get(key)
        numbers = self.store.get(key, lambda: self.look(rung, texts, subjects)
                                 if known is None else known)
        return {test: {subjects[number] for number in came}
                for test, came in numbers.items()}

    def marked(self, rung):
        """The (path, place)s of the book's boxes, and the files with their
        marks, {path: text}; none for one place alone, for which it would cost
        more than it saves."""
        subjects = sorted(self.subjects.get(rung, ()))
        if len(subjects) < 2:
            return subjects, {}
        return subjects, seen.marked(self.sources, subjects)

    def key_of_ran(self, rung, subjects):
        """What it depends on which tests come to these."""
        return digest("ran", 3, *self.place(rung), subjects, seen.CALL,
                      seen.WRITER, seen.AROUND)

    def all_known(self):
        """Whether it is known of each rung which of its tests come where."""
        keys = [self.key_of_ran(rung, subjects) for rung in self.subjects
                for subjects, texts in [self.marked(rung)] if texts]
        return not every_test() and all(
            key in self.committed or self.store.path(key).exists()
            for key in keys)

    def settle(self):
        """{key: rung} of what is known of all tests of each rung that boxes
        change; what is not known yet is seen now."""
        keys = {}
        for rung in self.subjects:
            subjects, texts = self.marked(rung)
            if texts:
                self.ran(rung)
                keys[self.key_of_ran(rung, subjects)] = rung
        return keys

    def look(self, rung, texts, subjects):
        """Run the tests in a copy with marks; that one of them fails there is
        no mistake."""
        folder = self.workshop.folder / f"{rung}-marked"
        with cores.place(shared=True), \
                timing.spent("seeing which tests run what", rung):
            tests = self.linked(rung, texts)
            if not tests:
                return {}
            try:
                copy_folder(self.tested(rung), folder)
                put(folder, texts)
                around = seen.prepare(folder, min(texts))
                self.workshop.execute(
                    f"{MAKE} -k test" + named(tests)
                    + f" WITH={shlex.quote(around)}", folder, BUILD_LIMIT)
                return seen.read(folder, tests)
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def run_until(self, until, folder, tests):
        """The same as run_tests, until one of each pattern fails."""
        for _ in range(MOST_RUNS):
            outcome = self.run_tests(folder, tests)
            if all(fnmatch.filter(outcome["failed"], one) for one in until):
                break
        return outcome

    def run_tests(self, folder, tests=None):
        """All tests of a copy, or some: which failed, and what they say."""
        if tests == []:
            return {"failed": [], "words": {}, "ran": [], "ended": True}
        status, output = self.workshop.execute(
            f"{MAKE} -k test" + named(tests), folder, BUILD_LIMIT)
        failed = list(dict.fromkeys(FAILED.findall(output)))
        if not STARTED.search(output) or bool(status) != bool(failed):
            raise Wrong(f"the tests end with status {status}, and {failed} "
                        f"failed: {output[-500:]}")
        return {"failed": failed,
                "words": {name: words_of(output, name) for name in failed},
                "ran": sorted(set(STARTED.findall(output))),
                "ended": len(BEGUN.findall(output)) == len(
                    ENDED.findall(output))}


def every_test():
    """Whether all tests run in each trial."""
    return any(map(os.environ.get, EVERYTHING))


def somebody_waits():
    """Whether a test is run by hand: CI is not set, nor is all asked for."""
    return not (every_test() or os.environ.get("CI"))


def named(tests):
    """What tells make to run these tests alone; nothing for all."""
    return f" TESTS='{' '.join(tests)}'" if tests else ""


def copy_folder(original, folder, with_objects=True):
    """A copy that keeps the times, so that `make` sees what changed; test
    programs and archives, which are made again anyway, are left out, and
    where nothing is to be compiled all that is built, but for the program."""
    shutil.rmtree(folder, ignore_errors=True)
    ignore = left_out if with_objects else shutil.ignore_patterns("*.[aod]")
    copy = partial(copy_file, built=f"{original}/build/")
    shutil.copytree(original, folder, symlinks=True, ignore=ignore,
                    copy_function=copy)


def copy_file(original, copy, built):
    """A copy of a file with its time; `built` begins the paths of what was
    built.  A source, and an object, which a compiler removes before it makes
    it anew, is the same file under a second name."""
    if original.endswith(".o") or not original.startswith(built):
        os.link(original, copy)
        return
    with open(original, "rb") as old, open(copy, "wb") as new:
        about = os.fstat(old.fileno())
        new.write(old.read())
    os.chmod(copy, about.st_mode & 0o777)
    os.utime(copy, ns=(about.st_atime_ns, about.st_mtime_ns))


def put(folder, texts):
    """Put changed files, {path: text}, into a copy of their rung: each is a
    new file, and what it was a second name of stays as it is."""
    for path, text in texts.items():
        place = folder / path.partition("/")[2]
        place.unlink(missing_ok=True)
        place.write_text(text)


def left_out(folder, names):
    """The finished tests, benchmarks and archives in a folder, and each rule
    that stands in the file of all, too."""
    if "build" not in folder.split("/"):
        return []
    return [name for name in names
            if TEST.fullmatch(name) or name.endswith(".a")
            or name.endswith(".d") and name != RULES and RULES in names]


def gather_rules(folder):
    """Write what the compiler said of each object in a built copy, hundreds
    of files of a line or two, into one as well: each trial's copy takes that,
    and make opens it instead of them."""
    for place in {path.parent for path in (folder / "build").rglob("*.d")}:
        (place / RULES).write_text("".join(
            path.read_text() for path in sorted(place.glob("*.d"))
            if path.name != RULES))


def words_of(output, name):
    """What a failing test says, without cmocka's marks; other programs may
    have a test of that name, which passes.  What comes after the assertion
    that failed is left out: the test was left there, with its threads still
    running, and these say what they happen to find."""
    end = output.find(f"[  FAILED  ] {name}\n")
    start = output.rfind(f"[ RUN      ] {name}\n", 0, end)
    start = output.find("\n", start) + 1
    words, mark, _ = output[start:end].partition(FAILURE)
    return PREFIX.sub("", words + mark).strip()
