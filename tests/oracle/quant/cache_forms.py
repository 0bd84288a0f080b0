"""Make m5-quant/golden/cache_forms.safetensors: heads of many sizes, the bytes
that each form of the cache stores for them, and the floats that it reads.

    python tests/oracle/quant/cache_forms.py           writes the file
    python tests/oracle/quant/cache_forms.py --check   compares only

The oracle is numpy, with the definitions of m5-quant/kvcache/forms written
down once more: halves by numpy's own conversion, the Walsh-Hadamard transform
as a product with its matrix and, with the sums in their order, as steps; the
centroids from lloyd_max.py.  Everything is arithmetic of 32-bit floats, one
operation after the other, each rounded as IEEE 754 says, so that bytes and
floats are equal to the last bit.

x.N (rows, N) are heads of N numbers; FORM.N.bytes (rows, bytes) what is stored
for them, FORM.N.hashes (rows,) of each what is read: FNV-1a over the floats'
bits, as in gguf_goldens.py.
"""
import argparse

import numpy

from gguf_goldens import ROOT, hash_of, file_bytes, same
from lloyd_max import find_borders, find_centroids

FILE = ROOT / "m5-quant" / "golden" / "cache_forms.safetensors"
F = numpy.float32
SIZES = [1, 2, 3, 7, 8, 10, 12, 24, 64, 80, 96, 128, 256, 512, 640]
BOOKS = {bits: (numpy.array(find_centroids(bits), F),
                numpy.array(find_borders(find_centroids(bits)), F))
         for bits in (2, 3, 4)}


# --- the arithmetic --------------------------------------------------------

def dot(x, y):
    """As ops.h says: product i goes to lane i mod 8, then lanes are joined."""
    lanes = numpy.zeros(8, F)
    for at in range(0, len(x), 8):
        products = x[at:at + 8] * y[at:at + 8]
        lanes[:len(products)] += products
    lanes = lanes[:4] + lanes[4:]
    lanes = lanes[:2] + lanes[2:]
    return lanes[0] + lanes[1]


def splitmix(i):
    """Number i of splitmix64 with the seed 0."""
    mask = 2 ** 64 - 1
    z = (i + 1) * 0x9e3779b97f4a7c15 & mask
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & mask
    z = (z ^ z >> 27) * 0x94d049bb133111eb & mask
    return z ^ z >> 31


