"""Every family as data, and one forward pass that reads nothing else.

resolve() turns a folder of tests/checkpoints/ into a model whose switches are
plain fields, those of a layer in the layer; forward() computes it in 64 bits,
with angles in 32 bits as they are defined.  families_switches.py flips the
fields one by one and looks whether the goldens notice.

It knows the keys that the checkpoints have, and no others.
"""
import json
from types import SimpleNamespace as Fields

import torch
from safetensors.torch import load_file

from families_rope import FULL, SLIDING, make_rope, rotate

PLAIN = ("input_layernorm", None, "post_attention_layernorm", None)
FOUR = ("input_layernorm", "post_attention_layernorm",
        "pre_feedforward_layernorm", "post_feedforward_layernorm")
GLM4 = ("input_layernorm", "post_self_attn_layernorm",
        "post_attention_layernorm", "post_mlp_layernorm")
OLMO2 = (None, "post_attention_layernorm", None, "post_feedforward_layernorm")

# What Gemma 3's first files with pictures leave out.
SILENT_GEMMA3 = dict(
    num_attention_heads=8, num_key_value_heads=4, head_dim=256,
    max_position_embeddings=131072, query_pre_attn_scalar=256,
    rope_theta=1000000.0, rope_local_base_freq=10000.0)

# What a family is where config.json has no word for it.
FAMILIES = {
    "llama": {}, "mistral": {}, "qwen2": {}, "qwen3": {"qk_norm": "head"},
    "smollm3": {"theta": 2000000.0},
    "gemma2": {"norms": FOUR, "plus": 1.0, "theta": 10000.0},
    "gemma3_text": {"norms": FOUR, "plus": 1.0, "qk_norm": "head",
                    "silent": SILENT_GEMMA3},
    "gemma4_text": {"norms": FOUR, "qk_norm": "head", "v_norm": True},
    "glm4": {"norms": GLM4, "neighbours": True, "fraction": 0.5},
    "granite": {}, "internlm2": {}, "hunyuan_v1_dense": {"qk_norm": "head",
                                        "norm_first": False},
    "olmo2": {"norms": OLMO2, "qk_norm": "all"},
    "phi3": {}, "starcoder2": {"mean": True},
    "gpt_neox": {"mean": True, "fraction": 0.25},
}


# --- the file's tensors ----------------------------------------------------

RENAMED = (("language_model.model.", "model."), ("language_model.", ""),
           ("model.language_model.", "model."), ("gpt_neox.", "model."),
           ("model.", ""), ("embed_in.", "embed_tokens."),
           ("embed_out.", "lm_head."),
           ("final_layer_norm.", "norm."), (".attention.", ".self_attn."),
           (".dense_h_to_4h.", ".up_proj."),
           (".dense_4h_to_h.", ".down_proj."),
           (".c_fc.", ".up_proj."), (".c_proj.", ".down_proj."),
           (".dense.", ".o_proj."), (".query_layernorm.", ".q_norm."),
           (".key_layernorm.", ".k_norm."), ("tok_embeddings.",
                                             "embed_tokens."),
           ("output.", "lm_head."), (".wo.", ".o_proj."),
           (".feed_forward.", ".mlp."), (".w1.", ".gate_proj."),
           (".w3.", ".up_proj."), (".w2.", ".down_proj."),
           (".attention_norm.", ".input_layernorm."),
           (".ffn_norm.", ".post_attention_layernorm."))


def short_name(name):
    for old, new in RENAMED:
        if name.startswith(old) or (old[0] == "." and old in name):
            name = name.replace(old, new, 1)
    return name


def read_weights(folder):
    weights = {}
    for path in sorted(folder.glob("*.safetensors")):
        for name, tensor in load_file(path).items():
            weights[short_name(name)] = tensor.double()
    return weights


def split_fused(name, tensor, heads, kv_heads):
    """The parts of a fused matrix or bias, by the names of separate ones."""
    if "query_key_value" in name or "wqkv" in name:
        groups = tensor.view(kv_heads, heads // kv_heads + 2, -1,
                             *tensor.shape[1:])
        parts = groups[:, :-2], groups[:, -2], groups[:, -1]
        return dict(zip(("q_proj", "k_proj", "v_proj"),
                        (part.reshape(-1, *tensor.shape[1:])
                         for part in parts)))
    if "qkv_proj" in name:
        size = tensor.shape[0] // (heads + 2 * kv_heads)
        sizes = [heads * size, kv_heads * size, kv_heads * size]
        return dict(zip(("q_proj", "k_proj", "v_proj"), tensor.split(sizes)))
    return dict(zip(("gate_proj", "up_proj"), tensor.chunk(2)))


