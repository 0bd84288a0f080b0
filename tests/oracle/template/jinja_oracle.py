"""What jinja2 makes of a template, in the environment that transformers sets
up for chat templates (transformers/utils/chat_template_utils.py, 5.24.0):
the immutable sandbox, trim_blocks, lstrip_blocks, loop controls, generation
blocks, and functions of its own.  The clock stands still."""

import json
from datetime import datetime

import jinja2
import jinja2.ext
from jinja2.sandbox import ImmutableSandboxedEnvironment

NOW = datetime(2024, 7, 26, 9, 5, 3)


class Generation(jinja2.ext.Extension):
    """{% generation %}: the text inside, which transformers also marks."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"],
                                       drop_needle=True)
        call = self.call_method("_inside")
        return jinja2.nodes.CallBlock(call, [], [], body).set_lineno(line)

    def _inside(self, caller):
        return caller()


def tojson(x, ensure_ascii=False, indent=None, separators=None,
           sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent,
                      separators=separators, sort_keys=sort_keys)


class Raised(jinja2.exceptions.TemplateError):
    """raise_exception was called."""


def raise_exception(message):
    raise Raised(message)


class TemplateDict:
    def __call__(self, *args, **kwargs):
        return dict(*args, **kwargs)

    def fromkeys(self, *args, **kwargs):
        return dict.fromkeys(*args, **kwargs)


def check_name(name):
    if isinstance(name, str) and name.startswith("_"):
        raise jinja2.exceptions.SecurityError(f"no name of a member: {name}")


class TemplateNamespace(jinja2.utils.Namespace):
    """One whose members' names begin with no underscore."""

    def __init__(*args, **kwargs):
        self, args = args[0], args[1:]
        members = dict(*args, **kwargs)
        for name in members:
            check_name(name)
        jinja2.utils.Namespace.__init__(self, members)

    def __setitem__(self, name, value):
        check_name(name)
        jinja2.utils.Namespace.__setitem__(self, name, value)


def environment():
    made = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True,
        extensions=[Generation, jinja2.ext.loopcontrols])
    made.filters["tojson"] = tojson
    made.globals["raise_exception"] = raise_exception
    made.globals["strftime_now"] = NOW.strftime
    made.globals["dict"] = TemplateDict()
    made.globals["namespace"] = TemplateNamespace
    return made


ENVIRONMENT = environment()
PARSED = {}


def render(template, context):
    """{"text"}, or {"error", "raised"}."""
    try:
        if template not in PARSED:
            PARSED[template] = ENVIRONMENT.from_string(template)
        text = PARSED[template].render(**context)
        text.encode()
    except Raised as problem:
        return {"error": str(problem), "raised": True}
    except Exception as problem:  # Python has many, each of them an error
        return {"error": str(problem), "raised": False}
    return {"text": text}
