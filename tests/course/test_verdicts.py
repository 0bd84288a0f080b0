"""Verdicts from results, own tests from calls: on paper."""

import io
import pathlib
import tempfile
import unittest

import tree  # noqa: F401  (finds the kit)
from functions import Function
from graph import TestCode, callees
from own import Own
from running import Result, words_of
from tree import File
from showing import Page, show_unseen
from stages import Row, later_tests, stale_rows
from verdicts import Judge, first_stage, groups, limits, own_tests
from words import explain

GOOD, BAD, SKIPPED = Result("pass"), Result("fail"), Result("skip")


def met(*names):
    return Result("fail", met=list(names))


def plan(functions, tests):
    """functions: {name: (own tests, callees)}; tests: {name: calls}."""
    return {"functions": [{"name": name, "file": "f.c", "own": own.split(),
                           "static": name == "low", "calls": calls.split()}
                          for name, (own, calls) in functions.items()],
            "tests": {test: {"calls": calls.split(), "seconds": 0.5}
                      for test, calls in tests.items()}}


# high calls low; both have a test of their own, t is of both.
PAIR = plan({"low": ("l t", ""), "high": ("h t", "low")},
            {"l": "low", "h": "high low", "t": "high low"})


def judge(results, missing=(), broken=(), plan=PAIR):
    verdicts = Judge(plan, results, missing, broken).verdicts()
    return {v.name: (v.kind, *v.on) for v in verdicts}


class Kinds(unittest.TestCase):
    def test_all_good(self):
        self.assertEqual(judge({"l": GOOD, "h": GOOD, "t": GOOD}),
                         {"low": ("pass",), "high": ("pass",)})

    def test_a_stub_is_missing_and_who_meets_it_waits(self):
        self.assertEqual(
            judge({"l": met("low"), "h": met("low"), "t": met("low")},
                  missing=["low"]),
            {"low": ("missing",), "high": ("wait", "low")})

    def test_a_test_that_passes_though_it_met_a_stub_waits_too(self):
        found = Result("pass", met=["low"])
        self.assertEqual(judge({"l": GOOD, "h": found, "t": GOOD}),
                         {"low": ("pass",), "high": ("wait", "low")})

    def test_a_helper_that_no_test_meets_is_not_needed(self):
        found = judge({"l": GOOD, "h": GOOD, "t": GOOD},
                      missing=["low", "high"])
        self.assertEqual(found, {"low": ("pass",), "high": ("missing",)})

    def test_a_helper_that_a_test_may_still_need_is_missing(self):
        later = plan({"low": ("l", ""), "high": ("h", "low")},
                     {"l": "low", "h": "high low"})
        self.assertEqual(judge({"l": GOOD, "h": met("high")},
                               missing=["low", "high"], plan=later),
                         {"low": ("missing",), "high": ("missing",)})

    def test_a_wrong_callee_is_to_blame_when_it_fails_alone_too(self):
        self.assertEqual(judge({"l": BAD, "h": BAD, "t": BAD}),
                         {"low": ("fail",), "high": ("wait", "low")})

    def test_otherwise_nobody_knows(self):
        self.assertEqual(judge({"l": GOOD, "h": BAD, "t": BAD}),
                         {"low": ("fail",), "high": ("fail",)})

    def test_a_failure_without_the_callee_is_one_s_own(self):
        alone = plan({"low": ("l", ""), "high": ("h", "low")},
                     {"l": "low", "h": "high"})
        self.assertEqual(judge({"l": BAD, "h": BAD}, plan=alone),
                         {"low": ("fail",), "high": ("fail",)})

    def test_the_failed_test_that_calls_least_is_the_first(self):
        many = plan({"low": ("t l", "")}, {"l": "low", "t": "low other"})
        verdict, = Judge(many, {"l": BAD, "t": BAD}, ()).verdicts()
        self.assertEqual(verdict.failures, ["l", "t"])

    def test_a_failed_test_that_says_where_comes_before_it(self):
        many = plan({"low": ("l t", "")}, {"l": "low", "t": "low other"})
        placed = Result("fail", words=["x: shape (2,), at (1,): expected 1, "
                                       "got 2"])
        verdict, = Judge(many, {"l": BAD, "t": placed}, ()).verdicts()
        self.assertEqual(verdict.failures, ["t", "l"])

    def test_files_that_do_not_compile(self):
        self.assertEqual(judge({"l": met("low"), "h": GOOD, "t": GOOD},
                               ["low", "high"], ["f.c"]),
                         {"low": ("broken",), "high": ("broken",)})

    def test_without_its_files_nothing_is_known(self):
        self.assertEqual(judge({"l": SKIPPED, "h": SKIPPED, "t": SKIPPED}),
                         {"low": ("unknown",), "high": ("unknown",)})


