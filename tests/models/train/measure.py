"""What the models can do: accuracy tables, made with transformers.

Greedy answers in fp32 from the bf16 weights; a prompt's answer is right if
it equals the expected text, or contains it, as the task says."""
import json
import time

import torch
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM

from corpus.heldout import held_out_items
from demos import demos
from quantize import rounded

DEMO_TOKENS, ANSWER_TOKENS = 220, 110
# What the tables call the tasks, in their order.
TASKS = {
    "capital_raw": '"The capital of X is", all countries',
    "capital_chat": "capital of a country, chat",
    "country_chat": "country of a capital, chat",
    "addsub_think": "two-digit + and −, with thinking",
    "addsub_nothink": "two-digit + and −, without thinking",
    "mul_think": "× up to 12 × 12",
    "tool_weather": "weather tool call, exact",
    "tool_all": "all tools, exact",
    "tool_answer": "sentence from a tool result, exact",
    "json": "JSON answer, exact",
    "retrieve": "retrieval from the conversation",
    "persona": "persona from the system prompt",
    "copy": "repeat a text, exact",
    "llm": "104 LLM terms"}


class Chatter:
    """tiny-chat, answering many prompts at once."""

    def __init__(self, folder, bits=None, device="cpu"):
        torch.backends.cuda.matmul.allow_tf32 = False
        self.device = device
        self.model = AutoModelForCausalLM.from_pretrained(
            folder, dtype=torch.float32,
            attn_implementation="eager").to(device).eval()
        if bits:
            round_projections(self.model, bits)
        self.tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
        self.ends = [self.tokenizer.token_to_id(each)
                     for each in ("<|im_end|>", "<|endoftext|>")]

    def answers(self, prompts, limit, at_once=256):
        """In the order of the prompts; they run sorted by length."""
        ids = [self.tokenizer.encode(each, add_special_tokens=False).ids
               for each in prompts]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        found = {}
        for begin in range(0, len(order), at_once):
            chosen = order[begin:begin + at_once]
            texts = self._continue([ids[i] for i in chosen], limit)
            found.update(zip(chosen, texts))
        return [found[i] for i in range(len(ids))]

    @torch.no_grad()
    def _continue(self, prompts, limit):
        """Prompts padded on the left to one length."""
        longest = max(map(len, prompts))
        tokens = torch.full((len(prompts), longest), self.ends[1])
        mask = torch.zeros_like(tokens)
        for row, prompt in enumerate(prompts):
            tokens[row, longest - len(prompt):] = torch.tensor(prompt)
            mask[row, longest - len(prompt):] = 1
        written = self.model.generate(
            input_ids=tokens.to(self.device),
            attention_mask=mask.to(self.device), max_new_tokens=limit,
            do_sample=False, temperature=None, top_p=None, top_k=None,
            eos_token_id=self.ends, pad_token_id=self.ends[1])
        return [self._text(row) for row in written[:, longest:].tolist()]

    def _text(self, ids):
        """Decoded up to the first end token."""
        end = next((i for i, each in enumerate(ids) if each in self.ends),
                   len(ids))
        return self.tokenizer.decode(ids[:end], skip_special_tokens=False)


@torch.no_grad()
def round_projections(model, bits, head=False):
    """Simulated quantization of a transformers model: q, k, v, o, gate, up
    and down of every layer; head: the tied embedding too."""
    for name, weight in model.named_parameters():
        if "proj" in name or (head and "embed_tokens" in name):
            weight.copy_(rounded(weight, bits))
    return model


def is_right(item, answer):
    said = answer.split("</think>\n\n", 1)[-1]
    if item.exact:
        return said.strip() == item.expected.strip()
    return item.expected in said


def measure(folder, bits=None, device="cpu"):
    """Demo texts, scores [right, of], and each miss as [end of the prompt,
    expected, answer]."""
    chatter = Chatter(folder, bits, device)
    prompts = demos()
    texts = chatter.answers(list(prompts.values()), DEMO_TOKENS)
    tasks = held_out_items()
    items = [(task, item) for task in tasks for item in tasks[task]]
    answers = chatter.answers([item.prompt for _, item in items],
                              ANSWER_TOKENS, at_once=768)
    scores = {task: [0, len(tasks[task])] for task in tasks}
    misses = {}
    for (task, item), answer in zip(items, answers):
        if is_right(item, answer):
            scores[task][0] += 1
        else:
            misses.setdefault(task, []).append(
                [item.prompt[-160:], item.expected, answer])
    return {"demos": {name: [prompts[name], text]
                      for name, text in zip(prompts, texts)},
            "acc": scores, "misses": misses}


def measure_to(path, folder, bits, device, log):
    begin = time.time()
    result = measure(folder, bits, device)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file, ensure_ascii=False, indent=1)
    log(f"{path}: {time.time() - begin:.0f} s")
    return result["acc"]


def table(scores):
    """Markdown; scores: {column: {task: [right, of]}}"""
    lines = ["| task | " + " | ".join(scores) + " |",
             "|---" * (len(scores) + 1) + "|"]
    for task, title in TASKS.items():
        cells = ["{}/{}".format(*each[task]) for each in scores.values()]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
