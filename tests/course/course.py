#!/usr/bin/env python3
"""make course: a copy of a rung for a student, its new functions emptied."""

import argparse
import json
import shutil
import sys
from pathlib import Path

from copies import write_copy, write_emptied
from functions import taught_functions
from labs import find_lab
from mutate import unseen
from plan import make_plan
from tree import ROOT, Stop, find_rung, is_test, read_ladder
from verdicts import first_stage

# What the rungs' tests read under tests/: all of them, and those that name it.
SHARED = ("checkpoints", "models", "tokenizers")
NAMED = ("gguf", "markup", "quantized", "templates")
LEFT_OUT = ("train",)  # how the models were made: no test reads it


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the copy, a new folder")
    parser.add_argument("--rung", help="a rung, or how its name begins")
    parser.add_argument("--lab", help="instead: a line of labs.txt")
    parser.add_argument("--only", default="",
                        help="only these files or functions")
    parser.add_argument("--no-models", action="store_true",
                        help="leave out the shared models and goldens")
    parser.add_argument("--plain", action="store_true",
                        help="other families than the reading model's are a "
                             "second stage")
    options = parser.parse_args(arguments)
    try:
        rung, only = options.rung, options.only.split()
        if options.lab:
            lab = find_lab(options.lab)
            rung, only = lab.rung, lab.only
        print(make_course(rung, options.folder, only, not options.no_models,
                          options.plain))
    except Stop as stop:
        sys.exit(f"course: {stop}")


def make_course(name, folder, only=(), models=True, plain=False):
    """Write the student's folder; what to say about it."""
    ladder = read_ladder()
    rung = find_rung(ladder, name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Stop(f"{folder} is there already, and not empty")
    functions = taught_functions(ladder[rung], only)
    plan = make_plan(rung, ladder[rung], only, plain=plain)
    plan["unseen"] = unseen(rung, [f.name for f in functions])
    write_course(ladder[rung], functions, plan, folder)
    if models:
        copy_models(ladder[rung], folder / "course/tests")
    first = len(first_stage(plan)["functions"])
    stages = f", {first} of them in the first stage" if plain else ""
    return (f"{folder}: {rung}, {len(functions)} functions to write{stages}\n"
            "There, make check says how far they are; course/README.md says "
            "more.")


def write_course(files, functions, plan, folder):
    """The copy itself, without the models."""
    folder.mkdir(parents=True, exist_ok=True)
    write_copy(files, folder)
    write_emptied(files, functions, folder)
    (folder / "course/plan.json").write_text(json.dumps(plan, indent=1))


def copy_models(files, folder):
    """What these tests read, some 30 MB."""
    for name in shared_folders(files):
        shutil.copytree(ROOT / "tests" / name, folder / name,
                        ignore=lambda _, names: set(LEFT_OUT) & set(names))


def shared_folders(files):
    """The folders of tests/ that a rung's tests read."""
    return [*SHARED, *(name for name in NAMED if any(
        f'"{name}/' in file.text for path, file in files.items()
        if is_test(path)))]


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nstopped")
