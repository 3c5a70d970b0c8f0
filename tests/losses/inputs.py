"""Losses by name, and inputs for them."""

import torch
from torch import nn

from sda_hf.registry import LOSSES


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
