"""Print, in Markdown, what a rung says of each published configuration.

    python3 ../tests/configs/table.py [runs | refused]

In a rung's folder, from m2 on: `./rung config` is asked about each, and the
words of the table are its own.
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
    return ", ".join(f"`{word}`" for word in words)


def print_table(heads, rows):
    print("| " + " | ".join(heads) + " |")
    print("|---" * len(heads) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def main(which="runs"):
    runs, refused = [], []
    for line in open(PUBLISHED, encoding="utf-8"):
        model = json.loads(line)
        found, why = ask(model["config"])
        if found:
            runs.append((model["name"], found["architecture"],
                         f"{found['max_positions']:,}", code(found["unread"])))
        else:
            refused.append((model["name"], why))
    if which == "runs":
        print_table(("model", "architecture", "longest text", "unread"), runs)
    else:
        print_table(("model", "refused, because"), refused)


if __name__ == "__main__":
    main(*sys.argv[1:])
