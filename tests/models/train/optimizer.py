"""Muon for the matrices, AdamW for the rest.

Muon (Jordan et al. 2024, https://kellerjordan.github.io/posts/muon/) makes
each step's matrix nearly orthogonal: all directions move alike."""
import math

import torch

CLIP = 1.0
NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)


def orthogonal(gradient, steps=5):
    """The nearest (nearly) orthogonal matrices, in bf16.

    gradient (layers, out, in)."""
    a, b, c = NEWTON_SCHULZ
    x = gradient.bfloat16()
    tall = x.shape[-2] > x.shape[-1]
    x = x.mT if tall else x
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(steps):
        square = x @ x.mT
        x = a * x + (b * square + c * square @ square) @ x
    return x.mT if tall else x


class Muon:
    def __init__(self, parameters, weight_decay=0.1, momentum=0.95):
        self.parameters = parameters
        self.weight_decay = weight_decay
        self.momentum = momentum
        self.velocities = [torch.zeros_like(each) for each in parameters]

    @torch.no_grad()
    def step(self, rate):
        for weight, velocity in zip(self.parameters, self.velocities):
            velocity.mul_(self.momentum).add_(weight.grad)
            nesterov = weight.grad + self.momentum * velocity
            scale = 0.2 * math.sqrt(max(weight.shape[-2:]))
            weight.mul_(1 - rate * self.weight_decay)
            weight.add_(orthogonal(nesterov).float(), alpha=-rate * scale)


class Optimizer:
    """One step of both, after clipping the gradient's norm to 1."""

    def __init__(self, model):
        matrices = model.matrices()
        norms = [each for name, each in model.named_parameters()
                 if name.endswith("norm")]
        self.parameters = matrices + [model.embedding] + norms
        self.muon = Muon(matrices)
        self.adam = torch.optim.AdamW(
            [{"params": [model.embedding], "weight_decay": 0.01},
             {"params": norms, "weight_decay": 0.0}],
            lr=1e-3, betas=(0.9, 0.95), eps=1e-8,
            fused=model.embedding.is_cuda)

    def step(self, rate, adam_rate):
        torch.nn.utils.clip_grad_norm_(self.parameters, CLIP)
        for group in self.adam.param_groups:
            group["lr"] = adam_rate
        self.muon.step(rate)
        self.adam.step()
        for each in self.parameters:
            each.grad = None
