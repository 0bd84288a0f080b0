"""Makes the goldens of m5's own way to quantize, with numpy alone, from its
definition (rounded_rule.py):

    m5-quant/golden/rounded.safetensors
        rows with every edge, an importance for their columns, and for each
        format, group and way to choose scales the codes and scales
    m5-quant/golden/rounded.json
        tests/models/tiny-chat whole: for each matrix the CRC-32 of its codes
        and of its scales
    tests/quantized/rung-source, rung-int4, rung-int8
        a small model, plain and quantized; in dense, with the floats that its
        codes stand for

Usage: rounded_goldens.py   (needs numpy; the small model is cut out by
schemes_goldens.py, which needs mlx[cpu] 0.32.4)"""

import json
import zlib

import numpy as np

from rounded_rule import quantized
from schemes_files import read, stored, write
from schemes_goldens import GOLDEN, TESTS, cut_model

COLS = 128
TINY = np.float32(2.0 ** -149)


def edges(random):
    """Rows (n, COLS) in which a group meets what is rare."""
    normal = random.normal(size=(12, COLS)).astype(np.float32)
    normal[0] = 0                                    # nothing but zeros
    normal[1] = -0.0
    normal[2] = np.abs(normal[2])
    normal[2, 5::32] = -40                           # the largest is negative
    normal[3] = 0.5 * np.arange(COLS) % 7.5 - 3.5    # halves, to be rounded
    normal[3, ::32] = 7                              # ... to even: scale 1
    normal[4] *= TINY * 40                           # subnormal values
    normal[5] = TINY * (np.arange(COLS) % 4)         # ... and a scale of 0
    normal[6] *= np.float32(2.0 ** -126)             # the smallest normal ones
    normal[7] = np.float32(1.7e38) * np.sign(normal[7])
    normal[8] = random.integers(-127, 128, COLS)     # codes already
    normal[8, ::32] = 127
    normal[9, 40] = 1e30                             # one beside which all
    normal[10] = np.float32(0.1)                     # all equal
    normal[11] = 0
    normal[11, 77] = 3
    return normal.astype(np.float32)


def rows(random):
    """Edges, and weights of many sizes with outliers."""
    w = random.normal(size=(52, COLS)) * np.exp(random.normal(size=(52, 1)))
    w *= random.choice([1, 1, 1, 1, 1, 1, 1, 4], size=w.shape)
    return np.concatenate([edges(random), w.astype(np.float32)])


def make_rows():
    """rounded.safetensors."""
    random = np.random.default_rng(514)
    x = rows(random)
    importance = np.exp(2 * random.normal(size=COLS)).astype(np.float32)
    importance[::9] = 0
    tensors = {"x": x, "importance": importance}
    ways = {"plain": (False, None), "search": (True, None),
            "weighted": (True, importance)}
    for bits in (4, 8):
        for group in (32, 64, 128):
            for way, (search, counts) in ways.items():
                codes, scales, _ = quantized(x, bits, group, search, counts)
                name = f"int{bits}.{group}.{way}"
                tensors[f"{name}.codes"] = codes
                tensors[f"{name}.scales"] = scales
    write(GOLDEN / "rounded.safetensors", tensors,
          {"numpy": np.__version__, "script": "rounded_goldens.py"})


def checksums(weights, bits, group, search, keep):
    """[CRC-32 of the codes, of the scales] by the matrix's name."""
    found = {}
    for name, w in sorted(weights.items()):
        if w.ndim != 2 or (keep and "embed" in name):
            continue
        codes, scales, _ = quantized(w, bits, group, search)
        found[name.removesuffix(".weight")] = [
            f"{zlib.crc32(part.tobytes()):08x}" for part in (codes, scales)]
    return found


def make_checksums():
    """rounded.json."""
    weights = read(TESTS / "models" / "tiny-chat" / "model.safetensors")
    cases = [{"bits": bits, "group": group, "search": search, "keep": keep,
              "matrices": checksums(weights, bits, group, search, keep)}
             for bits, group, search, keep in
             ((8, 128, False, True), (4, 128, False, True),
              (4, 64, True, False))]
    golden = {"made_by": "tests/oracle/quant/rounded_goldens.py, numpy "
                         + np.__version__, "cases": cases}
    (GOLDEN / "rounded.json").write_text(json.dumps(golden, indent=1) + "\n")


def write_model(folder, tensors, config):
    """A model's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "model.safetensors", tensors, {"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")


def make_model(name, bits, keep):
    """The small model rounded, and dense."""
    config, weights = cut_model()
    tensors, dense = {}, {}
    for key, w in weights.items():
        tensors[key], dense[key] = stored(w, "BF16")
        if w.ndim != 2 or (keep and "embed" in key):
            continue
        codes, scales, dense[key] = quantized(dense[key], bits, 32)
        inside = key.removesuffix("weight")
        tensors |= {key: codes, inside + "scales": scales}
    said = {"quant_method": "rung", "format": f"int{bits}", "group_size": 32}
    folder = TESTS / "quantized" / name
    write_model(folder, tensors, config | {"quantization_config": said})
    write_model(folder / "dense", dense, config)


def make_source():
    """The small model as it was."""
    config, weights = cut_model()
    tensors = {key: stored(w, "BF16")[0] for key, w in weights.items()}
    write_model(TESTS / "quantized" / "rung-source", tensors, config)


if __name__ == "__main__":
    make_rows()
    make_checksums()
    make_source()
    make_model("rung-int4", 4, False)
    make_model("rung-int8", 8, True)
