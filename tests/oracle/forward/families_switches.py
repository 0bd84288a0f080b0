"""Make tests/checkpoints/switches.json and flips.safetensors: for each
checkpoint and each switch that it uses, what becomes of it when the switch is
set otherwise, and how far the goldens are from that.

    pip install torch==2.11.0
    python3 families_switches.py [NAME...]

With names, what the files have of other checkpoints stays as it is.
switches.json has, by checkpoint and switch,

    moves    by how many of the tests' tolerances the goldens move at most
    text     ids or long.ids, the golden text; at, the golden's name; token,
             which of its tokens: there the flipped model, computed in 64
             bits, is stored in flips.safetensors as CHECKPOINT/SWITCH

A switch that moves no golden by 50 tolerances could be wrong in a program
without a test noticing.  The place is the last one that moves so far and where
32-bit arithmetic agrees with 64 bits to a third of the tolerance: a program
can be compared with it.  "none" is the reference itself, unflipped: below 1,
it agrees with transformers.
"""
import copy
import json
import multiprocessing
import pathlib
import sys
from types import SimpleNamespace as Fields

import torch
from safetensors.torch import load_file, save_file

from families_flips import FLIPS
from families_reference import forward, resolve

ROOT = pathlib.Path(__file__).resolve().parents[2] / "checkpoints"
TOLERANCE, ENOUGH = 1e-5, 50


def in_32_bits(part):
    """A copy of a model whose weights are 32-bit numbers."""
    if isinstance(part, torch.Tensor):
        return part.float()
    if isinstance(part, list):
        return [in_32_bits(each) for each in part]
    if isinstance(part, Fields):
        return Fields(**{k: in_32_bits(v) for k, v in vars(part).items()})
    return part


def apart(rows, others):
    """By how many tolerances each row differs."""
    limit = TOLERANCE * rows.abs().amax(-1).clamp(min=1)
    return (rows.double() - others.double()).abs().amax(-1) / limit


def places_from_last(seen):
    """Names of results: logits first, then norm, and back to the first."""
    return reversed(list(seen))


def find_place(model, goldens, prefix):
    """(movement, place, row there or None) of one text."""
    ids = goldens[prefix + "ids"].long()
    tokens = goldens.get(prefix + "rows", torch.arange(len(ids))).long()
    seen, short = (forward(m, ids) for m in (model, in_32_bits(model)))
    most, place, row = 0.0, None, None
    for name in places_from_last(seen):
        exact, rough = seen[name][tokens], short[name][tokens]
        moved = apart(goldens[prefix + name], exact)
        most = max(most, moved.max().item())
        fine = (moved >= ENOUGH) & (apart(exact, rough) <= 1 / 3)
        if place is None and fine.any():
            i = fine.nonzero()[-1].item()
            place = {"text": prefix + "ids", "at": name,
                     "token": tokens[i].item()}
            row = exact[i].float().clone()
    return most, place, row


def movement(model, goldens):
    """The long text is read only when the short one hardly notices."""
    most, place, row = find_place(model, goldens, "")
    if place is None and "long.ids" in goldens:
        more, place, row = find_place(model, goldens, "long.")
        most = max(most, more)
    return {"moves": round(most, 2), **(place or {})}, row


def movements(name):
    torch.set_num_threads(1)
    goldens = load_file(ROOT / "goldens" / f"{name}.safetensors")
    model, found, rows = resolve(ROOT / name), {}, {}
    for switch, flip in FLIPS.items():
        flipped = copy.deepcopy(model)
        if flip(flipped):
            found[switch], row = movement(flipped, goldens)
            rows |= {} if row is None else {f"{name}/{switch}": row}
    return found, rows


def holes_of(table):
    for name, found in table.items():
        for switch, what in found.items():
            good = (what["moves"] <= 1 if switch == "none"
                    else "at" in what)
            if not good:
                yield f"{name}: {switch} moves {what['moves']}"


def keep_others(table, rows):
    """What is there of checkpoints that were not asked for."""
    old = json.loads((ROOT / "switches.json").read_text())["checkpoints"]
    others = {k: v for k, v in load_file(ROOT / "flips.safetensors").items()
              if k.split("/")[0] not in table}
    return dict(sorted((old | table).items())), others | rows


def write(table, rows):
    made_by = {"made_by": "tests/oracle/forward/families_switches.py",
               "torch": torch.__version__}
    out = made_by | {"unit": "tolerances", "checkpoints": table}
    (ROOT / "switches.json").write_text(json.dumps(out, indent=1) + "\n")
    save_file(rows, ROOT / "flips.safetensors", made_by)
    (ROOT / "flips.safetensors").chmod(0o644)


def main(names):
    every = names or sorted(p.name for p in ROOT.iterdir()
                            if (p / "config.json").exists())
    with multiprocessing.Pool() as pool:
        results = pool.map(movements, every, chunksize=1)
    table = {name: found for name, (found, _) in zip(every, results)}
    rows = {k: v for _, part in results for k, v in part.items()}
    print("\n".join(holes_of(table)) or "no holes")
    write(*(keep_others(table, rows) if names else (table, rows)))


if __name__ == "__main__":
    main(sys.argv[1:])
