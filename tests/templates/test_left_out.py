"""What the highest rung lacks of jinja2's and Python's names is what its
jinja.h says: every one is asked for."""

import re
import unittest

from test_templates import RUNGS, build, jinja_oracle, render

VALUES = {  # how jinja.h calls what has attributes: such values
    "a string": ["'a'"], "a whole number": ["(1)", "true"],
    "a float": ["(1.5)"], "a range": ["range(2)"],
    "views": ["{}.keys()", "{}.values()", "{}.items()"],
    "others": ["[]", "()", "{}", "none", "cycler(1)", "joiner()", "self"]}
TYPES = (str, int, float, list, tuple, dict, range, type({}.keys()),
         type({}.values()), type({}.items()))
NEWER = {"a whole number": {"is_integer"}}  # than Python 3.11: of 3.12
REFUSED = re.compile(r"not available|No (filter|test) named")
SAID = {  # where jinja.h has the names
    "tags": r"the tags (.*?);", "filters": r"the filters that (.*?);",
    "functions": r"; the function (\w+)\.",
    "a string": r"for: a string's (.*?);",
    "a whole number": r"; a whole number's (.*?);",
    "a float": r"; a float's (.*?);", "a range": r"; a range's (.*?);",
    "views": r"; ([^;]*) of a dictionary's views;"}


def said():
    """{kind: the names that jinja.h says are left out}."""
    text = (RUNGS[-1] / "server/template/jinja/jinja.h").read_text()
    words = " ".join(text.partition("*/")[0].split()).replace(" * ", " ")
    return {kind: set(re.findall("[a-z_]+", re.search(where, words)[1]))
            - {"and", "write"} for kind, where in SAID.items()}


@unittest.skipUnless(RUNGS and jinja_oracle, "no rung, or no jinja2")
class LeftOut(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = build(RUNGS[-1])
        cls.said = said()

    def made(self, templates):
        return render(self.program, [(one, {}) for one in templates])

    def refused(self, form, names):
        """Those of the names that are refused where the form has them."""
        made = self.made([form.replace("NAME", name) for name in names])
        return {name for name, one in zip(names, made, strict=True)
                if REFUSED.search(one.get("error", ""))}

    def test_tags(self):
        names = sorted(jinja_oracle.jinja2.parser._statement_keywords)
        self.assertEqual(self.refused("{% NAME %}", names), self.said["tags"])

    def test_filters(self):
        names = sorted(jinja_oracle.ENVIRONMENT.filters)
        self.assertEqual(self.refused("{{ 1|NAME }}", names),
                         self.said["filters"])

    def test_tests(self):
        names = sorted(jinja_oracle.ENVIRONMENT.tests)
        self.assertEqual(self.refused("{{ [1]|select('NAME', 1) }}", names),
                         set())

    def test_functions(self):
        names = sorted(jinja_oracle.ENVIRONMENT.globals)
        self.assertEqual(self.refused("{{ NAME(1) }}", names),
                         self.said["functions"])
        made = self.made("{{ %s is defined }}" % name for name in names)
        self.assertEqual({one.get("text") for one in made}, {"True"})

    def test_attributes(self):
        """A value has those that it has in Python, or refuses them."""
        names = sorted({name for kind in TYPES for name in dir(kind)
                        if name[0] != "_"})
        for kind, values in VALUES.items():
            found = set()
            for value in values:
                refused = self.refused(f"{{{{ {value}.NAME(1) }}}}", names)
                found |= refused
                asked = {name: f"{{{{ {value}.{name} is defined }}}}"
                         for name in names if name not in refused
                         and name not in NEWER.get(kind, ())}
                for name, one in zip(asked, self.made(asked.values()),
                                     strict=True):
                    there = jinja_oracle.render(asked[name], {})
                    self.assertEqual(one, there, asked[name])
            self.assertEqual(found, self.said.get(kind, set()), kind)


if __name__ == "__main__":
    unittest.main()
