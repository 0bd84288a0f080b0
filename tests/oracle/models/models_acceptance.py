"""draft_acceptance.json: how often tiny-draft guesses what tiny-chat
writes, and how many tokens a round of speculative decoding then yields."""
import torch

from models_greedy import LIMIT, continuation
from models_setting import causal_model, tokenizer, write_json

from corpus.heldout import held_out_items
from demos import demos

GUESSES = 4         # a round
STORIES = ["Once upon a time", "One day, a little girl named Mira",
           "Tom had a red ball.", "There once was a", "In a big forest",
           "Lily and Ben"]


def prompts():
    items = held_out_items(7, 12)
    chat = demos()
    return {
        "tasks": [item.prompt for each in items.values()
                  for item in each[:8]],
        "stories": STORIES[:3] + [chat["cat"], chat["dragon"]] + STORIES[3:],
        "facts_llm": [item.prompt for item in items["llm"][:12]]}


@torch.no_grad()
def agreement(draft, prompt_ids, ids):
    """For each id: would the draft have chosen it there?"""
    everything = prompt_ids + ids
    best = draft(input_ids=torch.tensor([everything])).logits[0].argmax(-1)
    guesses = best[len(prompt_ids) - 1:-1].tolist()
    return [guess == each for guess, each in zip(guesses, ids)]


def rounds(agrees):
    """Rounds of GUESSES guesses: those accepted, then the target's own."""
    count, at = 0, 0
    while at < len(agrees):
        accepted = 0
        while accepted < GUESSES and all(agrees[at:at + accepted + 1]) \
                and at + accepted < len(agrees):
            accepted += 1
        at += accepted + 1
        count += 1
    return count


def make_acceptance(out):
    tokens = tokenizer()
    chat, draft = causal_model(), causal_model("tiny-draft")
    report = {}
    for kind, texts in prompts().items():
        made = [continuation(chat, tokens, text, LIMIT) for text in texts]
        agrees = [agreement(draft, each["prompt_ids"], each["ids"])
                  for each in made]
        total = sum(map(len, agrees))
        report[kind] = {
            "agreement": round(sum(map(sum, agrees)) / total, 4),
            "tokens_per_round_gamma4": round(
                total / sum(map(rounds, agrees)), 3),
            "tokens": total}
    write_json(out, "draft_acceptance.json", report, indent=1)
