"""curl before the server, as the chapter's readers use it."""

import json
import unittest

import installed
import within
from questions import CAPITAL, CAPITAL_SAID, GREEDY, SILENT, ask
from served import CHAT, Served, assert_held

LIMIT = 30  # seconds


class Curl(Served):
    @classmethod
    def setUpClass(cls):
        cls.program = installed.program("curl")
        super().setUpClass()

    def curl(self, path, *options, body=None):
        """The output; a body is sent as JSON."""
        sent = [] if body is None else [
            "-H", "Content-Type: application/json", "-d", json.dumps(body)]
        status, out, errors = within.run(
            [self.program, "-sS", *options, *sent, self.server.url + path],
            LIMIT)
        self.assertEqual(status, 0, errors)
        return out

    def chat(self, *options, **more):
        return self.curl("/v1/chat/completions", *options, body={
            "model": CHAT, "messages": ask(CAPITAL), **GREEDY, **SILENT,
            **more})

    def test_it_is_well(self):
        self.assertEqual(json.loads(self.curl("/health"))["status"], "ok")

    def test_an_answer(self):
        answer = json.loads(self.chat())
        self.assertEqual(answer["choices"][0]["message"]["content"],
                         CAPITAL_SAID)
        assert_held(self, self.server, "ChatCompletion")

    def test_a_stream_as_it_is_sent(self):
        out = self.chat("-N", "-i", stream=True)
        head, _, body = out.replace("\r\n", "\n").partition("\n\n")
        self.assertIn("text/event-stream", head)
        *events, done, end = body.split("\n\n")
        self.assertEqual((done, end), ("data: [DONE]", ""))
        said = ""
        for event in events:
            if not event.startswith(":"):
                chunk = json.loads(event.removeprefix("data: "))
                for choice in chunk["choices"]:
                    said += choice["delta"].get("content") or ""
        self.assertEqual(said, CAPITAL_SAID)
        assert_held(self, self.server, "ChatCompletionChunk event")

    def test_a_word_that_is_not_known_is_named(self):
        out = self.chat("-i", beams=4)
        head = out.partition("\r\n\r\n")[0]
        self.assertIn("200", head.splitlines()[0])
        self.assertRegex(head, r"(?im)^x-[\w-]*:.*\bbeams\b")

    def test_what_is_not_json_is_refused(self):
        out = self.curl("/v1/chat/completions", "-w", "\n%{http_code}", "-H",
                        "Content-Type: application/json", "-d", "{'a': 1}")
        body, _, status = out.rpartition("\n")
        self.assertEqual(status, "400")
        self.assertTrue(json.loads(body)["error"]["message"])
        assert_held(self, self.server, "Error")

    def test_metrics_are_prometheus_text(self):
        self.chat()
        for line in self.curl("/metrics").splitlines():
            self.assertRegex(line, r"^(#.*|[a-z_:0-9]+(\{.*\})? [-+\w.]+)?$")

    def test_a_page_of_elsewhere_may_not_ask(self):
        out = self.chat("-i", "-H", "Origin: http://elsewhere.example")
        self.assertNotIn("access-control-allow-origin", out.lower())

    def test_another_name_of_the_host_is_refused(self):
        out = self.curl("/v1/models", "-i", "-H", "Host: elsewhere.example")
        self.assertRegex(out.splitlines()[0], " 4\\d\\d")


if __name__ == "__main__":
    unittest.main()
