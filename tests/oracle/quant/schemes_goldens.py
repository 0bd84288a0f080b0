"""Makes the goldens of the ways in which other programs store quantized
matrices in safetensors files:

    m5-quant/golden/schemes.safetensors, schemes.json
        for each layout single matrices, and of each row a hash of the floats
        that it stands for; NAME_edges: scales that are 0, subnormal, largest,
        infinite and NaN
    tests/quantized/NAME/
        for each way a small model cut out of tests/models/tiny-chat, and in
        NAME/dense the same model with those floats

Usage: schemes_goldens.py   (needs numpy and mlx[cpu] 0.32.4)"""

import json
import pathlib

import numpy as np

import schemes_layouts as layouts
import schemes_mlx as mlx
from schemes_files import hash_of, read, stored, write

TESTS = pathlib.Path(__file__).parents[2]
GOLDEN = TESTS.parent / "m5-quant" / "golden"


def matrix(random, rows, cols):
    """Normal numbers, with an outlier, in columns of different sizes, and one
    part of a row that is all zero."""
    w = random.normal(size=(rows, cols)) * np.exp(random.normal(size=cols) / 2)
    w[1, cols // 2] *= 20
    w[0, :32] = 0
    return w.astype(np.float32)


def shuffled(random, cols, group):
    """A group for each column, in no order."""
    return random.permutation(np.arange(cols) // group)


# --- single matrices --------------------------------------------------------

def mlx_cases(random):
    """Every number of bits with every size of group."""
    types = ["BF16", "F16", "F32"]
    for i, bits in enumerate((2, 3, 4, 5, 6, 8)):
        for j, group in enumerate((32, 64, 128)):
            said = {"group_size": group, "bits": bits}
            if j:
                said["mode"] = "affine"
            yield (f"affine{bits}_{group}", {"quantization": said},
                   mlx.affine(matrix(random, 5, 256), bits, group,
                              types[(i + j) % 3]))
        yield (f"affine{bits}_edges", {"quantization": {"group_size": 32,
                                                        "bits": bits}},
               mlx.affine(matrix(random, 5, 128), bits, 32, types[i % 3],
                          edges=True))
    said = {"quantization": {"group_size": 32, "bits": 4, "mode": "mxfp4"}}
    yield "mxfp4", said, mlx.mxfp4(matrix(random, 5, 128))
    yield "mxfp4_every", said, mlx.every_mxfp4()


def rung_said(form, group):
    """What `rung quantize` says."""
    return {"quantization_config": {"quant_method": "rung", "format": form,
                                    "group_size": group}}


def rung_cases(random):
    """int8 and int4 in groups of all sizes."""
    for bits in (8, 4):
        for group in (8, 32, 128):
            yield (f"rung{bits}_{group}", rung_said(f"int{bits}", group),
                   layouts.rung(matrix(random, 5, 128), bits, group))


def gptq_said(bits, group, **more):
    """The usual keys."""
    return {"quantization_config": {
        "quant_method": "gptq", "bits": bits, "group_size": group,
        "damp_percent": 0.01, "desc_act": False, **more}}


def gptq_cases(random):
    """Both versions, with and without order, symmetric or not."""
    for bits in (2, 3, 4, 8):
        w = matrix(random, 32, 64)
        yield (f"gptq{bits}", gptq_said(bits, 16, sym=False),
               layouts.gptq(w, bits, 16, False))
        yield (f"gptq{bits}_v2",
               gptq_said(bits, 32, sym=True, checkpoint_format="gptq_v2"),
               layouts.gptq(w, bits, 32, True, version=2, dtype="BF16"))
        order = shuffled(random, 64, 16)
        yield (f"gptq{bits}_order", gptq_said(bits, 16, desc_act=True),
               layouts.gptq(w, bits, 16, False, order))
    yield ("gptq4_row", gptq_said(4, -1, format="gptq"),
           layouts.gptq(matrix(random, 8, 96), 4, -1, True))


def awq_cases(random):
    """Groups, and whole rows."""
    for group in (32, 128, -1):
        said = {"quant_method": "awq", "bits": 4, "group_size": group,
                "zero_point": True, "version": "gemm",
                "modules_to_not_convert": None}
        yield (f"awq_{group}".replace("-1", "row"),
               {"quantization_config": said},
               layouts.awq(matrix(random, 16, 128), group))


def compressed_said(layout, **weights):
    """The usual keys."""
    return {"quantization_config": {
        "quant_method": "compressed-tensors", "format": layout,
        "quantization_status": "compressed", "kv_cache_scheme": None,
        "global_compression_ratio": 1.5, "ignore": ["lm_head"],
        "config_groups": {"group_0": {
            "targets": ["Linear"], "input_activations": None,
            "output_activations": None, "weights": weights}}}}


def packed_cases(random):
    """4 and 8 bits, also where codes do not fill the last word."""
    for bits in (4, 8):
        for symmetric in (True, False):
            for group, cols in ((32, 128), (-1, 101)):
                name = "group" if group > 0 else "channel"
                said = compressed_said(
                    "pack-quantized", num_bits=bits, type="int",
                    symmetric=symmetric, strategy=name, actorder=None,
                    group_size=group if group > 0 else None, dynamic=False)
                yield (f"packed{bits}_{name}" + "_zeros" * (not symmetric),
                       said, layouts.packed(matrix(random, 13, cols), bits,
                                            group, symmetric))
    for name, rows, cols, group in (("order", 13, 128, 32),
                                    ("many", 2, 1024, 1)):
        order = shuffled(random, cols, group)
        said = compressed_said("pack-quantized", num_bits=4, type="int",
                               symmetric=False, strategy="group",
                               group_size=group, actorder="group",
                               dynamic=False)
        yield (f"packed4_{name}", said,
               layouts.packed(matrix(random, rows, cols), 4, group, False,
                              order))


def plain_cases(random):
    """Whole numbers and floats of 8 bits."""
    for strategy in ("tensor", "channel", "group"):
        for symmetric in (True, False):
            group = 32 if strategy == "group" else None
            said = compressed_said("int-quantized", num_bits=8, type="int",
                                   symmetric=symmetric, strategy=strategy,
                                   group_size=group, dynamic=False)
            yield (f"int8_{strategy}" + "_zeros" * (not symmetric), said,
                   layouts.int8(matrix(random, 13, 96), strategy, group or 1,
                                symmetric))
    for name, more, block, shape in (
            ("tensor", {}, (13, 96), (1,)), ("channel", {}, (1, 96), None),
            ("block", {"block_structure": [8, 40]}, (8, 40), None)):
        said = compressed_said("float-quantized", num_bits=8, type="float",
                               strategy=name, symmetric=True, **more)
        yield (f"float8_{name}", said,
               layouts.fp8(matrix(random, 13, 96), block, "weight_scale",
                           shape=shape))
    said = compressed_said("mxfp4-pack-quantized", num_bits=4, type="float",
                           strategy="group", group_size=32, symmetric=True)
    w = matrix(random, 13, 96)
    w[0, :32] = 1
    yield "mxfp4_packed", said, layouts.mxfp4(w)


def fp8_said(block):
    """As in DeepSeek's and Qwen's files."""
    return {"quantization_config": {
        "quant_method": "fp8", "fmt": "e4m3", "activation_scheme": "dynamic",
        "weight_block_size": block}}


def fp8_cases(random):
    """Blocks that fit, that do not, and one for all; every number."""
    yield ("fp8", fp8_said([128, 128]),
           layouts.fp8(matrix(random, 130, 131), (128, 128)))
    yield ("fp8_small", fp8_said([8, 32]),
           layouts.fp8(matrix(random, 16, 96), (8, 32), dtype="BF16"))
    yield ("fp8_whole", fp8_said(None),
           layouts.fp8(matrix(random, 5, 96), (5, 96), shape=()))
    every = np.arange(256, dtype=np.uint8).reshape(2, 128)
    scale = np.array([[0.1]], np.float32)
    yield ("fp8_every", fp8_said([128, 128]),
           ({"weight": layouts.Typed(every, "F8_E4M3"),
             "weight_scale_inv": scale}, layouts.E4M3[every] * scale))


def edge_cases(random):
    """Every layout of numpy's with scales that are no usual numbers."""
    layouts.at_the_edge = True
    for make in (gptq_cases, awq_cases, packed_cases, plain_cases, fp8_cases,
                 rung_cases):
        for name, config, made in make(random):
            if name in AT_THE_EDGE:
                yield f"{name}_edges", config, made
    layouts.at_the_edge = False


AT_THE_EDGE = ["gptq2", "gptq3_v2", "gptq4_order", "gptq8", "awq_32",
               "packed4_group", "packed8_channel_zeros", "int8_group_zeros",
               "float8_block", "fp8_small", "rung8_8", "rung4_8"]


def least_zero_cases(random):
    """GPTQ's first version, where every other row has no number below 0."""
    for bits in (2, 3, 4, 8):
        w = matrix(random, 32, 64)
        w[::2] = np.abs(w[::2])
        yield (f"gptq{bits}_least", gptq_said(bits, 16, sym=False),
               layouts.gptq(w, bits, 16, False))


def make_matrices():
    """The goldens of single matrices."""
    random = np.random.default_rng(14)
    tensors, cases = {}, []
    for make in (mlx_cases, gptq_cases, awq_cases, packed_cases, plain_cases,
                 fp8_cases, rung_cases, edge_cases, least_zero_cases):
        for name, config, (parts, floats) in make(random):
            assert floats.dtype == np.float32, name
            cases.append({"name": name, "shape": floats.shape,
                          "config": config})
            tensors |= {f"{name}.{part}": t for part, t in parts.items()}
            tensors[f"hashes.{name}"] = np.array(
                [hash_of(row) for row in floats], np.uint64)
    made_by = {"mlx": mlx.VERSION, "numpy": np.__version__}
    write(GOLDEN / "schemes.safetensors", tensors, made_by)
    text = ",\n".join(json.dumps(case) for case in cases)
    (GOLDEN / "schemes.json").write_text(f"[\n{text}\n]\n")


# --- whole models -----------------------------------------------------------

SIZES = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64,
         "num_hidden_layers": 2, "num_attention_heads": 2,
         "num_key_value_heads": 1, "head_dim": 16, "max_window_layers": 2,
         "bos_token_id": 1, "eos_token_id": 2}


def cut_model():
    """tiny-chat with fewer layers, rows and columns; its numbers are scaled
    up, so that the smaller model's attention is not flat."""
    folder = TESTS / "models" / "tiny-chat"
    config = json.loads((folder / "config.json").read_text()) | SIZES
    q, kv = 32, 16
    shapes = {"embed_tokens": (64, 32), "q_proj": (q, 32), "k_proj": (kv, 32),
              "v_proj": (kv, 32), "o_proj": (32, q), "gate_proj": (64, 32),
              "up_proj": (64, 32), "down_proj": (32, 64), "q_norm": (16,),
              "k_norm": (16,)}
    weights = {}
    for name, w in sorted(read(folder / "model.safetensors").items()):
        if ".layers." in name and int(name.split(".")[2]) >= 2:
            continue
        shape = shapes.get(name.split(".")[-2], (32,))
        w = w[tuple(slice(n) for n in shape)]
        weights[name] = w * 3 if w.ndim == 2 else w
    return config, weights


def is_linear(name):
    """Whether this is a matrix of a layer."""
    return name.endswith("_proj.weight")


def model_mlx(name, w):
    """4 bits, other bits for the embedding and down, v plain."""
    if "v_proj" in name:
        return None
    if "down_proj" in name:
        return mlx.affine(w, 3, 64)
    return mlx.affine(w, 8 if "embed" in name else 4, 32)


def said_mlx():
    said = {"group_size": 32, "bits": 4, "mode": "affine",
            "model.embed_tokens": {"group_size": 32, "bits": 8}}
    for layer in range(2):
        said[f"model.layers.{layer}.mlp.down_proj"] = {"group_size": 64,
                                                       "bits": 3}
        said[f"model.layers.{layer}.self_attn.v_proj"] = False
    return {"quantization": said, "quantization_config": said}


def model_gptq(name, w):
    """Columns in no order, and old files' biases of zero."""
    random = np.random.default_rng(len(name))
    parts, floats = layouts.gptq(w, 4, 16, True,
                                 shuffled(random, w.shape[1], 16))
    return parts | {"bias": np.zeros(len(w), np.float16)}, floats


MODELS = {
    "mlx": (said_mlx(), model_mlx),
    "mlx-mxfp4": ({"quantization": {"group_size": 32, "bits": 4,
                                    "mode": "mxfp4"}},
                  lambda name, w: mlx.mxfp4(w)),
    "gptq": (gptq_said(4, 16, desc_act=True, sym=True), model_gptq),
    "awq": ({"quantization_config": {
        "quant_method": "awq", "bits": 4, "group_size": 16,
        "zero_point": True, "version": "gemm"}},
            lambda name, w: layouts.awq(w, 16)),
    "compressed-int4": (
        compressed_said("pack-quantized", num_bits=4, type="int",
                        symmetric=False, strategy="group", group_size=16),
        lambda name, w: layouts.packed(w, 4, 16, False)),
    "compressed-int8": (
        compressed_said("int-quantized", num_bits=8, type="int",
                        symmetric=True, strategy="channel"),
        lambda name, w: layouts.int8(w, "channel", 1, True)),
    "fp8": (fp8_said([12, 24]), lambda name, w: layouts.fp8(w, (12, 24))),
}


def model_folders(name):
    """The folder of a model, and that of the same with floats."""
    folder = TESTS / "quantized" / name
    (folder / "dense").mkdir(parents=True, exist_ok=True)
    return folder, folder / "dense"


def write_model(name, config, weights, said, quantize, is_wanted):
    """A model, and the same with the floats that its codes stand for."""
    tensors, dense = {}, {}
    for key, w in weights.items():
        made = quantize(key, w) if is_wanted(key, w) else None
        if made is None:
            tensors[key], dense[key] = stored(w, "BF16")
            continue
        parts, dense[key] = made
        inside = key.removesuffix("weight")
        tensors |= {inside + part: t for part, t in parts.items()}
    folder, floats = model_folders(name)
    write(folder / "model.safetensors", tensors, {"format": "pt"})
    write(floats / "model.safetensors", dense, {"format": "pt"})
    (folder / "config.json").write_text(
        json.dumps(config | said, indent=2) + "\n")
    (floats / "config.json").write_text(json.dumps(config, indent=2) + "\n")


def make_model(name, said, quantize):
    """tiny-chat, cut and quantized; MLX also quantizes the embedding."""
    write_model(name, *cut_model(), said, quantize, lambda key, w:
                "quantization" in said and w.ndim == 2 or is_linear(key))


if __name__ == "__main__":
    with np.errstate(all="ignore"):  # scales of no usual size
        make_matrices()
    for model, (config_says, quantizer) in MODELS.items():
        make_model(model, config_says, quantizer)
