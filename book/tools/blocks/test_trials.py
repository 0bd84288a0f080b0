"""Break-it boxes and exercises: tried in copies of the rung."""

import os
import shutil
import threading
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from blocks import answers, breaks
from blocks.exercises import accepts
from blocks.patches import Patch, apply_all, split
from chapters import ahead
from running import seen, sets, trials
from support.mistakes import Wrong
from testing.case import BookCase, fragment, report
from text import tree

from rungs import File

LOSES = "-         total += n->of[i];\n+         total = n->of[i];"


def box(text, test="adds_all", place="src=sum.c fn=sum",
        answer="\n\nWhy?\n\nBecause."):
    """A break-it box."""
    return f"```{{.break {place} test=\"{test}\"}}\n{text}{answer}\n```"


def patch(text, more="", place="src=sum.c fn=sum"):
    """The answer of a change exercise."""
    return (f"::: answer\nSo.\n```{{.patch {more} {place}}}\n{text}\n```"
            "\n:::")


def exercise(attributes, inside="Question?\n\n::: answer\nSo.\n:::"):
    """An exercise."""
    return f"::: {{.exercise {attributes}}}\n{inside}\n:::"


class BreakBoxes(BookCase):
    def test_shows_the_bug_the_question_and_the_tests_words(self):
        page = self.html(box(LOSES, answer="\nWhich is\nleft, `<a>`?\n\nAll."))
        self.assertIn('<del><span class="sign">-</span>        total += ',
                      page)
        self.assertIn('<p>Which is\nleft, <code class="kept">&lt;a&gt;</code>?</p>',
                      page)
        self.assertIn('<code class="kept">adds_all</code>', page)
        self.assertIn("4 != ", page)
        self.assertIn("test_sum.c:", page)

    def test_words_that_differ_at_every_run_are_not_shown(self):
        page = self.html(box(LOSES, place="src=sum.c fn=sum words=differ"))
        self.assertIn('<code class="kept">adds_all</code>', page)
        self.assertNotIn("4 != ", page)
        self.assert_wrong([(box(LOSES, place="src=sum.c fn=sum words=no"),
                            "words=no: differ, or nothing")])

    def test_a_race_is_run_until_it_is_seen(self):
        """Chance lets the first two runs pass."""
        outcomes = [{"failed": [], "words": {}}] * 2 + [
            {"failed": ["adds_all"], "words": {"adds_all": "4 != 1"}}]
        with mock.patch.object(trials.Trials, "run_tests",
                               side_effect=outcomes) as runs:
            page = self.html(box(LOSES, "adds_*",
                                 "src=sum.c fn=sum words=differ"))
        self.assertIn('<code class="kept">adds_all</code>', page)
        self.assertEqual(runs.call_count, 3)
        with mock.patch.object(trials.Trials, "run_tests",
                               side_effect=outcomes * 9) as runs:
            self.assert_wrong([(box(LOSES, "adds", "src=sum.c fn=sum "
                                    "words=differ"), "adds did not fail")])
        self.assertEqual(runs.call_count, trials.MOST_RUNS)

    def test_the_answer_is_in_a_fold_and_apart(self):
        written = box(LOSES, answer="\nWhich?\n\nSecret:\n[here](m1.md).\n"
                      "\nOf $x^3$.")
        page = self.page(written)
        shown = page.expanded()
        text = fragment(shown, page.book)
        self.assertIn('<p>Secret:\n<a href="m1.html">here</a>.</p>', text)
        self.assertIn("katex", text)
        rest = fragment(answers.without(shown), page.book)
        self.assertNotIn("Secret", rest)
        self.assertIn("4 != ", rest)
        paper = self.page(written, medium="pdf")
        self.assertNotIn("Secret", fragment(paper.expanded(), page.book))
        (anchor, name, kind, question, answer), = page.answers
        self.assertEqual((anchor, name, kind), (
            "break-1", "Break it 1", "sum in m0-sum/sum.c"))
        self.assertIn("Which?", fragment(question, page.book))
        self.assertIn("katex", fragment(answer, page.book))
        self.assertNotIn("Secret", fragment(question, page.book))

    def test_a_long_list_of_words_is_cut(self):
        lines = [str(number) for number in range(20)]
        self.assertEqual(breaks.shortened("\n".join(lines[:12])),
                         "\n".join(lines[:12]))
        self.assertEqual(breaks.shortened("\n".join(lines)),
                         "\n".join(lines[:11]) + "\n… and more")

    def test_what_is_wrong_is_said(self):
        self.assert_wrong([
            (box(LOSES, test="nothing_is_zero"),
             "nothing_is_zero did not fail, but adds_all"),
            (box(LOSES, test="adds_all nothing*"),
             "nothing* did not fail"),
            (box("-     int total = 0;\n+     int total = 1;"),
             "nothing_is_zero failed, too"),
            (box("-     int total = 0;\n+     int total = 0, unused;"),
             "adds_all did not fail, but no test"),
            (box("-     int total = 0;\n+     int total = gone;"),
             "cannot be built", "gone"),
            (box("-     int total = 5;\n+     int total = 1;"),
             "holds these lines 0 times, not once"),
            (box("- t\n+ u"), "times, not once"),
            (box("+ u"), "without lines that begin with -"),
            (box(LOSES, place="src=sum.c fn=gone"), "has no gone"),
            (box(LOSES, place=""), "without src="),
            (box(LOSES, test=""), "without test="),
            (box(LOSES, answer="\nWhy?"), "a break-it box without an answer"),
            (box(LOSES, answer=""), "a break-it box without an answer")])

    def test_names_with_a_star_stand_for_many(self):
        breaks.check(["a", "b*"], ["a", "b1", "b2"])
        with self.assertRaises(Wrong):
            breaks.check(["a", "b*"], ["a", "b1", "c"])
        with self.assertRaises(Wrong):
            breaks.check(["a", "b*"], ["a"])

    def test_nothing_is_left_of_the_broken_copies(self):
        self.html(box(LOSES))
        left = [path.name for path in
                (self.root / "build" / "book" / "rungs").iterdir()]
        self.assertIn("m0-sum-tested", left)
        # A copy that counts (main_path.py) stays for the next one.
        self.assertEqual(set(left) - {"m0-sum", "m1-mean", "m0-sum-tested",
                                      "m1-mean-tested", "gcov"},
                         {"tests"})

    def test_a_changed_copy_leaves_the_one_that_it_was_made_of(self):
        one = self.book().trials
        folder = one.tested("m0-sum")

        def files():
            return {path: (path.read_bytes(), path.stat().st_mtime_ns)
                    for path in folder.rglob("*") if path.is_file()}
        before, source = files(), (folder / "sum.c").read_text()
        self.assertIn(folder / "build/sum.o", before)
        outcome = one.tests("m0-sum", {
            "m0-sum/sum.c": source.replace("total +=", "total =")})
        self.assertEqual(outcome["failed"], ["adds_all"])
        self.assertEqual(outcome["ran"], ["adds_all", "nothing_is_zero"])
        self.assertTrue(outcome["ended"])
        self.assertEqual(files(), before)

    def test_whose_kernels_are_optimized_is_told(self):
        one, asked = self.book().trials, []
        one.sets.options = lambda rung, folder, optimized: \
            asked.append(optimized) or []
        source = {"m0-sum/sum.c": (one.tested("m0-sum") / "sum.c").read_text()
                  + "/* changed */\n"}
        rules = one.sources.ladder["m0-sum"]["Makefile"].text + "# changed\n"
        one.tests("m0-sum", source)
        one.output("m0-sum", source, "./sum 1")
        one.output("m0-sum", source, "make -s all && ./sum 1")
        one.output("m0-sum", {**source, "m0-sum/Makefile": rules}, "./sum 1")
        self.assertEqual(asked, [sets.HERE, sets.NONE, sets.ALL, sets.ALL])

    def test_a_program_may_not_come_to_its_end(self):
        one = trials.Trials(self.book().workshop)
        for said, ended in (("[==========] t: 1 test(s) run.\n", True),
                            ("[==========] 1 test(s) run.\n", True),
                            ("exit status 134\n", False)):
            one.workshop = SimpleNamespace(execute=lambda *_, said=said: (
                1, "[==========] t: Running 1 test(s).\n[ RUN      ] a\n"
                "[  FAILED  ] a\n" + said))
            self.assertEqual(one.run_tests("folder")["ended"], ended)

    def test_reads_cmockas_words(self):
        said = ("[ RUN      ] a\n[       OK ] a\n[ RUN      ] b\n"
                "[  ERROR   ] --- 1 != 2\n[   LINE   ] --- x.c:3: error\n"
                "[  FAILED  ] b\n[  FAILED  ] tests: 1 test(s)\n"
                "[  FAILED  ] b\n")
        self.assertEqual(trials.FAILED.findall(said), ["b", "b"])
        self.assertEqual(trials.words_of(said, "b"), "1 != 2\nx.c:3: error")

    def test_another_program_may_have_a_test_of_the_name(self):
        said = ("[ RUN      ] b\n[       OK ] b\n[ RUN      ] b\n"
                "x\n[  FAILED  ] b\n[ RUN      ] b\n[       OK ] b\n")
        self.assertEqual(trials.words_of(said, "b"), "x")

    def test_what_threads_say_behind_an_assertion_is_left_out(self):
        said = ("[ RUN      ] b\n[  ERROR   ] --- 1 < 2\n"
                "[   LINE   ] --- x.c:3: error: Failure!\n%s"
                "[  FAILED  ] b\n")
        for behind in "", "The futex facility returned an error.\n":
            self.assertEqual(trials.words_of(said % behind, "b"),
                             "1 < 2\nx.c:3: error: Failure!")


