"""Print, in Markdown, what a rung says of each published configuration.

    python3 ../tests/configs/table.py runs | refused | config NAME

In a rung's folder, from m2 on: `./rung config` is asked about each, and the
words of the table are its own.  With `config`, print the config.json of the
model of that name.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

PUBLISHED = pathlib.Path(__file__).resolve().parent / "published.jsonl"


def ask(config):
    """What the rung understands, and else why it does not."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "config.json"
        path.write_text(json.dumps(config))
        asked = subprocess.run(["./rung", "config", folder, "--json"],
                               capture_output=True, text=True, check=False)
    if asked.returncode == 0:
        return json.loads(asked.stdout), None
    return None, asked.stderr.strip().split("config.json: ", 1)[-1]


def code(words):
    """Words in a cell; paper can end a line at a dot, and not at a comma."""
    return " · ".join(f"`{word}`" for word in words)


def print_table(heads, rows):
    print("| " + " | ".join(heads) + " |")
    print("|---" * len(heads) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def models():
    with open(PUBLISHED, encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def print_runs():
    found = ((model["name"], ask(model["config"])[0]) for model in models())
    print_table(("model", "architecture", "longest text", "unread"),
                [(name, said["architecture"], f"{said['max_positions']:,}",
                  code(said["unread"])) for name, said in found if said])


def print_refused():
    found = ((model["name"], ask(model["config"])[1]) for model in models())
    print_table(("model", "refused, because"),
                [(name, why) for name, why in found if why])


def print_config(name):
    for model in models():
        if model["name"] == name:
            print(json.dumps(model["config"]))


def main(what, *name):
    {"runs": print_runs, "refused": print_refused,
     "config": print_config}[what](*name)


if __name__ == "__main__":
    main(*sys.argv[1:])
