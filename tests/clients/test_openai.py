"""The openai package for Python: what its users do, before the server."""

import base64
import json
import math
import struct
import unittest

import installed
from questions import (
    CAPITAL, CAPITAL_SAID, CAPITAL_THOUGHT, CITY, ENDLESS, GREEDY, SILENT,
    STORY, THANKS, THANKS_SAID, TOOL, WEATHER, WEATHER_RESULT, WEATHER_SAID,
    ask)
from served import CHAT, EMBED, Served

PATIENCE = 60  # seconds for an answer


class Client(Served):
    """Tests with a client; `chat` asks the reading model."""

    @classmethod
    def setUpClass(cls):
        installed.python_packages()
        super().setUpClass()
        import openai
        import schema
        cls.openai = openai
        cls.schema, cls.hold = schema, staticmethod(schema.hold)
        cls.client = cls.connect()
        cls.addClassCleanup(cls.client.close)

    @classmethod
    def connect(cls, **options):
        return cls.openai.OpenAI(**{
            "base_url": cls.server.url + "/v1", "api_key": "none",
            "timeout": PATIENCE, "max_retries": 0, **options})

    def chat(self, text, **options):
        messages = ask(text) if isinstance(text, str) else text
        return self.client.chat.completions.create(
            model=CHAT, messages=messages, **GREEDY, **options)


class Chat(Client):
    def test_an_answer_and_what_it_cost(self):
        answer = self.hold(self.chat(CAPITAL, **SILENT))
        choice, = answer.choices
        self.assertEqual(choice.message.content, CAPITAL_SAID)
        self.assertEqual(choice.finish_reason, "stop")
        self.assertEqual(answer.model, CHAT)
        usage = answer.usage
        self.assertEqual(usage.total_tokens,
                         usage.prompt_tokens + usage.completion_tokens)
        self.assertEqual(usage.completion_tokens_details.reasoning_tokens, 0)

    def test_thoughts_are_apart_and_counted(self):
        answer = self.hold(self.chat(CAPITAL))
        message = answer.choices[0].message
        self.assertEqual(message.content, CAPITAL_SAID)
        self.assertEqual(message.reasoning_content.strip(), CAPITAL_THOUGHT)
        details = answer.usage.completion_tokens_details
        self.assertGreater(details.reasoning_tokens, 5)

    def test_the_limit_of_tokens_is_told(self):
        answer = self.hold(self.chat(STORY, max_completion_tokens=7, **SILENT))
        self.assertEqual(answer.choices[0].finish_reason, "length")
        self.assertEqual(answer.usage.completion_tokens, 7)

    def test_a_stop_string_is_not_shown(self):
        answer = self.hold(self.chat(CAPITAL, stop=[" Tokyo"], **SILENT))
        self.assertEqual(answer.choices[0].message.content,
                         "The capital of Japan is")
        self.assertEqual(answer.choices[0].finish_reason, "stop")

    def test_several_answers(self):
        answer = self.hold(self.client.chat.completions.create(
            model=CHAT, messages=ask(STORY), n=3, temperature=1, seed=7,
            max_tokens=24, **SILENT))
        self.assertEqual([one.index for one in answer.choices], [0, 1, 2])
        self.assertEqual(len({one.message.content
                              for one in answer.choices}), 3)

    def test_a_seed_gives_the_same_again(self):
        first, second = (self.client.chat.completions.create(
            model=CHAT, messages=ask(STORY), temperature=1, seed=11,
            max_tokens=24, **SILENT) for _ in range(2))
        self.assertEqual(first.choices[0].message.content,
                         second.choices[0].message.content)
        self.assertEqual(first.system_fingerprint, second.system_fingerprint)

    def test_logarithms_of_probabilities(self):
        answer = self.hold(self.chat(CAPITAL, logprobs=True, top_logprobs=3,
                                     **SILENT))
        tokens = answer.choices[0].logprobs.content
        self.assertEqual("".join(one.token for one in tokens), CAPITAL_SAID)
        for one in tokens:
            self.assertLessEqual(one.logprob, 0)
            self.assertEqual(len(one.top_logprobs), 3)
            self.assertEqual(one.top_logprobs[0].token, one.token)

    def test_a_completion_goes_on(self):
        answer = self.hold(self.client.completions.create(
            model=CHAT, prompt="The capital of France is", max_tokens=8,
            **GREEDY))
        self.assertEqual(answer.choices[0].text, " Paris.")


