"""Make tests/checkpoints/: small random models, and what transformers makes
of them, layer by layer.

    pip install torch==2.11.0 transformers==5.17.0 numpy
    python3 forward_checkpoints.py [NAME...]

The oracle is transformers in 32-bit floats with eager attention; the same in
64-bit floats is the referee.  A golden that would not notice a mistake is
worth nothing, and neither is one on which two correct programs disagree.  So
weights are scaled until attention scores and logits are large, and a seed is
rejected when the referee differs from the oracle by more than a third of the
tests' tolerance: 1e-5 times the largest golden of the row, or times 1.

NAME/            the model: config.json, safetensors
goldens/NAME.safetensors
    ids          (n,) a text; embed, layer0 ..., norm, logits: of each token
    greedy.ids   (64,) how transformers goes on; greedy.margin (64,) by how
                 much the best logit led: ids are compared up to the first
                 lead below 0.01
    long.ids     (600,) and of the tokens long.rows (k,), long.layer0 ...
"""
import contextlib
import copy
import json
import pathlib
import shutil
import sys

import torch
import transformers
from safetensors.torch import save_file

from forward_specs import CHECKPOINTS

ROOT = pathlib.Path(__file__).resolve().parents[2] / "checkpoints"
TOLERANCE = 1e-5
LENGTH, LONG, NEW = 40, 600, 64
LONG_ROWS = [0, 63, 64, 65, 200, 333, 450, 597, 598, 599]
NO_MARGIN = 0.01


# --- a model of random weights ---------------------------------------------

def spread(name, parameter, config):
    """Mean and standard deviation of the random weights of one tensor."""
    tied = config.tie_word_embeddings
    has_qk_norm = "qwen3" in config.model_type
    if tied and name == "model.norm.weight":
        return 10.0, 3.0
    if name.endswith(("q_norm.weight", "k_norm.weight")):
        return 3.0, 0.5
    if name.endswith("norm.weight"):
        return 1.0, 0.3
    if name.endswith(".bias"):
        return 0.0, 0.4
    inputs = parameter.shape[-1]
    if name.endswith("lm_head.weight"):
        return 0.0, 12 / inputs ** 0.5
    if "embed" in name:
        return 0.0, 0.9 / inputs ** 0.5 if tied else 1.0
    if name.endswith(("q_proj.weight", "k_proj.weight")) and not has_qk_norm:
        return 0.0, 2.2 / inputs ** 0.5
    return 0.0, (1.0 if tied else 0.7) / inputs ** 0.5


def random_model(family, options, how, seed):
    config = getattr(transformers, family + "Config")(**options)
    model = getattr(transformers, family + "ForCausalLM")(config)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, p in model.named_parameters():
            mean, std = spread(name, p, config)
            p.copy_(mean + std * torch.randn(p.shape, generator=generator))
            if name.endswith("down_proj.weight"):
                p *= how.get("feed", 1.0)
    return model.to(getattr(torch, how["dtype"]))


# --- storing it ------------------------------------------------------------

def spell_as_before_5(config):
    rope = config.pop("rope_parameters")
    config["rope_theta"] = rope.pop("rope_theta")
    kind = rope.pop("rope_type")
    config["rope_scaling"] = None if kind == "default" else dict(
        rope, type=kind)
    config["torch_dtype"] = config.pop("dtype")


def store(model, folder, how):
    """Write the model, and load it again as a user would."""
    shutil.rmtree(folder, ignore_errors=True)
    model.save_pretrained(folder, max_shard_size=how.get("shards", "1GB"))
    path = folder / "config.json"
    config = json.loads(path.read_text())
    for key in how.get("drop", []):
        del config[key]
    if how.get("old"):
        spell_as_before_5(config)
    path.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    (folder / "generation_config.json").unlink(missing_ok=True)
    for file in folder.iterdir():
        file.chmod(0o644)
    loaded = load(folder)
    if not how.get("index", True):
        (folder / "model.safetensors.index.json").unlink()
    return loaded


def auto_class(folder):
    """What opens a model: Mistral 3 is not in the list of those for texts."""
    config = json.loads((folder / "config.json").read_text())
    if "Mistral3" in str(config.get("architectures")):
        return transformers.AutoModelForImageTextToText
    return transformers.AutoModelForCausalLM


def load(folder):
    return auto_class(folder).from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager").eval()


# --- running it ------------------------------------------------------------

@contextlib.contextmanager
def referee(scores):
    """In here a 64-bit model is 64-bit in its norms and softmax, too, where
    the library names float32; positions stay in 32 bits, as they are defined.
    `scores` receives the largest attention scores."""
    float32, softmax = torch.float32, torch.nn.functional.softmax

    def watched(x, *args, **kwargs):
        scores.append(x[x > -1e30].abs().max().item())
        return softmax(x, *args, **dict(kwargs, dtype=torch.float64))

    torch.float32, torch.nn.functional.softmax = torch.float64, watched
    try:
        yield
    finally:
        torch.float32, torch.nn.functional.softmax = float32, softmax


