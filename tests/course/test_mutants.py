"""Small mistakes: which are made, and which are seen."""

import tempfile
import types
import unittest
import unittest.mock
from pathlib import Path

import made_up
import mutate
from asked import asked_of
from functions import Function, taught_functions
from mutants import Mutant, declared, mutants
from mutate import (LETTERS, UNKNOWN, Results, Row, mistakes,
                    read_survivors)
from mutation import (ALIVE, HANGS, KILLED, REFUSED, SAME, Mutation,
                      outcomes_said)
from tree import Stop, read_ladder
from variants import parameters, parts_of, refused, variants

TEXT = """\
/* A comment with 7. */
static float low_of(const struct row *r, size_t n, size_t m, float scale)
{
    float low = r->first + 0.5f;
    for (size_t i = 1; i < n; i++)
        if (n > 2 && !r->last)
            low = n ? cosf(low) * scale : pick(n, -m);
    return low;
}
"""
FUNCTION = Function("low_of", "low.c", TEXT, 1)


def of(kind):
    return [str(mutant).partition(" => ")[2] for mutant in mutants(FUNCTION)
            if mutant.kind == kind]


class Kinds(unittest.TestCase):
    def test_constants(self):
        self.assertEqual(of("constant"), [
            "float low = r->first + (0.5f * 1.001f);",
            "for (size_t i = 2; i < n; i++)",
            "for (size_t i = 0; i < n; i++)",
            "if (n > 3 && !r->last)", "if (n > 1 && !r->last)"])

    def test_operators(self):
        self.assertEqual(of("operator"), [
            "float low = r->first - 0.5f;",
            "for (size_t i = 1; i <= n; i++)",
            "for (size_t i = 1; i > n; i++)",
            "for (size_t i = 1; i < n; i--)",
            "if (n >= 2 && !r->last)", "if (n < 2 && !r->last)",
            "if (n > 2 || !r->last)", "if (n > 2 && r->last)",
            "low = n ? cosf(low) / scale : pick(n, -m);",
            "low = n ? cosf(low) * scale : pick(n, m);"])

    def test_arguments(self):
        found = of("argument")
        self.assertIn("low = n ? cosf(low) * scale : pick(-m, n);", found)
        self.assertIn("low = n ? cosf(scale) * scale : pick(n, -m);", found)
        self.assertIn("float low = r->last + 0.5f;", found)
        self.assertTrue(any("pick(m, -m)" in each or "pick(i, -m)" in each
                            for each in found))

    def test_conditions(self):
        self.assertEqual(of("condition"), [
            "if ((n > 2 && !r->last) || 1)", "if ((n > 2 && !r->last) && 0)",
            "low = n || 1 ? cosf(low) * scale : pick(n, -m);",
            "low = n && 0 ? cosf(low) * scale : pick(n, -m);"])

    def test_a_directive_has_no_mistakes(self):
        text = ("static int f(int n)\n{\n#if defined __linux__ && 1\n"
                "    n++;\n\n  # elif 1\n    n--;\n# endif\n    return n;\n}\n")
        self.assertEqual(
            [str(m) for m in mutants(Function("f", "a.c", text, 3))],
            ["n++; => n--;", "n--; => n++;"])

    def test_types(self):
        self.assertEqual(of("type"), [
            "static double low_of(const struct row *r, size_t n, size_t m, "
            "float scale)",
            "double low = r->first + 0.5f;", "float low = r->first + 0.5;",
            "low = n ? cos(low) * scale : pick(n, -m);"])

    def test_a_mutant_is_the_whole_function(self):
        mutant = mutants(FUNCTION)[0]
        self.assertEqual(mutant.text.count("\n"), TEXT.count("\n"))
        self.assertTrue(all("A comment with 7." in each.text
                            for each in mutants(FUNCTION)))

    def test_variables_have_types(self):
        self.assertEqual(declared(
            "(size_t a, const float *b, struct s c) { size_t d = 1, "
            "*e; for (size_t g = 0;;) ; float h[3], i; }"),
            {"a": "size_t", "b": "float*", "c": "struct s", "d": "size_t",
             "e": "size_t*", "g": "size_t", "h": "float*", "i": "float"})

    def test_every_taught_function_has_some(self):
        files = read_ladder()["m2-forward"]
        named = {f.name: f for f in taught_functions(files)}
        for name in ("rope_angles", "turn_heads", "dot_read", "attend"):
            self.assertGreater(len(mutants(named[name])), 10)
        self.assertIn(
            "float *scores = weights + h * (seen->end - seen->first); => "
            "float *scores = weights + h / (seen->end - seen->first);",
            map(str, mutants(named["attend"])))


