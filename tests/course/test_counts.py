"""The table of how many small mistakes are seen."""

import tempfile
import unittest
import unittest.mock
from pathlib import Path

import counts
import mutate
from tree import HERE, read_ladder

RESULTS = {"low": {"key": "1", "found": "kkahsr"},
           "high": {"key": "2", "found": "k.a"},
           "gone": {"key": "3", "found": "aaaa"}}
LIST = """\
low
low: n > 1 => n >= 1  ## there is one at least
high
high: n + 1 => n + 2  ## open: no test of its own sees it yet
"""


class Counts(unittest.TestCase):
    def test_a_rung_has_a_row(self):
        with tempfile.TemporaryDirectory() as folder, \
                unittest.mock.patch.object(mutate, "SURVIVORS",
                                           Path(folder)):
            (Path(folder) / "m9-made.txt").write_text(LIST)
            row = counts.row("m9-made", ["low", "high", "new"], RESULTS)
        self.assertEqual(row, ["m9", "1 of 3", "6", "3", "1", "2", "1"])

    def test_thousands_have_a_comma(self):
        row = counts.row("m9-made", ["low"], {"low": {"found": "k" * 1234}})
        self.assertEqual(row[2:4], ["1,234", "1,234"])

    def test_readme_has_what_survivors_say(self):
        table = "\n".join(counts.table(read_ladder()))
        self.assertIn(f"\n\n{table}\n\n", (HERE / "README.md").read_text())


if __name__ == "__main__":
    unittest.main()
