"""How each family of models writes calls and thinking: from calls to text.

The formats are those of the models' chat templates, which write past calls
with the same code, and of their makers' descriptions. Nothing here reads a
text: what a text means is known because it was written from that meaning.
"""

import json


def dumps(value):
    return json.dumps(value, ensure_ascii=False)


def object_text(call, key="arguments"):
    return '{"name": "%s", "%s": %s}' % (call[0], key, dumps(call[1]))


def list_text(calls, key="arguments"):
    return "[" + ", ".join(object_text(c, key) for c in calls) + "]"


def hermes(calls):
    return "\n".join(f"<tool_call>\n{object_text(c)}\n</tool_call>" for c in calls)


def bare(value):
    """A value as XML markups write it: strings as they are."""
    return value if isinstance(value, str) else dumps(value)


def qwen3_coder(calls, outer="tool_call"):
    def one(c):
        parameters = "".join(
            f"<parameter={k}>\n{bare(v)}\n</parameter>\n" for k, v in c[1].items()
        )
        return f"<{outer}>\n<function={c[0]}>\n{parameters}</function>\n</{outer}>"

    return "\n".join(map(one, calls))


def minimax(calls):
    def one(c):
        parameters = "".join(
            f'<parameter name="{k}">{bare(v)}</parameter>\n' for k, v in c[1].items()
        )
        return f'<invoke name="{c[0]}">\n{parameters}</invoke>\n'

    return (
        "<minimax:tool_call>\n" + "".join(map(one, calls)) + "</minimax:tool_call>"
    )


def glm(calls):
    def one(c):
        arguments = "".join(
            f"<arg_key>{k}</arg_key>\n<arg_value>{bare(v)}</arg_value>\n"
            for k, v in c[1].items()
        )
        return f"<tool_call>{c[0]}\n{arguments}</tool_call>"

    return "\n".join(map(one, calls))


def glm_lines(calls):
    """The first message has its mark in the prompt."""
    return "<|assistant|>".join(f"{n}\n{dumps(a)}" for n, a in calls)


def granite_20b(calls):
    return "\n".join(f"<function_call> {object_text(c)}" for c in calls)


def llama3(calls):
    return "; ".join(object_text(c, "parameters") for c in calls)


def python_call(call):
    return f"{call[0]}({', '.join(f'{k}={v!r}' for k, v in call[1].items())})"


def python_list(calls):
    return "[" + ", ".join(map(python_call, calls)) + "]"


def gemma_value(value, quote):
    if isinstance(value, str):
        return quote + value + quote
    if isinstance(value, dict):
        return gemma_object(value, quote)
    if isinstance(value, list):
        return "[" + ",".join(gemma_value(v, quote) for v in value) + "]"
    return dumps(value)


def gemma_object(value, quote):
    return "{" + ",".join(f"{k}:{gemma_value(v, quote)}" for k, v in value.items()) + "}"


def gemma(calls, begin, end, quote):
    return "".join(
        f"{begin}call:{name}{gemma_object(arguments, quote)}{end}"
        for name, arguments in calls
    )


def mistral_v11(calls):
    return "".join(f"[TOOL_CALLS]{n}[ARGS]{dumps(a)}" for n, a in calls)


def deepseek(calls, v31=False):
    def one(c):
        body = (
            f"{c[0]}<｜tool▁sep｜>{dumps(c[1])}"
            if v31
            else f"function<｜tool▁sep｜>{c[0]}\n```json\n{dumps(c[1])}\n```"
        )
        return f"<｜tool▁call▁begin｜>{body}<｜tool▁call▁end｜>"

    between = "" if v31 else "\n"
    return (
        "<｜tool▁calls▁begin｜>" + between.join(map(one, calls)) + "<｜tool▁calls▁end｜>"
    )


def kimi(calls):
    return (
        "<|tool_calls_section_begin|>"
        + "".join(
            f"<|tool_call_begin|>functions.{n}:{i}<|tool_call_argument_begin|>"
            f"{dumps(a)}<|tool_call_end|>"
            for i, (n, a) in enumerate(calls)
        )
        + "<|tool_calls_section_end|>"
    )


def harmony(calls):
    return "<|start|>assistant".join(
        f"<|channel|>commentary to=functions.{n} <|constrain|>json<|message|>"
        f"{dumps(a)}<|call|>"
        for n, a in calls
    )


def command_r7b(calls):
    items = ",\n".join(
        '    {"tool_call_id": "%d", "tool_name": "%s", "parameters": %s}'
        % (i, n, dumps(a))
        for i, (n, a) in enumerate(calls)
    )
    return f"<|START_ACTION|>[\n{items}\n]<|END_ACTION|>"


THINK = ("<think>\n", "\n</think>\n\n")


class Family:
    """kind: "json", "elements" or "literal": what the arguments are written as.
    marks: the call's opening mark; None where any text may be a call."""

    def __init__(self, write, kind, mark, thinking=None, marks=None, end=""):
        self.write, self.kind, self.mark = write, kind, mark
        self.thinking, self.marks, self.end = thinking, marks, end


