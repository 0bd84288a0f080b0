"""Which objects of a counting copy are not compiled."""

import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from running import main_path
from running.workshop import FLAGS


class Workshop:
    """One whose rung is built, with an object for each set."""

    def __init__(self, folder, makefile):
        self.folder, self.steps = folder, []
        self.sources = SimpleNamespace(ladder={
            "m6": {"Makefile": SimpleNamespace(text=makefile)}})

    def build(self, rung):
        objects = (self.folder / rung / FLAGS).parent
        objects.mkdir(parents=True)
        for name in ("a.o", "k.portable.o", "k.avx2.o", "k.avxvnni.o",
                     "k.avx512.o", "k.neon.o", "k.avx2.d"):
            (objects / name).write_text(name)
        return self.folder / rung

    def execute(self, command, folder, _):
        self.steps.append(command)
        (folder / FLAGS).parent.mkdir(parents=True)


class OtherSets(unittest.TestCase):
    def taken(self, makefile):
        with tempfile.TemporaryDirectory() as name:
            workshop = Workshop(Path(name), makefile)
            copy = Path(name) / "copy"
            main_path.take_other_sets(workshop, "m6", copy)
            return workshop.steps, sorted(
                path.name for path in copy.rglob("*.*"))

    def test_they_are_taken_once_make_has_seen_its_options(self):
        self.assertEqual(self.taken("A =\nSETS_x86_64 = portable avx2\n"),
                         ([f"make -s {main_path.COUNTING} {FLAGS}"],
                          ["k.avx2.o", "k.avxvnni.o"]))

    def test_a_rung_without_sets_is_not_built_for_them(self):
        self.assertEqual(self.taken("CC = gcc\n"), ([], []))


if __name__ == "__main__":
    unittest.main()
