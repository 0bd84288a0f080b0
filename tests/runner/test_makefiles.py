"""The Makefiles: what they say when something is missing, what they run, and
how a rung counts its tests."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = """\
#include <stdio.h>
int main(void)
{
    puts("[==========] tests: Running 3 test(s).");
    puts("[ RUN      ] one\\n[       OK ] one");
    puts("[ RUN      ] two\\n%s] two");
    puts("[==========] tests: 3 test(s) run.\\n%s");
    return %d;
}
"""
PASSES = TESTS % ("[       OK ", "[  PASSED  ] 2 test(s).", 0)
SKIPS = TESTS % ("[  SKIPPED ", "[  PASSED  ] 1 test(s).", 0)
FAILS = TESTS % ("[  FAILED  ",
                 "[  FAILED  ] tests: 1 test(s), listed below:\\n"
                 "[  FAILED  ] two", 1)
DIES = TESTS % ("[       OK ", "", 3)


def make(folder, *arguments):
    """What make says, whether it fails or not, and its exit status."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("MAKE", "MFLAGS", "SAN")) and name != "CI"}
    done = subprocess.run(["make", *arguments], cwd=folder, env=kept,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    return done.returncode, done.stdout


class Root(unittest.TestCase):
    def says(self, arguments, *expected):
        status, said = make(ROOT, *arguments.split())
        self.assertNotEqual(status, 0)
        for words in expected:
            self.assertIn(words, said)

    def test_what_is_missing_is_named(self):
        self.says("diff", "A is missing", "make diff A=m0 B=m1")
        self.says("diff A=m0", "B is missing")
        self.says("propagate", "FROM is missing", "make propagate FROM=m0")

    def test_a_rung_that_is_not_there_is_named(self):
        self.says("diff A=m0 B=m99", 'There is no rung "m99"; there are m0-')

    def test_the_sanitized_program_runs_when_it_is_built(self):
        for arguments, program in (
                (["SAN=1"], " m0-tokenizer/build/san/rung "),
                ([], " m0-tokenizer/rung ")):
            status, said = make(ROOT, "-n", "run", "RUNG=m0", *arguments)
            self.assertEqual(status, 0, said)
            self.assertIn(program, said)

    def test_models_are_found_from_the_root(self):
        for name, path in (("RUNG_MODEL", "tests/models/tiny-chat"),
                           ("RUNG_MODELS", "tests/models")):
            _, said = make(ROOT, "-n", "run", "ARGS=serve")
            self.assertIn(f"{name}=${{{name}:-{path}}}", said)
            self.assertTrue((ROOT / path).is_dir())

    def test_what_python_compiles_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            asks = pathlib.Path(folder, "asks.mk")
            asks.write_text(f"include {ROOT}/Makefile\n"
                            "asks:\n\t@env | grep ^PYTHON\n")
            with mock.patch.dict(os.environ, PYTHONDONTWRITEBYTECODE="1"):
                _, said = make(ROOT, "-f", asks, "asks")
        self.assertIn(f"PYTHONPYCACHEPREFIX={ROOT}/build/pycache\n", said)
        self.assertNotIn("PYTHONDONTWRITEBYTECODE", said)

    def test_where_ci_is_set_nothing_is_left_out(self):
        """What `make test` would look for first."""
        for ci in ([], ["CI=1"]):
            _, said = make(ROOT, "-n", "setup", *ci)
            for need in "arm-cc", "arm-emulator", "simde", "chromium":
                self.assertEqual(f" {need}" in said, bool(ci), said)

    def test_a_rung_is_fuzzed_where_it_has_what_is_fuzzed(self):
        for rung, has in (("m0-tokenizer", False), ("m1-loader", True)):
            _, said = make(ROOT / "tests/fuzz", "-n", f"RUNG=../../{rung}")
            self.assertIn(f"{rung}/fuzz_text ", said)
            self.assertEqual(f"{rung}/fuzz_config " in said, has)


class Rung(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        shutil.copy(ROOT / "m0-tokenizer/Makefile", self.folder)
        self.tests = self.folder / "program/tests"  # of one of its rooms
        self.tests.mkdir(parents=True)
        (self.folder / "program/main.c").write_text(
            "int main(void) { return 0; }\n")

    def counts(self, *programs):
        """The last line of `make test`, and whether it succeeds."""
        for i, text in enumerate(programs):
            (self.tests / f"test_{i}.c").write_text(text)
        status, said = make(self.folder, "-s", "test")
        lines = [line for line in said.splitlines() if "***" not in line]
        return status == 0, lines[-1]

    def test_passed_tests_are_counted(self):
        self.assertEqual(self.counts(PASSES, PASSES),
                         (True, "4 passed, 0 failed"))

    def test_skipped_tests_are_counted(self):
        self.assertEqual(self.counts(SKIPS, PASSES),
                         (True, "3 passed, 0 failed, 1 skipped"))

    def test_failed_tests_are_counted_once_and_fail(self):
        self.assertEqual(self.counts(FAILS, PASSES, FAILS),
                         (False, "4 passed, 2 failed"))

    def test_a_source_may_move_to_another_room(self):
        """Also where it was compiled before."""
        make(self.folder, "-s")
        (self.folder / "support").mkdir()
        (self.folder / "program/main.c").rename(
            self.folder / "support/main.c")
        self.assertEqual(make(self.folder, "-s"), (0, ""))

    def test_what_used_a_source_that_is_gone_fails(self):
        """The object that it left behind is not linked any more."""
        main, other = (self.folder / "program" / name
                       for name in ("main.c", "other.c"))
        main.write_text("int other(void);\n"
                        "int main(void) { return other(); }\n")
        other.write_text("int other(void);\n"
                         "int other(void) { return 0; }\n")
        self.assertEqual(make(self.folder, "-s"), (0, ""))
        other.unlink()
        status, said = make(self.folder, "-s")
        self.assertNotEqual(status, 0)
        self.assertIn("other", said)

    def test_nothing_is_linked_twice(self):
        self.assertEqual(self.counts(PASSES), (True, "2 passed, 0 failed"))
        _, said = make(self.folder, "test")
        self.assertNotIn(" -o ", said)

    def test_a_program_that_dies_is_a_failure(self):
        self.assertEqual(self.counts(FAILS, DIES, PASSES),
                         (False, "5 passed, 2 failed"))
