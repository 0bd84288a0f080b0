"""The openai package for Node, before the server."""

import json
import unittest
from pathlib import Path

import fake
import installed
import questions
import within
from served import CHAT, EMBED, Served

SCRIPT = Path(__file__).resolve().parent / "openai.mjs"
LIMIT = 120  # seconds


class Node(Served):
    @classmethod
    def setUpClass(cls):
        cls.modules = installed.node_modules()
        cls.fake = fake.Fake()
        cls.addClassCleanup(cls.fake.close)
        super().setUpClass()

    def test_what_its_users_do(self):
        asked = {name: value for name, value in vars(questions).items()
                 if name.isupper()}
        given = {"modules": str(self.modules), "url": self.server.url,
                 "fake": self.fake.url, "questions": {**asked, "CHAT": CHAT, "EMBED": EMBED}}
        within.check(self, ["node", SCRIPT, json.dumps(given)], LIMIT, 20)


if __name__ == "__main__":
    unittest.main()
