"""Writes tests/markup/NAME.jsonl: outputs of models, and what they mean.

    python tests/oracle/markup/markup_goldens.py

Forty lines or more for each markup of m7's room server/markup, whole and damaged. A
text is made from what it means (families.py), so that no parser is needed to
know what it means; of damaged texts the meaning is written out here. A line:

    {"case": ..., "text": ..., "open": the prompt has opened the thinking,
     "reasoning": ..., "content": ...,
     "calls": [[name, arguments, "end" | "bad" | "cut"], ...], "cut": ...}

where "cut" stands for a call that was cut off before its name was known.
Only Python's standard library is used; check_sglang.py compares these lines
with another server's parsers.
"""

import json
import pathlib

from families import FAMILIES, dumps, list_text, object_text

HERE = pathlib.Path(__file__).parent
OUT = HERE.parent.parent / "markup"
EACH = 40


def tool(name, **types):
    properties = {k: {"type": t} for k, t in types.items()}
    return {
        "type": "function",
        "function": {
            "name": name,
            "parameters": {"type": "object", "properties": properties},
        },
    }


TOOLS = [
    tool("get_weather", city="string", days="integer"),
    tool("write", text="string"),
    tool("find", filter="object", on="boolean"),
    tool("add", x="number", n="integer"),
    tool("now"),
]

WEATHER = ("get_weather", {"city": "Paris"})
TOKYO = ("get_weather", {"city": "Tokyo", "days": 3})
FIND = ("find", {"filter": {"a": [1, 2, {"b": None}], "c": True}, "on": False})
ADD = ("add", {"x": -1.5, "n": 0})
NOW = ("now", {})
ACCENTS = ("write", {"text": "Zoë: 😀 日本語, naïve"})
LINES = ("write", {"text": "one\n  two\n\nthree: 'a' & <b>"})
BACKSLASH = ("write", {"text": 'C:\\new "folder"\t{x: [1]}'})
EMPTY = ("write", {"text": ""})
SINGLES = [WEATHER, TOKYO, FIND, ADD, NOW, ACCENTS, LINES, BACKSLASH, EMPTY]


class Case:
    def __init__(self, name, text, **means):
        self.line = {
            "case": name,
            "text": text,
            "open": False,
            "reasoning": "",
            "content": "",
            "calls": [],
            "cut": False,
        }
        self.line.update(means)


def said(family, content):
    """What a model says to the user: most families have no mark for it."""
    if family.thinking == "harmony" and content:
        return f"<|channel|>final<|message|>{content}<|end|>"
    return content


def preamble(family, content):
    if family.thinking == "harmony":
        return f"<|channel|>commentary<|message|>{content}<|end|><|start|>assistant"
    return content + "\n"


def ended(calls):
    return [[n, dumps(a), "end"] for n, a in calls]


def whole(f):
    """Well-formed texts."""
    bare = f.mark is None
    for i, call in enumerate(SINGLES):
        yield Case(f"one call {i}", f.write([call]), calls=ended([call]))
    two, three = [WEATHER, TOKYO], [ADD, NOW, ACCENTS]
    yield Case("two calls", f.write(two), calls=ended(two))
    yield Case("three calls", f.write(three), calls=ended(three))
    yield Case("the same call twice", f.write([NOW, NOW]), calls=ended([NOW, NOW]))
    yield Case("content", said(f, "Hello."), content="Hello.")
    accents = "Ça va? 😀 日本語"
    yield Case("content of many bytes", said(f, accents), content=accents)
    lines = "One.\n\n  Two.\n"
    yield Case("content with lines", said(f, lines), content=lines)
    yield Case("nothing", "")
    prose = 'It is {"a": [1, 2]}, isn\'t it? [1] f(x) <b>'
    yield Case("content like JSON", said(f, prose), content=prose)
    if not bare:
        text = preamble(f, "Let me look.") + f.write([WEATHER])
        yield Case("content, then a call", text, content="Let me look.", calls=ended([WEATHER]))
        text = preamble(f, "Both, then.") + f.write(two)
        yield Case("content, then calls", text, content="Both, then.", calls=ended(two))
    space = "" if f.thinking == "harmony" else "\n"
    yield Case("space around a call", space + f.write([ADD]) + space, calls=ended([ADD]))
    if f.thinking:
        yield from thinking(f)


