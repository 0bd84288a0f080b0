"""Vectors of /v1/embeddings are those that sentence-transformers makes of the
same folder, whatever pooling its files say (embed_sentences.json, by
tests/oracle/models/models_sentences.py)."""

import json
import tempfile
import unittest
from pathlib import Path

from served import EMBED, MODELS, start

GOLDEN = json.loads((MODELS / "goldens" / "embed_sentences.json").read_text())
NEAR = 1e-5  # of numbers below 1


def lay_out(folder, name):
    """The reading model, with the files that say how it pools."""
    model = folder / f"{EMBED}-{name}"
    (model / "1_Pooling").mkdir(parents=True)
    for file in (MODELS / EMBED).iterdir():
        (model / file.name).symlink_to(file)
    (model / "modules.json").write_text(json.dumps(GOLDEN["modules"]))
    (model / "1_Pooling" / "config.json").write_text(
        json.dumps(GOLDEN["pooling"][name]))
    return model


class Sentences(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.server = start(*(lay_out(Path(folder.name), name)
                             for name in GOLDEN["pooling"]))
        cls.addClassCleanup(cls.server.held)
        cls.addClassCleanup(cls.server.close)

    def embed(self, model, texts):
        status, _, body = self.server.request(
            "/v1/embeddings", {"model": model, "input": texts})
        self.assertEqual(status, 200, body)
        return [one["embedding"] for one in json.loads(body)["data"]]

    def near(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for vector, golden in zip(found, expected, strict=True):
            for a, b in zip(vector, golden, strict=True):
                self.assertLess(abs(a - b), NEAR)

    def test_each_pooling(self):
        for name, expected in GOLDEN["vectors"].items():
            with self.subTest(name):
                self.near(self.embed(f"{EMBED}-{name}", GOLDEN["texts"]),
                          expected)

    def test_without_such_files_the_last_token_counts(self):
        self.near(self.embed(EMBED, GOLDEN["texts"]),
                  GOLDEN["vectors"]["lasttoken"])

    def test_a_text_alone_is_as_in_a_batch(self):
        batch = self.embed(EMBED, GOLDEN["texts"])
        for text, vector in zip(GOLDEN["texts"], batch, strict=True):
            self.assertEqual(self.embed(EMBED, text), [vector])


if __name__ == "__main__":
    unittest.main()
