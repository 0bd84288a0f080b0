"""The flips of families_switches.py: ways to set one switch of a resolved
model otherwise, as a program would that had it wrong.

A flip changes a model and returns whether the model uses the switch at all.
test_flip.h of m2 has the same flips, by the same names.
"""
import torch

from families_rope import FULL, SLIDING, make_rope

NORMS = ("mix norm", "mix post norm", "feed norm", "feed post norm")


def set_fields(objects, name, value):
    """Set a field of all objects; true if one of them had another value."""
    changed = False
    for each in objects:
        new = value(each) if callable(value) else value
        changed |= getattr(each, name) != new
        setattr(each, name, new)
    return changed


def norms_of(m):
    inner = [n for l in m.layers for n in (*l.norms, l.q_norm, l.k_norm)]
    return [n for n in (*inner, m.norm) if n is not None]


def ropes_of(m):
    return [l.rope for l in m.layers if l.rope is not None]


def drop_bias(objects):
    objects = [f for f in objects if f is not None]
    found = any(f.bias is not None for f in objects)
    for f in objects:
        f.bias = None
    return found


def flip_plus(m):
    return set_fields(norms_of(m), "plus", lambda n: 1.0 - n.plus)


def flip_eps(m):
    large = m.eps >= 1e-3
    set_fields(norms_of(m), "eps", 1e-6)
    return large


def flip_qk_eps(m):
    norms = [n for l in m.layers for n in (l.q_norm, l.k_norm)]
    return m.eps >= 1e-3 and set_fields(
        [n for n in norms if n is not None], "eps", 1e-6)


def flip_v_norm_eps(m):
    layers = [l for l in m.layers if l.v_norm is not None]
    return m.eps >= 1e-3 and set_fields(layers, "v_norm", 1e-6)


def remove_norm(which):
    def flip(m):
        found = any(l.norms[which] is not None for l in m.layers)
        for l in m.layers:
            l.norms[which] = None
        return found
    return flip


def flip_final_norm(m):
    m.norm = None
    return True


def flip_qk_norm(m):
    used = any(l.q_norm is not None for l in m.layers)
    for l in m.layers:
        l.q_norm = l.k_norm = None
    return used


def flip_qk_span(m):
    """Over all heads instead of per head; weights are repeated."""
    used = any(l.qk_norm == "head" for l in m.layers)
    for l in m.layers:
        if l.qk_norm == "head":
            l.q_norm.weight = l.q_norm.weight.repeat(l.heads)
            l.k_norm.weight = l.k_norm.weight.repeat(l.kv_heads)
            l.qk_norm = "all"
    return used


def flip_qk_heads(m):
    """Per head instead of over all heads, with the first one's weights."""
    used = any(l.qk_norm == "all" for l in m.layers)
    for l in m.layers:
        if l.qk_norm == "all":
            l.q_norm.weight = l.q_norm.weight[:l.size]
            l.k_norm.weight = l.k_norm.weight[:l.size]
            l.qk_norm = "head"
    return used


def norm_heads(first):
    """Each head is normalized before it turns, or after."""
    def flip(m):
        layers = [l for l in m.layers if l.qk_norm == "head" and l.rope]
        return set_fields(layers, "norm_first", first)
    return flip


def flip_activation(m):
    other = {"silu": "gelu", "gelu": "gelu_pytorch_tanh"}
    return set_fields(m.layers, "act", lambda l: other.get(l.act, "gelu"))


def swap_gate(m):
    used = any(l.gate is not None for l in m.layers)
    for l in m.layers:
        l.gate, l.up = (l.up, l.gate) if used else (l.gate, l.up)
    return used


def swap_keys_and_values(m):
    layers = [l for l in m.layers if l.v is not None]
    for l in layers:
        l.k, l.v = l.v, l.k
    return bool(layers)


def flip_scale(m):
    return set_fields(m.layers, "scale", lambda l: l.size ** -0.5)


def flip_theta(m):
    return set_fields(ropes_of(m), "theta",
                      lambda r: 500000.0 if r.theta == 10000 else 10000.0)


def swap_kinds(m):
    """Each kind of layers gets the other's theta."""
    by_kind = {l.kind: l.rope.theta for l in m.layers if l.rope}
    other = {FULL: SLIDING, SLIDING: FULL}
    return len(set(by_kind.values())) > 1 and set_fields(
        [l.rope for l in m.layers], "theta",
        lambda r: next(by_kind[other[l.kind]] for l in m.layers
                       if l.rope is r))


def flip_fraction(m):
    return set_fields([r for r in ropes_of(m) if r.kind != "proportional"],
                      "dim", lambda r: whole_head(m, r))


def whole_head(m, rope):
    if rope.kind == "longrope":
        return rope.dim
    return next(l.size for l in m.layers if l.rope is rope)


