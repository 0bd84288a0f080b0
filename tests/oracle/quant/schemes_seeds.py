"""Makes tests/fuzz/corpus/schemes: a small matrix in each layout, from which
the fuzzer of m5's schemes starts.

Usage: schemes_seeds.py   (needs numpy and mlx[cpu])"""

import json
import pathlib
import tempfile

import numpy as np

import schemes_goldens as goldens
import schemes_layouts as layouts
import schemes_mlx as mlx
from schemes_files import write

FOLDER = goldens.TESTS / "fuzz" / "corpus" / "schemes"


def seed(name, config, made, rows, cols):
    """What config.json says, a zero, the matrix's size, and its file."""
    parts, _ = made
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "m.safetensors"
        write(path, {f"m.{part}": t for part, t in parts.items()})
        file = path.read_bytes()
    text = json.dumps(config, separators=(",", ":")).encode()
    (FOLDER / name).write_bytes(
        text + bytes([0, rows - 1, cols - 1]) + file)


def make_all():
    """One file for each way to find and unpack a matrix."""
    random = np.random.default_rng(5)
    w = random.normal(size=(32, 64)).astype(np.float32)
    said = goldens.compressed_said
    small = {"group_size": 32, "bits": 3, "m": {"group_size": 32, "bits": 6}}
    seed("mlx", {"quantization": small}, mlx.affine(w[:2], 6, 32), 2, 64)
    seed("mlx_mxfp4",
         {"quantization": {"group_size": 32, "bits": 4, "mode": "mxfp4"}},
         mlx.mxfp4(w[:2]), 2, 64)
    order = goldens.shuffled(random, 64, 32)
    seed("gptq", goldens.gptq_said(3, 32, desc_act=True),
         layouts.gptq(w, 3, 32, False, order), 32, 64)
    awq = {"quant_method": "awq", "bits": 4, "group_size": -1}
    seed("awq", {"quantization_config": awq}, layouts.awq(w[:8], -1), 8, 64)
    seed("packed", said("pack-quantized", num_bits=4, symmetric=False,
                        group_size=32, actorder="group"),
         layouts.packed(w[:9], 4, 32, False, order), 9, 64)
    seed("int8", said("int-quantized", num_bits=8, strategy="channel",
                      symmetric=False),
         layouts.int8(w[:2], "channel", 1, False), 2, 64)
    seed("float8", said("float-quantized", num_bits=8, type="float",
                        strategy="block", block_structure=[2, 40]),
         layouts.fp8(w[:3], (2, 40), "weight_scale"), 3, 64)
    seed("mxfp4", said("mxfp4-pack-quantized", num_bits=4, type="float",
                       group_size=32), layouts.mxfp4(w[:2]), 2, 64)
    seed("fp8", goldens.fp8_said([2, 40]), layouts.fp8(w[:3], (2, 40)), 3, 64)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    make_all()
