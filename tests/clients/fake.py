"""A server that answers as the API says, with what a script has for the last
message: so clients, the chat page first, are tried without a model.

    python3 fake.py [--key KEY]

serves until its input ends, and says its address in the first line.
"""

import argparse
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript",
         ".svg": "image/svg+xml"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; "
          "img-src 'self'; connect-src 'self'; base-uri 'none'; "
          "form-action 'none'; frame-ancestors 'none'")
MODELS = [{"id": "ladder-1"}, {"id": "ladder-2"},
          {"id": "ladder-embed", "rung": {"embedding": True}}]
CALL = {"name": "get_weather", "arguments": '{"city": "Málaga"}'}

# What is answered to a last message.  `pause` stands between pieces, in
# seconds; `status` refuses; `breaks` ends the connection before the answer;
# `before` has what is answered to those who ask for the first times, where
# `drops` ends the connection without a word; `wrong` has members that are not
# of their types.
SCRIPT = {
    "hello": {"content": "Hello! How are you? 👩‍🚀 漢字 — fine."},
    "think": {"thought": "Two and two. That is four.",
              "content": "Four.", "pause": 0.03},
    "quick": {"content": "a b c d e f g h i j k l", "pause": 0.001},
    "long": {"content": "One rung after another. " * 60, "pause": 0.05},
    "slow thought": {"thought": "Hm. " * 200, "content": "Done.",
                     "pause": 0.05},
    "weather": {"content": "I look.", "calls": [CALL]},
    "two calls": {"calls": [CALL, {"name": "get_time", "arguments": "{}"}]},
    "cut call": {"calls": [{**CALL, "arguments": '{"city": "Mál'}],
                 "finish": "length"},
    "code": {"content": "So:\n\n```c\nint main(void) { return 0; } /* "
                        + "wide " * 40 + "*/\n```\n\nThat is all."},
    "html": {"content": "<img src=x onerror=\"document.title='bad'\">"
                        "<script>document.title='bad'</script>&amp;"},
    "cut": {"content": "It is cut", "finish": "length"},
    "break": {"content": "It breaks here and", "breaks": True},
    "late error": {"content": "Well,", "error": "The cache is full."},
    "refuse": {"status": 400, "error": "messages[0]: too many by far."},
    "busy": {"status": 429, "error": "The queue is full.", "wait": 7},
    "busy at first": {"content": "At last.", "before": [
        {"status": 503, "error": "The model is being loaded."},
        {"status": 429, "error": "The queue is full.", "wait": 1}]},
    "gone at first": {"content": "Here again.", "before": [{"drops": True}]},
    "never": {"content": "Never.", "before": [{"drops": True}] * 100},
    "capital": {"content": '{"capital": "Tokyo", "people": 37000000}'},
    "no capital": {"content": '{"capital": "Tok', "finish": "length"},
    "wrong": {"content": "Hi.", "wrong": {"created": "today"}},
    "nonsense": {"status": 502, "raw": "<html>Bad gateway</html>"},
}
TOOL_ANSWER = {"content": "It is sunny there."}


class Fake:
    """The server, on a port of its own; `asked` are the bodies of requests,
    `left` counts the clients that went away."""

    def __init__(self, key=None):
        self.key = key
        self.asked = []
        self.left = 0
        self.http = Quiet(("127.0.0.1", 0), Handler)
        self.http.fake = self
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()


