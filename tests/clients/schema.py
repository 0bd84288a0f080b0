"""Holds what a server sends to the types of the openai package: nothing
missing, nothing of another type, and no field that they do not know but those
that the server's page of its API names."""

from pydantic import BaseModel

MORE = {
    "reasoning_content",  # what was thought, of messages and deltas
    "max_model_len",  # of models: how much they read
    "rung",  # of models: what else they are
}


def hold(value):
    """A value of the package, which its client has made of a server's text
    without a check, checked; the same value."""
    kind = type(value)
    checked = kind.model_validate(value.to_dict(mode="json"))
    strays = set(unknown(checked)) - MORE
    assert not strays, f"{kind.__name__} does not know {sorted(strays)}"
    return value


def unknown(value):
    """The names of fields that the types do not have."""
    if isinstance(value, list):
        for one in value:
            yield from unknown(one)
    if isinstance(value, BaseModel):
        yield from value.model_extra or ()
        for name in type(value).model_fields:
            yield from unknown(getattr(value, name))
