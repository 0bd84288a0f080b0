"""Make tests/fuzz/fuzz_gguf.dict, the words of GGUF files, and small seeds in
tests/fuzz/corpus/gguf: keys and names from the package `gguf` on PyPI.

    python tests/oracle/quant/gguf_words.py
"""
import pathlib
import struct

import gguf
import numpy

FUZZ = pathlib.Path(__file__).resolve().parents[2] / "fuzz"
SEEDS = FUZZ / "corpus" / "gguf"
KEYS = ["general.architecture", "general.alignment", "llama.context_length",
        "llama.embedding_length", "llama.feed_forward_length",
        "llama.block_count", "llama.attention.head_count",
        "llama.attention.head_count_kv", "llama.attention.key_length",
        "llama.attention.layer_norm_rms_epsilon", "llama.rope.freq_base",
        "llama.rope.scaling.type", "llama.rope.scaling.factor", "llama",
        "linear", "yarn", "split.no", "split.count", "split.tensors.count",
        "tokenizer.ggml.model", "tokenizer.ggml.pre", "tokenizer.ggml.tokens",
        "tokenizer.ggml.scores", "tokenizer.ggml.token_type",
        "tokenizer.ggml.merges", "tokenizer.ggml.bos_token_id",
        "tokenizer.ggml.add_bos_token", "gpt2", "qwen2", "smollm",
        "token_embd.weight", "rope_freqs.weight", "blk.0.attn_q.weight"]


def quoted(raw):
    return '"' + "".join(f"\\x{byte:02x}" for byte in raw) + '"'


def write_words():
    words = [struct.pack("<Q", len(key)) + key.encode() for key in KEYS]
    words += [struct.pack("<I", i) for i in range(42)]
    words += [struct.pack("<Q", i) for i in (1, 2, 32, 256, 2 ** 63, 2 ** 40)]
    text = "\n".join(quoted(word) for word in words)
    (FUZZ / "fuzz_gguf.dict").write_text(text + "\n")


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def seed_model():
    """A Llama without a layer's worth of weights, one type of blocks each."""
    writer = gguf.GGUFWriter(SEEDS / "model", "llama")
    writer.add_context_length(8)
    writer.add_embedding_length(32)
    writer.add_feed_forward_length(32)
    writer.add_block_count(1)
    writer.add_head_count(2)
    writer.add_head_count_kv(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tensor("token_embd.weight", numpy.zeros((3, 34), numpy.uint8),
                      raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("rope_freqs.weight", numpy.ones(8, numpy.float32))
    writer.add_tensor("blk.0.attn_q.weight", numpy.ones((1, 144), numpy.uint8),
                      raw_dtype=gguf.GGMLQuantizationType.Q4_K)
    finish(writer)


def seed_tokenizer(kind, tokens):
    writer = gguf.GGUFWriter(SEEDS / kind, "llama")
    writer.add_tokenizer_model(kind)
    writer.add_token_list(tokens)
    writer.add_token_types([1] * (len(tokens) - 1) + [3])
    writer.add_bos_token_id(len(tokens) - 1)
    if kind == "gpt2":
        writer.add_tokenizer_pre("qwen2")
        writer.add_token_merges(["a b", "ab c"])
    else:
        writer.add_token_scores([-float(i) for i in range(len(tokens))])
    finish(writer)


def main():
    SEEDS.mkdir(parents=True, exist_ok=True)
    write_words()
    seed_model()
    seed_tokenizer("gpt2", ["a", "b", "c", "ab", "abc", "<s>"])
    seed_tokenizer("llama", ["▁", "a", "t", "▁a", "▁at", "at", "<s>"])


if __name__ == "__main__":
    main()
