"""Make m2-forward/golden/ops.safetensors: what torch makes of each numeric
function, on inputs with odd sizes.

    pip install torch==2.11.0 transformers==5.17.0 numpy
    python3 forward_ops.py

Names are CASE.INPUT and CASE.out.  Numbers that are no tensors (eps, scale,
window ...) stand in the tests, too; both say the same.  Rotary frequencies are
those of transformers' own functions.  The order in which a dot product adds is
this project's own: dot.out is computed here in numpy by its description, one
rounding after the other.
"""
import pathlib

import numpy as np
import torch
import transformers
from safetensors.torch import save_file
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

OUT = (pathlib.Path(__file__).resolve().parents[3]
       / "m2-forward" / "golden" / "ops.safetensors")
F = torch.nn.functional
random = torch.Generator().manual_seed(7)
goldens = {}


def normal(*shape, scale=1.0):
    return scale * torch.randn(*shape, generator=random)


def put(case, **tensors):
    for name, tensor in tensors.items():
        goldens[f"{case}.{name}"] = tensor.detach().clone()


def dot_by_description(x, y):
    lanes = [np.float32(0)] * 8
    for i, (a, b) in enumerate(zip(x, y)):
        lanes[i % 8] = np.float32(lanes[i % 8] + np.float32(a * b))
    for step in (4, 2, 1):
        for i in range(step):
            lanes[i] = np.float32(lanes[i] + lanes[i + step])
    return lanes[0]


def dots():
    """Numbers of very different sizes, so that every order of addition gives
    another sum; one row for each length 0 ... 40."""
    x = (normal(40) * 10 ** (3 * normal(40))).numpy()
    y = normal(40).numpy()
    sums = [dot_by_description(x[:n], y[:n]) for n in range(41)]
    put("dot", x=torch.from_numpy(x), y=torch.from_numpy(y),
        out=torch.tensor(np.array(sums)))


def matmuls():
    """33 columns: four full steps of eight lanes, and a tail of one."""
    x, w, b = normal(5, 33), normal(11, 33), normal(11)
    for name in ("float32", "float16", "bfloat16"):
        dtype = getattr(torch, name)
        stored = w.to(dtype)
        if dtype == torch.float16:
            stored[0, :4] = torch.tensor([6e-8, -6.1e-5, 65504.0, 0.0])
        bias = b.to(dtype)
        out = F.linear(x.double(), stored.double(), bias.double()).float()
        put(f"matmul.{name}", x=x, w=stored, b=bias, out=out,
            row=stored[0].float())


def norms():
    x, w, b = normal(4, 29, scale=3.0) + 1, normal(29), normal(29)
    put("rmsnorm", x=x, w=w.bfloat16(),
        out=F.rms_norm(x, (29,), w.bfloat16().float(), 0.01))
    put("rmsnorm_plus_one", x=x, w=w,
        out=F.rms_norm(x, (29,), 1 + w, 1e-6))
    put("rmsnorm_bare", x=x, out=F.rms_norm(x, (29,), None, 1e-6))
    put("layernorm", x=x, w=w.half(), b=b,
        out=F.layer_norm(x, (29,), w.half().float(), b, 0.1))


def activations():
    x = torch.cat([normal(60, scale=3.0), torch.tensor(
        [0.0, -0.0, 1e-8, -30.0, 30.0, -90.0, 90.0, 1e4, -1e4])])
    put("silu", x=x, out=F.silu(x.double()).float())
    put("gelu", x=x, out=F.gelu(x.double()).float())
    put("gelu_tanh", x=x,
        out=F.gelu(x.double(), approximate="tanh").float())
    put("soft_cap", x=x, out=(50 * torch.tanh(x.double() / 50)).float())
    put("softmax", x=x[:60], out=F.softmax(x[:60].double(), -1).float())
    put("softmax_far", x=x, out=F.softmax(x.double(), -1).float())


# Each must stand in test_rope.c, too.
ROPES = {
    "default": dict(rope_type="default", rope_theta=10000.0),
    "linear": dict(rope_type="linear", rope_theta=500000.0, factor=2.5),
    "llama3": dict(rope_type="llama3", rope_theta=500000.0, factor=32.0,
                   low_freq_factor=1.0, high_freq_factor=4.0,
                   original_max_position_embeddings=8192),
    "yarn": dict(rope_type="yarn", rope_theta=1000000.0, factor=4.0,
                 original_max_position_embeddings=32768),
    "yarn_given": dict(rope_type="yarn", rope_theta=10000.0, factor=8.0,
                       original_max_position_embeddings=64, beta_fast=16.0,
                       beta_slow=2.0, attention_factor=0.75, truncate=False),
    "yarn_mscale": dict(rope_type="yarn", rope_theta=10000.0, factor=40.0,
                        original_max_position_embeddings=4096, mscale=0.8,
                        mscale_all_dim=1.3),
}


