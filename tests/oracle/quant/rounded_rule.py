"""m5's own int8 and int4, written from their definition in numpy: what
`rung quantize` must give bit for bit.

    scale = max |x| / most, code = round(x / scale) to the nearest, halves to
    even, clamped to most = 7 or 127

in 32 bits.  int4 stores code + 8, eight to an unsigned 32-bit word, the lowest
bits first.  With a search, the scales tried are those of max |x| times 100,
98 ... 50 percent; the one with the least sum of squared errors, each times the
importance of its column, is kept; of equal ones the largest."""

import numpy as np

PERCENTS = range(100, 49, -2)


def codes_for(x, scale, most):
    """Whole numbers as floats; x (n, group), scale (n, 1)."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        codes = np.clip(np.rint(x / scale), -most, most)
    return np.where(scale == 0, np.float32(0), codes).astype(np.float32)


def error_of(x, scale, most, importance):
    """The sum for each group, one value after the other, in 64 bits."""
    stored = codes_for(x, scale, most) * scale
    error = x.astype(np.float64) - stored.astype(np.float64)
    squares = error * error * importance.astype(np.float64)
    total = np.zeros(len(x))
    for i in range(x.shape[1]):
        total = total + squares[:, i]
    return total


def scales_of(x, most, search, importance):
    """(n, 1) of groups x (n, group)."""
    largest = np.abs(x).max(1, keepdims=True)
    best = largest / np.float32(most)
    if not search:
        return best
    least = error_of(x, best, most, importance)
    for percent in PERCENTS:
        share = np.float32(percent) / np.float32(100)
        scale = largest * share / np.float32(most)
        error = error_of(x, scale, most, importance)
        better = error < least
        least = np.where(better, error, least)
        best = np.where(better[:, None], scale, best)
    return best


def quantized(w, bits, group, search=False, importance=None):
    """Codes as they are stored, scales, and the floats they stand for; of
    w (rows, cols), importance (cols,)."""
    rows, cols = w.shape
    most = 2 ** (bits - 1) - 1
    counts = np.ones(cols, np.float32) if importance is None else importance
    counts = np.tile(counts.reshape(-1, group), (rows, 1))
    x = np.ascontiguousarray(w, np.float32).reshape(-1, group)
    scale = scales_of(x, most, search, counts)
    codes = codes_for(x, scale, most)
    whole = codes.astype(np.int8)
    floats = (whole.astype(np.float32) * scale).reshape(rows, cols)
    whole = whole.reshape(rows, cols)
    return (whole if bits == 8 else packed(whole),
            scale.reshape(rows, cols // group), floats)


def packed(codes):
    """Eight codes to a word (rows, cols / 8)."""
    eights = (codes.astype(np.int64) + 8).reshape(len(codes), -1, 8)
    return (eights << np.arange(0, 32, 4)).sum(2).astype(np.uint32)
