"""Make m5-quant/golden/quality_windows.json: how tiny-chat foresees the held-out
text with its weights rounded to int8 and int4, window by window, and how far
that is from what it says with its own weights.

    python tests/oracle/quality/quality_windows.py           writes the file
    python tests/oracle/quality/quality_windows.py --check   compares only

The oracle is a forward pass of Qwen3 in numpy, in 64 bits, written here from
the paper and its configuration.  It is held to transformers: the sums over
all windows must be those of tests/models/goldens/ppl.json, to 5 digits, or
nothing is written.  How weights are rounded: tests/models/README.md.
"""
import argparse
import json
import pathlib
import re

import numpy
from tokenizers import Tokenizer

ROOT = pathlib.Path(__file__).resolve().parents[3]
MODELS = ROOT / "tests" / "models"
FILE = ROOT / "m5-quant" / "golden" / "quality_windows.json"
WINDOW, TOKENS, GROUP = 512, 20000, 128
PROJECTION = re.compile(r"(q|k|v|o|gate|up|down)_proj\.weight$")


def read_weights(folder):
    """The tensors of a safetensors file of BF16 numbers, as 32-bit floats."""
    data = (folder / "model.safetensors").read_bytes()
    size = int.from_bytes(data[:8], "little")
    found = {}
    for name, said in json.loads(data[8:8 + size]).items():
        if name == "__metadata__":
            continue
        begin, end = (8 + size + each for each in said["data_offsets"])
        bits = numpy.frombuffer(data[begin:end], numpy.uint16)
        bits = bits.astype(numpy.uint32) << 16
        found[name] = bits.view(numpy.float32).reshape(said["shape"])
    return found


def rounded(weight, bits):
    """What is left of a matrix (out, in) that is rounded in groups."""
    most = numpy.float32(2 ** (bits - 1) - 1)
    groups = weight.reshape(weight.shape[0], -1, GROUP)
    scale = numpy.abs(groups).max(-1, keepdims=True) / most
    scale = numpy.where(scale == 0, numpy.float32(1), scale)
    codes = numpy.clip(numpy.rint(groups / scale), -most, most)
    return (codes * scale).reshape(weight.shape)


def storages(weights):
    """Name and weights of each way to store the model."""
    yield "bf16", weights
    for bits in (8, 4):
        yield f"int{bits}", {
            name: rounded(each, bits) if PROJECTION.search(name) else each
            for name, each in weights.items()}


class Qwen3:
    """A forward pass in 64 bits."""

    def __init__(self, weights, config):
        self.weights = {name: each.astype(numpy.float64)
                        for name, each in weights.items()}
        self.config = config

    def norm(self, x, name):
        """RMS norm of the last axis."""
        square = (x * x).mean(-1, keepdims=True)
        root = numpy.sqrt(square + self.config["rms_norm_eps"])
        return x / root * self.weights[name + ".weight"]

    def turned(self, x):
        """Heads x (n, heads, dim), each turned by its position."""
        half = x.shape[-1] // 2
        theta = self.config.get("rope_theta") or \
            self.config["rope_parameters"]["rope_theta"]
        speeds = theta ** (-numpy.arange(half) / half)
        angles = numpy.arange(len(x))[:, None, None] * speeds
        sines, cosines = numpy.sin(angles), numpy.cos(angles)
        a, b = x[..., :half], x[..., half:]
        return numpy.concatenate(
            [a * cosines - b * sines, b * cosines + a * sines], -1)

    def heads(self, x, place, part, norm):
        """What a projection makes of x, as heads (n, heads, dim)."""
        y = x @ self.weights[f"{place}.{part}_proj.weight"].T
        y = y.reshape(len(x), -1, self.config["head_dim"])
        return self.turned(self.norm(y, f"{place}.{norm}")) if norm else y

    def mixed(self, x, place):
        """Attention of the tokens x (n, hidden) to those before them."""
        q = self.heads(x, place, "q", "q_norm")
        k = self.heads(x, place, "k", "k_norm")
        v = self.heads(x, place, "v", None)
        shared = q.shape[1] // k.shape[1]
        k, v = (numpy.repeat(each, shared, 1) for each in (k, v))
        scores = numpy.einsum("qhd,khd->hqk", q, k) / numpy.sqrt(q.shape[-1])
        later = numpy.triu(numpy.ones(scores.shape[1:], bool), 1)
        scores = numpy.where(later, -numpy.inf, scores)
        scores = numpy.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        out = numpy.einsum("hqk,khd->qhd", scores, v).reshape(len(x), -1)
        return out @ self.weights[f"{place}.o_proj.weight"].T

    def fed(self, x, place):
        """The gated MLP."""
        gate = x @ self.weights[f"{place}.gate_proj.weight"].T
        up = x @ self.weights[f"{place}.up_proj.weight"].T
        inside = gate / (1 + numpy.exp(-gate)) * up
        return inside @ self.weights[f"{place}.down_proj.weight"].T

    def log_probabilities(self, ids):
        """(n, vocabulary): ln p of what could follow each token."""
        embedding = self.weights["model.embed_tokens.weight"]
        x = embedding[ids]
        for layer in range(self.config["num_hidden_layers"]):
            at = f"model.layers.{layer}"
            x = x + self.mixed(self.norm(x, at + ".input_layernorm"),
                               at + ".self_attn")
            x = x + self.fed(self.norm(x, at + ".post_attention_layernorm"),
                             at + ".mlp")
        logits = self.norm(x, "model.norm") @ embedding.T
        most = logits.max(-1, keepdims=True)
        return logits - most - numpy.log(
            numpy.exp(logits - most).sum(-1, keepdims=True))