class Unchanged(BookCase):
    """What is known of a rung before anything is changed."""

    def runs_when(self, passed):
        """How often its tests run, where RUNGS_PASSED says this."""
        runs = []
        one = trials.Trials(self.book().workshop)
        one.store = SimpleNamespace(get=lambda _, find: find(),
                                    held=lambda _: threading.Lock())
        one.run_tests = lambda _: runs.append(1) or {"failed": ["adds_all"]}
        with mock.patch.dict(os.environ, {"RUNGS_PASSED": passed}):
            try:
                one.tested("m0-sum")
            except Wrong as why:
                self.assertIn("fail before anything is changed", str(why))
        return len(runs)

    def test_its_tests_run_unless_they_have_passed(self):
        self.assertEqual(self.runs_when(""), 1)
        self.assertEqual(self.runs_when("m1-mean"), 1)
        self.assertEqual(self.runs_when("m1-mean m0-sum"), 0)


class Reached(BookCase):
    """The tests that run in a trial."""
    EDIT = "total = 0", "total = 1"

    def place(self, book):
        """Where this change begins."""
        return seen.subject(book.sources, "m0-sum/sum.c", book.sources.text(
            "m0-sum/sum.c").replace(*self.EDIT))

    def reached(self, ran, known=True, edit=EDIT):
        """Those of a and b, where it was seen what they run."""
        book = self.book()
        one = trials.Trials(book.workshop)
        text = one.sources.text("m0-sum/sum.c")
        self.assertIn(edit[0], text)
        one.subjects = {"m0-sum": {self.place(book)} if known else set()}
        ran = {test: {self.place(book) if came else ("m0-sum/sum.c", 7)}
               for test, came in ran.items()}
        one.linked = lambda rung, paths: ["a", "b"]
        one.ran = lambda rung: ran
        with mock.patch.dict(os.environ):
            os.environ.pop("ALL", None)
            return one.reached("m0-sum",
                               {"m0-sum/sum.c": text.replace(*edit)})

    def test_what_needs_what_is_looked_up_once_a_rung(self):
        one = trials.Trials(self.book().workshop)
        one.tested = lambda rung: None
        known = ["test_a", "test_b"], {"test_a": {"a"}, "test_b": {"b"}}, set()
        with mock.patch("running.reach.survey", return_value=known) as survey:
            for name in "ab":
                self.assertEqual(one.linked("m0-sum", [f"m0-sum/{name}.c"]),
                                 [f"build/plain/test_{name}"])
        self.assertEqual(survey.call_count, 1)

    def test_those_that_come_to_the_place(self):
        self.assertEqual(self.reached({"a": False, "b": True}), ["b"])
        self.assertEqual(self.reached({"a": False}), ["b"])

    def test_all_where_more_than_the_function_differs(self):
        ran = {"a": False, "b": False}
        self.assertEqual(self.reached(ran), [])
        self.assertEqual(self.reached(ran, edit=("#include", "//\n#include")),
                         ["a", "b"])
        self.assertEqual(self.reached(ran, known=False), ["a", "b"])

    def test_all_where_everything_is_to_run(self):
        one = trials.Trials(self.book().workshop)
        one.linked = lambda rung, paths: ["a", "b"]
        for name in ("EVERY_TEST", "ALL"):
            with mock.patch.dict(os.environ, {name: "1"}):
                self.assertIsNone(one.reached("m0-sum", {}), name)

    def holding(self, names, tests):
        """Those of a rung's test programs that hold tests of these names."""
        one = trials.Trials(self.book().workshop)
        one.sources = SimpleNamespace(ladder={"m0-sum": {
            "tests/test_a.c": File(b"static void one(void **state)"),
            "tests/test_b.c": File(b"static void one(void **state) two"),
            "tests/bench_c.c": File(b"three"), "a.c": File(b"three")}})
        return one.holding("m0-sum", names, tests)

    def test_those_that_hold_what_failed_before(self):
        both = ["build/plain/test_a", "build/plain/test_b"]
        self.assertEqual(self.holding(["one"], both), both)
        self.assertEqual(self.holding(["two"], both), both[1:])
        self.assertEqual(self.holding(["two"], both[:1]), both[:1])
        self.assertEqual(self.holding(["two", "three"], both), both)
        self.assertEqual(self.holding(["tw"], both), both)
        self.assertEqual(self.holding([], both), both)
        self.assertEqual(self.holding(None, both), both)
        self.assertIsNone(self.holding(["two"], None))

    def tried(self, written, everything=""):
        """The names that are known to have failed when a box or an exercise is
        tried twice, the second time with its outcome committed."""
        (node, page), = ahead.tasks(self.page(written).book)
        names = []
        page.trials.holding = lambda rung, failed, tests: (
            names.append(failed), tests)[1]
        with mock.patch.dict(os.environ, {"EVERY_TEST": everything}):
            os.environ.pop("ALL", None)
            for _ in range(2):
                shutil.rmtree(page.store.folder)
                ahead.attempt(node, page)
                key, = page.outcomes.asked
                page.outcomes.outcomes.committed[key] = page.store.peek(key)
        return names

    def test_what_failed_before_is_tried_again(self):
        change = exercise(".change fails=adds_all", "D.\n\n" + patch(LOSES))
        for written in box(LOSES), change:
            self.assertEqual(self.tried(written), [None, ["adds_all"]])
            self.assertEqual(self.tried(written, "1"), [None, None])

    def looks(self, before, found, written=None, everything=""):
        """(The outcome of a box of which `before` is committed, which failed
        tests each trial knew, whether the outcome is in the store) where a
        trial finds this."""
        page, runs = self.page(written or box(LOSES)), []
        page.trials.tests = lambda rung, texts, until, failed: (
            runs.append(failed), {"ended": True, **found})[1]
        node = next(filter(breaks.is_break, tree.each(page.chapter.parsed)))
        page.outcomes.before = lambda key: before
        shutil.rmtree(page.store.folder)
        with mock.patch.dict(os.environ, {"EVERY_TEST": everything}):
            os.environ.pop("ALL", None)
            outcome = breaks.outcome_of(node, page)
        key, = page.outcomes.asked
        return outcome, runs, page.store.path(key).exists()

    def test_another_outcome_is_looked_for_with_all_tests(self):
        before = {"failed": ["adds_all"], "words": "4 != 1"}
        for words, times in ("4 != 1", 1), ("5 != 1", 2):
            outcome, runs, _ = self.looks(before, {
                "failed": ["adds_all"], "words": {"adds_all": words},
                "ran": ["adds_all", "other"]})
            self.assertEqual(outcome["words"], words)
            self.assertEqual(runs, [["adds_all"], None][:times])

    def test_of_many_that_failed_the_quoted_ones_program_is_tried(self):
        before = {"failed": ["far", "adds_all", "near"], "words": "4 != 1"}
        found = {"words": {"adds_all": "4 != 1"},
                 "ran": ["adds_all", "near", "other"]}
        for failed, ended, times in (
                (["near", "adds_all"], True, 1),
                (["near", "adds_all"], False, 2), (["adds_all"], True, 2),
                (["adds_all", "near", "other"], True, 2)):
            outcome, runs, stored = self.looks(
                before, found | {"failed": failed, "ended": ended})
            self.assertEqual(runs, [["adds_all"], None][:times])
            self.assertEqual(outcome["failed"],
                             before["failed"] if times == 1 else failed)
            self.assertEqual(stored, times == 2)

    def test_a_models_name_may_stand_in_other_programs_too(self):
        before = {"failed": ["adds_all", "gemma-1", "phi-1"],
                  "words": "4 != 1"}
        found = {"words": {"adds_all": "4 != 1"},
                 "ran": ["adds_all", "gemma-1", "phi-1", "llama-1"]}
        for failed, times in ((["adds_all", "gemma-1"], 1),
                              (["adds_all", "gemma-1", "llama-1"], 2)):
            _, runs, _ = self.looks(before, found | {"failed": failed})
            self.assertEqual(runs, [["adds_all"], None][:times])

    def test_where_all_tests_run_nothing_is_taken(self):
        before = {"failed": ["gone", "adds_all"], "words": "4 != 1"}
        outcome, runs, stored = self.looks(before, {
            "failed": ["adds_all"], "words": {"adds_all": "4 != 1"},
            "ran": ["adds_all"]}, everything="1")
        self.assertEqual((outcome["failed"], runs, stored),
                         (["adds_all"], [None], True))

    def test_a_box_that_quotes_none_has_all_that_failed_tried(self):
        before = {"failed": ["adds_all", "far"], "words": ""}
        race = box(LOSES, place="src=sum.c fn=sum words=differ")
        for names, times in (["adds_all", "far"], 1), ([], 2):
            _, runs, _ = self.looks(before, {
                "failed": names, "words": {}, "ran": names}, race)
            self.assertEqual(runs, [["adds_all", "far"], None][:times])
        _, runs, _ = self.looks({"failed": ["gemma-1"], "words": ""}, {
            "failed": [], "words": {}, "ran": ["gemma-1"]}, race)
        self.assertEqual(runs, [["gemma-1"], None])

    def test_what_all_tests_say_is_kept_apart(self):
        folders = []
        for everything in "", "1":
            with mock.patch.dict(os.environ, {"EVERY_TEST": everything}):
                os.environ.pop("ALL", None)
                folders.append(self.book().store.folder)
        self.assertEqual(len(set(folders)), 2)

    def test_one_place_is_not_looked_after(self):
        book = self.book()
        one = trials.Trials(book.workshop)
        one.subjects = {"m0-sum": {self.place(book)}}
        one.look = lambda *_: self.fail("looked")
        self.assertEqual(one.ran("m0-sum"), {})

    def ran(self, everything="", **committed):
        """What came to the two places, where this is committed (`right` under
        the right key) and looking finds that a comes to the second."""
        book = self.book()
        one = trials.Trials(book.workshop)
        one.subjects = {"m0-sum": {self.place(book), ("m0-sum/sum.c", 0)}}
        one.store = SimpleNamespace(get=lambda _, find: find())
        one.look = lambda *_: {"a": [1]}
        keys = list(one.settle())
        one.committed = {keys[0] if key == "right" else key: answer
                         for key, answer in committed.items()}
        with mock.patch.dict(os.environ, {"EVERY_TEST": everything}):
            os.environ.pop("ALL", None)
            return {test: sorted(place == 0 for _, place in places)
                    for test, places in one.ran("m0-sum").items()}

    def test_whether_what_tests_run_is_known(self):
        one = trials.Trials(self.book().workshop)
        one.store = SimpleNamespace(path=lambda key: Path("/no/such/file"))
        one.key_of_ran = lambda rung, subjects: rung
        one.marked = lambda rung: ([], rung != "few" and {"f": "t"})
        one.subjects = {"few": set(), "some": set()}
        one.committed = {}
        with mock.patch.dict(os.environ):
            for name in trials.EVERYTHING:
                os.environ.pop(name, None)
            self.assertFalse(one.all_known())
            one.committed = {"some": {}}
            self.assertTrue(one.all_known())
            os.environ["ALL"] = "1"
            self.assertFalse(one.all_known())

    def test_what_tests_run_is_taken_as_committed(self):
        self.assertEqual(self.ran(), {"a": [False]})
        self.assertEqual(self.ran(wrong={"a": [0]}), {"a": [False]})
        self.assertEqual(self.ran(right={"a": [0]}), {"a": [True]})
        self.assertEqual(self.ran(right={}), {})

    def test_but_seen_again_where_everything_is_to_run(self):
        self.assertEqual(self.ran("1", right={"a": [0]}), {"a": [False]})

    def test_it_is_asked_for_once_a_rung(self):
        one = trials.Trials(self.book().workshop)
        one.look = lambda *_: {}
        one.subjects = {"m0-sum": {("m0-sum/sum.c", 0), ("m0-sum/sum.c", 9)},
                        "m1-mean": {("m1-mean/mean.c", 0)}}
        one.marked = lambda rung: (sorted(one.subjects[rung]),
                                   rung == "m0-sum" and {"f": "t"})
        self.assertEqual(list(one.settle().values()), ["m0-sum"])

    def test_a_rung_of_unknown_tests_is_looked_at_in_vain(self):
        """Its Makefile takes no list of tests, and knows no WITH."""
        book = self.book()
        one = trials.Trials(book.workshop)
        texts = seen.marked(one.sources, [self.place(book)])
        self.assertIn(seen.MARK, texts["m0-sum/sum.c"])
        self.assertEqual(one.look("m0-sum", texts, [self.place(book)]), {})


