"""Pairs of texts on the GPU, packed for the contrastive loss."""
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F

from stream import CONTEXT, gather, load_arrays, starts_of

PAIRS = 1024        # a step
ROOM = 163840       # tokens a step, more than PAIRS pairs ever need
FILLERS = ROOM // CONTEXT + 1


class PairBatch(NamedTuple):
    """tokens, positions (ROOM,); text i begins at bounds[i], ends at
    last[i]; query i is text 2i, its passage text 2i + 1."""
    tokens: torch.Tensor
    positions: torch.Tensor
    bounds: torch.Tensor
    last: torch.Tensor
    keys: torch.Tensor


class PairStream:
    def __init__(self, folder, device, seed):
        arrays = load_arrays(f"{folder}/pairs_*.npz")
        self.ids = torch.from_numpy(
            arrays["t"].astype(np.int32)).to(device)
        self.lengths = torch.from_numpy(
            arrays["n"].astype(np.int64)).to(device)
        self.starts = starts_of(self.lengths)
        self.keys = torch.from_numpy(arrays["k"]).to(device)
        generator = torch.Generator(device=device).manual_seed(seed)
        self.order = torch.randperm(len(self.keys), device=device,
                                    generator=generator)

    def __len__(self):
        return len(self.keys)

    def batch(self, step):
        places = torch.arange(step * PAIRS, (step + 1) * PAIRS,
                              device=self.ids.device)
        chosen = self.order[places % len(self)]
        texts = torch.stack([2 * chosen, 2 * chosen + 1], 1).flatten()
        lengths = self.lengths[texts]
        where, positions = gather(self.starts[texts], lengths)
        return pack_pairs(self.ids[where].long(), positions, lengths,
                          self.keys[chosen])


def pack_pairs(tokens, positions, lengths, keys):
    """Padded with documents of zeros, none longer than the context, so
    that every batch has one size."""
    used = len(tokens)
    if used > ROOM:
        raise ValueError(f"{used} tokens in a batch, room for {ROOM}")
    starts = starts_of(lengths)
    fillers = torch.arange(used, ROOM, CONTEXT, device=tokens.device)
    bounds = torch.full((len(lengths) + FILLERS + 1,), ROOM,
                        dtype=torch.int32, device=tokens.device)
    bounds[:len(starts)] = starts
    bounds[len(starts):len(starts) + len(fillers)] = fillers
    padding = torch.arange(ROOM - used, device=tokens.device) % CONTEXT
    return PairBatch(F.pad(tokens, (0, ROOM - used)),
                     torch.cat([positions, padding]), bounds,
                     starts + lengths - 1, keys)
