"""Holds what a server sends to the types of the openai package, strictly:
nothing missing, nothing of another type, and no field that they do not know
but those that the server's page of its API names.

In three places the API's own words are others than the types'.  They are put
right before they are held, and nowhere else is anything passed over:

* `finish_reason` is null in the pieces of a completion that is streamed, but
  its last.  The package has one type for whole completions and for pieces,
  which knows no null; OpenAI's own description of the API has it in its
  example of a stream (github.com/openai/openai-openapi, openapi.yaml,
  "/completions", "Streaming": `"finish_reason": null`).
* The first token of an echo has null for its log probabilities, for nothing
  is before it.  The description says arrays of numbers and has no example of
  an echo; the programs that ask for echoes were written by what OpenAI's
  server sends: vLLM's tests expect this null before this package, as
  `logprobs.token_logprobs[0] is None`, and lm-evaluation-harness counts on
  one entry for every token of the prompt (`parse_logprobs`).  A number there
  would be a lie, and no entry would move all others.
* `embedding` is base64 where a request asks for that, as the package's own
  clients do where their user asks for nothing, who then decode it.
"""

import base64
import json
import struct

from openai import BaseModel
from openai.pagination import SyncPage
from openai.types import Completion, CreateEmbeddingResponse, Model
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.shared import ErrorObject

MORE = {
    "reasoning_content",  # what was thought, of messages and deltas
    "max_model_len",  # of models: how much they read
    "rung",  # of models: what else they are
}


class Error(BaseModel):
    """The body of a refusal, or the event that ends a stream in its place."""

    error: ErrorObject


# What is answered by method and path, as a body and as an event.
TYPES = {
    ("POST", "/v1/chat/completions"): (ChatCompletion, ChatCompletionChunk),
    ("POST", "/v1/completions"): (Completion, Completion),
    ("POST", "/v1/embeddings"): (CreateEmbeddingResponse, None),
    ("GET", "/v1/models"): (SyncPage[Model], None),
    ("GET", "/v1/models/"): (Model, None),  # and its name
}


def types(method, path):
    """(the type of a body, that of an event) or None."""
    if path.startswith("/v1/models/"):
        path = "/v1/models/"
    return TYPES.get((method, path), (None, None))


def hold(value, read=lambda body: body):
    """A value of the package, which its client has made of a server's text
    without a check, checked; the same value.  `read` makes of it what the
    types know, where the API has more forms than they."""
    check(type(value), read(value.to_dict(mode="json", warnings=False)))
    return value


def check(kind, value):
    """A value of JSON is of a type; the type's name."""
    checked = kind.model_validate(value, strict=True)
    strays = set(unknown(checked)) - MORE
    assert not strays, f"{kind.__name__} does not know {sorted(strays)}"
    return kind.__name__


def check_error(value):
    """An error, with all that the API's description requires of one: the
    type takes what may be null for what may be left out."""
    name = check(Error, value)
    missing = {"message", "type", "param", "code"} - set(value["error"])
    assert not missing, f"{name} is without {sorted(missing)}"
    return name


def loads(text):
    """A value of JSON, as strictly as its standard."""
    return json.loads(text, parse_constant=refuse, object_pairs_hook=once)


def refuse(word):
    raise ValueError(f"{word} is no JSON")


def once(pairs):
    """An object, none of whose names comes twice."""
    assert len(dict(pairs)) == len(pairs), f"a name comes twice: {pairs}"
    return dict(pairs)


def decoded(body):
    """Vectors in base64, as the package's client reads them where nobody asks
    for that form."""
    for one in body["data"]:
        data = base64.b64decode(one["embedding"], validate=True)
        one["embedding"] = list(struct.unpack(f"<{len(data) // 4}f", data))
    return body


def behind_the_first(body):
    """Log probabilities of an echo without those of its first token, which are
    null: nothing is before it."""
    for choice in body["choices"]:
        cut_first(choice["logprobs"])
    return body


def cut_first(told):
    for name in "token_logprobs", "top_logprobs":
        first, *told[name] = told[name]
        assert first is None, f"{name} begins with {first}"


def ended(body):
    """A piece of a completion, as if it were the last."""
    for choice in body["choices"]:
        if choice["finish_reason"] is None:
            choice["finish_reason"] = "stop"
    return body


def unknown(value):
    """The names of fields that the types do not have."""
    if isinstance(value, list):
        for one in value:
            yield from unknown(one)
    if isinstance(value, BaseModel):
        yield from value.model_extra or ()
        for name in type(value).model_fields:
            yield from unknown(getattr(value, name))
