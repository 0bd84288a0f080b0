"""Documents on the GPU, drawn and packed into a flat stream of tokens."""
import glob
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F

BATCH = 65536       # tokens a step
CONTEXT = 1024
BOUNDS = 2048       # room for the starts of a batch's documents
CHUNK = 200_000     # documents gathered at once


class Batch(NamedTuple):
    """All (BATCH,) but bounds: document i begins at bounds[i]; unused ones
    at the end are BATCH."""
    tokens: torch.Tensor
    positions: torch.Tensor
    bounds: torch.Tensor
    targets: torch.Tensor
    weights: torch.Tensor


def load_arrays(pattern):
    """The arrays of all files of a pattern, joined, by name."""
    files = [np.load(path) for path in sorted(glob.glob(pattern))]
    return {name: np.concatenate([file[name] for file in files])
            for name in files[0]}


def starts_of(lengths):
    return lengths.cumsum(0) - lengths


def gather(starts, lengths):
    """(where each token of the documents lies, its position in them)"""
    positions = (torch.arange(int(lengths.sum()), device=starts.device)
                 - torch.repeat_interleave(starts_of(lengths), lengths))
    where = torch.repeat_interleave(starts, lengths) + positions
    return where, positions


class Documents:
    def __init__(self, folder, device):
        arrays = load_arrays(f"{folder}/shard_*.npz")
        self.device = device
        self.tokens = torch.from_numpy(
            arrays["t"].astype(np.int32)).to(device)
        self.weights = torch.from_numpy(arrays["w"]).to(device)
        self.lengths = torch.from_numpy(
            arrays["n"].astype(np.int64)).to(device)
        self.starts = starts_of(self.lengths)
        self.pools = {
            name: torch.from_numpy(np.nonzero(arrays["k"] == kind)[0])
            .to(device) for name, kind in (("real", 0), ("generated", 1))}

    def size(self, pool):
        return int(self.lengths[self.pools[pool]].sum())

    def draw(self, pool, wanted, generator):
        """Documents with `wanted` tokens or a few more, epoch by epoch."""
        drawn, have = [], 0
        while have < wanted:
            pooled = self.pools[pool]
            pooled = pooled[torch.randperm(len(pooled), device=self.device,
                                           generator=generator)]
            sizes = self.lengths[pooled].cumsum(0)
            count = int(torch.searchsorted(sizes, wanted - have)) + 1
            drawn.append(pooled[:count])
            have += int(self.lengths[pooled[:count]].sum())
        return torch.cat(drawn)

    def shuffled(self, total, real_share, seed):
        """(ids, weights in hundredths, starts) of a random stream."""
        generator = torch.Generator(device=self.device).manual_seed(seed)
        chosen = torch.cat([
            self.draw("real", int(total * real_share), generator),
            self.draw("generated", int(total * (1 - real_share)),
                      generator)])
        chosen = chosen[torch.randperm(len(chosen), device=self.device,
                                       generator=generator)]
        ids, weights = [], []
        for part in chosen.split(CHUNK):
            where, positions = gather(self.starts[part],
                                      self.lengths[part])
            ids.append(self.tokens[where])
            # nothing predicts a document's first token
            weights.append(self.weights[where] * (positions != 0))
        return (torch.cat(ids), torch.cat(weights),
                starts_of(self.lengths[chosen]))


class Stream:
    """Parts one after the other, cut into batches."""

    def __init__(self, documents, parts, seed):
        """parts: (tokens, share of real stories)"""
        drawn = [documents.shuffled(int(total), share, seed + i)
                 for i, (total, share) in enumerate(parts)]
        self.ids = torch.cat([ids for ids, _, _ in drawn])
        self.weights = torch.cat([weights for _, weights, _ in drawn])
        sizes = torch.tensor([len(ids) for ids, _, _ in drawn])
        self.starts = torch.cat(
            [starts + int(offset) for (_, _, starts), offset
             in zip(drawn, starts_of(sizes))])
        self.steps = (len(self.ids) - 1) // BATCH
        edges = torch.arange(self.steps + 1, device=self.ids.device) * BATCH
        self.first = torch.searchsorted(self.starts, edges[:-1] + 1).tolist()
        self.last = torch.searchsorted(self.starts, edges[1:]).tolist()

    def batch(self, step):
        begin, end = step * BATCH, (step + 1) * BATCH
        inner = self.starts[self.first[step]:self.last[step]] - begin
        return pack(self.ids[begin:end].long(),
                    self.ids[begin + 1:end + 1].long(),
                    self.weights[begin + 1:end + 1].float() / 100, inner)


def pack(tokens, targets, weights, inner):
    """inner: where documents begin, the first one's 0 left out."""
    device = tokens.device
    bounds = torch.full((BOUNDS,), BATCH, dtype=torch.int32, device=device)
    bounds[0] = 0
    inner = inner.int()[:BOUNDS - 2]
    bounds[1:1 + len(inner)] = inner
    return Batch(tokens, positions_in(bounds, BATCH, CONTEXT), bounds,
                 targets, weights)


def positions_in(bounds, total, limit):
    places = torch.arange(total, device=bounds.device, dtype=torch.int32)
    document = torch.searchsorted(bounds, places, right=True) - 1
    return (places - bounds[document]).long().clamp(max=limit - 1)


def held_out_batch(folder, device):
    """One batch of held-out stories."""
    arrays = load_arrays(f"{folder}/heldout.npz")
    ids = torch.from_numpy(arrays["t"].astype(np.int64)).to(device)
    ids = ids[:BATCH + 1]
    size = len(ids) - 1
    ends = torch.from_numpy(arrays["n"].astype(np.int64)).cumsum(0)
    ends = ends[ends <= size].to(device)
    weights = torch.ones(size, device=device)
    weights[ends - 1] = 0           # the next story's first token
    # filled up with documents of zeros, none longer than the context
    fillers = torch.arange(size, BATCH, CONTEXT, device=device)
    inner = torch.cat([ends[ends < size], fillers])
    tokens, targets, weights = (
        F.pad(each, (0, BATCH - size))
        for each in (ids[:-1], ids[1:], weights))
    return pack(tokens, targets, weights, inner)
