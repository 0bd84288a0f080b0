"""tokens.jsonl: texts and ids; chat.jsonl: conversations, rendered."""
import random

from models_setting import folder, tokenizer, write_lines
from models_texts import CONVERSATIONS, PIECES, TEXTS

from transformers import AutoTokenizer

from corpus import mixture, tables
from story_file import load_stories


def texts():
    """331: those written by hand, cut and whole stories, generated
    documents, programs, greetings, random pieces."""
    rng = random.Random(9)
    training, held_out = load_stories()
    found = list(TEXTS)
    found += [story[:rng.randint(20, 400)]
              for story in rng.sample(held_out, 40)]
    found += rng.sample(held_out, 6)
    found += [document.text()
              for _, document in mixture.documents(4, 30, training)]
    found += [code for _, code, _ in rng.sample(tables.PROGRAMS, 10)]
    found += [text for row in rng.sample(tables.GREETINGS, 10)
              for text in (row[1], ", ".join(row))]
    found += ["".join(rng.choice(PIECES) for _ in range(rng.randint(3, 25)))
              for _ in range(45)]
    return found


def make_tokens(out):
    """transformers and tokenizers must agree on every text."""
    fast, slow = tokenizer(), AutoTokenizer.from_pretrained(
        folder("tiny-chat"))
    rows = []
    for text in texts():
        ids = fast.encode(text).ids
        assert slow(text)["input_ids"] == ids, text
        rows.append({"text": text, "ids": ids, "decoded": fast.decode(
            ids, skip_special_tokens=False)})
    write_lines(out, "tokens.jsonl", rows, ensure_ascii=True)


def rendered():
    """The rows of chat.jsonl."""
    fast, slow = tokenizer(), AutoTokenizer.from_pretrained(
        folder("tiny-chat"))
    for messages, options in CONVERSATIONS:
        options = dict(options)
        tools = options.pop("tools", None)
        options = {"add_generation_prompt": True, **options}
        text = slow.apply_chat_template(messages, tools=tools,
                                        tokenize=False, **options)
        ids = fast.encode(text, add_special_tokens=False).ids
        yield {"messages": messages, "tools": tools, **options,
               "text": text, "ids": ids}


def make_chats(out):
    write_lines(out, "chat.jsonl", rendered(), ensure_ascii=False)
