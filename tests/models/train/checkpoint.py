"""Models to and from folders as Hugging Face lays them out."""
import json
import os

import torch
from safetensors.torch import load_file, save_file

TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        "chat_template.jinja")
END_OF_TEXT, END_OF_TURN = "<|endoftext|>", "<|im_end|>"

# the model's tensors (layers, ...) and Hugging Face's names of one layer
LAYER_TENSORS = {
    "q": "self_attn.q_proj", "k": "self_attn.k_proj",
    "v": "self_attn.v_proj", "o": "self_attn.o_proj",
    "gate": "mlp.gate_proj", "up": "mlp.up_proj", "down": "mlp.down_proj",
    "attention_norm": "input_layernorm",
    "feed_norm": "post_attention_layernorm",
    "q_norm": "self_attn.q_norm", "k_norm": "self_attn.k_norm"}


def views(model, prefix):
    """{Hugging Face's name: the tensor, a view of the model's}"""
    found = {prefix + "embed_tokens.weight": model.embedding.data}
    for layer in range(model.shape.layers):
        for ours, theirs in LAYER_TENSORS.items():
            name = f"{prefix}layers.{layer}.{theirs}.weight"
            found[name] = getattr(model, ours).data[layer]
    found[prefix + "norm.weight"] = model.final_norm.data
    return found


def load(model, folder, prefix="model."):
    stored = load_file(os.path.join(folder, "model.safetensors"))
    for name, tensor in views(model, prefix).items():
        tensor.copy_(stored[name])
    return model


def save(model, folder, tokenizer, embedding=False):
    """tokenizer: the path of a tokenizer.json; embedding: lay it out as
    Qwen3-Embedding's checkpoints are, without the prefix."""
    os.makedirs(folder, exist_ok=True)
    prefix = "" if embedding else "model."
    save_file({name: tensor.to(torch.bfloat16).cpu().clone()
               for name, tensor in views(model, prefix).items()},
              os.path.join(folder, "model.safetensors"),
              metadata={"format": "pt"})
    with open(tokenizer, encoding="utf-8") as file:
        tokens = json.load(file)
    ids = {each["content"]: each["id"] for each in tokens["added_tokens"]}
    if embedding:
        append_end_of_text(tokens, ids[END_OF_TEXT])
    files = {"config.json": config(model.shape, ids, embedding),
             "generation_config.json": generation_config(ids),
             "tokenizer.json": tokens,
             "tokenizer_config.json": tokenizer_config(
                 tokens, model.shape.context, embedding)}
    for name, value in files.items():
        write_json(os.path.join(folder, name), value)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=2)


def config(shape, ids, embedding):
    return {
        "architectures": ["Qwen3ForCausalLM"],
        "attention_bias": False,
        "attention_dropout": 0.0,
        "bos_token_id": ids[END_OF_TEXT],
        "eos_token_id": ids[END_OF_TEXT if embedding else END_OF_TURN],
        "head_dim": shape.head_dim,
        "hidden_act": "silu",
        "hidden_size": shape.hidden,
        "initializer_range": 0.02,
        "intermediate_size": shape.feed_forward,
        "max_position_embeddings": shape.context,
        "max_window_layers": shape.layers,
        "model_type": "qwen3",
        "num_attention_heads": shape.heads,
        "num_hidden_layers": shape.layers,
        "num_key_value_heads": shape.kv_heads,
        "rms_norm_eps": shape.eps,
        "rope_scaling": None,
        "rope_theta": shape.rope_theta,
        "sliding_window": None,
        "tie_word_embeddings": True,
        "torch_dtype": "bfloat16",
        "use_cache": True,
        "use_sliding_window": False,
        "vocab_size": shape.vocabulary}


def generation_config(ids):
    return {"bos_token_id": ids[END_OF_TEXT], "do_sample": True,
            "eos_token_id": [ids[END_OF_TURN], ids[END_OF_TEXT]],
            "pad_token_id": ids[END_OF_TEXT], "temperature": 0.6,
            "top_k": 20, "top_p": 0.95}


def tokenizer_config(tokens, context, embedding):
    with open(TEMPLATE, encoding="utf-8") as file:
        template = file.read().rstrip("\n")
    flags = ("content", "lstrip", "normalized", "rstrip", "single_word",
             "special")
    return {
        "add_bos_token": False,
        "add_prefix_space": False,
        "added_tokens_decoder": {
            str(each["id"]): {flag: each[flag] for flag in flags}
            for each in tokens["added_tokens"]},
        "additional_special_tokens": ["<|im_start|>", END_OF_TURN],
        "bos_token": None,
        "chat_template": template,
        "clean_up_tokenization_spaces": False,
        "eos_token": END_OF_TEXT if embedding else END_OF_TURN,
        "errors": "replace",
        "model_max_length": context,
        "pad_token": END_OF_TEXT,
        "split_special_tokens": False,
        "tokenizer_class": ("PreTrainedTokenizerFast" if embedding
                            else "Qwen2Tokenizer"),
        "unk_token": None}


def append_end_of_text(tokens, end_id):
    """For tiny-embed: <|endoftext|> after every text, and merges in their
    older spelling ("a b"), so that both spellings stand in the tree."""
    tokens["model"]["merges"] = [
        each if isinstance(each, str) else " ".join(each)
        for each in tokens["model"]["merges"]]

    def part(kind, name, type_id):
        return {kind: {"id": name, "type_id": type_id}}

    single = [part("Sequence", "A", 0), part("SpecialToken", END_OF_TEXT, 0)]
    second = [part("Sequence", "B", 1), part("SpecialToken", END_OF_TEXT, 1)]
    template = {
        "type": "TemplateProcessing", "single": single,
        "pair": single + second,
        "special_tokens": {END_OF_TEXT: {
            "id": END_OF_TEXT, "ids": [end_id], "tokens": [END_OF_TEXT]}}}
    tokens["post_processor"] = {
        "type": "Sequence",
        "processors": [tokens["post_processor"], template]}
