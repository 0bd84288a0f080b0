"""Rendering: the text of a chat is what the chat template writes."""
import json
import os
import unittest

from test_support import MODELS, TRAIN, chats, optional
from corpus.chat import Chat, assistant, calling, tool_result, user


def messages(chat):
    """The chat as a program would hand it to the template."""
    found = [{"role": "system", "content": chat.system}] * bool(chat.system)
    for i, turn in enumerate(chat.turns):
        message = {"role": turn.role, "content": turn.content}
        last = i == len(chat.turns) - 1
        thought = chat.thought if last else turn.thought
        if thought:
            message["reasoning_content"] = thought
        if turn.calls:
            message["tool_calls"] = [
                {"type": "function",
                 "function": {"name": name, "arguments": arguments}}
                for name, arguments in turn.calls]
        found.append(message)
    return found


class Template(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        jinja2 = optional("jinja2")
        path = os.path.join(MODELS, "tiny-chat", "tokenizer_config.json")
        with open(path, encoding="utf-8") as file:
            source = json.load(file)["chat_template"]
        environment = jinja2.Environment(trim_blocks=True,
                                         lstrip_blocks=True)
        environment.filters["tojson"] = lambda value: json.dumps(
            value, ensure_ascii=False)
        cls.template = environment.from_string(source)

    def render(self, chat, count=None, **options):
        return self.template.render(
            messages=messages(chat)[:count], tools=chat.tools,
            add_generation_prompt=bool(count), **options)

    def test_whole_documents(self):
        self.assertGreater(len(chats()), 4000)
        for chat in chats():
            self.assertEqual(chat.text() + "\n", self.render(chat))

    def test_prompts(self):
        for chat in chats()[:1000]:
            options = {} if chat.thought else {"enable_thinking": False}
            self.assertEqual(chat.prompt(),
                             self.render(chat, -1, **options))

    def test_the_files_are_one_template(self):
        with open(os.path.join(TRAIN, "chat_template.jinja"),
                  encoding="utf-8") as file:
            source = file.read().rstrip("\n")
        for name in ("tiny-chat", "tiny-draft", "tiny-embed"):
            path = os.path.join(MODELS, name, "tokenizer_config.json")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(json.load(file)["chat_template"], source)


class Text(unittest.TestCase):
    def test_prompt_and_answer_make_the_document(self):
        for chat in chats():
            thought = f"<think>\n{chat.thought}\n</think>\n\n"
            middle = thought if chat.thought else ""
            self.assertEqual(
                chat.prompt() + middle + chat.answer() + "<|im_end|>",
                chat.text())

    def test_neighbouring_results_share_a_turn(self):
        chat = Chat([user("q"), calling([("f", {}), ("g", {"x": 1})]),
                     tool_result("1"), tool_result("2"), assistant("a")])
        self.assertEqual(chat.text(), (
            "<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n"
            '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>\n'
            '<tool_call>\n{"name": "g", "arguments": {"x": 1}}\n'
            "</tool_call><|im_end|>\n"
            "<|im_start|>user\n<tool_response>\n1\n</tool_response>\n"
            "<tool_response>\n2\n</tool_response><|im_end|>\n"
            "<|im_start|>assistant\n<think>\n\n</think>\n\na<|im_end|>"))


if __name__ == "__main__":
    unittest.main()