class Patches(unittest.TestCase):
    def test_lines_and_question(self):
        self.assertEqual(split("- a\n- b\n+ c\nWhy - so?\n- x"),
                         (["a", "b"], ["c"], "Why - so?\n- x"))

    def test_two_patches_of_one_file(self):
        sources = SimpleNamespace(
            text=lambda _: "one two",
            region=lambda _, name: SimpleNamespace(text=name))
        changed = apply_all([Patch("f", "one", "one", "1"),
                             Patch("f", "two", "two", "2")], sources)
        self.assertEqual(changed, {"f": "1 2"})


class Predict(BookCase):
    GOOD = 'run="./rung 2 2" answer="4" wrong="22|5"'

    def test_question_on_the_page_answer_in_a_fold_and_apart(self):
        written = exercise(f".predict {self.GOOD}",
                           "What?\n\n::: answer\nSecret.\n:::")
        page = self.page(written)
        shown = page.expanded()
        self.assertIn("Exercise 1, predict", str(shown))
        self.assertIn("Secret", str(shown))
        self.assertNotIn("Secret", str(answers.without(shown)))
        self.assertIn("What", str(answers.without(shown)))
        paper = self.page(written, medium="pdf")
        self.assertNotIn("Secret", str(paper.expanded()))
        (anchor, name, kind, _, answer), = page.answers
        self.assertEqual((anchor, name, kind),
                         ("exercise-1", "Exercise 1", "predict"))
        self.assertIn("Secret", str(answer))

    def test_wrong_answers_are_rejected(self):
        self.assert_wrong([
            (exercise('.predict run="./rung 2 2" answer="5" wrong="4"'),
             "the answer '5' is not in what is printed: sum 4"),
            (exercise('.predict run="./rung 2 2" answer="4" wrong="sum"'),
             "the wrong answer 'sum' would be taken"),
            (exercise('.predict run="./rung 2 2" answer="4"'),
             "exercise without wrong="),
            (exercise('.predict run="./rung" answer="4" wrong="5"'),
             "ended with status 1"),
            (exercise(f'.predict {self.GOOD} pick="gone (.)"'),
             "matches nothing"),
            (exercise(self.GOOD), "an exercise is one of"),
            (exercise(f".predict {self.GOOD}", "What?"),
             "an exercise without a word of an answer")])

    def test_a_quote_inside_of_a_value(self):
        good = 'answer="4" wrong="22|5"'
        self.html(exercise(f'.predict run="./rung &quot;2&quot; 2" {good}'))
        torn = rf'.predict run="./rung \"2\" 2" {good}'
        self.assert_wrong([(exercise(torn, "Question?"), "&quot;")])
        self.assert_wrong([(exercise(torn, "A?\n\nB?"), "&quot;")])
        self.assert_wrong([(r'```{.console run="./rung \"2\" 2"}' "\n```",
                            "block's lines")])

    def test_answers_are_whole_words_or_what_is_picked(self):
        for output, answer, pick, right in (
                ("12", "1", None, False), ("[12, 3]", "12", None, True),
                ("0.12", "12", None, False), ("1.5", "1", None, False),
                ("it is 4.", "4", None, True), ("-3", "3", None, True),
                ("a 4 b", "4", "a (.)", True), ("a 4 b", "b", "a (.)", False),
                ("a 4", "a 4", "a .", True)):
            with self.subTest(output=output, answer=answer):
                self.assertEqual(
                    accepts(output, answer, pick), right)