class Words(unittest.TestCase):
    def test_cmocka_s_frame_is_left_out(self):
        self.assertEqual(
            words_of("[ RUN      ] a\nexpected 6, got 5\n[  ERROR   ] --- "
                     "[   LINE   ] --- t.c:2: error: Failure!\n"
                     "[  ERROR   ] --- 0x1 != 0x2\n[   LINE   ] --- t.c:3: "
                     "error: Failure!\n[  FAILED  ] a\n"),
            ["expected 6, got 5", "t.c:2: error: Failure!", "0x1 != 0x2",
             "t.c:3: error: Failure!"])

    def test_a_failed_test_s_leaks_are_not_told(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "f.c").write_text("char *x = malloc(8);\n")
            leak = ["==7==ERROR: LeakSanitizer: detected memory leaks",
                    "#0 0x5 in main f.c:1:3"]
            differs = ["1 != 2", "t.c:1: error: Failure!"]
            self.assertEqual(
                [explain(Result("fail", words=words), folder)
                 for words in (differs + leak, leak)],
                [["expected 2, got 1", "at t.c:1"],
                 ["detected memory leaks, in main",
                  "at f.c:1: char *x = malloc(8);"]])

    def test_a_place_in_a_helper_is_told_only_where_nothing_else_is(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "test_x.h").write_text("assert_true(same);\n")
            place = "test_x.h:1: error: Failure!"
            self.assertEqual(
                [explain(Result("fail", words=[*words, "same", place]), folder)
                 for words in ([], ["shape (2,), at (1,): expected 1, got 2"])],
                [["at test_x.h:1: expected same"],
                 ["shape (2,), at (1,): expected 1, got 2"]])


class Groups(unittest.TestCase):
    def groups(self, results):
        verdicts = Judge(PAIR, results, ()).verdicts()
        return [[v.name for v in group] for group in groups(verdicts)]

    def test_the_likeliest_comes_first(self):
        self.assertEqual(self.groups({"l": GOOD, "h": BAD, "t": BAD}),
                         [["high", "low"]])
        self.assertEqual(self.groups({"l": GOOD, "h": GOOD, "t": BAD}),
                         [["low", "high"]])

    def test_who_passes_is_in_none(self):
        self.assertEqual(self.groups({"l": GOOD, "h": BAD, "t": GOOD}),
                         [["high"]])


class Suspects(unittest.TestCase):
    """Of what passes, and took part in what fails."""

    # all calls right, wrong and seldom; right has many tests that pass
    MANY = plan({"all": ("a b", "right seldom"), "right": ("r s", ""),
                 "seldom": ("t", "")},
                {"a": "all right seldom", "b": "all right", "r": "right",
                 "s": "right", "t": "seldom"})

    def suspects(self, results):
        judge = Judge(self.MANY, results, ())
        verdicts = judge.verdicts()
        return [judge.suspects(verdicts, group) for group in groups(verdicts)]

    def test_the_likeliest_comes_first(self):
        good = {"r": GOOD, "s": GOOD, "t": GOOD}
        self.assertEqual(self.suspects({**good, "a": BAD, "b": GOOD}),
                         [["seldom", "right"]])
        self.assertEqual(self.suspects({**good, "a": GOOD, "b": BAD}),
                         [["right"]])

    def test_who_fails_or_waits_is_none(self):
        self.assertEqual(self.suspects(
            {"a": BAD, "b": BAD, "r": BAD, "s": GOOD, "t": met("seldom")}),
            [[]])


