"""Make schemas.json: what each answer of the server must look like, as JSON
schemas made from the types of the openai package.

    python3 api_schemas.py

Needs openai, as requirements.txt pins it.  The package's own types allow
members that they do not know; here none is allowed but those of EXTENSIONS,
each of which has its reason.
"""

import json
import pathlib

OUT = pathlib.Path(__file__).with_name("schemas.json")

STRING, COUNT = {"type": "string"}, {"type": "integer"}
OURS = {"type": "object", "additionalProperties": False,
        "required": ["embedding"],
        "properties": {"embedding": {"type": "boolean"}}}

# (schema, definition or None, member): what it is beside what openai says.
EXTENSIONS = {
    # What the model thought before it answered: the name that other servers
    # and agents use.
    ("ChatCompletion", "ChatCompletionMessage", "reasoning_content"): STRING,
    ("ChatCompletionChunk", "ChoiceDelta", "reasoning_content"): STRING,
    # How many tokens a model can read.
    ("Model", None, "max_model_len"): COUNT,
    ("Models", "Model", "max_model_len"): COUNT,
    # Whether it makes vectors: what a page of chats leaves out.
    ("Model", None, "rung"): OURS,
    ("Models", "Model", "rung"): OURS,
    # While a text goes on its chunks have no reason to end, and say null, as
    # OpenAI's do; the type is that of a whole completion.
    ("Completion", "CompletionChoice", "finish_reason"):
        {"anyOf": [{"enum": ["stop", "length"]}, {"type": "null"}]},
    ("ChatCompletionChunk", "Choice", "finish_reason"):
        {"anyOf": [{"enum": ["stop", "length", "tool_calls"]},
                   {"type": "null"}]},
    # Of an echo's first token nobody knows how likely it was: OpenAI's API
    # says null, and the type does not know of it.
    ("Completion", "Logprobs", "token_logprobs"):
        {"type": "array",
         "items": {"anyOf": [{"type": "number"}, {"type": "null"}]}},
    ("Completion", "Logprobs", "top_logprobs"):
        {"type": "array",
         "items": {"anyOf": [{"type": "object", "additionalProperties":
                              {"type": "number"}}, {"type": "null"}]}},
    # In base64, when it was asked for: the package decodes it itself.
    ("CreateEmbeddingResponse", "Embedding", "embedding"):
        {"anyOf": [STRING, {"type": "array", "items": {"type": "number"}}]},
}


def types():
    """The types of the answers, by the names of schemas."""
    from openai import types as t
    from openai.types import chat, shared
    return {
        "ChatCompletion": chat.ChatCompletion,
        "ChatCompletionChunk": chat.ChatCompletionChunk,
        "Completion": t.Completion,
        "CreateEmbeddingResponse": t.CreateEmbeddingResponse,
        "Model": t.Model,
        "ErrorObject": shared.ErrorObject,
    }


def slim(schema):
    """Without words, and strict: no members but those that are listed."""
    if isinstance(schema, list):
        return [slim(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: slim(value) for key, value in schema.items()
            if key not in ("title", "description", "default")
            or isinstance(value, dict)}
    if "properties" in made:
        made["properties"] = {name: slim(value) for name, value
                              in schema["properties"].items()}
        made["additionalProperties"] = False
    return made


def whole(types_of):
    """All schemas; the list of models and the error are OpenAI's forms around
    a type, for which the package has no type of its own."""
    schemas = {name: slim(kind.model_json_schema())
               for name, kind in types_of.items()}
    model, error = schemas["Model"], schemas.pop("ErrorObject")
    schemas["Models"] = {
        "$defs": {"Model": json.loads(json.dumps(model))},
        "type": "object", "additionalProperties": False,
        "required": ["object", "data"],
        "properties": {"object": {"const": "list"},
                       "data": {"type": "array",
                                "items": {"$ref": "#/$defs/Model"}}}}
    definitions = error.pop("$defs", {})
    schemas["Error"] = {
        "$defs": definitions | {"ErrorObject": error},
        "type": "object", "additionalProperties": False,
        "required": ["error"],
        "properties": {"error": {"$ref": "#/$defs/ErrorObject"}}}
    error["required"] = ["message", "type", "param", "code"]
    for (name, definition, member), value in EXTENSIONS.items():
        schema = schemas[name]
        place = schema["$defs"][definition] if definition else schema
        place["properties"][member] = value
    return schemas


def text():
    import openai
    made = {"made by": f"api_schemas.py, openai {openai.__version__}",
            "schemas": whole(types())}
    return json.dumps(made, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    OUT.write_text(text())
