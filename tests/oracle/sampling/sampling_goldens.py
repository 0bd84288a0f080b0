"""Make m3-sampling/golden/sampling.safetensors: what transformers' logits
processors make of random scores.

    pip install torch==2.11.0 transformers==5.17.0 numpy
    python3 sampling_goldens.py

scores (rows, V), ids (rows, n) are the inputs: ids are texts, of which the
first N_PROMPT are the prompt.  NAME (rows, V) is, for each case below, the
probability of each token when all processors have run, 0 for what they have
removed.  The processors and their order are what transformers' own generate()
would use: _get_logits_processor of a generation config.  Presence and
frequency penalties, which it does not have, follow OpenAI's formula in numpy,
between the repetition penalty and what comes after it.  So does a bias, where
the two meet: transformers has its own before the repetition penalty.

Everything is computed in 64 bits, and once more in 32: if these disagree
about which tokens survive, the scores are too close to a border and the seed
is refused.
"""
import pathlib

import numpy as np
import torch
import transformers
from safetensors.torch import save_file

OUT = (pathlib.Path(__file__).resolve().parents[3]
       / "m3-sampling" / "golden" / "sampling.safetensors")
SEED, V, N_PROMPT = 3, 100, 6

CASES = {
    "temperature": {"temperature": 0.7},
    "hot": {"temperature": 1.9},
    "top_k": {"top_k": 7},
    "top_k_1": {"top_k": 1},
    "top_k_all": {"top_k": 1000},
    "top_p": {"top_p": 0.905},
    "top_p_half": {"top_p": 0.503},
    "top_p_tiny": {"top_p": 1e-9},
    "top_p_zero": {"top_p": 0.0},
    "min_p": {"min_p": 0.08},
    "min_p_1": {"min_p": 1.0},
    "typical": {"typical_p": 0.6},
    "typical_most": {"typical_p": 0.95},
    "repetition": {"repetition_penalty": 1.3},
    "reward": {"repetition_penalty": 0.8},
    "presence": {"presence": 0.7},
    "frequency": {"frequency": 0.4},
    "both": {"presence": -0.5, "frequency": 0.9},
    "bias": {"sequence_bias": {(3,): 2.5, (90,): -7.0}},
    "forbid": {"suppress_tokens": list(range(0, V, 3))},
    "forbid_all_but_one": {"suppress_tokens":
                           [i for i in range(V) if i != 77]},
    "chain": {"temperature": 0.8, "top_k": 40, "top_p": 0.905, "min_p": 0.02},
    "whole": {"repetition_penalty": 1.2, "presence": 0.3, "frequency": 0.2,
              "late_bias": {9: 1.5, 3: -1.0}, "temperature": 1.3,
              "top_k": 60, "top_p": 0.95, "min_p": 0.01, "typical_p": 0.9},
}
OURS = ("presence", "frequency", "late_bias")


class Ours(transformers.LogitsProcessor):
    """Presence and frequency (OpenAI's API reference), then biases."""

    def __init__(self, presence=0.0, frequency=0.0, late_bias=None):
        self.presence, self.frequency = presence, frequency
        self.bias = late_bias or {}

    def __call__(self, ids, scores):
        out = scores.numpy().copy()
        for row, text in zip(out, ids.numpy()):
            count = np.bincount(text[N_PROMPT:], minlength=V)
            row -= self.presence * (count > 0) + self.frequency * count
            for token, value in self.bias.items():
                row[token] += value
        return torch.from_numpy(out)


def model():
    config = transformers.LlamaConfig(
        vocab_size=V, hidden_size=8, intermediate_size=8, num_hidden_layers=1,
        num_attention_heads=1, num_key_value_heads=1)
    return transformers.LlamaForCausalLM(config)


def processors(case):
    own = {k: v for k, v in case.items() if k in OURS}
    theirs = {"do_sample": True, "top_k": 0, **case}
    config = transformers.GenerationConfig(
        **{k: v for k, v in theirs.items() if k not in OURS})
    found = list(MODEL._get_logits_processor(
        generation_config=config, input_ids_seq_length=N_PROMPT,
        logits_processor=transformers.LogitsProcessorList(), device="cpu"))
    if own:
        repetition = transformers.RepetitionPenaltyLogitsProcessor
        at = sum(isinstance(p, repetition) for p in found)
        found.insert(at, Ours(**own))
    return found


def run(case, ids, scores):
    for processor in processors(case):
        scores = processor(ids, scores)
    return scores.softmax(-1)


def inputs():
    """Rows: flat, as a model's, steep; with ties; all equal; one far above."""
    random = torch.Generator().manual_seed(SEED)
    scores = torch.randn(6, V, generator=random) \
        * torch.tensor([1, 3, 8, 2, 0, 1])[:, None]
    scores[3] = (scores[3] * 2).round() / 2
    scores[4] = -1.25
    scores[5, 42] = 20
    ids = torch.randint(0, V, (6, 14), generator=random)
    ids[:, 7] = ids[:, 6]
    ids[:, 8] = ids[:, 6]
    ids[:, 9] = ids[:, 0]
    ids[:2, 10] = torch.tensor([9, 3])
    return scores, ids


def main():
    scores, ids = inputs()
    goldens = {"scores": scores, "ids": ids.to(torch.int32)}
    for name, case in CASES.items():
        exact = run(case, ids, scores.double())
        single = run(case, ids, scores.clone())
        tied = [3, 4] if "top_p" in case else []
        for row in range(len(scores)):
            same = (exact[row] > 0).equal(single[row] > 0)
            if not same and row not in tied:
                raise SystemExit(f"{name}, row {row}: another seed, please")
        goldens[name] = exact.float()
        print(name, [int(n) for n in (exact > 0).sum(-1)])
    save_file(goldens, OUT, metadata={
        "made by": "tests/oracle/sampling/sampling_goldens.py",
        "transformers": transformers.__version__,
        "torch": torch.__version__, "numpy": np.__version__})
    OUT.chmod(0o644)


MODEL = model()
if __name__ == "__main__":
    main()
