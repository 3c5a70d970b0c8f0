"""Training from sentences that are read and rewritten while the encoder trains."""

from __future__ import annotations

import itertools
import json
import random
import signal
from collections import Counter

import psutil
import pytest
from datasets import Dataset
from safetensors.torch import load_file
from torch.utils.data import DataLoader

from sda_hf import ModalVerbs, Negation, PunctuationInsertion, Triplets
from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.training import Recipe, run, runner
from sda_hf.training.data import make_rows
from sda_hf.training.parts import parts_of
from sda_hf.training.recipe import Data
from sda_hf.training.streams import Reading, Stream, open_stream, streamed_rows, worker_errors
from sda_hf.training.trainer_arguments import training_arguments

from .conftest import SENTENCES

STREAM = "data.streaming=true"
TRIPLETS = Triplets(PunctuationInsertion(), Negation())


def reading(shards=1, redraw=False):
    return Reading(shards=shards, seed=0, redraw=redraw)


def streamed(augmenter, sources=(SENTENCES,), limit=None, buffer=4, **how):
    stream = Stream(tuple(map(tuple, sources)), limit, buffer)
    return streamed_rows(stream, stream.first(), augmenter, reading(**how)).dataset


def rows_of(dataset, count):
    return [tuple(row.values()) for row in itertools.islice(dataset, count)]


def made_before(augmenter):
    return {tuple(row.values()) for row in make_rows(Dataset.from_dict({"anchor": SENTENCES}), augmenter).dataset}


@pytest.mark.parametrize("augmenter", [TRIPLETS, Negation(), PunctuationInsertion(), None], ids=str)
def test_each_pass_has_the_rows_that_are_made_before_in_another_order(augmenter):
    expected = made_before(augmenter)
    rows = rows_of(streamed(augmenter), 2 * len(expected))
    first, second = rows[: len(expected)], rows[len(expected) :]
    assert set(first) == set(second) == expected
    assert first != second
    assert rows == rows_of(streamed(augmenter), 2 * len(expected))


def test_each_pass_has_its_own_draws():
    augmenter = ModalVerbs()
    rows = rows_of(streamed(augmenter, redraw=True), 2 * len(SENTENCES))
    assert set(rows[: len(SENTENCES)]) == made_before(augmenter)
    assert set(rows[len(SENTENCES) :]) == made_before(augmenter.with_epoch(1)) != made_before(augmenter)


@pytest.mark.parametrize(("sources", "limit"), [(1, None), (3, None), (6, None), (6, 5), (1, 7)])
def test_workers_share_the_sentences(sources, limit):
    parts = [SENTENCES[i::sources] for i in range(sources)]
    stream = Stream(tuple(map(tuple, parts)), limit, 4)
    shares = [list(stream.share(number, 3, random.Random(0))) for number in range(3)]
    assert all(shares)
    assert Counter(itertools.chain(*shares)) == Counter(list(itertools.chain(*parts))[:limit])


def test_a_data_loader_reads_each_sentence_once_a_pass():
    loader = DataLoader(streamed(None, shards=2), batch_size=2, num_workers=2)
    batches = itertools.islice(loader, len(SENTENCES) // 2)
    assert Counter(text for batch in batches for text in batch["anchor"]) == Counter(SENTENCES)


def test_a_share_without_rows_ends_while_others_go_on():
    rows = streamed(Negation(), [["It rains."], ["Hello!"]], shards=2)
    assert rows_of(rows.shard(2, 1), 9) == []
    assert rows_of(rows.shard(2, 0), 2) == [("It rains.", "It rains.", "It doesn't rain.")] * 2


def write_shards(folder):
    for number in range(3):
        rows = Dataset.from_dict({"id": range(4), "text": SENTENCES[number::3]})
        rows.to_parquet(folder / f"train-{number}.parquet")
    return str(folder)


@pytest.mark.parametrize("limit", [None, 5])
def test_files_and_datasets_give_the_sentences_that_are_loaded_otherwise(tmp_path, limit):
    folder = write_shards(tmp_path)
    for source in ({"files": (f"{folder}/train-*.parquet",)}, {"dataset": folder}):
        stream = open_stream(Data(**source, limit=limit, streaming=True, shuffle_buffer=1))
        assert len(stream.sources) == 3
        found = [text for number in range(2) for text in stream.share(number, 2, random.Random(0))]
        assert sorted(found) == sorted([text for n in range(3) for text in SENTENCES[n::3]][:limit])


def test_json_lines_are_not_read_to_their_end(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "It rains."}\n{"text": "He left.", "id": 1}\n{')
    assert open_stream(Data(files=(str(tmp_path / "a.jsonl"),), streaming=True)).sources[0].column == "text"


@pytest.mark.parametrize("workers", [0, 1])
def test_a_bad_row_that_a_worker_reads_is_one_line(tmp_path, workers):
    (tmp_path / "a.jsonl").write_text('{"text": "It rains."}\n[]\n')
    stream = open_stream(Data(files=(str(tmp_path / "a.jsonl"),), streaming=True, shuffle_buffer=1))
    rows = streamed_rows(stream, Dataset.from_dict({"anchor": SENTENCES}), None, reading()).dataset
    with pytest.raises(InputValueError) as caught, worker_errors():
        list(DataLoader(rows, batch_size=2, num_workers=workers))
    assert str(caught.value) == f"{tmp_path}/a.jsonl, line 2: expected a JSON object, got []"


def test_ctrl_c_does_not_end_a_worker():
    batches = iter(DataLoader(streamed(None), batch_size=2, num_workers=1))
    next(batches)
    for worker in psutil.Process().children():
        worker.send_signal(signal.SIGINT)
    assert all(len(next(batches)["anchor"]) == 2 for _ in range(9))


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ({"dataset": "FOLDER"}, InputValueError, "no text column: looked for 'text'"),
        ({"dataset": "FOLDER", "column": "number"}, InputTypeError, "data.column: 'number' holds int, not a string"),
        (
            {"dataset": "FOLDER", "column": "blank"},
            InputValueError,
            "column 'blank' has no text: every row is blank",
        ),
        ({"files": ("a.parquet",), "column": "blank"}, InputValueError, "data.files: no text in a.parquet"),
    ],
)
def test_what_cannot_be_streamed(tmp_path, monkeypatch, source, error, message):
    monkeypatch.chdir(tmp_path)
    Dataset.from_dict({"number": [1], "blank": [" "]}).to_parquet("a.parquet")
    if "dataset" in source:
        source = source | {"dataset": str(tmp_path)}
    with pytest.raises(error, match=message):
        open_stream(Data(**source, streaming=True))


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["training.max_steps=null"], "training.max_steps: missing; a stream has no end at which training could stop"),
        (["data={generator: {name: lexicon-squares}}", "augmentation=null"], "data.streaming: only for data.files and"),
        (["data.shuffle_buffer=0"], "data.shuffle_buffer: 0 is out of range: it must be at least 1"),
    ],
)
def test_recipes_that_cannot_be_streamed(recipe_file, overrides, message):
    with pytest.raises(InputValueError, match=message):
        Recipe.load(recipe_file, [*overrides, STREAM])


