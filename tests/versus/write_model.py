"""Writes a model of a published shape with random weights as a GGUF file.

usage: write_model.py SHAPE FORMAT FILE

SHAPE: smollm2-135m or qwen2.5-0.5b.  FORMAT: q4_0 or q8_0, of all matrices but
the embedding, which is q8_0 in both, as llama.cpp's own quantizer has it for
these shapes (their rows are no multiple of 256).  Speed does not depend on what
the weights are; these are such that a row's output has the size of its input.
There is no tokenizer: engines are given ids.
"""

import sys

import gguf
import numpy

SHAPES = {
    "smollm2-135m": {
        "architecture": "llama", "layers": 30, "hidden": 576, "heads": 9,
        "kv_heads": 3, "feed_forward": 1536, "vocab": 49152,
        "context": 8192, "rope_theta": 100000.0, "eps": 1e-5},
    "qwen2.5-0.5b": {
        "architecture": "qwen2", "layers": 24, "hidden": 896, "heads": 14,
        "kv_heads": 2, "feed_forward": 4864, "vocab": 151936,
        "context": 32768, "rope_theta": 1000000.0, "eps": 1e-6},
}
BLOCK = 32
CODE_BYTES = {"q4_0": 16, "q8_0": 32}
# The mean square of a code: of -8 .. 7, and of -128 .. 127.
CODE_SQUARE = {"q4_0": 21.5, "q8_0": 5461.5}
KINDS = {"q4_0": gguf.GGMLQuantizationType.Q4_0,
         "q8_0": gguf.GGMLQuantizationType.Q8_0}


def random_matrix(chance, rows, columns, kind):
    """The blocks of a matrix: (rows, bytes), a scale and codes each."""
    blocks = rows * columns // BLOCK
    codes = chance.integers(0, 256, (blocks, CODE_BYTES[kind]), numpy.uint8)
    scale = (columns * CODE_SQUARE[kind]) ** -0.5
    scales = numpy.full((blocks, 1), scale, numpy.float16).view(numpy.uint8)
    return numpy.hstack([scales, codes]).reshape(rows, -1)


def matrices_of_layer(shape):
    """{name: (rows, columns)} of a layer's matrices."""
    hidden, wide = shape["hidden"], shape["feed_forward"]
    kv = hidden // shape["heads"] * shape["kv_heads"]
    return {"attn_q": (hidden, hidden), "attn_k": (kv, hidden),
            "attn_v": (kv, hidden), "attn_output": (hidden, hidden),
            "ffn_gate": (wide, hidden), "ffn_up": (wide, hidden),
            "ffn_down": (hidden, wide)}


def add_layer(writer, chance, shape, prefix, kind):
    """The tensors of one layer; Qwen2 has biases."""
    ones = numpy.ones(shape["hidden"], numpy.float32)
    writer.add_tensor(prefix + "attn_norm.weight", ones)
    writer.add_tensor(prefix + "ffn_norm.weight", ones)
    for name, (rows, columns) in matrices_of_layer(shape).items():
        writer.add_tensor(f"{prefix}{name}.weight",
                          random_matrix(chance, rows, columns, kind),
                          raw_dtype=KINDS[kind])
        if shape["architecture"] == "qwen2" and name[-2:] in ("_q", "_k",
                                                              "_v"):
            writer.add_tensor(f"{prefix}{name}.bias",
                              numpy.zeros(rows, numpy.float32))


def add_keys(writer, shape):
    """What the file says of the shape."""
    writer.add_vocab_size(shape["vocab"])
    writer.add_context_length(shape["context"])
    writer.add_embedding_length(shape["hidden"])
    writer.add_block_count(shape["layers"])
    writer.add_feed_forward_length(shape["feed_forward"])
    writer.add_head_count(shape["heads"])
    writer.add_head_count_kv(shape["kv_heads"])
    writer.add_layer_norm_rms_eps(shape["eps"])
    writer.add_rope_freq_base(shape["rope_theta"])
    writer.add_rope_dimension_count(shape["hidden"] // shape["heads"])
    writer.add_tokenizer_model("no_vocab")


def write_model(shape, kind, path):
    """Write all of it."""
    chance = numpy.random.default_rng(1)
    writer = gguf.GGUFWriter(path, shape["architecture"])
    add_keys(writer, shape)
    writer.add_tensor("token_embd.weight",
                      random_matrix(chance, shape["vocab"], shape["hidden"],
                                    "q8_0"), raw_dtype=KINDS["q8_0"])
    for layer in range(shape["layers"]):
        add_layer(writer, chance, shape, f"blk.{layer}.", kind)
    writer.add_tensor("output_norm.weight",
                      numpy.ones(shape["hidden"], numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write_model(SHAPES[sys.argv[1]], sys.argv[2], sys.argv[3])
