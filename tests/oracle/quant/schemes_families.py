"""Makes tests/quantized/FAMILY-FORMAT: small models of several families, each
in one of the ways in which files hold quantized matrices, and in dense/ the
same model with the floats that its codes stand for.

Usage: schemes_families.py   (needs numpy, gguf 0.19.0 and mlx[cpu] 0.32.4)

In FAMILY-gguf the matrices have the types of blocks of 32 in turn, whose
floats are those of the package gguf; the K-quants need rows of 256 and are in
tests/gguf/blocks.gguf.  The other formats are those of schemes_goldens.py."""

import gguf
import gguf_families as families
import numpy as np
import schemes_layouts as layouts
import schemes_mlx as mlx
from gguf.constants import GGMLQuantizationType, MODEL_ARCH
from schemes_files import stored, write
from schemes_goldens import (TESTS, compressed_said, fp8_said, gptq_said,
                             model_folders, rung_said, shuffled, write_model)
from small_models import small_model

# What is quantized in none of the formats but MLX's, and what belongs to
# pictures.
OTHER_PARTS = ("vision_tower.", "multi_modal_projector.")
OUTER = ["embed_tokens", "lm_head", "embed_in", "embed_out", "tok_embeddings",
         "output"]


def is_inner(name, w):
    """Whether this is a matrix of a layer."""
    return (w.ndim == 2 and name.split(".")[-2] not in OUTER
            and not name.removeprefix("model.").startswith(OTHER_PARTS))


def in_order(name, w, bits):
    """GPTQ with columns in no order."""
    dice = np.random.default_rng(len(name))
    return layouts.gptq(w, bits, 16, False, shuffled(dice, w.shape[1], 16))


FORMATS = {
    "gemma3-1": ("mlx", {"quantization": {"group_size": 32, "bits": 5}},
                 lambda name, w: mlx.affine(w, 5, 32)),
    "smollm3-1": ("mlx", {"quantization": {"group_size": 32, "bits": 2}},
                  lambda name, w: mlx.affine(w, 2, 32)),
    "llama-1": ("int4", rung_said("int4", 32),
                lambda name, w: layouts.rung(w, 4, 32)),
    "phi3-1": ("gptq", gptq_said(8, 16, desc_act=True, sym=False),
               lambda name, w: in_order(name, w, 8)),
    "internlm2-1": ("gptq", gptq_said(2, 16, desc_act=True, sym=False),
                    lambda name, w: in_order(name, w, 2)),
    "qwen2-1": ("awq", {"quantization_config": {
        "quant_method": "awq", "bits": 4, "group_size": -1,
        "zero_point": True, "version": "gemm"}},
        lambda name, w: layouts.awq(w, -1)),
    "gptneox-1": ("fp8", fp8_said([12, 24]),
                  lambda name, w: layouts.fp8(w, (12, 24))),
    "mistral3-1": ("fp8", fp8_said([24, 12]),
                   lambda name, w: layouts.fp8(w, (24, 12))),
    "glm4-1": ("packed", compressed_said(
        "pack-quantized", num_bits=8, type="int", symmetric=False,
        strategy="group", group_size=16),
        lambda name, w: layouts.packed(w, 8, 16, False)),
    "olmo2-1": ("packed", compressed_said(
        "pack-quantized", num_bits=4, type="int", symmetric=True,
        strategy="channel"),
        lambda name, w: layouts.packed(w, 4, -1, True)),
    "starcoder2-1": ("float8", compressed_said(
        "float-quantized", num_bits=8, type="float", symmetric=True,
        strategy="channel"),
        lambda name, w: layouts.fp8(w, (1, w.shape[1]), "weight_scale")),
    "granite-1": ("mxfp4", compressed_said(
        "mxfp4-pack-quantized", num_bits=4, type="float", strategy="group",
        group_size=32, symmetric=True), lambda name, w: layouts.mxfp4(w)),
    "hunyuan-1": ("int8", compressed_said(
        "int-quantized", num_bits=8, type="int", symmetric=False,
        strategy="group", group_size=16),
        lambda name, w: layouts.int8(w, "group", 16, False)),
}

KINDS = [GGMLQuantizationType[name] for name in (
    "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "IQ4_NL", "MXFP4")]
GGUF = ["llama-1", "phi3-1", "gemma3-1", "gptneox-1", "glm4-1", "granite-1",
        "starcoder2-1", "qwen2-1"]


def make_scheme(family):
    """A model in one of the other programs' formats."""
    name, said, quantize = FORMATS[family]
    folder = f"{family.split('-')[0]}-{name}"
    write_model(folder, *small_model(family), said, quantize,
                lambda key, w: w.ndim == 2 and name == "mlx"
                or is_inner(key, w))


def blocks_of(kind, w):
    """A matrix as rows of blocks; codes of types that `gguf` cannot make are
    random, below scales of a usual size."""
    if kind.name != "IQ4_NL":
        return gguf.quants.quantize(w, kind)
    dice = np.random.default_rng(w.size)
    blocks = dice.integers(0, 256, (w.size // 32, 18), np.uint8)
    scales = dice.uniform(.001, .003, (len(blocks), 1)).astype(np.float16)
    blocks[:, :2] = scales.view(np.uint8)
    return blocks.reshape(len(w), -1)


def add_quantized(writer, arch, config, tensors):
    """All tensors as a converter stores them; returns them as floats in the
    order of Hugging Face."""
    names = gguf.get_tensor_name_map(arch, config["num_hidden_layers"])
    dense = {}
    for i, (name, w) in enumerate(tensors.items()):
        own = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if w.ndim == 1:
            one = arch in families.ONE_ADDED and name.endswith("norm.weight")
            put = w + np.float32(one)
            writer.add_tensor(own, families.stored(arch, config, name, put))
            dense[name] = put - np.float32(one)
            continue
        kind = KINDS[i % len(KINDS)]
        blocks = blocks_of(kind, w)
        dense[name] = gguf.quants.dequantize(blocks, kind)
        writer.add_tensor(own, families.stored(arch, config, name, blocks),
                          raw_dtype=kind)
    return dense


def make_gguf(family, arch, unsaid):
    """A model as a GGUF file."""
    config, tensors = small_model(family)
    families.settle(config)
    folder, dense = model_folders(f"{family.split('-')[0]}-gguf")
    writer = gguf.GGUFWriter(folder / "model.gguf",
                             gguf.MODEL_ARCH_NAMES[arch])
    families.add_sizes(writer, config)
    families.add_epsilon(writer, config)
    families.add_rope(writer, arch, config)
    families.add_own(writer, arch, config)
    floats = add_quantized(writer, arch, config, tensors)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    write(dense / "model.safetensors", floats, {"format": "pt"})
    families.write_config(dense / "config.json",
                          families.same_config(arch, config, unsaid))


if __name__ == "__main__":
    for model in FORMATS:
        make_scheme(model)
    for model in families.MODELS:
        if model[0] in GGUF:
            make_gguf(*model)