def thinking(f):
    begin, end = f.marks
    thought = "I should\n\nlook it up: 2 < 3."
    block = begin + thought + end
    yield Case("thinking, then content", block + said(f, "Yes."), reasoning=thought, content="Yes.")
    yield Case("thinking, then a call", block + f.write([WEATHER]), reasoning=thought, calls=ended([WEATHER]))
    yield Case(
        "thinking, then calls", block + f.write([FIND, NOW]), reasoning=thought, calls=ended([FIND, NOW])
    )
    rest = thought + end
    yield Case(
        "thinking that the prompt opened", rest + said(f, "Yes."), open=True, reasoning=thought, content="Yes."
    )
    yield Case(
        "opened by the prompt, then a call",
        rest + f.write([TOKYO]),
        open=True,
        reasoning=thought,
        calls=ended([TOKYO]),
    )
    yield Case("thinking never ends", begin + thought, reasoning=thought)
    yield Case("no thought", begin + end + said(f, "Yes."), content="Yes.")
    if f.thinking == "harmony":
        return
    text = thought + "\n" + f.write([WEATHER])
    yield Case(
        "thinking swallows a call", text, open=True, reasoning=thought, calls=ended([WEATHER])
    )
    about = f"I could write {f.mark} now."
    yield Case("thinking about a mark", about + end + "No.", open=True, reasoning=about, content="No.")
    mark = begin.strip()
    text = f"The mark {mark} is one."
    yield Case("content about thinking's mark", text, content=text)


def damaged(f):
    """What models and limits do to texts."""
    full = f.write([("write", {"text": "hello world"})])
    at = full.index("hello wor") + len("hello wor")
    cut = ["write", '{"text": "hello wor', "cut"]
    if f.kind == "json" or f.kind == "elements" or f.kind == "literal":
        yield Case("cut in a string", full[:at], calls=[cut])
    two = f.write([NOW, ("write", {"text": "hello world"})])
    at = two.index("hello wor") + len("hello wor")
    yield Case("cut in the second call", two[:at], calls=ended([NOW]) + [cut])
    if f.end and f.thinking != "harmony":
        full = f.write([WEATHER])
        last = full.rindex(f.end)
        means = ended([WEATHER])
        if f is FAMILIES["glm-4.5"]:  # whose last mark alone ends the arguments
            means = [["get_weather", '{"city": "Paris"', "cut"]]
        yield Case("the last mark is missing", full[:last], calls=means)
    if f.mark and f.thinking != "harmony":
        yield from marks(f)
    if f.mark is None:
        yield from bare_texts(f)
    name = {"json": json_damage, "elements": element_damage, "literal": literal_damage}
    yield from name[f.kind](f)


def marks(f):
    yield Case("a mark, then prose", f.mark + " is a mark.", content=f.mark + " is a mark.")
    text = f"Write `{f.mark}` first."
    yield Case("a mark in prose", text, content=text)
    half = "See " + f.mark[:-1]
    yield Case("half a mark at the end", half, content=half)
    text = f"Look.\n{f.mark}"
    yield Case("cut after the mark", text, content=text, cut=True)
    full = f.write([WEATHER])
    text = full[: full.index("get_weather") + 5]
    yield Case("cut in the name", text, content=text, cut=True)
    text = f.mark + " no, wait. " + f.write([NOW])
    yield Case("a mark, prose, a call", text, content=f.mark + " no, wait.", calls=ended([NOW]))
    separators = ['name"', "[ARGS]", "<｜tool▁sep｜>", "<|tool_call_argument_begin|>"]
    if any(s in full for s in separators):
        # The name is whole, and no argument has come.
        text = full[: full.index("{", full.index("get_weather"))]
        yield Case("cut after the name", text, calls=[["get_weather", "", "cut"]])
    if "functions.get_weather:0" in full:
        text = full[: full.index(":0") + 2]
        yield Case("cut after the call's number", text, calls=[["get_weather", "", "cut"]])
    text = f.write([NOW]) + "\n\nDone."
    yield Case("a call, then content", text, content="Done.", calls=ended([NOW]))
    other = ("made_up", {"text": "x"})
    if f.kind != "elements":
        yield Case("a tool that is not there", f.write([other]), calls=ended([other]))


