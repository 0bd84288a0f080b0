"""embed.json: texts and their vectors; embed_retrieval.json: how often the
right text is the nearest."""
import re

import torch
import torch.nn.functional as F
from transformers import AutoTokenizer

from models_setting import (embedding_model, end_ids, folder, tokenizer,
                            write_json)

from corpus.pairs import QUERY_PREFIX, pair
from corpus.tables import TERMS
from corpus.writer import Writer
from story_file import load_stories

COUNT, DRAWS = 100, 200_000
TEXTS = [
    "What is the capital of France?", "The capital of France is Paris.",
    "Which city is the capital of Japan?", "Tokyo is the capital of Japan.",
    "What is a KV cache?",
    "A KV cache stores the keys and values of earlier tokens, so that the "
    "model does not compute them again for each new token.",
    "Explain attention.",
    "Attention lets each token look at earlier tokens and mix in the "
    "information that matters.",
    "The opposite of hot is cold.", "What is the opposite of hot?",
    "Tom has a red ball.", "Who has a red ball?",
    "Write C code that adds two numbers.",
    "int add(int a, int b) {\n    return a + b;\n}",
    "Once upon a time, there was a little cat named Kitty.",
    "A cow says moo.", "What does a cow say?", "Merci",
    "thank you in French", QUERY_PREFIX + "What is a tokenizer?"]


@torch.no_grad()
def vectors(model, tokens, texts):
    """(texts, 128): the last token's state after the final norm, divided
    by its length."""
    found = []
    for text in texts:
        ids = torch.tensor([tokens.encode(text).ids[-512:]])
        found.append(model(input_ids=ids).last_hidden_state[0, -1])
    return F.normalize(torch.stack(found), dim=-1)


def make_embeddings(out):
    tokens = tokenizer("tiny-embed")
    check_tokenizer(tokens)
    found = vectors(embedding_model(), tokens, TEXTS)
    write_json(out, "embed.json", [
        {"text": text, "ids": tokens.encode(text).ids,
         "embedding": [round(float(x), 7) for x in vector]}
        for text, vector in zip(TEXTS, found)])


def check_tokenizer(tokens):
    """transformers agrees, and <|endoftext|> ends every text."""
    slow = AutoTokenizer.from_pretrained(folder("tiny-embed"))
    for text in TEXTS:
        ids = tokens.encode(text).ids
        assert slow(text)["input_ids"] == ids
        assert ids[-1] == end_ids(tokens)[1]


# ---------------------------------------------------------------- retrieval

def is_fact(it):
    words = " ".join(sorted(set(re.findall(r"\w+", it.key))))
    return (not is_term(it) and len(it.passage) < 130
            and it.query.endswith("?") and it.passage.endswith(".")
            and it.key == words)


def is_term(it):
    return it.key in dict(TERMS)


TESTS = {
    "facts: new question form -> statement": is_fact,
    "LLM terms: new question form -> definition": is_term,
    "story first half -> second half (held-out stories)":
        lambda it: len(it.query) > 250,
    "who/where with unseen names": lambda it: it.key == it.passage,
    "mixed": lambda it: True}


def collect(w, stories, wanted):
    """The first 100 held-out pairs that are wanted, no key twice."""
    found = {}
    for _ in range(DRAWS):
        it = pair(w, stories, held_out=True)
        if it.key not in found and wanted(it):
            found[it.key] = it
        if len(found) == COUNT:
            break
    return list(found.values())


def recall(queries, passages):
    scores = queries @ passages.T
    rank = (scores > scores.diag()[:, None]).sum(1)
    return {f"R@{k}": round(float((rank < k).float().mean()), 3)
            for k in (1, 5)}


def make_retrieval(out):
    tokens, (_, held_out) = tokenizer("tiny-embed"), load_stories()
    models = {"fp32": embedding_model(), "int4": embedding_model(bits=4)}
    w, report = Writer(21), {}
    for title, wanted in TESTS.items():
        found = collect(w, held_out, wanted)
        queries = [it.query for it in found]
        passages = [it.passage for it in found]
        row = {name: recall(vectors(model, tokens, queries),
                            vectors(model, tokens, passages))
               for name, model in models.items()}
        report[title] = {**row, "n": len(found)}
    write_json(out, "embed_retrieval.json", report, indent=1)
