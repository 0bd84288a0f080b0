"""Make tests/checkpoints/mutations.jsonl and mutations.safetensors: what
transformers does when one key of a model's config.json is deleted, changed or
added.

    pip install torch==2.11.0 transformers==5.17.0 numpy
    python3 families_mutations.py [FOLDER] [NAME...]

A program that reads such a config must refuse it or compute what transformers
computes.  A model's first line is {"model", "text", "tokens", "token", "row"}:
of the golden `text`, the first `tokens`; the logits of one of them, `token`,
are row `row` of `logits` in mutations.safetensors.  A line {"at", "do", "to",
"then", "token", "row"} follows for each change of config.json: where, "delete"
or "set", to what, and what happens then:

    same     the same logits of all tokens, to the last bit
    moves    other logits: those of the row
    misfit   the tensors are not those that this config asks for
    raises   transformers gives up
    broken   logits that are no numbers

The token is the last one on which 32-bit and 64-bit arithmetic agree to a
third of the tests' tolerance, and that moves far, if one does: see
forward_checkpoints.py.

Renaming a key is deleting it, and adding one that nobody reads.  Without
text_config, models of billions of weights would be made: it stays.
"""
import copy
import json
import multiprocessing
import pathlib
import sys
import tempfile

import torch
import transformers
from safetensors.torch import load_file, save_file

from families_checkpoints import make_double, referee

ROOT = pathlib.Path(__file__).resolve().parent.parent / "checkpoints"
TOLERANCE, ENOUGH = 1e-5, 50
SHORT = 40
# Where a longer text is another one: past a window, or what was trained on.
LONG = {"qwen2-2": 170, "dynamic-1": 80, "phi3-1": 80}
PARTS = 6  # in which a model's changes are tried
ACTIVATIONS = ["silu", "gelu", "gelu_new", "gelu_pytorch_tanh", "relu",
               "nonsense"]
ROPES = ["default", "linear", "dynamic", "yarn", "llama3", "longrope",
         "proportional", "su", "nonsense"]
BIDIRECTIONAL = [True, "all", "vision"]
LINEAR = {"rope_type": "linear", "rope_theta": 20000.0, "factor": 2.0}

# What a string or a null is changed to.
WORDS = {
    "hidden_act": ACTIVATIONS, "hidden_activation": ACTIVATIONS,
    "rope_type": ROPES, "type": ROPES,
    "model_type": ["llama", "qwen3", "gemma2", "nonsense"],
    "dtype": ["float16"], "torch_dtype": ["float16"],
    "sliding_window": [5], "pad_token_id": [3],
    "final_logit_softcapping": [20.0], "attn_logit_softcapping": [20.0],
    "use_bidirectional_attention": BIDIRECTIONAL,
    "rope_scaling": [{"type": "linear", "factor": 2.0},
                     {"rope_type": "dynamic", "factor": 2.0},
                     {"type": "yarn", "factor": 4.0}],
}

# What is added where it is not.
ADDED = {
    "attention_bias": [True], "mlp_bias": [True], "use_bias": [False],
    "head_dim": [6], "sliding_window": [5], "use_sliding_window": [True],
    "max_window_layers": [0], "sliding_window_pattern": [2],
    "no_rope_layer_interval": [2], "partial_rotary_factor": [0.5],
    "rotary_pct": [0.5], "rope_theta": [20000.0], "rotary_emb_base": [20000],
    "rope_local_base_freq": [20000.0],
    "rope_scaling": [{"type": "linear", "factor": 2.0}],
    "rope_parameters": [LINEAR],
    "original_max_position_embeddings": [16],
    "final_logit_softcapping": [20.0], "attn_logit_softcapping": [20.0],
    "query_pre_attn_scalar": [7], "hidden_act": ["relu"],
    "hidden_activation": ["relu"], "rms_norm_eps": [0.5],
    "layer_norm_eps": [0.5], "norm_epsilon": [0.5],
    "embedding_multiplier": [3.0], "residual_multiplier": [0.5],
    "logits_scaling": [3.0], "attention_multiplier": [0.1],
    "use_parallel_residual": [False], "attention_k_eq_v": [True],
    "global_head_dim": [6], "num_global_key_value_heads": [1],
    "hidden_size_per_layer_input": [8], "num_kv_shared_layers": [1],
    "use_double_wide_mlp": [True], "enable_moe_block": [True],
    "use_bidirectional_attention": [True], "clip_qkv": [0.5],
    "per_layer_config": [{"0": {"head_dim": 6}}],
    "tie_word_embeddings": [True, False],
}


# --- changes ---------------------------------------------------------------

def changed_list(values):
    """Other lists of the same kind."""
    other = {"sliding_attention": "full_attention",
             "full_attention": "sliding_attention", 0: 1, 1: 0}
    first = other.get(values[0], 2 if isinstance(values[0], int)
                      else "LlamaForCausalLM" if isinstance(values[0], str)
                      else values[0] * 1.5)
    flipped = [other.get(v, v) for v in values]
    lists = [[first] + values[1:], values + values[-1:], values[:-1], flipped]
    return [v for v in lists if v != values]


