"""Sums: right results, true steps, and a held-out part that stays out."""
import re
import unittest

import test_support  # noqa: F401  (finds the package)
from corpus import sums
from corpus.writer import Writer

EQUATION = re.compile(r"(-?\d+) ([+*-]) (-?\d+)(?: - (\d+)| \+ (\d+))? = "
                      r"(-?\d+)")


def compute(a, op, b):
    return {"+": a + b, "-": a - b, "*": a * b}[op]


class SumsAreRight(unittest.TestCase):
    def test_every_result(self):
        for a in range(0, 100):
            for b in range(0, 100):
                for op in "+-":
                    it = sums.work_out(a, op, b)
                    self.assertEqual(it.result, compute(a, op, b))
                    self.assertTrue(it.steps.endswith(
                        f"So {it.result}."), it.steps)

    def test_every_equation_in_the_steps(self):
        seen = 0
        for a in range(0, 100):
            for b in range(0, 100):
                for op in "+-*":
                    if op == "*" and max(a, b) > 12:
                        continue
                    steps = sums.work_out(a, op, b).steps
                    for match in EQUATION.finditer(steps):
                        x, sign, y, less, more, value = match.groups()
                        total = (compute(int(x), sign, int(y))
                                 - int(less or 0) + int(more or 0))
                        self.assertEqual(total, int(value), steps)
                        seen += 1
        self.assertGreater(seen, 39_000)

    def test_chats_say_the_true_result(self):
        w = Writer(3)
        for _ in range(3000):
            answer = sums.chat(w).answer()
            left, right = answer.split(",")[0].split(" = ")
            value = eval(left.replace("×", "*"), {"__builtins__": {}})
            self.assertEqual(value, int(right), answer)

    def test_raw_lines_are_true(self):
        w = Writer(4)
        for _ in range(500):
            for line in sums.raw(w).body.split("\n"):
                left, right = line.split(" = ")
                value = eval(left.replace("×", "*"), {"__builtins__": {}})
                self.assertEqual(value, int(right), line)


class HeldOutSumsStayOut(unittest.TestCase):
    def drawn(self, held_out):
        w = Writer(5, held_out=held_out)
        found = (sums.draw_sum(w) for _ in range(20_000))
        return {(it.a, it.b) for it in found if it.op != "*"}

    def test_training_and_held_out_pairs_are_disjoint(self):
        training, held_out = self.drawn(False), self.drawn(True)
        self.assertGreater(len(training), 5000)
        self.assertGreater(len(held_out), 500)
        self.assertFalse(training & held_out)

    def test_one_pair_in_eleven_is_held_out(self):
        count = sum(sums.is_held_out(a, b)
                    for a in range(100) for b in range(100))
        self.assertAlmostEqual(count / 10_000, 1 / 11, places=2)

    def test_the_sum_that_the_book_asks_is_trained(self):
        self.assertFalse(sums.is_held_out(17, 25))


if __name__ == "__main__":
    unittest.main()