class Streams(Client):
    def stream(self, text, **options):
        """(text, thoughts, chunks) of a stream."""
        chunks = list(map(self.hold, self.chat(text, stream=True, **options)))
        deltas = [one.choices[0].delta for one in chunks if one.choices]
        return ("".join(one.content or "" for one in deltas),
                "".join(getattr(one, "reasoning_content", None) or ""
                        for one in deltas), chunks)

    def test_pieces_make_the_whole(self):
        said, thought, chunks = self.stream(CAPITAL)
        self.assertEqual(said, CAPITAL_SAID)
        self.assertEqual(thought.strip(), CAPITAL_THOUGHT)
        self.assertEqual(chunks[0].choices[0].delta.role, "assistant")
        self.assertEqual(chunks[-1].choices[0].finish_reason, "stop")
        self.assertEqual({one.id for one in chunks}, {chunks[0].id})
        self.assertGreater(len(chunks), 10)
        self.assertTrue(all(one.usage is None for one in chunks))

    def test_usage_comes_last_when_it_is_asked_for(self):
        *others, last = self.stream(
            CAPITAL, stream_options={"include_usage": True}, **SILENT)[2]
        self.assertEqual(last.choices, [])
        self.assertEqual(last.usage.prompt_tokens,
                         self.chat(CAPITAL, **SILENT).usage.prompt_tokens)
        self.assertTrue(all(one.usage is None for one in others))

    def test_characters_come_whole(self):
        said, _, chunks = self.stream(THANKS, **SILENT)
        self.assertEqual(said, THANKS_SAID)
        for chunk in chunks:
            self.assertNotIn("\ufffd", chunk.to_json())

    def test_the_helper_that_collects_a_stream(self):
        with self.client.chat.completions.stream(
                model=CHAT, messages=ask(CAPITAL), **GREEDY,
                **SILENT) as stream:
            kinds = {event.type for event in stream}
            answer = stream.get_final_completion()
        self.assertIn("content.delta", kinds)
        self.assertEqual(answer.choices[0].message.content, CAPITAL_SAID)

    def test_who_leaves_a_stream_leaves_others_their_answers(self):
        for _ in range(4):
            with self.chat(STORY, stream=True) as stream:
                next(iter(stream))
        self.assertEqual(
            self.chat(CAPITAL, **SILENT).choices[0].message.content,
            CAPITAL_SAID)


