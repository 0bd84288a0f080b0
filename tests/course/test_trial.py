"""The generated test of `make course-test`, in small: a fixed sample of the
real rungs, and the whole made-up one; and that it would notice lies."""

import copy
import pathlib
import tempfile
import unittest

import made_up
from part import part_of
from keep import STORE
from plan import make_plan
from tree import find_rung, read_ladder
from trial import Trial, holes
from verdicts import PASS, UNKNOWN

# rung: the test programs of its sample
SAMPLE = {"m0": ["test_queue", "test_hash"],
          "m1": ["test_stats", "test_mapping"],
          "m2": ["test_attention"],
          "m3": ["test_random", "test_select"],
          "m4": ["test_kvcache"],
          "m5": ["test_gguf", "test_gguf_rope"],
          "m6": ["test_threads", "test_radix_heap"],
          "m7": ["test_schedule", "test_json_scan"]}
SIZE = 3  # functions of each, spread evenly
FAST = "-O0"


class MadeUp(made_up.MadeUpCourse):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.trial = Trial(cls.files, cls.plan, cls.scratch / "trial")
        cls.trial.build()

    def setUp(self):
        self.trial.plan = copy.deepcopy(self.plan)

    def test_each_function_alone(self):
        self.assertEqual(self.trial.try_whole(), [])
        for function in made_up.ALL:
            self.assertEqual(self.trial.try_function(function, every=True),
                             [])
        self.assertEqual(self.trial.try_whole(), [])

    def test_a_test_that_is_said_to_call_what_it_does_not(self):
        tests = self.trial.plan["tests"]
        tests["test_sums:and_doubled"]["calls"].append("range")
        self.assertEqual(
            self.trial.try_function("range"),
            [f"range empty: {name} is said to pass, not to wait for range"
             for name in ("twice", "sum_twice")])

    def test_a_call_that_nobody_knows_of(self):
        tests = self.trial.plan["tests"]
        tests["test_sums:signs_are_operations"]["calls"].remove("minus")
        self.assertEqual(self.trial.try_function("minus"),
                         ["minus empty: minus is said to pass, not to be "
                          "missing"])
        self.assertEqual(
            self.trial.try_function("minus", every=True),
            ["minus empty: calculate is said to wait for minus, not to "
             "pass"])

    def test_a_body_that_is_not_put_back(self):
        self.addCleanup(self.trial.empty(self.trial.functions["name_of"]))
        self.assertEqual(self.trial.try_whole(),
                         ["nothing empty: name_of is said to be missing"])

    def test_a_function_without_a_test_is_a_hole(self):
        self.assertEqual(holes(self.plan), [])
        self.trial.plan["functions"][0]["own"] = []
        self.assertEqual(holes(self.trial.plan),
                         ["low/sums.c: sum is called by no test: add one, or a "
                          "line to given.txt"])


class Sample(unittest.TestCase):
    """Emptied alone in the real rungs, each of these, and no other function,
    is said to be missing, and those wait that share a test with it."""

    @classmethod
    def setUpClass(cls):
        cls.ladder = read_ladder()

    def sample(self, name):
        rung = find_rung(self.ladder, name)
        files = part_of(self.ladder[rung], SAMPLE[name])
        with tempfile.TemporaryDirectory() as folder:
            plan = make_plan(rung, files, flags=FAST,
                             stores=[STORE / "parts"])
            trial = Trial(files, plan, pathlib.Path(folder), flags=FAST)
            trial.build()
            names = [f["name"] for f in plan["functions"] if f["own"]]
            names = [names[i * len(names) // SIZE] for i in range(SIZE)]
            print(f"only {' '.join(names)} of {rung}: make course-test "
                  "empties all functions", flush=True)
            for function in names:
                self.assertEqual(trial.try_function(function), [])
            trial.link()
            found = trial.verdicts(trial.tests)
            self.assertTrue(all(v.kind in (PASS, UNKNOWN) for v in found))

    def test_sample_of_m0(self):
        self.sample("m0")

    def test_sample_of_m1(self):
        self.sample("m1")

    def test_sample_of_m2(self):
        self.sample("m2")

    def test_sample_of_m3(self):
        self.sample("m3")

    def test_sample_of_m4(self):
        self.sample("m4")

    def test_sample_of_m5(self):
        self.sample("m5")

    def test_sample_of_m6(self):
        self.sample("m6")

    def test_sample_of_m7(self):
        self.sample("m7")

    def test_every_rung_has_one(self):
        self.assertEqual(list(self.ladder),
                         [find_rung(self.ladder, name) for name in SAMPLE])


if __name__ == "__main__":
    unittest.main()
