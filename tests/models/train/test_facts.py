"""Facts: the tables agree with themselves, documents agree with them."""
import re
import unittest

import test_support  # noqa: F401
from corpus import facts, tables
from corpus.writer import Writer


class TablesAreConsistent(unittest.TestCase):
    def test_nothing_is_said_twice(self):
        for name in ("CAPITALS", "THING_COLORS", "OPPOSITES", "SOUNDS",
                     "BABIES", "HOMES", "LEGS", "SIDES", "ELEMENTS",
                     "IRREGULAR_PLURALS", "PAST_TENSES", "COMPARISONS",
                     "QUESTIONS", "TERMS", "PROGRAMS", "EMOJI"):
            heads = [row[0] for row in getattr(tables, name)]
            self.assertEqual(len(heads), len(set(heads)), name)

    def test_counts(self):
        self.assertEqual(len(tables.CAPITALS), 185)
        self.assertEqual(len(tables.TERMS), 104)
        self.assertEqual(len({row[1] for row in tables.CAPITALS}), 185)

    def test_languages_are_of_countries(self):
        countries = {row[0] for row in tables.CAPITALS}
        self.assertLessEqual(set(tables.LANGUAGES), countries)

    def test_a_year_has_365_days(self):
        self.assertEqual(sum(map(int, tables.MONTH_DAYS.values())), 365)
        self.assertEqual(list(tables.MONTH_DAYS), tables.MONTHS)

    def test_rows_have_all_fields(self):
        for name, width in (("CAPITALS", 3), ("ELEMENTS", 3),
                            ("GREETINGS", 7), ("COMPARISONS", 3)):
            for row in getattr(tables, name):
                self.assertEqual(len(row), width, row)
                self.assertTrue(all(row), row)

    def test_numbers_in_words(self):
        for n, words in ((0, "zero"), (14, "fourteen"), (40, "forty"),
                         (85, "eighty-five"), (100, "one hundred"),
                         (342, "three hundred and forty-two"),
                         (2026, "two thousand twenty-six")):
            self.assertEqual(tables.number_in_words(n), words)


class DocumentsAgreeWithTables(unittest.TestCase):
    def test_capitals(self):
        capital = {row[0]: row[1] for row in tables.CAPITALS}
        w, seen = Writer(11), set()
        for _ in range(8000):
            it = facts.fact(w)
            match = re.fullmatch(r"What is the capital of (.*)\?",
                                 it.questions[0])
            if match:
                seen.add(match[1])
                for text in [it.answer, it.thought] + it.statements:
                    self.assertIn(capital[match[1]], text)
        self.assertGreater(len(seen), 150)

    def test_opposites(self):
        opposite, w, seen = dict(tables.OPPOSITES), Writer(12), 0
        for _ in range(4000):
            it = facts.fact(w)
            match = re.fullmatch(r"Opposite of (\w+)\?", it.questions[2]
                                 if len(it.questions) > 2 else "")
            if match:
                seen += 1
                self.assertIn(opposite[match[1]], it.answer)
        self.assertGreater(seen, 100)

    def test_every_kind_of_fact_is_drawn(self):
        class Fixed(Writer):
            """A Writer whose first number chooses the kind."""
            def __init__(self, x):
                super().__init__(1)
                rest = self.random
                numbers = iter([x])
                self.random = lambda: next(numbers, None) or rest()

        low = 0
        for limit, kind in facts.KINDS:
            self.assertEqual(facts.fact(Fixed((low + limit) / 2)),
                             kind(Writer(1)))
            low = limit

    def test_questions_vary_only_at_their_ends(self):
        w, asked = Writer(13), "What is the capital of Peru?"
        forms = {facts.vary(w, asked) for _ in range(2000)}
        self.assertIn("What is the capital of Peru", forms)
        self.assertIn("Tell me: " + asked, forms)
        self.assertIn(asked + " Thanks!", forms)
        for form in forms:
            self.assertIn("What is the capital of Peru", form)


if __name__ == "__main__":
    unittest.main()
