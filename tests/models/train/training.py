"""The training loop, and the three models' losses."""
import time
from contextlib import nullcontext
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F

import checkpoint
from model import CHAT, DRAFT, EMBED, Qwen3
from optimizer import Optimizer
from quantize import rounded_weights
from stream import Documents, Stream, held_out_batch
from pair_stream import PairStream

REPORT = 500        # steps between two lines of the log
TEMPERATURE = 0.05  # of the contrastive loss


class Plan(NamedTuple):
    """rate: Muon's; adam_rate: AdamW's.  The rate rises over warm_up steps,
    stays, and falls to 0 over the last `decay` of all steps.  From the
    share rounded_from on, half of the steps run on int4 weights."""
    rate: float
    adam_rate: float
    seed: int
    warm_up: int = 100
    decay: float = 0.35
    rounded_from: float = 0.65

    def scale(self, step, steps):
        falling = max(0.0, (steps - step) / (steps * self.decay))
        return min(1.0, (step + 1) / self.warm_up, falling)


FIRST_CHAT = Plan(4e-3, 4e-3, seed=1)
SECOND_CHAT = Plan(1.5e-3, 1e-3, seed=1, decay=0.9, rounded_from=0)
FIRST_DRAFT = Plan(5e-3, 5e-3, seed=2)
SECOND_DRAFT = Plan(2e-3, 2e-3, seed=2, decay=0.9, rounded_from=0)
EMBEDDING = Plan(3e-3, 3e-3, seed=4, warm_up=200)


class Log:
    def __init__(self):
        self.start = time.time()

    def __call__(self, *words):
        print(f"[{time.time() - self.start:6.1f}]", *words, flush=True)


def run(model, steps, plan, loss_of, log, report=None):
    """loss_of(step) gives (loss, a second figure for the log)."""
    optimizer, rng = Optimizer(model), np.random.default_rng(plan.seed)
    losses, begin = [], time.time()
    for step in range(steps):
        with maybe_rounded(model, plan, step, steps, rng):
            loss, figure = loss_of(step)
            loss.backward()
        scale = plan.scale(step, steps)
        optimizer.step(plan.rate * scale, plan.adam_rate * scale)
        losses.append(torch.stack([loss.detach(), figure.detach()]))
        if (step + 1) % REPORT == 0 or step + 1 == steps:
            mean, second = torch.stack(losses).mean(0).tolist()
            seconds, losses = time.time() - begin, []
            log(f"step {step + 1}/{steps} loss {mean:.4f} {second:.4f}",
                f"{(step + 1) / seconds:.1f} steps/s",
                report() if report else "")


def maybe_rounded(model, plan, step, steps, rng):
    """Half of the late steps on int4 matrices, half of these on an int4
    embedding too."""
    if step < steps * plan.rounded_from or rng.random() >= 0.5:
        return nullcontext()
    head = [model.embedding] if rng.random() < 0.5 else []
    return rounded_weights(model.matrices() + head)


def compiled(function, device):
    return (torch.compile(function, dynamic=False) if device == "cuda"
            else function)


# -------------------------------------------------------------- tiny-chat

def next_token_loss(model, batch):
    logits = model.logits(batch.tokens, batch.positions, batch.bounds)
    losses = F.cross_entropy(logits, batch.targets, reduction="none")
    return (losses * batch.weights).sum() / batch.weights.sum().clamp(min=1)


def train_chat(corpus, folder, tokenizer, millions, stories, plan, log,
               device, init=None):
    """millions: tokens; stories: the share of real ones before and in the
    last 35 %; init: a folder to go on from."""
    documents = Documents(corpus, device)
    log("millions of tokens: real", documents.size("real") / 1e6,
        "generated", documents.size("generated") / 1e6)
    total = millions * 1e6
    stream = Stream(documents, [(total * .65, stories[0]),
                                (total * .35, stories[1])], seed=11)
    model = Qwen3(CHAT)
    if init:
        checkpoint.load(model, init)
    model.to(device)
    loss = compiled(lambda batch: next_token_loss(model, batch), device)
    held_out = held_out_batch(corpus, device)

    def report():
        with torch.no_grad():
            true = loss(held_out).item()
            with rounded_weights(model.matrices()):
                int4 = loss(held_out).item()
        return f"held-out stories {true:.4f}, int4 {int4:.4f}"

    run(model, stream.steps, plan, lambda step: (
        loss(stream.batch(step)), torch.zeros((), device=device)),
        log, report)
    checkpoint.save(model, folder, tokenizer)