def bare_texts(f):
    other = f.write([("made_up", {"text": "x"})])
    yield Case("a tool that is not there", other, content=other)
    yield Case("JSON that is no call", '{"city": "Paris"}', content='{"city": "Paris"}')
    yield Case("a list", "[1, 2, 3]", content="[1, 2, 3]")
    yield Case("a link", "[now](https://x.org)", content="[now](https://x.org)")
    text = "It is " + f.write([NOW])
    yield Case("a call in prose", text, content=text)
    yield Case("one bracket", f.write([NOW])[0], content=f.write([NOW])[0])
    person = '{"name": "now", "age": 3}'
    yield Case("a person", person, content=person)
    if f.kind == "json" and f is not FAMILIES["glm-4"]:
        for name, text in [
            ("type first", '{"type": "function", "name": "get_weather", "parameters": {"city": "Tokyo", "days": 3}}'),
            ("function inside", '{"type": "function", "function": ' + object_text(TOKYO) + "}"),
        ]:
            yield Case(name, text, calls=ended([TOKYO]))
        lines = object_text(NOW, "parameters") + "\n" + object_text(ADD, "parameters")
        yield Case("a call a line", lines, calls=ended([NOW, ADD]))


# Where calls have marks within those of the whole list.
CALL_ENDS = {
    "kimi-k2": "<|tool_call_end|>",
    "deepseek-v3": "```",
    "deepseek-v3.1": "<｜tool▁call▁end｜>",
}


def replaced(f, call, old, new):
    text = f.write([call])
    assert text.count(old) == 1, text
    return text.replace(old, new)


def json_damage(f):
    paris = dumps(WEATHER[1])
    bad = '{"city": Paris}'
    closed = f.thinking == "harmony" or f.end
    if closed:
        # What is no JSON goes up to the first closing mark.
        text = replaced(f, WEATHER, paris, bad)
        tail = text[text.index(bad) : text.rindex(CALL_ENDS.get(NAMES[f], f.end))]
        yield Case("arguments that are no JSON", text, calls=[["get_weather", tail, "bad"]])
        pair = replaced(f, WEATHER, paris, bad) + f.write([NOW])
        if f.thinking != "harmony":
            yield Case(
                "a bad call, then a good one", pair, calls=[["get_weather", tail, "bad"]] + ended([NOW])
            )
    elif f.mark:
        # Without one it goes up to the next call, or to the end.
        text = replaced(f, WEATHER, paris, bad)
        means = [["get_weather", text[text.index(bad) :], "bad"]]
        yield Case("arguments that are no JSON", text, calls=means)
        yield Case("a bad call, then a good one", text + f.write([NOW]), calls=means + ended([NOW]))
    line = dumps({"text": "a\nb"})
    raw = line.replace("\\n", "\n")
    text = replaced(f, ("write", {"text": "a\nb"}), line, raw)
    yield Case("a line end in a string", text, calls=[["write", line, "end"]])
    spaced = '{\n  "city" : "Paris"\n}'
    yield Case("arguments with space", replaced(f, WEATHER, paris, spaced), calls=[["get_weather", spaced, "end"]])
    escaped = '{"city": "\\u0050aris \\ud83d\\ude00"}'
    yield Case("escapes", replaced(f, WEATHER, paris, escaped), calls=[["get_weather", escaped, "end"]])
    if f.mark:
        inner = ("write", {"text": f"{f.mark} {f.end} [/THINK] <|end|> ]}}"})
        yield Case("marks in a string", f.write([inner]), calls=ended([inner]))
    deep = ("find", {"filter": {"a": {"b": {"c": [[[{"d": "}]"}]]]}}}})
    yield Case("deep arguments", f.write([deep]), calls=ended([deep]))
    many = [("add", {"n": i}) for i in range(6)]
    yield Case("six calls", f.write(many), calls=ended(many))
    if '"name"' in f.write([NOW]):
        yield from object_damage(f, paris)