class Change(BookCase):
    GOOD = '.change run="./rung 1 2" answer="2"'

    def test_patch_is_tried_and_shown_to_the_teacher(self):
        page = self.page(exercise(self.GOOD, "Do.\n\n" + patch(LOSES)))
        shown = page.expanded()
        self.assertEqual(page.book.mistakes.found, set())
        self.assertNotIn("<del>", str(answers.without(shown)))
        self.assertIn("<del>", str(shown))
        self.assertIn("<del>", str(page.answers))

    def answer(self, *written):
        """What the teacher's page says of an exercise."""
        page = self.page(exercise(*written))
        page.expanded()
        self.assertEqual(page.book.mistakes.found, set())
        return fragment(page.answers[0][4], page.book)

    def test_the_teacher_reads_what_to_expect_and_where(self):
        text = self.answer(self.GOOD, patch(LOSES))
        self.assertIn("Answer: 2. One way to it:", text)
        self.assertIn("<figcaption>sum in m0-sum/sum.c<", text)
        self.assertNotIn("wrong answer", text)

    def test_the_teacher_sees_which_patch_is_wrong(self):
        wrong = "-         total += n->of[i];\n+         total = 9;"
        text = self.answer(self.GOOD, patch(LOSES) + "\n\n"
                           + patch(wrong, ".wrong"))
        self.assertEqual(text.count("A wrong answer, which"), 1)
        self.assertLess(text.index("One way"), text.index("A wrong answer"))

    def test_tests_may_answer(self):
        text = self.answer(".change fails=adds_all",
                           "D.\n\n" + patch(LOSES))
        self.assertIn("Fails then: adds_all.", text)

    def test_wrong_answers_are_rejected(self):
        wrong = "-         total += n->of[i];\n+         total = 2;"
        self.assert_wrong([
            (exercise('.change run="./rung 1 2" answer="7"', patch(LOSES)),
             "the patch does not answer"),
            (exercise('.change run="./rung 1 2" answer="sum"', patch(LOSES)),
             "the rung answers the exercise unchanged"),
            (exercise(self.GOOD, patch(LOSES) + "\n\n"
                      + patch(wrong, ".wrong")),
             "the rung answers the exercise with the wrong patch"),
            (exercise(self.GOOD), "a change without a patch"),
            (exercise(".change fails=nothing_is_zero", patch(LOSES)),
             "the patch does not answer")])


