"""Make m2-forward/golden/windows.json: what transformers makes of each window
of 512 tokens of the held-out text.  tests/models/goldens/ppl.json has the sum
over all of them, which takes a while; the tests compare some of these.

    pip install torch==2.11.0 transformers==5.17.0
    python3 forward_windows.py
"""
import json
import pathlib

import torch
import transformers
from tokenizers import Tokenizer

ROOT = pathlib.Path(__file__).resolve().parents[3]
MODEL = ROOT / "tests" / "models" / "tiny-chat"
TEXT = ROOT / "tests" / "models" / "goldens" / "heldout.txt"
OUT = ROOT / "m2-forward" / "golden" / "windows.json"
TOKENS, WINDOW = 20_000, 512


@torch.no_grad()
def surprise(model, ids):
    """The sum of -ln p over all tokens but the first."""
    logits = model(torch.tensor([ids]), use_cache=False).logits[0, :-1]
    chances = logits.double().log_softmax(-1)
    return -chances[torch.arange(len(ids) - 1), ids[1:]].sum().item()


def main():
    torch.set_num_threads(1)
    with open(TEXT, encoding="utf-8", newline="") as file:
        text = file.read()
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    ids = tokenizer.encode(text, add_special_tokens=False).ids[:TOKENS]
    model = transformers.AutoModelForCausalLM.from_pretrained(
        MODEL, dtype=torch.float32, attn_implementation="eager").eval()
    windows = [ids[i:i + WINDOW] for i in range(0, TOKENS, WINDOW)]
    OUT.write_text(json.dumps({
        "made_by": "tests/oracle/forward/forward_windows.py",
        "torch": torch.__version__, "transformers": transformers.__version__,
        "windows": [{"tokens": len(w), "scored": len(w) - 1,
                     "nll_sum": round(surprise(model, w), 4)}
                    for w in windows]}, indent=1) + "\n")


if __name__ == "__main__":
    main()