def object_damage(f, paris):
    key = "parameters" if '"parameters"' in f.write([NOW]) else "arguments"
    whole_object = object_text(WEATHER, key)

    def with_object(text):
        return replaced(f, WEATHER, whole_object, text)

    text = '{"%s": %s, "name": "get_weather"}' % (key, paris)
    yield Case("arguments before the name", with_object(text), calls=ended([WEATHER]))
    text = '{"name": "get_weather", "%s": %s}' % (key, dumps(paris))
    yield Case("arguments in a string", with_object(text), calls=ended([WEATHER]))
    text = '{"name": "get_weather", "%s": %s, "id": "a1", "type": "x"}' % (key, paris)
    yield Case("members after the arguments", with_object(text), calls=ended([WEATHER]))
    yield Case("one bracket too many", with_object(whole_object + "}"), calls=ended([WEATHER]))
    if f.end:
        yield Case("the last bracket is missing", with_object(whole_object[:-1]), calls=ended([WEATHER]))
    text = '{"name": "now", "%s": null}' % key
    yield Case("arguments null", with_object(text), calls=ended([NOW]))
    if f.mark:
        yield Case("no arguments", with_object('{"name": "now"}'), calls=ended([NOW]))
        both = whole_object + "\n" + object_text(NOW, key)
        yield Case("objects without a list", with_object(both), calls=ended([WEATHER, NOW]))


def element_damage(f):
    city = "Paris"
    for name, new, means in [
        ("a digit string", "12345", "12345"),
        ("a quoted string", '"Paris"', '"Paris"'),
        ("a value with tags", "<b>P</b> < \\n", "<b>P</b> < \\n"),
        ("true as a string", "true", "true"),
    ]:
        text = replaced(f, WEATHER, city, new)
        yield Case(name, text, calls=ended([("get_weather", {"city": means})]))
    text = replaced(f, TOKYO, "3", "three")
    yield Case("a number that is none", text, calls=ended([("get_weather", {"city": "Tokyo", "days": "three"})]))
    text = f.write([("find", {"on": "True"})])
    yield Case("Python's True", text, calls=ended([("find", {"on": True})]))
    unknown = ("made_up", {"a": "x y", "b": 7, "c": [1, "z"], "d": None})
    yield Case("a tool that is not there", f.write([unknown]), calls=ended([unknown]))
    extra = ("now", {"zone": "UTC"})
    yield Case("an argument without a schema", f.write([extra]), calls=ended([extra]))
    many = [("add", {"n": i}) for i in range(6)]
    yield Case("six calls", f.write(many), calls=ended(many))
    full = f.write([("get_weather", {"days": 345})])
    text = full[: full.index("345") + 2]
    yield Case("cut in a number", text, calls=[["get_weather", '{"days": ', "cut"]])
    if "function=" in full:
        text = f.write([TOKYO]).replace("</parameter>\n", "", 1)
        yield Case("an element that is not closed", text, calls=ended([TOKYO]))
    if f.mark == "<tool_call>" and "function=" in full:
        inner = f.write([WEATHER])[len("<tool_call>\n") :]
        yield Case("no outer mark", inner, calls=ended([WEATHER]))
        text = f"<tool_call>\n{object_text(WEATHER)}\n</tool_call>"
        yield Case("JSON within", text, calls=ended([WEATHER]))