class Seen(made_up.MadeUpCourse):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.mutation = Mutation(cls.files, cls.plan, cls.scratch / "mutants")
        cls.mutation.build()

    def outcomes(self, name):
        function = self.mutation.functions[name]
        return dict(zip(map(str, mutants(function)),
                        self.mutation.outcomes(function)))

    def survivors(self, name):
        found = self.outcomes(name)
        self.assertIn(KILLED, found.values())
        return [mutant for mutant, outcome in found.items()
                if outcome == ALIVE]

    def test_a_function_that_is_tested_well(self):
        self.assertEqual(self.survivors("sum"), [])

    def test_what_no_test_sees_lives(self):
        found = self.survivors("name_of")
        self.assertEqual(self.survivors("count_up"), [
            "for (size_t i = 0; i < n; i++) => "
            "for (size_t i = 0; i <= n; i++)"])
        self.assertIn('return number < 2 ? names[number] : "many"; => '
                      'return number < 3 ? names[number] : "many";', found)

    def test_alone_and_together_say_the_same(self):
        for name in ("sum", "count_up", "name_of"):
            function, found = self.mutation.functions[name], \
                self.outcomes(name)
            with unittest.mock.patch("mutation.variants", return_value=None):
                self.assertEqual(self.outcomes(name), found, function)

    def outcome_of_more(self, code):
        """What becomes of a function that does this first, when a test has a
        second of a processor."""
        function = self.mutation.functions["sum"]
        start = function.text.index("{") + 1
        more = Mutant("condition", "", "", function.text[:start] + code
                      + function.text[start:])
        with unittest.mock.patch("mutation.mutants", return_value=[more]), \
                unittest.mock.patch("mutation.LEAST", 0):
            return self.mutation.outcomes(function)

    def test_what_hangs_is_said_to(self):
        self.assertEqual(self.outcome_of_more(
            " for (volatile int i = 1; i;); "), [HANGS])

    def test_what_waits_for_ever_hangs(self):
        self.assertEqual(self.outcome_of_more(
            " int pause(void); for (;;) pause(); "), [HANGS])

    def test_a_busy_machine_is_no_mistake(self):
        """It works for longer than the alarm waits, but not for much of it."""
        self.assertEqual(self.outcome_of_more(
            " unsigned sleep(unsigned); long clock(void);"
            " static volatile int once = 1;"
            " for (int i = 0; once && i < 6; i++) { sleep(1);"
            " for (long end = clock() + 20000; clock() < end;); } once = 0; "),
            [ALIVE])

    def test_a_test_that_always_fails_shows_nothing(self):
        with unittest.mock.patch.object(
                self.mutation, "run", side_effect=lambda tests, numbers:
                dict.fromkeys(numbers, KILLED)):
            with self.assertRaisesRegex(Stop, "though nothing is changed"):
                self.outcomes("sum")

    def test_several_processes_find_what_one_does(self):
        results = self.results()
        with unittest.mock.patch.object(mutate, "write_rows"):
            self.assertEqual(mutate.find_out([results], jobs=2), [])
        self.assertEqual(results.outcomes()["count_up"],
                         self.outcomes("count_up"))

    def results(self, rows=None):
        with unittest.mock.patch.object(mutate, "make_plan",
                                        return_value=self.plan), \
                unittest.mock.patch.object(mutate, "read_rows",
                                           return_value=rows or {}):
            return Results(made_up.RUNG, self.files, ["count_up"])

    def test_results_are_kept(self):
        key = self.results().keys["count_up"]
        n = len(mutants(self.mutation.functions["count_up"]))
        self.assertEqual(len(self.results().tasks()), 1)
        for found, tasks in (("k" * n, 0), ("k" * (n - 1) + ".", 1)):
            rows = {"count_up": {"key": key, "found": found}}
            self.assertEqual(len(self.results(rows).tasks()), tasks)
        rows = {"count_up": {"key": "old", "found": "k" * n}}
        self.assertEqual(len(self.results(rows).tasks()), 1)


