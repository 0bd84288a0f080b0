"""Many clients at once, some of whom behave badly: nothing hangs, nobody's
answer is another one for it, and memory does not grow.

SOAK=N in the environment sends N times as many requests.
"""

import http.client
import json
import os
import random
import re
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from questions import (
    CAPITAL, CAPITAL_SAID, CITY, ENDLESS, GREEDY, SILENT, STORY, TOOL,
    WEATHER, WEATHER_RESULT, WEATHER_SAID, ask)
from served import CHAT, EMBED, Served, assert_held

CLIENTS = 16
REQUESTS = 200 * int(os.environ.get("SOAK", "1"))
LIMIT = 120  # seconds without a byte: it hangs
# Bytes a request that stay; the address sanitizer keeps what was freed.
GROWTH = 1.5e6 if os.environ.get("SAN") else 1e3
# Memory is taken as far as the worst moment so far.  What most of it is for, as
# many long texts at once as there may be, comes before all crowds, since they
# would meet it by chance; what else they need a few of them find, and a leak
# grows with each.  Behind a worst moment a leak is not seen until it has grown
# as large; so what stays is what some crowds together leave behind.
CROWDS, TOGETHER = 12, 4
CHATS = "/v1/chat/completions"
LONG = "and so on " * 200


class Person:
    """Asks as somebody would; `chance` is his own."""

    def __init__(self, test, number):
        self.test = test
        self.chance = random.Random(number)
        address = urlsplit(test.server.url)
        self.place = address.hostname, address.port

    def send(self, path, **body):
        """A connection, of which the answer has not been read."""
        connection = http.client.HTTPConnection(*self.place, timeout=LIMIT)
        connection.request("POST", path, json.dumps(body),
                           {"Content-Type": "application/json"})
        return connection

    def post(self, path, status=200, **body):
        connection = self.send(path, **body)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        self.test.assertEqual(answer.status, status, text)
        return json.loads(text)

    def chat(self, messages, **more):
        return self.post(CHATS, model=CHAT, messages=messages, **GREEDY,
                         **SILENT, **more)["choices"][0]["message"]

    def asks(self):
        said = self.chat(ask(CAPITAL))["content"]
        self.test.assertEqual(said, CAPITAL_SAID)

    def thinks(self):
        said = self.post(CHATS, model=CHAT, messages=ask(CAPITAL), **GREEDY)
        self.test.assertEqual(said["choices"][0]["message"]["content"],
                              CAPITAL_SAID)

    def uses_a_tool(self):
        messages = ask(WEATHER)
        called = self.chat(messages, tools=[TOOL])
        call, = called["tool_calls"]
        self.test.assertEqual(json.loads(call["function"]["arguments"]), CITY)
        messages += [called, {"role": "tool", "tool_call_id": call["id"],
                              "content": WEATHER_RESULT}]
        said = self.chat(messages, tools=[TOOL])["content"]
        self.test.assertEqual(said, WEATHER_SAID)

    def streams(self, slowly=0, most=None):
        """Reads events, and leaves after `most`."""
        connection = self.send(
            CHATS, model=CHAT, messages=ask(STORY), stream=True, seed=7,
            max_tokens=48, logit_bias=ENDLESS, **SILENT)
        answer = connection.getresponse()
        n = 0
        while (line := answer.readline()) and (most is None or n < most):
            n += line.startswith(b"data:")
            time.sleep(slowly)
        connection.close()
        if most is None:
            self.test.assertGreater(n, 40)

    def reads_slowly(self):
        self.streams(slowly=0.01)

    def leaves(self):
        self.streams(most=self.chance.randrange(20))

    def waits(self):
        self.post(CHATS, model=CHAT, messages=ask(LONG), max_tokens=64)

    def does_not_wait(self):
        """Leaves from the queue, or while the prompt is read."""
        connection = self.send(
            CHATS, model=CHAT, messages=ask(LONG), max_tokens=64,
            stream=self.chance.random() < 0.5)
        time.sleep(self.chance.random() * 0.2)
        connection.close()

    def draws(self):
        """By chance, and so the same again whoever is there."""
        seed = self.chance.randrange(4)
        made = self.post("/v1/completions", model=CHAT, prompt="Once upon",
                         n=2, seed=seed, temperature=1, max_tokens=16)
        texts = [one["text"] for one in made["choices"]]
        with self.test.lock:
            first = self.test.drawn.setdefault(seed, texts)
        self.test.assertEqual(texts, first)

    def embeds(self):
        made = self.post("/v1/embeddings", model=EMBED, input=[CAPITAL, STORY])
        vectors = [one["embedding"][:4] for one in made["data"]]
        with self.test.lock:
            first = self.test.drawn.setdefault("vectors", vectors)
        self.test.assertEqual(vectors, first)

    def asks_nonsense(self):
        self.post(CHATS, 400, model=CHAT, messages=ask(CAPITAL), top_p=7)
        self.post(CHATS, 404, model="gpt-9", messages=ask(CAPITAL))

    def does_something(self):
        self.chance.choice([
            self.asks, self.thinks, self.uses_a_tool, self.streams,
            self.reads_slowly, self.leaves, self.leaves, self.does_not_wait,
            self.does_not_wait, self.draws, self.embeds,
            self.asks_nonsense])()


class Soak(Served):
    options = ("--parallel", "4")

    def setUp(self):
        self.lock = threading.Lock()
        self.drawn = {}

    def number(self, name):
        """The sum of a metric over models."""
        found = re.findall(rf"^{name}(?:{{.*}})? (\S+)$",
                           self.server.request("/metrics")[2], re.M)
        return sum(map(float, found))

    def crowd(self, first, n=REQUESTS, what=Person.does_something):
        with ThreadPoolExecutor(CLIENTS) as clients:
            asked = [clients.submit(what, Person(self, first + i))
                     for i in range(n)]
        for one in asked:
            one.result()

    def at_rest(self):
        """Whether all have left soon after."""
        until = time.monotonic() + LIMIT
        while self.number("rung_requests_running") \
                or self.number("rung_requests_queued"):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)

    def growth(self, i):
        """The bytes that the crowd `i` has left behind."""
        before = self.number("rung_resident_bytes")
        self.crowd(i * REQUESTS)
        self.at_rest()
        return self.number("rung_resident_bytes") - before

    def test_a_crowd_leaves_no_trace(self):
        self.crowd(0, CLIENTS, Person.waits)
        grown = [self.growth(i) for i in range(1 + TOGETHER)]
        most = GROWTH * REQUESTS * TOGETHER
        while sum(grown[-TOGETHER:]) > most and len(grown) < CROWDS:
            grown.append(self.growth(len(grown)))
        self.assertLess(sum(grown[-TOGETHER:]), most, grown)
        self.assertEqual(self.number('rung_http_requests_total{status="5xx"}'),
                         0)
        self.assertGreater(self.number("rung_requests_accepted_total"),
                           REQUESTS)
        assert_held(self, self.server, "ChatCompletion", "Completion",
                    "ChatCompletionChunk event", "CreateEmbeddingResponse",
                    "Error")


if __name__ == "__main__":
    unittest.main()
