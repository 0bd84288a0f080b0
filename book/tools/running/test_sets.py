"""Which instruction sets a trial's command does not run."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from running import sets

ROWS = ("-Wno-psabi -g1 -fno-tree-reassoc portable:   avx2: -mavx2 -mfma  "
        "wide: -mavx2 -mwide\n")
# It adds up what its sets are compiled with.
MAKEFILE = """\
SET_portable =
SET_avx2 = -mavx2 -mfma
SET_wide = $(SET_avx2) -mwide
rung: build/plain/set_flags
	echo '$(SET_portable);$(SET_avx2);$(SET_wide)' > $@
build/plain/set_flags: FORCE
	echo other > $@
FORCE:
"""


class Workshop:
    """Runs commands; `here` are the sets of the processor."""

    def __init__(self, *here):
        self.here, self.asked = here, []

    def execute(self, command, folder, limit):
        self.asked.append(command)
        name = command.split()[0].removeprefix("RUNG_CPU=")
        return (0 if name in self.here else 1), ""


class Sets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / sets.SETS).parent.mkdir(parents=True)
        (self.folder / sets.SETS).write_text(ROWS)

    def test_flags_are_read(self):
        self.assertEqual(sets.rows_of(ROWS), {
            "portable": [], "avx2": ["-mavx2", "-mfma"],
            "wide": ["-mavx2", "-mwide"]})

    def options(self, runs, *here):
        """Those of a rung on a processor that has these sets."""
        return sets.Sets(Workshop(*here)).options("m0-sum", self.folder, runs)

    def test_a_command_runs_the_best_that_is_here(self):
        workshop = Workshop("portable", "avx2")
        one = sets.Sets(workshop)
        options = one.options("m0-sum", self.folder, sets.BEST)
        self.assertEqual(options, [
            "-o", "build/plain/set_flags",
            "'SET_portable=-O0 -DINLINE=static'",
            "'SET_avx2=-mavx2 -mfma'",
            "'SET_wide=-mavx2 -mwide -O0 -DINLINE=static'"])
        self.assertEqual(one.options("m0-sum", self.folder, sets.BEST),
                         options)
        self.assertEqual(len(workshop.asked), 3)

    def test_the_best_may_take_kernels_of_those_below_it(self):
        self.assertEqual(
            self.options(sets.BEST, "portable", "avx2", "wide")[2:], [
                "'SET_portable=-O0 -DINLINE=static'",
                "'SET_avx2=-mavx2 -mfma'", "'SET_wide=-mavx2 -mwide'"])
        self.assertEqual(self.options(sets.BEST, "portable")[2], "SET_portable=")

    def test_tests_run_all_that_are_here(self):
        self.assertEqual(self.options(sets.HERE, "portable", "avx2")[2:], [
            "SET_portable=", "'SET_avx2=-mavx2 -mfma'",
            "'SET_wide=-mavx2 -mwide -O0 -DINLINE=static'"])
        self.assertEqual(
            self.options(sets.HERE, "portable", "avx2", "wide"), [])

    def test_where_it_is_not_known_all_are_optimized(self):
        for runs in (sets.ALL, sets.HERE, sets.BEST):
            self.assertEqual(self.options(runs), [])
        self.assertEqual(self.options(sets.ALL, "portable"), [])
        (self.folder / sets.SETS).unlink()
        self.assertEqual(self.options(sets.BEST, "portable"), [])

    def test_make_takes_them_and_leaves_the_file_of_flags(self):
        (self.folder / "Makefile").write_text(MAKEFILE)
        options = self.options(sets.BEST, "wide", "avx2", "portable")
        subprocess.run(" ".join(["make", "-s", *options]), shell=True,
                       check=True, cwd=self.folder)
        self.assertEqual((self.folder / "rung").read_text(),
                         "-O0 -DINLINE=static;-mavx2 -mfma;"
                         "-mavx2 -mwide\n")
        self.assertEqual((self.folder / sets.SETS).read_text(), ROWS)

    def test_commands_that_choose_or_compile_may_run_all(self):
        for command, runs in (("./rung next a | wc -l", sets.BEST),
                              ("make -s lib && ./say", sets.ALL),
                              ("RUNG_CPU=portable ./rung next a", sets.ALL)):
            self.assertEqual(sets.run_by(command), runs)