class Together(unittest.TestCase):
    """Many mutants of a function in one file."""

    CODE = "int a;\n" + TEXT + "float b(void)\n{\n    return 1;\n}\n"

    def test_each_is_there_and_the_function_itself(self):
        every = mutants(FUNCTION)
        chosen = {1: every[1], 5: every[5]}
        text = variants(self.CODE, FUNCTION, chosen)
        for name in ("low_of__0(", "low_of__1(", "low_of__5("):
            self.assertEqual(text.count(f"float {name}"), 1)
        self.assertIn("[0] = low_of__0, [1] = low_of__1, [5] = low_of__5",
                      text)
        self.assertIn("low_of__all[mutant_number](r, n, m, scale)", text)
        self.assertTrue(text.endswith("#line 11\nfloat b(void)\n{\n"
                                      "    return 1;\n}\n"))

    def test_another_head_is_not_put_together_with_these(self):
        other = [mutant for mutant in mutants(FUNCTION)
                 if mutant.kind == "type"][0]
        self.assertIsNone(variants(self.CODE, FUNCTION, {1: other}))

    def test_parameters_have_names(self):
        self.assertEqual(parameters("int f(void)"), [])
        self.assertEqual(parameters(
            "static int f(struct a *b, const int c[2], int (*d)(int, char))"),
            ["b", "c", "d"])
        self.assertIsNone(parameters("int f(int a, ...)"))

    def test_what_stands_before_a_head_is_no_part_of_it(self):
        before = ("\n/* A word; (or two). */\nstruct x;\n"
                  "_Static_assert(1 == 1,\n               \"; not\");\n\n")
        self.assertEqual(parts_of(before + "int f(void)\n{\n}\n"),
                         (before, "int f(void)", "{\n}\n"))

    def test_a_compiler_says_which_are_wrong(self):
        self.assertEqual(refused(
            "a.c:1:2: error: x\nmutant7:3:4: error: y\n"
            "mutant8:3:4: warning: z\nmutant12:1:1: error: y\n"), {7, 12})

    def test_a_program_with_two_groups_says_both(self):
        self.assertEqual(outcomes_said(
            "TRIED 1 alive\nTRIED 2 killed t\nTRIED 1 hangs t\n"
            "TRIED 2 alive\n"), {1: "hangs", 2: "killed"})


class Asked(unittest.TestCase):
    """Functions of which only is asked whether they failed."""

    def asked(self, code):
        regions = [(name, text, True) for name, text in code.items()]
        return asked_of(tuple(regions))

    def static(self, name, body="return -1;"):
        return f"static int {name}(int a)\n{{\n    {body}\n}}\n"

    def user(self, body):
        return f"int g(int f_)\n{{\n    {body}\n}}\n"

    def found(self, body):
        return self.asked({"f": self.static("f"), "g": self.user(body)})

    def test_a_condition_asks(self):
        for body in ("if (f(1)) return 3;", "if (f_ && f(1)) return 3;",
                     "return f(1) || f_;", "return f(1) ? -1 : 0;",
                     "return !f(f(1) ? 2 : 3);", "while (f(1)) f_++;"):
            self.assertEqual(self.found(body), {"f"}, body)

    def test_a_result_that_is_handed_on_is_more(self):
        for body in ("return f(1);", "int b = f(1); return b;",
                     "if (f(1) == -1) return 3;", "return f_ ? f(1) : 0;",
                     "use(f);", "if (f_ == f(1) || f_) return 3;",
                     "if (f(1)) return f(2);", "use(f_ ? f(1) : 0);"):
            self.assertEqual(self.found(body), set(), body)

    def test_a_function_that_is_asked_may_hand_on(self):
        code = {"f": self.static("f"), "h": self.static("h", "return f(a);"),
                "g": self.user("if (h(1)) return 3;")}
        self.assertEqual(self.asked(code), {"f", "h"})
        code["k"] = self.user("return h(1);")
        self.assertEqual(self.asked(code), set())

    def test_nobody_knows_who_asks_a_public_one(self):
        self.assertEqual(self.asked({
            "f": "int f(void)\n{\n    return -1;\n}\n",
            "g": self.user("if (f()) return 3;")}), set())

    def test_a_reason_of_these_is_of_no_other(self):
        rows = [Row("asked", "return -1; => return 1;…", "no", {"a"})]
        lives = {"return -1; => return 1; (2)": ALIVE}
        self.assertEqual(mistakes(rows, {"a": lives}), [])
        self.assertEqual(len(mistakes(rows, {"b": lives})), 1)
        self.assertEqual(len(mistakes(rows, {"a": {
            "return -1; => return -0;": ALIVE}})), 1)


