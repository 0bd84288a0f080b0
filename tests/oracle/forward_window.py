"""Make m2-forward/golden/window.json: what transformers makes of the first
512 tokens of the held-out text, as tests/models/goldens/ppl.json does for all
of it.  Where a run of all is too slow, the tests compare this part.

    pip install torch==2.11.0 transformers==5.17.0
    python3 forward_window.py
"""
import json
import pathlib

import torch
import transformers
from tokenizers import Tokenizer

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "tests" / "models" / "tiny-chat"
TEXT = ROOT / "tests" / "models" / "goldens" / "heldout.txt"
OUT = ROOT / "m2-forward" / "golden" / "window.json"


def main():
    with open(TEXT, encoding="utf-8", newline="") as file:
        text = file.read()
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    ids = tokenizer.encode(text, add_special_tokens=False).ids[:512]
    model = transformers.AutoModelForCausalLM.from_pretrained(
        MODEL, dtype=torch.float32, attn_implementation="eager").eval()
    with torch.no_grad():
        logits = model(torch.tensor([ids]), use_cache=False).logits[0, :-1]
    chances = logits.double().log_softmax(-1)
    scored = torch.tensor(ids[1:])
    total = -chances[torch.arange(len(scored)), scored].sum().item()
    OUT.write_text(json.dumps({
        "made_by": "tests/oracle/forward_window.py",
        "torch": torch.__version__, "transformers": transformers.__version__,
        "tokens": len(ids), "scored": len(scored),
        "nll_sum": round(total, 4)}, indent=1) + "\n")


if __name__ == "__main__":
    main()