# ------------------------------------------------------------- tiny-draft

def distillation_loss(model, teacher, batch):
    """KL from the teacher's next-token probabilities to the model's, and
    how often both would choose the same token."""
    place = batch.tokens, batch.positions, batch.bounds
    with torch.no_grad():
        target = teacher.logits(*place).log_softmax(-1)
    guess = model.logits(*place).log_softmax(-1)
    divergence = (target.exp() * (target - guess)).sum(-1)
    agree = (target.argmax(-1) == guess.argmax(-1)).float()
    weights = batch.weights.clamp(min=0.05)
    return ((divergence * weights).sum() / weights.sum(),
            (agree * weights).sum() / weights.sum())


def train_draft(corpus, folder, tokenizer, teacher_folder, millions, plan,
                log, device, init=None):
    stream = Stream(Documents(corpus, device), [(millions * 1e6, 0.04)],
                    seed=23)
    teacher = checkpoint.load(Qwen3(CHAT), teacher_folder).to(device)
    teacher.requires_grad_(False)
    model = Qwen3(DRAFT, seed=3)
    if init:
        checkpoint.load(model, init)
    model.to(device)
    loss = compiled(
        lambda batch: distillation_loss(model, teacher, batch), device)
    run(model, stream.steps, plan,
        lambda step: loss(stream.batch(step)), log)
    checkpoint.save(model, folder, tokenizer)


# ------------------------------------------------------------- tiny-embed

def contrastive_loss(model, batch):
    """InfoNCE over the pairs of a batch, and the share of queries whose
    own passage is the nearest.

    van den Oord et al. 2018, arXiv:1807.03748.  Pairs with equal keys are
    not negatives of each other; other queries are negatives too."""
    hidden = model(batch.tokens, batch.positions, batch.bounds)
    vectors = F.normalize(hidden[batch.last], dim=-1)
    queries, passages = vectors[0::2], vectors[1::2]
    same = batch.keys[:, None] == batch.keys[None]
    itself = torch.eye(len(same), dtype=torch.bool, device=same.device)
    scores = (queries @ passages.T / TEMPERATURE).masked_fill(
        same & ~itself, -1e4)
    others = (queries @ queries.T / TEMPERATURE).masked_fill(same, -1e4)
    right = torch.arange(len(same), device=same.device)
    forward = F.cross_entropy(torch.cat([scores, others], 1), right)
    backward = F.cross_entropy(scores.T, right)
    return ((forward + backward) / 2,
            (scores.argmax(1) == right).float().mean())


def train_embed(corpus, folder, tokenizer, steps, plan, log, device):
    stream = PairStream(corpus, device, seed=3)
    log(len(stream), "pairs")
    model = Qwen3(EMBED, seed=5).to(device)
    loss = compiled(lambda batch: contrastive_loss(model, batch), device)
    run(model, steps, plan, lambda step: loss(stream.batch(step)), log)
    checkpoint.save(model, folder, tokenizer, embedding=True)


def check_packing(device):
    """Packed documents through flash attention against plain attention,
    one document at a time."""
    torch.manual_seed(0)
    model = Qwen3(CHAT).to(device)
    tokens = torch.randint(0, CHAT.vocabulary, (300,), device=device)
    positions = torch.cat([torch.arange(100), torch.arange(200)]).to(device)

    def hidden(part, *bounds):
        return model(tokens[part], positions[part], torch.tensor(
            bounds, dtype=torch.int32, device=device))

    with torch.no_grad():
        packed = hidden(slice(0, 300), 0, 100, 100, 300, 300)
        alone = torch.cat([hidden(slice(0, 100), 0, 100),
                           hidden(slice(100, 300), 0, 200)])
    difference = (packed - alone).abs().max().item()
    assert difference < 0.1, f"packed and alone differ by {difference}"
