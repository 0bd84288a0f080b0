"""MLX's layouts, made by mlx itself on the processor (mlx 0.32.4).

mlx.core.quantize makes codes, scales and biases; mlx.core.dequantize, given
the same scales and biases as 32-bit floats, makes the floats: those that its
quantized_matmul multiplies by, before anything is rounded to the model's
type."""

import mlx.core as mx
import numpy as np

from schemes_files import Typed
from schemes_layouts import EDGES

VERSION = mx.__version__
TYPES = {"BF16": mx.bfloat16, "F16": mx.float16, "F32": mx.float32}


def kept(x, dtype):
    """An array of mlx as a tensor of this type."""
    if dtype == "BF16":
        return Typed(np.array(x.view(mx.uint16)), "BF16")
    return np.array(x)


def edged(x, first):
    """An array (rows, groups) of mlx whose first numbers are EDGES, turned
    by `first`."""
    values = np.array(x.astype(mx.float32))
    values.reshape(-1)[:len(EDGES)] = np.roll(EDGES, first)
    return mx.array(values).astype(x.dtype)


def affine(w, bits, group, dtype="BF16", edges=False):
    """The mode "affine"."""
    codes, scales, biases = mx.quantize(mx.array(w).astype(TYPES[dtype]),
                                        group_size=group, bits=bits)
    if edges:
        scales, biases = edged(scales, 0), edged(biases, 2)
    floats = mx.dequantize(codes, scales.astype(mx.float32),
                           biases.astype(mx.float32), group_size=group,
                           bits=bits)
    return {"weight": np.array(codes), "scales": kept(scales, dtype),
            "biases": kept(biases, dtype)}, np.array(floats)


def dequantize_mxfp4(codes, scales):
    """The floats of codes (rows, cols / 8) with their exponents."""
    floats = mx.dequantize(mx.array(codes), mx.array(scales), group_size=32,
                           bits=4, mode="mxfp4", dtype=mx.float32)
    return np.array(floats)


def mxfp4(w):
    """The mode "mxfp4"."""
    codes, scales = mx.quantize(mx.array(w).astype(mx.bfloat16),
                                group_size=32, bits=4, mode="mxfp4")
    codes, scales = np.array(codes), np.array(scales)
    return ({"weight": codes, "scales": scales},
            dequantize_mxfp4(codes, scales))


def every_mxfp4():
    """All codes with all exponents from 0 to 254; the 255th is NaN in the
    standard, while mlx makes infinities of it."""
    scales = np.arange(255, dtype=np.uint8)[:, None]
    row = np.array([0x76543210, 0xFEDCBA98] * 2, np.uint32)
    codes = np.repeat(row[None], 255, 0)
    return ({"weight": codes, "scales": scales},
            dequantize_mxfp4(codes, scales))
