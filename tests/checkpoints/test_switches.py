"""switches.json proves the table of families: whatever `rung families` says of
a family is a switch whose flip moves a golden of one of its models."""

import json
import pathlib
import re
import subprocess
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
ENOUGH = 50

# Of each column, the switches of all families, and those of a word in it.  A
# head of another size does not fit its tensors: no golden is needed.
COLUMNS = {
    "family": ([], None),
    "norm": (["norm 1+w or w", "eps", "final norm"], {
        "RMS": [], "1 + w": [],
        "LayerNorm": ["LayerNorm's mean", "norm bias"]}),
    "blocks": (["parallel"], {
        "before": ["mix norm", "feed norm"],
        "after": ["mix post norm", "feed post norm"], "parallel": []}),
    "qk-norm": ([], {
        "q": ["qk norm", "qk norm eps"],
        "k by head": ["qk norm over all heads", "qk norm after rotation"],
        "k by turned head": ["qk norm over all heads",
                             "qk norm before rotation"],
        "k all heads": ["qk norm per head"], "v": ["v norm", "v norm eps"]}),
    "biases": ([], {
        "qkv": ["qkv bias"], "qkv always": ["qkv bias"], "o": ["o bias"],
        "mlp": ["mlp bias"], "mlp always": ["mlp bias"]}),
    "mlp": (["activation"], {
        "silu": [], "gelu": [], "gelu_pytorch_tanh": [],
        "gated": ["gate and up swapped"]}),
    "windows": ([], {
        kind: ["window", "window one wider", "window one narrower"] + mixed
        for kind, mixed in (
            ("all layers", []), ("most layers", ["window in every layer"]),
            ("upper layers", ["window in every layer"]),
            ("unturned layers", ["window in every layer"]))}),
    "rotary": (["rotation", "theta", "halves or neighbours"], {
        "not in all layers": ["rotation where there is none"],
        "two thetas": ["theta of the other kind"],
        "0.5 of a head": ["rotary fraction"],
        "0.25 of a head": ["rotary fraction"], "neighbours": []}),
    "scaling": ([], {
        "linear dynamic": ["rotary scaling"],
        "linear llama3 yarn dynamic": ["rotary scaling"],
        "linear llama3 yarn longrope dynamic alpha": ["rotary scaling"],
        "linear llama3 yarn dynamic proportional":
            ["rotary proportion", "rotary proportion's pairs",
             "rotary proportion's factor"],
        "longrope": ["rotary scaling", "attention factor",
                     "short factors only", "long factors only"]}),
    "heads": ([], {
        "own size if full": [], "k = v if full": ["v from normed keys"]}),
    "scales": ([], {
        "embedding": ["embedding scale"], "scores": ["attention scale"],
        "residual": ["residual multiplier"], "layer": ["layer scalar"],
        "logits": ["logits scaling"]}),
    "soft-caps": ([], {
        "scores": ["attention cap"], "logits": ["final cap"]}),
    "fused": (["keys and values swapped"], {
        "qkv": [], "by group": ["fused in blocks"],
        "gate and up": ["gate and up swapped"]}),
    "lm-head": (["separate head"], {"own": [], "tied": []}),
}


def read_json(name):
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def switches():
    return read_json("switches.json")["checkpoints"]


def table_of_families():
    """What the highest rung that is built prints: a dictionary a row."""
    for rung in sorted(FOLDER.parents[1].glob("m[0-9]*/rung"), reverse=True):
        done = subprocess.run([rung, "families", "--markdown"], text=True,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        if done.returncode == 0:
            titles, _, *rows = [
                [cell.strip() for cell in line.strip("|").split("|")]
                for line in done.stdout.splitlines()]
            return [dict(zip(titles, row)) for row in rows]
    raise unittest.SkipTest("no rung that has `families` is built")


def family_of(checkpoint):
    """As the table calls it.  What sees pictures reads texts alike."""
    architecture = read_json(f"{checkpoint}/config.json")["architectures"][0]
    return architecture.partition("For")[0]


def proven(family):
    """The switches that a golden of the family notices."""
    return {switch for name, found in switches().items()
            if family_of(name) == family
            for switch, what in found.items() if what["moves"] >= ENOUGH}


def claimed(column, cell):
    """The switches that a cell of the table is about."""
    always, by_word = COLUMNS[column]
    words = [] if by_word is None or not cell else cell.split(", ")
    return set(always).union(*(by_word[word] for word in words))


class Switches(unittest.TestCase):
    def test_each_checkpoint_has_switches_and_goldens(self):
        folders = {p.parent.name for p in FOLDER.glob("*/config.json")}
        goldens = {p.stem for p in FOLDER.glob("goldens/*.safetensors")}
        self.assertEqual(folders, set(switches()))
        self.assertEqual(folders, goldens)

    def test_each_flip_moves_a_golden(self):
        for name, found in switches().items():
            for switch, what in found.items():
                with self.subTest(name, switch=switch):
                    if switch == "none":
                        self.assertLess(what["moves"], 1)
                    else:
                        self.assertGreaterEqual(what["moves"], ENOUGH)
                        self.assertIn("at", what)

    def test_each_cell_of_the_table_of_families_is_proven(self):
        for row in table_of_families():
            family = row["family"].removesuffix(" with pictures")
            found = proven(family)
            for column, cell in row.items():
                with self.subTest(row["family"], column=column, cell=cell):
                    self.assertEqual(claimed(column, cell) - found, set())

    def test_the_readme_has_a_line_for_each_checkpoint(self):
        readme = (FOLDER / "README.md").read_text(encoding="utf-8")
        lines = re.findall(r"^\| `(.*?)` \|", readme, re.MULTILINE)
        self.assertEqual(sorted(lines), sorted(switches()))


if __name__ == "__main__":
    unittest.main()