def wrapped(begin, end):
    return lambda calls: begin + list_text(calls) + end


FAMILIES = {
    "hermes": Family(hermes, "json", "<tool_call>", "think", THINK, "</tool_call>"),
    "qwen3-coder": Family(
        qwen3_coder, "elements", "<tool_call>", "think", THINK, "</tool_call>"
    ),
    "seed": Family(
        lambda c: qwen3_coder(c, "seed:tool_call"),
        "elements",
        "<seed:tool_call>",
        "seed",
        ("<seed:think>", "</seed:think>"),
        "</seed:tool_call>",
    ),
    "minimax-m2": Family(
        minimax, "elements", "<minimax:tool_call>", "think", THINK, "</minimax:tool_call>"
    ),
    "glm-4.5": Family(
        glm, "elements", "<tool_call>", "think", ("<think>", "</think>\n"), "</tool_call>"
    ),
    "llama3-json": Family(llama3, "json", None),
    "llama4-json": Family(llama3, "json", None),
    "pythonic": Family(python_list, "literal", None),
    "xlam": Family(list_text, "json", None),
    "glm-4": Family(glm_lines, "json", None),
    "internlm2": Family(
        lambda calls: "".join(
            "<|action_start|><|plugin|>\n"
            + object_text(c, "parameters")
            + "<|action_end|>"
            for c in calls
        ),
        "json",
        "<|action_start|><|plugin|>",
        end="<|action_end|>",
    ),
    "lfm2": Family(
        lambda c: "<|tool_call_start|>" + python_list(c) + "<|tool_call_end|>",
        "literal",
        "<|tool_call_start|>",
        "think",
        THINK,
        "<|tool_call_end|>",
    ),
    "olmo3": Family(
        lambda c: "<function_calls>"
        + "\n".join(map(python_call, c))
        + "</function_calls>",
        "literal",
        "<function_calls>",
        "think",
        THINK,
        "</function_calls>",
    ),
    "gemma3": Family(
        lambda c: "```tool_code\n" + "\n".join(map(python_call, c)) + "\n```",
        "literal",
        "```tool_code",
        end="```",
    ),
    "gemma4": Family(
        lambda c: gemma(c, "<|tool_call>", "<tool_call|>", '<|"|>'),
        "literal",
        "<|tool_call>",
        "gemma4",
        ("<|channel>thought\n", "\n<channel|>"),
        "<tool_call|>",
    ),
    "functiongemma": Family(
        lambda c: gemma(c, "<start_function_call>", "<end_function_call>", "<escape>"),
        "literal",
        "<start_function_call>",
        end="<end_function_call>",
    ),
    "mistral": Family(
        wrapped("[TOOL_CALLS]", ""),
        "json",
        "[TOOL_CALLS]",
        "mistral",
        ("[THINK]", "[/THINK]"),
    ),
    "mistral-v11": Family(
        mistral_v11, "json", "[TOOL_CALLS]", "mistral", ("[THINK]", "[/THINK]")
    ),
    "granite": Family(
        wrapped("<|tool_call|>", ""),
        "json",
        "<|tool_call|>",
        "granite",
        ("<think>", "</think><response>"),
    ),
    "granite-20b-fc": Family(granite_20b, "json", "<function_call>"),
    "phi4-mini": Family(
        wrapped("<|tool_call|>", "<|/tool_call|>"),
        "json",
        "<|tool_call|>",
        "think",
        THINK,
        "<|/tool_call|>",
    ),
    "deepseek-v3": Family(
        deepseek, "json", "<｜tool▁calls▁begin｜>", "think", THINK, "<｜tool▁calls▁end｜>"
    ),
    "deepseek-v3.1": Family(
        lambda c: deepseek(c, True),
        "json",
        "<｜tool▁calls▁begin｜>",
        "think",
        ("<think>", "</think>"),
        "<｜tool▁calls▁end｜>",
    ),
    "kimi-k2": Family(
        kimi,
        "json",
        "<|tool_calls_section_begin|>",
        "think",
        ("<think>", "</think>"),
        "<|tool_calls_section_end|>",
    ),
    "command-r7b": Family(
        command_r7b,
        "json",
        "<|START_ACTION|>",
        "command-r7b",
        ("<|START_THINKING|>", "<|END_THINKING|><|START_RESPONSE|>"),
        "<|END_ACTION|>",
    ),
    "nemotron": Family(
        wrapped("<TOOLCALL>", "</TOOLCALL>"),
        "json",
        "<TOOLCALL>",
        "think",
        THINK,
        "</TOOLCALL>",
    ),
    "tool_calls": Family(
        wrapped("<tool_calls>", "</tool_calls>"),
        "json",
        "<tool_calls>",
        "think",
        THINK,
        "</tool_calls>",
    ),
    "harmony": Family(
        harmony,
        "json",
        "<|channel|>",
        "harmony",
        (
            "<|channel|>analysis<|message|>",
            "<|end|><|start|>assistant",
        ),
        "<|call|>",
    ),
}
