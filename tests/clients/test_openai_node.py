"""The openai package for Node, before the server."""

import json
import unittest
from pathlib import Path

import fake
import installed
import questions
import within
from served import CHAT, EMBED, Served, assert_held, start

SCRIPT = Path(__file__).resolve().parent / "openai.mjs"
LIMIT = 120  # seconds


class Node(Served):
    @classmethod
    def setUpClass(cls):
        cls.modules = installed.node_modules()
        cls.fake = fake.Fake()
        cls.addClassCleanup(cls.fake.close)
        super().setUpClass()
        cls.busy = start("--parallel", "1", "--queue", "1")
        cls.addClassCleanup(cls.busy.held)
        cls.addClassCleanup(cls.busy.close)

    def test_what_its_users_do(self):
        asked = {name: value for name, value in vars(questions).items()
                 if name.isupper()}
        given = {"modules": str(self.modules), "url": self.server.url,
                 "fake": self.fake.url, "busy": self.busy.url,
                 "questions": {**asked, "CHAT": CHAT, "EMBED": EMBED}}
        within.check(self, ["node", SCRIPT, json.dumps(given)], LIMIT, 22)
        assert_held(self, self.server, "ChatCompletion",
                    "ChatCompletionChunk event", "CreateEmbeddingResponse",
                    "SyncPage[Model]", "Model", "Error")
        assert_held(self, self.busy, "ChatCompletion",
                    "ChatCompletionChunk event", "Error")


if __name__ == "__main__":
    unittest.main()
