"""Rewriting while training gives, epoch by epoch, the rows that rewriting beforehand gives."""

import json

import pytest
from datasets import Dataset
from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments

from sda_hf import ModalVerbs, Negation, OneOf, PunctuationInsertion, Sometimes, Triplets
from sda_hf.errors import InputValueError
from sda_hf.losses import MarginNegationInfoNCELoss
from sda_hf.training import NewDraws, Recipe, run
from sda_hf.training.encoder import make_encoder

from .conftest import SENTENCES

DRAWN = {
    "positive": PunctuationInsertion(strategy="random", coverage="full"),
    "one-of": OneOf(PunctuationInsertion(strategy="random", coverage="full"), ModalVerbs()),
    "triplets": Triplets(Sometimes(ModalVerbs(), 0.5), Negation(coverage="full")),
}


def rows_of(augmenter, epoch):
    """The rows of an epoch, made beforehand."""
    anchors = Dataset.from_dict({"anchor": SENTENCES})
    mapped = anchors.map(augmenter.with_epoch(epoch), batched=True)
    return sorted(tuple(row[name] for name in mapped.column_names) for row in mapped)


@pytest.mark.parametrize("name", DRAWN)
def test_a_dataset_gives_the_rows_of_map(name):
    draws = NewDraws(Dataset.from_dict({"anchor": SENTENCES}), DRAWN[name])
    seen = []
    for epoch in (0, 1, 2):
        draws.on_epoch_begin(None, type("State", (), {"epoch": float(epoch)}), None)
        seen.append(sorted(tuple(draws.dataset[i].values()) for i in range(len(SENTENCES))))
        assert seen[-1] == rows_of(DRAWN[name], epoch)
    assert seen[0] != seen[1] != seen[2]


@pytest.mark.parametrize("workers", [0, 1])
def test_the_trainer_sees_the_rows_of_each_epoch(recipe, tmp_path, workers):
    augmenter, epochs = DRAWN["positive"], 3
    model = make_encoder(recipe, SENTENCES, "cpu")
    draws = NewDraws(Dataset.from_dict({"anchor": SENTENCES}), augmenter)
    seen = []

    class Recording(MarginNegationInfoNCELoss):
        def forward(self, features, labels=None):
            features = list(features)
            seen.extend(zip(*(column["input_ids"].tolist() for column in features), strict=True))
            return super().forward(features, labels)

    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(tmp_path / "run"),
        num_train_epochs=epochs,
        per_device_train_batch_size=4,
        dataloader_num_workers=workers,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        use_cpu=True,
    )
    SentenceTransformerTrainer(
        model=model, args=arguments, train_dataset=draws.dataset, loss=Recording(model), callbacks=[draws]
    ).train()

    def tokens(text):
        return tuple(model.preprocess([text])["input_ids"][0].tolist())

    for epoch in range(epochs):
        rows = seen[epoch * len(SENTENCES) : (epoch + 1) * len(SENTENCES)]
        found = sorted(tuple(tuple(token for token in column if token != 0) for column in row) for row in rows)
        assert found == sorted((tokens(a), tokens(p)) for a, p in rows_of(augmenter, epoch))


def test_a_recipe_redraws(recipe_file, tmp_path):
    losses = {}
    augmentation = "{name: triplets, positive: {name: modal-verbs}, negative: {name: negation}}"
    for redraw in (True, False):
        overrides = [f"training.redraw={redraw}", f"augmentation={augmentation}", "training.max_steps=6"]
        output = run(Recipe.load(recipe_file, overrides), output=tmp_path / str(redraw)).output
        logged = json.loads((output / "metrics.json").read_text())["training"]["losses"]
        losses[redraw] = [entry["loss"] for entry in logged]
    # Three batches are an epoch; the draws of the first are the same.
    assert losses[True][:3] == losses[False][:3]
    assert losses[True][3:] != losses[False][3:]


def test_a_sentence_without_a_negative_is_refused():
    draws = NewDraws(Dataset.from_dict({"anchor": ["It rains.", "Hello!"]}), DRAWN["triplets"])
    with pytest.raises(InputValueError, match="a sentence has no negative in epoch 0: filter out such sentences first"):
        draws.dataset[:]
    draws = NewDraws(Dataset.from_dict({"anchor": ["It rains.", "Hello!"]}), Negation(coverage="full"))
    with pytest.raises(InputValueError, match="has no negative in epoch 0"):
        draws.dataset[:]


def test_redraw_needs_an_augmentation(recipe_file):
    with pytest.raises(InputValueError, match=r"training\.redraw: there is no augmentation to redraw"):
        Recipe.load(recipe_file, ["training.redraw=true", "augmentation=null"])


def test_wants_anchors():
    with pytest.raises(InputValueError, match="needs a column anchor, got text: use rename_column"):
        NewDraws(Dataset.from_dict({"text": SENTENCES}), Negation(coverage="full"))
