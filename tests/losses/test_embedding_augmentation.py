"""EmbeddingAugmentation: each kind against NumPy, what it touches and when, and training with it."""

import copy

import numpy as np
import pytest
import torch
from datasets import Dataset
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, SentenceTransformerTrainingArguments
from sentence_transformers.sentence_transformer.losses import MatryoshkaLoss
from torch import nn
from transformers import T5Config, T5EncoderModel

from sda_hf.losses import (
    EmbeddingAugmentation,
    MarginNegationInfoNCELoss,
    NTXentLoss,
    SimCSEEdaCSELoss,
    embedding_augmentation,
)
from sda_hf.losses.embedding_augmentation import CutFeatures, feature_cutoff

from .inputs import EMBEDDED, KINDS, NAMES, OF_TOKENS, features_of, make, padded, random_rows, seeded

# ---------------------------------------------------------------- kinds that act on embeddings


@pytest.mark.parametrize("strength", [None, 0.3])
@pytest.mark.parametrize("shape", [(2, 3), (3, 5), (6, 4), (9, 2)], ids=str)
def test_interpolation_moves_toward_the_nearest_other_row(shape, strength):
    rows = random_rows(*shape)
    h, share = rows.numpy(), strength or 0.5
    unit = h / np.linalg.norm(h, axis=1, keepdims=True)
    nearest = [max((j for j in range(len(h)) if j != i), key=lambda j, i=i: unit[i] @ unit[j]) for i in range(len(h))]
    found = EmbeddingAugmentation(kind="interpolation", strength=strength).apply(rows)
    np.testing.assert_allclose(found, (1 - share) * h + share * h[nearest], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("strength", [None, 0.3])
def test_extrapolation_moves_away_from_the_mean(strength):
    rows = random_rows(6, 4)
    found = EmbeddingAugmentation(kind="extrapolation", strength=strength).apply(rows)
    share = strength or 0.5
    np.testing.assert_allclose(found, (1 + share) * rows.numpy() - share * rows.numpy().mean(axis=0), rtol=1e-9)


def moves(kind, strength, rows, draws):
    """How far each row moves, over many draws."""
    augmentation = EmbeddingAugmentation(kind=kind, strength=strength)
    return torch.cat(seeded(lambda: [augmentation.apply(rows) - rows for _ in range(draws)]))


def test_gaussian_noise_has_the_deviation_of_each_dimension():
    rows = random_rows(8, 3) * torch.tensor([1.0, 5.0, 0.2])
    found = moves("gaussian", 0.1, rows, 2000)
    torch.testing.assert_close(found.std(dim=0), 0.1 * rows.std(dim=0), rtol=0.05, atol=0)
    assert found.mean(dim=0).abs().max() < 0.01


def test_pca_noise_has_the_eigenvalues_as_its_deviations():
    rows = random_rows(8, 3)
    values, vectors = torch.linalg.eigh(rows.T.cov())
    found = (moves("pca", 0.1, rows, 2000) @ vectors).std(dim=0)
    torch.testing.assert_close(found, 0.1 * values, rtol=0.05, atol=0)


def test_linear_takes_every_ordered_pair_of_other_rows():
    rows = torch.eye(4, dtype=torch.float64)
    found, counts = moves("linear", 1, rows, 600)[::4].unique(dim=0, return_counts=True)
    assert len(found) == 6
    assert not found[:, 0].any(), "the row itself is not drawn"
    assert counts.min() > 60


def test_linear_leaves_two_rows_unchanged():
    rows = random_rows(2, 3)
    assert torch.equal(EmbeddingAugmentation(kind="linear").apply(rows), rows)


@pytest.mark.parametrize("kind", EMBEDDED)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_the_type_is_kept_and_half_precision_is_computed_in_float32(kind, dtype):
    augmentation = EmbeddingAugmentation(kind=kind)
    rows = random_rows(dtype=torch.float32).to(dtype)
    found, exact = seeded(augmentation.apply, rows), seeded(augmentation.apply, rows.float())
    assert found.shape == rows.shape
    assert torch.equal(found, exact.to(dtype))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(seeded(augmentation.apply, rows), found)


@pytest.mark.parametrize("kind", EMBEDDED)
def test_the_gradient_flows_only_through_the_row_itself(kind):
    rows = random_rows().requires_grad_()
    factor = {"interpolation": 0.5, "extrapolation": 1.5}.get(kind, 1.0)
    (gradient,) = torch.autograd.grad(EmbeddingAugmentation(kind=kind).apply(rows)[2].sum(), rows)
    expected = torch.zeros_like(rows)
    expected[2] = factor
    torch.testing.assert_close(gradient, expected)


@pytest.mark.parametrize("kind", EMBEDDED)
@pytest.mark.parametrize("batch", [0, 1])
def test_leaves_one_row_unchanged(kind, batch):
    rows = random_rows(batch)
    assert torch.equal(EmbeddingAugmentation(kind=kind).apply(rows), rows)


@pytest.mark.parametrize("kind", EMBEDDED)
def test_draws_from_the_generator_of_torch(kind):
    augmentation, rows = EmbeddingAugmentation(kind=kind), random_rows()
    assert torch.equal(seeded(augmentation.apply, rows), seeded(augmentation.apply, rows))
    fixed = kind in ("interpolation", "extrapolation")
    assert torch.equal(seeded(augmentation.apply, rows), seeded(augmentation.apply, rows, seed=1)) == fixed


# ---------------------------------------------------------------- kinds that act on tokens


@pytest.mark.parametrize("left", [False, True])
def test_shuffles_the_tokens_between_the_first_and_the_last(left):
    features = padded([9, 2, 3, 1, 7], 11, left)
    before = copy.deepcopy(features)
    found = seeded(EmbeddingAugmentation(kind="shuffle").tokens, features)
    moved = found["input_ids"] != before["input_ids"]
    assert moved.any(dim=1).tolist() == [True, False, False, False, True]
    for row, mask in enumerate(before["attention_mask"]):
        tokens = mask.nonzero()[:, 0]
        assert not moved[row, tokens[[0, -1]]].any()
        assert not moved[row, mask == 0].any()
        assert found["input_ids"][row].sort().values.tolist() == before["input_ids"][row].sort().values.tolist()
    assert torch.equal(found["attention_mask"], before["attention_mask"])
    assert torch.equal(features["input_ids"], before["input_ids"]), "the given column is left unchanged"


def test_every_order_is_equally_likely():
    features = padded([5] * 6000, 6)
    found = seeded(EmbeddingAugmentation(kind="shuffle").tokens, features)["input_ids"]
    orders, counts = found.unique(dim=0, return_counts=True)
    assert len(orders) == 6
    assert counts.min() > 900


def test_shuffles_a_share_of_the_rows():
    features = padded([12] * 2000, 12)
    found = seeded(EmbeddingAugmentation(kind="shuffle", strength=0.25).tokens, features)["input_ids"]
    assert (found != features["input_ids"]).any(dim=1).double().mean().item() == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize("length", [4, torch.tensor([4]), torch.tensor([4] * 20)], ids=str)
def test_a_prompt_is_not_shuffled(length):
    features = {**padded([12] * 20, 12), "prompt_length": length}
    found = seeded(EmbeddingAugmentation(kind="shuffle").tokens, features)["input_ids"]
    assert torch.equal(found[:, :4], features["input_ids"][:, :4])
    assert not torch.equal(found[:, 4:], features["input_ids"][:, 4:])


@pytest.mark.parametrize("kind", OF_TOKENS)
def test_leaves_one_row_of_tokens_unchanged(kind):
    features = padded([9], 9)
    found = EmbeddingAugmentation(kind=kind).tokens(features)
    assert torch.equal(found["input_ids"], features["input_ids"])
    assert not isinstance(found, CutFeatures)


def token_embeddings(encoder, layer, **given):
    seen = []
    handle = layer.register_forward_hook(lambda _, __, output: seen.append(output))
    encoder(**given)
    handle.remove()
    return seen[0]


@pytest.mark.parametrize(("strength", "count"), [(0.2, 6), (0.5, 16), (0.001, 1), (0.999, 31)])
def test_cuts_a_share_of_the_features_of_each_row(model, strength, count):
    encoder, features = model[0].auto_model, padded([9, 4, 7], 9)
    layer = encoder.get_input_embeddings()
    whole = token_embeddings(encoder, layer, **features)
    with feature_cutoff(model, strength):
        cut = seeded(lambda: token_embeddings(encoder, layer, **features))
    zeroed = cut.eq(0).all(dim=1)  # (rows, dim)
    assert zeroed.sum(dim=1).tolist() == [count] * 3
    assert count == 31 or len(zeroed.unique(dim=0)) == 3, "each row has its own"
    assert torch.equal(cut, whole.masked_fill(zeroed[:, None], 0))
    assert torch.equal(token_embeddings(encoder, layer, **features), whole), "and no longer"


def test_cuts_where_the_encoder_embeds_with_another_layer_of_the_same_weight():
    encoder = T5EncoderModel(T5Config(vocab_size=20, d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2))
    assert encoder.get_input_embeddings() is not encoder.encoder.embed_tokens
    features = padded([5, 5], 5)
    with feature_cutoff(nn.ModuleList([encoder]), 0.5):
        found = token_embeddings(encoder, encoder.encoder.embed_tokens, **features)
    assert found.eq(0).all(dim=1).sum(dim=1).tolist() == [4, 4]


# ---------------------------------------------------------------- inside a loss


def total(loss):
    return sum(loss.values()) if isinstance(loss, dict) else loss


def compared(loss, features):
    """Return the columns that a loss compares in one batch."""
    seen, compute = [], loss.compute_loss_from_embeddings
    loss.compute_loss_from_embeddings = lambda embeddings, labels=None: seen.append(embeddings) or compute(embeddings)
    seeded(loss, features)
    return [column.detach() for column in seen[0]]


@pytest.mark.parametrize("mini_batch_size", [None, 3])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_changes_only_the_positives(name, kind, mini_batch_size, model, rows):
    model.eval()
    features = features_of(model, rows, name)
    settings = {"mini_batch_size": mini_batch_size}
    plain = compared(make(name, model, **settings), features)
    changed = compared(make(name, model, embedding_augmentation={"kind": kind}, **settings), features)
    assert not torch.allclose(changed[1], plain[1], atol=1e-5)
    for number in (0, 2):
        torch.testing.assert_close(changed[number], plain[number], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_changes_every_column_of_positives(kind, model, rows):
    model.eval()
    loss = MarginNegationInfoNCELoss(model, positives=2, embedding_augmentation={"kind": kind})
    features = features_of(model, [(*row, row[0]) for row in rows], columns=4)
    plain, changed = compared(MarginNegationInfoNCELoss(model, positives=2), features), compared(loss, features)
    same = [torch.allclose(one, other, atol=1e-5) for one, other in zip(plain, changed, strict=True)]
    assert same == [True, False, False, True]


@pytest.mark.parametrize("mini_batch_size", [None, 3])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_acts_only_in_training(name, kind, mini_batch_size, model, rows):
    model.eval()
    features = features_of(model, rows, name)
    plain = make(name, model, mini_batch_size=mini_batch_size)
    loss = make(name, model, mini_batch_size=mini_batch_size, embedding_augmentation={"kind": kind})
    with torch.no_grad():
        assert torch.equal(total(loss(features)), total(plain(features)))
    loss.eval(), plain.eval()
    assert torch.equal(total(loss(features)), total(plain(features)))
    loss.train(), model.eval()
    assert not torch.equal(total(loss(features)), total(plain(features)))
    columns = [random_rows(4, 5)] * (3 if name == "simcse-edacse" else 2)
    given = [total(one.compute_loss_from_embeddings(columns)) for one in (loss, plain)]
    assert torch.equal(*given), "a pure function of embeddings"


def gradients(loss):
    return {name: p.grad.clone() for name, p in loss.named_parameters() if p.grad is not None}


def outcome(loss, features):
    value = seeded(lambda: total(loss(copy.deepcopy(features))))
    (value / 2).backward()
    return value.detach(), gradients(loss)


def assert_same(one, other):
    torch.testing.assert_close(one[0], other[0])
    assert one[1].keys() == other[1].keys()
    for name, gradient in one[1].items():
        torch.testing.assert_close(other[1][name], gradient, rtol=1e-6, atol=1e-10, msg=name)


@pytest.mark.parametrize("projection", ["none", "mlp2bn"])
@pytest.mark.parametrize("kind", [*EMBEDDED, "shuffle"])
@pytest.mark.parametrize("name", NAMES)
def test_mini_batches_give_the_same_loss_and_gradients(name, kind, projection, model, rows):
    model.eval().double()
    features = features_of(model, rows, name)
    results = []
    for size in (None, 3, 8):
        config = {"projection": projection, "embedding_augmentation": {"kind": kind}}
        loss = seeded(lambda: make(name, copy.deepcopy(model), mini_batch_size=size, **config))  # noqa: B023
        results.append(outcome(loss, features))
    assert_same(results[0], results[1])
    assert_same(results[0], results[2])


def test_both_passes_of_a_mini_batch_are_cut_in_the_same_way(model, rows, monkeypatch):
    model.train().double()  # so that dropout draws in between
    features = features_of(model, rows)
    draw, drawn = embedding_augmentation._kept_features, []
    monkeypatch.setattr(
        embedding_augmentation, "_kept_features", lambda *given: drawn.append(draw(*given)) or drawn[-1]
    )
    config = {"embedding_augmentation": {"kind": "cutoff"}}
    outcome(NTXentLoss(copy.deepcopy(model), mini_batch_size=3, **config), features)
    assert len(drawn) == 6
    for first, second in zip(drawn[:3], drawn[3:], strict=True):
        assert torch.equal(first, second)


def test_mini_batches_are_cut_like_a_batch(model, rows, monkeypatch):
    model.eval().double()
    features = features_of(model, rows)
    draw, drawn = embedding_augmentation._kept_features, []
    monkeypatch.setattr(
        embedding_augmentation, "_kept_features", lambda *given: drawn.append(draw(*given)) or drawn[-1]
    )
    config = {"embedding_augmentation": {"kind": "cutoff"}}
    parts = outcome(NTXentLoss(copy.deepcopy(model), mini_batch_size=3, **config), features)
    monkeypatch.setattr(embedding_augmentation, "_kept_features", lambda *_: torch.cat(drawn[:3]))
    assert_same(outcome(NTXentLoss(copy.deepcopy(model), **config), features), parts)


def passes(model, loss, features):
    sizes = []
    handle = model.register_forward_hook(lambda _, given, __: sizes.append(len(given[0]["input_ids"])))
    loss(features)
    handle.remove()
    return sizes


def test_cut_positives_go_through_the_model_separately(model, rows):
    triples = features_of(model, [("the cat", "a dog", "birds fly")] * 4)
    for kind, expected in (("cutoff", [8, 4]), ("shuffle", [12]), ("gaussian", [12])):
        assert passes(model, NTXentLoss(model, embedding_augmentation={"kind": kind}), triples) == expected
    loss = SimCSEEdaCSELoss(model, embedding_augmentation={"kind": "cutoff"})
    assert passes(model, loss, triples[:2]) == [8, 4]


@pytest.mark.parametrize("kind", KINDS)
def test_leaves_a_last_batch_of_one_row_unchanged(kind, model, rows):
    model.eval()
    loss = MarginNegationInfoNCELoss(model, embedding_augmentation={"kind": kind})
    loss(features_of(model, rows))
    one = features_of(model, rows[:1])
    torch.testing.assert_close(loss(one), MarginNegationInfoNCELoss(model).eval()(one))


@pytest.mark.parametrize("mini_batch_size", [None, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_inside_matryoshka(kind, mini_batch_size, model, rows):
    inner = MarginNegationInfoNCELoss(model, mini_batch_size=mini_batch_size, embedding_augmentation={"kind": kind})
    value = MatryoshkaLoss(model, inner, [32, 16])(features_of(model, rows), None)
    value.backward()
    assert value.isfinite()
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)


# ---------------------------------------------------------------- training


def train(model, loss, rows, folder, **options):
    columns = dict(zip(["anchor", "positive", "negative"], map(list, zip(*rows, strict=True)), strict=True))
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(folder),
        max_steps=3,
        per_device_train_batch_size=4,
        logging_steps=1,
        eval_strategy="steps",
        eval_steps=3,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        use_cpu=True,
        **options,
    )
    dataset = Dataset.from_dict(columns)
    before = {key: value.clone() for key, value in model.state_dict().items()}
    trainer = SentenceTransformerTrainer(model, arguments, dataset, dataset, loss=loss)
    trainer.train()
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    assert len(losses) == 3
    assert np.isfinite(losses).all()
    assert any(not torch.equal(before[key], value) for key, value in model.state_dict().items())


@pytest.mark.parametrize(
    ("kind", "mini_batch_size"), [("gaussian", None), ("shuffle", 3), ("cutoff", None), ("cutoff", 3)]
)
def test_trains_and_leaves_no_trace_in_the_saved_model(kind, mini_batch_size, model, rows, tmp_path):
    config = {"mini_batch_size": mini_batch_size, "embedding_augmentation": {"kind": kind}}
    modules = [name for name, _ in model.named_modules()]
    train(model, MarginNegationInfoNCELoss(model, **config), rows, tmp_path / "run")
    assert [name for name, _ in model.named_modules()] == modules
    assert not any(module._forward_hooks for module in model.modules())

    model.eval().save(str(tmp_path / "saved"))
    for path in (tmp_path / "saved").rglob("*.json"):
        assert "augmentation" not in path.read_text(encoding="utf-8")
    saved, sentences = SentenceTransformer(str(tmp_path / "saved"), device="cpu"), [row[0] for row in rows]
    np.testing.assert_array_equal(saved.encode(sentences), model.encode(sentences))
    assert f'"kind": "{kind}"' in (tmp_path / "saved" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "options",
    [{"bf16": True}, {"gradient_checkpointing": True}, {"prompts": "birds: "}],
    ids=lambda given: next(iter(given)),
)
@pytest.mark.parametrize("kind", ["pca", *OF_TOKENS])
@pytest.mark.filterwarnings("ignore:.torch.cpu.amp.autocast:FutureWarning")
@pytest.mark.filterwarnings("ignore:.*gradient_checkpointing.*:FutureWarning")
def test_trains_with_options_of_the_trainer(kind, options, model, rows, tmp_path):
    train(model, NTXentLoss(model, embedding_augmentation={"kind": kind}), rows, tmp_path, **options)