def flip_proportion(m):
    """The whole head turns; and pairs within the first part of it."""
    ropes = [r for r in ropes_of(m) if r.kind == "proportional"]
    return set_fields(ropes, "turning", lambda r: r.dim // 2)


def flip_proportion_pairs(m):
    ropes = [r for r in ropes_of(m) if r.kind == "proportional"]
    set_fields(ropes, "dim", lambda r: 2 * r.turning)
    return set_fields(ropes, "kind", "default")


def flip_scaling(m):
    used = [r for r in ropes_of(m) if r.kind not in ("default",
                                                     "proportional")]
    set_fields(used, "factor", 1.0)
    return set_fields(used, "kind", "default")


def flip_proportion_factor(m):
    used = [r for r in ropes_of(m) if r.kind == "proportional"
            and "factor" in r.rope]
    for r in used:
        r.rope["factor"] = 1.0
    return bool(used)


def flip_attention_factor(m):
    used = [r for r in ropes_of(m) if r.kind in ("yarn", "longrope")]
    return set_fields(used, "factor", 1.0)


def one_list(wrong, right):
    def flip(m):
        used = [r for r in ropes_of(m) if r.kind == "longrope"]
        for r in used:
            r.rope[wrong] = r.rope[right]
        return bool(used)
    return flip


def flip_truncate(m):
    used = [r for r in ropes_of(m) if r.kind == "yarn"]
    for r in used:
        r.rope["truncate"] = not r.rope.get("truncate", True)
    return bool(used)


def turn_all(m):
    """Layers without positions get them."""
    lacking = [l for l in m.layers if l.rope is None]
    for l in lacking:
        l.rope = make_rope(m.text, {"theta": 2000000.0}, l.kind, l.size)
    return bool(lacking)


def turn_none(m):
    return set_fields(m.layers, "rope", None)


def resize_window(by):
    def flip(m):
        used = [l for l in m.layers if l.window is not None]
        return set_fields(used, "window", lambda l: l.window + by)
    return flip


def window_everywhere(m):
    windows = {l.window for l in m.layers} - {None}
    return bool(windows) and set_fields(m.layers, "window", min(windows,
                                                                default=0))


def tie(m):
    m.head, tied = m.embedding, m.tied
    return not tied


def share_otherwise(m):
    uneven = [l for l in m.layers if 1 < l.kv_heads < l.heads]
    return set_fields(uneven, "grouped", False)


def fuse_in_blocks(m):
    """Rows of a fused matrix: all queries, all keys, all values.  Where all
    queries share one head of keys, that is how they stand anyway."""
    grouped = m.text["model_type"] in ("gpt_neox", "internlm2")
    if not grouped or all(l.kv_heads == 1 for l in m.layers):
        return False
    for l in m.layers:
        for part in ("weight", "bias"):
            rows = [getattr(f, part) for f in (l.q, l.k, l.v)]
            if rows[0] is None:
                continue
            groups = [r.view(l.kv_heads, -1, *r.shape[1:]) for r in rows]
            file = torch.cat(groups, 1).flatten(0, 1)
            for f, rows in zip((l.q, l.k, l.v),
                               file.split([len(r) for r in rows])):
                setattr(f, part, rows)
    return True


def layers_named(field, value):
    return lambda m: set_fields(m.layers, field, value)


def model_named(field, value):
    return lambda m: set_fields([m], field, value)


FLIPS = {
    "none": lambda m: True,
    "norm 1+w or w": flip_plus,
    "eps": flip_eps, "qk norm eps": flip_qk_eps,
    "v norm eps": flip_v_norm_eps,
    "LayerNorm's mean": lambda m: set_fields(norms_of(m), "mean", False),
    "norm bias": lambda m: drop_bias(norms_of(m)),
    **{name: remove_norm(i) for i, name in enumerate(NORMS)},
    "final norm": flip_final_norm,
    "qk norm": flip_qk_norm, "qk norm over all heads": flip_qk_span,
    "qk norm per head": flip_qk_heads,
    "qk norm after rotation": norm_heads(False),
    "qk norm before rotation": norm_heads(True),
    "v norm": layers_named("v_norm", None),
    "v from normed keys": lambda m: set_fields(
        [l for l in m.layers if l.v is None], "v_late", True),
    "qkv bias": lambda m: drop_bias(
        [f for l in m.layers for f in (l.q, l.k, l.v)]),
    "o bias": lambda m: drop_bias([l.o for l in m.layers]),
    "mlp bias": lambda m: drop_bias(
        [f for l in m.layers for f in (l.gate, l.up, l.down)]),
    "activation": flip_activation, "gate and up swapped": swap_gate,
    "embedding scale": model_named("embed_scale", 1.0),
    "residual multiplier": layers_named("residual", 1.0),
    "logits scaling": model_named("logits_scaling", 1.0),
    "attention scale": flip_scale,
    "attention cap": layers_named("cap", None),
    "final cap": model_named("cap", None),
    "layer scalar": layers_named("scalar", None),
    "rotation": turn_none, "rotation where there is none": turn_all,
    "halves or neighbours": lambda m: set_fields(
        ropes_of(m), "neighbours", lambda r: not r.neighbours),
    "rotary fraction": flip_fraction, "theta": flip_theta,
    "theta of the other kind": swap_kinds,
    "rotary proportion": flip_proportion,
    "rotary proportion's pairs": flip_proportion_pairs,
    "rotary proportion's factor": flip_proportion_factor,
    "rotary scaling": flip_scaling, "attention factor": flip_attention_factor,
    "short factors only": one_list("long_factor", "short_factor"),
    "long factors only": one_list("short_factor", "long_factor"),
    "yarn truncate": flip_truncate,
    "window": layers_named("window", None),
    "window one wider": resize_window(1),
    "window one narrower": resize_window(-1),
    "window in every layer": window_everywhere,
    "parallel": lambda m: set_fields(
        m.layers, "parallel", lambda l: not l.parallel),
    "separate head": tie,
    "keys and values swapped": swap_keys_and_values,
    "heads that share keys": share_otherwise,
    "fused in blocks": fuse_in_blocks,
}
