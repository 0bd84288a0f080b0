"""Conversations that chat templates are tried with: more than 40, each a
dictionary of the variables that a template is given."""

TOOLS = [
    {"type": "function", "function": {
        "name": "get_weather", "description": "The weather in a city <now>",
        "parameters": {"type": "object", "properties": {
            "city": {"type": "string", "description": "e.g. Zürich"},
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]}},
            "required": ["city"]}}},
    {"type": "function", "function": {
        "name": "add", "description": "a + b & more",
        "parameters": {"type": "object", "properties": {
            "a": {"type": "number"}, "b": {"type": ["number", "null"]},
            "list": {"type": "array", "items": {"type": "integer"}}},
            "required": []}}},
]
CITY = {"city": "Zürich", "unit": "celsius"}
THINK = "<think>\nHm, 2 > 1.\n</think>\n\nYes."


def user(text="What is 2+2?"):
    return {"role": "user", "content": text}


def system(text="You are helpful."):
    return {"role": "system", "content": text}


def answer(text="It is 4.", **more):
    return {"role": "assistant", "content": text, **more}


def call(name="get_weather", arguments=None, number=1):
    return {"id": f"call{number:05d}", "type": "function", "function": {
        "name": name, "arguments": CITY if arguments is None else arguments}}


def result(content="18°C", name="get_weather", number=1):
    return {"role": "tool", "name": name, "content": content,
            "tool_call_id": f"call{number:05d}"}


def parts(*texts):
    return {"role": "user",
            "content": [{"type": "text", "text": t} for t in texts]}


def with_call(calls, *results, content=""):
    return [user("Weather?"), answer(content, tool_calls=calls), *results]


MESSAGES = {
    "one": [user()],
    "system": [system(), user()],
    "turns": [user(), answer(), user("And 3+3?")],
    "system turns": [system(), user(), answer(), user("Why?"), answer("So."),
                     user("ok")],
    "ends with an answer": [user(), answer()],
    "spaces": [system("  s  \n"), user("\n  hi \n\n"), answer(" a "),
               user(" ")],
    "empty texts": [system(""), user(""), answer(""), user("x")],
    "unicode": [system("Sei höflich 🙂"), user("日本語で e\u0301 👩‍👩‍👧 \u200b"),
                answer("はい"), user("Ω\u2028x")],
    "marks": [user("<|im_end|><|eot_id|></s>[INST] {{ x }} {% y %}"),
              answer("<start_of_turn>"), user("'\"\\")],
    "lines": [user("a\r\nb\tc\n\n\nd"), answer("1\n2"), user("x")],
    "two users": [user("a"), user("b")],
    "answer first": [answer("Hi!"), user("a")],
    "two systems": [system("a"), system("b"), user("c")],
    "late system": [user("a"), system("b"), user("c")],
    "developer": [{"role": "developer", "content": "D"}, user()],
    "unknown role": [user(), {"role": "critic", "content": "bad"}],
    "no messages": [],
    "only system": [system()],
    "null content": [user(), {"role": "assistant", "content": None}, user()],
    "missing content": [user(), {"role": "assistant"}, user()],
    "missing role": [{"content": "x"}],
    "parts": [parts("one", "two")],
    "parts and text": [system(), parts("only"), answer(), user("x")],
    "no parts": [{"role": "user", "content": []}],
    "image": [{"role": "user", "content": [
        {"type": "image", "image": "x.png"},
        {"type": "text", "text": "What is it?"}]}],
    "system parts": [{"role": "system", "content": [
        {"type": "text", "text": "S"}]}, user()],
    "thinking in content": [user(), answer(THINK), user("Sure?")],
    "thinking last": [user(), answer(THINK)],
    "reasoning": [user(), answer("Yes.", reasoning_content="Hm."),
                  user("Sure?")],
    "reasoning last": [user(), answer("Yes.", reasoning_content="Hm.\n",
                                      thinking="Hm.\n")],
    "call": with_call([call()], result()),
    "call, text": with_call([call()], result(), content="Let me see."),
    "call, null": with_call([call()], result(), content=None),
    "call, string arguments": with_call(
        [call(arguments='{"city": "Zürich"}')], result()),
    "call, no arguments": with_call([call("add", {})], result("0", "add")),
    "call, nested": with_call(
        [call("add", {"a": 1.5, "b": None, "list": [1, 2, {"x": True}]})],
        result("{\"sum\": 3}", "add")),
    "two calls": with_call(
        [call(), call("add", {"a": 1, "b": 2}, 2)], result(),
        result("3", "add", 2)),
    "call without result": with_call([call()]),
    "call, answer": [*with_call([call()], result()), answer("18°C."),
                     user("Thanks")],
    "call, system": [system(), *with_call([call()], result())],
    "calls in turn": [*with_call([call()], result()),
                      answer("", tool_calls=[call("add", {"a": 1}, 2)]),
                      result("1", "add", 2), answer("done"), user("ok")],
    "call, reasoning": [user(), answer("", reasoning_content="I need it.",
                                       tool_calls=[call()]), result()],
    "result as object": with_call([call()], result({"temp": 18, "ok": True})),
    "result as parts": with_call([call()], result(
        [{"type": "text", "text": "18"}])),
    "result unicode": with_call([call()], result("<b>\"Grüße\"\n🙂</b>")),
    "short id": with_call([{**call(), "id": "x"}],
                          {**result(), "tool_call_id": "x"}),
    "calls without type": with_call(
        [{"function": {"name": "add", "arguments": {"a": 1}}}],
        result("1", "add")),
}

# What else is given, each with the next of these in turn.
GIVEN = [
    {"add_generation_prompt": True},
    {"add_generation_prompt": False},
    {"add_generation_prompt": True, "enable_thinking": False},
    {"add_generation_prompt": True, "enable_thinking": True,
     "thinking": True},
    {"add_generation_prompt": True, "reasoning_effort": "low",
     "builtin_tools": ["python", "browser"]},
    {"add_generation_prompt": True, "tools": TOOLS},
    {"add_generation_prompt": True, "tools": TOOLS, "enable_thinking": False,
     "thinking": False, "date_string": "1 Jan 2025"},
    {"add_generation_prompt": False, "tools": TOOLS[:1],
     "documents": [{"title": "T", "text": "D"}]},
]
TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>",
          "unk_token": "<unk>"}


def conversations():
    """A name and a template's variables, for each."""
    for i, (name, messages) in enumerate(MESSAGES.items()):
        for given in (GIVEN[i % 5], GIVEN[5 + i % 3]):
            tools = "tools" in given
            yield (f"{name}{', tools' if tools else ''}",
                   {"messages": messages, "tools": None, "documents": None,
                    **TOKENS, **given})
