"""How other programs store a quantized matrix: for each layout a function
that quantizes floats (rows, cols), and returns the tensors of the files and
the floats that they stand for, by the formula of the format.

Written from the formats' documentation and, where there is none, from what
their programs do: AutoGPTQ's pack (qlinear_cuda_old.py), AutoAWQ's
packing_utils.py, compressed-tensors 0.20 (pack_quantized/helpers.py,
nvfp4/helpers.py), DeepSeek-V3's inference/kernel.py, and OCP's Microscaling
Formats 1.0.  These packages need torch or a GPU, so numpy stands in for them;
MLX's own layouts come from mlx (schemes_mlx.py).  Nothing here is shared with
the engine."""

import numpy as np

from schemes_files import Typed, stored

INT32 = np.dtype("<i4")


EDGES = np.array([0, -0.0, 6e-8, 65504, np.inf, -np.inf, np.nan], np.float32)
at_the_edge = False  # whether the first scales of a matrix become EDGES


def kept_scales(scale, dtype):
    """The scales as a tensor of this type, and as the floats it holds."""
    scale = scale.astype(np.float32)
    if at_the_edge:
        n = min(scale.size, len(EDGES))
        scale.reshape(-1)[:n] = EDGES[:n]
    return stored(scale, dtype)


def words(bits_of_codes):
    """Rows of bits, lowest first, as rows of 32-bit words; the last word of a
    row is filled with zeros."""
    rows, n = bits_of_codes.shape
    padded = np.zeros((rows, -(-n // 32) * 32), np.uint8)
    padded[:, :n] = bits_of_codes
    return np.packbits(padded, axis=1, bitorder="little").view("<u4")


def bit_stream(codes, bits):
    """Codes (rows, n) of `bits` bits, one behind the other in their row."""
    spread = codes[:, :, None].astype(np.uint8) >> np.arange(bits) & 1
    return words(spread.reshape(len(codes), -1)).view(INT32)


def scale_and_zero(w, bits, symmetric):
    """For groups (rows, groups, size): the scale and the zero of each, so that
    all values lie in the codes' range."""
    low = np.minimum(w.min(-1), 0)
    high = np.maximum(w.max(-1), 0)
    top = 2 ** bits - 1
    if symmetric:
        high = np.maximum(high, -low)
        return (2 * high / top + 1e-8), np.full(high.shape, 2 ** (bits - 1))
    scale = (high - low) / top + 1e-8
    return scale, np.clip(np.round(-low / scale), 0, top).astype(int)


def codes_of(w, scale, zero, bits):
    """Groups of floats (rows, groups, size) as codes (rows, cols).  A scale
    that its type rounded to zero makes all codes the largest or the least."""
    safe = np.where(scale == 0, 1e-30, scale)
    codes = np.nan_to_num(np.round(w / safe[..., None])) + zero[..., None]
    return np.clip(codes, 0, 2 ** bits - 1).astype(int).reshape(len(w), -1)


def rung(w, bits, group):
    """This program's own int8 and int4: whole numbers from -127 to 127, or -7
    to 7, times a scale."""
    rows, cols = w.shape
    grouped = w.reshape(rows, -1, group)
    top = 2 ** (bits - 1) - 1
    kept, scale = kept_scales(np.abs(grouped).max(-1) / top, "F32")
    codes = codes_of(grouped, scale, np.full(scale.shape, top), bits) - top
    codes = np.clip(codes, -top, top)
    stream = codes.astype(np.int8) if bits == 8 else words(
        (codes[:, :, None] + 8 >> np.arange(4) & 1).reshape(rows, -1)
        .astype(np.uint8))
    floats = codes.astype(np.float32) * np.repeat(scale, group, 1)
    return {"weight": stream, "scales": kept}, floats


def gptq(w, bits, group, symmetric, order=None, version=1, dtype="F16"):
    """GPTQ; `order` is the group of each column, where they are shuffled.
    The first version's zeros are stored less one in as many bits as the codes
    have, so that 0 becomes the largest; GPTQModel 7.3.4 reads them so
    (_shift_gptq_qzeros in utils/model_dequant.py)."""
    rows, cols = w.shape
    group = group if group != -1 else cols
    index = np.arange(cols) // group if order is None else order
    sorted_columns = np.argsort(index, kind="stable")
    grouped = w[:, sorted_columns].reshape(rows, -1, group)
    scale, zero = scale_and_zero(grouped, bits, symmetric)
    kept, scale = kept_scales(scale.T, dtype)
    scale = scale.T
    codes = np.empty((rows, cols), int)
    codes[:, sorted_columns] = codes_of(grouped, scale, zero, bits)
    tensors = {
        "qweight": np.ascontiguousarray(bit_stream(codes, bits).T),
        "qzeros": bit_stream((zero - (version == 1)).T % 2 ** bits, bits),
        "scales": kept}
    if order is not None:
        tensors["g_idx"] = index.astype(INT32)
    floats = (codes - zero[:, index]).astype(np.float32) * scale[:, index]
    return tensors, floats


AWQ_ORDER = [0, 2, 4, 6, 1, 3, 5, 7]


def awq_words(codes):
    """Codes (n, rows): each eight in a word, nibble i holding AWQ_ORDER[i]."""
    eights = codes.reshape(len(codes), -1, 8).astype(np.uint32)
    packed = np.zeros(eights.shape[:2], np.uint32)
    for nibble, place in enumerate(AWQ_ORDER):
        packed |= eights[:, :, place] << np.uint32(4 * nibble)
    return packed.view(INT32)


def awq(w, group, dtype="F16"):
    """AWQ's "gemm"."""
    rows, cols = w.shape
    grouped = w.reshape(rows, -1, group if group != -1 else cols)
    scale, zero = scale_and_zero(grouped, 4, False)
    kept, scale = kept_scales(scale.T, dtype)
    scale = scale.T
    codes = codes_of(grouped, scale, zero, 4)
    each = cols // scale.shape[1]
    floats = ((codes - np.repeat(zero, each, 1)).astype(np.float32)
              * np.repeat(scale, each, 1))
    return {"qweight": awq_words(codes.T), "qzeros": awq_words(zero.T),
            "scales": kept}, floats


def packed(w, bits, group, symmetric, order=None, dtype="BF16"):
    """compressed-tensors, "pack-quantized"; group -1 is a whole row."""
    rows, cols = w.shape
    group = group if group != -1 else cols
    index = np.arange(cols) // group if order is None else order
    sorted_columns = np.argsort(index, kind="stable")
    grouped = w[:, sorted_columns].reshape(rows, -1, group)
    scale, zero = scale_and_zero(grouped, bits, symmetric)
    kept, scale = kept_scales(scale, dtype)
    codes = np.empty((rows, cols), int)
    codes[:, sorted_columns] = codes_of(grouped, scale, zero, bits)
    half = 2 ** (bits - 1)
    whole = (codes - half).astype(np.int8)
    tensors = {"weight_packed": bit_stream(whole.astype(int) + half, bits),
               "weight_scale": kept,
               "weight_shape": np.array([rows, cols], np.int64)}
    if not symmetric:
        tensors["weight_zero_point"] = np.ascontiguousarray(
            bit_stream(zero.T, bits).T)
    if order is not None:
        tensors["weight_g_idx"] = index.astype(INT32)
    floats = ((whole.astype(np.float32) - (zero - half)[:, index])
              .astype(np.float32) * scale[:, index])
    return tensors, floats


def int8(w, strategy, group, symmetric, dtype="BF16"):
    """compressed-tensors, "int-quantized": a scale for all, for each row, or
    for each group of a row."""
    rows, cols = w.shape
    shape = {"tensor": (1, 1, -1), "channel": (rows, 1, -1),
             "group": (rows, cols // max(group, 1), -1)}[strategy]
    scale, zero = scale_and_zero(w.reshape(shape), 8, symmetric)
    kept, scale = kept_scales(scale, dtype)
    codes = codes_of(w.reshape(shape), scale, zero, 8).reshape(rows, cols)
    zero = (zero - 128).astype(np.int8)
    tensors = {"weight": (codes - 128).astype(np.int8),
               "weight_scale": flat(kept, strategy)}
    if not symmetric:
        tensors["weight_zero_point"] = flat(zero, strategy)
    spread = np.ones((rows, cols), np.float32)
    each = cols // scale.shape[1]
    floats = ((codes - 128).astype(np.float32)
              - np.repeat(zero, each, 1).astype(np.float32) * spread)
    return tensors, floats * (np.repeat(scale, each, 1) * spread)


def flat(tensor, strategy):
    """The one scale for all has the shape (1,)."""
    if strategy != "tensor":
        return tensor
    if isinstance(tensor, Typed):
        return Typed(tensor.data.reshape(1), tensor.dtype)
    return tensor.reshape(1)


def e4m3_values():
    """The floats of the 256 codes of E4M3, from its definition."""
    values = []
    for code in range(256):
        sign = -1.0 if code & 128 else 1.0
        exponent, mantissa = code >> 3 & 15, code & 7
        if exponent == 15 and mantissa == 7:
            values.append(np.nan)
        elif exponent == 0:
            values.append(sign * mantissa / 8 * 2.0 ** -6)
        else:
            values.append(sign * (1 + mantissa / 8) * 2.0 ** (exponent - 7))
    return np.array(values, np.float32)


E4M3 = e4m3_values()


def nearest(values, x):
    """The codes of the nearest of `values`, which may hold NaN; of two zeros
    the one with x's sign."""
    positive = values[:len(values) // 2]
    distance = np.abs(np.abs(x)[..., None] - positive)
    codes = np.nanargmin(distance, axis=-1)
    return (codes + len(positive) * np.signbit(x)).astype(np.uint8)


def fp8(w, block, name="weight_scale_inv", dtype="F32", shape=None):
    """Floats of 8 bits, and a scale for each block (rows, cols)."""
    rows, cols = w.shape
    height, width = block
    scale = np.array([[np.abs(w[r:r + height, c:c + width]).max() / 448
                       for c in range(0, cols, width)]
                      for r in range(0, rows, height)], np.float32)
    kept, scale = kept_scales(scale, dtype)
    spread = np.repeat(np.repeat(scale, height, 0), width, 1)[:rows, :cols]
    codes = nearest(E4M3, np.nan_to_num(w / spread))
    if shape is not None:
        kept = kept.reshape(shape)
    return ({"weight": Typed(codes, "F8_E4M3"), name: kept},
            E4M3[codes] * spread)


E2M1 = np.array([0, .5, 1, 1.5, 2, 3, 4, 6], np.float32)
E2M1 = np.concatenate([E2M1, -E2M1])


def mxfp4(w):
    """compressed-tensors, "mxfp4-pack-quantized"."""
    rows, cols = w.shape
    grouped = w.reshape(rows, -1, 32)
    most = np.abs(grouped).max(-1)
    exponent = np.floor(np.log2(most)).astype(int) - 2
    scale = np.ldexp(np.float32(1), exponent)[..., None]
    codes = nearest(E2M1, np.clip(grouped / scale, -6, 6)).reshape(rows, cols)
    tensors = {"weight_packed": codes[:, ::2] | codes[:, 1::2] << 4,
               "weight_scale": (exponent + 127).astype(np.uint8)}
    floats = E2M1[codes].reshape(grouped.shape) * scale
    return tensors, floats.reshape(rows, cols).astype(np.float32)
