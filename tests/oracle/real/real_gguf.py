"""From a GGUF file to a folder as Hugging Face lays a model out.

Numbers of 4 to 8 bits become 32-bit ones: a program that reads the folder
computes with the very weights that the GGUF file stands for.
"""
import hashlib
import importlib.util
import json
import pathlib

BUILD = pathlib.Path(__file__).resolve().parents[3] / "build" / "real"


def package_files(package, pattern):
    """The files in an installed package, without running it; [] without it."""
    spec = importlib.util.find_spec(package)
    if not spec:
        return []
    folder = pathlib.Path(spec.submodule_search_locations[0])
    return sorted(folder.rglob(pattern))


def write_gguf(path, parts, sha256=None):
    """The parts as one file, whose sum is checked where it is given."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = b"".join(part.read_bytes() for part in parts)
    found = hashlib.sha256(whole).hexdigest()
    if sha256 and found != sha256:
        raise ValueError(f"{path}: has sha256 {found}")
    path.write_bytes(whole)


class Gguf:
    def __init__(self, path):
        import gguf
        self.reader = gguf.GGUFReader(path)

    def field(self, name):
        return self.reader.fields[name].contents()

    def tensors(self):
        """Each tensor's name and its numbers."""
        from gguf.quants import dequantize
        for tensor in self.reader.tensors:
            values = dequantize(tensor.data, tensor.tensor_type)
            yield tensor.name, values.reshape(
                tensor.shape[::-1]).astype("float32")


def tokenizer_as_said(source):
    """The path of the model's tokenizer.json with the tokens that the GGUF file
    has, and those special that it calls so (types 2 and 3): its converter may
    have judged otherwise than who published the model."""
    said = json.loads((source.FOLDER / "tokenizer.json").read_text())
    types = Gguf(source.GGUF).field("tokenizer.ggml.token_type")
    said["added_tokens"] = [token for token in said["added_tokens"]
                            if token["id"] < len(types)]
    for token in said["added_tokens"]:
        token["special"] = types[token["id"]] in (2, 3)
    path = source.GGUF.with_suffix(".tokenizer.json")
    path.write_text(json.dumps(said), encoding="utf-8")
    return path


def write_safetensors(path, tensors):
    """`tensors` is called twice, and holds one tensor at a time."""
    table, at = {}, 0
    for name, values in tensors():
        table[name] = {"dtype": "F32", "shape": list(values.shape),
                       "data_offsets": [at, at + values.nbytes]}
        at += values.nbytes
    text = json.dumps(table).encode()
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for _, values in tensors():
            values.tofile(file)


def write_model(folder, config, tokenizer, tensors):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "tokenizer.json").write_text(tokenizer, encoding="utf-8")
    write_safetensors(folder / "model.safetensors", tensors)
    (folder / "done").touch()
