"""Qwen3 in plain PyTorch, over a flat stream of packed documents.

The matrices of one kind lie in one tensor (layers, out, in): optimizer and
quantizer are then a few batched operations.  Attention never looks past
the start of a token's own document, and positions begin at 0 in each."""
import math
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class Shape:
    hidden: int = 256
    layers: int = 8
    heads: int = 4
    kv_heads: int = 2
    feed_forward: int = 768
    head_dim: int = 64
    vocabulary: int = 4096
    rope_theta: float = 10000.0
    eps: float = 1e-6
    context: int = 1024


CHAT = Shape()
EMBED = Shape(hidden=128, layers=4, heads=2, kv_heads=1, feed_forward=384)
DRAFT = replace(EMBED, layers=2)

MATRICES = ("q", "k", "v", "o", "gate", "up", "down")


def flash_attention(q, k, v, bounds, longest):
    """Causal attention inside each document, on the GPU.

    q, k, v (tokens, heads, head_dim), bf16; document i is the tokens
    bounds[i] to bounds[i + 1] - 1."""
    return torch.ops.aten._flash_attention_forward(
        q, k, v, bounds, bounds, longest, longest, 0.0, True, False)[0]


def plain_attention(q, k, v, bounds, _longest):
    """The same, document by document: slow, runs anywhere, checks flash."""
    rows = []
    for start, end in zip(bounds.tolist(), bounds.tolist()[1:]):
        if end > start:
            part = [each[start:end].transpose(0, 1)[None].float()
                    for each in (q, k, v)]
            rows.append(F.scaled_dot_product_attention(
                *part, is_causal=True)[0].transpose(0, 1))
    return torch.cat(rows).to(q.dtype)


def rms_norm(x, weight, eps):
    x = x.float()
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight


class Qwen3(nn.Module):
    """forward() gives the hidden states after the final norm."""

    def __init__(self, shape, seed=0):
        super().__init__()
        self.shape = shape
        generator = torch.Generator().manual_seed(seed)
        d, n, dim = shape.hidden, shape.layers, shape.head_dim
        queries, keys = shape.heads * dim, shape.kv_heads * dim
        wide = shape.feed_forward
        near = 0.5 / math.sqrt(d)
        # what adds to the residual stream starts smaller, the deeper it is
        residual = 1 / math.sqrt(2 * n)

        def normal(*size, std):
            return nn.Parameter(torch.randn(*size, generator=generator) * std)

        self.embedding = normal(shape.vocabulary, d, std=0.02)
        self.q = normal(n, queries, d, std=near)
        self.k = normal(n, keys, d, std=near)
        self.v = normal(n, keys, d, std=near)
        self.o = normal(n, d, queries, std=near * residual)
        self.gate = normal(n, wide, d, std=near)
        self.up = normal(n, wide, d, std=near)
        self.down = normal(n, d, wide,
                           std=0.5 / math.sqrt(wide) * residual)
        self.attention_norm = nn.Parameter(torch.ones(n, d))
        self.feed_norm = nn.Parameter(torch.ones(n, d))
        self.q_norm = nn.Parameter(torch.ones(n, dim))
        self.k_norm = nn.Parameter(torch.ones(n, dim))
        self.final_norm = nn.Parameter(torch.ones(d))
        self._make_rotation()

    def _make_rotation(self):
        dim = self.shape.head_dim
        frequency = 1.0 / self.shape.rope_theta ** (
            torch.arange(0, dim, 2).float() / dim)
        angle = torch.outer(torch.arange(self.shape.context).float(),
                            frequency)
        for name, table in (("cos", angle.cos()), ("sin", angle.sin())):
            self.register_buffer(name, torch.cat([table, table], -1),
                                 persistent=False)

    def matrices(self):
        return [getattr(self, name) for name in MATRICES]

    def forward(self, tokens, positions, bounds):
        """All (tokens,); hidden states (tokens, hidden), fp32."""
        matrix = {name: getattr(self, name).to(torch.bfloat16)
                  for name in MATRICES}
        rotation = self.cos[positions][:, None], self.sin[positions][:, None]
        x = F.embedding(tokens, self.embedding).float()
        for layer in range(self.shape.layers):
            w = {name: each[layer].T for name, each in matrix.items()}
            x = x + self._mix(layer, w, x, rotation, bounds)
            x = x + self._feed(layer, w, x)
        return rms_norm(x, self.final_norm, self.shape.eps)

    def _mix(self, layer, w, x, rotation, bounds):
        shape, eps = self.shape, self.shape.eps
        y = rms_norm(x, self.attention_norm[layer], eps).to(torch.bfloat16)
        q, k, v = ((y @ w[name]).view(len(y), -1, shape.head_dim)
                   for name in "qkv")
        q = rotate(rms_norm(q, self.q_norm[layer], eps), *rotation)
        k = rotate(rms_norm(k, self.k_norm[layer], eps), *rotation)
        share = shape.heads // shape.kv_heads
        k, v = (each.repeat_interleave(share, 1) for each in (k, v))
        attend = flash_attention if q.is_cuda else plain_attention
        return attend(q, k, v, bounds, shape.context).flatten(1) @ w["o"]

    def _feed(self, layer, w, x):
        y = rms_norm(x, self.feed_norm[layer],
                     self.shape.eps).to(torch.bfloat16)
        return (F.silu(y @ w["gate"]) * (y @ w["up"])) @ w["down"]

    def logits(self, tokens, positions, bounds):
        """(tokens, vocabulary), fp32, from bf16 products; the head is the
        embedding."""
        hidden = self(tokens, positions, bounds).to(torch.bfloat16)
        return (hidden @ self.embedding.to(torch.bfloat16).T).float()


def rotate(x, cos, sin):
    """RoPE, half-split: Su et al. 2021, arXiv:2104.09864."""
    half = x.shape[-1] // 2
    turned = torch.cat([-x[..., half:], x[..., :half]], -1)
    return (x * cos + turned * sin).to(torch.bfloat16)
