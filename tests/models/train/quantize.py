"""Weights rounded to a few bits, and training that survives it."""
from contextlib import contextmanager

import torch

GROUP = 128     # inputs that share one scale


def rounded(weight, bits=4):
    """The weight as a symmetric quantizer would give it back.

    weight (..., out, in).  In groups of 128 along `in`: s = max|w| / q_max
    with q_max = 7 (4 bits) or 127 (8), w becomes round(w / s) * s; halves
    round to even."""
    q_max = 2 ** (bits - 1) - 1
    groups = weight.reshape(*weight.shape[:-1], -1, GROUP)
    scale = groups.abs().amax(-1, keepdim=True) / q_max
    scale = torch.where(scale == 0, torch.ones_like(scale), scale)
    codes = (groups / scale).round().clamp(-q_max, q_max)
    return (codes * scale).reshape(weight.shape)


@contextmanager
def rounded_weights(parameters):
    """Inside, the parameters hold their int4 values; gradients taken there
    are applied to the true ones afterwards (a straight-through step)."""
    true = [each.data.clone() for each in parameters]
    with torch.no_grad():
        for each in parameters:
            each.data.copy_(rounded(each.data))
    try:
        yield
    finally:
        with torch.no_grad():
            for each, data in zip(parameters, true):
                each.data.copy_(data)
