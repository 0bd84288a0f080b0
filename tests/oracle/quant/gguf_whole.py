"""Make what tests whole GGUF files, in tests/gguf:

    blocks.gguf            a Llama of two layers, its weights in every type of
                           blocks, with the first 512 tokens of tiny-chat
    blocks.json            the config.json of the same model as a folder, and
                           "hashes": of each of its tensors as floats
    split-0000N-of-00004.gguf   checkpoints/llama-1 in four parts
    merges.gguf            the tokenizer of tiny-chat, and no model
    pieces.gguf            a SentencePiece tokenizer, and no model
    pieces.json            the tokenizer.json that is the same

    python tests/oracle/quant/gguf_whole.py

The oracles are the package `gguf` on PyPI (its writer, and dequantize for the
hashes), transformers' generate_merges for the merges of pieces, and
`tokenizers`, which writes pieces.json.  A hash is FNV-1a with 64 bits, taken
over the floats' bits, 32 at a time.
"""
import json
import random

import numpy
import gguf
import gguf_families
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType, MODEL_ARCH
from gguf_families import OUT, TESTS
from gguf_goldens import hash_of
from tokenizers import Tokenizer, decoders, models, normalizers, processors
from transformers.convert_slow_tokenizer import generate_merges

NORMAL, UNKNOWN, CONTROL, USER, UNUSED, BYTE = range(1, 7)
KINDS = GGMLQuantizationType


# --- a model in every type of blocks -----------------------------------------

# Blocks of 256 values need rows that long; so o and down, whose rows are
# shorter to keep the file small, have the others.
HIDDEN, HEADS, KV_HEADS, HEAD, FED, VOCAB = 256, 4, 2, 16, 64, 512
LAYERS = [
    {"q": KINDS.Q4_0, "k": KINDS.Q5_1, "v": KINDS.Q8_0, "o": KINDS.Q4_1,
     "gate": KINDS.Q2_K, "up": KINDS.Q3_K, "down": KINDS.MXFP4},
    {"q": KINDS.Q6_K, "k": KINDS.Q5_0, "v": KINDS.IQ4_XS, "o": KINDS.IQ4_NL,
     "gate": KINDS.Q4_K, "up": KINDS.Q5_K, "down": KINDS.F16},
]
SHAPES = {"q": (HEADS * HEAD, HIDDEN), "k": (KV_HEADS * HEAD, HIDDEN),
          "v": (KV_HEADS * HEAD, HIDDEN), "o": (HIDDEN, HEADS * HEAD),
          "gate": (FED, HIDDEN), "up": (FED, HIDDEN), "down": (HIDDEN, FED)}
OWN = {"q": "attn_q", "k": "attn_k", "v": "attn_v", "o": "attn_output",
       "gate": "ffn_gate", "up": "ffn_up", "down": "ffn_down"}
USUAL = {"q": "self_attn.q_proj", "k": "self_attn.k_proj",
         "v": "self_attn.v_proj", "o": "self_attn.o_proj",
         "gate": "mlp.gate_proj", "up": "mlp.up_proj", "down": "mlp.down_proj"}

# Where scales stand in blocks that `gguf` cannot make, and values with which
# random codes become weights of about 0.1.
SCALES = {"Q2_K": [(80, .01), (82, .015)], "Q3_K": [(108, .0025)],
          "Q4_K": [(0, .0005), (2, .004)], "Q5_K": [(0, .00025), (2, .004)],
          "Q6_K": [(208, .0001)], "IQ4_NL": [(0, .0016)],
          "IQ4_XS": [(0, .0001)]}


