"""InternLM2: a Llama whose files look otherwise.

transformers has no class for it; its code was published beside its weights.
What that code computes is a Llama, and its makers say how the files of one
become those of the other: InternLM/InternLM, tools/convert2llama.py.  So the
oracle is transformers' LlamaForCausalLM, and as_internlm2() goes the way back:
names are changed, and q, k and v are put into one matrix, group by group: the
queries that share a head of keys, then that head of keys, then its values.

    pip install torch==2.11.0 transformers==5.17.0 einops
    python3 families_internlm2.py FOLDER

compares the goldens with the published code itself.  FOLDER has its
configuration_internlm2.py and modeling_internlm2.py: OpenGVLab/InternVL,
internvl_chat/internvl/model/internlm2, commit f3fc71c.
"""
import importlib
import json
import pathlib
import sys
from types import SimpleNamespace as Fields

import torch
from safetensors.torch import load_file

ROOT = pathlib.Path(__file__).resolve().parents[2] / "checkpoints"
TOLERANCE = 1e-5

RENAMED = (("model.embed_tokens.", "model.tok_embeddings."),
           ("lm_head.", "output."), (".self_attn.o_proj.", ".attention.wo."),
           (".mlp.gate_proj.", ".feed_forward.w1."),
           (".mlp.up_proj.", ".feed_forward.w3."),
           (".mlp.down_proj.", ".feed_forward.w2."),
           (".input_layernorm.", ".attention_norm."),
           (".post_attention_layernorm.", ".ffn_norm."))
PARTS = [f".self_attn.{part}_proj." for part in "qkv"]


def fuse(parts, kv_heads):
    """Queries, keys and values as one matrix, or their biases as one."""
    groups = [part.reshape(kv_heads, -1, *part.shape[1:]) for part in parts]
    return torch.cat(groups, 1).flatten(0, 1).contiguous()


def as_internlm2(weights, kv_heads):
    """A Llama's tensors, as InternLM2 stores them."""
    found = {}
    for name, tensor in weights.items():
        if PARTS[0] in name:
            parts = [weights[name.replace(PARTS[0], p)] for p in PARTS]
            name = name.replace(PARTS[0], ".attention.wqkv.")
            tensor = fuse(parts, kv_heads)
        for old, new in RENAMED:
            name = name.replace(old, new)
        if not any(part in name for part in PARTS):
            found[name] = tensor
    return found


def config_as_internlm2(config):
    """A Llama's config.json in the old spelling, as InternLM2 has it."""
    config = {k: v for k, v in config.items()
              if k not in ("attention_bias", "mlp_bias", "head_dim")} | {
                  "architectures": ["InternLM2ForCausalLM"],
                  "auto_map": {
                      "AutoConfig": "configuration_internlm2.InternLM2Config",
                      "AutoModelForCausalLM":
                          "modeling_internlm2.InternLM2ForCausalLM"},
                  "attn_implementation": "eager",
                  "bias": config["attention_bias"],
                  "model_type": "internlm2"}
    return config


# --- the published code ----------------------------------------------------

def published(folder):
    """The module that has the model's parts."""
    folder = pathlib.Path(folder).resolve()
    sys.path.insert(0, str(folder.parent))
    return importlib.import_module(folder.name + ".modeling_internlm2")


def part_of(weights, start):
    return {name.removeprefix(start): tensor.float()
            for name, tensor in weights.items() if name.startswith(start)}


@torch.no_grad()
def forward(code, config, weights, ids):
    """The same names as the goldens', by the published layers and norm."""
    x = part_of(weights, "model.tok_embeddings.")["weight"][ids][None]
    mask = code._make_causal_mask((1, len(ids)), x.dtype, x.device)
    seen = {"embed": x[0]}
    for i in range(config.num_hidden_layers):
        layer = code.InternLM2DecoderLayer(config)
        layer.load_state_dict(part_of(weights, f"model.layers.{i}."))
        x = layer(x, mask, torch.arange(len(ids))[None])[0]
        seen[f"layer{i}"] = x[0]
    norm = code.InternLM2RMSNorm(config.hidden_size, config.rms_norm_eps)
    norm.load_state_dict(part_of(weights, "model.norm."))
    seen["norm"] = norm(x)[0]
    head = part_of(weights, "output.") or part_of(weights,
                                                  "model.tok_embeddings.")
    seen["logits"] = seen["norm"] @ head["weight"].T
    return seen


def worst(code, folder, goldens, prefix):
    """By how many tolerances the goldens of a text differ at most."""
    config = Fields(**json.loads((folder / "config.json").read_text()))
    weights = {}
    for path in folder.glob("*.safetensors"):
        weights |= load_file(path)
    ids = goldens[prefix + "ids"].long()
    tokens = goldens.get(prefix + "rows", torch.arange(len(ids))).long()
    found = []
    for name, rows in forward(code, config, weights, ids).items():
        golden = goldens[prefix + name]
        limit = TOLERANCE * golden.abs().amax(-1, keepdim=True).clamp(min=1)
        found.append(((rows[tokens] - golden).abs() / limit).max().item())
    return max(found)


def main(folder):
    code = published(folder)
    for checkpoint in sorted(ROOT.glob("internlm2-*")):
        goldens = load_file(ROOT / "goldens" /
                            f"{checkpoint.name}.safetensors")
        for prefix in ("", "long."):
            if prefix + "ids" in goldens:
                off = worst(code, checkpoint, goldens, prefix)
                print(f"{checkpoint.name} {prefix}ids: off {off:.2f}")
                if off > 1:
                    sys.exit("the goldens are not what InternLM2 computes")


if __name__ == "__main__":
    main(*sys.argv[1:])