class Tools(Client):
    def loop(self, call, said):
        """What comes of a call's result."""
        messages = [*ask(WEATHER), said, {
            "role": "tool", "tool_call_id": call.id,
            "content": WEATHER_RESULT}]
        answer = self.hold(self.chat(messages, tools=[TOOL], **SILENT))
        self.assertEqual(answer.choices[0].message.content, WEATHER_SAID)
        self.assertEqual(answer.choices[0].finish_reason, "stop")

    def test_a_loop(self):
        answer = self.hold(self.chat(WEATHER, tools=[TOOL]))
        choice, = answer.choices
        self.assertEqual(choice.finish_reason, "tool_calls")
        self.assertFalse(choice.message.content)
        call, = choice.message.tool_calls
        self.assertEqual(call.function.name, "get_weather")
        self.assertEqual(json.loads(call.function.arguments), CITY)
        self.loop(call, choice.message)

    def test_a_loop_of_a_stream(self):
        pieces = []
        for chunk in self.chat(WEATHER, tools=[TOOL], stream=True, **SILENT):
            for choice in self.hold(chunk).choices:
                pieces += choice.delta.tool_calls or []
                end = choice.finish_reason
        first, *more = pieces
        self.assertEqual(end, "tool_calls")
        self.assertEqual(first.function.name, "get_weather")
        self.assertTrue(first.id)
        for piece in more:
            self.assertEqual(piece.index, 0)
            self.assertIsNone(piece.id)
            self.assertIsNone(piece.function.name)
        said = "".join(one.function.arguments or "" for one in pieces)
        self.assertEqual(json.loads(said), CITY)
        self.loop(first, {"role": "assistant", "tool_calls": [
            {"id": first.id, "type": "function", "function": {
                "name": "get_weather", "arguments": said}}]})

    def test_the_helper_that_collects_calls(self):
        with self.client.chat.completions.stream(
                model=CHAT, messages=ask(WEATHER), tools=[TOOL], **GREEDY,
                **SILENT) as stream:
            answer = stream.get_final_completion()
        call, = answer.choices[0].message.tool_calls
        self.assertEqual(json.loads(call.function.arguments), CITY)

    def test_a_choice_is_forced(self):
        for choice in "required", {"type": "function", "function": {
                "name": "get_weather"}}:
            with self.subTest(choice):
                answer = self.hold(self.chat(
                    CAPITAL, tools=[TOOL], tool_choice=choice, max_tokens=80,
                    **SILENT))
                call, = answer.choices[0].message.tool_calls
                self.assertEqual(call.function.name, "get_weather")

    def test_no_choice_is_no_call(self):
        answer = self.hold(self.chat(WEATHER, tools=[TOOL], max_tokens=40,
                                     tool_choice="none", **SILENT))
        self.assertIsNone(answer.choices[0].message.tool_calls)


class Parsing(Client):
    """`parse` wants answers that a schema forces.  What the server cannot
    force it refuses, and says where."""

    def test_an_answer_without_a_schema(self):
        answer = self.client.chat.completions.parse(
            model=CHAT, messages=ask(CAPITAL), **GREEDY, **SILENT)
        self.assertEqual(answer.choices[0].message.content, CAPITAL_SAID)
        self.assertIsNone(answer.choices[0].message.parsed)

    def test_a_schema_is_refused(self):
        from pydantic import BaseModel

        class Capital(BaseModel):
            capital: str

        with self.assertRaises(self.openai.BadRequestError) as caught:
            self.client.chat.completions.parse(
                model=CHAT, messages=ask(CAPITAL), response_format=Capital)
        self.assertTrue(caught.exception.param.startswith("response_format"))

    def test_a_strict_tool_is_refused(self):
        from pydantic import BaseModel

        class Weather(BaseModel):
            city: str

        tool = self.openai.pydantic_function_tool(Weather)
        with self.assertRaises(self.openai.BadRequestError) as caught:
            self.client.chat.completions.parse(
                model=CHAT, messages=ask(WEATHER), tools=[tool])
        self.assertTrue(caught.exception.param.startswith("tools"))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


class Embeddings(Client):
    TEXTS = ["The sun is warm.", "It is hot in the sun.", "A cat sleeps."]

    def embed(self, texts, **options):
        answer = self.client.embeddings.create(
            model=EMBED, input=texts, **options)
        if options.get("encoding_format") == "base64":
            self.hold(answer, self.schema.decoded)
        else:
            self.hold(answer)
        self.assertGreater(answer.usage.prompt_tokens, 0)
        return [one.embedding for one in answer.data]

    def test_floats_are_what_base64_says(self):
        floats = self.embed(self.TEXTS, encoding_format="float")
        coded = self.embed(self.TEXTS, encoding_format="base64")
        for numbers, text in zip(floats, coded, strict=True):
            data = base64.b64decode(text)
            again = struct.unpack(f"<{len(data) // 4}f", data)
            self.assertEqual(len(again), len(numbers))
            for a, b in zip(numbers, again):
                self.assertAlmostEqual(a, b, 6)

    def test_what_is_alike_is_near(self):
        sun, heat, cat = self.embed(self.TEXTS)
        self.assertAlmostEqual(math.hypot(*sun), 1, 4)
        self.assertGreater(dot(sun, heat), dot(sun, cat))

    def test_fewer_dimensions(self):
        whole, = self.embed(self.TEXTS[:1])
        part, = self.embed(self.TEXTS[:1], dimensions=32)
        self.assertEqual(len(part), 32)
        self.assertAlmostEqual(math.hypot(*part), 1, 4)
        scale = math.hypot(*whole[:32])
        for a, b in zip(whole, part):
            self.assertAlmostEqual(a / scale, b, 4)