@torch.no_grad()
def run(model, ids):
    """All intermediate results of one text."""
    seen = {}

    def keep(name):
        def hook(module, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            seen[name] = output[0].clone()
        return hook

    parts = [("embed", model.model.embed_tokens), ("norm", model.model.norm)]
    parts += [(f"layer{i}", l) for i, l in enumerate(model.model.layers)]
    handles = [m.register_forward_hook(keep(name)) for name, m in parts]
    seen["logits"] = model(torch.tensor([ids]), use_cache=False).logits[0]
    for handle in handles:
        handle.remove()
    return seen


def disagreement(oracle, exact):
    """In units of the tests' tolerance."""
    worst = 0.0
    for name, rows in oracle.items():
        limit = TOLERANCE * rows.abs().amax(-1, keepdim=True).clamp(min=1)
        off = (rows.double() - exact[name].double()).abs()
        worst = max(worst, (off / limit).max().item())
    return worst


@torch.no_grad()
def greedy(model, ids):
    ids, new, margins = list(ids), [], []
    for _ in range(NEW):
        logits = model(torch.tensor([ids]), use_cache=False).logits[0, -1]
        best = logits.topk(2)
        new.append(best.indices[0].item())
        margins.append((best.values[0] - best.values[1]).item())
        ids.append(new[-1])
    return new, margins


# --- goldens ---------------------------------------------------------------

def judge(model, double, texts, scores):
    """Runs of all texts, or None when the referee objects."""
    runs = []
    for ids in texts:
        runs.append(run(model, ids))
        with referee(scores):
            exact = run(double, ids)
        if disagreement(runs[-1], exact) > 1 / 3:
            return None
    return runs


def good_continuation(model, ids):
    """The greedy continuation, or None when it soon meets two nearly equal
    logits, or turns in a small circle."""
    new, margins = greedy(model, ids)
    early = min(margins[:NEW // 2]) < NO_MARGIN
    return None if early or len(set(new)) < 8 else (new, margins)


def goldens(model, texts, runs, continuation):
    tensors = {"ids": torch.tensor(texts[0], dtype=torch.int32), **runs[0]}
    tensors["greedy.ids"] = torch.tensor(continuation[0], dtype=torch.int32)
    tensors["greedy.margin"] = torch.tensor(continuation[1])
    if len(texts) > 1:
        rows = torch.tensor(LONG_ROWS)
        tensors["long.ids"] = torch.tensor(texts[1], dtype=torch.int32)
        tensors["long.rows"] = rows.int()
        for name, value in runs[1].items():
            tensors["long." + name] = value[rows]
    return {k: v.contiguous() for k, v in tensors.items()}


def attempt(name, family, options, how, seed):
    """Goldens of one seed, or the reason why there are none."""
    model = store(random_model(family, options, how, seed),
                  ROOT / name, how)
    double = copy.deepcopy(model).double()
    generator = torch.Generator().manual_seed(seed + 1)
    texts = [torch.randint(3, 80, (n,), generator=generator).tolist()
             for n in ([LENGTH, LONG] if how.get("long") else [LENGTH])]
    scores = []
    runs = judge(model, double, texts, scores)
    if runs is None:
        return "the referee objects", None
    logits = runs[0]["logits"].abs().max().item()
    if max(scores) < 18 or logits < 30:
        return f"too tame: scores {max(scores):.0f}, logits {logits:.0f}", None
    continuation = good_continuation(model, texts[0][:LENGTH // 2])
    if not continuation:
        return "the continuation is too close a call", None
    text = f"scores {max(scores):.0f}, logits {logits:.0f}"
    return text, goldens(model, texts, runs, continuation)


def make(name, family, options, how):
    for seed in range(1, 400):
        why, tensors = attempt(name, family, options, how, seed)
        if tensors:
            break
    else:
        sys.exit(f"{name}: no seed will do; the last: {why}")
    made_by = {"made_by": "tests/oracle/forward/forward_checkpoints.py",
               "torch": torch.__version__,
               "transformers": transformers.__version__, "seed": str(seed)}
    path = ROOT / "goldens" / f"{name}.safetensors"
    save_file(tensors, path, made_by)
    path.chmod(0o644)
    print(f"{name}: seed {seed}, {why}", flush=True)


def main(names):
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    (ROOT / "goldens").mkdir(parents=True, exist_ok=True)
    for name, family, options, how in CHECKPOINTS:
        if not names or name in names:
            make(name, family, options, how)


if __name__ == "__main__":
    main(sys.argv[1:])
