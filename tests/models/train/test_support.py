"""What the tests of the recipe share.  Standard library only; jinja2 and
tokenizers are looked for in build/venv too, and tests without them skip."""
import glob
import importlib
import os
import sys
import unittest

TRAIN = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.dirname(TRAIN)
ROOT = os.path.dirname(os.path.dirname(MODELS))
sys.path.insert(0, TRAIN)

from corpus import mixture  # noqa: E402
from story_file import load_stories  # noqa: E402

SEED, COUNT = 7, 6000


def optional(name):
    """The module, from build/venv if need be; else the test skips."""
    try:
        return importlib.import_module(name)
    except ImportError:
        pass
    venv = os.path.join(ROOT, "build", "venv", "lib", "python{}.{}".format(
        *sys.version_info), "site-packages")
    sys.path += [path for path in glob.glob(venv) if path not in sys.path]
    try:
        return importlib.import_module(name)
    except ImportError:
        raise unittest.SkipTest(f"{name} is not installed: skipped")


def stories():
    """A few real ones (reading all takes a second)."""
    if not hasattr(stories, "kept"):
        training, held_out = load_stories()
        stories.kept = training, held_out
    return stories.kept


def documents(count=COUNT, seed=SEED, which=mixture.FIRST):
    """[(kind, document)]"""
    return list(mixture.documents(seed, count, stories()[0][:400], which))


def sample():
    """The documents that most tests look at, made once."""
    if not hasattr(sample, "kept"):
        sample.kept = documents()
    return sample.kept


def of_kind(*kinds):
    return [document for kind, document in sample() if kind in kinds]


def chats():
    return [document for _, document in sample()
            if hasattr(document, "turns")]
