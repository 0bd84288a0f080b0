"""Real models' chat templates against jinja2.

    python3 real_templates.py golden     writes tests/templates/real.json
    python3 real_templates.py check PROGRAM
                                         compares `PROGRAM lines` with it

PROGRAM is a rung's build/plain/test_jinja.  The templates come from the
packages in template_packages.py; of each rendering a hash is kept.  Made with
jinja2 3.1.6.
"""

import functools
import hashlib
import json
import pathlib
import subprocess
import sys

import conversations
import program_strings
import template_packages

ROOT = pathlib.Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "tests" / "templates" / "real.json"

# What stands in programs and is no template, or none that can be told.
LEFT_OUT = {
    "transformers-configuration_jev-decision_config":
        "values put in front of a template that is no chat's",
    "unsloth-chat_templates-construct_chat_template":
        "made from the example of a chat that a caller gives",
    "unsloth-chat_templates-get_chat_template":
        "statements put in front of a template, with a caller's names",
    "unsloth-tokenizer_utils-_MISTRAL_TOOLS_REWRITES":
        "parts of a template, and what takes their place",
    "unsloth-tokenizer_utils-_fix_chat_template":
        "a condition put around the end of a tokenizer's template"}


@functools.cache
def in_packages():
    """[(name, text)] of all, and the names of what cannot be told."""
    found, untold = [], set()
    for name, (_, _, folders) in template_packages.PYPI.items():
        for path, text in template_packages.texts(
                template_packages.kept(name), (".jinja", ".py")):
            before = next((before for folder, before in folders.items()
                           if path.startswith(folder)), None)
            if before is None:
                continue
            stem = before + pathlib.PurePath(path).stem
            if path.endswith(".jinja"):
                found.append((stem, text))
            elif "{%" in text:
                templates, others = program_strings.read(stem, text)
                found += templates
                untold |= others
    for package in template_packages.NPM:
        file = template_packages.BUILD / template_packages.packed(package)
        for _, text in template_packages.texts(file, "tokenizer_config.json"):
            template = json.loads(text).get("chat_template")
            if isinstance(template, str):
                found.append((file.stem, template))
    return found, untold


@functools.cache
def templates():
    """Name and text of each template in the packages; of equal ones the
    first."""
    found = {}
    for name, text in in_packages()[0]:
        if name not in LEFT_OUT and text not in found.values():
            if name in found:
                raise ValueError(f"two templates are called {name}")
            found[name] = text
    return dict(sorted(found.items()))


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
    template_packages.fetch()
    sys.exit(golden() if sys.argv[1:] == ["golden"] else check(sys.argv[2]))
