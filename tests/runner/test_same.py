"""Which test programs of made-up rungs are the same above."""

import pathlib
import subprocess
import tempfile
import unittest

import same

FILES = {
    "one.c": "int two(void);\nint one(void) { return two() - 1; }\n",
    "two.c": "int two(void) { return 2; }\n",
    "test_one.c": "int one(void);\nint main(void) { return one() != 1; }\n",
    "test_two.c": "int two(void);\nint main(void) { return two() != 2; }\n",
    "test_run.c": '#include <stdlib.h>\n'
                  'int main(void) { return system("./rung encode"); }\n',
}


class Same(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)

    def rung(self, name, changed=None, goldens=None):
        """A folder with objects as `make` would leave them."""
        folder = self.root / name
        (folder / "build/plain").mkdir(parents=True)
        for path, text in {**FILES, **(changed or {})}.items():
            (folder / path).write_text(text)
            subprocess.run(["cc", "-O1", "-g", "-c", path, "-o",
                            f"build/plain/{path[:-2]}.o"],
                           cwd=folder, check=True)
        for path, text in (goldens or {}).items():
            (folder / "golden" / path).parent.mkdir(exist_ok=True)
            (folder / "golden" / path).write_text(text)
        return folder

    def assert_same(self, folders, expected):
        self.assertEqual(same.same_as_above(folders), expected)

    def test_equal_objects_are_the_same_and_the_highest_runs_them(self):
        self.assert_same(
            [self.rung("m0"), self.rung("m1"), self.rung("m2")],
            {"m0": {"test_one": "m2", "test_two": "m2"},
             "m1": {"test_one": "m2", "test_two": "m2"}, "m2": {}})

    def test_a_comment_is_no_difference(self):
        two = "/* Two. */\n" + FILES["two.c"]
        self.assertIn("test_one", same.same_as_above(
            [self.rung("m0"), self.rung("m1", {"two.c": two})])["m0"])

    def test_what_a_called_function_calls_counts(self):
        two = "int two(void) { return 1 + 1 + 0 * (int)sizeof(two); }\n" \
            "int three(void) { return 3; }\n"
        self.assert_same([self.rung("m0"), self.rung("m1", {"two.c": two})],
                         {"m0": {}, "m1": {}})

    def test_an_object_of_a_set_counts(self):
        """As kernel.avx2.o does, which is made of kernel.c."""
        folders = [self.rung("m0"), self.rung("m1")]
        for folder, number in zip(folders, "23"):
            (folder / "two.c").write_text(FILES["two.c"].replace("2", number))
            subprocess.run(["cc", "-O1", "-c", "two.c", "-o",
                            "build/plain/two.wide.o"], cwd=folder, check=True)
            (folder / "build/plain/two.o").unlink()
        self.assert_same(folders, {"m0": {}, "m1": {}})

    def test_what_is_not_called_does_not_count(self):
        one = FILES["one.c"].replace("- 1", "- 2")
        self.assert_same([self.rung("m0"), self.rung("m1", {"one.c": one})],
                         {"m0": {"test_two": "m1"}, "m1": {}})

    def test_golden_files_of_the_lower_rung_are_those_above(self):
        lower = self.rung("m0", goldens={"x.json": "1"})
        for n, (goldens, equal) in enumerate((
                ({"x.json": "1", "y.json": "2"}, True),
                ({"x.json": "2"}, False), ({}, False))):
            above = self.rung(f"m{n + 1}", goldens=goldens)
            self.assertEqual(
                bool(same.same_as_above([lower, above])["m0"]), equal)

    def test_what_a_source_that_is_gone_has_left_does_not_count(self):
        """Neither a test, which would never run, nor a definition."""
        above = self.rung("m1")
        (above / "test_two.c").unlink()
        self.assert_same([self.rung("m0"), above],
                         {"m0": {"test_one": "m1"}, "m1": {}})
        three, moved = ({"two.c": "", name: FILES["two.c"].replace("2", text)}
                        for name, text in (("a.c", "2"), ("a.c", "4 / 2 * 3")))
        lower, upper = self.rung("m2", three), self.rung("m3", moved)
        for folder in (lower, upper):
            (folder / "old.c").write_text(FILES["two.c"])
            subprocess.run(["cc", "-O1", "-g", "-c", "old.c", "-o",
                            "build/plain/old.o"], cwd=folder, check=True)
            (folder / "old.c").unlink()
        self.assert_same([lower, upper], {"m2": {}, "m3": {}})

    def test_nothing_built(self):
        (self.root / "m0").mkdir()
        self.assert_same([self.root / "m0", self.rung("m1")],
                         {"m0": {}, "m1": {}})


if __name__ == "__main__":
    unittest.main()
