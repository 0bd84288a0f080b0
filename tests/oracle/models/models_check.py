"""Compares goldens made again with the committed ones, as their protocol
says: each function gives the differences it found, in words."""
import json
import os

import torch
from safetensors.torch import load_file

CLOSE = 0.01            # greedy ids count up to the first closer margin
TENSOR = 1e-5           # x max(1, the row's largest golden)
LOG_PROBABILITY = 2e-4
EMBEDDING = 2e-6
PERPLEXITY = 1e-4       # relative
SHARE = 0.02            # of agreement and recall
SCORE = 1               # answers of a task that may turn


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


def same_bytes(old, new, name):
    """Byte for byte."""
    texts = []
    for folder in (old, new):
        with open(os.path.join(folder, name), "rb") as file:
            texts.append(file.read())
    return [] if texts[0] == texts[1] else ["the bytes differ"]


def tensors(old, new, name):
    """ids equal, values within 1e-5 x max(1, the row's largest)."""
    golden, made = (load_file(os.path.join(folder, name))
                    for folder in (old, new))
    if golden.keys() != made.keys():
        return ["other tensors"]
    return [f"{key} differs by {excess(golden[key], made[key]):.2f} "
            "tolerances" for key in golden
            if excess(golden[key], made[key]) > 1]


def excess(golden, made):
    if golden.dtype == torch.int32:
        return 0 if torch.equal(golden, made) else float("inf")
    allowed = TENSOR * golden.abs().amax(-1, keepdim=True).clamp(min=1)
    return float(((made - golden).abs() / allowed).max())


def comparable_steps(text):
    """How many ids of a greedy text count."""
    if "compare" in text:
        return text["compare"]
    if "top5" in text:
        return next((i for i, best in enumerate(text["top5"])
                     if best[0][1] - best[1][1] < CLOSE), len(text["ids"]))
    return len(text["ids"]) if text["smallest_margin"] >= CLOSE else 0


def greedy(old, new, name):
    """ids up to the first step whose margin is below 0.01."""
    return compare_texts(read(old, name), read(new, name))


def greedy_quant(old, new, name):
    golden, made = read(old, name), read(new, name)
    return [f"{bits} {line}" for bits in golden
            for line in compare_texts(golden[bits], made[bits])]


def compare_texts(golden, made):
    if golden.keys() != made.keys():
        return ["other prompts"]
    found = []
    for name, text in golden.items():
        steps = min(comparable_steps(text), comparable_steps(made[name]))
        if text["ids"][:steps] != made[name]["ids"][:steps]:
            found.append(f"{name}: other ids")
        elif worst_step(text, made[name], steps) > LOG_PROBABILITY:
            found.append(f"{name}: log-probabilities differ by "
                         f"{worst_step(text, made[name], steps):.1e}")
    return found


def worst_step(text, made, steps):
    """The largest difference of the best token's log-probability."""
    return max((abs(a[0][1] - b[0][1]) for a, b in zip(
        text.get("top5", [])[:steps], made.get("top5", []))), default=0)


def embeddings(old, new, name):
    """texts and ids equal, each number within 2e-6."""
    found = []
    for a, b in zip(read(old, name), read(new, name), strict=True):
        if (a["text"], a["ids"]) != (b["text"], b["ids"]):
            found.append(f"other text or ids: {a['text']!r}")
        worst = max(abs(x - y) for x, y in zip(a["embedding"],
                                               b["embedding"]))
        if worst > EMBEDDING:
            found.append(f"{a['text'][:30]!r}: differs by {worst:.1e}")
    return found


def numbers(allowed):
    """A check of every number in a JSON file; allowed(number) is the
    difference it may have."""
    def check(old, new, name):
        golden = dict(leaves(read(old, name)))
        made = dict(leaves(read(new, name)))
        if golden.keys() != made.keys():
            return ["other keys"]
        return [f"{key}: {made[key]}, golden {golden[key]}"
                for key in golden
                if abs(golden[key] - made[key]) > allowed(golden[key])]
    return check


def leaves(value, path=""):
    """(path, number) of all numbers."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, f"{path}/{key}")
    else:
        yield path, value


def scores(old, new, name):
    """Each task's score within one answer."""
    golden, made = read(old, name)["acc"], read(new, name)["acc"]
    return [f"{task}: {made[task]}, golden {golden[task]}"
            for task in golden
            if abs(golden[task][0] - made[task][0]) > SCORE]


CHECKS = {
    "tokens.jsonl": same_bytes, "chat.jsonl": same_bytes,
    "heldout.txt": same_bytes, "forward.json": same_bytes,
    "forward.safetensors": tensors, "greedy.json": greedy,
    "greedy_quant.json": greedy_quant, "draft.json": greedy,
    "embed.json": embeddings,
    "ppl.json": numbers(lambda x: PERPLEXITY * abs(x)),
    "draft_acceptance.json": numbers(lambda x: max(SHARE, SHARE * abs(x))),
    "embed_retrieval.json": numbers(lambda x: SHARE),
    "accuracy.json": scores, "accuracy_int4.json": scores}


def check(old, new, log):
    """The number of files that differ by more than their tolerance."""
    bad = 0
    for name, compare in CHECKS.items():
        if not os.path.exists(os.path.join(new, name)):
            continue
        found = compare(old, new, name)
        equal = not same_bytes(old, new, name)
        log(name, "differs:" if found else
            "equal" if equal else "equal within its tolerance")
        for line in found:
            log("   ", line)
        bad += bool(found)
    return bad
