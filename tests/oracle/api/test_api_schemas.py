"""Every body and event that the server can send looks as the types of the
openai package say: see README.md, and api_schemas.py."""

import copy
import json
import pathlib
import subprocess
import sys
import unittest

import api_schemas
import conform

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests/clients"))  # which installs the package
import installed  # noqa: E402

PINNED = pathlib.Path(__file__).with_name("requirements.txt").read_text()


def rung():
    """The highest rung that has a server."""
    found = [m.parent for m in sorted(ROOT.glob("m[0-9]*/Makefile"))
             if (m.parent / "server" / "api").is_dir()]
    return found[-1]


def bodies():
    """(schema's name, body) of all that the test program prints."""
    program = "build/plain/test_bodies"
    subprocess.run(["make", "-s", "-C", rung(), program], check=True,
                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printed = subprocess.run([rung() / program, "print"], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    for line in printed.splitlines():
        name, _, body = line.partition("\t")
        yield name, json.loads(body)


def without_nulls(told):
    """The first token of an echo has no probability."""
    for name, none in ("token_logprobs", 0.0), ("top_logprobs", {}):
        told[name] = [none if one is None else one for one in told[name]]


class Bodies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schemas = conform.load()
        cls.bodies = list(bodies())

    def test_each_looks_as_its_type_says(self):
        for name, body in self.bodies:
            with self.subTest(name=name, body=body):
                self.assertEqual(conform.problems(body, self.schemas[name]),
                                 [])

    def test_there_is_one_of_each_type(self):
        self.assertEqual({name for name, _ in self.bodies},
                         set(self.schemas))

    def test_the_package_reads_them(self):
        """By its own models, as it does what comes from the network."""
        installed.python_packages()
        types = api_schemas.types()
        for name, body in self.bodies:
            if name in types:
                with self.subTest(name=name, body=body):
                    types[name].construct(**body)
                    self.strictly(types[name], name, body)

    def strictly(self, kind, name, body):
        extended = copy.deepcopy(body)
        if name == "CreateEmbeddingResponse":
            if isinstance(body["data"][0]["embedding"], str):
                return  # decoded before it is validated
        for choice in extended.get("choices", []):
            if name in ("Completion", "ChatCompletionChunk"):
                choice["finish_reason"] = choice["finish_reason"] or "stop"
            if name == "Completion" and choice["logprobs"]:
                without_nulls(choice["logprobs"])
        kind.model_validate(extended, strict=True)


class Schemas(unittest.TestCase):
    def test_they_are_those_of_the_pinned_package(self):
        installed.python_packages()
        import openai
        self.assertEqual(f"openai=={openai.__version__}", PINNED.strip())
        self.assertEqual(conform.SCHEMAS.read_text(), api_schemas.text())


class Conform(unittest.TestCase):
    """The checker sees what is wrong."""

    def setUp(self):
        self.schema = conform.load()["ChatCompletion"]
        self.body = {
            "id": "a", "object": "chat.completion", "created": 1,
            "model": "m", "choices": [
                {"index": 0, "finish_reason": "stop", "message": {
                    "role": "assistant", "content": "Hi"}}]}

    def expect(self, place):
        found = conform.problems(self.body, self.schema)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(place + ": "), found)

    def test_a_good_body(self):
        self.assertEqual(conform.problems(self.body, self.schema), [])

    def test_a_missing_member(self):
        del self.body["created"]
        self.expect(".created")

    def test_a_member_that_is_not_known(self):
        self.body["choices"][0]["message"]["thoughts"] = ""
        self.expect(".choices[0].message.thoughts")

    def test_a_wrong_type(self):
        self.body["choices"][0]["index"] = True
        self.expect(".choices[0].index")

    def test_a_wrong_word(self):
        self.body["choices"][0]["finish_reason"] = "eos"
        self.expect(".choices[0].finish_reason")

    def test_a_wrong_constant(self):
        self.body["object"] = "chat"
        self.expect(".object")

    def test_what_an_alternative_lacks(self):
        self.body["choices"][0]["logprobs"] = {"content": [{"token": "Hi"}]}
        found = conform.problems(self.body, self.schema)
        self.assertIn(".choices[0].logprobs.content[0].logprob: is missing",
                      found)


if __name__ == "__main__":
    unittest.main()