def split_all(weights, heads, kv_heads):
    fused = ("query_key_value", "qkv_proj", "wqkv", "gate_up_proj")
    for name in [n for n in weights if any(part in n for part in fused)]:
        start, _, rest = name.partition("self_attn." if "attn" in name
                                        else "mlp.")
        middle = name[len(start):len(name) - len(rest)]
        parts = split_fused(name, weights.pop(name), heads, kv_heads)
        for part, tensor in parts.items():
            weights[start + middle + part + "." + rest.split(".")[1]] = tensor


# --- config.json -----------------------------------------------------------

def layer_types(text, kind):
    """Of each layer, by the family's rule where they are not listed."""
    n = text["num_hidden_layers"]
    if text.get("layer_types"):
        return text["layer_types"]
    if kind in ("qwen2", "qwen3"):
        first = text["max_window_layers"]
        used = text.get("use_sliding_window") and text.get("sliding_window")
        return [SLIDING if used and i >= first else FULL for i in range(n)]
    every = {"gemma2": 2, "gemma3_text": text.get("sliding_window_pattern")}
    if kind in every:
        return [SLIDING if (i + 1) % every[kind] else FULL for i in range(n)]
    if kind in ("mistral", "phi3", "starcoder2") and text["sliding_window"]:
        return [SLIDING] * n
    return [FULL] * n


# --- a model ---------------------------------------------------------------

def linear(weights, name):
    return Fields(weight=weights[name + ".weight"],
                  bias=weights.get(name + ".bias"))


def norm(weights, name, m):
    if name is None or name + ".weight" not in weights:
        return None
    return Fields(weight=weights[name + ".weight"], plus=m.plus, eps=m.eps,
                  bias=weights.get(name + ".bias"), mean=m.mean)


