"""heldout.txt and ppl.json: the perplexity of held-out stories."""
import math
import os
import re

import torch

from models_setting import causal_model, end_ids, tokenizer, write_json

from story_file import load_stories

TOKENS, WINDOW, ENOUGH_LETTERS = 20_000, 512, 60_000
MODELS = {
    "bf16_weights": {}, "int8_g128": {"bits": 8}, "int4_g128": {"bits": 4},
    "int4_g128_with_head": {"bits": 4, "head": True},
    "tiny-draft bf16_weights": {"name": "tiny-draft"}}


def held_out_text(tokens):
    """Held-out stories, each ended by <|endoftext|>, until there are
    20,000 tokens."""
    text = ""
    for story in load_stories()[1]:
        text += re.sub(r"\n\s*\n", "\n", story) + "<|endoftext|>"
        if len(text) > ENOUGH_LETTERS and len(ids_of(tokens, text)) >= TOKENS:
            break
    return text


def ids_of(tokens, text):
    return tokens.encode(text, add_special_tokens=False).ids


def split_stories(ids, end):
    """Cut after each `end`; an unfinished last story is left out."""
    stories, current = [], []
    for each in ids:
        current.append(each)
        if each == end:
            stories.append(current)
            current = []
    return stories


@torch.no_grad()
def score(model, chunks):
    """Each chunk runs alone from position 0; every token but its first is
    scored; log-softmax in fp64."""
    total, scored = 0.0, 0
    for chunk in chunks:
        if len(chunk) < 2:
            continue
        logits = model(input_ids=torch.tensor([chunk])).logits[0, :-1]
        logs = logits.double().log_softmax(-1)
        targets = torch.tensor(chunk[1:])
        total -= float(logs[torch.arange(len(targets)), targets].sum())
        scored += len(targets)
    return {"nll_sum": round(total, 4), "scored": scored,
            "nll": round(total / scored, 6),
            "ppl": round(math.exp(total / scored), 5)}


def make_perplexity(out):
    tokens = tokenizer()
    text = held_out_text(tokens)
    with open(os.path.join(out, "heldout.txt"), "w", encoding="utf-8",
              newline="") as file:
        file.write(text)
    ids = ids_of(tokens, text)[:TOKENS]
    windows = [ids[i:i + WINDOW] for i in range(0, len(ids), WINDOW)]
    stories = split_stories(ids, end_ids(tokens)[1])
    report = {"tokens": len(ids), "window": WINDOW, "stride": WINDOW}
    for title, options in MODELS.items():
        model = causal_model(**options)
        report[title] = {"windows": score(model, windows),
                         "per_story": score(model, stories)}
    write_json(out, "ppl.json", report, indent=1)
