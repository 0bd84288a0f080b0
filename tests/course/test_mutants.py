"""Small mistakes: which are made, and which are seen."""

import unittest
import unittest.mock

import made_up
import mutate
from functions import Function, taught_functions
from mutants import declared, mutants
from mutate import ALIVE, TRIED, Mutation, Row, mistakes, read_survivors
from tree import read_ladder

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

    def survivors(self, name):
        found = self.mutation.survivors(self.mutation.functions[name])
        self.assertGreater(len(found[TRIED]), 0)
        return [str(mutant) for mutant in found[ALIVE]]

    def test_a_function_that_is_tested_well(self):
        self.assertEqual(self.survivors("sum"), [])
        self.assertEqual(self.mutation.try_whole(), [])

    def test_what_no_test_sees_lives(self):
        found = self.survivors("name_of")
        self.assertEqual(self.survivors("count_up"), [
            "for (size_t i = 0; i < n; i++) => "
            "for (size_t i = 0; i <= n; i++)"])
        self.assertIn('return number < 2 ? names[number] : "many"; => '
                      'return number < 3 ? names[number] : "many";', found)

    def test_results_are_kept(self):
        rows = {"count_up": {"key": "k", "counts": {}, "alive": ["x => y"]}}
        with unittest.mock.patch.object(mutate, "read_results",
                                        return_value=rows), \
                unittest.mock.patch.object(mutate, "key_of",
                                           return_value="k"), \
                unittest.mock.patch.object(mutate, "make_plan",
                                           return_value=self.plan):
            found = mutate.try_rung(made_up.RUNG, self.files, ["count_up"])
        self.assertEqual(found, rows)


class Reasons(unittest.TestCase):
    ROWS = [Row("a"), Row("a", "x => y", "the same"), Row("b", "x => z", "")]

    def test_who_lives_needs_a_reason(self):
        self.assertEqual(mistakes(self.ROWS, {"a": ["x => y"]}), [])
        self.assertEqual(
            mistakes(self.ROWS, {"a": ["x => y", "p => q"], "b": ["x => z"]}),
            ["a: lives, and no reason is given: p => q",
             "b: lives, and no reason is given: x => z"])

    def test_who_died_is_to_be_removed(self):
        self.assertEqual(mistakes(self.ROWS, {"a": []}),
                         ["a: does not live any more: x => y"])

    def test_every_line_of_survivors_is_of_a_function_that_is_taught(self):
        for rung, files in read_ladder().items():
            taught = {f.name for f in taught_functions(files)}
            for row in read_survivors(rung):
                self.assertIn(row.function, taught)
                self.assertEqual(bool(row.mutant), bool(row.reason), row)


if __name__ == "__main__":
    unittest.main()
