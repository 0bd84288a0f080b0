"""Real models' templates come out as jinja2 made them: see README.md."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
import urllib.error

from test_templates import ROOT, RUNGS, build

sys.path.insert(0, str(ROOT / "tests" / "oracle" / "template"))
import real_templates  # noqa: E402

HERE = pathlib.Path(__file__).parent


def fetch():
    """The packages, which are 135 MB: where CI is set they are got, and
    elsewhere used where they are."""
    if real_templates.is_there():
        return
    if not os.environ.get("CI"):
        raise unittest.SkipTest("the packages that have real models' "
                                "templates: make templates gets them")
    try:
        real_templates.fetch()
    except (urllib.error.URLError, subprocess.CalledProcessError) as lost:
        raise unittest.SkipTest(f"real models' templates: {lost}") from lost


class Real(unittest.TestCase):
    def setUp(self):
        self.golden = json.loads(real_templates.GOLDEN.read_text())

    @unittest.skipUnless(RUNGS, "no rung has templates")
    def test_each_comes_out_as_jinja2_made_it(self):
        fetch()
        compared, differ = real_templates.differences(build(RUNGS[-1]))
        self.assertEqual(differ, [])
        self.assertGreater(compared, 15 * 40)

    def test_most_conversations_are_rendered(self):
        """An error is the same for all programs: hashes of texts say more."""
        kinds = [one for made in self.golden.values() for one in made.split()]
        texts = sum(one not in ("error", "raised") for one in kinds)
        self.assertGreater(texts, len(kinds) * 0.75)

    def test_the_list_names_them_all(self):
        said = (HERE / "README.md").read_text()
        names = re.findall(r"^- .*?: (.*)$", said.replace("\n  ", " "), re.M)
        listed = [name for line in names for name in line.split(", ")]
        self.assertEqual(sorted(listed), sorted(self.golden))


if __name__ == "__main__":
    unittest.main()
