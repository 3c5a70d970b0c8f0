"""SimCSEEdaCSELoss: its value, its views, and its parts in the log."""

import math

import numpy as np
import pytest
import torch
from datasets import Dataset
from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments
from torch import nn

from sda_hf.errors import InputValueError
from sda_hf.losses import SimCSEEdaCSELoss


def reference(anchors, others, temperature):
    a, b = (np.asarray(column.double()) for column in (anchors, others))
    a, b = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (a, b))
    logits = np.exp(a @ b.T / temperature)
    return float(np.mean([-math.log(logits[i, i] / logits[i].sum()) for i in range(len(a))]))


@pytest.mark.parametrize("weight", [0.3, 0.6, 2.0])
@pytest.mark.parametrize("temperature", [0.05, 0.5])
def test_matches_the_equation(temperature, weight):
    generator = torch.Generator().manual_seed(3)
    anchor, again, augmented = (torch.randn(5, 8, generator=generator, dtype=torch.float64) for _ in range(3))
    loss = SimCSEEdaCSELoss(nn.Identity(), temperature=temperature, weight=weight)
    parts = loss.compute_loss_from_embeddings([anchor, again, augmented])
    assert parts["cse"].item() == pytest.approx(reference(anchor, again, temperature), rel=1e-10)
    assert parts["edacse"].item() == pytest.approx(weight * reference(anchor, augmented, temperature), rel=1e-10)


def features_of(model, columns):
    return [model.preprocess(list(column)) for column in columns]


def test_the_second_pass_has_its_own_dropout(model, rows):
    loss = SimCSEEdaCSELoss(model)
    seen = []
    embed = loss.embed
    loss.embed = lambda features: seen.append(embed(features)) or seen[-1]
    loss(features_of(model, list(zip(*rows, strict=True))[:2]))
    anchor, again, augmented = seen[0]
    assert anchor.shape == again.shape == augmented.shape
    assert not torch.equal(anchor, again)


def test_takes_two_columns():
    with pytest.raises(InputValueError, match=r"got 3 column\(s\) of sentences but takes 2, \(anchor, augmented\)"):
        SimCSEEdaCSELoss(nn.Identity())([{}, {}, {}])


def test_parts_are_logged(model, rows, tmp_path):
    anchors, augmented, _ = zip(*rows, strict=True)
    trainer = SentenceTransformerTrainer(
        model=model,
        args=SentenceTransformerTrainingArguments(
            output_dir=str(tmp_path),
            max_steps=2,
            logging_steps=1,
            per_device_train_batch_size=4,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
        ),
        train_dataset=Dataset.from_dict({"anchor": list(anchors), "augmented": list(augmented)}),
        loss=SimCSEEdaCSELoss(model),
    )
    trainer.train()
    first = trainer.state.log_history[0]
    assert float(first["loss"]) == pytest.approx(float(first["cse"]) + float(first["edacse"]), rel=1e-3)
