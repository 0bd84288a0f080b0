"""What versus.py makes of what engines answer."""

import contextlib
import io
import pathlib
import sys
import tempfile
import types
import unittest

import versus

# Opens in a second and a half, and in 2 seconds more where it is the first of
# two starts, which a file beside the model tells; with a packed copy always in
# a quarter of a second.  Answers each case: a call costs 5 seconds and each
# token `pace`; its processor works a tenth of that.  The very first call costs
# 3 seconds more.
FAKE = """
import json, pathlib, sys
pace, kept = float(sys.argv[1]), "--keep-packed" in sys.argv
opening, model = 0.25 if kept else 1.5, pathlib.Path(sys.argv[2])
mark = model.with_suffix(".started")
if mark.exists():
    mark.unlink()
elif model.exists() and not kept:
    mark.touch()
    opening += 2
print(json.dumps({"opening": opening}), flush=True)
fetching = 3
for line in sys.stdin:
    case = json.loads(line)
    least = 5 + pace * (case.get("batch", 0) or 1) + fetching
    fetching = 0
    whole = 5 + pace * case["tokens"]
    print(json.dumps({"whole": whole, "least": least, "worked_whole":
                      whole / 10, "worked_least": least / 10}), flush=True)
"""


def fake_words(engine, options, path):
    """A program that answers at once: rung is twice as fast as the others."""
    pace = "1" if engine == "rung" else "2"
    return [sys.executable, "-c", FAKE, pace, str(path)]


class Speeds(unittest.TestCase):
    def test_what_every_call_costs_is_taken_off(self):
        answer = {"whole": 5 + 64 * 2, "least": 5 + 4 * 2}
        case = {"tokens": 64, "batch": 4}
        self.assertEqual(versus.speed(answer, case, False), 0.5)

    def test_time_that_was_worked_is_another_one(self):
        answer = {"whole": 9, "least": 1, "worked_whole": 4,
                  "worked_least": 2}
        self.assertEqual(versus.speed(answer, {"tokens": 3}, True), 1)

    def test_ratios_are_taken_round_by_round(self):
        self.assertEqual(versus.ratios([2, 8, 30], [1, 2, 10]), (2, 3, 4))


class Runs(unittest.TestCase):
    def setUp(self):
        self.words = versus.words_of
        versus.words_of = fake_words
        self.options = types.SimpleNamespace(rounds=3, worked=False)

    def tearDown(self):
        versus.words_of = self.words

    def test_engines_are_measured_in_turn(self):
        cases = {"prefill 512": versus.CASES["prefill 512"]}
        with contextlib.redirect_stderr(io.StringIO()):
            speeds = versus.measure_rounds(self.options, "m", ["rung", "ik"],
                                           cases)
        self.assertEqual(speeds, {"prefill 512": {"rung": [1, 1, 1],
                                                  "ik": [0.5, 0.5, 0.5]}})

    def test_a_start_ends_with_its_first_token(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model"
            path.write_bytes(bytes(1000))
            start = versus.measure_start_twice(self.options, path, "ik")
        self.assertEqual(start["first token"], 1.5 + 5 + 2 + 3)
        self.assertEqual(start["first start"], 2 + 1.5 + 5 + 2 + 3)
        self.assertGreater(start["memory"], 0)

    def test_a_start_with_a_packed_copy_is_measured_beside_the_others(self):
        self.options.rounds = 2
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model"
            path.write_bytes(bytes(1000))
            starts = versus.measure_starts(self.options, path, ["rung", "ik"])
            self.assertTrue((path.parent / "kept/model").samefile(path))
        self.assertEqual([s["rung"]["kept"] for s in starts],
                         [0.25 + 5 + 1 + 3] * 2)
        self.assertEqual(starts[0]["rung"]["first token"], 1.5 + 5 + 1 + 3)


class Tables(unittest.TestCase):
    def test_a_row_has_medians_and_ratios(self):
        cells = versus.row("work", {"rung": [1, 2, 9], "ik": [1, 1, 3]})
        self.assertEqual(cells, ["work", "2.0", "1.0", "2.00 (1.00–3.00)"])

    def test_of_seconds_fewer_are_better(self):
        cells = versus.row("start", {"rung": [1], "ik": [3]}, 0, 1, True)
        self.assertEqual(cells[-1], "3.00 (3.00–3.00)")

    def test_a_start_with_a_copy_is_compared_with_the_start_of_others(self):
        starts = [{"rung": {"first token": 2, "memory": 0, "kept": 0.5,
                            "first start": 8},
                   "ik": {"first token": 1, "memory": 0, "first start": 2}}]
        with contextlib.redirect_stdout(io.StringIO()) as table:
            versus.print_model("m", ["rung", "ik"], {}, starts)
        self.assertIn("| load to first token, second start, s | 2.000 | 1.000 "
                      "| 0.50", table.getvalue())
        self.assertIn("| the same, first start | 8.000 | 2.000 | "
                      "0.25", table.getvalue())
        self.assertIn("| the same, a packed copy kept | 0.500 | 1.000 | 2.00",
                      table.getvalue())


if __name__ == "__main__":
    unittest.main()