class Models(Client):
    def test_a_list_and_each(self):
        models = list(self.client.models.list())
        self.assertEqual({CHAT, EMBED}, {model.id for model in models})
        for model in models:
            self.hold(model)
            self.assertEqual(
                self.hold(self.client.models.retrieve(model.id)), model)


class Errors(Client):
    def refused(self, kind, **request):
        with self.assertRaises(kind) as caught:
            self.client.chat.completions.create(
                **{"model": CHAT, "messages": ask(CAPITAL), **request})
        self.assertEqual(set(caught.exception.body),
                         {"message", "type", "param", "code"})
        return caught.exception

    def test_a_parameter_that_cannot_be(self):
        error = self.refused(self.openai.BadRequestError, top_p=7)
        self.assertEqual(error.param, "top_p")
        self.assertEqual(error.type, "invalid_request_error")
        self.assertIn("top_p", error.message)

    def test_a_message_that_cannot_be(self):
        error = self.refused(self.openai.BadRequestError,
                             messages=[{"role": "pope", "content": "Amen"}])
        self.assertEqual(error.param, "messages[0].role")

    def test_a_model_that_is_not_there(self):
        error = self.refused(self.openai.NotFoundError, model="gpt-77")
        self.assertEqual(error.code, "model_not_found")
        with self.assertRaises(self.openai.NotFoundError):
            self.client.models.retrieve("gpt-77")

    def test_a_prompt_that_is_too_long(self):
        error = self.refused(self.openai.BadRequestError,
                             messages=ask("word " * 5000))
        self.assertEqual(error.code, "context_length_exceeded")
        self.assertRegex(error.message, r"\d+.*\d+")

    def test_too_little_patience(self):
        client = self.connect(timeout=0.02)
        with client, self.assertRaises(self.openai.APITimeoutError):
            client.chat.completions.create(
                model=CHAT, messages=ask(STORY), max_tokens=500)


class Busy(Client):
    """A server that answers one, while one more may wait."""

    options = ("--parallel", "1", "--queue", "1")

    def fill(self):
        """Streams that take both places; they are left when the test ends."""
        for _ in range(2):
            stream = self.client.chat.completions.create(
                model=CHAT, messages=ask(STORY), max_tokens=400, stream=True,
                logit_bias=ENDLESS)
            self.addCleanup(stream.close)

    def test_who_finds_no_place_is_told_when_to_come_again(self):
        self.fill()
        with self.assertRaises(self.openai.RateLimitError) as caught:
            self.chat(CAPITAL, **SILENT)
        refused = caught.exception.response
        self.assertGreaterEqual(int(refused.headers["retry-after"]), 1)

    def test_who_comes_again_is_answered(self):
        self.fill()
        with self.connect(max_retries=8) as client:
            answer = client.chat.completions.with_raw_response.create(
                model=CHAT, messages=ask(CAPITAL), **GREEDY, **SILENT)
        self.assertGreater(answer.retries_taken, 0)
        self.assertEqual(answer.parse().choices[0].message.content,
                         CAPITAL_SAID)


class Keys(Client):
    """A server that asks for its key."""

    options = ("--api-key", "secret")

    def test_only_the_right_key_opens(self):
        with self.assertRaises(self.openai.AuthenticationError) as caught:
            self.chat(CAPITAL)
        self.assertEqual(caught.exception.code, "invalid_api_key")
        with self.connect(api_key="secret") as client:
            answer = client.chat.completions.create(
                model=CHAT, messages=ask(CAPITAL), **GREEDY, **SILENT)
        self.assertEqual(answer.choices[0].message.content, CAPITAL_SAID)


if __name__ == "__main__":
    unittest.main()
