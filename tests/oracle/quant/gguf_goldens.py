"""Make m5-quant/golden/gguf_blocks.safetensors: blocks of every type that GGUF
files have and m5 reads, and what floats `gguf` makes of them.

    python tests/oracle/quant/gguf_goldens.py           writes the file
    python tests/oracle/quant/gguf_goldens.py --check   compares only

The oracle is gguf.quants.dequantize of the package `gguf` on PyPI; the version
stands in the file.  NAME.blocks (n, bytes) are the blocks, NAME.hashes (n,) of
each the hash of its floats: FNV-1a with 64 bits, taken over the floats' bits,
32 at a time; every NaN counts as 7fc00000.  The first blocks of each type are
edges: all bytes 0, all 255, a scale that is 0, the largest, subnormal,
infinite and NaN; the others are random with scales of every size.
"""
import argparse
import json
import pathlib
import struct

import numpy
import gguf
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

ROOT = pathlib.Path(__file__).resolve().parents[3]
FILE = ROOT / "m5-quant" / "golden" / "gguf_blocks.safetensors"

# Where the 16-bit floats of a block stand.
HALVES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2],
          "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2],
          "Q5_K": [0, 2], "Q6_K": [208], "IQ4_NL": [0], "IQ4_XS": [0],
          "MXFP4": []}
EDGES = [0x0000, 0x8000, 0x0001, 0x83ff, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
         0x7e00]
RANDOM = {32: 24, 256: 4}


def put_half(block, at, bits):
    block[at:at + 2] = numpy.frombuffer(struct.pack("<H", bits), numpy.uint8)


def edge_blocks(name, size, dice):
    """All bits 0, all 1, and random codes below each edge of each half."""
    yield numpy.zeros(size, numpy.uint8)
    yield numpy.full(size, 255, numpy.uint8)
    for at in HALVES[name]:
        for bits in EDGES:
            block = dice.integers(0, 256, size, numpy.uint8)
            for other in HALVES[name]:
                put_half(block, other, 0x2e66)
            put_half(block, at, bits)
            yield block
    for exponent in [0, 1, 2, 127, 254, 255] if name == "MXFP4" else []:
        block = dice.integers(0, 256, size, numpy.uint8)
        block[0] = exponent
        yield block


def random_blocks(name, size, values, dice):
    """Random codes with scales from 2^-14 to 2^15."""
    for _ in range(RANDOM[values]):
        block = dice.integers(0, 256, size, numpy.uint8)
        for at in HALVES[name]:
            bits = int(dice.integers(0x0400, 0x7c00))
            put_half(block, at, bits | int(dice.integers(0, 2)) << 15)
        yield block


def blocks_of(name):
    kind = GGMLQuantizationType[name]
    values, size = GGML_QUANT_SIZES[kind]
    dice = numpy.random.default_rng(int(kind))
    blocks = numpy.stack([*edge_blocks(name, size, dice),
                          *random_blocks(name, size, values, dice)])
    with numpy.errstate(all="ignore"):
        return blocks, gguf.quants.dequantize(blocks, kind)


def hash_of(floats):
    """The hash of floats (n,)."""
    words = numpy.where(numpy.isnan(floats), numpy.uint32(0x7fc00000),
                        floats.view(numpy.uint32))
    value = 0xcbf29ce484222325
    for word in words.tolist():
        value = (value ^ word) * 0x100000001b3 & 0xffffffffffffffff
    return value


def file_bytes(tensors, metadata):
    """A safetensors file, written here so that it depends on no package."""
    table, data = {"__metadata__": metadata}, b""
    for name, array in tensors.items():
        dtype = {"uint8": "U8", "uint64": "U64",
                 "float32": "F32"}[str(array.dtype)]
        raw = array.tobytes()
        table[name] = {"dtype": dtype, "shape": list(array.shape),
                       "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(table, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def golden():
    from importlib.metadata import version
    tensors = {}
    for name in HALVES:
        blocks, values = blocks_of(name)
        tensors[f"{name}.blocks"] = blocks
        hashes = [hash_of(row) for row in numpy.ascontiguousarray(values)]
        tensors[f"{name}.hashes"] = numpy.array(hashes, numpy.uint64)
    made_by = {"made_by": "gguf_goldens.py", "gguf": version("gguf"),
               "numpy": numpy.__version__}
    return file_bytes(tensors, made_by)


def same(old, new):
    """Whether the files agree but for the versions."""
    def parts(raw):
        size = struct.unpack("<Q", raw[:8])[0]
        table = json.loads(raw[8:8 + size])
        table.pop("__metadata__")
        return table, raw[8 + size:]
    return parts(old) == parts(new)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    new = golden()
    if parser.parse_args().check:
        raise SystemExit(not same(FILE.read_bytes(), new))
    FILE.write_bytes(new)


if __name__ == "__main__":
    main()
