"""embed_sentences.json: texts as vectors by sentence-transformers, with each
pooling that the server knows.

    pip install sentence-transformers==6.2.0, beside ../requirements.txt
    python models_sentences.py

tiny-embed is laid out as published models are: beside its own files stand
modules.json and 1_Pooling/config.json, which are kept with the vectors, so
that a server can be given the same folder.
"""
import json
import os
import shutil
import tempfile

import sentence_transformers
import torch
from sentence_transformers import SentenceTransformer

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.join(HERE, "..", "..", "models")
OUT = os.path.join(TREE, "goldens", "embed_sentences.json")
FLOATS = {"dtype": torch.float32, "attn_implementation": "eager"}
STEPS = ("Transformer", ""), ("Pooling", "1_Pooling"), \
    ("Normalize", "2_Normalize")
POOLINGS = {"lasttoken": "lasttoken", "mean": "mean_tokens",
            "cls": "cls_token"}
TEXTS = ["What is the capital of France?", "Tokyo is the capital of Japan.",
         "Merci", "int add(int a, int b) {\n    return a + b;\n}",
         "Ça va? 😀 日本語",
         "Once upon a time there was a cat who sat in the sun. " * 9]


def modules():
    return [{"idx": i, "name": str(i), "path": path,
             "type": f"sentence_transformers.models.{name}"}
            for i, (name, path) in enumerate(STEPS)]


def pooling(chosen):
    modes = ["cls_token", "mean_tokens", "max_tokens",
             "mean_sqrt_len_tokens", "weightedmean_tokens", "lasttoken"]
    return {"word_embedding_dimension": 128, "include_prompt": True,
            **{f"pooling_mode_{mode}": mode == chosen for mode in modes}}


def write(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        json.dump(value, file)


def vectors(config):
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model")
        shutil.copytree(os.path.join(TREE, "tiny-embed"), model)
        write(os.path.join(model, "modules.json"), modules())
        write(os.path.join(model, "1_Pooling", "config.json"), config)
        made = SentenceTransformer(model, device="cpu", model_kwargs=FLOATS)
        return [[round(float(x), 7) for x in vector]
                for vector in made.encode(TEXTS)]


def main():
    configs = {name: pooling(mode) for name, mode in POOLINGS.items()}
    golden = {
        "made": {"command": "tests/oracle/models/models_sentences.py",
                 "sentence_transformers": sentence_transformers.__version__,
                 "torch": torch.__version__},
        "modules": modules(), "pooling": configs, "texts": TEXTS,
        "vectors": {name: vectors(config)
                    for name, config in configs.items()}}
    with open(OUT, "w") as file:
        json.dump(golden, file, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main()
