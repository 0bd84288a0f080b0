"""The witness sees what is wrong, wherever the bytes end, and changes none."""

import http.client
import json
import socket
import struct
import threading
import time
import unittest
from collections import Counter
from urllib.parse import urlsplit

import installed
import wire
from fake import Fake
from witness import CUT, LEFT, Line, Witness

CHAT = "/v1/chat/completions"
PATIENCE = 20  # seconds


def message(start, body=b"", *headers):
    head = [start, *headers, f"Content-Length: {len(body)}"]
    return "\r\n".join([*head, "", ""]).encode() + body


def post(path=CHAT, **body):
    return message(f"POST {path} HTTP/1.1", json.dumps(body).encode())


def answer(body, status=200, kind="application/json"):
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return message(f"HTTP/1.1 {status} So", text, f"Content-Type: {kind}")


def chunked(*parts):
    """A stream of events, in chunks of these bytes."""
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" \
        b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(
            b"%x\r\n%s\r\n" % (len(part), part) for part in (*parts, b""))


def event(value):
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"
REFUSED = {"error": {"message": "No.", "type": "invalid_request_error",
                     "param": None, "code": None}}
MODEL = {"id": "m", "object": "model", "created": 1, "owned_by": "us"}


def whole(**more):
    return {"id": "a", "object": "chat.completion", "created": 1,
            "model": "m", "choices": [
                {"index": 0, "finish_reason": "stop", "logprobs": None,
                 "message": {"role": "assistant", "content": "Hi"}}], **more}


def piece(text=None, end=None, **more):
    delta = {} if text is None else {"content": text}
    return {"id": "a", "object": "chat.completion.chunk", "created": 1,
            "model": "m", "choices": [
                {"index": 0, "delta": delta, "finish_reason": end}], **more}


def completion(end="stop", logprobs=None):
    return {"id": "a", "object": "text_completion", "created": 1,
            "model": "m", "choices": [{"index": 0, "text": "Hi", "logprobs":
                                       logprobs, "finish_reason": end}]}


def echo(*values):
    return {"tokens": ["t"] * len(values), "token_logprobs": list(values),
            "text_offset": [0] * len(values), "top_logprobs": [
                None if one is None else {"t": one} for one in values]}


STREAM = chunked(b": here\n\n", event(piece("漢")), event(piece("字"))[:9],
                 event(piece("字"))[9:] + event(piece(end="stop")), DONE)


