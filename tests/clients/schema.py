"""Holds what a server sends to the types of the openai package: nothing
missing, nothing of another type, and no field that they do not know but those
that the server's page of its API names."""

import base64
import struct

from pydantic import BaseModel

MORE = {
    "reasoning_content",  # what was thought, of messages and deltas
    "max_model_len",  # of models: how much they read
    "rung",  # of models: what else they are
}


def hold(value, read=lambda body: body):
    """A value of the package, which its client has made of a server's text
    without a check, checked; the same value.  `read` makes of it what the
    types know, where the API has more forms than they."""
    kind = type(value)
    checked = kind.model_validate(read(value.to_dict(mode="json",
                                                     warnings=False)))
    strays = set(unknown(checked)) - MORE
    assert not strays, f"{kind.__name__} does not know {sorted(strays)}"
    return value


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
        told = choice["logprobs"]
        for name in "token_logprobs", "top_logprobs":
            first, *told[name] = told[name]
            assert first is None, f"{name} begins with {first}"
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
