"""Make m2-forward/golden/frequencies.safetensors: the rotary frequencies of
transformers, of every kind of scaling and several lengths of text, and the
sines and cosines that it makes of them.

    pip install torch==2.11.0 transformers==5.17.0 numpy
    python3 forward_frequencies.py

A case is NAME.LENGTH: `inverse` (pairs,), and `cos` and `sin` (positions,
pairs) of the first positions and the last ones; `inverse128` is of a head as
large as those of most models, where the others' is small.  They are those of
LlamaRotaryEmbedding, which calls ROPE_INIT_FUNCTIONS as all models do, for a
text of that length; a dynamic scaling with an alpha is Hunyuan's own, and its
texts are within the longest.  NAME.factor is what its sines and cosines are
multiplied by.  Numbers of the settings stand in
test_rope_frequencies.c, too.
"""
import pathlib

import torch
import transformers
from safetensors.torch import save_file
from transformers.models.hunyuan_v1_dense.modeling_hunyuan_v1_dense import (
    HunYuanDenseV1RotaryEmbedding)
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

OUT = (pathlib.Path(__file__).resolve().parents[3]
       / "m2-forward" / "golden" / "frequencies.safetensors")
LENGTHS = [1, 64, 65, 600]
PLACES = [0, 1, 2, 7, 62, 63, 64, 599]
HEAD, LARGE_HEAD, LONGEST = 20, 128, 256
YARN = dict(rope_type="yarn", rope_theta=10000.0, factor=4.0,
            original_max_position_embeddings=1024)
LONGROPE = dict(rope_type="longrope", rope_theta=10000.0,
                original_max_position_embeddings=64)

SETTINGS = {
    "default": dict(rope_type="default", rope_theta=10000.0),
    "linear": dict(rope_type="linear", rope_theta=500000.0, factor=2.5),
    "dynamic": dict(rope_type="dynamic", rope_theta=10000.0, factor=4.0),
    "alpha": dict(rope_type="dynamic", rope_theta=10000.0, factor=4.0,
                  alpha=50.0),
    "llama3": dict(rope_type="llama3", rope_theta=500000.0, factor=8.0,
                   low_freq_factor=1.0, high_freq_factor=4.0,
                   original_max_position_embeddings=64),
    "yarn": YARN,
    "yarn_untruncated": dict(YARN, truncate=False),
    "yarn_given": dict(YARN, truncate=False, beta_fast=8.0, beta_slow=0.9,
                       attention_factor=0.75),
    "yarn_mscale": dict(YARN, mscale=0.8, mscale_all_dim=1.3),
    "longrope": LONGROPE,
    "longrope_factor": dict(LONGROPE, factor=9.0),
    "longrope_given": dict(LONGROPE, attention_factor=1.25),
    "proportional": dict(rope_type="proportional", rope_theta=1000000.0,
                         partial_rotary_factor=0.35),
    "proportional_factor": dict(rope_type="proportional",
                                rope_theta=10000.0, factor=2.0,
                                partial_rotary_factor=0.25),
}


def embedding_of(settings, head):
    settings = dict(settings)
    if settings["rope_type"] == "longrope":
        pairs = range(head // 2)
        settings["short_factor"] = [1.0 + i / 8 for i in pairs]
        settings["long_factor"] = [1.5 + i * i / 4 for i in pairs]
    sizes = dict(hidden_size=4 * head, num_attention_heads=4, head_dim=head,
                 rope_parameters=settings)
    if "alpha" in settings:
        return HunYuanDenseV1RotaryEmbedding(transformers.HunYuanDenseV1Config(
            max_position_embeddings=LENGTHS[-1], **sizes))
    return LlamaRotaryEmbedding(transformers.LlamaConfig(
        max_position_embeddings=LONGEST, **sizes))


def embedding_after(settings, head, length):
    """And the sines and cosines of such a text."""
    embedding = embedding_of(settings, head)
    cos, sin = embedding(torch.zeros(1), torch.arange(length)[None])
    return embedding, cos[0, :, :head // 2], sin[0, :, :head // 2]


def main():
    goldens = {}
    for name, settings in SETTINGS.items():
        for length in LENGTHS:
            embedding, cos, sin = embedding_after(settings, HEAD, length)
            large, _, _ = embedding_after(settings, LARGE_HEAD, length)
            places = [p for p in PLACES if p < length]
            case = f"{name}.{length}"
            goldens[f"{case}.inverse"] = embedding.inv_freq.clone()
            goldens[f"{case}.inverse128"] = large.inv_freq.clone()
            goldens[f"{case}.cos"] = cos[places].clone()
            goldens[f"{case}.sin"] = sin[places].clone()
        goldens[f"{name}.factor"] = torch.tensor(
            [float(embedding.attention_scaling)])
    save_file(goldens, OUT, {"made_by":
                             "tests/oracle/forward/forward_frequencies.py",
                             "torch": torch.__version__,
                             "transformers": transformers.__version__})
    OUT.chmod(0o644)
    print(OUT.name, len(goldens), "tensors,", OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
