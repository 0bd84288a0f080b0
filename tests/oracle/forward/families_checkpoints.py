"""Make tests/checkpoints/ of the other families, and what transformers makes
of them, layer by layer: the protocol is forward_checkpoints.py's.

    pip install torch==2.11.0 transformers==5.17.0 numpy
    python3 families_checkpoints.py [NAME...]

Goldens have the names that stand there, too, and, of models that turn a text
into one vector, `pooled`: the last row of `norm` divided by its length.
`embed` is what enters the first layer, scaled as the family scales it.
"""
import contextlib
import copy
import json
import math
import sys

import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

import forward_checkpoints as base
from families_internlm2 import as_internlm2, config_as_internlm2
from families_specs import CHECKPOINTS

ROOT = base.ROOT
FLOAT32 = torch.float32
SEEDS = 400


# --- a model of random weights ---------------------------------------------

def head_size(config):
    size = config.__dict__.get("head_dim")
    return size or config.hidden_size // config.num_attention_heads


def attention_scale(config):
    """What the dot products of queries and keys are multiplied with."""
    if config.model_type == "gemma4_text":
        return 1.0
    if hasattr(config, "attention_multiplier"):
        return config.attention_multiplier
    return getattr(config, "query_pre_attn_scalar",
                   head_size(config)) ** -0.5


def final_cap(config):
    return getattr(config, "final_logit_softcapping", None) or math.inf


def steepness(config, size, scores):
    """How large the numbers of queries and keys must be for such scores."""
    return (scores / (size ** 0.5 * attention_scale(config))) ** 0.5


def spread_of_norm(name, parameter, config):
    less = 1.0 if config.model_type in ("gemma2", "gemma3_text") else 0.0
    if name.endswith(("q_norm.weight", "k_norm.weight",
                      "query_layernorm.weight", "key_layernorm.weight")):
        size = head_size(config)
        if config.model_type == "gemma4_text":
            size = parameter.shape[0]
        large = config.rms_norm_eps >= 0.05  # makes what is normed smaller
        mean = steepness(config, size, 7.0 if large else 5.0)
        return mean - less, mean / 6
    last = name.endswith((".norm.weight", "final_layer_norm.weight"))
    if last and config.tie_word_embeddings:
        # Of both signs: else each token would be its own likeliest next.
        return 0.0 - less, min(6.0, final_cap(config) / 7)
    return 1.0 - less, 0.3


def spread_of_embedding(config, inputs):
    """Of rows that are the head's, too, or are of size 1 in the end."""
    if config.tie_word_embeddings:
        return 0.0, 1.5 / inputs ** 0.5 * getattr(config, "logits_scaling", 1)
    if config.model_type.startswith("gemma"):
        return 0.0, inputs ** -0.5
    return 0.0, 1.0 / getattr(config, "embedding_multiplier", 1.0)


def spread(name, parameter, config):
    """Mean and standard deviation of the random weights of one tensor."""
    if name.endswith("bias"):
        return 0.0, 0.4
    if "norm" in name:
        return spread_of_norm(name, parameter, config)
    inputs = parameter.shape[-1]
    if name.endswith("lm_head.weight"):
        wide = min(12.0, final_cap(config) / 3)
        wide *= getattr(config, "logits_scaling", 1)
        return 0.0, wide / inputs ** 0.5
    if "embed" in name:
        return spread_of_embedding(config, inputs)
    has_norm = config.model_type in ("gemma3_text", "gemma4_text", "olmo2",
                                     "qwen3", "hunyuan_v1_dense")
    if name.endswith(("q_proj.weight", "k_proj.weight")) and not has_norm:
        return 0.0, steepness(config, head_size(config), 4.5) / inputs ** 0.5
    return 0.0, 0.7 / inputs ** 0.5


