"""Make tests/gguf/NAME.gguf and NAME.json: a small model of tests/checkpoints
of each family as GGUF, with the same numbers, and the config.json that says
the same.

    python tests/oracle/quant/gguf_families.py

The oracle is the package `gguf` on PyPI: its writer, its tensor map and its
names of keys.  What a converter does to the tensors besides is written here
from llama.cpp's convert_hf_to_gguf.py: rows of q and k in pairs, 1 added to
norms, fused tensors taken apart, frequencies that are divided.  GGUF cannot say all
that these models are; NAME.json is the config.json without the rest.
"""
import json
import math
import pathlib
import struct

import numpy
import gguf
from gguf.constants import GGMLQuantizationType, MODEL_ARCH

TESTS = pathlib.Path(__file__).resolve().parents[2]
OUT = TESTS / "gguf"
TYPES = {"BF16": GGMLQuantizationType.BF16, "F16": GGMLQuantizationType.F16,
         "F32": GGMLQuantizationType.F32}

# Checkpoint, architecture, what GGUF cannot say of it.
MODELS = [
    ("llama-1", MODEL_ARCH.LLAMA, []),
    ("llama-2", MODEL_ARCH.LLAMA, ["hidden_act"]),
    ("smollm2-1", MODEL_ARCH.LLAMA, []),
    ("qwen2-1", MODEL_ARCH.QWEN2, ["use_sliding_window", "sliding_window",
                                   "max_window_layers"]),
    ("qwen2-2", MODEL_ARCH.QWEN2, ["use_sliding_window", "sliding_window",
                                   "max_window_layers", "layer_types"]),
    ("qwen3-1", MODEL_ARCH.QWEN3, ["use_sliding_window", "sliding_window",
                                   "max_window_layers"]),
    ("smollm3-1", MODEL_ARCH.SMOLLM3, []),
    ("gemma2-1", MODEL_ARCH.GEMMA2, ["query_pre_attn_scalar"]),
    ("gemma3-1", MODEL_ARCH.GEMMA3, ["query_pre_attn_scalar"]),
    ("phi3-1", MODEL_ARCH.PHI3, []),
    ("starcoder2-1", MODEL_ARCH.STARCODER2, ["sliding_window"]),
    ("gptneox-1", MODEL_ARCH.GPTNEOX, []),
    ("granite-1", MODEL_ARCH.GRANITE, []),
    ("olmo2-1", MODEL_ARCH.OLMO2, []),
    ("glm4-1", MODEL_ARCH.GLM4, []),
    ("hunyuan-1", MODEL_ARCH.HUNYUAN_DENSE, []),
    ("internlm2-2", MODEL_ARCH.INTERNLM2, ["hidden_act"]),
    ("mistral-1", MODEL_ARCH.MISTRAL3, []),
]
PAIRED = [MODEL_ARCH.LLAMA, MODEL_ARCH.SMOLLM3, MODEL_ARCH.GRANITE,
          MODEL_ARCH.INTERNLM2, MODEL_ARCH.MISTRAL3]
ONE_ADDED = [MODEL_ARCH.GEMMA2, MODEL_ARCH.GEMMA3]


# --- reading -----------------------------------------------------------------

def read_safetensors(path):
    """Name, (type, array); BF16 as its 16 bits."""
    raw = path.read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    kinds = {"BF16": numpy.uint16, "F16": numpy.float16, "F32": numpy.float32}
    for name, entry in json.loads(raw[8:8 + size]).items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        data = numpy.frombuffer(raw[8 + size + begin:8 + size + end],
                                kinds[entry["dtype"]])
        yield name, (entry["dtype"], data.reshape(entry["shape"]))


def read_model(folder):
    config = json.loads((folder / "config.json").read_text())
    tensors = {}
    for path in sorted(folder.glob("*.safetensors")):
        tensors.update(read_safetensors(path))
    return config, tensors


def as_f32(kind, array):
    if kind == "BF16":
        return (array.astype(numpy.uint32) << 16).view(numpy.float32)
    return array.astype(numpy.float32)


# --- what the converter does to tensors --------------------------------------

