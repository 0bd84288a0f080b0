"""Trains tiny-chat, tiny-draft and tiny-embed, stage by stage.

    python3 recipe.py all --out DIR          everything, in order
    python3 recipe.py chat --out DIR         one stage
    python3 recipe.py all --out DIR --scale 0.02    a small trial

Stages, each reading what the ones before wrote to the folder:
tokenizer, corpus, chat, draft, embed, corpus2, chat2, draft2, measure."""
import argparse
import os
import sys

import training
from corpus import mixture


class Recipe:
    """What each stage reads and writes.

    out/tok/tokenizer.json, out/corpus1, out/corpus2 (second mixture),
    out/first/tiny-* (after the first stage), out/tiny-* (finished)."""

    def __init__(self, out, scale, device, tokenizer):
        self.out, self.scale, self.device = out, scale, device
        self.tokenizer = tokenizer or self.path("tok", "tokenizer.json")
        self.log = training.Log()

    def path(self, *parts):
        return os.path.join(self.out, *parts)

    def made_by(self, stage, *parts):
        """The path of what an earlier stage wrote."""
        path = self.path(*parts)
        if not os.path.exists(path):
            sys.exit(f"{path} is missing: run the stage {stage} first")
        return path

    def make_tokenizer(self):
        from story_file import load_stories
        from tokenizer_training import train_tokenizer
        train_tokenizer(load_stories()[0], self.tokenizer)

    def make_corpus(self):
        self._corpus("corpus1", 0.9, mixture.FIRST)

    def make_corpus2(self):
        self._corpus("corpus2", 0.35, mixture.SECOND)

    def _corpus(self, name, scale, which):
        from packing import build
        if not os.path.exists(self.tokenizer):
            sys.exit(f"{self.tokenizer} is missing: run the stage tokenizer "
                     "first, or name a file with --tokenizer")
        tokens, documents = build(self.path(name), self.tokenizer,
                                  scale * self.scale, which)
        self.log(f"{name}: {tokens / 1e6:.1f} million tokens in "
                 f"{documents} documents")

    def make_chat(self):
        training.train_chat(
            self.made_by("corpus", "corpus1"),
            self.path("first", "tiny-chat"), self.tokenizer,
            740 * self.scale, (0.01, 0.026), training.FIRST_CHAT, self.log,
            self.device)

    def make_chat2(self):
        training.train_chat(
            self.made_by("corpus2", "corpus2"), self.path("tiny-chat"),
            self.tokenizer, 160 * self.scale, (0.012, 0.016),
            training.SECOND_CHAT, self.log, self.device,
            init=self.made_by("chat", "first", "tiny-chat"))

    def make_draft(self):
        training.train_draft(
            self.made_by("corpus", "corpus1"),
            self.path("first", "tiny-draft"), self.tokenizer,
            self.made_by("chat", "first", "tiny-chat"), 230 * self.scale,
            training.FIRST_DRAFT, self.log, self.device)

    def make_draft2(self):
        training.train_draft(
            self.made_by("corpus2", "corpus2"), self.path("tiny-draft"),
            self.tokenizer, self.made_by("chat2", "tiny-chat"),
            60 * self.scale, training.SECOND_DRAFT, self.log, self.device,
            init=self.made_by("draft", "first", "tiny-draft"))

    def make_embed(self):
        training.train_embed(
            self.made_by("corpus", "corpus1"), self.path("tiny-embed"),
            self.tokenizer, max(1, round(3800 * self.scale)),
            training.EMBEDDING, self.log, self.device)

    def make_measure(self):
        from measure import measure_to, table
        scores = {}
        for column, bits, name in (("right", None, "accuracy.json"),
                                   ("int4", 4, "accuracy_int4.json")):
            scores[column] = measure_to(
                self.path(name), self.made_by("chat2", "tiny-chat"), bits,
                self.device, self.log)
        print(table(scores))


STAGES = ["tokenizer", "corpus", "chat", "draft", "embed", "corpus2",
          "chat2", "draft2", "measure"]


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.
        RawDescriptionHelpFormatter)
    parser.add_argument("stage", nargs="+", choices=["all"] + STAGES)
    parser.add_argument("--out", required=True, metavar="DIR")
    parser.add_argument("--scale", type=float, default=1.0,
                        help="of corpus and steps; 1 is the real recipe")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--tokenizer", metavar="FILE",
                        help="a tokenizer.json to use instead of a new one")
    return parser.parse_args()


def main():
    args = arguments()
    recipe = Recipe(args.out, args.scale, args.device, args.tokenizer)
    stages = STAGES if "all" in args.stage else args.stage
    for stage in stages:
        if stage == "tokenizer" and args.tokenizer:
            continue
        recipe.log("stage", stage)
        getattr(recipe, "make_" + stage)()
    recipe.log("done")


if __name__ == "__main__":
    main()