class Ahead(BookCase):
    """What needs a changed copy is tried before its page asks."""

    def asked(self, *blocks):
        """The files of the changed copies that are tried ahead."""
        page = self.page("\n\n".join(blocks))
        seen, look = [], page.book.trials.changed
        page.book.trials.changed = lambda rung, texts, *more, **named: (
            seen.append(sorted(texts)),
            look(rung, texts, *more, **named))[1]
        shutil.rmtree(page.store.folder)
        with ahead.trying(page.book):
            page.expanded()
        self.assertEqual(report(page.book), "")
        return seen

    def test_boxes_and_changes_are_tried_once(self):
        change = exercise(Change.GOOD, "Do.\n\n" + patch(LOSES))
        # The box; the exercise with its patch and without one.
        self.assertCountEqual(self.asked(box(LOSES), change), [
            ["m0-sum/sum.c"], ["m0-sum/sum.c"], []])

    def counted(self, kept=(), last=None):
        """The commands of which it is counted ahead what they run, where some
        chapters are kept, and the build ends with a rung."""
        self.write("m0.md", '# Sums {main="./rung 1"}\n\nOne.\n')
        self.write("m1.md", '# Means {main="./rung 2"}\n\nTwo.\n')
        book, ended, commands = self.book(), threading.Event(), []
        book.is_kept = lambda chapter, _: chapter.name in kept

        def counts(_, rung, command):
            commands.append((rung, command))
            if rung == last:
                ended.set()
            raise Wrong("no matter, its page says so")
        with mock.patch("running.main_path.counts", counts):
            ahead.count(book, ended)
        return commands

    def test_what_main_commands_run_is_counted_in_order(self):
        both = [("m0-sum", "./rung 1"), ("m1-mean", "./rung 2")]
        self.assertEqual(self.counted(), both)
        self.assertEqual(self.counted(kept=["m0"]), both[1:])
        self.assertEqual(self.counted(last="m0-sum"), both[:1])

    def test_counting_waits_for_no_page(self):
        page, counted = self.page("Nothing asks."), threading.Event()
        with mock.patch.object(ahead, "count",
                               lambda *_: counted.set()):
            with ahead.trying(page.book):
                self.assertTrue(counted.wait(10))

    def test_rungs_take_turns(self):
        pairs = [(number, SimpleNamespace(rung=rung))
                 for number, rung in enumerate("aaabbc")]
        self.assertEqual([number for number, _ in ahead.in_turns(pairs)],
                         [0, 3, 5, 1, 4, 2])

    def test_what_boxes_break_is_known_before(self):
        page = self.page("\n\n".join([box(LOSES), exercise(
            Change.GOOD, "Do.\n\n" + patch(LOSES))]))
        (path, place), = ahead.subjects(page.book)["m0-sum"]
        text = page.book.sources.text(path)
        self.assertEqual((path, text[place:].split("\n")[0]), (
            "m0-sum/sum.c", "    for (int i = 0; i < n->count; i++)"))

    def test_a_box_is_tried_without_being_asked_for(self):
        page = self.page(box(LOSES))
        shutil.rmtree(page.store.folder)
        tried = threading.Event()

        def changed(*_, **__):
            tried.set()
            raise Wrong("an outcome that nobody keeps")
        page.book.trials.changed = changed
        with ahead.trying(page.book):
            self.assertTrue(tried.wait(60))

    def test_a_chapter_that_was_found_right_is_left_alone(self):
        page = self.page(box(LOSES))
        self.assertEqual(len(list(ahead.tasks(page.book))), 1)
        page.book.expanded(page.chapter, "site")
        self.assertEqual(list(ahead.tasks(page.book)), [])

    def test_mistakes_are_left_to_the_page(self):
        page = self.page(box(LOSES, test="nothing") + "\n\n"
                         + exercise(Change.GOOD, "No patch."))
        with ahead.trying(page.book):
            pass
        self.assertEqual(report(page.book), "")