def literal_damage(f):
    many = [("add", {"n": i}) for i in range(6)]
    yield Case("six calls", f.write(many), calls=ended(many))
    deep = ("find", {"filter": {"a": {"b": {"c": [[[{"d": "}]"}]]]}}}})
    yield Case("deep arguments", f.write([deep]), calls=ended([deep]))
    full = f.write([("get_weather", {"days": 345})])
    text = full[: full.index("345") + 2]
    yield Case("cut in a number", text, calls=[["get_weather", '{"days": ', "cut"]])
    if "call:" in full:
        quote = f.write([EMPTY]).split("text:")[1].split("}")[0]
        quote = quote[: len(quote) // 2]
        for i, text in enumerate(['a "b" {c: d}, [e]', "it's \\n", "<b> <|", "call:x{y:1}"]):
            call = ("write", {"text": text})
            yield Case(f"signs in a string {i}", f.write([call]), calls=ended([call]))
        text = replaced(f, WEATHER, quote + "Paris" + quote, "Paris")
        yield Case("a string without quotes", text, calls=ended([WEATHER]))
        text = replaced(f, WEATHER, quote + "Paris" + quote, '"Paris"')
        yield Case("a string in JSON's quotes", text, calls=ended([WEATHER]))
        text = replaced(f, TOKYO, "days:3", ' "days" : 3 ')
        yield Case("keys in quotes", text, calls=ended([TOKYO]))
        return
    yield from python_damage(f)


def python_damage(f):
    paris = "city='Paris'"
    for name, new, value in [
        ("double quotes", 'city="Par\'is"', "Par'is"),
        ("three quotes", 'city="""Par\n"is"""', 'Par\n"is'),
        ("escapes", r"city='\x50\u0061r\151s\n\'\"\\'", "Paris\n'\"\\"),
        ("an escape beyond 16 bits", r"city='\U0001F600'", "😀"),
        ("a raw string", r"city=r'P\n'", "P\\n"),
        ("a backslash that means nothing", r"city='\d'", "\\d"),
        ("space", " city = 'Paris' , ", "Paris"),
        ("a place without a name", "'Paris'", "Paris"),
    ]:
        text = replaced(f, WEATHER, paris, new)
        yield Case(name, text, calls=ended([("get_weather", {"city": value})]))
    text = replaced(f, ADD, "x=-1.5, n=0", "x=.5, n=1_000")
    yield Case("numbers of Python", text, calls=ended([("add", {"x": 0.5, "n": 1000})]))
    text = replaced(f, FIND, "on=False", "on=(1, 'a', None,)")
    found = dict(FIND[1], on=[1, "a", None])
    yield Case("a tuple", text, calls=ended([("find", found)]))
    if f.end:
        text = replaced(f, WEATHER, "'Paris'", "a + b")
        tail = text[text.index("+ b") : text.rindex(f.end)]
        if f.end == "```":
            yield Case("print around", replaced(f, WEATHER, f.write([WEATHER])[13:-4], "print(get_weather(city='Paris'))"), calls=ended([WEATHER]))
    text = replaced(f, WEATHER, "get_weather", "default_api.get_weather")
    if f.end:
        yield Case("a module before the name", text, calls=ended([WEATHER]))


def combinations(f):
    """More of the same, to fill up the forty."""
    n = 0
    while True:
        calls = [SINGLES[(n + i * 4) % len(SINGLES)] for i in range(1 + n % 3)]
        text, means = f.write(calls), {"calls": ended(calls)}
        if f.thinking and n % 2:
            begin, end = f.marks
            text, means["reasoning"] = begin + f"Step {n}." + end + text, f"Step {n}."
        elif f.mark and n % 4:
            text, means["content"] = preamble(f, f"Now {n}:") + text, f"Now {n}:"
        yield Case(f"combination {n}", text, **means)
        n += 1


# Other forms of the same: what the makers' documents show, and what users of
# other servers have reported of their models.


def harmony_forms():
    """docs/format.md of openai/harmony: a recipient may stand with the role or
    with the channel, whatever the channel, and <|constrain|> may be missing.
    Reported: channels with words that mean nothing, headers that begin anew."""
    paris, means = dumps(WEATHER[1]), {"calls": ended([WEATHER])}
    to, start = "to=functions.get_weather", "<|start|>assistant"
    thought = "<|channel|>analysis<|message|>Paris, then.<|end|>"
    for name, text in [
        ("a recipient with the role", f"{start} {to}<|channel|>commentary json<|message|>{paris}<|call|>"),
        ("a recipient first of all", f" {to}<|channel|>commentary <|constrain|>json<|message|>{paris}<|call|>"),
        ("a recipient without a type", f"<|channel|>commentary {to}<|message|>{paris}<|call|>"),
        ("a type without a mark", f"<|channel|>commentary {to} code<|message|>{paris}<|call|>"),
        ("no space before the type", f"<|channel|>commentary {to}<|constrain|>json<|message|>{paris}<|call|>"),
        ("a call in the analysis", f"<|channel|>analysis {to} code<|message|>\n{paris}<|call|>"),
        ("the last mark is the model's end", f"<|channel|>commentary {to} <|constrain|>json<|message|>{paris}"),
        ("a header that begins anew", f"<|channel|>commentary?{start}<|channel|>commentary {to}<|message|>{paris}<|call|>"),
    ]:
        yield Case(name, text, **means)
    text = f"{thought}{start} {to}<|channel|>commentary <|constrain|>json<|message|>{paris}<|call|>"
    yield Case("a thought, a recipient with the role", text, reasoning="Paris, then.", **means)
    text = f"<|channel|>??<|end|>{start}{thought}{start}<|channel|>final<|message|>Yes.<|return|>"
    yield Case("a channel that is none, then a thought", text, reasoning="Paris, then.", content="Yes.")
    text = "<|channel|>analysis to=python code<|message|>1 + 1<|call|>"
    yield Case("a tool of the model's own", text, reasoning="1 + 1")
    text = f'<|channel|>final <|constrain|>json<|message|>{paris}<|return|>'
    yield Case("an answer in JSON", text, content=paris)


def mistral_forms():
    """As mistral-common 1.8 writes them: those with sentencepiece have a space
    after the mark, and each call has an id at its end."""
    def written(calls):
        return "[" + ", ".join(
            '{"name": "%s", "arguments": %s, "id": "abcdefgh%d"}' % (n, dumps(a), i)
            for i, (n, a) in enumerate(calls)
        ) + "]"

    two = [WEATHER, ADD]
    yield Case("a space after the mark", "[TOOL_CALLS] " + list_text(two), calls=ended(two))
    yield Case("ids", "[TOOL_CALLS]" + written(two), calls=ended(two))
    yield Case("a space and ids", "[TOOL_CALLS] " + written(two), calls=ended(two))


def mistral_v11_forms():
    """With ids, as mistral-common writes version 11; and, as reported, without
    a mark before the arguments, or with space around all of them."""
    two = [WEATHER, ADD]
    for name, text in [
        ("ids", "[TOOL_CALLS]%s[CALL_ID]abcdefgh0[ARGS]%s"),
        ("no mark before the arguments", "[TOOL_CALLS]%s%s"),
        ("space between the marks", "[TOOL_CALLS] %s [ARGS] %s"),
    ]:
        text = "Look.\n" + "".join(text % (n, dumps(a)) for n, a in two)
        yield Case(name, text, content="Look.", calls=ended(two))


def granite_20b_forms():
    """IBM's evaluations cut an output at the marks, whatever stands before
    them; and the prompt asks for a call of no_function where none fits."""
    two, mark = [WEATHER, ADD], "<function_call>"
    for name, begin, end in [
        ("no space after the mark", mark, ""),
        ("a line end after the mark", mark + "\n", "\n"),
        ("a space between calls", mark + " ", " "),
    ]:
        text = "".join(begin + object_text(c) + end for c in two)
        yield Case(name, text, calls=ended(two))
    none = ("no_function", {})
    yield Case("no function", FAMILIES["granite-20b-fc"].write([none]), calls=ended([none]))


def phi_forms():
    """Its prompt for several functions asks for the word functools, and that
    of Microsoft's examples for vLLM also has its marks in the plural."""
    tags = ("find", {"filter": {"tags": ["a", "b", ["c"]]}})
    for name, begin, end in [("functools", "functools", ""), ("marks in the plural", "<|tool_calls|>", "<|/tool_calls|>")]:
        for what, calls in [("one", [WEATHER]), ("two", [WEATHER, ADD]), ("lists in arguments", [tags])]:
            yield Case(f"{name}: {what}", begin + list_text(calls) + end, calls=ended(calls))


def llama4_forms():
    """As the template of transformers' own package writes a past call, and as
    models put their marks around one."""
    for calls in [TOKYO], [NOW, ADD]:
        text = FAMILIES["llama4-json"].write(calls)
        yield Case("empty code before", "<|python_start|><|python_end|>" + text, calls=ended(calls))
        yield Case("marks around", f"<|python_start|>{text}<|python_end|>", calls=ended(calls))
        beside = "".join(object_text(c, "parameters") for c in calls)
        yield Case("side by side", beside, calls=ended(calls))


def pythonic_forms():
    """Models that were trained on both write JSON, too."""
    text = "<|python_start|>" + FAMILIES["pythonic"].write([TOKYO]) + "<|python_end|>"
    yield Case("python marks", text, calls=ended([TOKYO]))
    yield Case("JSON", object_text(ADD, "parameters"), calls=ended([ADD]))


def xlam_forms():
    """What vLLM's parser of xLAM looks for."""
    two = list_text([WEATHER, ADD])
    for name, text in [
        ("marks of Hermes", f"<tool_call>{two}</tool_call>"),
        ("a mark of Mistral", f"[TOOL_CALLS]{two}"),
        ("a fence", f"```json\n{two}\n```"),
        ("objects without a list", object_text(WEATHER) + "\n" + object_text(ADD)),
    ]:
        yield Case(name, text, calls=ended([WEATHER, ADD]))
    for name, text in [("a list of people", '[{"name": "now", "age": 3}]'), ("no calls", "[]")]:
        yield Case(name, text, content=text)


def glm4_forms():
    """GLM-4's demonstrations take an output apart at its marks, and then each
    message at the end of its first line."""
    write, mark = FAMILIES["glm-4"].write, "<|assistant|>"
    means = {"calls": ended([WEATHER])}
    yield Case("an empty line, then content", "\nHello.", content="\nHello.")
    yield Case("content, then a call", "\nI look." + mark + write([WEATHER]), content="\nI look.", **means)
    yield Case("a call, then content", write([WEATHER]) + mark + "\nDone.", content="Done.", **means)
    yield Case("a call, then a line of content", write([WEATHER]) + "\nDone.", content="Done.", **means)
    yield Case("space around the name", "\n" + write([WEATHER]).replace("\n", " \n "), **means)
    for name, text in [
        ("the name alone", "now"),
        ("the name, and a line", "now\n"),
        ("the name, and prose", "now\nis the time."),
        ("no line end", write([WEATHER]).replace("\n", " ")),
        ("a name that is longer", "nowhere\n{}"),
    ]:
        yield Case(name, text, content=text)


def llama_forms():
    """Meta's description of Llama 3.1: its built-in tools are called in code,
    NAME.call(...), behind the python tag."""
    tokyo = FAMILIES["llama3-json"].write([TOKYO])
    yield Case("python tag", "<|python_tag|>" + tokyo, calls=ended([TOKYO]))
    text = '<function=get_weather>{"city": "Tokyo", "days": 3}</function>'
    yield Case("a function tag", text, calls=ended([TOKYO]))
    text = '<|python_tag|>get_weather.call(city="Paris")'
    yield Case("a built-in tool's call", text, calls=ended([WEATHER]))
    text = "<|python_tag|>" + object_text(NOW, "parameters") + "; " + object_text(ADD, "parameters")
    yield Case("python tag, two calls", text, calls=ended([NOW, ADD]))
    for code in "import math\nprint(math.sqrt(2))", "math.sqrt(2)":
        text = "<|python_tag|>" + code
        yield Case("code behind the python tag", text, content=text)


FORMS = {
    "harmony": harmony_forms,
    "mistral": mistral_forms,
    "mistral-v11": mistral_v11_forms,
    "granite-20b-fc": granite_20b_forms,
    "phi4-mini": phi_forms,
    "llama3-json": llama_forms,
    "llama4-json": llama4_forms,
    "pythonic": pythonic_forms,
    "xlam": xlam_forms,
    "glm-4": glm4_forms,
}
NAMES = {family: name for name, family in FAMILIES.items()}


def cases(f):
    lines = [c.line for c in whole(f)] + [c.line for c in damaged(f)]
    more = combinations(f)
    while len(lines) < EACH:
        lines.append(next(more).line)
    return lines + [c.line for c in FORMS.get(NAMES[f], list)()]


def main():
    OUT.mkdir(exist_ok=True)
    (OUT / "tools.json").write_text(json.dumps(TOOLS, indent=1) + "\n")
    for name, family in FAMILIES.items():
        head = {"markup": name, "thinking": family.thinking}
        lines = [head] + cases(family)
        text = "".join(dumps(line) + "\n" for line in lines)
        (OUT / f"{name}.jsonl").write_text(text)


main()
