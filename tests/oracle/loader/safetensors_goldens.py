"""Make the goldens of the loader: m1-loader/golden/dtypes.safetensors and
m1-loader/golden/safetensors.json.

    python tests/oracle/loader/safetensors_goldens.py           with torch
    python tests/oracle/loader/safetensors_goldens.py --numpy   with ml_dtypes
    python tests/oracle/loader/safetensors_goldens.py --check   compares only

safetensors.json says what every tensor is as 32-bit floats, by a hash:
  patterns  of each format of 8 or 16 bits, all bit patterns in order
  dtypes    of dtypes.safetensors, a tensor of each format with the values at
            which conversions go wrong
  models    of the reading models in tests/models/

The hash is FNV-1a with 64 bits, taken over the floats' bits, 32 at a time
instead of a byte; every NaN counts as 7fc00000, since what is left of a NaN's
payload is not agreed on.  The two oracles, torch and ml_dtypes with numpy,
must give the same: --numpy --check says whether they do.
"""
import argparse
import json
import pathlib
import random
import struct

TESTS = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = TESTS.parent / "m1-loader" / "golden"
FILE = GOLDEN / "dtypes.safetensors"
HASHES = GOLDEN / "safetensors.json"
MODELS = ["tiny-chat", "tiny-draft", "tiny-embed"]

NARROW = {"U8": 1, "I8": 1, "F8_E5M2": 1, "F8_E5M2FNUZ": 1, "F8_E4M3": 1,
          "F8_E4M3FNUZ": 1, "F8_E8M0": 1, "U16": 2, "I16": 2, "F16": 2,
          "BF16": 2}


def fnv(words):
    """The hash of 32-bit integers."""
    value = 0xcbf29ce484222325
    for word in words:
        value = (value ^ word) * 0x100000001b3 & 0xffffffffffffffff
    return f"{value:016x}"


def patterns(width):
    """All bit patterns of 1 or 2 bytes, in order."""
    return b"".join(i.to_bytes(width, "little") for i in range(256 ** width))


def sixteen_bits():
    """Around zero, one, the exponents' ends, and some of the rest."""
    dice = random.Random(16)
    edges = [edge + step for edge in (0, 0x0400, 0x3c00, 0x3f80, 0x7800,
                                      0x7bff, 0x7c00, 0x7f80, 0x7fff)
             for step in range(-3, 4)]
    some = [dice.getrandbits(16) for _ in range(200)]
    both = [value & 0x7fff for value in edges] + some
    return [value | sign for value in both for sign in (0, 0x8000)]


def integers(bits):
    """Around the powers of two, where a float runs out of digits."""
    dice = random.Random(bits)
    near = [2 ** k + step for k in range(bits) for step in (-1, 0, 1)]
    some = [dice.getrandbits(bits) for _ in range(200)]
    return [value % 2 ** bits for value in near + some]


def doubles():
    """Ties, overflows and underflows on the way to a float."""
    dice = random.Random(64)
    edges = [0.0, 1.0, 1 + 2.0 ** -24, 1 + 3 * 2.0 ** -24, 1 + 2.0 ** -23,
             3.4028234663852886e38, 3.4028235677973366e38, 3.5e38, 1e308,
             2.0 ** -126, 2.0 ** -149, 2.0 ** -150, 1.1 * 2.0 ** -150, 1e-300,
             float("inf"), float("nan")]
    some = [(dice.getrandbits(52) | 1 << 52) * 2.0 ** dice.randint(-205, 76)
            for _ in range(200)]
    return edges + [-value for value in edges + some] + some


def packed(kind, values):
    return b"".join(struct.pack("<" + kind, value) for value in values)


def singles():
    """All sorts of floats; converting them changes nothing."""
    dice = random.Random(32)
    return packed("I", [0, 0x80000000, 1, 0x7f800000, 0xff800000, 0x7fc00001]
                  + [dice.getrandbits(32) for _ in range(300)])


def sample():
    """The tensors of dtypes.safetensors: name, (format, shape, bytes)."""
    tensors = {name: (name, [16, 16], patterns(1))
               for name, width in NARROW.items() if width == 1}
    for name in ("U16", "I16", "F16", "BF16"):
        tensors[name] = (name, None, packed("H", sixteen_bits()))
    for name, bits, kind in (("U32", 32, "I"), ("I32", 32, "I"),
                             ("U64", 64, "Q"), ("I64", 64, "Q")):
        tensors[name] = (name, None, packed(kind, integers(bits)))
    tensors["F64"] = ("F64", None, packed("d", doubles()))
    tensors["F32"] = ("F32", None, singles())
    tensors["BOOL"] = ("BOOL", [2, 1, 3], bytes([0, 1, 1, 0, 0, 1]))
    tensors["scalar"] = ("F32", [], packed("f", [-1.5]))
    tensors["nothing"] = ("F16", [3, 0, 2], b"")
    return tensors


def width_of(name):
    digits = name[1:].split("_")[0] if name[0] != "B" else name[2:]
    return 1 if name == "BOOL" else int(digits) // 8


def file_bytes(tensors):
    """A safetensors file, its tensors in the order given."""
    table, data = {"__metadata__": {"made_by": "safetensors_goldens.py"}}, b""
    for name, (dtype, shape, values) in tensors.items():
        if shape is None:
            shape = [len(values) // width_of(dtype)]
        table[name] = {"dtype": dtype, "shape": shape,
                       "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    header = json.dumps(table, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + data


def tensors_of(content):
    """Name, format and bytes of every tensor of a safetensors file."""
    start = 8 + struct.unpack("<Q", content[:8])[0]
    table = json.loads(content[8:start])
    table.pop("__metadata__", None)
    for name, entry in sorted(table.items()):
        begin, end = entry["data_offsets"]
        yield name, entry["dtype"], content[start + begin:start + end]


def file_hashes(oracle, content):
    return {name: fnv(oracle.convert(dtype, values))
            for name, dtype, values in tensors_of(content)}


def check_reader(content):
    """See that the safetensors library finds the same in a file."""
    import safetensors
    library = {name: (tensor["dtype"], bytes(tensor["data"]))
               for name, tensor in safetensors.deserialize(content)}
    assert library == {name: (dtype, values)
                       for name, dtype, values in tensors_of(content)}


def load_oracle(numpy_only):
    if numpy_only:
        import safetensors_numpy
        return safetensors_numpy
    import safetensors_torch
    return safetensors_torch


def hashes(oracle, content):
    made = {
        "made_by": oracle.versions(),
        "patterns": {name: fnv(oracle.convert(name, patterns(width)))
                     for name, width in NARROW.items()},
        "dtypes": file_hashes(oracle, content),
        "models": {},
    }
    for model in MODELS:
        path = TESTS / "models" / model / "model.safetensors"
        made["models"][model] = file_hashes(oracle, path.read_bytes())
    return made


def compare(made, content):
    kept = json.loads(HASHES.read_text())
    wrong = [] if FILE.read_bytes() == content else [FILE.name]
    for part in ("patterns", "dtypes", "models"):
        if made[part] != kept[part]:
            wrong.append(part)
    if wrong:
        raise SystemExit("not as the goldens: " + ", ".join(wrong))
    print("as the goldens:", made["made_by"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--numpy", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    content = file_bytes(sample())
    made = hashes(load_oracle(arguments.numpy), content)
    if arguments.check:
        compare(made, content)
        return
    check_reader(content)
    GOLDEN.mkdir(exist_ok=True)
    FILE.write_bytes(content)
    HASHES.write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()
