"""`make test` of a made-up tree: a rung, a lineage check, a tool's tests."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import run

FOLDER = pathlib.Path(__file__).resolve().parent
MAKEFILE = """\
CFLAGS = -O2
TESTS = $(wildcard test_*)
test: build
\t@failed=0; for t in $(TESTS); do \\
\t    $(WITH) ./$$t || failed=1; done; exit $$failed
build:
\t@echo SAN=$(SAN) CFLAGS=$(CFLAGS); %s
"""
RUNG_TEST = """\
#!/bin/sh
echo '[==========] Running 2 test(s).'
echo '[ RUN      ] test_one'
echo '[       OK ] test_one'
echo '[ RUN      ] test_two'
%s
echo '[==========] 2 test(s) run.'
"""
OK = "echo '[       OK ] test_two'"
SKIPPED = "echo no model; echo '[  SKIPPED ] test_two'"
CRASH = "kill -SEGV $$"
TOOL_TEST = """\
import unittest
class Tool(unittest.TestCase):
    def test_it(self):
        self.assertTrue(%s)
"""

MEET = """\
import pathlib, sys, time
def meet(mine, other):
    pathlib.Path(mine).write_text("")
    for _ in range(500):
        if pathlib.Path(other).exists():
            return
        time.sleep(0.02)
    sys.exit(1)
