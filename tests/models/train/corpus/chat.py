"""Documents, and how a chat becomes text: exactly as the chat template does.

A document has text() (what the model is trained on)."""
import json
from typing import NamedTuple, Optional

from . import data
from .phrases import templates

TOOLS_HEAD = """\
# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>"""
TOOLS_TAIL = """
</tools>

For each function call, return a json object with function name and arguments \
within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>"""
SYSTEM_PROMPTS = templates(
    data.sections("phrases/system_prompts.txt")["any"])
ANSWER = "<|im_start|>assistant\n"
NO_THOUGHT = "<think>\n\n</think>\n\n"


def dumps(value):
    """JSON as the template's `tojson` writes it."""
    return json.dumps(value, ensure_ascii=False)


class Turn(NamedTuple):
    role: str
    content: str
    calls: tuple = ()               # of (function name, arguments)
    thought: Optional[str] = None   # of an assistant's turn, not the last


def user(content):
    return Turn("user", content)


def assistant(content):
    return Turn("assistant", content)


def calling(calls, thought=None):
    """The assistant calls tools and says nothing."""
    return Turn("assistant", "", tuple(calls), thought)


def tool_result(content):
    return Turn("tool", content)


class Raw(NamedTuple):
    """Plain text, ended by <|endoftext|>."""
    body: str

    def text(self):
        return self.body + "<|endoftext|>"


class Chat(NamedTuple):
    """A conversation whose last turn is the assistant's.

    thought: what the last turn thinks; None is the empty block that the
    template writes for enable_thinking=False."""
    turns: list
    system: Optional[str] = None
    tools: Optional[list] = None
    thought: Optional[str] = None

    def text(self):
        return (self._system_text()
                + "".join(map(self._turn_text, range(len(self.turns)))))

    def prompt(self):
        """The text up to where the model has to begin to write."""
        head = self.text().rsplit(ANSWER, 1)[0] + ANSWER
        return head if self.thought else head + NO_THOUGHT

    def answer(self):
        """What the model shall write after its thought."""
        last = self.text().rsplit(ANSWER, 1)[1]
        return last.split("</think>\n\n", 1)[1].replace("<|im_end|>", "")

    def _system_text(self):
        if self.tools:
            head = self.system + "\n\n" if self.system else ""
            tools = "".join("\n" + dumps(tool) for tool in self.tools)
            content = head + TOOLS_HEAD + tools + TOOLS_TAIL
        elif self.system:
            content = self.system
        else:
            return ""
        return f"<|im_start|>system\n{content}<|im_end|>\n"

    def _turn_text(self, i):
        turn = self.turns[i]
        if turn.role == "assistant":
            return self._assistant_text(turn, i == len(self.turns) - 1)
        if turn.role == "tool":
            return self._tool_text(i)
        return f"<|im_start|>{turn.role}\n{turn.content}<|im_end|>\n"

    def _assistant_text(self, turn, last):
        thought = self.thought if last else turn.thought
        text = ANSWER
        if last or thought:
            text += f"<think>\n{thought or ''}\n</think>\n\n"
        text += turn.content
        text += "\n".join(([""] if turn.content and turn.calls else [])
                          + [call_text(*call) for call in turn.calls])
        return text + "<|im_end|>" + ("" if last else "\n")

    def _tool_text(self, i):
        """Neighbouring results share one turn of the user."""
        first = i == 0 or self.turns[i - 1].role != "tool"
        last = (i == len(self.turns) - 1
                or self.turns[i + 1].role != "tool")
        return (("<|im_start|>user" if first else "")
                + f"\n<tool_response>\n{self.turns[i].content}"
                + "\n</tool_response>" + ("<|im_end|>\n" if last else ""))


def call_text(name, arguments):
    return (f'<tool_call>\n{{"name": "{name}", '
            f'"arguments": {dumps(arguments)}}}\n</tool_call>')


def maybe_system(w, p=.4):
    return w.pick(SYSTEM_PROMPTS) if w.chance(p) else None


def question_and_answer(w, question, answer, thought, p_think=.45,
                        p_system=.35):
    return Chat([user(question), assistant(answer)],
                maybe_system(w, p_system), None,
                thought if w.chance(p_think) else None)
