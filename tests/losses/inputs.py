"""Losses by name, kinds of embedding augmentation, and inputs for both."""

import torch
from torch import nn

from sda_hf.registry import LOSSES

EMBEDDED = ["interpolation", "extrapolation", "linear", "gaussian", "pca"]
OF_TOKENS = ["cutoff", "shuffle"]
KINDS = [*EMBEDDED, *OF_TOKENS]
NAMES = ["margin-negation-infonce", "nt-xent", "simcse-edacse"]
USUAL = dict(zip(KINDS, [0.5, 0.5, 0.5, 0.1, 0.1, 0.2, 1.0], strict=True))


def random_rows(batch=6, dim=4, dtype=torch.float64):
    return torch.randn(batch, dim, generator=torch.Generator().manual_seed(3), dtype=dtype)


def seeded(function, *given, seed=0):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return function(*given)


def padded(lengths, width, left=False):
    """Rows of [CLS] 1, numbers from 10 on, and [SEP] 2, padded with 0."""
    ids, mask = torch.zeros(len(lengths), width, dtype=torch.long), torch.zeros(len(lengths), width, dtype=torch.long)
    for row, length in enumerate(lengths):
        at = slice(width - length, width) if left else slice(0, length)
        ids[row, at] = torch.tensor([1, *range(10, 10 + length - 2), 2][:length])
        mask[row, at] = 1
    return {"input_ids": ids, "attention_mask": mask}


def make(name, model=None, **config):
    return LOSSES.get(name)(nn.Identity() if model is None else model, **config)


def features_of(model, rows, name="nt-xent", columns=3):
    count = 2 if name == "simcse-edacse" else columns
    return [model.preprocess(list(column)) for column in list(zip(*rows, strict=True))[:count]]
