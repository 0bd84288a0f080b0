"""Small random templates come out as jinja2 makes them: see README.md."""

import json
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "oracle" / "template"))

try:
    import jinja_oracle
except ImportError:
    jinja_oracle = None
import conversations  # noqa: E402
import jinja_programs  # noqa: E402

RUNGS = [m.parent for m in sorted(ROOT.glob("m[0-9]*/Makefile"))
         if any(m.parent.rglob("test_jinja.c"))]
EACH = 500


def build(rung, name="test_jinja"):
    """A test program: this one also renders what it is given."""
    made = subprocess.run(
        ["make", "-s", "-C", rung, f"build/plain/{name}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        raise RuntimeError(made.stdout)
    return rung / "build" / "plain" / name


def render(program, cases):
    """What becomes of templates, each with its variables."""
    lines = "".join(json.dumps({"template": t, "context": c}) + "\n"
                    for t, c in cases)
    made = subprocess.run([program, "lines"], input=lines.encode(),
                          stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in made.stdout.split(b"\n") if line]


def comparable(expected):
    """Not what depends on the run, nor complex numbers."""
    text = expected.get("text", "")
    return " at 0x" not in text and "j)" not in text


@unittest.skipUnless(jinja_oracle and RUNGS, "jinja2 is not there")
class Templates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = build(RUNGS[-1])

    def test_programs(self):
        for construct in jinja_programs.CONSTRUCTS:
            templates = jinja_programs.programs(construct, EACH)
            found = render(self.program, [(t, jinja_programs.CONTEXT)
                                          for t in templates])
            self.assertEqual(len(found), len(templates))
            compared = 0
            for template, one in zip(templates, found):
                expected = jinja_oracle.render(template,
                                               jinja_programs.CONTEXT)
                if not comparable(expected):
                    continue
                compared += 1
                with self.subTest(construct, template=template):
                    self.assertEqual(expected.get("text"), one.get("text"),
                                     (expected, one))
            self.assertGreater(compared, EACH * 0.9)

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
