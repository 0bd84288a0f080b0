"""Generates the corpus and turns it into arrays of token ids.

A folder then holds shard_*.npz (documents: ids `t`, weights of the loss in
hundredths `w`, lengths `n`, 1 if generated and 0 if a real story `k`),
pairs_*.npz (texts for the embedding model: `t`, `n`, and a key a pair `k`)
and heldout.npz (held-out stories: `t`, `n`)."""
import collections
import multiprocessing
import os
import re
import zlib
from typing import NamedTuple

import numpy as np

from corpus import mixture, pairs, stories as story_kinds
from corpus.chat import Chat
from corpus.writer import Vocabulary, Writer
from story_file import load_stories
from tokenizer_training import ORDINARY

SHARDS = 16                     # each has its own seed
CONTEXT = 1024                  # longer documents are cut
BATCH = 1000                    # documents tokenized at once
DOCUMENTS, PAIRS, REPEATS = 2_000_000, 3_000_000, 12    # at scale 1


class Job(NamedTuple):
    shard: int
    folder: str
    tokenizer: str
    mixture: mixture.Mixture
    documents: int
    pairs: int
    repeats: int        # how often each real story is written


def build(folder, tokenizer, scale, which=mixture.FIRST):
    """All shards, on all cores; (tokens, documents)."""
    os.makedirs(folder, exist_ok=True)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    save_held_out(folder, tokenizer)
    jobs = [Job(i, folder, tokenizer, which, int(DOCUMENTS * scale / SHARDS),
                int(PAIRS * scale / SHARDS), max(2, round(REPEATS * scale)))
            for i in range(SHARDS)]
    with multiprocessing.Pool() as pool:
        done = pool.map(write_shard, jobs, chunksize=1)
    return sum(tokens for tokens, _ in done), sum(n for _, n in done)


def write_shard(job):
    """(tokens, documents)"""
    training, _ = load_stories()
    encoder = Encoder(job.tokenizer)
    vocabulary = known_words(encoder, training)
    shard = Shard(encoder)
    for _, document in mixture.documents(1000 + job.shard, job.documents,
                                         training, job.mixture, vocabulary):
        shard.add(document, generated=True)
    w = Writer(2000 + job.shard, vocabulary)
    for _ in range(job.repeats):
        for story in training[job.shard::SHARDS]:
            shard.add(story_kinds.raw(w, story), generated=False)
    shard.save(f"{job.folder}/shard_{job.shard:02d}.npz")
    save_pairs(w, job, encoder, training)
    return sum(shard.lengths), len(shard.lengths)


class Encoder:
    def __init__(self, path):
        from tokenizers import Tokenizer
        self.tokenizer = Tokenizer.from_file(path)
        self.end_of_text = self.tokenizer.token_to_id("<|endoftext|>")
        self.start_of_turn = self.tokenizer.token_to_id("<|im_start|>")
        self.assistant, = self.ids("assistant")
        self.no_thought = self.ids("<think>\n\n</think>\n\n")

    def ids(self, text):
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def all_ids(self, texts):
        return [each.ids for each in self.tokenizer.encode_batch_fast(
            texts, add_special_tokens=False)]


def known_words(encoder, stories):
    """Short pieces of the vocabulary, usual words, short sentences."""
    decoded = (encoder.tokenizer.decode([i]).strip().lower()
               for i in range(256, ORDINARY))
    pieces = sorted({piece for piece in decoded if 2 <= len(piece) <= 6
                     and piece.isascii() and piece.isalpha()})
    counts = collections.Counter(
        word for story in stories
        for word in re.findall(r"(?<= )[a-z]{2,12}(?= )", story))
    words = sorted(word for word in counts if counts[word] >= 6)
    sentences = [each for story in stories[::4]
                 for each in re.split(r"(?<=[.!?])\s+", story)
                 if 12 < len(each) < 90]
    return Vocabulary(pieces, words, sentences)


def loss_weights(ids, encoder):
    """How much each token of a chat counts as a target.

    The last turn of the assistant 1, of the user and the system 0.1,
    earlier turns of the assistant 0, an empty think block 0: the program
    writes it."""
    weights = np.ones(len(ids), np.float32)
    starts = np.nonzero(np.asarray(ids) == encoder.start_of_turn)[0]
    for start, end in zip(starts, [*starts[1:], len(ids)]):
        if ids[start + 1] != encoder.assistant:
            weights[start:end] = 0.1
        elif end < len(ids):
            weights[start:end] = 0
    last = starts[-1]
    weights[last:last + 3] = 0          # <|im_start|>assistant\n
    block = slice(last + 3, last + 3 + len(encoder.no_thought))
    if list(ids[block]) == encoder.no_thought:
        weights[block] = 0
    return weights


class Shard:
    def __init__(self, encoder):
        self.encoder = encoder
        self.waiting = []
        self.tokens, self.weights = [], []
        self.lengths, self.kinds = [], []

    def add(self, document, generated):
        self.waiting.append((document, generated))
        if len(self.waiting) == BATCH:
            self.flush()

    def flush(self):
        texts = [document.text() for document, _ in self.waiting]
        for ids, (document, generated) in zip(self.encoder.all_ids(texts),
                                              self.waiting):
            weights = (loss_weights(ids, self.encoder)
                       if isinstance(document, Chat) else np.ones(len(ids)))
            self.tokens.append(np.array(ids[:CONTEXT], np.uint16))
            self.weights.append((weights[:CONTEXT] * 100).astype(np.uint8))
            self.lengths.append(len(self.tokens[-1]))
            self.kinds.append(generated)
        self.waiting = []

    def save(self, path):
        self.flush()
        np.savez(path, t=np.concatenate(self.tokens),
                 w=np.concatenate(self.weights),
                 n=np.array(self.lengths, np.int32),
                 k=np.array(self.kinds, np.uint8))


def key_number(key):
    """62 bits that stand for a key."""
    data = key.encode()
    return (zlib.crc32(data) << 31) ^ zlib.crc32(data[::-1] + b"x")


def save_pairs(w, job, encoder, stories):
    keys, texts = [], []
    for _ in range(job.pairs):
        it = pairs.pair(w, stories)
        prefix = pairs.QUERY_PREFIX if w.chance(.3) else ""
        keys.append(key_number(it.key))
        texts += [prefix + it.query, it.passage]
    save_texts(f"{job.folder}/pairs_{job.shard:02d}.npz",
               [ids[:255] for ids in encoder.all_ids(texts)],
               encoder.end_of_text, k=np.array(keys, np.int64))


def save_held_out(folder, tokenizer):
    encoder = Encoder(tokenizer)
    _, held_out = load_stories()
    texts = [re.sub(r"\n\s*\n", "\n", story) for story in held_out]
    save_texts(f"{folder}/heldout.npz", encoder.all_ids(texts),
               encoder.end_of_text)


def save_texts(path, texts, end, **more):
    """The ids of texts, each ended by `end`, one after the other."""
    arrays = [np.array(ids + [end], np.uint16) for ids in texts]
    np.savez(path, t=np.concatenate(arrays),
             n=np.array([len(each) for each in arrays], np.int32), **more)