class Measure(BookCase):
    NAME = "m0-sum: ./rung 1 / ./rung 2"
    GOOD = '.measure run="./rung 1" than="./rung 2" ratio="0.5..2" wrong="9"'

    def keep(self, value):
        """Write a measured ratio."""
        self.write("measured.json", f'{{"{self.NAME}": {{"value": {value}, '
                   '"unit": "", "machine": "M", "date": "D", '
                   '"commit": "abc"}}')

    def test_ratio_within_its_bounds(self):
        self.keep(1.25)
        page = self.page(exercise(self.GOOD))
        page.expanded()
        self.assertEqual(page.book.mistakes.found, set())
        self.assertIn("between 0.5 and 2; measured 1.2 on M",
                      str(page.answers).replace("'}, {'t': 'Space'}, "
                                                "{'t': 'Str', 'c': '", " "))

    def test_what_is_wrong_is_said(self):
        self.keep(1.25)
        self.assert_wrong([
            (exercise(self.GOOD.replace("0.5..2", "2..3")),
             "measured 1.25, not within 2..3"),
            (exercise(self.GOOD.replace('"9"', '"9|1.5"')),
             "the wrong answer 1.5 would be taken"),
            (exercise(self.GOOD.replace("0.5..2", "2")),
             "write it as 1.5..4"),
            (exercise(self.GOOD.replace("rung 1", "rung 3")),
             "measured.json has no 'm0-sum: ./rung 3 / ./rung 2'")])


if __name__ == "__main__":
    unittest.main()