def compared(base, other):
    """KL divergence of other from base at each token, and whether both have
    the same likeliest token."""
    kl = (numpy.exp(base) * (base - other)).sum(-1)
    return kl, base.argmax(-1) == other.argmax(-1)


def judge_window(models, ids):
    """What each model says about a window; one row is left out, since
    nothing comes behind it."""
    rows = {name: each.log_probabilities(ids)[:-1]
            for name, each in models.items()}
    found = {"scored": len(ids) - 1}
    for name, each in rows.items():
        came = each[numpy.arange(len(each)), ids[1:]]
        found[name] = {"nll_sum": -came.sum()}
        if name != "bf16":
            kl, same = compared(rows["bf16"], each)
            found[name] |= {"kl_sum": kl.sum(), "kl": kl,
                            "same": int(same.sum())}
    return found


def summary(windows, name):
    """The figures of a storage over all windows."""
    kl = numpy.concatenate([each[name]["kl"] for each in windows])
    return {"kl_mean": kl.mean(), "kl_99": numpy.percentile(kl, 99),
            "kl_most": kl.max(), "top1": sum(
                each[name]["same"] for each in windows) / len(kl)}


def check(windows):
    """Hold the sums to those of transformers."""
    goldens = json.loads((MODELS / "goldens" / "ppl.json").read_text())
    for name, key in [("bf16", "bf16_weights"), ("int8", "int8_g128"),
                      ("int4", "int4_g128")]:
        expected = goldens[key]["windows"]["nll_sum"]
        found = sum(each[name]["nll_sum"] for each in windows)
        assert abs(found / expected - 1) < 1e-5, (name, found, expected)
        print(name, found, expected)


def plain(value):
    """Numbers as JSON has them, to 9 digits."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()
                if name != "kl"}
    return value if isinstance(value, int) else float(f"{value:.9g}")


def make():
    """The text of the file."""
    folder = MODELS / "tiny-chat"
    config = json.loads((folder / "config.json").read_text())
    models = {name: Qwen3(each, config)
              for name, each in storages(read_weights(folder))}
    text = (MODELS / "goldens" / "heldout.txt").read_text()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    ids = numpy.array(tokenizer.encode(text, add_special_tokens=False).ids)
    windows = [judge_window(models, ids[at:min(at + WINDOW, TOKENS)])
               for at in range(0, TOKENS, WINDOW)]
    check(windows)
    whole = {name: plain(summary(windows, name)) for name in ("int8", "int4")}
    lines = ",\n".join(json.dumps(plain(each)) for each in windows)
    return (f'{{\n"versions": "numpy {numpy.__version__}",\n'
            f'"whole": {json.dumps(whole)},\n"windows": [\n{lines}\n]}}\n')


def main():
    """Write the file, or compare it with what would be written."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    made, only = make(), parser.parse_args().check
    if only and FILE.read_text() != made:
        raise SystemExit(f"{FILE}: differs")
    if not only:
        FILE.write_text(made)


if __name__ == "__main__":
    main()
