"""How the server ends: answers that have begun are ended first; who is in a
hurry asks twice."""

import http.client
import json
import signal
import time
import unittest
from urllib.parse import urlsplit

from questions import ENDLESS, SILENT, STORY, ask
from served import CHAT, start

PATIENCE = 20  # seconds


class Stops(unittest.TestCase):
    def setUp(self):
        self.server = start()
        self.addClassCleanup(self.server.held)
        self.addCleanup(self.server.close)

    def begin(self, n):
        """A stream of n tokens, whose first event is there."""
        line = http.client.HTTPConnection(
            urlsplit(self.server.url).netloc, timeout=PATIENCE)
        self.addCleanup(line.close)
        line.request("POST", "/v1/chat/completions", json.dumps({
            "model": CHAT, "messages": ask(STORY), "stream": True,
            "max_tokens": n, "logit_bias": ENDLESS, **SILENT}),
            {"Content-Type": "application/json"})
        answer = line.getresponse()
        self.assertTrue(answer.readline().startswith(b"data: "))
        return answer

    def stop(self):
        self.server.process.send_signal(signal.SIGTERM)

    def test_an_answer_is_ended_first(self):
        answer = self.begin(50)
        self.stop()
        self.assertTrue(answer.read().endswith(b"data: [DONE]\n\n"))
        self.assertEqual(self.server.process.wait(PATIENCE), 0)

    def test_a_second_signal_ends_it_at_once(self):
        answer = self.begin(900)
        self.server.cuts = 1
        self.stop()
        time.sleep(0.2)  # two signals at once would be one
        self.stop()
        self.assertEqual(self.server.process.wait(PATIENCE), 0)
        with self.assertRaises(http.client.IncompleteRead):
            answer.read()


if __name__ == "__main__":
    unittest.main()
