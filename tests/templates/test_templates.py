"""Small random templates come out as jinja2 makes them: see README.md."""

import json
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "oracle" / "template"))

import conversations  # noqa: E402
import jinja_compare  # noqa: E402
import jinja_programs  # noqa: E402
from jinja_compare import jinja_oracle, render  # noqa: E402

RUNGS = [m.parent for m in sorted(ROOT.glob("m[0-9]*/Makefile"))
         if any(m.parent.rglob("test_jinja.c"))]
EACH = 500
SHOWN = 5  # templates that differ, of a construct


def build(rung, name="test_jinja"):
    """A test program: this one also renders what it is given."""
    made = subprocess.run(
        ["make", "-s", "-C", rung, f"build/plain/{name}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        raise RuntimeError(made.stdout)
    return rung / "build" / "plain" / name


@unittest.skipUnless(RUNGS, "no rung has templates")
class Templates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = build(RUNGS[-1])

    def which(self, templates):
        """What differs, in words: jinja2 knows."""
        if not jinja_oracle:
            return "jinja2 would say which, but is not there"
        return list(jinja_compare.differences(self.program, templates))[:SHOWN]

    def test_programs(self):
        goldens = json.loads(jinja_compare.GOLDEN.read_text())
        self.assertEqual(list(goldens), jinja_programs.CONSTRUCTS)
        for construct, golden in goldens.items():
            templates = jinja_programs.programs(construct, EACH)
            with self.subTest(construct):
                self.assertEqual(golden["programs"],
                                 jinja_compare.digest(templates),
                                 "other templates: jinja_compare.py golden")
                self.compare(templates, golden)

    def compare(self, templates, golden):
        found = render(self.program, [(t, jinja_programs.CONTEXT)
                                      for t in templates])
        texts = [one.get("text") for one in found]
        for i in golden["skipped"]:
            texts[i] = None
        self.assertEqual(len(texts), EACH)
        self.assertLess(len(golden["skipped"]), EACH * 0.1)
        if jinja_compare.digest(texts) != golden["texts"]:
            self.fail(self.which(templates))

    @unittest.skipUnless(jinja_oracle, "jinja2 is not there")
    def test_tiny_chat(self):
        config = json.loads((ROOT / "tests" / "models" / "tiny-chat" /
                             "tokenizer_config.json").read_text())
        template = config["chat_template"]
        cases = list(conversations.conversations())
        found = render(self.program, [(template, c) for _, c in cases])
        for (name, context), one in zip(cases, found, strict=True):
            expected = jinja_oracle.render(template, context)
            with self.subTest(name):
                self.assertEqual(expected.get("text"), one.get("text"),
                                 (expected, one))


if __name__ == "__main__":
    unittest.main()
