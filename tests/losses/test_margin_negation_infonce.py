"""MarginNegationInfoNCELoss: its value, its configuration and errors, gathering, and training with it."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import torch
from datasets import Dataset, DatasetDict
from hypothesis import given, settings
from hypothesis import strategies as st
from sentence_transformers import (
    InputExample,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)
from sentence_transformers.sentence_transformer.losses import MatryoshkaLoss, MultipleNegativesRankingLoss
from torch import nn
from torch.utils.data import DataLoader

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.losses import MarginNegationInfoNCELoss, base
from sda_hf.registry import LOSSES

KINDS = ["own", "batch"]
MARGINS = [-0.3, 0.0, 0.5, 2.0]


def make(**config):
    """Make the loss for tests of pure tensors, which need no model."""
    return MarginNegationInfoNCELoss(nn.Identity(), **config)


def random_columns(columns, batch=4, dim=6, seed=0, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(batch, dim, generator=generator, dtype=dtype) for _ in range(columns)]


def reference(columns, temperature, margin, negatives, positives=1):
    """The equation term by term, in NumPy and float64."""
    anchors, *others = [np.asarray(column.detach().double()) for column in columns]
    negations = others[positives:]

    def term(a, b, off=0.0):
        cosine = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
        return math.exp((cosine - off) / temperature)

    losses = []
    for i, anchor in enumerate(anchors):
        rivals = sum(term(anchor, row) for column in others[:positives] for j, row in enumerate(column) if j != i)
        for negation in negations:
            rivals += term(anchor, negation[i], margin)
            if negatives == "batch":
                rivals += sum(term(anchor, other) for j, other in enumerate(negation) if j != i)
        for own in (column[i] for column in others[:positives]):
            losses.append(-math.log(term(anchor, own) / (term(anchor, own) + rivals)))
    return float(np.mean(losses))


# ---------------------------------------------------------------- value


@pytest.mark.parametrize("negatives", KINDS)
@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("shape", [(2, 1, 3), (2, 5, 4), (3, 1, 2), (3, 7, 16), (4, 3, 5), (6, 2, 8)], ids=str)
def test_matches_the_equation(shape, margin, negatives):
    columns = random_columns(*shape)
    value = make(margin=margin, negatives=negatives).compute_loss_from_embeddings(columns)
    assert value.shape == ()
    assert value.item() == pytest.approx(reference(columns, 0.05, margin, negatives), rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("negatives", KINDS)
@pytest.mark.parametrize(("columns", "positives"), [(3, 2), (4, 2), (6, 3), (4, 1)])
def test_contrasts_each_positive_with_everything_but_the_anchors_own(columns, positives, negatives):
    embeddings = [column.requires_grad_() for column in random_columns(columns)]
    loss = make(temperature=0.3, positives=positives, negatives=negatives)
    value = loss.compute_loss_from_embeddings(embeddings)
    assert value.item() == pytest.approx(reference(embeddings, 0.3, 0.5, negatives, positives), rel=1e-10)
    assert torch.autograd.gradcheck(lambda *given: loss.compute_loss_from_embeddings(given), embeddings)


def test_a_duplicate_positive_changes_nothing():
    anchor, positive, negative = random_columns(3)
    once = make().compute_loss_from_embeddings([anchor[:1], positive[:1], negative[:1]])
    twice = make(positives=2).compute_loss_from_embeddings([anchor[:1], positive[:1], positive[:1], negative[:1]])
    torch.testing.assert_close(once, twice)


@settings(max_examples=60, derandomize=True)
@given(
    columns=st.integers(2, 5),
    batch=st.integers(1, 6),
    dim=st.integers(1, 8),
    seed=st.integers(0, 10_000),
    temperature=st.floats(0.02, 5),
    margin=st.floats(-1, 3),
    negatives=st.sampled_from(KINDS),
)
def test_matches_the_equation_for_any_arguments(columns, batch, dim, seed, temperature, margin, negatives):
    embeddings = random_columns(columns, batch, dim, seed)
    config = {"temperature": temperature, "margin": margin, "negatives": negatives}
    value = make(**config).compute_loss_from_embeddings(embeddings).item()
    assert value == pytest.approx(reference(embeddings, **config), rel=1e-9, abs=1e-9)

    order = torch.randperm(batch, generator=torch.Generator().manual_seed(seed))
    permuted = make(**config).compute_loss_from_embeddings([column[order] for column in embeddings]).item()
    assert permuted == pytest.approx(value, rel=1e-9, abs=1e-9)

    wider = make(**{**config, "margin": margin + 0.5}).compute_loss_from_embeddings(embeddings).item()
    assert wider <= value + 1e-12, "a larger margin relaxes"


@pytest.mark.parametrize("temperature", [0.05, 1.0])
@pytest.mark.parametrize(
    ("columns", "config"),
    [
        pytest.param(2, {"margin": 0.5, "negatives": "own"}, id="pairs-own"),
        pytest.param(2, {"margin": 0.5, "negatives": "batch"}, id="pairs-batch"),
        pytest.param(3, {"margin": 0.0, "negatives": "batch"}, id="triples"),
        pytest.param(5, {"margin": 0.0, "negatives": "batch"}, id="three-negatives"),
    ],
)
def test_equals_multiple_negatives_ranking_at_the_neutral_setting(columns, config, temperature):
    results = []
    for loss in (
        make(temperature=temperature, **config),
        MultipleNegativesRankingLoss(nn.Identity(), scale=1 / temperature),
    ):
        embeddings = [column.requires_grad_() for column in random_columns(columns)]
        value = loss.compute_loss_from_embeddings(embeddings, None)
        results.append([value.detach(), *torch.autograd.grad(value, embeddings)])
    for ours, theirs in zip(*results, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("margin", MARGINS)
def test_own_and_batch_differ_only_in_the_other_negations(margin):
    single = random_columns(3, batch=1)
    several = random_columns(3)
    own, batch = make(margin=margin), make(margin=margin, negatives="batch")
    assert own.compute_loss_from_embeddings(single) == batch.compute_loss_from_embeddings(single)
    assert own.compute_loss_from_embeddings(several) < batch.compute_loss_from_embeddings(several)


@pytest.mark.parametrize("negatives", KINDS)
@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("columns", [2, 3, 4])
def test_gradients(columns, margin, negatives):
    loss = make(temperature=0.3, margin=margin, negatives=negatives)
    embeddings = [column.requires_grad_() for column in random_columns(columns, batch=3, dim=4)]
    assert torch.autograd.gradcheck(lambda *given: loss.compute_loss_from_embeddings(given), embeddings)
    gradients = torch.autograd.grad(loss.compute_loss_from_embeddings(embeddings), embeddings)
    assert all(gradient.abs().max() > 0 for gradient in gradients), "a column without a gradient"


@pytest.mark.parametrize("negatives", KINDS)
@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_half_precision_loses_no_more_than_in_the_embeddings(dtype, margin, negatives):
    columns = [column.requires_grad_() for column in random_columns(3, batch=8, dim=32, dtype=dtype)]
    value = make(margin=margin, negatives=negatives).compute_loss_from_embeddings(columns)
    assert value.dtype == torch.float32
    assert value.item() == pytest.approx(reference(columns, 0.05, margin, negatives), rel=2e-5, abs=1e-5)
    for gradient in torch.autograd.grad(value, columns):
        assert gradient.dtype == dtype
        assert gradient.isfinite().all()


@pytest.mark.parametrize("negatives", KINDS)
def test_close_under_autocast(negatives):
    columns = random_columns(3, batch=8, dim=32, dtype=torch.float32)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        value = make(negatives=negatives).compute_loss_from_embeddings(columns)
    assert value.dtype == torch.float32
    assert value.item() == pytest.approx(reference(columns, 0.05, 0.5, negatives), rel=0.01)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize(("negatives", "others"), [("own", 0), ("batch", 7)])
def test_identical_sentences(negatives, others, margin, dtype):
    columns = [torch.ones(8, 16, dtype=dtype, requires_grad=True) for _ in range(3)]
    value = make(margin=margin, negatives=negatives).compute_loss_from_embeddings(columns)
    assert value.item() == pytest.approx(math.log(8 + others + math.exp(-margin / 0.05)), rel=1e-5)
    assert all(gradient.isfinite().all() for gradient in torch.autograd.grad(value, columns))


@pytest.mark.parametrize("negatives", KINDS)
@pytest.mark.parametrize("margin", MARGINS)
def test_swapping_positive_and_negative_raises_it(margin, negatives):
    anchor, noise, negative = random_columns(3, batch=6, dim=16)
    positive = anchor + 0.1 * noise
    loss = make(margin=margin, negatives=negatives)
    right = loss.compute_loss_from_embeddings([anchor, positive, negative])
    assert loss.compute_loss_from_embeddings([anchor, negative, positive]) > right + 1


def test_ignores_labels():
    columns = random_columns(3)
    loss = make()
    assert loss.compute_loss_from_embeddings(columns, torch.ones(4)) == loss.compute_loss_from_embeddings(columns)


def test_draws_no_random_numbers():
    columns = random_columns(3)
    before = torch.get_rng_state()
    make().compute_loss_from_embeddings(columns)
    assert torch.equal(before, torch.get_rng_state())


# ---------------------------------------------------------------- configuration and errors

CONFIGS = [
    {},
    {"temperature": 0.1, "margin": -0.3, "negatives": "batch", "gather_across_devices": True},
    {"temperature": 1, "margin": np.float64(2)},
]


@pytest.mark.parametrize("config", CONFIGS)
def test_config_round_trip(config):
    loss = make(**config)
    stored = json.loads(json.dumps(loss.get_config_dict()))
    shared = {
        "gather_across_devices": False,
        "mini_batch_size": None,
        "projection": "none",
        "embedding_augmentation": None,
    }
    defaults = {"temperature": 0.05, "margin": 0.5, "negatives": "own", "positives": 1, **shared}
    assert stored == {**defaults, **config}

    model = nn.Identity()
    again = MarginNegationInfoNCELoss.from_config(model, stored)
    assert again.model is model
    assert again.get_config_dict() == loss.get_config_dict()
    columns = random_columns(3)
    assert again.compute_loss_from_embeddings(columns) == loss.compute_loss_from_embeddings(columns)


def test_from_config_keeps_defaults():
    assert MarginNegationInfoNCELoss.from_config(nn.Identity(), {}).get_config_dict() == make().get_config_dict()


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("temprature", r"unknown MarginNegationInfoNCELoss argument 'temprature': did you mean 'temperature'\?"),
        ("model", "unknown MarginNegationInfoNCELoss argument 'model'"),
        ("self", "unknown MarginNegationInfoNCELoss argument 'self'"),
    ],
)
def test_from_config_refuses_an_unknown_key(key, message):
    with pytest.raises(InputValueError, match=message):
        MarginNegationInfoNCELoss.from_config(nn.Identity(), {key: 0.1})


def test_is_registered():
    assert LOSSES.get("margin-negation-infonce") is MarginNegationInfoNCELoss
    assert LOSSES.name_of(MarginNegationInfoNCELoss) == "margin-negation-infonce"


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ({"temperature": 0}, InputValueError, "temperature is 0: give a finite number above 0, usually 0.01 to 1"),
        ({"temperature": -0.05}, InputValueError, "temperature is -0.05: give a finite number above 0"),
        ({"temperature": math.inf}, InputValueError, "temperature is inf: give a finite number above 0"),
        ({"temperature": math.nan}, InputValueError, "temperature is nan: give a finite number above 0"),
        ({"temperature": "0.05"}, InputTypeError, "temperature is '0.05': give a finite number above 0"),
        ({"temperature": True}, InputTypeError, "temperature is True: give a finite number above 0"),
        ({"margin": math.nan}, InputValueError, "margin is nan: give a finite number, usually -1 to 1"),
        ({"margin": -math.inf}, InputValueError, "margin is -inf: give a finite number"),
        ({"margin": None}, InputTypeError, "margin is None: give a finite number"),
        ({"negatives": "bacth"}, InputValueError, r"unknown kind of negatives 'bacth': did you mean 'batch'\?"),
        ({"negatives": None}, InputValueError, "unknown kind of negatives None: Known: batch, own"),
        ({"gather_across_devices": 1}, InputTypeError, "gather_across_devices is 1: give True or False"),
        ({"positives": 0}, InputValueError, "positives is 0: give an integer above 0, usually 1"),
        ({"positives": 1.5}, InputTypeError, "positives is 1.5: give an integer above 0"),
    ],
)
def test_refuses_bad_values(config, error, message):
    with pytest.raises(error, match=message):
        make(**config)


@pytest.mark.parametrize("columns", [0, 1])
def test_refuses_too_few_columns(columns):
    message = (
        rf"got {columns} column\(s\) of sentences but takes 2 or more, \(anchor, positive\) or \(anchor, positive,"
    )
    with pytest.raises(InputValueError, match=message):
        make().compute_loss_from_embeddings(random_columns(columns))


def test_refuses_fewer_columns_than_positives():
    with pytest.raises(InputValueError, match=r"\(positives=3\) got 3 columns: give it the anchor, 3 positives"):
        make(positives=3).compute_loss_from_embeddings(random_columns(3))


@pytest.mark.parametrize("shapes", [[(4, 6), (4, 6), (1, 6)], [(4, 6), (4, 5)], [(6,), (6,)]])
def test_refuses_columns_of_different_shapes(shapes):
    with pytest.raises(InputValueError, match=r"got embeddings of shapes .* give each column the same \(batch, dim\)"):
        make().compute_loss_from_embeddings([torch.ones(shape) for shape in shapes])


def test_citation():
    citation = make().citation
    assert citation.strip().startswith("@inproceedings{zhu2024sda,")
    assert citation.count("{") == citation.count("}")
    assert "LREC-COLING 2024" in citation


# ---------------------------------------------------------------- gathering


def pretend(monkeypatch, rank, of_all, sizes=(3, 3)):
    """Make this process `rank` of two; `of_all` yields each column as gathered from both."""
    monkeypatch.setattr(torch.distributed, "is_available", lambda: True)
    monkeypatch.setattr(torch.distributed, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.distributed, "get_rank", lambda: rank)
    monkeypatch.setattr(base, "all_gather", lambda size: torch.tensor(sizes))

    def all_gather_with_grad(column):
        everything = next(of_all)
        torch.testing.assert_close(everything[3 * rank : 3 * rank + 3], column)
        return everything

    monkeypatch.setattr(base, "all_gather_with_grad", all_gather_with_grad)


@pytest.mark.parametrize("negatives", KINDS)
@pytest.mark.parametrize(("columns", "positives"), [(2, 1), (3, 1), (4, 1), (5, 2)])
def test_the_ranks_together_see_the_whole_batch(monkeypatch, columns, positives, negatives):
    whole = [column / column.norm(dim=1, keepdim=True) for column in random_columns(columns, batch=6)]
    loss = make(negatives=negatives, positives=positives, gather_across_devices=True)
    values = []
    for rank in (0, 1):
        of_all = iter(whole[1:])
        pretend(monkeypatch, rank, of_all)
        values.append(loss.compute_loss_from_embeddings([column[3 * rank : 3 * rank + 3] for column in whole]).item())
        unused = columns - 1 - positives if negatives == "own" else 0
        assert len(list(of_all)) == unused, "gathers what it needs and no more"
    assert values[0] != values[1]
    assert np.mean(values) == pytest.approx(reference(whole, 0.05, 0.5, negatives, positives), rel=1e-10)


def test_refuses_ranks_of_different_sizes(monkeypatch):
    pretend(monkeypatch, 1, iter([]), sizes=(4, 3))
    message = r"same number of rows on each process, but they hold \[4, 3\]: set dataloader_drop_last=True"
    with pytest.raises(InputValueError, match=message):
        make(gather_across_devices=True).compute_loss_from_embeddings(random_columns(3, batch=3))


def test_gathers_only_when_asked(monkeypatch):
    columns = random_columns(3, batch=3)
    alone = make(negatives="batch").compute_loss_from_embeddings(columns)
    pretend(monkeypatch, 1, iter([]))
    assert make(negatives="batch").compute_loss_from_embeddings(columns) == alone


@pytest.mark.parametrize("negatives", KINDS)
def test_one_process_has_nothing_to_gather(monkeypatch, negatives):
    monkeypatch.setattr(base, "all_gather", None)
    monkeypatch.setattr(base, "all_gather_with_grad", None)
    columns = random_columns(3)
    alone = make(negatives=negatives).compute_loss_from_embeddings(columns)
    assert make(negatives=negatives, gather_across_devices=True).compute_loss_from_embeddings(columns) == alone


# ---------------------------------------------------------------- with a model


class Recorder(nn.Module):
    """A model that records its inputs and returns embeddings made beforehand."""

    def __init__(self, columns):
        super().__init__()
        self.columns = columns
        self.given = []

    def forward(self, features):
        self.given.append(features["number"])
        return {"sentence_embedding": self.columns[features["number"]]}


@pytest.mark.parametrize("columns", [2, 3, 5])
def test_embeds_each_column_once_and_in_order(columns):
    embeddings = random_columns(columns)
    loss = MarginNegationInfoNCELoss(Recorder(embeddings))
    value = loss(iter([{"number": number} for number in range(columns)]), torch.zeros(4))
    assert loss.model.given == list(range(columns))
    assert value == make().compute_loss_from_embeddings(embeddings)


def features_of(model, rows):
    tokenize = getattr(model, "preprocess", None) or model.tokenize
    return [tokenize(list(column)) for column in zip(*rows, strict=True)]


def test_inside_matryoshka(model, rows):
    model.eval()
    inner = MarginNegationInfoNCELoss(model)
    value = MatryoshkaLoss(model, inner, [32, 16], matryoshka_weights=[1, 0.5])(features_of(model, rows), None)
    full = [model(features)["sentence_embedding"] for features in features_of(model, rows)]
    short = [column[:, :16] for column in full]
    expected = inner.compute_loss_from_embeddings(full) + 0.5 * inner.compute_loss_from_embeddings(short)
    torch.testing.assert_close(value, expected, rtol=1e-5, atol=1e-6)
    value.backward()
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)


def weights(model):
    return {name: value.detach().cpu().clone() for name, value in model.named_parameters() if "pooler" not in name}


def assert_trained(model, before):
    after = weights(model)
    # Attention takes a softmax over the keys, which cancels their bias: its gradient is zero up to rounding.
    still = [name for name in before if "key.bias" not in name and torch.equal(before[name], after[name])]
    assert not still, "never changed"
    assert all(value.isfinite().all() for value in after.values())


def arguments(folder, **options):
    return SentenceTransformerTrainingArguments(
        output_dir=str(folder),
        max_steps=3,
        per_device_train_batch_size=4,
        learning_rate=1e-3,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        use_cpu=True,
        **options,
    )


def dataset_of(rows, columns):
    names = ["anchor", "positive", "negative"][:columns]
    return Dataset.from_dict({name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=False)})


@pytest.mark.parametrize("wrapped", [False, True], ids=["plain", "matryoshka"])
@pytest.mark.parametrize("columns", [2, 3])
def test_trains_with_the_trainer(model, rows, tmp_path, columns, wrapped):
    loss = MarginNegationInfoNCELoss(model, negatives="batch")
    if wrapped:
        loss = MatryoshkaLoss(model, loss, [32, 16])
    before = weights(model)
    trainer = SentenceTransformerTrainer(
        model=model, args=arguments(tmp_path), train_dataset=dataset_of(rows, columns), loss=loss
    )
    trainer.train()
    assert_trained(model, before)
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    assert len(losses) == 3
    assert np.isfinite(losses).all()


@pytest.mark.filterwarnings("ignore:.torch.cpu.amp.autocast:FutureWarning")  # transformers 4
def test_trains_on_several_datasets_in_bfloat16_and_shows_in_the_card(model, rows, tmp_path):
    loss = MarginNegationInfoNCELoss(model, margin=0.25)
    datasets = DatasetDict({"pairs": dataset_of(rows, 2), "triples": dataset_of(rows, 3)})
    before = weights(model)
    SentenceTransformerTrainer(
        model=model, args=arguments(tmp_path / "run", bf16=True), train_dataset=datasets, loss=loss
    ).train()
    assert_trained(model, before)
    model.save(str(tmp_path / "saved"))
    card = (tmp_path / "saved" / "README.md").read_text(encoding="utf-8")
    assert "MarginNegationInfoNCELoss" in card
    assert '"margin": 0.25' in card
    assert "zhu2024sda" in card


@pytest.mark.filterwarnings("ignore:'pin_memory' argument is set as true:UserWarning")  # fit has no say in it
@pytest.mark.parametrize("method", ["fit", "old_fit"])
def test_trains_with_fit(model, rows, tmp_path, monkeypatch, method):
    monkeypatch.chdir(tmp_path)  # fit writes under the working folder
    loader = DataLoader([InputExample(texts=list(row)) for row in rows], batch_size=4)
    before = weights(model)
    getattr(model, method)(
        train_objectives=[(loader, MarginNegationInfoNCELoss(model))],
        epochs=2,
        warmup_steps=0,
        optimizer_params={"lr": 1e-3},
        show_progress_bar=False,
    )
    assert_trained(model, before)
