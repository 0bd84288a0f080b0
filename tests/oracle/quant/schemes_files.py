"""Writes and reads safetensors files, with types that numpy lacks.

Used by schemes_goldens.py; numpy only."""

import json

import numpy as np

NAMES = {"float32": "F32", "float16": "F16", "int8": "I8", "uint8": "U8",
         "int32": "I32", "uint32": "U32", "int64": "I64", "uint64": "U64"}


class Typed:
    """Bytes of a type that numpy does not have: BF16, F8_E4M3."""

    def __init__(self, data, dtype):
        self.data, self.dtype = np.ascontiguousarray(data), dtype
        self.shape = self.data.shape

    def tobytes(self):
        return self.data.tobytes()


def entry(tensor):
    """A tensor's type by its name in the file, and its bytes."""
    if isinstance(tensor, Typed):
        return tensor.dtype, tensor.tobytes()
    return NAMES[str(tensor.dtype)], np.ascontiguousarray(tensor).tobytes()


def write(path, tensors, metadata=None):
    """A file of named tensors."""
    table, data = {}, b""
    if metadata:
        table["__metadata__"] = metadata
    for name, tensor in tensors.items():
        dtype, content = entry(tensor)
        table[name] = {"dtype": dtype, "shape": list(tensor.shape),
                       "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    header = json.dumps(table).encode()
    header += b" " * (-len(header) % 8)
    path.write_bytes(len(header).to_bytes(8, "little") + header + data)


def read(path):
    """The tensors of a file, BF16 as float32; other types are not needed."""
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    table = json.loads(content[8:8 + length])
    tensors = {}
    for name, row in table.items():
        if name == "__metadata__":
            continue
        begin, end = row["data_offsets"]
        data = content[8 + length + begin:8 + length + end]
        tensors[name] = from_bf16(np.frombuffer(data, "<u2")).reshape(
            row["shape"])
        assert row["dtype"] == "BF16"
    return tensors


def hash_of(floats):
    """FNV-1a with 64 bits, over the bits of floats (n,), 32 at a time; every
    NaN counts as 7fc00000."""
    words = np.where(np.isnan(floats), np.uint32(0x7fc00000),
                     np.ascontiguousarray(floats).view(np.uint32))
    value = 0xcbf29ce484222325
    for word in words.tolist():
        value = (value ^ word) * 0x100000001b3 & 0xffffffffffffffff
    return value


def to_bf16(x):
    """The upper halves of floats, rounded to the nearest, ties to even."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + ((bits >> 16) & np.uint32(1))
    return (rounded >> 16).astype(np.uint16)


def from_bf16(halves):
    """Those halves as floats."""
    return (np.asarray(halves, np.uint32) << 16).view(np.float32)


def stored(x, dtype):
    """Floats as a tensor of this type, and the floats that it then holds."""
    if dtype == "BF16":
        halves = to_bf16(x)
        return Typed(halves, "BF16"), from_bf16(halves).reshape(x.shape)
    kept = x.astype({"F16": np.float16, "F32": np.float32}[dtype])
    return kept, kept.astype(np.float32)
