"""What is known of the tests is kept until what they are made of changes, and
whoever has to wait is told how far it is."""

import contextlib
import io
import json
import os
import subprocess
import tempfile
import unittest
import unittest.mock
from pathlib import Path
from types import SimpleNamespace

import calls
import made_up
import plan
from copies import test_programs
from functions import taught_functions
from keep import COMMITTED, keys_of, pack, read, unpack, write
from plan import make_plan
from showing import counted
from tree import ROOT, File, Stop, find, read_ladder
from running import FAIL, PASS

NAMES = list(made_up.ALL)
PROGRAM = "test_sums"


def changed(path, old, new):
    """The made-up rung with one file changed."""
    files = made_up.rung_files()
    text = files[path].text
    assert old in text
    return {**files, path: File(text.replace(old, new).encode())}


class Limits(unittest.TestCase):
    """Tests that end early because they, or what they start, work long."""

    def found(self, limited, unlimited):
        """The tests that take part, where they end so with a limit on their
        work and without: {test: outcome}."""
        def runner(*_, processor, **__):
            said = limited if processor else unlimited
            return SimpleNamespace(run=lambda tests, say=None: {
                test: SimpleNamespace(outcome=said[test], why="it ended",
                                      words=["so"], met=["f"], seconds=1)
                for test in tests})
        with unittest.mock.patch("calls.Runner", runner), \
                unittest.mock.patch("calls.list_tests", lambda *_: "ab"):
            return list(calls.run_all(None, ["p"]))

    def test_what_passes_with_more_time_takes_no_part(self):
        self.assertEqual(self.found({"p:a": PASS, "p:b": FAIL},
                                    {"p:b": PASS}), ["p:a"])

    def test_what_fails_with_more_time_is_a_mistake(self):
        with self.assertRaisesRegex(Stop, "p:b fails though nothing"):
            self.found({"p:a": PASS, "p:b": FAIL}, {"p:b": FAIL})


class Kept(made_up.MadeUpCourse):
    def test_a_plan_is_made_once(self):
        with unittest.mock.patch("plan.find_calls") as find:
            again = make_plan(made_up.RUNG, self.files, stores=[self.store])
        find.assert_not_called()
        self.assertEqual(again, self.plan)

    def test_a_plan_that_was_committed_is_taken(self):
        fresh = self.scratch / "fresh"
        with unittest.mock.patch("plan.find_calls") as find:
            again = make_plan(made_up.RUNG, self.files,
                              stores=[fresh, self.store])
        find.assert_not_called()
        self.assertEqual(again, self.plan)

    def test_only_programs_that_changed_are_run_again(self):
        asked = []

        def find(files, functions, programs, flags):
            asked.extend(programs)
            return {f"{programs[0]}:{name}": (["sum"], 0.1) for name in "ab"}
        files = changed("low/sums.c", "int total = 0", "int total = 0u")
        more = {**files, "low/tests/test_more.c": File(b"int main(void)\n{\n"
                                                       b"    return 0;\n}\n")}
        with unittest.mock.patch("plan.find_calls", find):
            store = [self.scratch / "changed"]
            made = make_plan(made_up.RUNG, files, stores=store)
            make_plan(made_up.RUNG, more, stores=store)
        self.assertEqual(asked, [PROGRAM, "test_more"])
        self.assertEqual(list(made["tests"]), [f"{PROGRAM}:a", f"{PROGRAM}:b"])


    def test_a_file_is_small_and_says_the_same(self):
        path = self.store / f"{made_up.RUNG}.json"
        known = read(path, keys_of(self.files, NAMES, [PROGRAM]))
        calls = {test: set(row["calls"])
                 for test, row in self.plan["tests"].items()}
        self.assertEqual({test: set(row[0]) for test, row in
                          known[PROGRAM].items() if row[0]}, calls)
        self.assertEqual(unpack(pack(["c", "a"], "abc"), "abc"), ["a", "c"])

    def test_calls_that_an_earlier_test_has_stand_there_once(self):
        known = {"p": {"p:one": [["a", "c"], 0.1], "p:two": [["b"], 0.2],
                       "p:three": [["a", "c"], 0.3]},
                 "q": {"q:one": [["a", "c"], 0.4]}}
        keys = {"p": "1", "q": "2"}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rung.json"
            write(path, ["a", "b", "c"], keys, known)
            found = read(path, keys)
            rows = json.loads(path.read_text())["programs"]
        self.assertEqual(found, known)
        self.assertEqual([calls for row in rows.values()
                          for calls, _ in row["tests"].values()],
                         ["5", "2", 0, "5"])


