"""The chat page in chromium, before a server of a script (fake.py) that can
do what no server should: break, stall, answer nonsense; and before our own.

PICTURES=FOLDER in the environment keeps screenshots there.
"""

import json
import os
import unittest
from pathlib import Path

import installed
import within
from fake import Fake
from served import Served, assert_held

HERE = Path(__file__).resolve().parent
LIMIT = 400  # seconds for all checks; each has its own limit, too


class Page(unittest.TestCase):
    def test_all_that_it_does(self):
        given = browser()
        servers = [Fake(), Fake("secret")]
        for server in servers:
            self.addCleanup(server.close)
        given |= {"open": servers[0].url, "locked": servers[1].url,
                  "pictures": os.environ.get("PICTURES")}
        within.check(self, ["node", HERE / "browser.js", json.dumps(given)],
                     LIMIT, 41)


class PageOfTheServer(Served):
    def test_a_question_and_its_answer(self):
        given = browser() | {"real": self.server.url}
        within.check(self, ["node", HERE / "browser.js", json.dumps(given)],
                     LIMIT, 3)
        assert_held(self, self.server, "SyncPage[Model]",
                    "ChatCompletionChunk event")

    def test_every_file_is_served_with_a_policy(self):
        for path in "/", "/page.css", "/page.js", "/icon.svg":
            status, headers, text = self.server.request(path)
            self.assertEqual(status, 200)
            self.assertTrue(text)
            self.assertIn("default-src 'none'",
                          headers["Content-Security-Policy"])
            self.assertNotIn("unsafe", headers["Content-Security-Policy"])
            self.assertEqual(headers.get_all("X-Content-Type-Options"),
                             ["nosniff"])


def browser():
    """What browser.js wants to know."""
    return {"chromium": installed.chromium(),
            "modules": str(installed.node_modules())}


if __name__ == "__main__":
    unittest.main()