class Hints(unittest.TestCase):
    """What the place of the first difference says."""

    def explain(self, name, axes, at, shape="4, 8"):
        words = [f"{name}: shape ({axes}) = ({shape}), at ({at}): expected 1, "
                 "got 2"]
        return explain(Result("fail", words=words), ".")[1:]

    def test_tokens(self):
        for name in ("layer0", "logits"):
            self.assertEqual(
                self.explain(name, "token, dimension", "1, 0"),
                ["token 0 is right, token 1 is wrong: positions or mask"])
        self.assertEqual(
            self.explain("norm", "token, dimension", "3, 0"),
            ["tokens 0 to 2 are right, token 3 is wrong: positions or mask"])
        self.assertIn("token 0 is wrong already: not the angles",
                      self.explain("layer0", "token, dimension", "0, 3")[0])

    def test_an_embedding_has_no_positions(self):
        self.assertEqual(
            self.explain("embedding", "token, dimension", "2, 0"),
            ["tokens 0 to 1 are right, token 2 is wrong: which row is taken, "
             "or where it is put"])
        self.assertEqual(
            self.explain("embedding", "token, dimension", "0, 0"), [])

    def test_heads_and_layers(self):
        self.assertEqual(
            self.explain("attend.plain", "head, dimension", "2, 0"),
            ["heads 0 to 1 are right, head 2 is wrong: where a head begins, "
             "or whose keys and values it shares"])
        self.assertEqual(
            self.explain("attend.plain", "head, position", "0, 3"), [])
        self.assertEqual(
            self.explain("layer2", "token, dimension", "1, 3"),
            ["layers 0 to 1 are right, layer 2 is wrong: what layer 2 has of "
             "its own: its weights, its window, its rope",
             "token 0 is right, token 1 is wrong: positions or mask"])

    def test_an_absurd_factor_is_no_number(self):
        for said, told in (("12.3", "12.3 times"), ("1000.0", "1000.0 times"),
                           ("1000.1", "more than 1000 times"),
                           ("inf", "more than 1000 times"),
                           ("123456789.0", "more than 1000 times")):
            words = [f"the worst of the row is off by {said} times the "
                     "tolerance"]
            self.assertEqual(
                explain(Result("fail", words=words), "."),
                [f"the worst of the row is off by {told} the tolerance"])


class Unseen(unittest.TestCase):
    """What is said of functions that pass."""

    def shown(self, unseen):
        out = io.StringIO()
        show_unseen(["a", "b", "c"], unseen, Page(out))
        return " ".join(out.getvalue().split())

    def test_small_mistakes_are_counted(self):
        self.assertEqual(
            self.shown({"a": 3, "c": 1, "d": 7}),
            "small mistakes that their tests do not see: a (3), c (1)")

    def test_what_was_not_tried_is_not_known(self):
        self.assertEqual(self.shown({"b": None}), "not known which mistakes "
                         "their tests see: b")

    def test_where_all_are_seen_nothing_is_said(self):
        self.assertEqual(self.shown({}), "")


class Stages(unittest.TestCase):
    """all is of both stages, only of the second; low is needed in the first,
    though its own test is of the second."""

    PLAN = {**plan({"all": ("a b", "low"), "only": ("b", ""),
                    "low": ("l", "")},
                   {"a": "all low", "b": "all only low", "l": "low deep"}),
            "later": ["b", "l"]}

    def test_what_the_first_needs(self):
        found = first_stage(self.PLAN)
        self.assertEqual({f["name"]: f["own"] for f in found["functions"]},
                         {"all": ["a"], "low": ["a"]})

    def test_one_stage_is_the_plan(self):
        self.assertIs(first_stage(PAIR), PAIR)

    def test_lines_of_later_txt(self):
        row = Row("test_x", ("*-1", "y"), ("a-*",), 1)
        tests = ["test_x:b-1", "test_x:a-1", "test_x:y", "test_z:b-1"]
        self.assertEqual(later_tests(tests, [row]), ["test_x:b-1", "test_x:y"])
        self.assertEqual(stale_rows(tests[3:], [row]),
                         ["later.txt:1: test_x has no such test"])


class Next(unittest.TestCase):
    def next(self, missing):
        judge = Judge(PAIR, {"l": met("low"), "h": met("high"),
                             "t": met("high")}, missing)
        return judge.next_function(judge.verdicts())

    def test_what_needs_least(self):
        self.assertEqual(self.next(["low", "high"]), ("low", "l", ["low"]))

    def test_then_the_rest(self):
        self.assertEqual(self.next(["high"]), ("high", "h", ["high"]))

    def test_nothing(self):
        self.assertIsNone(self.next([]))


class Plan(unittest.TestCase):
    def test_each_test_once(self):
        self.assertEqual(own_tests(PAIR), ["l", "t", "h"])
        self.assertEqual(own_tests(PAIR, {"high"}), ["h", "t"])

    def test_twenty_times_as_long(self):
        self.assertEqual(limits(PAIR), {"l": 10, "h": 10, "t": 10})


