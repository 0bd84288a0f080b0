"""Which tests a change can reach."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from running import reach
from running.trials import RULES, gather_rules, left_out

from rungs import File

MAKEFILE = "TESTS = a b\n"
FILES = {
    "Makefile": MAKEFILE,
    "low/b.c": "int fb(void) { return 1; }\n",
    "a.c": "int fb(void);\nint fa(void) { return fb(); }\n",
    "table.c": "int fa(void);\nint (*const table[])(void) = {fa};\n",
    "c.c": "int fc(void) { return 2; }\n",
    "main.c": "int fc(void);\nint main(void) { return fc(); }\n",
    "run.c": '#include <stdlib.h>\nint run(void) { return system("./rung"); '
             "}\n",
    "tests/test_a.c": "extern int (*const table[])(void);\n"
                      "int main(void) { return table[0](); }\n",
    "tests/test_b.c": "int fb(void);\nint main(void) { return fb(); }\n",
    "tests/test_run.c": "int run(void);\nint main(void) { return run(); }\n",
    "tests/test_none.c": "static int fb(void) { return 1; }\n"
                         "int main(void) { return fb(); }\n",
}


class Reach(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.plain = self.folder / "build" / "plain"
        self.plain.mkdir(parents=True)
        for path, text in FILES.items():
            if path.endswith(".c"):
                self.compile(path, text)

    def compile(self, path, text):
        """An object of one file."""
        name = reach.stem_of(path)
        subprocess.run(["cc", "-x", "c", "-c", "-o",
                        self.plain / f"{name}.o", "-"], input=text, text=True,
                       check=True)

    def reached(self, *changed, **files):
        """The tests that a change reaches."""
        texts = {**FILES, **files}
        found = reach.tests_reached(reach.survey(
            {path: File(text.encode()) for path, text in texts.items()},
            self.folder), changed)
        return found if found is None else [
            test.removeprefix("build/plain/test_") for test in found]

    def test_objects_of_one_source_for_each_instruction_set(self):
        (self.plain / "c.o").rename(self.plain / "c.avx2.o")
        self.assertEqual(self.reached("c.c"), ["run"])

    def test_what_a_test_needs_by_way_of_others(self):
        self.assertEqual(self.reached("low/b.c"), ["a", "b"])
        self.assertEqual(self.reached("a.c"), ["a"])
        self.assertEqual(self.reached("table.c"), ["a"])

    def test_a_test_that_starts_programs_runs_the_rung(self):
        self.assertEqual(self.reached("c.c"), ["run"])
        self.assertEqual(self.reached("main.c"), ["run"])
        self.assertEqual(self.reached("run.c"), ["run"])

    def test_several_changes(self):
        self.assertEqual(self.reached("c.c", "a.c"), ["a", "run"])

    def test_what_a_file_that_is_gone_has_left_does_not_count(self):
        self.compile("old.c", FILES["low/b.c"])
        self.assertEqual(self.reached("low/b.c"), ["a", "b"])

    def test_what_is_not_known(self):
        self.assertIsNone(self.reached("a.h"))
        self.assertIsNone(self.reached("tests/test_a.c"))
        self.assertIsNone(self.reached("a.c", Makefile="test: all\n"))
        self.assertIsNone(self.reached("a.c", **{
            "d.c": '#include "a.c"\n'}))
        self.assertIsNone(self.reached("a.c", **{
            "d.c": "__attribute__((constructor)) void f(void) {}\n"}))

    def test_objects_are_those_of_the_tests(self):
        files = {path: File(text.encode()) for path, text in FILES.items()}
        self.assertEqual(reach.objects(files), [
            f"build/plain/test_{name}.o" for name in ("a", "b", "none",
                                                      "run")])

    def test_finished_tests_are_not_copied(self):
        names = ["test_a", "test_a.o", "test_a.d", "bench_b", "bpe.o"]
        self.assertEqual(left_out("m0-x/build/plain", names),
                         ["test_a", "bench_b"])
        self.assertEqual(left_out("m0-x/tests", ["test_data"]), [])

    def test_the_rules_of_all_objects_are_copied_as_one_file(self):
        for stem in ("b", "a"):
            (self.plain / f"{stem}.d").write_text(f"{stem}.o: {stem}.h\n")
        gather_rules(self.folder)
        gather_rules(self.folder)
        self.assertEqual((self.plain / RULES).read_text(),
                         "a.o: a.h\nb.o: b.h\n")
        self.assertEqual(left_out("m0-x/build/plain", ["a.d", RULES, "b.d"]),
                         ["a.d", "b.d"])


if __name__ == "__main__":
    unittest.main()
