"""One request and its answer, held to the types of the openai package."""

import json

import schema
import wire

# What has JSON of its own, for which OpenAI's API has no word.
OTHERS = ("/tokenize", "/detokenize", "/apply-template", "/health")


def kinds(request, answer):
    """The names of the types that an answer was held to, one for each body and
    each event; an error where one is not of its type.  Nothing that is JSON
    or events is passed over, but what OTHERS say in their success and a body
    that was cut short."""
    if answer.type == "text/event-stream":
        return Stream(request, answer).kinds()
    if answer.type == "application/json":
        return body(request, answer)
    assert not request.path.startswith("/v1") or not answer.body, \
        f"neither JSON nor events, but {answer.type!r}"
    return []


def body(request, answer):
    if not answer.whole or request.method == "HEAD":
        return []
    value = schema.loads(answer.body)
    if answer.status >= 400:
        return [schema.check_error(value)]
    if request.path in OTHERS:
        return []
    kind, _ = schema.types(request.method, request.path)
    assert kind, f"no type is known of what is answered: {answer.body[:200]}"
    if asked(request, "encoding_format") == "base64":
        schema.decoded(value)
    if asked(request, "echo") and asked(request, "logprobs") is not None:
        schema.behind_the_first(value)
    return [schema.check(kind, value)]


def asked(request, name):
    """What a request says by this name."""
    return json.loads(request.body or b"{}").get(name)


class Stream:
    """The events of an answer, in their order."""

    def __init__(self, request, answer):
        self.whole = answer.whole
        self.events = wire.events(answer.body, answer.whole)
        assert answer.status == 200, f"events with status {answer.status}"
        _, self.kind = schema.types(request.method, request.path)
        assert self.kind, "no type is known of these events"
        self.echoes = asked(request, "echo") \
            and asked(request, "logprobs") is not None
        self.begun, self.ended = set(), set()  # choices, by their index

    def kinds(self):
        """As above; [DONE] or an error is the last event of a whole one."""
        found, last = [], None
        for event in self.events:
            assert last is None, f"behind the last event is {event!r}"
            if event == "[DONE]":
                last = event
                assert self.begun == self.ended, \
                    f"choices {self.begun} began, {self.ended} ended"
                continue
            value = schema.loads(event)
            if "error" in value:
                last = event
                found.append(schema.check_error(value) + " event")
            else:
                found.append(self.piece(value) + " event")
        assert last or not self.whole, "the events end without [DONE]"
        return found

    def piece(self, value):
        for choice in value["choices"]:
            self.follow(choice)
        if self.kind is schema.Completion:
            schema.ended(value)
        return schema.check(self.kind, value)

    def follow(self, choice):
        """One choice's next piece: none follows its last."""
        index = choice["index"]
        assert index not in self.ended, f"choice {index} goes on at its end"
        if choice["finish_reason"] is not None:
            self.ended.add(index)
        if self.echoes and index not in self.begun:
            schema.cut_first(choice["logprobs"])
        self.begun.add(index)