def heads_of_layer(text, layer, layer_type):
    """(size of a head, how many of keys) of this layer."""
    size = text.get("head_dim") or (text["hidden_size"]
                                    // text["num_attention_heads"])
    kv = text.get("num_key_value_heads") or text["num_attention_heads"]
    if layer_type == FULL and "global_head_dim" in text:
        size = text["global_head_dim"]
        kv = text["num_global_key_value_heads"]
    own = text.get("per_layer_config", {}).get(str(layer), {})
    return (own.get("head_dim", size), own.get("num_key_value_heads", kv))


def has_rope(text, layer):
    if "no_rope_layers" in text:
        return bool(text["no_rope_layers"][layer])
    every = text.get("no_rope_layer_interval")
    return not every or (layer + 1) % every != 0


def attention_scale(text, head_dim):
    if text["model_type"] == "gemma4_text":
        return 1.0
    scalar = text.get("query_pre_attn_scalar", head_dim)
    return text.get("attention_multiplier", scalar ** -0.5)


def make_layer(m, weights, text, family, i):
    kind = m.types[i]
    start = f"layers.{i}."
    size, kv_heads = heads_of_layer(text, i, kind)
    names = [n and start + n for n in family.get("norms", PLAIN)]
    at = start + "self_attn."
    return Fields(
        kind=kind, size=size, heads=text["num_attention_heads"],
        kv_heads=kv_heads, window=text["sliding_window"]
        if kind == SLIDING else None, grouped=True,
        scale=attention_scale(text, size),
        cap=text.get("attn_logit_softcapping")
        if text["model_type"] == "gemma2" else None,
        rope=make_rope(text, family, kind, size) if has_rope(text, i)
        else None, norms=[norm(weights, n, m) for n in names],
        q=linear(weights, at + "q_proj"), k=linear(weights, at + "k_proj"),
        v=linear(weights, at + "v_proj")
        if at + "v_proj.weight" in weights else None,
        o=linear(weights, at + "o_proj"),
        q_norm=norm(weights, at + "q_norm", m),
        k_norm=norm(weights, at + "k_norm", m),
        qk_norm=family.get("qk_norm"),
        norm_first=family.get("norm_first", True),
        v_norm=m.eps if family.get("v_norm") else None, v_late=False,
        gate=linear(weights, start + "mlp.gate_proj")
        if start + "mlp.gate_proj.weight" in weights else None,
        up=linear(weights, start + "mlp.up_proj"),
        down=linear(weights, start + "mlp.down_proj"),
        act=text.get("hidden_activation") or (
            "gelu_pytorch_tanh" if text["model_type"].startswith("gemma")
            else text["hidden_act"]),
        residual=text.get("residual_multiplier", 1.0),
        parallel=text["model_type"] == "gpt_neox"
        and text["use_parallel_residual"],
        scalar=weights.get(start + "layer_scalar"))


def final_cap(config, text):
    """Gemma 3 with pictures ignores it."""
    if config["model_type"] == "gemma3":
        return None
    return text.get("final_logit_softcapping")


def resolve(folder):
    config = json.loads((folder / "config.json").read_text())
    text = config.get("text_config", config)
    family = FAMILIES[text["model_type"]]
    text = family.get("silent", {}) | text
    heads = text["num_attention_heads"]
    weights = read_weights(folder)
    split_all(weights, heads, text.get("num_key_value_heads", heads))
    eps = [v for k, v in text.items() if k in (
        "rms_norm_eps", "norm_epsilon", "layer_norm_eps")] or [1e-6]
    m = Fields(text=text, plus=family.get("plus", 0.0), eps=eps[0],
               mean=family.get("mean", False),
               types=layer_types(text, text["model_type"]))
    m.embedding = weights["embed_tokens.weight"]
    m.head = weights.get("lm_head.weight", m.embedding)
    m.tied = "lm_head.weight" not in weights
    m.norm = norm(weights, "norm", m)
    gemma = text["model_type"].startswith("gemma")
    m.embed_scale = (float(torch.tensor(text["hidden_size"] ** 0.5)) if gemma
                     else text.get("embedding_multiplier", 1.0))
    m.logits_scaling = text.get("logits_scaling", 1.0)
    m.cap = final_cap(config, text)
    m.layers = [make_layer(m, weights, text, family, i)
                for i in range(text["num_hidden_layers"])]
    return m


# --- the forward pass ------------------------------------------------------

def apply(f, x):
    out = x @ f.weight.T
    return out if f.bias is None else out + f.bias


def bare_norm(x, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt()


def normalize(f, x):
    if f is None:
        return x
    if f.mean:
        x = x - x.mean(-1, keepdim=True)
    x = bare_norm(x, f.eps) * (f.weight + f.plus)
    return x if f.bias is None else x + f.bias


def activate(name, x):
    if name in ("silu", "swish"):
        return x * x.sigmoid()
    tanh = "none" if name == "gelu" else "tanh"
    return torch.nn.functional.gelu(x, approximate=tanh)


def soft_cap(x, cap):
    return x if cap is None else cap * (x / cap).tanh()


def normalize_heads(l, f, x):
    """Queries or keys x (n, heads, size), each head or all together."""
    if l.qk_norm == "all":
        return normalize(f, x.flatten(1)).view(x.shape)
    return normalize(f, x)


def norm_and_turn(l, f, x):
    """Queries or keys x (n, heads * size), as (n, heads, size)."""
    x = x.view(x.shape[0], -1, l.size)
    if l.norm_first:
        x = normalize_heads(l, f, x)
    if l.rope is not None:
        x = rotate(l.rope, x)
    return x if l.norm_first else normalize_heads(l, f, x)


def values(l, raw_keys, keys, x):
    if l.v is not None:
        v = apply(l.v, x)
    else:
        v = keys.flatten(1) if l.v_late else raw_keys
    v = v.view(v.shape[0], -1, l.size)
    return v if l.v_norm is None else bare_norm(v, l.v_norm)


def share(l, x):
    """Keys or values of each query's head."""
    times = l.heads // l.kv_heads
    return (x.repeat_interleave(times, 1) if l.grouped
            else x.repeat(1, times, 1))


def mix(l, x):
    n, raw = x.shape[0], apply(l.k, x)
    q = norm_and_turn(l, l.q_norm, apply(l.q, x))
    k = norm_and_turn(l, l.k_norm, raw)
    v = share(l, values(l, raw, k, x))
    scores = torch.einsum("qhd,khd->hqk", q, share(l, k)) * l.scale
    scores = soft_cap(scores, l.cap)
    back = torch.arange(n)[:, None] - torch.arange(n)
    hidden = (back < 0) | (back >= (l.window or n))
    weights = scores.masked_fill(hidden, -torch.inf).softmax(-1)
    heads = torch.einsum("hqk,khd->qhd", weights, v)
    return apply(l.o, heads.reshape(n, -1))


def feed(l, x):
    hidden = apply(l.up, x)
    if l.gate is None:
        hidden = activate(l.act, hidden)
    else:
        hidden = activate(l.act, apply(l.gate, x)) * hidden
    return apply(l.down, hidden)


def run_layer(l, x):
    before, after, feed_before, feed_after = l.norms
    mixed = normalize(after, mix(l, normalize(before, x))) * l.residual
    second = x if l.parallel else x + mixed
    fed = normalize(feed_after, feed(l, normalize(feed_before, second)))
    x = x + mixed + fed * l.residual
    return x if l.scalar is None else x * l.scalar


@torch.no_grad()
def forward(m, ids):
    """The same names as the goldens'."""
    x = m.embedding[ids] * m.embed_scale
    seen = {"embed": x}
    for i, layer in enumerate(m.layers):
        x = seen[f"layer{i}"] = run_layer(layer, x)
    seen["norm"] = normalize(m.norm, x)
    seen["logits"] = soft_cap(seen["norm"] @ m.head.T / m.logits_scaling,
                              m.cap)
    return seen