class Quiet(ThreadingHTTPServer):
    """A client may leave whenever it likes."""

    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/fake/asked":
            fake = self.server.fake
            return self.send({"asked": fake.asked, "left": fake.left})
        if not path.startswith("/v1/"):
            return self.page(path)
        if self.refused():
            return None
        if path == "/v1/models":
            return self.send({"object": "list",
                              "data": [model(m) for m in MODELS]})
        return self.fail(404, f"Nothing is at {path}.")

    def do_POST(self):
        size = int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(size))
        self.server.fake.asked.append(body)
        if self.refused():
            return
        if self.path != "/v1/chat/completions":
            self.fail(404, f"Nothing is at {self.path}.")
            return
        last = body["messages"][-1]
        said = TOOL_ANSWER if last["role"] == "tool" else SCRIPT.get(
            last["content"], SCRIPT["hello"])
        said = self.at_this_time(said)
        if "drops" in said:
            self.close_connection = True
        elif "status" in said:
            self.refuse(said)
        elif body.get("stream"):
            self.stream(body, said)
        else:
            self.send(whole(body, said))

    def at_this_time(self, said):
        """What is said to who asks for the first time, the second ..."""
        last = self.server.fake.asked[-1]["messages"]
        times = [one.get("messages") for one in self.server.fake.asked]
        before = said.get("before", [])
        return ([said] + before[::-1])[
            max(0, len(before) + 1 - times.count(last))]

    def refused(self):
        key = self.server.fake.key
        if not key or self.headers["Authorization"] == f"Bearer {key}":
            return False
        self.fail(401, "The key is missing or wrong.")
        return True

    def refuse(self, said):
        wait = [("Retry-After", str(said["wait"]))] if "wait" in said else []
        if "raw" in said:
            self.write(said["status"], "text/html", said["raw"].encode())
        else:
            self.fail(said["status"], said["error"], wait)

    def fail(self, status, message, headers=()):
        kind = "rate_limit_error" if status == 429 else \
            "invalid_request_error"
        self.send({"error": {"message": message, "type": kind, "param": None,
                             "code": None}}, status, headers)

    def send(self, body, status=200, headers=()):
        self.write(status, "application/json",
                   json.dumps(body, ensure_ascii=False).encode(), headers)

    def write(self, status, kind, data, headers=()):
        self.send_response(status)
        for name, value in [("Content-Type", kind), *headers,
                            ("Content-Length", str(len(data)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def page(self, path):
        file = page_folder() / (path[1:] or "page.html")
        if file.parent != page_folder() or file.suffix not in TYPES \
                or not file.exists():
            return self.fail(404, f"Nothing is at {path}.")
        return self.write(200, f"{TYPES[file.suffix]}; charset=utf-8",
                          file.read_bytes(),
                          [("Content-Security-Policy", POLICY)])

    def stream(self, body, said):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for event in events(body, said):
                self.put(event, said.get("pause", 0))
        except OSError:
            self.server.fake.left += 1

    def put(self, event, pause):
        """One event in two writes, the first of which may end inside a
        character."""
        data = f"data: {event}\n\n".encode()
        middle = data.find(b"\xf0") + 2 if b"\xf0" in data else len(data) // 2
        for part in (b": still here\n\n" + data[:middle], data[middle:]):
            self.wfile.write(part)
            self.wfile.flush()
        time.sleep(pause)


def page_folder():
    """The page's folder in the highest rung."""
    return sorted(ROOT.glob("m[0-9]*/server/page"))[-1]


def model(given):
    return {"object": "model", "created": 1700000000, "owned_by": "rungs",
            **given}


def calls_of(said):
    return [{"index": at, "id": f"call_{at}", "type": "function",
             "function": dict(call)}
            for at, call in enumerate(said.get("calls", []))]


def finish(said):
    return said.get("finish", "tool_calls" if "calls" in said else "stop")


def usage(said):
    thought = len(said.get("thought", "").split())
    spoken = len(said.get("content", "").split())
    return {"prompt_tokens": 12, "completion_tokens": thought + spoken,
            "total_tokens": 12 + thought + spoken,
            "prompt_tokens_details": {"cached_tokens": 8},
            "completion_tokens_details": {"reasoning_tokens": thought}}


def whole(body, said):
    """The answer that is not streamed."""
    message = {"role": "assistant", "content": said.get("content")}
    if "thought" in said:
        message["reasoning_content"] = said["thought"]
    if "calls" in said:
        message["tool_calls"] = [
            {k: v for k, v in call.items() if k != "index"}
            for call in calls_of(said)]
    return {"id": "chatcmpl-1", "object": "chat.completion",
            "created": 1700000000, "model": body["model"],
            "choices": [{"index": 0, "message": message, "logprobs": None,
                         "finish_reason": finish(said)}],
            "usage": usage(said), **said.get("wrong", {})}


def events(body, said):
    """The data of the events of a stream."""
    chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk",
             "created": 1700000000, "model": body["model"],
             **said.get("wrong", {})}
    for delta in deltas(said):
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        yield text({**chunk, "choices": [choice]})
    if said.get("breaks"):
        return
    if "error" in said:
        yield text({"error": {"message": said["error"], "param": None,
                              "type": "server_error", "code": None}})
        return
    last = {"index": 0, "delta": {}, "finish_reason": finish(said)}
    yield text({**chunk, "choices": [last]})
    if body.get("stream_options", {}).get("include_usage"):
        yield text({**chunk, "choices": [], "usage": usage(said)})
    yield "[DONE]"


def text(value):
    return json.dumps(value, ensure_ascii=False)


def deltas(said):
    yield {"role": "assistant", "content": ""}
    for name, key in (("thought", "reasoning_content"),
                      ("content", "content")):
        for piece in pieces(said.get(name, "")):
            yield {key: piece}
    for call in calls_of(said):
        parts = pieces(call["function"]["arguments"])
        call["function"]["arguments"] = ""
        yield {"tool_calls": [call]}
        for part in parts:
            yield {"tool_calls": [{"index": call["index"],
                                   "function": {"arguments": part}}]}


def pieces(words, size=4):
    return [words[at:at + size] for at in range(0, len(words), size)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--key")
    fake = Fake(parser.parse_args().key)
    print(fake.url, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
