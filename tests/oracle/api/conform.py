"""Does a value look as schemas.json says?  As much of JSON Schema as the
schemas use; a keyword that is not known here is an error, so that none is
passed over."""

import json
import pathlib

SCHEMAS = pathlib.Path(__file__).with_name("schemas.json")
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool,
         "null": type(None)}
KNOWN = {"$defs", "$ref", "anyOf", "type", "const", "enum", "properties",
         "required", "items", "additionalProperties"}


def load():
    return json.loads(SCHEMAS.read_text())["schemas"]


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return is_type(value, "integer") or isinstance(value, float)
    return isinstance(value, TYPES[name])


def members(value, schema, root, path):
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    found = [f"{path}.{name}: is missing"
             for name in schema.get("required", []) if name not in value]
    for name, member in value.items():
        if name not in known and others is False:
            found.append(f"{path}.{name}: is not known")
        else:
            found += problems(member, known.get(name, others), root,
                              f"{path}.{name}")
    return found


def problems(value, schema, root=None, path=""):
    """What is wrong with a value: a list of messages that name the place."""
    root = root or schema
    assert KNOWN.issuperset(schema), set(schema) - KNOWN
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return problems(value, root["$defs"][name], root, path)
    if "anyOf" in schema:
        tried = [problems(value, s, root, path) for s in schema["anyOf"]]
        return [] if [] in tried else max(tried, key=deepest)
    if "type" in schema and not is_type(value, schema["type"]):
        return [f"{path}: {value!r} is not of type {schema['type']}"]
    if value != schema.get("const", value):
        return [f"{path}: {value!r} is not {schema['const']!r}"]
    if value not in schema.get("enum", [value]):
        return [f"{path}: {value!r} is none of {schema['enum']}"]
    if isinstance(value, dict):
        return members(value, schema, root, path)
    if isinstance(value, list):
        return [p for i, v in enumerate(value)
                for p in problems(v, schema.get("items", {}), root,
                                  f"{path}[{i}]")]
    return []


def deepest(found):
    """Of alternatives, the one that went wrong latest was meant."""
    return max(len(p.split(": ")[0]) for p in found)
