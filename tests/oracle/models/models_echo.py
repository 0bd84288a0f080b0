"""echo.json: the log probability of each token of a text but the first, and
of the likeliest token in its place, by transformers.

    python models_echo.py

The text is longer than what m7's server reads and scores in one step."""
import torch

from models_setting import GOLDENS, causal_model, tokenizer, write_json

TEXT = ("Once upon a time there was a little cat named Kitty. She liked to "
        "sit in the sun. One day she saw a big red ball. The capital of "
        "France is Paris. What is 17 + 25? It is 42. ") * 3


@torch.no_grad()
def main():
    ids = tokenizer().encode(TEXT).ids
    logits = causal_model()(input_ids=torch.tensor([ids])).logits[0, :-1]
    logprobs = torch.log_softmax(logits.double(), -1)
    best = logprobs.max(-1)
    write_json(GOLDENS, "echo.json", {
        "text": TEXT, "ids": ids,
        "logprobs": [round(float(row[i]), 6)
                     for row, i in zip(logprobs, ids[1:], strict=True)],
        "best": [round(float(x), 6) for x in best.values]})


if __name__ == "__main__":
    main()
