"""Submissions of all kinds, graded."""

import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import made_up
from grade import grade_all
from made_up import ALL, RUNG
from report import as_csv, as_json, as_table
from tree import HERE, Stop

EVERY = {name: True for name in ALL}


class Grading(made_up.MadeUpCourse):
    assignments = {}

    @classmethod
    def tearDownClass(cls):
        for assignment in cls.assignments.values():
            assignment.scratch.cleanup()

    def grade(self, *submissions, rung="", only=()):
        with unittest.mock.patch.dict(os.environ, CHECK_SECONDS="2"):
            return list(grade_all(submissions, rung, only,
                                  {RUNG: self.files}, self.store,
                                  self.assignments))

    def table(self, *submissions):
        out = io.StringIO()
        as_table(self.grade(*submissions), out)
        return out.getvalue()

    def kinds_of(self, grade):
        return {v.name: v.kind for v in grade.verdicts}

    def graded(self, folder):
        return self.kinds_of(self.grade(folder)[0])

    def test_several_are_a_line_each(self):
        table = self.table(self.student("anna", **EVERY),
                           self.student("ben", sum=True),
                           self.student("eve", sum="    return 1;\n",
                                        sum_twice=True))
        rows = [line.split() for line in table.splitlines()[-4:]]
        self.assertEqual(rows[0], ["submission", "functions", "pass", "fail",
                                   "wait", "not", "written", "not", "tested"])
        self.assertEqual([row[1:] for row in rows[1:]],
                         [["10", "10", "0", "0", "0", "0"],
                          ["10", "1", "0", "0", "9", "0"],
                          ["10", "0", "1", "1", "8", "0"]])

    def test_a_failure_says_why(self):
        table = self.table(self.student("anna", sum="    return 1;\n"))
        self.assertIn("  low/sums.c: sum FAILS\n"
                      "      numbers_are_added\n"
                      "      expected 6, got 1\n", table)

    def test_csv_has_a_row_for_each_function(self):
        out = io.StringIO()
        as_csv(self.grade(self.student("anna", sum=True)), out)
        rows = list(csv.DictReader(io.StringIO(out.getvalue())))
        self.assertEqual(len(rows), 10)
        self.assertEqual(rows[0]["function"], "sum")
        self.assertEqual(rows[0]["verdict"], "pass")
        self.assertEqual({row["verdict"] for row in rows[1:]}, {"missing"})

    def test_json_has_the_counts_and_the_verdicts(self):
        out = io.StringIO()
        as_json(self.grade(self.student("anna", sum=True)), out)
        found, = json.loads(out.getvalue())
        self.assertEqual((found["functions"], found["pass"],
                          found["not_written"], len(found["verdicts"])),
                         (10, 1, 9, 10))

    def test_the_students_tests_header_and_makefile_do_not_count(self):
        folder = self.student("anna", sum="    return 1;\n")
        (folder / "low/tests/test_sums.c").write_text("int main(void) { return 0; }\n")
        (folder / "Makefile").write_text("all:\n\tfalse\n")
        (folder / "sums.h").write_text("#error never read\n")
        (folder / "main.c").write_text("#error never read\n")
        (folder / "more.c").write_text("#error never read\n")
        (folder / "course/not_written.c").write_text("#error never read\n")
        (folder / "course/check.py").write_text("print('all pass')\n")
        self.assertEqual(self.graded(folder)["sum"], "fail")

    def test_a_shorter_plan_does_not_count_where_the_rung_is_given(self):
        folder = self.student("anna", sum=True)
        plan = {**self.plan, "only": ["sum"]}
        (folder / "course/plan.json").write_text(json.dumps(plan))
        self.assertEqual(len(self.grade(folder)[0].verdicts), 1)
        self.assertEqual(len(self.grade(folder, rung="m0")[0].verdicts), 10)

    def test_the_students_results_are_not_believed(self):
        folder = self.student("anna", **EVERY)
        built = folder / "build/plain/test_sums"
        source = folder / "low/sums.c"
        source.write_text(source.read_text().replace("total += x", "total -= x"))
        self.assertTrue(built.exists())
        self.assertEqual(self.graded(folder)["sum"], "fail")

    def test_a_file_that_does_not_compile_costs_only_itself(self):
        grade, = self.grade(self.student("anna", sum="    return y;\n"))
        self.assertEqual(set(self.kinds_of(grade).values()), {"broken"})
        self.assertIn("low/sums.c does not compile: ", grade.notes[0])

    def test_a_function_that_is_gone_costs_its_file(self):
        folder = self.student("anna", **EVERY)
        source = folder / "low/sums.c"
        source.write_text(source.read_text().replace(
            "void count_up(int *out", "void count(int *out"))
        grade, = self.grade(folder)
        self.assertEqual(set(self.kinds_of(grade).values()), {"broken"})
        self.assertIn("it cannot be linked: count_up", grade.notes[0])

    def test_a_second_main_costs_its_file(self):
        folder = self.student("anna", **EVERY)
        with open(folder / "low/sums.c", "a") as source:
            source.write("int main(void) { return 0; }\n")
        self.assertEqual(self.graded(folder)["sum"], "broken")

    def test_what_could_forge_a_result_is_noted(self):
        grade, = self.grade(self.student(
            "anna", range=True, sum="    extern void exit(int);\n"
                                    "    exit(0);\n"))
        self.assertEqual(grade.notes,
                         ["low/sums.c should be read: it calls exit"])

    def test_endless_loops_and_crashes_are_failures(self):
        kinds = self.graded(self.student(
            "anna", **{**EVERY, "sum": "    for (;;)\n        ;\n",
                       "range": "    *(volatile int *)8 = 1;\n"
                                "    return (struct pair){0, 0};\n"}))
        self.assertEqual((kinds["sum"], kinds["range"], kinds["count_up"]),
                         ("fail", "fail", "pass"))

    def test_too_much_memory_is_a_failure(self):
        kinds = self.graded(self.student(
            "anna", **{**EVERY, "name_of":
                       "    extern void *malloc(size_t);\n"
                       "    volatile char *all = malloc((size_t)3 << 30);\n"
                       "    all[0] = 1;\n"
                       '    return number > 1 ? "many" : "one";\n'}))
        self.assertEqual((kinds["name_of"], kinds["sum"]), ("fail", "pass"))

    def test_files_may_be_handed_in_without_their_rooms(self):
        folder = self.student("flat", **dict.fromkeys(ALL, True))
        (folder / "low/sums.c").rename(folder / "sums.c")
        self.assertTrue(all(v.kind == "pass"
                            for v in self.grade(folder)[0].verdicts))

    def test_a_room_that_is_a_link_is_not_read(self):
        folder = self.student("linked", **dict.fromkeys(ALL, True))
        (folder / "low").rename(folder / "other")
        (folder / "low").symlink_to(folder / "other")
        self.assertIn("sums.c is not there", self.grade(folder)[0].notes)

    def test_links_and_huge_files_are_not_read(self):
        folder = self.student("anna", sum=True)
        (folder / "low/sums.c").unlink()
        (folder / "low/sums.c").symlink_to("/etc/passwd")
        grade, = self.grade(folder)
        self.assertEqual(grade.notes, ["sums.c is not there"])
        (folder / "low/sums.c").unlink()
        (folder / "low/sums.c").write_bytes(b" " * (2 << 20))
        grade, = self.grade(folder)
        self.assertEqual(grade.notes, ["sums.c is larger than 1048576 bytes"])
        self.assertEqual(set(self.kinds_of(grade).values()), {"missing"})

    def test_the_submission_is_left_as_it_was(self):
        folder = self.student("anna", sum=True)
        before = {path: path.stat().st_mtime_ns
                  for path in folder.rglob("*") if path.is_file()}
        self.grade(folder)
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in
                                  folder.rglob("*") if path.is_file()})

    def test_what_is_no_submission_stops_no_other(self):
        empty = self.student("empty")
        (empty / "course/plan.json").unlink()
        os.mkfifo(empty / "course/plan.json")
        deep = self.student("deep")
        (deep / "course/plan.json").write_text("[" * 100000)
        other = self.student("other")
        (other / "course/plan.json").write_text(
            '{"rung": "../m0-sums", "only": ["sum"]}')
        grades = self.grade(empty, deep, other, self.student("anna", sum=True))
        self.assertEqual(
            [(grade.notes[:1], len(grade.verdicts)) for grade in grades],
            [(["not graded: it does not say which course it is of: give "
               "LAB=, or RUNG= and ONLY="], 0)] * 2 +
            [(['not graded: there is no rung "../m0-sums"; there are '
               "m0-sums"], 0), ([], 10)])

    def test_a_file_beside_the_folders_is_a_row_too(self):
        folder = self.student("anna", sum=True)
        names = folder.with_name("names.txt")
        names.write_text("anna\n")
        self.addCleanup(names.unlink)
        grades = self.grade(names, folder)
        self.assertEqual(grades[0].notes, ["not graded: it is no folder"])
        self.assertEqual(self.kinds_of(grades[1])["sum"], "pass")

    def test_what_was_not_graded_is_a_row_too(self):
        folder = self.student("anna")
        (folder / "course/plan.json").unlink()
        grades, out = self.grade(folder), io.StringIO()
        as_csv(grades, out)
        row, = csv.DictReader(io.StringIO(out.getvalue()))
        self.assertEqual((row["verdict"], row["notes"][:10]),
                         ("not graded", "not graded"))
        self.assertIn("not graded: it does not say", self.table(folder))

    def test_a_part_that_is_not_there_is_the_teacher_s_mistake(self):
        with self.assertRaisesRegex(Stop, "ONLY: lat.c is neither"):
            self.grade(self.student("anna"), rung="m0", only=["lat.c"])

    def test_a_compiler_that_reads_for_ever_costs_only_that_file(self):
        folder = self.student("anna", **EVERY)
        with open(folder / "low/sums.c", "a") as source:
            source.write('#include "/dev/zero"\n')
        grade, = self.grade(folder)
        self.assertEqual(set(self.kinds_of(grade).values()), {"broken"})


class Command(unittest.TestCase):
    def test_what_is_not_there_is_named(self):
        done = subprocess.run(
            [sys.executable, HERE / "grade.py", "/no/such/folder"],
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr,
                         "grade: /no/such/folder is not there\n")


if __name__ == "__main__":
    unittest.main()
