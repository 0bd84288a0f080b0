"""What each kind of output is counted as."""

import unittest

import formats


def read(format, text, status=0):
    for line in text.splitlines():
        format.read(line)
    return format.finish(status)


def cmocka(text, status=0):
    return read(formats.Cmocka(), text, status)


GOOD = """\
[==========] Running 2 test(s).
[ RUN      ] test_one
[       OK ] test_one
[ RUN      ] test_two
[       OK ] test_two
[==========] 2 test(s) run.
[  PASSED  ] 2 test(s).
"""

NAMED = """\
[==========] tests: Running 3 test(s).
[ RUN      ] test_one
[       OK ] test_one
[ RUN      ] test_two
[  ERROR   ] --- 0x1 != 0x2
[   LINE   ] --- test_x.c:9: error: Failure!
[  FAILED  ] test_two
[ RUN      ] test_three
no model here
[  SKIPPED ] test_three
[==========] tests: 3 test(s) run.
[  PASSED  ] 1 test(s).
[  SKIPPED ] tests: 1 test(s), listed below:
[  SKIPPED ] test_three

 1 SKIPPED TEST(S)
[  FAILED  ] tests: 1 test(s), listed below:
[  FAILED  ] test_two

 1 FAILED TEST(S)
"""


class CmockaOutput(unittest.TestCase):
    def test_passed(self):
        self.assertEqual(cmocka(GOOD), formats.Outcome(2))

    def test_failed_and_skipped_are_named_with_the_reason(self):
        self.assertEqual(cmocka(NAMED, 1), formats.Outcome(
            1, ["test_two"], ["test_three (no model here)"]))

    def test_a_program_may_have_several_groups(self):
        self.assertEqual(cmocka(GOOD + NAMED, 1).passed, 3)

    def test_a_test_whose_setup_fails_has_failed(self):
        text = GOOD.replace("[       OK ] test_two", "[  ERROR   ] test_two")
        self.assertEqual(cmocka(text, 1),
                         formats.Outcome(1, ["test_two"]))

    def test_a_group_whose_setup_fails_has_failed(self):
        text = ("[==========] Running 5 test(s).\n"
                "[  FAILED  ] GROUP SETUP\n"
                "[==========] 0 test(s) run.\n")
        self.assertEqual(cmocka(text, 1), formats.Outcome(0, ["GROUP SETUP"]))

    def test_tags_outside_a_group_are_not_tests(self):
        self.assertEqual(cmocka("[       OK ] test_x\n" + GOOD).passed, 2)

    def test_a_program_may_skip_all_it_has(self):
        text = "SKIPPED test_x: no models in ../tests\n"
        self.assertEqual(cmocka(text), formats.Outcome(
            0, [], ["test_x: no models in ../tests"]))
        self.assertEqual(cmocka(text, 1).failed,
                         ["exit status 1, but no test failed"])

    def test_a_test_that_says_skipped_is_counted_once(self):
        text = NAMED.replace("no model here", "SKIPPED here: no model")
        self.assertEqual(cmocka(text, 1).skipped,
                         ["test_three (SKIPPED here: no model)"])

    def test_a_crash_names_the_test_that_ran(self):
        text = "".join(GOOD.splitlines(True)[:4])
        self.assertEqual(cmocka(text, -11), formats.Outcome(
            1, ["no summary: ended by SIGSEGV in test_two"]))

    def test_a_crash_before_the_first_test(self):
        self.assertEqual(cmocka("", -6).failed,
                         ["no summary: ended by SIGABRT"])

    def test_an_exit_amid_the_tests_is_no_success(self):
        text = "".join(GOOD.splitlines(True)[:4])
        self.assertEqual(cmocka(text, 0).failed,
                         ["no summary: exit status 0 in test_two"])

    def test_a_bad_status_after_good_words(self):
        self.assertEqual(cmocka(GOOD, 23).failed,
                         ["exit status 23, but no test failed"])

    def test_fewer_tests_than_announced(self):
        text = GOOD.replace("Running 2", "Running 4")
        self.assertEqual(cmocka(text).failed, ["2 tests of a group that did not run"])

    def test_no_tests_prove_nothing(self):
        text = ("[==========] Running 0 test(s).\n"
                "[==========] 0 test(s) run.\n")
        self.assertEqual(cmocka(text).failed, ["no tests"])


