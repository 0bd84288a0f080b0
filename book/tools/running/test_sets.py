"""For which instruction sets a trial's kernels are not optimized."""

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

    def options(self, optimized, *here):
        """Those of a rung on a processor that has these sets."""
        return sets.Sets(Workshop(*here)).options("m0-sum", self.folder,
                                                  optimized)

    def test_for_a_command_none_is_optimized(self):
        self.assertEqual(self.options(sets.NONE, "portable", "avx2"), [
            "-o", "build/plain/set_flags",
            "'SET_portable=-O0 -DINLINE=static'",
            "'SET_avx2=-mavx2 -mfma -O0 -DINLINE=static'",
            "'SET_wide=-mavx2 -mwide -O0 -DINLINE=static'"])

    def test_tests_run_all_that_are_here(self):
        workshop = Workshop("portable", "avx2")
        one = sets.Sets(workshop)
        for _ in range(2):
            self.assertEqual(
                one.options("m0-sum", self.folder, sets.HERE)[2:], [
                    "SET_portable=", "'SET_avx2=-mavx2 -mfma'",
                    "'SET_wide=-mavx2 -mwide -O0 -DINLINE=static'"])
        self.assertEqual(len(workshop.asked), 3)
        self.assertEqual(
            self.options(sets.HERE, "portable", "avx2", "wide"), [])

    def test_where_it_is_not_known_all_are_optimized(self):
        self.assertEqual(self.options(sets.HERE), [])
        self.assertEqual(self.options(sets.ALL, "portable"), [])
        (self.folder / sets.SETS).unlink()
        for optimized in (sets.HERE, sets.NONE):
            self.assertEqual(self.options(optimized, "portable"), [])

    def test_make_takes_them_and_leaves_the_file_of_flags(self):
        (self.folder / "Makefile").write_text(MAKEFILE)
        options = self.options(sets.HERE, "wide", "avx2")
        subprocess.run(" ".join(["make", "-s", *options]), shell=True,
                       check=True, cwd=self.folder)
        self.assertEqual((self.folder / "rung").read_text(),
                         "-O0 -DINLINE=static;-mavx2 -mfma;"
                         "-mavx2 -mwide\n")
        self.assertEqual((self.folder / sets.SETS).read_text(), ROWS)

    def test_for_commands_that_choose_or_compile_all_are(self):
        for command, optimized in (
                ("./rung next a | wc -l", sets.NONE),
                ("make -s lib && ./say", sets.ALL),
                ("RUNG_CPU=portable ./rung next a", sets.ALL)):
            self.assertEqual(sets.optimized_for(command), optimized)