def changed(key, value):
    """What a value is changed to."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, max(value // 2, 0)]
    if isinstance(value, float):
        return [value * 1.5 if value else 0.25]
    if isinstance(value, list):
        return changed_list(value)
    if isinstance(value, dict):
        return [None]
    return [v for v in WORDS.get(key, ["nonsense"] if value else [])
            if v != value]


def changes_below(config, at):
    for key, value in sorted(config.items()):
        if key == "vision_config":
            continue
        if key == "text_config":
            yield from changes_below(value, at + [key])
            continue
        yield at + [key], "delete", None
        for other in changed(key, value):
            yield at + [key], "set", other
        if value is not None and not isinstance(value, (dict, list)):
            yield at + [key], "set", 7 if isinstance(value, str) else "7"
        if isinstance(value, dict):
            yield from changes_below(value, at + [key])


def changes(config):
    """(path of the key, what is done, the new value)."""
    yield from changes_below(config, [])
    at = ["text_config"] if "text_config" in config else []
    text = config["text_config"] if at else config
    for key, values in ADDED.items():
        for value in values if key not in text else []:
            yield at + [key], "set", value
    n = text["num_hidden_layers"]
    for key, values in (("layer_types", ["sliding_attention"] * n),
                        ("no_rope_layers", [0] * n)):
        if key not in text:
            yield at + [key], "set", values


def apply_change(config, at, do, to):
    config = copy.deepcopy(config)
    inner = config
    for key in at[:-1]:
        inner = inner[key]
    if do == "delete":
        del inner[at[-1]]
    else:
        inner[at[-1]] = to
    return config


# --- what happens ----------------------------------------------------------

def read_model(folder):
    """A model, or why there is none."""
    try:
        model, info = transformers.AutoModelForCausalLM.from_pretrained(
            folder, dtype=torch.float32, attn_implementation="eager",
            output_loading_info=True)
    except Exception:  # whatever it says, it refuses
        return "raises"
    if any(info.get(k) for k in ("missing_keys", "unexpected_keys",
                                 "mismatched_keys")):
        return "misfit"
    return model.eval()


@torch.no_grad()
def run(model, ids):
    return model(torch.tensor([ids]), use_cache=False).logits[0].clone()


def apart(rows, others):
    """By how many tolerances each row differs."""
    limit = TOLERANCE * rows.abs().amax(-1).clamp(min=1)
    return (rows.double() - others.double()).abs().amax(-1) / limit


def settled(model, logits, ids, base):
    """A token on which the referee agrees, and its logits."""
    double = make_double(model)
    with referee([]):
        fair = apart(logits, run(double, ids)) <= 1 / 3
    far = fair if base is None else fair & (apart(base, logits) >= ENOUGH)
    tokens = (far if far.any() else fair).nonzero()
    if not len(tokens):
        raise ValueError("the referee agrees on no token")
    return {"token": tokens[-1].item(), "row": logits[tokens[-1].item()]}


def copy_weights(source, folder):
    """In one file: transformers reads no parts without an index."""
    weights = {}
    for path in source.glob("*.safetensors"):
        weights.update(load_file(path))
    save_file(weights, folder / "model.safetensors", {"format": "pt"})


def happens(folder, config, ids, base):
    (folder / "config.json").write_text(json.dumps(config))
    model = read_model(folder)
    if isinstance(model, str):
        return {"then": model}
    try:
        logits = run(model, ids).float()
    except Exception:
        return {"then": "raises"}
    if not logits[-1].isfinite().all():
        return {"then": "broken"}
    if logits.equal(base):
        return {"then": "same"}
    return {"then": "moves", **settled(model, logits, ids, base)}


def mutate(task):
    """A part of the lines of one model; a row is its numbers yet."""
    name, part = task
    prepare()
    goldens = load_file(ROOT / "goldens" / f"{name}.safetensors")
    text, tokens = ("long.ids", LONG[name]) if name in LONG else ("ids", SHORT)
    ids = goldens[text][:tokens].tolist()
    config = json.loads((ROOT / name / "config.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        copy_weights(ROOT / name, folder)
        (folder / "config.json").write_text(json.dumps(config))
        model = read_model(folder)
        base = run(model, ids)
        lines = [{"model": name, "text": text, "tokens": tokens,
                  **settled(model, base, ids, None)}]
        every = list(changes(config))
        size = -(-len(every) // PARTS)
        for at, do, to in every[part * size:(part + 1) * size]:
            line = {"at": at, "do": do, **({"to": to} if do == "set" else {})}
            other = apply_change(config, at, do, to)
            lines.append({**line, **happens(folder, other, ids, base)})
    return lines[min(part, 1):]


def number_rows(lines):
    """Rows of numbers become their places in the table that is returned."""
    rows, known = [], {}
    for line in lines:
        if "row" in line:
            row = line["row"]
            place = known.setdefault(row.numpy().tobytes(), len(rows))
            rows += [row] if place == len(rows) else []
            line["row"] = place
    return rows


def prepare():
    torch.set_num_threads(1)
    transformers.logging.set_verbosity(transformers.logging.FATAL)
    transformers.utils.logging.disable_progress_bar()


def main(folder, names):
    names = names or sorted(p.name for p in ROOT.iterdir()
                            if (p / "config.json").exists())
    with multiprocessing.Pool() as pool:
        tasks = [(name, part) for name in names for part in range(PARTS)]
        lines = sum(pool.map(mutate, tasks, chunksize=1), [])
    rows = number_rows(lines)
    with open(folder / "mutations.jsonl", "w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
    save_file({"logits": torch.stack(rows)},
              folder / "mutations.safetensors",
              {"made_by": "tests/oracle/families_mutations.py",
               "torch": torch.__version__,
               "transformers": transformers.__version__})
    (folder / "mutations.safetensors").chmod(0o644)
    print(len(lines), "lines,", len(rows), "rows of logits")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if sys.argv[1:] else ROOT, sys.argv[2:])