def raise_some(name, parameter, config):
    """What comes out of activations is larger, so that their kind matters;
    and so are the rows of queries and keys in a fused matrix."""
    if name.endswith(("down_proj.weight", "mlp.c_proj.weight",
                      "dense_4h_to_h.weight")):
        parameter *= 3.0
    if name.endswith(("post_feedforward_layernorm.weight",
                      "post_mlp_layernorm.weight")):
        mean, _ = spread_of_norm(name, parameter, config)
        parameter += 2.0 + 2.0 * (parameter - mean)
    if name.endswith(("c_fc.bias", "dense_h_to_4h.bias")):
        parameter -= 1.0
    size, heads = head_size(config), config.num_attention_heads
    if name.endswith("qkv_proj.weight"):
        parameter[:(heads + config.num_key_value_heads) * size] *= 3.0
    if name.endswith("query_key_value.weight"):
        parameter.view(heads, 3, size, -1)[:, :2] *= 3.0


def make_config(model_class, options, how):
    config_class = model_class.config_class
    if "vision" not in how:
        return config_class(**copy.deepcopy(options))
    return config_class(text_config=copy.deepcopy(options),
                        vision_config=dict(how["vision"]),
                        tie_word_embeddings=options["tie_word_embeddings"],
                        **({"mm_tokens_per_image": 4}
                           if "Gemma3" in model_class.__name__ else {}))


def random_model(class_name, options, how, seed):
    model_class = getattr(transformers, class_name)
    config = make_config(model_class, options, how)
    model = model_class(config)
    text = config.get_text_config()
    generator = torch.Generator().manual_seed(seed)
    scalars = [(n, b) for n, b in model.named_buffers()
               if n.endswith("layer_scalar")]
    with torch.no_grad():
        for name, p in list(model.named_parameters()) + scalars:
            mean, std = spread(name, p, text)
            if name.endswith("layer_scalar"):
                mean, std = 1.1, 0.25
            p.copy_(mean + std * torch.randn(p.shape, generator=generator))
            raise_some(name, p, text)
            if "embed_tokens" in name:
                p *= how.get("embedding", 1.0)
    return model.to(getattr(torch, how["dtype"]))


# --- storing it ------------------------------------------------------------

def edit_config(folder, how):
    path = folder / "config.json"
    config = json.loads(path.read_text())
    if "edit" in how:
        how["edit"](config)
    if how.get("old"):
        base.spell_as_before_5(config)
    path.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")


def rewrite_as_internlm2(folder, kv_heads):
    """What was loaded as a Llama stays one in memory."""
    path, file = folder / "config.json", folder / "model.safetensors"
    config = config_as_internlm2(json.loads(path.read_text()))
    path.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    save_file(as_internlm2(load_file(file), kv_heads), file, {"format": "pt"})
    file.chmod(0o644)


def store(model, folder, how):
    """Write the model, and load it again as a user would."""
    stored = model.model if how.get("bare") else model
    base.store(stored, folder, {k: v for k, v in how.items()
                                if k in ("shards", "drop")})
    edit_config(folder, how)
    loaded = base.load(folder)
    if how.get("internlm2"):
        rewrite_as_internlm2(folder, loaded.config.num_key_value_heads)
    if not how.get("index", True):
        (folder / "model.safetensors.index.json").unlink()
    return loaded


# --- running it ------------------------------------------------------------

def in_32_bits(function):
    """Frequencies are 32-bit numbers for the referee, too."""
    def call(*args, **kwargs):
        current, torch.float32 = torch.float32, FLOAT32
        try:
            return function(*args, **kwargs)
        finally:
            torch.float32 = current
    return call


@contextlib.contextmanager
def referee(scores):
    """forward_checkpoints' referee, who leaves 64-bit numbers as they are
    where a family asks for .float()."""
    as_float, functions = torch.Tensor.float, dict(ROPE_INIT_FUNCTIONS)
    torch.Tensor.float = lambda x: (x if x.dtype == torch.float64
                                    else as_float(x))
    for name, function in functions.items():
        ROPE_INIT_FUNCTIONS[name] = in_32_bits(function)
    try:
        with base.referee(scores):
            yield
    finally:
        torch.Tensor.float = as_float
        ROPE_INIT_FUNCTIONS.update(functions)