def random_blocks(kind, rows, cols, dice):
    values, size = GGML_QUANT_SIZES[kind]
    blocks = dice.integers(0, 256, (rows * cols // values, size), numpy.uint8)
    for at, scale in SCALES[kind.name]:
        scales = scale * dice.uniform(.5, 1.5, (len(blocks), 1))
        blocks[:, at:at + 2] = scales.astype(numpy.float16).view(numpy.uint8)
    return blocks.reshape(rows, -1)


def matrix(kind, rows, cols, dice):
    """Rows of bytes, as the file has them."""
    if kind.name in SCALES:
        return random_blocks(kind, rows, cols, dice)
    floats = dice.normal(0, .1, (rows, cols)).astype(numpy.float32)
    if kind == KINDS.F16:
        return floats.astype(numpy.float16).view(numpy.uint8)
    return gguf.quants.quantize(floats, kind)


def floats_of(kind, rows):
    if kind == KINDS.F16:
        return rows.view(numpy.float16).astype(numpy.float32)
    return gguf.quants.dequantize(rows, kind)


def out_of_pairs(rows, heads):
    """What gguf_families.in_pairs does, undone."""
    shape = rows.shape
    return (rows.reshape(heads, shape[0] // heads // 2, 2, *shape[1:])
            .swapaxes(1, 2).reshape(shape))


def add_matrix(writer, hashes, own, usual, kind, rows, heads=0):
    writer.add_tensor(f"{own}.weight", rows, raw_dtype=kind)
    floats = floats_of(kind, rows)
    if heads:
        floats = out_of_pairs(floats, heads)
    hashes[f"{usual}.weight"] = f"{hash_of(floats.ravel()):016x}"


def add_norm(writer, hashes, own, usual, dice):
    floats = dice.uniform(.5, 1.5, HIDDEN).astype(numpy.float32)
    writer.add_tensor(f"{own}.weight", floats)
    hashes[f"{usual}.weight"] = f"{hash_of(floats):016x}"


def add_layer(writer, hashes, layer, kinds, dice):
    heads = {"q": HEADS, "k": KV_HEADS}
    own, usual = f"blk.{layer}", f"model.layers.{layer}"
    add_norm(writer, hashes, f"{own}.attn_norm", f"{usual}.input_layernorm",
             dice)
    add_norm(writer, hashes, f"{own}.ffn_norm",
             f"{usual}.post_attention_layernorm", dice)
    for part, kind in kinds.items():
        add_matrix(writer, hashes, f"{own}.{OWN[part]}",
                   f"{usual}.{USUAL[part]}", kind,
                   matrix(kind, *SHAPES[part], dice), heads.get(part, 0))


def blocks_config(speech):
    added = {t["content"]: t["id"] for t in speech["added_tokens"]}
    return {"architectures": ["LlamaForCausalLM"], "model_type": "llama",
            "attention_bias": False, "mlp_bias": False,
            "vocab_size": VOCAB, "hidden_size": HIDDEN,
            "intermediate_size": FED, "num_hidden_layers": len(LAYERS),
            "num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS,
            "head_dim": HEAD, "max_position_embeddings": 512,
            "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
            "rope_scaling": None, "tie_word_embeddings": True,
            "bos_token_id": added["<|endoftext|>"],
            "eos_token_id": added["<|im_end|>"]}


def tiny_chat():
    file = TESTS / "models" / "tiny-chat" / "tokenizer.json"
    return json.loads(file.read_text())


def first_tokens(speech, n):
    """A tokenizer of n tokens: the first, and behind them the added ones."""
    added = speech["added_tokens"]
    left = n - len(added)
    vocab = {t: i for t, i in speech["model"]["vocab"].items() if i < left}
    merges = [m for m in speech["model"]["merges"] if "".join(m) in vocab]
    return {"model": {"vocab": vocab, "merges": merges},
            "added_tokens": [{**t, "id": left + i}
                             for i, t in enumerate(added)]}


def add_bytelevel(writer, speech, n):
    """A tokenizer of bytes and merges, filled up to n tokens."""
    tokens, types = [f"[PAD{i}]" for i in range(n)], [UNUSED] * n
    for text, i in speech["model"]["vocab"].items():
        tokens[i], types[i] = text, NORMAL
    for token in speech["added_tokens"]:
        tokens[token["id"]] = token["content"]
        types[token["id"]] = CONTROL if token["special"] else USER
    ids = {token: i for i, token in enumerate(tokens)}
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges([" ".join(m) for m in speech["model"]["merges"]])
    writer.add_bos_token_id(ids["<|endoftext|>"])
    writer.add_eos_token_id(ids["<|im_end|>"])
    writer.add_add_bos_token(False)
    writer.add_chat_template("{{ messages }}")


def write(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def make_blocks():
    speech = first_tokens(tiny_chat(), VOCAB)
    dice, hashes = numpy.random.default_rng(5), {}
    config = blocks_config(speech)
    writer = gguf.GGUFWriter(OUT / "blocks.gguf", "llama")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(HIDDEN)
    writer.add_feed_forward_length(FED)
    writer.add_block_count(len(LAYERS))
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_key_length(HEAD)
    writer.add_value_length(HEAD)
    add_bytelevel(writer, speech, VOCAB)
    add_matrix(writer, hashes, "token_embd", "model.embed_tokens", KINDS.Q2_K,
               matrix(KINDS.Q2_K, VOCAB, HIDDEN, dice))
    add_norm(writer, hashes, "output_norm", "model.norm", dice)
    for layer, kinds in enumerate(LAYERS):
        add_layer(writer, hashes, layer, kinds, dice)
    write(writer)
    text = json.dumps({**config, "hashes": hashes}, indent=1)
    (OUT / "blocks.json").write_text(text + "\n")


# --- a model in parts --------------------------------------------------------

def make_split():
    """llama-1 once more, at most 14 tensors a file; four of them."""
    arch = MODEL_ARCH.LLAMA
    config, tensors = gguf_families.read_model(TESTS / "checkpoints"
                                               / "llama-1")
    gguf_families.settle(config)
    writer = gguf.GGUFWriter(OUT / "split.gguf", "llama", split_max_tensors=14)
    gguf_families.add_sizes(writer, config)
    gguf_families.add_epsilon(writer, config)
    gguf_families.add_rope(writer, arch, config)
    gguf_families.add_tensors(writer, arch, config, tensors)
    write(writer)


# --- a tokenizer alone --------------------------------------------------------

def make_merges():
    writer = gguf.GGUFWriter(OUT / "merges.gguf", "llama")
    add_bytelevel(writer, tiny_chat(), 4096)
    write(writer)


# --- SentencePiece -----------------------------------------------------------

SPACE = "▁"


def pieces():
    """Text, score, type: as a SentencePiece model has them."""
    dice = random.Random(8)
    found = [("<unk>", 0.0, UNKNOWN), ("<s>", 0.0, CONTROL),
             ("</s>", 0.0, CONTROL)]
    found += [(f"<0x{i:02X}>", 0.0, BYTE) for i in range(256)]
    found += [("<|user|>", 0.0, USER), ("\n\n", 0.0, USER),
              (SPACE * 2, 0.0, USER), (SPACE * 3, 0.0, USER)]
    characters = list(SPACE + "etaoinshrdlu.,\nä中😀")
    known, made = list(characters), []
    while len(made) < 400:
        piece = dice.choice(known) + dice.choice(known)
        if piece not in known and len(piece) <= 8:
            known.append(piece)
            made.append(piece)
    rank = 0.0
    for i, piece in enumerate(made):
        rank -= i % 3 > 0  # so that some scores are equal
        found.append((piece, rank, NORMAL))
    return found + [(c, rank - 1 - i, NORMAL)
                    for i, c in enumerate(characters)]


def pieces_tokenizer(found):
    vocab = {text: i for i, (text, _, _) in enumerate(found)}
    scores = {text: score for text, score, _ in found}
    merges = generate_merges(vocab, scores)
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=merges,
                                     unk_token="<unk>", fuse_unk=True,
                                     byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend(SPACE), normalizers.Replace(" ", SPACE)])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace(SPACE, " "), decoders.ByteFallback(),
         decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", 1)])
    add_tokens(tokenizer, found)
    return tokenizer


def add_tokens(tokenizer, found):
    from tokenizers import AddedToken
    for text, _, kind in found:
        token = AddedToken(text, normalized=False)
        if kind in (UNKNOWN, CONTROL):
            tokenizer.add_special_tokens([token])
        elif kind == USER:
            tokenizer.add_tokens([token])


def make_pieces():
    found = pieces()
    writer = gguf.GGUFWriter(OUT / "pieces.gguf", "llama")
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text.replace(SPACE, " ") if kind == USER else text
                           for text, _, kind in found])
    writer.add_token_scores([-1000.0 if kind == USER else score
                             for _, score, kind in found])
    writer.add_token_types([kind for _, _, kind in found])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(False)
    write(writer)
    pieces_tokenizer(found).save(str(OUT / "pieces.json"), pretty=False)


def main():
    OUT.mkdir(exist_ok=True)
    make_blocks()
    make_split()
    make_merges()
    make_pieces()


if __name__ == "__main__":
    main()
