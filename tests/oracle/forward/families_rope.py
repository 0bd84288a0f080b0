"""Rotary positions of every family: what config.json says of them, in any
spelling, and what becomes of a head.  families_reference.py computes with it.

Frequencies and angles are 32-bit numbers, as they are defined.
"""
import math
from types import SimpleNamespace as Fields

import torch

SLIDING, FULL = "sliding_attention", "full_attention"


def rope_numbers(text, family, layer_type):
    """What config.json says of rotary positions of one kind of layers, in
    any spelling, as one dictionary."""
    rope = text.get("rope_parameters") or {}
    rope = dict(rope.get(layer_type, rope))
    local = layer_type == SLIDING and "rope_local_base_freq" in text
    if not local:
        rope.update(text.get("rope_scaling") or {})
    outer = text.get("rotary_emb_base", text.get("rope_theta"))
    theta = text["rope_local_base_freq"] if local else outer
    rope.setdefault("rope_theta", theta or family.get("theta"))
    rope.setdefault("rope_type", rope.get("type", "default"))
    fraction = text.get("partial_rotary_factor", text.get("rotary_pct"))
    rope.setdefault("partial_rotary_factor",
                    fraction or family.get("fraction", 1.0))
    rope.setdefault("original_max_position_embeddings",
                    text.get("original_max_position_embeddings",
                             text["max_position_embeddings"]))
    return rope


def make_rope(text, family, layer_type, head_dim):
    rope = rope_numbers(text, family, layer_type)
    kind = "alpha" if rope.get("alpha") else rope["rope_type"]
    dim = int(head_dim * rope["partial_rotary_factor"])
    return Fields(kind=kind, theta=rope["rope_theta"], rope=rope,
                  dim=head_dim if kind == "proportional" else dim,
                  turning=dim // 2, places=text["max_position_embeddings"],
                  neighbours=family.get("neighbours", False), factor=None)


# --- frequencies ---------------------------------------------------------

def powers(theta, dim, over):
    return theta ** (torch.arange(0, dim, 2).float() / over)


def yarn(r, inverse):
    p, dim = r.rope, r.dim
    def turns_at(turns):
        length = p["original_max_position_embeddings"]
        return (dim * math.log(length / (turns * 2 * math.pi))
                / (2 * math.log(r.theta)))
    low, high = (turns_at(p.get("beta_fast") or 32),
                 turns_at(p.get("beta_slow") or 1))
    if p.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, dim - 1)
    high += 0.001 if low == high else 0
    ramp = ((torch.arange(dim // 2).float() - low) / (high - low)).clamp(0, 1)
    keep = 1 - ramp
    slow = 1.0 / (p["factor"] * powers(r.theta, dim, dim))
    return slow * (1 - keep) + inverse * keep


def llama3(r, inverse):
    p = r.rope
    length, factor = p["original_max_position_embeddings"], p["factor"]
    low, high = p["low_freq_factor"], p["high_freq_factor"]
    wave = 2 * math.pi / inverse
    smooth = (length / wave - low) / (high - low)
    middle = (1 - smooth) * inverse / factor + smooth * inverse
    slow = torch.where(wave > length / low, inverse / factor, inverse)
    between = (wave >= length / high) & (wave <= length / low)
    return torch.where(between, middle, slow)


def longrope(r, n):
    p = r.rope
    long = n > p["original_max_position_embeddings"]
    factors = p["long_factor"] if long else p["short_factor"]
    return 1.0 / (torch.tensor(factors) * powers(r.theta, r.dim, r.dim))


def dynamic(r, n):
    more = torch.tensor(max(n, r.places)) * r.rope["factor"] / r.places
    theta = r.theta * (more - (r.rope["factor"] - 1)) ** (r.dim / (r.dim - 2))
    return 1.0 / powers(theta if n > r.places else r.theta, r.dim, r.dim)


def alpha(r):
    return 1.0 / powers(r.theta * r.rope["alpha"] ** (r.dim / (r.dim - 2)),
                        r.dim, r.dim)


def inverse_frequencies(r, n):
    inverse = 1.0 / powers(r.theta, r.dim, r.dim)
    if r.kind == "proportional":
        inverse[r.turning:] = 0
        return inverse / r.rope.get("factor", 1.0)
    return {"default": lambda: inverse,
            "linear": lambda: inverse / r.rope["factor"],
            "yarn": lambda: yarn(r, inverse),
            "llama3": lambda: llama3(r, inverse),
            "longrope": lambda: longrope(r, n),
            "alpha": lambda: alpha(r),
            "dynamic": lambda: dynamic(r, n)}[r.kind]()


def attention_factor(r):
    p, given = r.rope, r.rope.get("attention_factor")
    if r.factor is not None or given is not None:
        return given if r.factor is None else r.factor
    if r.kind == "yarn":
        return 0.1 * math.log(p["factor"]) + 1 if p["factor"] > 1 else 1.0
    if r.kind != "longrope":
        return 1.0
    length = p["original_max_position_embeddings"]
    factor = p.get("factor") or r.places / length
    if factor <= 1:
        return 1.0
    return math.sqrt(1 + math.log(factor) / math.log(length))


# --- turning ---------------------------------------------------------------

def rotate(r, x):
    """x (n, heads, size): the first numbers of each head turn."""
    n = x.shape[0]
    angles = torch.arange(n).float()[:, None] * inverse_frequencies(r, n)
    cos, sin = angles.cos(), angles.sin()
    cos, sin = ((t * attention_factor(r)).to(x.dtype)[:, None]
                for t in (cos, sin))
    width = 2 * cos.shape[-1]
    turned, rest = x[..., :width], x[..., width:]
    if r.neighbours:
        a, b = turned[..., 0::2], turned[..., 1::2]
        out = torch.stack([a * cos - b * sin, b * cos + a * sin], -1)
        return torch.cat([out.flatten(-2), rest], -1)
    a, b = turned.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin, rest], -1)
