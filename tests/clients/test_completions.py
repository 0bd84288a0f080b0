"""The openai package for Python asks for completions: streams, the echo by
which programs compare models, the best of several."""

import json
import math
import unittest

from questions import GREEDY
from served import CHAT, MODELS
from test_openai import Client


class Completions(Client):
    def complete(self, prompt, **options):
        return self.client.completions.create(
            model=CHAT, prompt=prompt, **GREEDY, **options)

    def echo(self, prompt):
        """Log probabilities of a prompt's tokens.  The first token's is null,
        as the API of OpenAI has it."""
        answer = self.complete(prompt, max_tokens=0, echo=True, logprobs=1)
        self.hold(answer, self.schema.behind_the_first)
        return answer.choices[0].logprobs

    def test_an_echo_and_what_follows_are_of_their_types(self):
        answer = self.hold(
            self.complete("The capital of France is", max_tokens=4, echo=True,
                          logprobs=2), self.schema.behind_the_first)
        told = answer.choices[0].logprobs
        self.assertEqual("".join(told.tokens), answer.choices[0].text)
        self.assertEqual(len(told.tokens), len(told.text_offset))

    def test_an_echo_is_streamed_in_its_types(self):
        chunks = list(self.complete(
            "The capital of France is", max_tokens=4, echo=True, stream=True,
            logprobs=1))
        said = "".join(one.choices[0].text for one in chunks if one.choices)
        self.assertEqual(said, "The capital of France is Paris.")
        told = [one for one in chunks
                if one.choices and one.choices[0].logprobs]
        self.assertIsNone(told[0].choices[0].logprobs.token_logprobs[0])
        for one in told:
            first = one is told[0]
            self.hold_chunk(one, self.schema.behind_the_first if first
                            else dict)

    def hold_chunk(self, chunk, read):
        """A piece of a completion: the type is that of a whole one, and knows
        no piece that is not the last."""
        self.hold(chunk, lambda body: self.schema.ended(read(body)))

    def test_pieces_make_the_whole(self):
        *others, last = self.complete(
            "The capital of France is", max_tokens=8, stream=True,
            stream_options={"include_usage": True})
        self.hold(others[-1])  # the type is that of a whole one
        self.hold(last)
        for one in others[:-1]:
            self.assertIsNone(one.choices[0].finish_reason)
            self.hold_chunk(one, dict)
        said = "".join(one.choices[0].text for one in others)
        self.assertEqual(said, " Paris.")
        self.assertEqual(others[-1].choices[0].finish_reason, "stop")
        self.assertEqual(last.choices, [])
        self.assertGreater(last.usage.completion_tokens, 1)

    def likelihood(self, context, rest):
        """How a program that compares models asks what a text is worth behind
        another: (the sum of log probabilities, whether it is likeliest)."""
        ids = [json.loads(self.server.request("/tokenize", {
            "model": CHAT, "prompt": text})[2])["tokens"]
            for text in (context, context + rest)]
        told = self.echo([ids[1]])
        self.assertEqual(len(told.tokens), len(ids[1]))
        self.assertIsNone(told.token_logprobs[0])
        at = len(ids[0])
        best = all(max(top, key=top.get) == token for top, token in zip(
            told.top_logprobs[at:], told.tokens[at:], strict=True))
        return sum(told.token_logprobs[at:]), best

    def test_a_text_is_judged_by_its_echo(self):
        right, likeliest = self.likelihood("The capital of France is",
                                           " Paris.")
        wrong, likely = self.likelihood("The capital of France is", " Oslo.")
        self.assertTrue(likeliest)
        self.assertFalse(likely)
        self.assertGreater(right, -0.1)
        self.assertLess(wrong, right - 5)

    def test_an_echo_is_as_likely_as_transformers_says(self):
        golden = json.loads((MODELS / "goldens" / "echo.json").read_text())
        for prompt in golden["text"], [golden["ids"]]:
            told = self.echo(prompt)
            best = [max(top.values()) for top in told.top_logprobs[1:]]
            for found, expected in (
                    (told.token_logprobs[1:], golden["logprobs"]),
                    (best, golden["best"])):
                for a, b in zip(found, expected, strict=True):
                    self.assertLess(abs(a - b), 1e-3 * max(1, abs(b)))

    def test_the_best_of_several(self):
        answer = self.hold(self.client.completions.create(
            model=CHAT, prompt="Once upon a time", best_of=4, n=1, seed=3,
            temperature=1.5, max_tokens=8, logprobs=0))
        best, = answer.choices
        each = self.client.completions.create(
            model=CHAT, prompt="Once upon a time", n=4, seed=3,
            temperature=1.5, max_tokens=8, logprobs=0).choices
        worth = {one.text: math.fsum(one.logprobs.token_logprobs)
                 / len(one.logprobs.token_logprobs) for one in each}
        self.assertEqual(best.text, max(worth, key=worth.get))
        self.assertGreater(answer.usage.completion_tokens,
                           len(best.logprobs.tokens))


if __name__ == "__main__":
    unittest.main()
