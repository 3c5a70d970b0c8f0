"""Rewriting while training gives, epoch by epoch, the rows that rewriting beforehand gives."""

import json

import pandas
import polars
import pytest
from datasets import Dataset, DatasetDict, IterableDataset
from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments

from sda_hf import ModalVerbs, Negation, OneOf, PunctuationInsertion, Sometimes, Triplets
from sda_hf.errors import InputTypeError, InputValueError
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


@pytest.mark.parametrize("augmenter", [DRAWN["triplets"], Negation(coverage="full")])
def test_sentences_without_a_negative_are_left_out(augmenter):
    draws = NewDraws(["It rains.", "Hello!", "He left."], augmenter)
    assert draws.dataset[:]["anchor"] == ["It rains.", "He left."]
    assert draws.dataset[:]["negative"] == ["It doesn't rain.", "He didn't leave."]


def test_a_sentence_that_is_skipped_in_one_epoch_is_refused():
    draws = NewDraws(SENTENCES, Negation(coverage="full", proportion=0.9))
    draws.on_epoch_begin(None, type("State", (), {"epoch": 1.0}), None)
    with pytest.raises(InputValueError, match="a sentence has no negative in epoch 1: use an augmenter that skips the"):
        draws.dataset[:]
    draws = NewDraws(["It rains.", "Hello!"], ModalVerbs(on_skip="null", proportion=0.0))
    with pytest.raises(InputValueError, match="a sentence has no positive in epoch 0"):
        draws.dataset[:]


def test_redraw_needs_an_augmentation(recipe_file):
    with pytest.raises(InputValueError, match=r"training\.redraw: there is no augmentation to redraw"):
        Recipe.load(recipe_file, ["training.redraw=true", "augmentation=null"])


@pytest.mark.parametrize(
    "sentences",
    [
        SENTENCES,
        tuple(SENTENCES),
        pandas.Series(SENTENCES),
        polars.Series(SENTENCES),
        Dataset.from_dict({"text": SENTENCES})["text"],
        Dataset.from_dict({"id": range(len(SENTENCES)), "sentence": SENTENCES}),
        Dataset.from_dict({"anchor": SENTENCES}).with_format("torch"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_takes_what_people_have(sentences):
    draws = NewDraws(sentences, DRAWN["positive"])
    assert draws.dataset[:] == NewDraws(Dataset.from_dict({"anchor": SENTENCES}), DRAWN["positive"]).dataset[:]
    assert list(draws.dataset[0]) == ["anchor", "positive"]


def test_takes_the_column_of_the_augmenter():
    rows = Dataset.from_dict({"text": ["no"], "body": ["It rains."]})
    assert NewDraws(rows, Negation(input_column="body")).dataset[0]["negative"] == "It doesn't rain."


@pytest.mark.parametrize(
    ("sentences", "error", "message"),
    [
        (Dataset.from_dict({"words": SENTENCES}), InputValueError, "no text column: looked for 'text'"),
        (DatasetDict(train=Dataset.from_dict({"text": SENTENCES})), InputTypeError, "got DatasetDict: give one split"),
        (IterableDataset.from_generator(lambda: iter([])), InputTypeError, "got IterableDataset: give one split"),
        ("It rains.", InputTypeError, "expected a list of texts, got a single str"),
        (["Hello!"], InputValueError, "none of the 1 sentences can be rewritten by the augmenter"),
    ],
)
def test_what_it_does_not_take(sentences, error, message):
    with pytest.raises(error, match=message):
        NewDraws(sentences, Negation())