def in_pairs(rows, heads):
    """Row i of a head and row i + half, which turn together, side by side."""
    shape = rows.shape
    return (rows.reshape(heads, 2, shape[0] // heads // 2, *shape[1:])
            .swapaxes(1, 2).reshape(shape))


def behind_each_other(rows, heads):
    """q, k and v, which take turns head by head."""
    shape = rows.shape
    turns = rows.reshape(heads, 3, shape[0] // heads // 3, *shape[1:])
    return turns.swapaxes(0, 1).reshape(shape)


def taken_apart(config, tensors):
    """InternLM2's wqkv, in which queries, a key and a value take turns, as
    three matrices."""
    each = config["num_attention_heads"] // config["num_key_value_heads"]
    for name, (kind, array) in tensors.items():
        if ".wqkv." not in name:
            yield name, (kind, array)
            continue
        turns = array.reshape(-1, each + 2, head_dim(config), array.shape[1])
        for part, turn in {"wq": turns[:, :each], "wk": turns[:, each],
                           "wv": turns[:, each + 1]}.items():
            yield (name.replace("wqkv", part),
                   (kind, turn.reshape(-1, array.shape[1])))


def stored(arch, config, name, array):
    heads = config["num_attention_heads"]
    if arch in PAIRED and (".q_proj." in name or ".wq." in name):
        return in_pairs(array, heads)
    if arch in PAIRED and (".k_proj." in name or ".wk." in name):
        return in_pairs(array, config["num_key_value_heads"])
    if arch == MODEL_ARCH.GPTNEOX and "query_key_value" in name:
        return behind_each_other(array, heads)
    return array


def add_tensors(writer, arch, config, tensors):
    names = gguf.get_tensor_name_map(arch, config["num_hidden_layers"])
    for name, (kind, array) in tensors.items():
        own = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if own is None:
            raise ValueError(f"{name}: no name in GGUF")
        array = stored(arch, config, name, array)
        if array.ndim == 1:  # vectors are always F32
            kind, array = "F32", as_f32(kind, array)
            if arch in ONE_ADDED and name.endswith("norm.weight"):
                array = array + numpy.float32(1)
        raw = numpy.ascontiguousarray(array).view(numpy.uint8)
        writer.add_tensor(own, raw, raw_dtype=TYPES[kind])


# --- what it says of the model -----------------------------------------------

def head_dim(config):
    return config.get("head_dim") or (config["hidden_size"]
                                      // config["num_attention_heads"])


def settle(config):
    """Old and new spellings of rotary parameters as one; all said."""
    rope = config.pop("rope_parameters", None) or {}
    config["rope_theta"] = rope.pop("rope_theta", None) or config.get(
        "rope_theta") or config.pop("rotary_emb_base", None) or 2000000.0
    scaling = config.get("rope_scaling") or rope
    kind = scaling.get("rope_type") or scaling.get("type") or "default"
    config["rope_scaling"] = None if kind == "default" else {
        **scaling, "rope_type": kind}
    config.setdefault("num_key_value_heads", config["num_attention_heads"])


def add_sizes(writer, config):
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_bos_token_id(config["bos_token_id"])
    writer.add_eos_token_id(config["eos_token_id"])
    if "head_dim" in config:
        writer.add_key_length(config["head_dim"])
        writer.add_value_length(config["head_dim"])


def add_epsilon(writer, config):
    for key in ("norm_epsilon", "layer_norm_eps"):
        if key in config:
            return writer.add_layer_norm_eps(config[key])
    return writer.add_layer_norm_rms_eps(config.get("rms_norm_eps", 1e-6))


def llama3_factors(config, scaling):
    """What each frequency is divided by."""
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    old, dim = scaling["original_max_position_embeddings"], head_dim(config)
    factors = []
    for i in range(0, dim, 2):
        length = 2 * math.pi * config["rope_theta"] ** (i / dim)
        smooth = (old / length - low) / (high - low)
        smooth = min(max(smooth, 0), 1)
        factors.append(1 / ((1 - smooth) / scaling["factor"] + smooth))
    return numpy.array(factors, numpy.float32)


def listed(factors):
    return [float(numpy.float32(x)) for x in factors]


def add_factors(writer, name, factors):
    writer.add_tensor(name, numpy.array(factors, numpy.float32))


def add_llama3(writer, config, scaling):
    factors = llama3_factors(config, scaling)
    add_factors(writer, "rope_freqs.weight", factors)
    return {"rope_type": "longrope", "attention_factor": 1.0,
            "short_factor": listed(factors), "long_factor": listed(factors)}


def add_longrope(writer, config, scaling):
    old = config["original_max_position_embeddings"]
    scale = config["max_position_embeddings"] / old
    factor = float(numpy.float32(math.sqrt(1 + math.log(scale)
                                           / math.log(old))))
    writer.add_rope_scaling_orig_ctx_len(old)
    writer.add_rope_scaling_attn_factors(factor)
    add_factors(writer, "rope_factors_long.weight", scaling["long_factor"])
    add_factors(writer, "rope_factors_short.weight", scaling["short_factor"])
    return {"rope_type": "longrope", "attention_factor": factor,
            "short_factor": listed(scaling["short_factor"]),
            "long_factor": listed(scaling["long_factor"])}


def add_plain_scaling(writer, config, scaling):
    kind = {"linear": gguf.RopeScalingType.LINEAR,
            "yarn": gguf.RopeScalingType.YARN}[scaling["rope_type"]]
    writer.add_rope_scaling_type(kind)
    writer.add_rope_scaling_factor(scaling["factor"])
    said = {"rope_type": scaling["rope_type"], "factor": scaling["factor"]}
    if "original_max_position_embeddings" in scaling:
        old = scaling["original_max_position_embeddings"]
        writer.add_rope_scaling_orig_ctx_len(old)
        said["original_max_position_embeddings"] = old
    return said


def add_rope(writer, arch, config):
    theta, scaling = config["rope_theta"], config["rope_scaling"]
    if scaling and "alpha" in scaling:
        dim = head_dim(config)
        theta = theta * scaling["alpha"] ** (dim / (dim - 2))
        scaling = None
    config["rope_theta"] = float(numpy.float32(theta))
    if arch != MODEL_ARCH.GPTNEOX:
        writer.add_rope_freq_base(theta)
    fraction = config.get("partial_rotary_factor", config.get("rotary_pct", 1))
    writer.add_rope_dimension_count(int(head_dim(config) * fraction))
    adders = {"llama3": add_llama3, "longrope": add_longrope}
    if scaling:
        add = adders.get(scaling["rope_type"], add_plain_scaling)
        config["rope_scaling"] = add(writer, config, scaling)
    else:
        config["rope_scaling"] = None


def add_own(writer, arch, config):
    """What only this family says."""
    if arch in (MODEL_ARCH.GEMMA2, MODEL_ARCH.GEMMA3):
        writer.add_sliding_window(config["sliding_window"])
        writer.add_final_logit_softcapping(config["final_logit_softcapping"])
    if arch == MODEL_ARCH.GEMMA2:
        writer.add_attn_logit_softcapping(config["attn_logit_softcapping"])
    if arch == MODEL_ARCH.GEMMA3:
        writer.add_uint32("gemma3.attention.sliding_window_pattern",
                          config["sliding_window_pattern"])
        writer.add_float32("gemma3.rope.freq_base_swa",
                           config["rope_local_base_freq"])
    if arch == MODEL_ARCH.GRANITE:
        writer.add_attention_scale(config["attention_multiplier"])
        writer.add_embedding_scale(config["embedding_multiplier"])
        writer.add_residual_scale(config["residual_multiplier"])
        writer.add_logit_scale(config["logits_scaling"])
    if arch == MODEL_ARCH.GPTNEOX:
        writer.add_parallel_residual(config["use_parallel_residual"])


# --- the config.json that says the same --------------------------------------

# Numbers that the file has with 32 bits.
ROUNDED = ["rms_norm_eps", "norm_epsilon", "layer_norm_eps",
           "attention_multiplier", "embedding_multiplier",
           "residual_multiplier", "logits_scaling"]


def same_config(arch, config, unsaid):
    config = {k: v for k, v in config.items() if k not in unsaid}
    for key in ROUNDED:
        if key in config:
            config[key] = float(numpy.float32(config[key]))
    if arch in ONE_ADDED:
        config["query_pre_attn_scalar"] = head_dim(config)
    if arch == MODEL_ARCH.GEMMA3:
        config.pop("attn_logit_softcapping", None)
    if arch == MODEL_ARCH.GPTNEOX:
        config["rotary_emb_base"] = config.pop("rope_theta")
        config.pop("num_key_value_heads")
    if arch in (MODEL_ARCH.STARCODER2, MODEL_ARCH.MISTRAL3):
        config["sliding_window"] = None
    return config


def write_config(path, config):
    path.write_text(json.dumps(config, indent=1) + "\n")


def convert(name, arch, unsaid):
    config, tensors = read_model(TESTS / "checkpoints" / name)
    settle(config)
    tensors = dict(taken_apart(config, tensors))
    writer = gguf.GGUFWriter(OUT / f"{name}.gguf", gguf.MODEL_ARCH_NAMES[arch])
    add_sizes(writer, config)
    add_epsilon(writer, config)
    add_rope(writer, arch, config)
    add_own(writer, arch, config)
    add_tensors(writer, arch, config, tensors)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    write_config(OUT / f"{name}.json", same_config(arch, config, unsaid))


def main():
    OUT.mkdir(exist_ok=True)
    for model in MODELS:
        convert(*model)


if __name__ == "__main__":
    main()