class Programs(unittest.TestCase):
    """Which test programs take part."""

    def test_who_runs_make_does_not(self):
        files = made_up.rung_files()
        program = File(b'int main(void)\n{\n    return '
                       b'access("Makefile", 4);\n}\n')
        self.assertEqual(
            test_programs({**files, "low/tests/test_make.c": program,
                           "low/tests/bench_more.c": program}), [PROGRAM])

    def test_of_those_that_do_none_runs_make(self):
        for rung, files in read_ladder().items():
            for program in test_programs(files):
                text = files[find(files, f"{program}.c")].text
                # `rung demo` says how the book is shown, and runs nothing.
                self.assertNotRegex(text, r'["; ]make -(?!C \.\. serve")',
                                    f"{rung}: {program}")


class Keys(unittest.TestCase):
    def key(self, files):
        return keys_of(files, NAMES, [PROGRAM])[PROGRAM]

    def test_what_a_program_is_made_of(self):
        before = self.key(made_up.rung_files())
        for path, old, new in (
                ("low/sums.c", "total = 0", "total = 1"),
                ("low/sums.h", "The sum of", "A sum of"),
                ("low/tests/test_sums.c", "12", "13"),
                ("high/main.c", "1, 2, 3", "1, 2, 4"),  # which a test starts
                ("Makefile", "-O2", "-O3")):
            self.assertNotEqual(self.key(changed(path, old, new)), before,
                                path)

    def test_what_it_is_not_made_of(self):
        files = made_up.rung_files()
        more = {**files, "low/README.md": File(b"# Low\n"),
                "low/tests/bench_sums.c": File(b"int main(void)\n{\n"
                                               b"    return 0;\n}\n")}
        self.assertEqual(self.key(more), self.key(files))

    def test_other_functions_are_taught(self):
        files = made_up.rung_files()
        self.assertNotEqual(keys_of(files, NAMES[1:], [PROGRAM]),
                            keys_of(files, NAMES, [PROGRAM]))


class Progress(made_up.MadeUpCourse):
    def test_who_waits_is_told_how_far_it_is(self):
        out = io.StringIO()
        with contextlib.redirect_stderr(out):
            plan.find_calls(self.files, taught_functions(self.files))
        lines = out.getvalue().splitlines()
        self.assertEqual(lines[0], "Finds out, once, which test calls what: "
                         "compiles: 1 of 3")
        self.assertEqual(lines[-1], "Finds out, once, which test calls what: "
                         "runs each test: 9 of 9")


    def test_make_s_is_silent(self):
        for arguments, quiet in (([], False), (["-s"], True)):
            said = subprocess.run(
                ["make", *arguments, "-n", "course-plans"], cwd=ROOT,
                env={key: value for key, value in os.environ.items()
                     if not key.startswith(("MAKE", "MFLAGS"))},
                capture_output=True, text=True).stdout
            self.assertEqual("QUIET=1 " in said, quiet)
        out = io.StringIO()
        with contextlib.redirect_stderr(out), \
                unittest.mock.patch.dict(os.environ, QUIET="1"):
            counted("a", 10, 10)
        self.assertEqual(out.getvalue(), "")


class Committed(unittest.TestCase):
    """The files of plans/: whether they are up to date says `make
    course-test`, since a plan that is not is found anew."""

    def test_every_rung_has_one_and_no_other_is_there(self):
        self.assertEqual(sorted(path.stem for path in COMMITTED.iterdir()),
                         list(read_ladder()))

    def test_they_are_small(self):
        for path in COMMITTED.iterdir():
            json.loads(path.read_text())
            self.assertLess(path.stat().st_size, 300_000)


if __name__ == "__main__":
    unittest.main()
