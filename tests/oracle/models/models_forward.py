"""forward.safetensors: the residual stream of five prompts, layer by layer."""
import os

import torch
from safetensors.torch import save_file

from models_setting import causal_model, tokenizer, write_json
from models_tokens import rendered


def prompts():
    japan = list(rendered())[1]["text"]
    return ["The capital of France is",
            "Once upon a time, there was a little girl named Lily. She",
            japan, "int add(int a, int b) {", "Привет 🙂 日本 café"]


def watch(model):
    """A dict that each run fills: embed, layer0 ..., norm, each
    (tokens, hidden)."""
    seen = {}

    def hook(name):
        def keep(_module, _inputs, output):
            hidden = output[0] if isinstance(output, tuple) else output
            seen[name] = hidden[0].clone().contiguous()
        return keep

    model.model.embed_tokens.register_forward_hook(hook("embed"))
    for i, layer in enumerate(model.model.layers):
        layer.register_forward_hook(hook(f"layer{i}"))
    model.model.norm.register_forward_hook(hook("norm"))
    return seen


@torch.no_grad()
def make_forward(out):
    tokens, model = tokenizer(), causal_model()
    seen = watch(model)
    tensors, described = {}, []
    for p, prompt in enumerate(prompts()):
        ids = tokens.encode(prompt).ids
        logits = model(input_ids=torch.tensor([ids])).logits[0].contiguous()
        tensors[f"p{p}.ids"] = torch.tensor(ids, dtype=torch.int32)
        tensors[f"p{p}.logits"] = logits
        tensors |= {f"p{p}.{name}": each for name, each in seen.items()}
        best = logits.argmax(-1).tolist()
        described.append({
            "prompt": prompt, "ids": ids, "argmax": best,
            "next": tokens.decode(best[-1:], skip_special_tokens=False)})
    save_file(tensors, os.path.join(out, "forward.safetensors"))
    shapes = {name: list(each.shape) for name, each in tensors.items()}
    write_json(out, "forward.json",
               {"prompts": described, "tensors": shapes}, indent=1)
