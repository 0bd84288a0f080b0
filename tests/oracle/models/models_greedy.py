"""greedy.json, greedy_quant.json, draft.json: what the models write."""
import torch

from models_setting import causal_model, end_ids, tokenizer, write_json

from demos import demos

CLOSE = 0.01        # a margin below which another order of sums may choose
LIMIT, DRAFT_LIMIT, TOP = 96, 48, 5
DRAFT_PROMPTS = ("capital", "story", "japan")


@torch.no_grad()
def continuation(model, tokens, prompt, limit):
    """The greedy continuation and, for each of its tokens, the five best
    with their log-probabilities."""
    ids, ends = tokens.encode(prompt, add_special_tokens=False).ids, end_ids(
        tokens)
    made = model.generate(
        input_ids=torch.tensor([ids]),
        attention_mask=torch.ones(1, len(ids), dtype=torch.long),
        max_new_tokens=limit, do_sample=False, temperature=None, top_p=None,
        top_k=None, eos_token_id=ends, pad_token_id=ends[1],
        return_dict_in_generate=True, output_logits=True)
    new = made.sequences[0, len(ids):].tolist()
    top5, margins = best_tokens(made.logits)
    text = tokens.decode([each for each in new if each not in ends],
                         skip_special_tokens=False)
    return {"prompt": prompt, "prompt_ids": ids, "ids": new, "text": text,
            "stopped": new[-1] in ends,
            "smallest_margin": round(min(margins), 5),
            "compare": steps_to_compare(margins), "top5": top5}


def best_tokens(logits):
    """([[id, log-probability], ...] of each step, the steps' margins)"""
    top5, margins = [], []
    for step in logits:
        values, ids = step[0].float().log_softmax(-1).topk(TOP)
        margins.append(float(values[0] - values[1]))
        top5.append([[int(i), round(float(value), 5)]
                     for i, value in zip(ids, values)])
    return top5, margins


def steps_to_compare(margins):
    """How many ids come before the first step that is too close."""
    return next((i for i, margin in enumerate(margins) if margin < CLOSE),
                len(margins))


def make_greedy(out):
    tokens, model = tokenizer(), causal_model()
    write_json(out, "greedy.json",
               {name: continuation(model, tokens, prompt, LIMIT)
                for name, prompt in demos().items()})


def make_greedy_quant(out):
    tokens, exact = tokenizer(), causal_model()
    true = {name: continuation(exact, tokens, prompt, LIMIT)["ids"]
            for name, prompt in demos().items()}
    found = {}
    for bits in (8, 4):
        model = causal_model(bits=bits)
        found[f"int{bits}"] = {
            name: short(continuation(model, tokens, prompt, LIMIT),
                        true[name])
            for name, prompt in demos().items()}
    write_json(out, "greedy_quant.json", found)


def short(made, true_ids):
    kept = {key: made[key]
            for key in ("ids", "text", "smallest_margin", "compare")}
    return {**kept, "same_as_fp32": made["ids"] == true_ids}


def make_draft(out):
    tokens, model = tokenizer(), causal_model("tiny-draft")
    write_json(out, "draft.json",
               {name: continuation(model, tokens, demos()[name], DRAFT_LIMIT)
                for name in DRAFT_PROMPTS})
