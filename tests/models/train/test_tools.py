"""Tool calls: JSON that conforms to the schema of an offered tool."""
import json
import re
import unittest

from test_support import of_kind
from corpus import tool_kinds
from corpus.writer import Writer

CALL = re.compile(r"<tool_call>\n(.*?)\n</tool_call>", re.DOTALL)
TYPES = {"string": str, "integer": int, "number": (int, float)}


def conforms(case, arguments, schema):
    case.assertLessEqual(set(schema["required"]), set(arguments))
    for name, value in arguments.items():
        case.assertIn(name, schema["properties"])
        wanted = schema["properties"][name]
        case.assertIsInstance(value, TYPES[wanted["type"]])
        case.assertIn(value, wanted.get("enum", [value]))


class Calls(unittest.TestCase):
    def test_calls_conform_to_an_offered_tool(self):
        seen = 0
        for chat in of_kind("tool"):
            schemas = {each["function"]["name"]:
                       each["function"]["parameters"] for each in chat.tools}
            written = "".join(chat.text().partition("</tools>")[2:])
            for text in CALL.findall(written.split("<|im_start|>", 1)[1]):
                call = json.loads(text)
                self.assertEqual(list(call), ["name", "arguments"])
                self.assertIn(call["name"], schemas)
                conforms(self, call["arguments"], schemas[call["name"]])
                seen += 1
        self.assertGreater(seen, 400)

    def test_no_tool_is_offered_twice(self):
        for chat in of_kind("tool"):
            names = [each["function"]["name"] for each in chat.tools]
            kinds = {each.replace("turn_off", "turn_on") for each in names}
            self.assertEqual(len(names), len(set(names)))
            self.assertEqual(len(names), len(kinds))

    def test_what_a_call_says_was_said(self):
        """Text arguments are copied from the question, numbers too."""
        for number, kind in enumerate(dict.fromkeys(tool_kinds.KINDS)):
            w = Writer(number)
            for _ in range(100):
                use = kind(w).use(w)
                for value in use.arguments.values():
                    self.assertIn(str(value).lower(), use.question.lower())

    def test_answers_hold_what_the_result_says(self):
        w = Writer(2)
        for _ in range(300):
            use = tool_kinds.time_of_day(w).use(w)
            now = re.search(r"\d\d:\d\d", use.result)[0]
            self.assertIn(now, use.answer)
            use = tool_kinds.compute(w).use(w)
            value = re.search(r"-?\d+", use.result)[0]
            self.assertTrue(use.answer.endswith(f"= {value}"), use)

    def test_computed_results_are_right(self):
        w = Writer(3)
        for _ in range(300):
            tool = tool_kinds.compute(w)
            use = tool.use(w)
            a, b = use.arguments["a"], use.arguments["b"]
            value = {"add": a + b, "subtract": a - b,
                     "multiply": a * b}[tool.name]
            self.assertIn(f"= {value}", use.answer)


class JsonAnswers(unittest.TestCase):
    def test_they_are_json_and_nothing_else(self):
        for chat in of_kind("json"):
            json.loads(chat.answer())

    def test_people_are_extracted_as_they_are_named(self):
        seen = 0
        for chat in of_kind("json"):
            value = json.loads(chat.answer())
            if isinstance(value, dict) and set(value) == {"name", "age"}:
                asked = chat.turns[-2].content
                self.assertIn(value["name"], asked)
                self.assertIn(str(value["age"]), asked)
                seen += 1
        self.assertGreater(seen, 5)


if __name__ == "__main__":
    unittest.main()
