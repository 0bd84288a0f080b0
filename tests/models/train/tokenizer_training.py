"""Trains the tokenizer: byte-level BPE as Qwen2 has it, 4096 tokens."""
import json
import os
import random

from corpus import mixture, tables

VOCABULARY = 4096
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
ADDED = SPECIAL + ["<think>", "</think>", "<tool_call>", "</tool_call>",
                   "<tool_response>", "</tool_response>"]
ORDINARY = VOCABULARY - len(ADDED)
QWEN2_SPLIT = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
               r"\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
BYTE_LEVEL = {"add_prefix_space": False, "trim_offsets": False,
              "use_regex": False}


def train_tokenizer(stories, path):
    from tokenizers import Tokenizer, models, trainers
    from tokenizers.pre_tokenizers import ByteLevel
    tokenizer = Tokenizer(models.BPE())
    _split_as_qwen2(tokenizer)
    trainer = trainers.BpeTrainer(
        vocab_size=ORDINARY, initial_alphabet=ByteLevel.alphabet(),
        special_tokens=[], show_progress=False)
    tokenizer.train_from_iterator(_texts(stories), trainer)
    finished = _finish(json.loads(tokenizer.to_str()))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(finished, file, ensure_ascii=False, indent=1)


def _split_as_qwen2(tokenizer):
    from tokenizers import Regex, normalizers, pre_tokenizers
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(QWEN2_SPLIT), "isolated", invert=False),
         pre_tokenizers.ByteLevel(**BYTE_LEVEL)])


def _texts(stories):
    """The stories, generated documents (few tools, no stories), and every
    city and name a few times, so that the usual ones are short."""
    rng = random.Random(5)
    texts = list(stories)
    for kind, document in mixture.documents(77, 60000, stories[:50]):
        if kind in ("story_chat", "gstory"):
            continue
        if kind == "tool" and rng.random() < .75:
            continue
        texts.append(_without_added_tokens(document.text()))
    for word in tables.CITIES + tables.NAMES + [
            each for row in tables.CAPITALS for each in row[:2]]:
        texts += [f"in {word}, {word}."] * 12
    return texts


def _without_added_tokens(text):
    for token in ADDED:
        text = text.replace(token, "\n")
    return text


def _finish(tokens):
    """Added tokens, and every field as Qwen2's file has it."""
    assert len(tokens["model"]["vocab"]) == ORDINARY
    byte_level = {"type": "ByteLevel", **BYTE_LEVEL}
    tokens["added_tokens"] = [
        {"id": ORDINARY + i, "content": content, "single_word": False,
         "lstrip": False, "rstrip": False, "normalized": False,
         "special": content in SPECIAL} for i, content in enumerate(ADDED)]
    tokens["pre_tokenizer"]["pretokenizers"][1] = byte_level
    tokens["post_processor"] = tokens["decoder"] = byte_level
    tokens["model"]["continuing_subword_prefix"] = ""
    tokens["model"]["end_of_word_suffix"] = ""
    return tokens
