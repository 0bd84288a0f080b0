"""What measures the models is not what trained them."""
import re
import unittest

from test_support import sample, stories
from corpus import sums, tables
from corpus.heldout import held_out_items
from corpus.writer import Writer

# Held-out cities that are capitals: training sees them.
SEEN_CITIES = {"Muscat", "Doha", "Amman", "Beirut", "Kampala", "Lusaka",
               "Harare", "Luanda", "Rabat", "Managua", "Ljubljana",
               "Port Moresby"}


class Splits(unittest.TestCase):
    def test_names_and_cities_are_disjoint(self):
        self.assertFalse(set(tables.NAMES) & set(tables.NAMES_HELD_OUT))
        self.assertFalse(set(tables.CITIES) & set(tables.CITIES_HELD_OUT))

    def test_only_the_listed_cities_are_capitals(self):
        capitals = {row[1] for row in tables.CAPITALS}
        self.assertEqual(set(tables.CITIES_HELD_OUT) & capitals,
                         SEEN_CITIES)

    def test_stories_are_disjoint(self):
        training, held_out = stories()
        self.assertEqual((len(training), len(held_out)), (12321, 251))
        self.assertFalse(set(training) & set(held_out))

    def test_documents_name_nobody_held_out(self):
        names = re.compile(r"\b(" + "|".join(tables.NAMES_HELD_OUT)
                           + r")\b")
        for _, document in sample():
            self.assertIsNone(names.search(document.text()))

    def test_documents_name_no_city_held_out(self):
        unseen = set(tables.CITIES_HELD_OUT) - SEEN_CITIES - {"Split"}
        cities = re.compile(r"\b(" + "|".join(unseen) + r")\b")
        for _, document in sample():
            self.assertIsNone(cities.search(document.text()))

    def test_a_held_out_writer_names_only_them(self):
        w = Writer(1, held_out=True)
        self.assertLessEqual({w.name() for _ in range(500)},
                             set(tables.NAMES_HELD_OUT))
        self.assertLessEqual({w.city() for _ in range(500)},
                             set(tables.CITIES_HELD_OUT))


class Items(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.items = held_out_items()

    def test_counts(self):
        counts = {task: len(items) for task, items in self.items.items()}
        special = {"capital_raw": 185, "mul_think": 50, "llm": 104}
        self.assertEqual(counts, {task: special.get(task, 100)
                                  for task in counts})
        self.assertEqual(len(counts), 14)

    def test_sums_are_held_out_ones(self):
        for task in ("addsub_think", "addsub_nothink"):
            for item in self.items[task]:
                a, _, b = item.expected.split(" = ")[0].split(" ")
                self.assertTrue(sums.is_held_out(int(a), int(b)))

    def test_the_answer_is_not_in_the_prompt_of_a_sum(self):
        for item in self.items["addsub_nothink"]:
            self.assertNotIn(item.expected, item.prompt)

    def test_what_is_retrieved_stands_in_the_prompt(self):
        for item in self.items["retrieve"]:
            self.assertIn(item.expected.lower(), item.prompt.lower())

    def test_prompts_end_where_the_model_begins(self):
        ends = ("<|im_start|>assistant\n", "<think>\n\n</think>\n\n")
        for task, items in self.items.items():
            if task != "capital_raw":
                for item in items:
                    self.assertTrue(item.prompt.endswith(ends), item.prompt)


if __name__ == "__main__":
    unittest.main()