class OwnTests(unittest.TestCase):
    """add is public, twice its static helper, print_all elsewhere."""

    FUNCTIONS = [Function("add", "sums.c", "int add(void)\n{\n}\n", 1),
                 Function("twice", "sums.c", "static int twice(void)\n{\n}\n",
                          5),
                 Function("lost", "more.c", "int lost(void)\n{\n}\n", 1)]
    CALLEES = {"add": ["twice"], "twice": [], "lost": ["add"]}

    def own(self, **tests):
        """tests: program__name=(calls, words)."""
        rows = {name.replace("__", ":"): row for name, row in tests.items()}
        return Own(self.FUNCTIONS,
                   {test: calls.split() for test, (calls, _) in rows.items()},
                   {test: set(words.split())
                    for test, (_, words) in rows.items()},
                   self.CALLEES).all()

    def test_those_that_name_it_in_the_program_of_its_file(self):
        found = self.own(test_sums__a=("add twice", "add"),
                         test_sums__b=("add twice", "x"),
                         test_more__c=("add lost", "add lost"))
        self.assertEqual(found["add"], ["test_sums:a"])
        self.assertEqual(found["lost"], ["test_more:c"])

    def test_a_helper_has_its_callers_tests(self):
        found = self.own(test_sums__a=("add twice", "add"),
                         test_sums__b=("twice", "twice"),
                         test_sums__c=("add", "add"))
        self.assertEqual(found["twice"], ["test_sums:a"])

    def test_a_helper_is_named_in_comments(self):
        rows = {"test_sums:a": ["add", "twice"], "test_sums:b": ["add",
                                                                 "twice"]}
        own = Own(self.FUNCTIONS, rows, {test: {"add"} for test in rows},
                  self.CALLEES, {"test_sums:b": {"about", "twice", "lost"},
                                 "test_sums:a": {"add"}}).all()
        self.assertEqual(own["twice"], ["test_sums:b"])
        self.assertEqual(own["add"], ["test_sums:a", "test_sums:b"])

    def test_elsewhere_and_the_program_itself_last(self):
        found = self.own(test_x__a=("lost", "execv"), test_y__b=("lost", "z"),
                         test_z__c=("add", "execv"))
        self.assertEqual(found["lost"], ["test_y:b"])
        self.assertEqual(found["add"], ["test_z:c"])
        self.assertEqual(found["twice"], [])


class Comments(unittest.TestCase):
    def test_the_one_above_a_test(self):
        text = ("/* The file: c. */\n#include \"x.h\"\n\n"
                "/* What a is\n * for. */\nstatic void t(void)\n{\n"
                "    b(); /* d */\n}\n\nstatic void u(void)\n{\n"
                "}\n")
        code = TestCode({"test_x.c": File(text.encode())})
        self.assertEqual(code.comment("test_x:t"), {"What", "a", "is", "for"})
        self.assertEqual(code.comment("test_x:u"), set())


class Words(unittest.TestCase):
    HEADERS = {
        "test_near.h": File(b"static inline void check(void)\n{\n"
                            b"    read_it();\n}\n"),
        "test_far.h": File(b"static inline void help(void)\n{\n"
                           b"    other();\n}\n")}

    def words(self, includes):
        text = includes + ("static void help(void)\n{\n    own();\n}\n\n"
                           "static void t(void)\n{\n    check();\n"
                           "    help();\n}\n")
        files = {**self.HEADERS, "test_x.c": File(text.encode())}
        return TestCode(files).words("test_x:t")

    def test_what_a_header_that_it_includes_checks_is_named(self):
        self.assertLessEqual({"read_it", "own"},
                             self.words('#include "test_near.h"\n\n'))

    def test_what_other_programs_include_is_not(self):
        found = self.words("")
        self.assertIn("own", found)
        self.assertFalse({"read_it", "other"} & found)


class Callees(unittest.TestCase):
    def test_through_tables_and_what_is_given_but_not_through_comments(self):
        text = ("/* c */\nstatic int a(void)\n{\n    return 1;\n}\n\n"
                "static int b(void)\n{\n    return 2; /* a */\n}\n\n"
                "static int (*const rows[])(void) = {a, b};\n\n"
                "static int given(void)\n{\n    return rows[0]();\n}\n\n"
                "int c(void)\n{\n    return given() + \"b\"[0];\n}\n")
        self.assertEqual(
            callees({"f.c": File(text.encode())}, ["a", "b", "c"]),
            {"a": [], "b": [], "c": ["a", "b"]})

    def test_a_static_function_is_its_own_file_s(self):
        files = {"f.c": File(b"static int a(void)\n{\n    return 1;\n}\n"),
                 "g.c": File(b"int g(void)\n{\n    int a = 1;\n"
                             b"    return a;\n}\n")}
        self.assertEqual(callees(files, ["a", "g"]), {"a": [], "g": []})


if __name__ == "__main__":
    unittest.main()