class Held(unittest.TestCase):
    """What a line's bytes come to."""

    @classmethod
    def setUpClass(cls):
        installed.python_packages()

    def held(self, sent, came, first=None):
        """(counts, what is wrong) of what went over a line, which the client
        ended if it is not said that the server did."""
        line = Line("client", "server")
        line.sent, line.came = sent, came
        line.first = first or line.client
        counts, wrong = Counter(), []
        line.held(counts, wrong)
        return +counts, wrong

    def good(self, sent, came, **kinds):
        self.assertEqual(self.held(sent, came), (kinds, []))

    def bad(self, sent, came, why):
        counts, wrong = self.held(sent, came)
        self.assertEqual(len(wrong), 1, counts)
        self.assertRegex(wrong[0], f"(?s){why}")

    def test_bodies_are_held_by_their_paths(self):
        get = message("GET /v1/models HTTP/1.1")
        one = message("GET /v1/models/m?a HTTP/1.1")
        self.good(post() + get + one + post(),
                  answer(whole()) + answer({"object": "list",
                                            "data": [MODEL]})
                  + answer(MODEL) + answer(REFUSED, 400),
                  **{"ChatCompletion": 1, "SyncPage[Model]": 1, "Model": 1,
                     "Error": 1})

    def test_what_only_says_that_an_answer_comes_is_none(self):
        self.good(post(), b"HTTP/1.1 100 Continue\r\n\r\n" + answer(whole()),
                  ChatCompletion=1)

    def test_what_has_no_body_is_not_read(self):
        head = message("HEAD /v1/models HTTP/1.1")
        told, _, _ = answer(whole()).partition(b"{")
        self.good(head + post(), told + answer(whole()), ChatCompletion=1)

    def test_wrong_bodies(self):
        for wrong, why in (
                (whole(created="1"), "int"),
                (whole(created=None), "int"),
                (whole(object="chat"), "literal"),
                (whole(thoughts="Hm."), r"does not know \['thoughts'\]"),
                ({**whole(), "id": 7}, "string"),
                ({"error": REFUSED["error"]}, "Field required"),
                (b'{"id": NaN}', "NaN is no JSON"),
                (b'{"id": "a", "id": "a"}', "comes twice"),
                (b'{"id": "a"', "JSONDecodeError"),
                (b"\xff", "UnicodeDecodeError")):
            with self.subTest(why, wrong=wrong):
                self.bad(post(), answer(wrong), why)

    def test_every_member_is_missed(self):
        for name in whole():
            body = whole()
            del body[name]
            with self.subTest(name):
                self.bad(post(), answer(body), f"{name}.*Field required")

    def test_wrong_errors(self):
        for name in REFUSED["error"]:
            error = {**REFUSED["error"]}
            del error[name]
            with self.subTest(name):
                self.bad(post(), answer({"error": error}, 400), name)
        self.bad(post(), answer(whole(), 400), "error.*Field required")
        self.bad(post("/tokenize"), answer({"tokens": 7}, 500), "error")

    def test_nothing_is_passed_over(self):
        self.bad(post("/v1/responses"), answer({}), "no type is known")
        self.bad(message("GET /v1/chat/completions HTTP/1.1"),
                 answer(whole()), "no type is known")
        self.bad(post("/v1/embeddings"), chunked(DONE), "no type is known")
        self.bad(post("/elsewhere"), answer({}), "no type is known")
        self.bad(post(), answer(b"<p>", 502, "text/html"), "text/html")
        self.bad(b"", answer({}), "no type is known")  # asked by nobody
        self.good(post("/tokenize"), answer({"tokens": []}))
        self.good(message("GET / HTTP/1.1"), answer(b"<p>", 200, "text/html"))

    def test_vectors_in_base64_are_numbers(self):
        body = {"object": "list", "model": "m", "data": [
            {"object": "embedding", "index": 0, "embedding": "AACAPw=="}],
            "usage": {"prompt_tokens": 1, "total_tokens": 1}}
        path = "/v1/embeddings"
        self.good(post(path, encoding_format="base64"), answer(body),
                  CreateEmbeddingResponse=1)
        self.bad(post(path), answer(body), "embedding.*list")

    def test_the_nulls_of_completions_are_where_they_belong(self):
        path = "/v1/completions"
        echoed = post(path, echo=True, logprobs=1)
        self.good(echoed, answer(completion(logprobs=echo(None, -1.0))),
                  Completion=1)
        self.bad(echoed, answer(completion(logprobs=echo(-1.0))), "begins")
        self.bad(post(path, logprobs=1),
                 answer(completion(logprobs=echo(None))), "token_logprobs")
        self.bad(echoed, answer(completion(logprobs=echo(None, None))),
                 "token_logprobs")
        self.bad(post(path), answer(completion(None)), "finish_reason")
        events = [event(completion(None, echo(None, -1.0))),
                  event(completion("stop", echo(-1.0))), DONE]
        self.good(echoed, chunked(*events), **{"Completion event": 2})
        self.bad(echoed, chunked(*events[1:]), "begins")
        self.bad(post(path, logprobs=1), chunked(*events), "token_logprobs")

    def test_a_stream(self):
        self.good(post(), STREAM, **{"ChatCompletionChunk event": 3})
        self.good(post(), chunked(event(piece("Hi")), event(REFUSED)),
                  **{"ChatCompletionChunk event": 1, "Error event": 1})

    def test_wrong_streams(self):
        good = event(piece("Hi")), event(piece(end="stop"))
        for parts, why in (
                ([*good], "without .DONE."),
                ([good[0], DONE], "began.*ended"),
                ([*good, good[0], DONE], "goes on"),
                ([*good, DONE, good[0]], "behind the last"),
                ([event(REFUSED), DONE], "behind the last"),
                ([*good, DONE[:-1]], "has no end"),
                ([b"event: a\n" + good[0], good[1], DONE], "no line of an"),
                ([event(piece("Hi", created=True)), *good, DONE], "int"),
                ([event(whole()), *good, DONE], "literal"),
                ([event(piece("Hi", thought=1)), *good, DONE], "thought"),
                ([event({"error": {"message": "No."}})], "type")):
            with self.subTest(why, parts=parts):
                self.bad(post(), chunked(*parts), why)
        self.bad(post(), STREAM.replace(b"200", b"500"), "status 500")

    def test_bytes_may_end_anywhere(self):
        """Those events are held that came whole, and no other is missed."""
        sent = post() + post()
        came = answer(whole()) + STREAM
        marks = [came.index(mark) + len(mark) for mark in (
            event(piece("漢")), event(piece("字"))[9:],
            event(piece(end="stop")))]
        for end in range(len(came)):
            counts, wrong = self.held(sent, came[:end])
            self.assertEqual(wrong, [], end)
            self.assertEqual(counts["ChatCompletion"],
                             end >= len(answer(whole())), end)
            self.assertEqual(counts["ChatCompletionChunk event"],
                             sum(end >= mark for mark in marks), end)
            self.assertEqual(
                counts[LEFT], end not in (0, len(answer(whole()))), end)

    def test_requests_may_end_anywhere(self):
        sent = post(stream=True)
        for end in range(len(sent)):
            self.good(sent[:end], answer(REFUSED, 400), Error=1)

    def test_who_cut_an_answer_is_told(self):
        for first, name in ("client", LEFT), ("server", CUT):
            counts, _ = self.held(post(), STREAM[:-1], first)
            self.assertEqual(counts[name], 1)

    def test_an_answer_without_a_size_ends_with_its_line(self):
        came = STREAM.replace(b"Transfer-Encoding: chunked", b"A: b")
        head, _, _ = came.partition(b"\r\n\r\n")
        came = head + b"\r\n\r\n" + event(piece(end="stop")) + DONE
        counts, wrong = self.held(post(), came, "server")
        self.assertEqual((counts, wrong),
                         ({"ChatCompletionChunk event": 1}, []))

    def test_what_is_no_http_is_wrong(self):
        for size in b"x", b"7":  # the first chunk has 8 bytes
            came = STREAM.replace(b"\r\n8\r\n", b"\r\n%s\r\n" % size)
            with self.assertRaises(ValueError):
                list(wire.exchanges(post(), came, True))


