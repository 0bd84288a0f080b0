"""What a student sees who writes one function after the other."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock

import made_up
from made_up import ALL
from running import Runner

EVERY = {name: True for name in ALL}
FOREVER = "    for (volatile int i = 0;; i++)\n        ;\n"


class Check(made_up.MadeUpCourse):
    def test_nothing_is_written_yet(self):
        status, output = self.check(self.student("a"))
        self.assertEqual(status, 0)
        self.assertIn("10 are not written.", output)
        self.assertIn("Next: write sum in low/sums.c. Then numbers_are_added can "
                      "pass.", output)

    def test_one_is_written_and_the_others_do_not_pass_with_it(self):
        kinds = {name: (kind, tuple(on)) for name, (kind, on) in
                 self.kinds(self.student("a", sum=True)).items()}
        self.assertEqual(kinds.pop("sum"), ("pass", ()))
        self.assertEqual(set(kinds.values()), {("missing", ())})

    def test_who_waits_is_told_for_whom(self):
        kinds = self.kinds(self.student("a", sum_twice=True, calculate=True,
                                        twice=True))
        self.assertEqual(kinds["sum_twice"], ("wait", ["sum"]))
        self.assertEqual(kinds["twice"], ("wait", ["sum"]))
        self.assertEqual(kinds["calculate"], ("wait", ["operation_of"]))

    def test_everything_written_passes(self):
        folder = self.student("a", **EVERY)
        status, output = self.check(folder)
        self.assertEqual(status, 0)
        self.assertIn("10 pass.", output)
        done = subprocess.run(["make", "-s", "test"], cwd=folder,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_first_difference_is_shown(self):
        _, output = self.check(self.student(
            "a", sum="    return (int)n + x[0];\n",
            name_of='    return number ? "one" : "none";\n',
            count_up="    for (size_t i = 0; i < n; i++)\n"
                     "        out[i] = (int)(2 * i);\n"))
        self.assertIn("FAIL sum (0 of 1 tests pass)", output)
        self.assertIn("                 expected 0, got 3\n", output)
        self.assertIn('expected "many", got "one"', output)
        self.assertIn("shape (3,), at (1,): expected 1, got 2", output)
        self.assertIn("Next: mend sum in low/sums.c.", output)

    def test_a_negative_number_is_shown_as_one(self):
        _, output = self.check(self.student("a", sum="    return -7;\n"))
        self.assertIn("expected 6, got -7", output)
        self.assertIn("at low/tests/test_sums.c:20: assert_int_equal(sum(x, 3), 6);",
                      output)

    def test_what_was_asserted_is_said_once(self):
        _, output = self.check(self.student(
            "a", range="    return (struct pair){x[0], x[n - 1]};\n"))
        self.assertIn("               a_range_has_two_ends\n"
                      "                 at low/tests/test_sums.c:34: "
                      "expected p.low == 1\n", output)

    def test_what_the_compiler_warns_of_is_shown(self):
        folder = self.student("a", range=True,
                              sum="    int total;\n    return total;\n")
        status, output = self.check(folder)
        self.assertRegex(output, r"\Alow/sums.c compiles with warnings:\n"
                                 r"    low/sums.c:[78]: .*total.* uninitialized")
        self.assertIn("pass: range", output)
        self.assertIsInstance(self.kinds(folder), dict)

    def test_a_wrong_helper_is_blamed_and_its_callers_wait(self):
        kinds = self.kinds(self.student(
            "a", **{**EVERY, "sum": "    return 1;\n"}))
        self.assertEqual(kinds["sum"], ("fail", []))
        self.assertEqual(kinds["sum_twice"], ("wait", ["sum"]))
        self.assertEqual(kinds["range"], ("pass", []))

    def test_a_test_of_two_alone_leaves_both_in_doubt(self):
        kinds = self.kinds(self.student(
            "a", **{**EVERY, "twice": "    return x;\n"}))
        self.assertEqual(kinds["twice"], ("fail", []))
        self.assertEqual(kinds["sum_twice"], ("fail", []))
        self.assertEqual(kinds["sum"], ("pass", []))

    def test_those_in_doubt_are_shown_together(self):
        _, output = self.check(self.student(
            "a", **{**EVERY, "twice": "    return x;\n"}))
        self.assertIn("FAIL one of twice  sum_twice\n"
                      "               and_doubled\n", output)
        self.assertEqual(output.count("and_doubled"), 1)
        self.assertIn("Next: mend twice in low/sums.c. It may be another of "
                      "those that fail with it,\nor a suspect.", output)

    def test_who_passes_and_took_part_is_a_suspect(self):
        _, output = self.check(self.student(
            "a", **{**EVERY, "sum_twice": "    return twice(3);\n"}))
        self.assertIn("               suspects, though they pass: sum\n",
                      output)
        _, output = self.check(self.student(
            "b", **{**EVERY, "range": "    return (struct pair){0, 0};\n"}))
        self.assertNotIn("suspect", output)

    def test_crashes_are_each_function_s_own(self):
        crash = "    *(volatile int *)8 = 1;\n"
        status, output = self.check(self.student(
            "a", **{**EVERY, "sum": crash + "    return 0;\n",
                    "name_of": "    return (const char *)8;\n"}))
        self.assertEqual(status, 1)
        self.assertIn("FAIL sum ", output)
        self.assertIn("FAIL name_of ", output)
        self.assertIn("crashed", output)
        self.assertIn("pass: range", output)

    def test_leaving_the_program_is_no_pass(self):
        folder = self.student("a", sum="    extern void exit(int);\n"
                                       "    exit(0);\n", range=True)
        _, output = self.check(folder)
        self.assertIn("ended with exit status 0 in the middle", output)
        self.assertIn("pass: range", output)

    def test_writing_out_of_bounds_is_that_function_s_fault(self):
        folder = self.student(
            "a", range=True,
            count_up="    for (size_t i = 0; i < 100000000; i++)\n"
                     "        out[i] = (int)(i < n ? i : 0);\n")
        kinds = self.kinds(folder)
        self.assertEqual(kinds["count_up"], ("fail", []))
        self.assertEqual(kinds["range"], ("pass", []))

    def test_a_helper_may_be_done_without(self):
        folder = self.student("a", sum=True,
                              sum_twice="    return 2 * sum(x, n);\n")
        self.assertEqual(self.kinds(folder)["twice"], ("pass", []))
        self.assertEqual([f["name"] for f in self.plan["functions"]
                          if f["static"]], ["twice", "plus", "minus"])

    def test_what_does_not_compile_is_named(self):
        status, output = self.check(self.student("a", sum="    return y;\n"))
        self.assertEqual(status, 1)
        self.assertIn("low/sums.c does not compile:\n    low/sums.c:7: ", output)

    def test_what_cannot_be_linked_is_named(self):
        folder = self.student("a", **EVERY)
        source = folder / "low/sums.c"
        source.write_text(source.read_text().replace("int sum(", "int suum(")
                          .replace("twice(sum(", "twice(suum("))
        (folder / "sums.h").write_text(made_up.HEADER.replace(
            "int sum(", "int suum(const int *x, size_t n);\nint sum("))
        status, output = self.check(folder)
        self.assertEqual(status, 1)
        self.assertIn("missing, or there twice: sum\n", output)

    def test_one_function_alone(self):
        _, output = self.check(self.student("a", sum=True), "--only", "sum")
        self.assertIn("1 passes.", output)
        self.assertNotIn("range", output)

    def test_the_program_says_what_is_missing(self):
        folder = self.student("a", sum_twice=True)
        done = subprocess.run(["./rung"], cwd=folder, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "not written yet: sum_twice\n")

    def test_a_test_that_lets_no_file_grow_is_recorded_too(self):
        test = "test_sums:names_need_no_disk"
        self.assertEqual(self.plan["tests"][test]["calls"], ["name_of"])
        runner = Runner(self.student("a"))
        self.assertEqual(runner.run_test(test).met, ["name_of"])

    def test_every_test_runs_though_all_are_stubs(self):
        done = subprocess.run(["make", "-s", "test"], cwd=self.student("a"),
                              stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("9 test(s) run.", done.stdout)
        self.assertIn("not written yet: range", done.stdout)

    def test_stubs_compile_without_a_warning(self):
        folder = self.student("a")
        done = subprocess.run(["make", "-s", "-B", "rung"], cwd=folder,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_folder_works_anywhere(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            folder = pathlib.Path(elsewhere, "mine")
            shutil.copytree(self.student("a", sum=True), folder)
            done = subprocess.run(
                ["make", "check"], cwd=folder, capture_output=True, text=True,
                env={key: value for key, value in os.environ.items()
                     if not key.startswith(("MAKE", "MFLAGS", "RUNG"))})
        self.assertIn("1 passes, 9 are not written.", done.stdout)

    def test_a_crash_leads_to_the_sanitizers(self):
        hint = "Something crashed: `make check SAN=1` says where.\n"
        folder = self.student("a", sum="    return *(int *)n + x[0];\n")
        self.assertIn(hint, self.check(folder)[1])
        self.assertNotIn(hint, self.check(folder, "--san")[1])

    def test_sanitizers_check_too(self):
        folder = self.student("a", **{
            **EVERY, "count_up": "    for (size_t i = 0; i <= n; i++)\n"
                                 "        out[i] = (int)i;\n"})
        _, output = self.check(folder, "--san")
        self.assertIn("FAIL count_up", output)
        self.assertIn("                 stack-buffer-overflow, WRITE of size "
                      "4, in count_up\n                 at low/sums.c:37: out[i] "
                      "= (int)i;\n"
                      "                 called by counting_begins_at_zero\n"
                      "                 at low/tests/test_sums.c:42: "
                      "count_up(out, 3);\n", output)
        self.assertIn("9 pass, 1 fails.", output)


    def test_only_what_changed_is_built_again(self):
        folder = self.student("a", **EVERY)
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith(("MAKE", "MFLAGS"))}

        def checked(*variables):
            subprocess.run(["make", "check", *variables], cwd=folder,
                           env=environment, capture_output=True, check=True)
            return {path.name: path.stat().st_mtime_ns
                    for path in folder.glob("build/*/*.o")
                    if path.parent.name == "san" or not variables}
        before = checked("SAN=1")
        checked()
        self.assertEqual(checked("SAN=1"), before)
        source = folder / "low/sums.c"
        source.write_text(source.read_text().replace("total = 0",
                                                     "total = 0 * 1"))
        after = checked("SAN=1")
        self.assertEqual([name for name in after
                          if after[name] != before[name]], ["sums.o"])

    def test_undefined_behaviour_has_a_caller_too(self):
        folder = self.student("a", **{
            **EVERY, "sum": "    return (int)n * (0x7fffffff / 2);\n"})
        _, output = self.check(folder, "--san")
        self.assertIn(
            "                 signed integer overflow: 3 * 1073741823 cannot "
            "be represented in type 'int', in sum\n"
            "                 at low/sums.c:7: return (int)n * (0x7fffffff / "
            "2);\n                 called by numbers_are_added\n", output)


class Stages(made_up.MadeUpCourse):
    """Names and ranges are of the second stage."""

    def plain(self, name, **written):
        folder = self.student(name, **written)
        path = folder / "course/plan.json"
        later = [f"test_sums:{test}" for test in (
            "a_range_has_two_ends", "numbers_have_names",
            "names_need_no_disk")]
        path.write_text(json.dumps({**self.plan, "later": later}))
        return folder

    def test_the_second_waits_until_the_first_is_whole(self):
        first = {name: True for name in ALL if name not in ("range",
                                                            "name_of")}
        _, output = self.check(self.plain("a", **{**first, "sum": "    return 1;\n"}))
        self.assertNotIn("range", output)
        self.assertNotIn("Second stage", output)
        _, output = self.check(self.plain("b", **first))
        self.assertIn("8 pass.", output)
        self.assertIn("Second stage, the other families:\n", output)
        self.assertIn("8 pass, 2 are not written.\nNext: write range",
                      output)

    def test_a_function_of_the_second_can_be_asked_for(self):
        _, output = self.check(self.plain("a", range=True), "--only", "range")
        self.assertIn("1 passes.", output)


class EndlessLoop(made_up.MadeUpCourse):
    def test_it_is_ended_and_the_others_go_on(self):
        folder = self.student("a", sum=FOREVER, range=True)
        with unittest.mock.patch.dict(os.environ, CHECK_SECONDS="1"):
            _, output = self.check(folder)
        self.assertRegex(output, r"not done after [0-9.]+ s: an endless loop")
        self.assertIn("pass: range", output)


if __name__ == "__main__":
    unittest.main()
