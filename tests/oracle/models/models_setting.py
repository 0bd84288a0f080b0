"""What every golden of the reading models shares: paths, loading, versions.

Weights are read from bf16; arithmetic is fp32 on the CPU with eager
attention.  The corpus generator of tests/models/train supplies prompts and
the simulated quantization; it knows nothing of the engine."""
import hashlib
import importlib.metadata
import json
import os
import platform
import sys

ORACLE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TREE = os.path.join(os.path.dirname(ORACLE), "models")
GOLDENS = os.path.join(TREE, "goldens")
# Other weights, of a new run of the recipe say, in the same layout.
MODELS = os.environ.get("READING_MODELS", TREE)
sys.path.insert(0, os.path.join(TREE, "train"))

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import torch  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402
from transformers import AutoModel, AutoModelForCausalLM  # noqa: E402

from measure import round_projections  # noqa: E402

PACKAGES = ("transformers", "tokenizers", "torch", "safetensors", "numpy")


def folder(name):
    return os.path.join(MODELS, name)


def tokenizer(name="tiny-chat"):
    return Tokenizer.from_file(os.path.join(folder(name), "tokenizer.json"))


def causal_model(name="tiny-chat", bits=None, head=False):
    """bits: 8 or 4 for simulated quantized weights; head: also the tied
    embedding."""
    model = AutoModelForCausalLM.from_pretrained(
        folder(name), dtype=torch.float32, attn_implementation="eager")
    return _ready(model, bits, head)


def embedding_model(bits=None):
    model = AutoModel.from_pretrained(
        folder("tiny-embed"), dtype=torch.float32,
        attn_implementation="eager")
    return _ready(model, bits, False)


def _ready(model, bits, head):
    if bits:
        round_projections(model, bits, head)
    return model.eval()


def end_ids(tokens):
    return [tokens.token_to_id(each)
            for each in ("<|im_end|>", "<|endoftext|>")]


def write_json(out, name, value, **options):
    with open(os.path.join(out, name), "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, **options)


def write_lines(out, name, values, ensure_ascii):
    with open(os.path.join(out, name), "w", encoding="utf-8") as file:
        for value in values:
            file.write(json.dumps(value, ensure_ascii=ensure_ascii) + "\n")


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def provenance():
    """What a golden depends on besides its script."""
    files = [f"{name}/{file}"
             for name in ("tiny-chat", "tiny-draft", "tiny-embed")
             for file in ("model.safetensors", "tokenizer.json")]
    return {"command": "tests/oracle/models/models_goldens.py",
            "python": platform.python_version(),
            **{name: importlib.metadata.version(name) for name in PACKAGES},
            "arithmetic": "float32 on the CPU, eager attention",
            "sha256": {file: sha256(os.path.join(MODELS, file))
                       for file in files}}