class Relayed(unittest.TestCase):
    """Between a client and fake.py."""

    def setUp(self):
        installed.python_packages()
        self.fake = Fake()
        self.addCleanup(self.fake.close)
        self.witness = Witness(self.fake.url)
        self.addCleanup(self.witness.close)

    def ask(self, text, url=None, **more):
        """A connection, and its answer, of which the head is read."""
        line = http.client.HTTPConnection(
            urlsplit(url or self.witness.url).netloc, timeout=PATIENCE)
        self.addCleanup(line.close)
        line.request("POST", CHAT, json.dumps({
            "model": "m", "messages": [{"role": "user", "content": text}],
            **more}))
        return line, line.getresponse()

    def test_no_byte_is_changed(self):
        for text in "hello", "think", "refuse", "busy", "nonsense":
            for stream in False, True:
                near, far = (self.ask(text, url, stream=stream)[1]
                             for url in (None, self.fake.url))
                self.assertEqual(near.status, far.status)
                self.assertEqual(near.read(), far.read())

    def test_a_good_server_is_a_good_one(self):
        for stream in False, True:
            for text in "hello", "two calls", "busy", "late error":
                self.ask(text, stream=stream)[1].read()
        counts = self.witness.held()
        self.assertEqual(counts["ChatCompletion"], 3)
        self.assertGreater(counts["ChatCompletionChunk event"], 20)
        self.assertEqual(counts["Error"], 2)
        self.assertEqual(counts["Error event"], 1)
        self.assertEqual(counts[CUT] + counts[LEFT], 0)

    def test_a_field_that_is_wrong_is_told(self):
        for stream in False, True:
            self.ask("wrong", stream=stream)[1].read()
        with self.assertRaisesRegex(AssertionError, "(?s)2 answers.*created"):
            self.witness.held()

    def test_many_are_there_at_once(self):
        answers = [self.ask("think", stream=True)[1] for _ in range(40)]
        for one in answers:
            self.assertTrue(one.read().endswith(b"data: [DONE]\n\n"))
        self.assertEqual(len(self.witness.lines), 40)

    def test_events_come_as_soon_as_they_are_there(self):
        answer = self.ask("long", stream=True)[1]
        begun = time.monotonic()
        for _ in range(4):
            answer.readline()
        self.assertLess(time.monotonic() - begun, 5)  # it would take 18

    def test_who_leaves_has_left_for_the_server_too(self):
        line, answer = self.ask("long", stream=True)
        answer.readline()
        answer.close()
        line.close()
        until = time.monotonic() + PATIENCE
        while not self.fake.left:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        self.assertEqual(self.witness.held()[LEFT], 1)

    def behind(self):
        """A socket that listens, and a witness before it."""
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)
        server.settimeout(PATIENCE)
        witness = Witness(f"http://127.0.0.1:{server.getsockname()[1]}")
        self.addCleanup(witness.close)
        return server, witness

    def test_who_leaves_a_silent_server_has_left_too(self):
        server, witness = self.behind()
        for how in leave, leave_at_once:
            client = socket.create_connection(urlsplit(witness.url).netloc
                                              .split(":"), PATIENCE)
            client.sendall(post())
            line, _ = server.accept()
            with line:
                line.settimeout(PATIENCE)
                self.assertEqual(line.recv(1 << 16), post())
                how(client)
                self.assertEqual(line.recv(1 << 16), b"")

    def test_a_server_that_breaks_off_is_told(self):
        for n, how in enumerate((leave, leave_at_once)):
            server, witness = self.behind()
            cutter = threading.Thread(target=cut_off, args=(server, how))
            cutter.start()
            _, answer = self.ask("hello", witness.url)
            with self.assertRaises((http.client.IncompleteRead, OSError)):
                answer.read()
            cutter.join()
            self.assertEqual(witness.held(), {CUT: 1}, n)

    def test_where_no_server_is_nobody_answers(self):
        self.fake.close()
        with self.assertRaises((http.client.HTTPException, OSError)):
            self.ask("hello")


def leave(line):
    line.close()


def leave_at_once(line):
    """With a reset, not an end."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                    struct.pack("ii", 1, 0))
    line.close()


def cut_off(server, how):
    """Answers the first who comes with half a body, and ends after the half
    was read."""
    line, _ = server.accept()
    line.recv(1 << 16)
    line.sendall(answer(whole())[:-10])
    time.sleep(0.2)
    how(line)


if __name__ == "__main__":
    unittest.main()
