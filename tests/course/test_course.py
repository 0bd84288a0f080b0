"""What a student's folder has of tests/, so that its tests need nothing
else."""

import re
import unittest

import made_up
from course import LEFT_OUT, NAMED, SHARED, shared_folders
from tree import ROOT, File, is_test, read_ladder

STRING = re.compile(r'"(\w+)/')


class Shared(unittest.TestCase):
    def test_what_a_test_names_is_copied(self):
        files = made_up.rung_files()
        test = File(b'char *path = test_path("gguf/blocks.gguf");\n')
        program = File(b'char *path = "markup/tools.json";\n')
        self.assertEqual(shared_folders(files), [*SHARED])
        self.assertEqual(shared_folders({
            **files, "low/tests/test_files.c": test, "low/names.c": program}),
            [*SHARED, "gguf"])

    def test_whatever_the_rungs_name_is_copied(self):
        there = {path.name for path in (ROOT / "tests").iterdir()
                 if path.is_dir()}
        for rung, files in read_ladder().items():
            named = {name for path, file in files.items() if is_test(path)
                     and path.endswith((".c", ".h"))
                     for name in STRING.findall(file.text)}
            self.assertEqual(named & there - set(shared_folders(files)),
                             set(), rung)

    def test_the_folders_are_there(self):
        for name in (*SHARED, *NAMED):
            self.assertTrue((ROOT / "tests" / name).is_dir(), name)
        for name in LEFT_OUT:
            self.assertTrue((ROOT / "tests/models" / name).is_dir(), name)


if __name__ == "__main__":
    unittest.main()