def rope(config):
    parameters = config.rope_parameters
    if parameters["rope_type"] == "default":
        embedding = transformers.models.llama.modeling_llama
        return embedding.LlamaRotaryEmbedding.compute_default_rope_parameters(
            config)
    return ROPE_INIT_FUNCTIONS[parameters["rope_type"]](config)


def frequencies():
    """Of heads of 64 numbers, as rope_init() should give them."""
    for name, parameters in ROPES.items():
        config = transformers.LlamaConfig(
            hidden_size=256, num_attention_heads=4,
            max_position_embeddings=131072, rope_parameters=dict(parameters))
        inverse, length = rope(config)
        put(f"rope.{name}", out=inverse, length=torch.tensor([float(length)]))


def half(x):
    a, b = x.chunk(2, -1)
    return torch.cat([-b, a], -1)


def neighbours(x):
    return torch.stack([-x[..., 1::2], x[..., 0::2]], -1).flatten(-2)


def rotations():
    """Three heads of 14 numbers, of which 14 or the first 8 turn, at the
    positions 5 ... 11."""
    x = normal(7, 3, 14)
    for name, dim, turn, double in (
            ("half", 14, half, lambda a: torch.cat([a, a], -1)),
            ("neighbours", 8, neighbours,
             lambda a: a.repeat_interleave(2, -1))):
        inverse = 1.0 / (10000.0 ** (torch.arange(0, dim, 2).float() / dim))
        angles = torch.arange(5, 12).float()[:, None] * inverse
        angles = double(angles)[:, None, :]
        moved, kept = x[..., :dim], x[..., dim:]
        moved = moved * angles.cos() + turn(moved) * angles.sin()
        put(f"rotate.{name}", x=x, frequencies=inverse,
            out=torch.cat([moved, kept], -1))


def attention(q, k, v, scale, cap, window):
    """q (heads, d), k and v (positions, kv heads, d): the last position's."""
    share = q.shape[0] // k.shape[1]
    k, v = (t.repeat_interleave(share, 1).double() for t in (k, v))
    scores = torch.einsum("hd,phd->hp", q.double(), k) * scale
    if cap:
        scores = cap * torch.tanh(scores / cap)
    if window:
        scores[:, :-window] = -torch.inf
    weights = F.softmax(scores, -1)
    return weights.float(), torch.einsum("hp,phd->hd", weights, v).float()


def attentions():
    for name, heads, kv, d, scale, cap, window in (
            ("plain", 4, 4, 12, 12 ** -0.5, 0.0, 0),
            ("shared", 6, 3, 10, 10 ** -0.5, 0.0, 0),
            ("one_kv", 5, 1, 7, 0.3, 0.0, 0),
            ("window", 4, 2, 12, 12 ** -0.5, 0.0, 6),
            ("cap", 4, 2, 12, 12 ** -0.5, 9.0, 0)):
        q = normal(heads, d, scale=3.0)
        k, v = normal(17, kv, d, scale=3.0), normal(17, kv, d)
        weights, out = attention(q, k, v, scale, cap, window)
        put(f"attend.{name}", q=q, k=k, v=v, weights=weights, out=out)


def more_attentions():
    """Scores that are not scaled; and everything at once."""
    for name, heads, kv, d, scale, cap, window in (
            ("unscaled", 4, 2, 12, 1.0, 0.0, 0),
            ("all", 6, 2, 9, 0.4, 7.0, 5)):
        q, k, v = normal(heads, d), normal(17, kv, d), normal(17, kv, d)
        weights, out = attention(q, k, v, scale, cap, window)
        put(f"attend.{name}", q=q, k=k, v=v, weights=weights, out=out)


def number_by_number():
    x, y = normal(11, scale=3.0), normal(11)
    put("add_scaled", x=x, y=y, out=(x.double() + 0.6 * y.double()).float())
    put("multiply", x=x, y=y, out=x * y)
    put("scale", x=x, out=x * 2.3)


def fused():
    """Queries, keys and values of three heads of four numbers, in one matrix
    and one bias, head by head."""
    x, w, b = normal(5, 9), normal(36, 9).half(), normal(36)
    rows, biases = w.view(3, 3, 4, 9), b.view(3, 3, 4)
    put("fused", x=x, w=w, b=b)
    for i, part in enumerate("qkv"):
        out = F.linear(x.double(), rows[:, i].reshape(12, 9).double(),
                       biases[:, i].reshape(12).double())
        put(f"fused.{part}", out=out.float(), row=rows[2, i, 3].float())


def main():
    for part in (dots, matmuls, norms, activations, frequencies, rotations,
                 attentions, more_attentions, number_by_number, fused):
        part()
    OUT.parent.mkdir(exist_ok=True)
    save_file(goldens, OUT, {"made_by": "tests/oracle/forward/forward_ops.py",
                             "torch": torch.__version__,
                             "transformers": transformers.__version__})
    OUT.chmod(0o644)
    print(OUT.name, len(goldens), "tensors,", OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
