"""Makes every golden file of the reading models again.

    python3 tests/oracle/models/models_goldens.py --out DIR
    python3 tests/oracle/models/models_goldens.py --out DIR --check
    python3 tests/oracle/models/models_goldens.py --out DIR --only forward ppl

Reads the committed weights; needs the packages of requirements.txt and
takes 4 minutes on 16 cores.  --check compares the new files with
tests/models/goldens and ends with 1 if one differs by more than its
tolerance.  tests/models/README.md says what each file holds."""
import argparse
import os
import sys
import time

import models_check
from models_setting import GOLDENS, folder, provenance, write_json

from models_acceptance import make_acceptance
from models_embed import make_embeddings, make_retrieval
from models_forward import make_forward
from models_greedy import make_draft, make_greedy, make_greedy_quant
from models_perplexity import make_perplexity
from models_tokens import make_chats, make_tokens

from measure import measure


def accuracy(bits, name):
    def make(out):
        write_json(out, name, measure(folder("tiny-chat"), bits), indent=1)
    return make


PARTS = {"tokens": make_tokens, "chat": make_chats, "forward": make_forward,
         "ppl": make_perplexity, "embed": make_embeddings,
         "retrieval": make_retrieval, "greedy": make_greedy,
         "quant": make_greedy_quant, "draft": make_draft,
         "acceptance": make_acceptance,
         "accuracy": accuracy(None, "accuracy.json"),
         "accuracy_int4": accuracy(4, "accuracy_int4.json")}


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.
        RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, metavar="DIR")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    return parser.parse_args()


def log(*words):
    print(*words, flush=True)


def main():
    args = arguments()
    os.makedirs(args.out, exist_ok=True)
    for part in args.only:
        begin = time.time()
        PARTS[part](args.out)
        log(f"{part}: {time.time() - begin:.0f} s")
    write_json(args.out, "made.json", provenance(), indent=1)
    if args.check and models_check.check(GOLDENS, args.out, log):
        sys.exit(1)


if __name__ == "__main__":
    main()
