"""The real stories: where they lie, and which of them are held out."""
import lzma
import os
import random

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data",
                    "stories.txt.xz")
BETWEEN = "\n<|endoftext|>\n"


def load_stories(path=PATH):
    """(for training, held out): 2 % are held out, always the same."""
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        stories = file.read().split(BETWEEN)
    random.Random(1).shuffle(stories)
    count = max(40, len(stories) // 50)
    return stories[count:], stories[:count]