def make_double(model):
    double = copy.deepcopy(model).double()
    for module in double.modules():
        for name, buffer in list(module.named_buffers(recurse=False)):
            if "inv_freq" in name:
                setattr(module, name, buffer.float())
    return double


def find_stack(model):
    """The module that holds the layers."""
    inner = getattr(model, model.base_model_prefix)
    return getattr(inner, "language_model", inner)


@torch.no_grad()
def run(model, ids):
    """All intermediate results of one text."""
    seen, stack = {}, find_stack(model)

    def keep(name):
        def hook(module, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            seen[name] = output[0].clone()
        return hook

    def keep_input(module, inputs):
        seen["embed"] = inputs[0][0].clone()

    last = getattr(stack, "norm", None) or stack.final_layer_norm
    handles = [stack.layers[0].register_forward_pre_hook(keep_input)]
    for i, layer in enumerate(stack.layers):
        handles.append(layer.register_forward_hook(keep(f"layer{i}")))
    handles.append(last.register_forward_hook(keep("norm")))
    seen["logits"] = model(torch.tensor([ids]), use_cache=False).logits[0]
    for handle in handles:
        handle.remove()
    return seen


# --- goldens ---------------------------------------------------------------

def judge(model, double, texts, scores, most):
    """Runs of all texts, and by how much the referee differs."""
    runs, worst = [], 0.0
    for ids in texts:
        runs.append(run(model, ids))
        with referee(scores):
            exact = run(double, ids)
        worst = max(worst, base.disagreement(runs[-1], exact))
        if not worst <= most:
            break
    return runs, worst


def expected_size(model):
    """How large scores and logits should become: caps keep them lower."""
    config = model.config.get_text_config()
    score_cap = getattr(config, "attn_logit_softcapping", None) or math.inf
    return min(18, 0.7 * score_cap), min(30, 0.6 * final_cap(config))


def attempt(name, class_name, options, how, seed):
    """Goldens of one seed, or the reason why there are none."""
    model = store(random_model(class_name, options, how, seed), ROOT / name,
                  how)
    double = make_double(model)
    generator = torch.Generator().manual_seed(seed + 1)
    texts = [torch.randint(3, 80, (n,), generator=generator).tolist()
             for n in ([base.LENGTH, base.LONG] if how.get("long")
                       else [base.LENGTH])]
    scores = []
    most = how.get("agree", 1 / 3)
    runs, worst = judge(model, double, texts, scores, most)
    if not worst <= most:
        return f"the referee objects ({worst:.2f})", None
    logits = runs[0]["logits"].abs().max().item()
    text = f"scores {max(scores):.0f}, logits {logits:.0f}, off {worst:.2f}"
    least_score, least_logit = expected_size(model)
    if max(scores) < least_score or logits < least_logit:
        return f"too tame: {text}", None
    continuation = base.good_continuation(model, texts[0][:base.LENGTH // 2])
    if not continuation:
        return "the continuation is too close a call", None
    tensors = base.goldens(model, texts, runs, continuation)
    if how.get("bare"):
        last = runs[0]["norm"][-1]
        tensors["pooled"] = last / last.norm()
    return text, tensors


def make(name, class_name, options, how):
    rejected = []
    for seed in range(1, SEEDS):
        why, tensors = attempt(name, class_name, options, how, seed)
        if tensors:
            break
        rejected.append(why)
    else:
        sys.exit(f"{name}: no seed will do; the last: {why}")
    made_by = {"made_by": "tests/oracle/forward/families_checkpoints.py",
               "torch": torch.__version__,
               "transformers": transformers.__version__, "seed": str(seed)}
    path = ROOT / "goldens" / f"{name}.safetensors"
    save_file(tensors, path, made_by)
    path.chmod(0o644)
    print(f"{name}: seed {seed}, {why}; before: {rejected[-3:]}", flush=True)


def main(names):
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    (ROOT / "goldens").mkdir(parents=True, exist_ok=True)
    for name, class_name, options, how in CHECKPOINTS:
        if not names or name in names:
            make(name, class_name, options, how)


if __name__ == "__main__":
    main(sys.argv[1:])
