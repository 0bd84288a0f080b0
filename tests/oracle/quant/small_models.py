"""Small random models of the families of tests/checkpoints, in sizes that
divide into blocks and groups: what schemes_families.py quantizes.

Names and configurations are the checkpoints'; the numbers are new."""

import json
import pathlib
import struct

import numpy as np

CHECKPOINTS = pathlib.Path(__file__).parents[2] / "checkpoints"
SIZES = {"hidden_size": 32, "intermediate_size": 64, "vocab_size": 64,
         "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 16,
         "num_hidden_layers": 1}

# Rows and columns of a matrix by its name; a bias has its rows.
H, Q, KV, FED, VOCAB = 32, 32, 16, 64, 64
SHAPES = {
    "embed_tokens": (VOCAB, H), "lm_head": (VOCAB, H), "q_proj": (Q, H),
    "k_proj": (KV, H), "v_proj": (KV, H), "o_proj": (H, Q),
    "gate_proj": (FED, H), "up_proj": (FED, H), "down_proj": (H, FED),
    "qkv_proj": (Q + 2 * KV, H), "gate_up_proj": (2 * FED, H),
    "c_fc": (FED, H), "c_proj": (H, FED),
    "embed_in": (VOCAB, H), "embed_out": (VOCAB, H), "dense": (H, H),
    "query_key_value": (3 * H, H), "dense_h_to_4h": (FED, H),
    "dense_4h_to_h": (H, FED),
    "tok_embeddings": (VOCAB, H), "output": (VOCAB, H), "wo": (H, Q),
    "wqkv": (Q + 2 * KV, H), "w1": (FED, H), "w3": (FED, H), "w2": (H, FED),
    "query_layernorm": (16,), "key_layernorm": (16,)}

# What a family has otherwise.
MORE = {
    "gemma3-1": {"num_hidden_layers": 2, "sliding_window_pattern": 2},
    "smollm3-1": {"num_hidden_layers": 2, "no_rope_layer_interval": 2},
    "phi3-1": {"partial_rotary_factor": 0.5},
    "hunyuan-1": {"attention_head_dim": 16, "org_vocab_size": VOCAB},
}


def names_of(folder):
    """The names of all tensors."""
    for path in sorted(folder.glob("*.safetensors")):
        raw = path.read_bytes()
        size = struct.unpack("<Q", raw[:8])[0]
        yield from (name for name in json.loads(raw[8:8 + size])
                    if name != "__metadata__")


def layer_of(name):
    """The number in "model.layers.7.", or -1."""
    words = name.split(".")
    return int(words[words.index("layers") + 1]) if "layers" in words else -1


def shape_of(name, family):
    """A tensor's shape in the small model."""
    part, kind = name.split(".")[-2:]
    if part in ("q_norm", "k_norm"):
        heads = {"q_norm": Q, "k_norm": KV} if family == "olmo2-1" else {}
        return (heads.get(part, 16),)
    shape = SHAPES.get(part, (H,))
    return shape[:1] if kind == "bias" else shape


def numbers(dice, name, shape, family):
    """Floats (shape), of a size that keeps attention lively."""
    if len(shape) == 2:
        return dice.normal(0, 1.5 / shape[1] ** .5, shape)
    if name.endswith(".bias"):
        return dice.normal(0, .3, shape)
    return dice.uniform(.5, 1.5, shape) - family.startswith("gemma")


def small_model(family):
    """config.json's value, and the tensors in F32 by their names."""
    folder = CHECKPOINTS / family
    config = json.loads((folder / "config.json").read_text())
    text = config.get("text_config", config)
    text |= {key: value for key, value in SIZES.items()
             if key in text or key == "num_key_value_heads"}
    text |= MORE.get(family, {})
    if family == "gptneox-1":
        del config["num_key_value_heads"]
    dice = np.random.default_rng(sum(family.encode()))
    tensors = {}
    for name in sorted(names_of(folder)):
        if layer_of(name) < text["num_hidden_layers"]:
            shape = shape_of(name, family)
            tensors[name] = numbers(dice, name, shape, family).astype("f4")
    return config, tensors