"""


class MadeUpTree(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        runner = self.root / "tests/runner"
        runner.mkdir(parents=True)
        for name in ("run.py", "together.py", "watch.py", "formats.py",
                     "same.py", "objects.py"):
            shutil.copy(FOLDER / name, runner)
        self.write_rung("m0-first", OK)
        self.write("tests/lineage/lineage.py", "")
        self.write("tests/tool/test_tool.py", TOOL_TEST % "True")

    def write(self, path, text, mode=0o644):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)

    def write_rung(self, rung, second_test, build="true"):
        self.write(f"{rung}/Makefile", MAKEFILE % build)
        self.write(f"{rung}/test_x", RUNG_TEST % second_test, 0o755)

    def make_test(self, *command):
        """Exit status and output of the runner, called by make or alone."""
        command = command or (sys.executable, "tests/runner/run.py")
        environment = {name: value for name, value in os.environ.items()
                       if name != "CI" and not name.startswith(
                           ("MAKE", "MFLAGS", "SAN", "RUNG", "ALL"))}
        done = subprocess.run(command, cwd=self.root, env=environment,
                              text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def last_line(self, output):
        return output.splitlines()[-1]

    def test_all_good(self):
        status, output = self.make_test()
        self.assertEqual(self.last_line(output), "4 passed, 0 failed")
        self.assertEqual(status, 0)

    def test_other_processors_count(self):
        makefile = self.root / "m0-first/Makefile"
        makefile.write_text(makefile.read_text() + "emulated:\n\t@echo 'SKIPPED "
                            "arm: no emulator'; echo '3 passed, 0 failed'\n")
        _, output = self.make_test()
        self.assertIn("m0-first/emulated: arm: no emulator", output)
        self.assertEqual(self.last_line(output),
                         "7 passed, 0 failed, 1 skipped")

    def test_other_processors_are_asked_of_the_highest_rung(self):
        self.write_rung("m1-second", OK)
        for rung in ("m0-first", "m1-second"):
            makefile = self.root / rung / "Makefile"
            makefile.write_text(makefile.read_text() +
                                "emulated:\n\t@echo '1 passed, 0 failed'\n")
        for more, asked in (((), 0), (("ALL=1",), 1)):
            _, output = self.make_test("env", *more, sys.executable,
                                       "tests/runner/run.py")
            self.assertEqual(output.count("== m0-first: emulated"), asked)
            self.assertEqual(output.count("== m1-second: emulated"), 1)

    def test_every_rung_counts(self):
        self.write_rung("m1-second", OK)
        _, output = self.make_test()
        self.assertEqual(self.last_line(output), "6 passed, 0 failed")

    def test_long_tests_are_run_where_nobody_waits(self):
        for rung in ("m0-first", "m1-second"):
            self.write_rung(rung, f"echo {rung} is long: $RUNG_LONG.; {OK}")
        for more, long in (((), ("", "")), (("CI=true",), ("", "1")),
                           (("ALL=1",), ("1", "1"))):
            _, output = self.make_test("env", *more, sys.executable,
                                       "tests/runner/run.py")
            self.assertIn(f"m0-first is long: {long[0]}.\n", output, more)
            self.assertIn(f"m1-second is long: {long[1]}.\n", output, more)

    def write_object(self, rung):
        """What a rung's make would compile of a test_x.c."""
        self.write(f"{rung}/room/test_x.c", "int main(void) { return 0; }\n")
        (self.root / rung / "build/plain").mkdir(parents=True)
        subprocess.run(["cc", "-c", "room/test_x.c", "-o",
                        "build/plain/test_x.o"],
                       cwd=self.root / rung, check=True)

    def test_what_is_left_to_a_rung_above_has_to_run_there(self):
        self.write_object("m0-first")
        self.write_rung("m1-second", OK)
        self.write_object("m1-second")
        (self.root / "m1-second/test_x").rename(
            self.root / "m1-second/test_y")
        self.write("book/tools/build.py",
                   "import os\nprint('passed:', os.environ['RUNGS_PASSED'])\n"
                   "raise SystemExit(1)\n")
        _, output = self.make_test()
        self.assertIn("passed: m1-second\n", output)
        self.assertIn("    m0-first/test_x: left to m1-second, which did not "
                      "run it\n", output)
        self.assertEqual(self.last_line(output), "4 passed, 2 failed")

    def test_what_is_the_same_above_runs_there_only(self):
        for rung in ("m0-first", "m1-second"):
            self.write_rung(rung, OK)
            self.write_object(rung)
        _, output = self.make_test()
        self.assertEqual(self.last_line(output), "4 passed, 0 failed")
        self.assertIn("test_x: the same as in m1-second, which runs it",
                      output)
        self.assertIn("run only there: 1 test programs", output)
        _, output = self.make_test("env", "ALL=1", sys.executable,
                                   "tests/runner/run.py")
        self.assertEqual(self.last_line(output), "6 passed, 0 failed")

    def test_the_output_of_suites_is_not_mixed(self):
        for name, seconds in (("m0-first", 0.4), ("m1-second", 0)):
            self.write_rung(name, f"echo {name} one; sleep {seconds}; "
                            f"echo {name} two; {OK}")
        _, output = self.make_test()
        said = [line for line in output.splitlines()
                if line.endswith((" one", " two"))
                or line.startswith("== m") and "objects" not in line]
        self.assertEqual(said, [
            "== m0-first", "m0-first one", "m0-first two",
            "== m1-second", "m1-second one", "m1-second two"])

    def test_the_highest_rung_is_started_first_and_then_the_book(self):
        for name in ("m0-first", "m1-second", "m2-third"):
            self.write_rung(name, f"echo {name} >>../order; {OK}")
        for file, name in (("tests/lineage/lineage.py", "lineage"),
                           ("book/tools/build.py", "book"),
                           ("book/tools/browser_check.py", "browser")):
            self.write(file, f"print('{name}', file=open('order', 'a'))\n")
        subprocess.run([sys.executable, "-c", "import os, run\n"
                        "run.AT_ONCE = 1; run.run_all(run.ROOT)"],
                       cwd=self.root, check=True, capture_output=True,
                       env={**os.environ, "PYTHONPATH": "tests/runner"})
        self.assertEqual((self.root / "order").read_text().split(),
                         ["m2-third", "m1-second", "m0-first", "book", "book",
                          "browser", "lineage"])

    def test_skipped_tests_are_listed(self):
        self.write_rung("m0-first", SKIPPED)
        status, output = self.make_test()
        self.assertEqual(self.last_line(output),
                         "3 passed, 0 failed, 1 skipped")
        self.assertIn("Skipped:\n    m0-first/test_x: test_two (no model)\n",
                      output)
        self.assertEqual(status, 0)

    def test_a_crash_is_counted_and_listed(self):
        self.write_rung("m0-first", CRASH)
        status, output = self.make_test()
        self.assertEqual(self.last_line(output), "3 passed, 1 failed")
        self.assertIn("FAILED:\n    m0-first/test_x: no summary: "
                      "ended by SIGSEGV in test_two\n", output)
        self.assertEqual(status, 1)

    def test_a_rung_that_does_not_build_has_failed(self):
        self.write_rung("m0-first", OK, build="exit 1")
        status, output = self.make_test()
        self.assertEqual(self.last_line(output), "2 passed, 1 failed")
        self.assertIn("    m0-first: make test: exit status 2 "
                      "(0 test programs ran)\n", output)
        self.assertEqual(status, 1)

    def test_a_rung_without_tests_has_failed(self):
        (self.root / "m0-first/test_x").unlink()
        status, _ = self.make_test()
        self.assertEqual(status, 1)

    def test_a_make_that_fails_though_its_tests_passed(self):
        makefile = self.root / "m0-first/Makefile"
        makefile.write_text(makefile.read_text().replace(
            "exit $$failed", "exit 1"))
        status, output = self.make_test()
        self.assertIn("    m0-first: make test: exit status 2 "
                      "(1 test programs ran)\n", output)
        self.assertEqual(status, 1)

    def test_records_of_an_earlier_run_do_not_count(self):
        self.make_test()
        self.write_rung("m0-first", OK, build="exit 1")
        _, output = self.make_test()
        self.assertEqual(self.last_line(output), "2 passed, 1 failed")

    def test_the_lineage_check_counts(self):
        self.write("tests/lineage/lineage.py", "raise SystemExit(1)")
        status, output = self.make_test()
        self.assertEqual(self.last_line(output), "3 passed, 1 failed")
        self.assertIn("    lineage: exit status 1\n", output)
        self.assertEqual(status, 1)

    def test_a_tool_that_fails_its_test(self):
        self.write("tests/tool/test_tool.py", TOOL_TEST % "False")
        status, output = self.make_test()
        self.assertEqual(self.last_line(output), "3 passed, 1 failed")
        self.assertIn("    tests/tool: test_it (test_tool.Tool", output)
        self.assertEqual(status, 1)

    def test_tests_inside_a_package_run_from_the_folder_around_it(self):
        self.write("tests/tool/inner/__init__.py", "")
        self.write("tests/tool/inner/test_more.py", TOOL_TEST % "True")
        self.assertEqual(run.python_suites(self.root), ["tests/tool"])
        _, output = self.make_test()
        self.assertEqual(self.last_line(output), "5 passed, 0 failed")

    def test_the_tools_of_the_book_count(self):
        self.write("book/tools/test_page.py", TOOL_TEST % "True")
        _, output = self.make_test()
        self.assertEqual(self.last_line(output), "5 passed, 0 failed")

    def write_book(self, site_status=0):
        self.write("book/tools/build.py",
                   "import sys\nprint('builds', sys.argv[1])\n"
                   f"sys.exit({site_status} * (sys.argv[1] == 'site'))\n")
        self.write("book/tools/browser_check.py",
                   "print('SKIPPED chromium is missing')\n"
                   "print('7 passed, 0 failed')\n")

    def test_the_book_is_built_and_looked_at(self):
        self.write_book()
        _, output = self.make_test()
        self.assertEqual(self.last_line(output),
                         "13 passed, 0 failed, 1 skipped")
        self.assertIn("    book: in a browser: chromium is missing\n", output)

    def test_the_pdf_is_made_beside_the_browser_and_after_the_site(self):
        """Each of the two waits for a file that the other one writes."""
        self.write("book/tools/build.py", f"""{MEET}
if sys.argv[1:] == ["site", "--test"]:
    pathlib.Path("site.made").write_text("")
elif sys.argv[1:] == ["book", "--test"]:
    assert pathlib.Path("site.made").exists()
    meet("book.begun", "browser.begun")
""")
        self.write("book/tools/browser_check.py", f"""{MEET}
assert pathlib.Path("site.made").exists()
meet("browser.begun", "book.begun")
print("7 passed, 0 failed")
""")
        status, output = self.make_test()
        self.assertEqual(status, 0, output)

    def test_the_site_is_made_after_the_rungs_and_beside_other_tools(self):
        """It waits for a file that a tool's test writes, and this for its."""
        self.write_rung("m0-first", f"sleep 0.3; touch ../rung.passed; {OK}")
        self.write("book/tools/build.py", f"""{MEET}
if sys.argv[1] == "site":
    assert pathlib.Path("rung.passed").exists()
    assert pathlib.Path("book.tested").exists()
    meet("site.begun", "tool.begun")
""")
        self.write("book/tools/browser_check.py",
                   "print('7 passed, 0 failed')\n")
        for name, does in (
                ("book/tools/test_page.py",
                 'meet("book.begun", "rung.passed"); time.sleep(0.5)\n'
                 'pathlib.Path("book.tested").touch()'),
                ("tests/tool/test_tool.py",
                 'meet("tool.begun", "site.begun")')):
            self.write(name, f"import os\n{MEET}\nos.chdir('../..')\n{does}\n"
                       + TOOL_TEST % "True")
        status, output = self.make_test()
        self.assertEqual(status, 0, output)

    def test_short_suites_are_left_for_the_end(self):
        self.write("book/tools/build.py", "import pathlib, sys, time\n"
                   "time.sleep(0.5)\npathlib.Path(sys.argv[1]).touch()\n")
        self.write("book/tools/browser_check.py",
                   "print('7 passed, 0 failed')\n")
        self.write("tests/templates/test_tool.py", "import pathlib\n"
                   "assert pathlib.Path('../../site').exists()\n"
                   + TOOL_TEST % "True")
        status, output = self.make_test()
        self.assertEqual(status, 0, output)
        self.assertEqual(self.last_line(output), "14 passed, 0 failed")

    def test_the_book_hears_which_rungs_passed(self):
        self.write_rung("m1-second", CRASH)
        self.write("book/tools/build.py",
                   "import os\nprint('passed:', os.environ['RUNGS_PASSED'])\n")
        _, output = self.make_test()
        self.assertIn("passed: m0-first\n", output)

    def test_a_site_that_was_not_built_is_not_looked_at(self):
        self.write_book(site_status=1)
        status, output = self.make_test()
        self.assertEqual(self.last_line(output), "4 passed, 1 failed")
        self.assertIn("    book: site: exit status 1\n", output)
        self.assertEqual(status, 1)

    def test_the_book_has_nothing_for_the_sanitizers(self):
        self.write_book()
        self.write("Makefile", "test:\n\t@%s tests/runner/run.py\n"
                   % sys.executable)
        _, output = self.make_test("make", "SAN=1", "test")
        self.assertNotIn("builds", output)
        self.assertIn("    the book: all of it: SAN is set\n", output)

    def test_variables_of_make_go_on_and_its_jobs_do_not(self):
        self.write("Makefile", "test:\n\t@%s tests/runner/run.py\n"
                   % sys.executable)
        status, output = self.make_test("make", "-j2", "SAN=1",
                                        "CFLAGS=-O0 -g", "test")
        self.assertIn("\nSAN=1 CFLAGS=-O0 -g\n", output)
        self.assertNotIn("warning", output)
        self.assertEqual(status, 0)


if __name__ == "__main__":
    unittest.main()
