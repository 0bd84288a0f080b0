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

    def test_only_the_best_that_is_here_is_optimized(self):
        workshop = Workshop("portable", "avx2")
        one = sets.Sets(workshop)
        options = one.options("m0-sum", self.folder)
        self.assertEqual(options, [
            "-o", "build/plain/set_flags",
            "'SET_portable=-O0 -DINLINE=static'",
            "'SET_avx2=-mavx2 -mfma'",
            "'SET_wide=-mavx2 -mwide -O0 -DINLINE=static'"])
        self.assertEqual(one.options("m0-sum", self.folder), options)
        self.assertEqual(len(workshop.asked), 2)

    def test_where_that_is_not_known_all_are(self):
        self.assertEqual(sets.Sets(Workshop()).options(
            "m0-sum", self.folder), [])
        (self.folder / sets.SETS).unlink()
        self.assertEqual(sets.Sets(Workshop("portable")).options(
            "m0-sum", self.folder), [])

    def test_make_takes_them_and_leaves_the_file_of_flags(self):
        (self.folder / "Makefile").write_text(MAKEFILE)
        options = sets.Sets(Workshop("wide", "avx2", "portable")).options(
            "m0-sum", self.folder)
        subprocess.run(" ".join(["make", "-s", *options]), shell=True,
                       check=True, cwd=self.folder)
        self.assertEqual((self.folder / "rung").read_text(),
                         "-O0 -DINLINE=static;-mavx2 -mfma -O0 "
                         "-DINLINE=static;-mavx2 -mwide\n")
        self.assertEqual((self.folder / sets.SETS).read_text(), ROWS)

    def test_commands_that_choose_or_compile_are_left_alone(self):
        self.assertTrue(sets.leaves("./rung next a | wc -l"))
        self.assertFalse(sets.leaves("make -s lib && ./say"))
        self.assertFalse(sets.leaves("RUNG_CPU=portable ./rung next a"))
