"""What jinja2 makes of the small random templates of jinja_programs.py.

    build/venv/bin/python tests/oracle/template/jinja_compare.py golden

writes tests/templates/programs.json: for each construct a hash of its
templates, one of what comes of them, and which of them are not compared.  (Some
minutes.)

    ... jinja_compare.py fuzz PROGRAM [--each N] [--seed TEXT]

compares a built test_jinja with jinja2 itself, on templates of another seed;
the exit status is 1 where they differ.  `make fuzz-templates` does.
"""

import argparse
import copy
import hashlib
import json
import multiprocessing
import pathlib
import re
import subprocess
import sys
import time
import warnings

import jinja_programs

try:
    import jinja_oracle
except ImportError:
    jinja_oracle = None

ROOT = pathlib.Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "tests" / "templates" / "programs.json"
EACH = 500  # templates of a construct

# Not compared: addresses, whole numbers beyond 64 bits, complex numbers ...
OURS_HAS_NONE = re.compile(r"(?i) at 0x|(?<![\d.])\d{19,}(?![\d.])|\dj\)")
# ... sets, which only the difference of two views of a dictionary is ...
VIEW = re.compile(r"\.(keys|items)\(")
# ... and what jinja2's compiler itself stumbles over: constants that it folds
# into names of Python, and the names in a filter of a block that is set.
STUMBLES = re.compile(r"name '(inf|nan)' is not defined|unknown to the frame")


def render(program, cases):
    """What becomes of templates, each with its variables."""
    lines = "".join(json.dumps({"template": t, "context": c}) + "\n"
                    for t, c in cases)
    made = subprocess.run([program, "lines"], input=lines.encode(),
                          stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in made.stdout.split(b"\n") if line]


def expected(template):
    """{"text"} or {"error"} by jinja2; None: it is not compared."""
    said = jinja_oracle.render(template, copy.deepcopy(jinja_programs.CONTEXT))
    jinja_oracle.PARSED.clear()
    if OURS_HAS_NONE.search(said.get("text", "")) or \
            STUMBLES.search(said.get("error", "")) or \
            (" - " in template and VIEW.search(template)):
        return None
    return said


def differences(program, templates):
    """(template, what is expected, what came of it) of those that differ."""
    found = render(program, [(t, jinja_programs.CONTEXT) for t in templates])
    for template, one in zip(templates, found, strict=True):
        said = expected(template)
        if said is not None and said.get("text") != one.get("text"):
            yield template, said, one


def digest(values):
    """A hash of a list of texts and Nones."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]


def golden_of(construct):
    templates = jinja_programs.programs(construct, EACH)
    said = [expected(template) for template in templates]
    return {"programs": digest(templates),
            "texts": digest([one and one.get("text") for one in said]),
            "skipped": [i for i, one in enumerate(said) if one is None]}


def write_goldens():
    with multiprocessing.Pool() as pool:
        goldens = pool.map(golden_of, jinja_programs.CONSTRUCTS, chunksize=1)
    made = []
    for construct, golden in zip(jinja_programs.CONSTRUCTS, goldens):
        made.append(f"{json.dumps(construct)}: {json.dumps(golden)}")
        if len(golden["skipped"]) > EACH / 10:
            print(f"{construct}: too few are compared", file=sys.stderr)
    GOLDEN.write_text("{\n" + ",\n".join(made) + "\n}\n")
    print(len(made), "constructs,", EACH, "templates each")


def fuzz(program, each, seed):
    """How many differ."""
    n = 0
    for construct in jinja_programs.CONSTRUCTS:
        templates = jinja_programs.programs(construct, each, seed)
        for template, said, one in differences(program, templates):
            print(f"{construct}: {template!r}\n    jinja2: {said}\n"
                  f"    here:   {one}", flush=True)
            n += 1
    print(f"{n} of {each * len(jinja_programs.CONSTRUCTS)} templates differ, "
          f"made by the seed {seed}")
    return n


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("what", choices=("golden", "fuzz"))
    parser.add_argument("program", nargs="?")
    parser.add_argument("--each", type=int, default=EACH)
    parser.add_argument("--seed", default=str(int(time.time())))
    options = parser.parse_args()
    warnings.simplefilter("ignore", SyntaxWarning)  # of what jinja2 compiles
    if options.what == "golden":
        return write_goldens()
    return min(1, fuzz(options.program, options.each, options.seed))


if __name__ == "__main__":
    sys.exit(main())