def signs(n):
    return numpy.array([-1 if splitmix(i // 64) >> i % 64 & 1 else 1
                        for i in range(n)], F)


def hadamard(x):
    """Sums and differences of what is 1, 2, 4, ... apart."""
    distance = 1
    while distance < len(x):
        pairs = x.reshape(-1, 2, distance)
        x = numpy.stack([pairs[:, 0] + pairs[:, 1],
                         pairs[:, 0] - pairs[:, 1]], 1).reshape(-1)
        distance *= 2
    return x


def check_hadamard():
    """The steps are the matrix whose signs are the parity of common bits."""
    for n in (1, 2, 8, 64):
        matrix = [[(-1) ** (i & j).bit_count() for j in range(n)]
                  for i in range(n)]
        x = numpy.arange(n).astype(F) ** 2
        numpy.testing.assert_array_equal(hadamard(x), numpy.array(matrix) @ x)


# --- the forms -------------------------------------------------------------

def store_f16(x):
    return x.astype("<f2").tobytes()


def read_f16(data, n):
    return numpy.frombuffer(data, "<f2", n).astype(F)


def store_int8(x):
    step = numpy.abs(x).max() / F(127)
    steps = numpy.rint(x / step) if step > 0 else numpy.zeros(len(x), F)
    codes = numpy.clip(steps, -127, 127).astype(numpy.int8)
    return step.astype("<f4").tobytes() + codes.tobytes()


def read_int8(data, n):
    step = numpy.frombuffer(data, "<f4", 1)[0]
    return numpy.frombuffer(data, numpy.int8, n, 4).astype(F) * step


def blocks_of(n):
    """(begin, end) of each block: powers of two, the largest first."""
    at = 0
    while at < n:
        size = min(512, 2 ** ((n - at).bit_length() - 1))
        yield at, at + size
        at += size


def store_block(x, bits):
    """The codes of a block, and its length."""
    centroids, borders = BOOKS[bits]
    length = numpy.sqrt(dot(x, x))
    y = hadamard(x * signs(len(x)))
    y = y / length if length > 0 else numpy.zeros(len(x), F)
    codes = (y[:, None] > borders).sum(1)
    c = centroids[codes]
    return codes, length / numpy.sqrt(dot(c, c) / F(len(x)))


def store_codebook(x, bits):
    lengths, codes = b"", []
    for begin, end in blocks_of(len(x)):
        found, length = store_block(x[begin:end], bits)
        codes.extend(found)
        lengths += length.astype("<f2").tobytes()
    stream = sum(int(c) << bits * i for i, c in enumerate(codes))
    return lengths + stream.to_bytes((len(x) * bits + 7) // 8, "little")


def read_codebook(data, n, bits):
    blocks = list(blocks_of(n))
    lengths = numpy.frombuffer(data, "<f2", len(blocks)).astype(F)
    stream = int.from_bytes(data[2 * len(blocks):], "little")
    codes = [stream >> bits * i & 2 ** bits - 1 for i in range(n)]
    c, out = BOOKS[bits][0][codes], []
    for (begin, end), length in zip(blocks, lengths):
        size = end - begin
        out.append(hadamard(c[begin:end]) * (length / F(size)) * signs(size))
    return numpy.concatenate(out)


FORMS = {"f16": (store_f16, read_f16), "int8": (store_int8, read_int8)}
for count in BOOKS:
    FORMS[f"codebook{count}"] = (
        lambda x, bits=count: store_codebook(x, bits),
        lambda data, n, bits=count: read_codebook(data, n, bits))


# --- heads -----------------------------------------------------------------

def edge_heads(n, dice):
    """What no model should make, and what every form must survive."""
    normal = dice.standard_normal(n)
    one = numpy.eye(1, n, n // 2)[0]
    yield numpy.zeros(n)
    yield -numpy.zeros(n)
    yield numpy.full(n, 3.0)                 # becomes a single large number
    yield (-1.0) ** numpy.arange(n) * 0.25   # the same
    yield one * 1000 + normal * 0.01         # one outlier
    yield one * 1e-30
    yield normal * 2.0 ** -149 * 50          # subnormal floats
    yield numpy.full(n, 2.0 ** -149 * 190)   # a step that is too short
    yield normal * 2.0 ** -22                # subnormal halves
    yield normal * 40000                     # some past the largest half
    yield numpy.resize([65504, 65519.996, 65520, -65520], n)
    yield numpy.resize([1 + 2.0 ** -11, 1 + 3 * 2.0 ** -11, 0.5, 2.5], n)


def usual_heads(n, dice):
    """Normal numbers of several sizes, and heads with outliers."""
    for size in (0.01, 1, 30):
        yield dice.standard_normal(n) * size
    yield dice.standard_normal(n) * numpy.where(dice.random(n) < 0.1, 20, 1)
    yield dice.standard_cauchy(n)


def heads_of(n):
    dice = numpy.random.default_rng(n)
    heads = [*usual_heads(n, dice)]
    if n <= 128:
        heads += edge_heads(n, dice)
    return numpy.stack(heads).astype(F)


def check_sense(n, x):
    """The definitions do what they are for: on normal numbers the error is
    what theory says, and lengths stay."""
    for bits, error in ((2, 0.1175), (3, 0.0345), (4, 0.0095)):
        found = read_codebook(store_codebook(x, bits), n, bits)
        assert 0.7 * error < ((x - found) ** 2).mean() / (x ** 2).mean() \
            < 1.4 * error
        assert abs(dot(found, found) / dot(x, x) - 1) < 2e-3


def golden():
    tensors = {}
    for n in SIZES:
        tensors[f"x.{n}"] = heads = heads_of(n)
        for name, (store, read) in FORMS.items():
            rows = [store(x) for x in heads]
            tensors[f"{name}.{n}.bytes"] = numpy.stack(
                [numpy.frombuffer(row, numpy.uint8) for row in rows])
            tensors[f"{name}.{n}.hashes"] = numpy.array(
                [hash_of(read(row, n)) for row in rows], numpy.uint64)
        if n >= 256:
            check_sense(n, heads[1])
    return file_bytes(tensors, {"made_by": "cache_forms.py",
                                "numpy": numpy.__version__})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    check_hadamard()
    with numpy.errstate(all="ignore"):
        new = golden()
    if parser.parse_args().check:
        raise SystemExit(not same(FILE.read_bytes(), new))
    FILE.write_bytes(new)


if __name__ == "__main__":
    main()