def unittests(text, status=0):
    return read(formats.Unittest(), text, status)


class UnittestOutput(unittest.TestCase):
    def test_passed(self):
        text = ("test_a (test_x.X.test_a) ... ok\n"
                "test_b (test_x.X.test_b) ... ok\n"
                "\nRan 2 tests in 0.001s\n\nOK\n")
        self.assertEqual(unittests(text), formats.Outcome(2))

    def test_failed_and_skipped_are_named(self):
        text = ("test_a (test_x.X.test_a) ... FAIL\n"
                "test_b (test_x.X.test_b)\n"
                "What b is for. ... skipped 'no clang'\n"
                "test_c (test_x.X.test_c) ... ok\n"
                "\nFAIL: test_a (test_x.X.test_a)\n"
                "\nRan 3 tests in 0.001s\n\n"
                "FAILED (failures=1, skipped=1)\n")
        self.assertEqual(unittests(text, 1), formats.Outcome(
            1, ["test_a (test_x.X.test_a)"],
            ["test_b (test_x.X.test_b): 'no clang'"]))

    def test_subtests_of_one_test_are_one_failure(self):
        text = ("FAIL: test_a (test_x.X.test_a) (i=1)\n"
                "FAIL: test_a (test_x.X.test_a) (i=2)\n"
                "Ran 2 tests in 0.001s\n")
        self.assertEqual(unittests(text, 1), formats.Outcome(
            1, ["test_a (test_x.X.test_a)"]))

    def test_a_class_that_is_skipped_is_not_among_those_that_ran(self):
        text = ("setUpClass (test_x.X) ... skipped 'no model'\n"
                "Ran 4 tests in 0.001s\n\nOK (skipped=1)\n")
        self.assertEqual(unittests(text), formats.Outcome(
            4, [], ["setUpClass (test_x.X): 'no model'"]))

    def test_a_class_whose_setup_fails_has_failed(self):
        text = ("ERROR: setUpClass (test_x.X)\n"
                "Ran 0 tests in 0.001s\n\nFAILED (errors=1)\n")
        self.assertEqual(unittests(text, 1), formats.Outcome(
            0, ["setUpClass (test_x.X)"]))

    def test_a_crash(self):
        self.assertEqual(unittests("Fatal Python error\n", -11).failed,
                         ["no summary: ended by SIGSEGV"])

    def test_an_unexpected_success_is_a_failure(self):
        text = "Ran 1 test in 0.001s\n\nFAILED (unexpected successes=1)\n"
        self.assertEqual(len(unittests(text, 1).failed), 1)

    def test_no_tests_prove_nothing(self):
        self.assertEqual(unittests("Ran 0 tests in 0.0s\n\nOK\n").failed,
                         ["no tests"])


class CountedOutput(unittest.TestCase):
    text = "FAILED a.html: links: none\nSKIPPED the browser\n3 passed, 1 failed"

    def test_failures_and_what_was_left_out_are_named(self):
        outcome = read(formats.Counted(), self.text, 1)
        self.assertEqual(outcome, formats.Outcome(
            3, ["a.html: links: none"], ["the browser"]))

    def test_an_end_without_a_summary(self):
        outcome = read(formats.Counted(), "SKIPPED x", 2)
        self.assertEqual(outcome.failed, ["no summary: exit status 2"])

    def test_a_status_that_says_more_than_the_lines(self):
        outcome = read(formats.Counted(), "3 passed, 0 failed", 1)
        self.assertEqual(outcome.failed,
                         ["exit status 1, but no check failed"])


class Checks(unittest.TestCase):
    def test_the_exit_status_tells(self):
        self.assertEqual(read(formats.Check(), "words"), formats.Outcome(1))

    def test_the_last_lines_tell_why(self):
        said = [str(number) for number in range(50)]
        outcome = read(formats.Check(), "\n".join(said), 1)
        status, *lines = outcome.failed[0].splitlines()
        self.assertEqual(status, "exit status 1")
        self.assertEqual([line.strip() for line in lines], said[10:])

    def test_what_is_left_out_is_named(self):
        for status, n in ((0, 1), (1, 0)):
            outcome = read(formats.Check(), "words\nSKIPPED a: b\n", status)
            self.assertEqual((outcome.passed, outcome.skipped), (n, ["a: b"]))


if __name__ == "__main__":
    unittest.main()