class Reasons(unittest.TestCase):
    ROWS = [Row("a"), Row("a", "x => y", "the same"), Row("b", "x => z", ""),
            Row("…", "if (…a) => if (a)", "all of these")]

    def test_who_lives_needs_a_reason(self):
        self.assertEqual(mistakes(self.ROWS, {"a": {
            "x => y": ALIVE, "p => q": KILLED}}), [])
        self.assertEqual(
            mistakes(self.ROWS, {"a": {"x => y": ALIVE, "p => q": ALIVE},
                                 "b": {"x => z": ALIVE}}),
            ["a: lives, and no reason is given: p => q",
             "b: lives, and no reason is given: x => z"])

    def test_one_reason_may_be_of_many(self):
        self.assertEqual(mistakes(self.ROWS, {"b": {
            "if (b * a) => if (a)": ALIVE}}), [])
        self.assertNotEqual(mistakes(self.ROWS, {"b": {
            "if (b * a) => if (a) ": ALIVE}}), [])

    def test_a_reason_of_many_counts_more_than_an_open_one(self):
        rows = [Row("b", "if (ba) => if (a)", "open: no"), *self.ROWS]
        for reason, general in (("open: no", True), ("its own", False)):
            rows[0].reason = reason
            self.assertEqual(mutate.row_of(
                rows, "b", "if (ba) => if (a)").is_general, general)

    def test_what_tests_do_not_see_is_counted(self):
        rows = [*self.ROWS, Row("a", "p => q", "open: no"), Row("c"),
                Row("c", "if (ba) => if (a)", "open: no"), Row("d"),
                Row("d", "x => y", "open: no"), Row("d", "y => x", "open: no")]
        with unittest.mock.patch.object(mutate, "read_survivors",
                                        side_effect=[rows, self.ROWS[3:]]):
            self.assertEqual(mutate.unseen("m0", ["a", "c", "d", "e"]),
                             {"a": 1, "d": 2, "e": None})
            self.assertEqual(mutate.unseen("m9", ["a"]), {})

    def test_who_died_is_to_be_removed(self):
        gone = ["a: does not live any more: x => y"]
        for outcome in (KILLED, HANGS, REFUSED):
            self.assertEqual(mistakes(self.ROWS, {"a": {"x => y": outcome}}),
                             gone)
        self.assertEqual(mistakes(self.ROWS, {"a": {}}), gone)

    def test_another_compiler_may_find_it_the_same(self):
        self.assertEqual(mistakes(self.ROWS, {"a": {"x => y": SAME}}), [])

    def test_equal_lines_have_names_of_their_own(self):
        text = "int f(int a)\n{\n    a += 1;\n    a += 1;\n}\n"
        found = [str(mutant) for mutant in mutants(Function(
            "f", "f.c", text, 1))]
        self.assertIn("a += 1; => a += 2;", found)
        self.assertIn("a += 1; => a += 2; (2)", found)
        self.assertEqual(len(found), len(set(found)))

    def test_a_list_is_brought_up_to_date(self):
        with tempfile.TemporaryDirectory() as folder, \
                unittest.mock.patch.object(mutate, "SURVIVORS",
                                           Path(folder)):
            path = Path(folder, "m0.txt")
            path.write_text("# Head\n\na\na: x => y  ## the same\n"
                            "a: dead => z  ## once\nb\nb: q => r  ## why\n")
            Path(folder, "all.txt").write_text("…: if … => …  ## all\n")
            mutate.write_survivors("m0", {
                "a": {"x => y": ALIVE, "dead => z": KILLED, "k => l": ALIVE,
                      "if a => b": ALIVE},
                "b": {"q => r": UNKNOWN, "s => t": ALIVE},
                "c": {"s => t": KILLED}}, "abc")
            self.assertEqual(path.read_text(), "# Head\n\na\n"
                             "a: x => y  ## the same\na: k => l  ## open: "
                             "no test of its own sees it yet\nb\n"
                             "b: q => r  ## why\nc\n")

    def test_what_was_not_tried_stays(self):
        with tempfile.TemporaryDirectory() as folder, \
                unittest.mock.patch.object(mutate, "SURVIVORS",
                                           Path(folder)):
            path = Path(folder, "m0.txt")
            path.write_text("a\na: x => y  ## why\nb\nb: q => r  ## why\n"
                            "gone\n")
            mutate.write_rows(path.with_suffix(".json"), {
                name: {"found": "a"} for name in ("a", "b", "gone")})
            mutate.keep_found(types.SimpleNamespace(
                rung="m0", own={"a": [], "b": [], "c": []},
                rows={"b": {"found": "k"}, "c": {"found": "a"}}),
                {"b": {"q => r": KILLED}, "c": {"s => t": ALIVE}})
            self.assertEqual(path.read_text(), "\na\na: x => y  ## why\nb\n"
                             "c\nc: s => t  ## open: no test of its own sees "
                             "it yet\n")
            self.assertEqual(mutate.read_rows(path.with_suffix(".json")), {
                "a": {"found": "a"}, "b": {"found": "k"},
                "c": {"found": "a"}})

    def test_each_outcome_has_a_letter(self):
        self.assertEqual(len(set(LETTERS.values())), len(LETTERS))

    def test_every_line_of_survivors_is_of_a_function_that_is_taught(self):
        for rung, files in read_ladder().items():
            taught = {f.name for f in taught_functions(files)}
            for row in read_survivors(rung):
                if not row.is_general:
                    self.assertIn(row.function, taught)
                self.assertEqual(bool(row.mutant), bool(row.reason), row)


if __name__ == "__main__":
    unittest.main()
