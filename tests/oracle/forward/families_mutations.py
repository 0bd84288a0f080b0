"""Make tests/checkpoints/mutations.jsonl and mutations.safetensors: what
transformers does when keys of a model's config.json are deleted, changed or
added; families_changes.py says which.

    pip install torch==2.11.0 transformers==5.17.0 numpy
    python3 families_mutations.py [NAME...]

With names, what the files have of other models stays as it is.
A program that reads such a config must refuse it or compute what transformers
computes.  A model's first line is {"model", "text", "tokens", "token", "row"}:
of the golden `text`, the first `tokens`; the logits of one of them, `token`,
are row `row` of `logits` in mutations.safetensors.  A line {"edits", "then",
"token", "row"} follows for each change of config.json: what is edited, and what
happens then:

    same     the same logits of all tokens, to the last bit
    moves    other logits: those of the row
    misfit   the tensors are not those that this config asks for
    raises   transformers gives up
    broken   logits that are no numbers, or on which 32-bit and 64-bit
             arithmetic agree nowhere

The token is the last one on which 32-bit and 64-bit arithmetic agree to a
third of the tests' tolerance, and that moves far, if one does: see
forward_checkpoints.py.
"""
import concurrent.futures
import json
import pathlib
import sys
import tempfile

import torch
import transformers
from safetensors.torch import load_file, save_file

from families_changes import apply_change, changes
from families_checkpoints import make_double, referee
from forward_checkpoints import auto_class

ROOT = pathlib.Path(__file__).resolve().parents[2] / "checkpoints"
TOLERANCE, ENOUGH = 1e-5, 50
SHORT = 40
# Where a longer text is another one: past a window, or what was trained on.
LONG = {"qwen2-2": 170, "dynamic-1": 80, "phi3-1": 80}
PARTS = 6  # in which a model's changes are tried


# --- what happens ----------------------------------------------------------

def read_model(folder):
    """A model, or why there is none."""
    try:
        model, info = auto_class(folder).from_pretrained(
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
    """A token on which the referee agrees, and its logits; None: there is
    no such token."""
    double = make_double(model)
    with referee([]):
        fair = apart(logits, run(double, ids)) <= 1 / 3
    far = fair if base is None else fair & (apart(base, logits) >= ENOUGH)
    tokens = (far if far.any() else fair).nonzero()
    if not len(tokens):
        return None
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
    try:
        row = settled(model, logits, ids, base)
    except Exception:  # it refuses complex numbers, which thetas below 0 make
        row = None
    return {"then": "moves", **row} if row else {"then": "broken"}


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
        every = changes(name, config)
        size = -(-len(every) // PARTS)
        for edits in every[part * size:(part + 1) * size]:
            other = apply_change(config, edits)
            lines.append({"edits": edits,
                          **happens(folder, other, ids, base)})
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


def kept(names):
    """The lines of all other models, as mutate() returns them."""
    logits = load_file(ROOT / "mutations.safetensors")["logits"]
    lines, name = [], None
    for text in open(ROOT / "mutations.jsonl", encoding="utf-8"):
        line = json.loads(text)
        name = line.get("model", name)
        if "row" in line:
            line["row"] = logits[line["row"]]
        if name not in names:
            lines.append((name, line))
    return lines


def in_order(lines):
    """Lines with their models' names, by name; otherwise as they come."""
    return [line for _, line in sorted(lines, key=lambda pair: pair[0])]


def write(lines):
    rows = number_rows(lines)
    with open(ROOT / "mutations.jsonl", "w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
    save_file({"logits": torch.stack(rows)},
              ROOT / "mutations.safetensors",
              {"made_by": "tests/oracle/forward/families_mutations.py",
               "torch": torch.__version__,
               "transformers": transformers.__version__})
    (ROOT / "mutations.safetensors").chmod(0o644)
    print(len(lines), "lines,", len(rows), "rows of logits")


def readable():
    """The models that transformers has a class for: not InternLM2."""
    for path in sorted(ROOT.glob("*/config.json")):
        kind = json.loads(path.read_text())["model_type"]
        if kind in transformers.CONFIG_MAPPING:
            yield path.parent.name


def main(names):
    every = names or list(readable())
    tasks = [(name, part) for name in every for part in range(PARTS)]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        results = list(pool.map(mutate, tasks))
    lines = [(name, line) for (name, _), part in zip(tasks, results)
             for line in part]
    write(in_order(lines + (kept(every) if names else [])))


if __name__ == "__main__":
    main(sys.argv[1:])
