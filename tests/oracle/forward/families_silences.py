"""Make tests/checkpoints/silences.json: what transformers takes for granted
where the config.json of a Gemma 3 says nothing.

    pip install torch==2.11.0 transformers==5.17.0
    python3 families_silences.py

A case is {"name", "config", "means"}: a config.json, and what transformers'
AutoConfig makes of it.  The first are those of gemma-3-4b-it, gemma-3-12b-it
and gemma-3-27b-it, as they were published; then follow some in which one key
is left out, or says another thing.  In what they say, none has the value that
it would have by default.

"means" has the keys as config.json spells them, but for

    layer_types      a letter for each layer: s or f
    bos_token_id, eos_token_ids    those with which it generates
    rope             of f and s: what rope_parameters has
"""
import copy
import itertools
import json
import pathlib
import tempfile

import transformers

PATH = (pathlib.Path(__file__).resolve().parents[2] / "checkpoints"
        / "silences.json")
SLIDING, FULL = "sliding_attention", "full_attention"
SAME = ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers",
        "num_attention_heads", "num_key_value_heads", "head_dim",
        "max_position_embeddings", "rms_norm_eps", "query_pre_attn_scalar",
        "hidden_activation", "attention_bias", "sliding_window",
        "final_logit_softcapping")

TEXT = {"model_type": "gemma3_text", "sliding_window": 1024,
        "rope_scaling": {"factor": 8.0, "rope_type": "linear"}}
PUBLISHED = {
    "gemma-3-4b-it": dict(TEXT, hidden_size=2560, intermediate_size=10240,
                          num_hidden_layers=34),
    "gemma-3-12b-it": dict(TEXT, hidden_size=3840, intermediate_size=15360,
                           num_hidden_layers=48, num_attention_heads=16,
                           num_key_value_heads=8),
    "gemma-3-27b-it": dict(TEXT, hidden_size=5376, intermediate_size=21504,
                           num_hidden_layers=62, num_attention_heads=32,
                           num_key_value_heads=16, head_dim=128,
                           query_pre_attn_scalar=168),
}
WHOLE = {
    "architectures": ["Gemma3ForConditionalGeneration"],
    "boi_token_index": 255999, "eoi_token_index": 256000,
    "eos_token_id": [1, 106], "image_token_index": 262144,
    "initializer_range": 0.02, "mm_tokens_per_image": 256,
    "model_type": "gemma3", "torch_dtype": "bfloat16",
    "transformers_version": "4.50.0.dev0",
    "vision_config": {
        "hidden_size": 1152, "image_size": 896, "intermediate_size": 4304,
        "model_type": "siglip_vision_model", "num_attention_heads": 16,
        "num_hidden_layers": 27, "patch_size": 14, "vision_use_head": False},
}
SAID = {
    "architectures": ["Gemma3ForCausalLM"], "model_type": "gemma3_text",
    "vocab_size": 1000, "hidden_size": 48, "intermediate_size": 100,
    "num_hidden_layers": 13, "num_attention_heads": 12,
    "num_key_value_heads": 2, "head_dim": 20, "max_position_embeddings": 512,
    "tie_word_embeddings": False, "bos_token_id": 5, "eos_token_id": [6, 7],
    "rms_norm_eps": 1e-5, "query_pre_attn_scalar": 33,
    "hidden_activation": "gelu", "attention_bias": True,
    "sliding_window": 9, "sliding_window_pattern": 4,
    "rope_theta": 30000.0, "rope_local_base_freq": 7000.0,
    "rope_scaling": {"rope_type": "linear", "factor": 3.0},
    "final_logit_softcapping": 20.0,
}
NEVER_LEFT_OUT = ("architectures", "model_type")


def without(config, key):
    return {k: v for k, v in config.items() if k != key}


def tied(value, config):
    """The config with this said of its head; None: nothing."""
    return config if value is None else dict(config,
                                             tie_word_embeddings=value)


def cases():
    for name, text in PUBLISHED.items():
        yield name, dict(WHOLE, text_config=text)
    for key in WHOLE:
        if key not in NEVER_LEFT_OUT:
            yield (f"pictures, without {key}",
                   dict(without(WHOLE, key), text_config=dict(TEXT, **SIZES)))
    inner = without(without(SAID, "architectures"),
                    "final_logit_softcapping")
    yield "pictures, all said inside", dict(
        without(WHOLE, "eos_token_id"), tie_word_embeddings=False,
        text_config=inner)
    yield "pictures, ids said twice", dict(
        WHOLE, text_config=without(inner, "tie_word_embeddings"))
    yield "pictures, ids are null outside", dict(
        WHOLE, eos_token_id=None, text_config=dict(TEXT, **SIZES))
    for whole, part in itertools.product((None, True, False), repeat=2):
        yield f"pictures, tied {whole}, and {part} inside", dict(
            tied(whole, WHOLE),
            text_config=tied(part, dict(TEXT, **SIZES)))
    yield "all said", SAID
    for key in SAID:
        if key not in NEVER_LEFT_OUT:
            yield f"without {key}", without(SAID, key)
    for key in ("bos_token_id", "eos_token_id", "final_logit_softcapping"):
        yield f"{key} is null", {**SAID, key: None}


# The smallest that says what must be said.
SIZES = dict(hidden_size=2560, intermediate_size=10240, num_hidden_layers=7)


def read(config):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "config.json"
        path.write_text(json.dumps(config))
        return transformers.AutoConfig.from_pretrained(folder)


def as_list(ids):
    return ids if isinstance(ids, list) else [] if ids is None else [ids]


def meaning(config):
    whole = read(copy.deepcopy(config))
    text = whole.get_text_config()
    ids = transformers.GenerationConfig.from_model_config(whole)
    means = {key: getattr(text, key) for key in SAME}
    means["tie_word_embeddings"] = whole.tie_word_embeddings
    means["bos_token_id"] = ids.bos_token_id
    means["eos_token_ids"] = as_list(ids.eos_token_id)
    means["layer_types"] = "".join(kind[0] for kind in text.layer_types)
    means["rope"] = {kind[0]: text.rope_parameters[kind]
                     for kind in (FULL, SLIDING)}
    return means


def main():
    transformers.logging.set_verbosity_error()
    lines = [json.dumps({"name": name, "config": config,
                         "means": meaning(config)})
             for name, config in cases()]
    made_by = {"made_by": "tests/oracle/forward/families_silences.py",
               "transformers": transformers.__version__}
    text = json.dumps(made_by)[:-1] + ', "cases": [\n' + ",\n".join(lines)
    PATH.write_text(text + "\n]}\n")
    print(len(lines), "cases")


if __name__ == "__main__":
    main()