def test_several_datasets_are_not_streamed():
    one = {"data": {"files": "a.txt", "streaming": True}, "loss": {"name": "nt-xent"}}
    with pytest.raises(InputValueError, match=r"datasets\.a\.data\.streaming: sentence-transformers trains on"):
        Recipe.from_dict({"model": "m", "datasets": {"a": one}})


def test_what_needs_all_rows_is_refused_before_anything_is_read(recipe_file, tmp_path):
    recipe = Recipe.load(recipe_file, [STREAM, "augmentation={name: tfidf-negatives}"])
    with pytest.raises(InputValueError, match="augmentation: TfidfNegatives must be fitted on all sentences, which a"):
        parts_of(recipe)
    recipe = Recipe.load(recipe_file, [STREAM, "training.arguments.batch_sampler=no_duplicates"])
    with pytest.raises(InputValueError, match=r"training\.arguments\.batch_sampler: it orders rows by their number"):
        training_arguments(recipe, tmp_path, None)
    recipe = Recipe.load(recipe_file, [STREAM, "training.batch_size=1"])
    with pytest.raises(InputValueError, match=r"training\.batch_size is 1: a contrastive loss compares"):
        run(recipe, output=tmp_path / "run")


@pytest.mark.parametrize("workers", [0, 1])
def test_a_resumed_run_ends_like_one_that_was_never_stopped(recipe_file, tmp_path, monkeypatch, workers):
    """After three batches of four rows the stream begins again, with new draws."""
    options = [STREAM, f"training.arguments.dataloader_num_workers={workers}", "training.max_steps=6"]
    recipe = Recipe.load(recipe_file, [*options, "training.redraw=true", "evaluation.every_steps=4"])
    whole = run(recipe, output=tmp_path / "whole")
    step = runner.SentenceTransformerTrainer.training_step
    steps = []

    def stop_at_the_sixth(self, *arguments, **given):
        steps.append(1)
        if len(steps) == 6:
            raise KeyboardInterrupt
        return step(self, *arguments, **given)

    with monkeypatch.context() as patch:
        patch.setattr(runner.SentenceTransformerTrainer, "training_step", stop_at_the_sixth)
        with pytest.raises(KeyboardInterrupt):
            run(recipe, output=tmp_path / "parts")
    resumed = run(recipe, output=tmp_path / "parts", resume=True)
    assert resumed.after == whole.after
    first, second = (load_file(one.output / "model.safetensors") for one in (whole, resumed))
    assert all(first[name].equal(second[name]) for name in first)


def test_metrics_and_card_say_that_rows_were_streamed(recipe_file, tmp_path):
    folder = run(Recipe.load(recipe_file, [STREAM]), output=tmp_path / "run").output
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["data"]["streamed"] is True
    assert not {"sentences", "rows"} & metrics["data"].keys()
    assert metrics["data"]["rewrites"]["negative"]["texts"] == 12
    assert metrics["training"]["epochs"] is None
    assert metrics["training"]["steps"] == 4
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert (
        "`MarginNegationInfoNCELoss` on triplets (anchor, positive, negative), streamed, rewritten by "
        "`punctuation-insertion`, `negation`." in card
    )
    assert "- Sentences from `sentences.txt`: not counted: they were streamed\n" in card
    assert "- Training rows (anchor, positive, negative): not counted: they were streamed\n" in card
