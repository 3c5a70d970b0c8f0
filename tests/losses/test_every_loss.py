"""The contract of every registered loss; registering one adds it to these tests."""

import copy
import inspect
import json

import pytest
import torch
from datasets import Dataset
from sentence_transformers import InputExample, SentenceTransformerTrainer, SentenceTransformerTrainingArguments
from sentence_transformers.base.losses import column_merging_disabled
from sentence_transformers.sentence_transformer.losses import AdaptiveLayerLoss, Matryoshka2dLoss, MatryoshkaLoss
from torch import nn
from torch.utils.data import DataLoader

from sda_hf.errors import InputTypeError, InputValueError
from sda_hf.losses import ProjectionHead, SentenceLoss
from sda_hf.registry import LOSSES

NAMES = sorted(name for name in LOSSES if issubclass(LOSSES.get(name), SentenceLoss))
# The number of columns of embeddings and of sentences that each loss takes.
EMBEDDED = {"margin-negation-infonce": 3, "nt-xent": 4, "opposition": 4, "retention": 1, "simcse-edacse": 3}
SENTENCES = {"margin-negation-infonce": 3, "nt-xent": 3, "opposition": 4, "retention": 1, "simcse-edacse": 2}
# An argument that is a number above 0.
NUMBER = dict.fromkeys(NAMES, "temperature") | {"retention": "weight"}
# Those with a projection head and an embedding augmentation: the others compare with embeddings from elsewhere.
HEADED = [name for name in NAMES if "projection" in inspect.signature(LOSSES.get(name)).parameters]
SEVERAL_COLUMNS = [name for name in NAMES if EMBEDDED[name] > 1]
CONTRASTING = [name for name in NAMES if LOSSES.get(name).needs_other_rows]


def make(name, model=None, **config):
    return LOSSES.get(name)(nn.Identity() if model is None else model, **config)


def taken(name, rows):
    """Return rows with as many sentences as a loss takes."""
    return [(*row, row[1])[: SENTENCES[name]] for row in rows]


def labels_for(name, batch=4, dim=32, dtype=torch.float64):
    """Return the labels of a loss that needs them."""
    return random_columns(1, batch, dim, seed=7, dtype=dtype)[0] if name == "retention" else None


def random_columns(count, batch=4, dim=6, seed=0, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(batch, dim, generator=generator, dtype=dtype) for _ in range(count)]


def total(loss):
    return sum(loss.values()) if isinstance(loss, dict) else loss


def features_of(model, rows):
    return [model.preprocess(list(column)) for column in zip(*rows, strict=True)]


def gradients(loss):
    return {name: p.grad.clone() for name, p in loss.named_parameters() if p.grad is not None}


@pytest.mark.parametrize("name", NAMES)
def test_every_loss_is_listed_here(name):
    assert name in EMBEDDED, "add the number of its columns"
    cls = LOSSES.get(name)
    assert cls.source
    assert "@" in make(name).citation
    for part in ("Args:", "Inputs:", "Shapes:", "Raises:", "Source:", "Example:"):
        assert part in cls.__doc__, part


@pytest.mark.parametrize("name", NAMES)
def test_gradients_match_numerical_ones(name):
    columns = [column.requires_grad_() for column in random_columns(EMBEDDED[name])]
    loss, labels = make(name, **{NUMBER[name]: 0.5}), labels_for(name, dim=6)
    assert torch.autograd.gradcheck(lambda *given: total(loss.compute_loss_from_embeddings(given, labels)), columns)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_is_computed_in_float32(name, dtype):
    columns = random_columns(EMBEDDED[name], dtype=torch.float32)
    labels = labels_for(name, dim=6, dtype=torch.float32)
    exact = total(make(name).compute_loss_from_embeddings(columns, labels))
    half = total(make(name).compute_loss_from_embeddings([column.to(dtype) for column in columns], labels))
    assert half.dtype == torch.float32
    assert half.item() == pytest.approx(exact.item(), rel=0.2, abs=0.2)


@pytest.mark.parametrize("name", NAMES)
def test_config_round_trip(name):
    loss = make(name, **{NUMBER[name]: 0.2}, gather_across_devices=True, mini_batch_size=3)
    stored = json.loads(json.dumps(loss.get_config_dict()))
    assert stored["mini_batch_size"] == 3
    again = LOSSES.get(name).from_config(nn.Identity(), stored)
    assert again.get_config_dict() == stored
    with pytest.raises(InputValueError, match=f"'{NUMBER[name][:-1]}'.*{NUMBER[name]}"):
        LOSSES.get(name).from_config(nn.Identity(), {NUMBER[name][:-1]: 1})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ({"gather_across_devices": 1}, InputTypeError, "gather_across_devices is 1: give True or False"),
        ({"mini_batch_size": 0}, InputValueError, "mini_batch_size is 0: give an integer above 0"),
    ],
)
def test_refuses_bad_arguments(name, model, config, error, message):
    with pytest.raises(error, match=message):
        make(name, model, **config)


@pytest.mark.parametrize("name", NAMES)
def test_refuses_a_number_that_is_not_above_0(name):
    with pytest.raises(InputValueError, match=f"{NUMBER[name]} is 0: give a finite number above 0"):
        make(name, **{NUMBER[name]: 0})


@pytest.mark.parametrize("name", HEADED)
def test_refuses_an_unknown_projection(name, model):
    with pytest.raises(InputValueError, match="'mpl'.*mlp"):
        make(name, model, projection="mpl")


@pytest.mark.parametrize("name", SEVERAL_COLUMNS)
def test_refuses_columns_of_different_shapes(name):
    columns = random_columns(EMBEDDED[name])
    columns[1] = columns[1][:2]
    with pytest.raises(InputValueError, match="give each column the same"):
        make(name).compute_loss_from_embeddings(columns)
    with pytest.raises(InputValueError, match="1 column"):
        make(name).compute_loss_from_embeddings(columns[:1])


@pytest.mark.parametrize(
    ("name", "projection"),
    [(name, kind) for name in NAMES for kind in ("none", "mlp", "mlp2bn") if kind == "none" or name in HEADED],
)
def test_mini_batches_give_the_same_loss_and_gradients(name, projection, model, rows):
    model.eval().double()  # a merged pass and a split one draw different dropout masks
    features = features_of(model, taken(name, rows))
    losses = []
    for size in (None, 3, 8):
        with torch.random.fork_rng():
            torch.manual_seed(1)
            head = {"projection": projection} if name in HEADED else {}
            loss = make(name, copy.deepcopy(model), mini_batch_size=size, **head)
        value = total(loss(copy.deepcopy(features), labels_for(name, len(rows))))
        (value / 2).backward()
        losses.append((value.detach(), gradients(loss)))
    plain, plain_gradients = losses[0]
    for value, found in losses[1:]:
        torch.testing.assert_close(value, plain)
        assert found.keys() == plain_gradients.keys()
        for parameter, gradient in plain_gradients.items():
            torch.testing.assert_close(found[parameter], gradient, rtol=1e-6, atol=1e-10, msg=parameter)


def passes(model, loss, features, labels):
    """Return the rows of each forward pass of a batch, and its loss."""
    rows = []
    handle = model.register_forward_hook(lambda _, given, __: rows.append(len(given[0]["input_ids"])))
    value = total(loss(features, labels))
    handle.remove()
    return rows, value


@pytest.mark.parametrize("name", NAMES)
def test_columns_go_one_by_one_where_merging_is_disabled(name, model):
    model.eval()
    features = features_of(model, taken(name, [("the cat", "a dog", "birds fly")] * 4))
    count, labels = len(make(name).views(features)), labels_for(name, dtype=torch.float32)
    merged, value = passes(model, make(name, model), copy.deepcopy(features), labels)
    assert merged == [4 * count]
    with column_merging_disabled():
        separate, same = passes(model, make(name, model), copy.deepcopy(features), labels)
    assert separate == [4] * count
    torch.testing.assert_close(same, value)


@pytest.mark.parametrize(
    ("name", "augmentation"),
    [
        (name, kind)
        for name in NAMES
        for kind in (None, "gaussian", "shuffle", "cutoff")
        if kind is None or name in HEADED
    ],
)
def test_inside_adaptive_layer(name, augmentation, model, rows):
    model.eval()
    features = features_of(model, taken(name, rows))
    labels = labels_for(name, len(rows), dtype=torch.float32)
    loss = make(name, model, **({"embedding_augmentation": {"kind": augmentation}} if augmentation else {}))
    wrapped = AdaptiveLayerLoss(model, loss, n_layers_per_step=-1, kl_temperature=0)
    value = wrapped(copy.deepcopy(features), labels)
    if augmentation is None:
        # The last layer, and the mean of those below it: the embedding layer and the first one.
        own = list(zip(*(by_layer(model, column) for column in features), strict=True))
        if name == "simcse-edacse":
            own = [[anchor, anchor, augmented] for anchor, augmented in own]
        low, middle, last = (total(loss.compute_loss_from_embeddings(columns, labels)) for columns in own)
        torch.testing.assert_close(value, last + (low + middle) / 2)
    value.backward()
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)


def by_layer(model, column):
    """Return the embeddings of a column from each layer, lowest first."""
    inputs = {name: value for name, value in column.items() if isinstance(value, torch.Tensor)}
    states = model[0].auto_model(**inputs, output_hidden_states=True).hidden_states
    return [model[1]({**column, "token_embeddings": tokens})["sentence_embedding"] for tokens in states]


@pytest.mark.parametrize("wrapper", [MatryoshkaLoss, Matryoshka2dLoss])
@pytest.mark.parametrize("name", NAMES)
def test_inside_matryoshka(name, wrapper, model, rows):
    model.eval()
    features = features_of(model, taken(name, rows))
    loss, labels = make(name, model), labels_for(name, len(rows), dtype=torch.float32)
    for _ in range(2):  # with negatives and without them, for a loss that takes turns
        again = copy.deepcopy(loss)
        again.model = model
        value = wrapper(model, loss, [32, 16])(copy.deepcopy(features), labels)
        if wrapper is MatryoshkaLoss:
            columns = again.embed(again.views(copy.deepcopy(features)))
            short = [column[:, :16] for column in columns]
            expected = [total(loss.compute_loss_from_embeddings(given, labels)) for given in (columns, short)]
            torch.testing.assert_close(value, sum(expected))
        value.backward()
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)


@pytest.mark.parametrize("wrapper", [AdaptiveLayerLoss, MatryoshkaLoss])
@pytest.mark.parametrize("name", NAMES)
def test_trains_inside_a_wrapper(name, wrapper, model, rows, tmp_path):
    given = [[32, 16]] if wrapper is MatryoshkaLoss else []
    log = train(model, wrapper(model, make(name, model), *given), taken(name, rows), tmp_path)
    assert sum("loss" in entry for entry in log) == 3


@pytest.mark.parametrize("name", HEADED)
def test_the_head_is_trained_but_not_saved(name, model, rows, tmp_path):
    loss = make(name, model, projection="mlp2bn")
    head = copy.deepcopy(loss.head.state_dict())
    train(model, loss, taken(name, rows), tmp_path / "run")
    assert any(not torch.equal(head[key], value) for key, value in loss.head.state_dict().items())
    model.save(str(tmp_path / "saved"))
    assert not any("head" in path.name for path in (tmp_path / "saved").rglob("*"))


def train(model, loss, rows, folder, **options):
    names = ["anchor", "positive", "negative", "other"]
    columns = {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=False)}
    if len(columns) == 1:
        columns["label"] = labels_for("retention", len(rows)).tolist()
    settings = {"max_steps": 3, "per_device_train_batch_size": 4, "logging_steps": 1, **options}
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(folder), save_strategy="no", report_to="none", disable_tqdm=True, use_cpu=True, **settings
    )
    trainer = SentenceTransformerTrainer(model, arguments, Dataset.from_dict(columns), loss=loss)
    trainer.train()
    return trainer.state.log_history


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="plain"),
        pytest.param({"gradient_accumulation_steps": 2}, id="accumulation"),
        pytest.param({"bf16": True}, id="bf16"),
        pytest.param({"gradient_checkpointing": True}, id="checkpointing"),
        pytest.param({"dataloader_num_workers": 1}, id="workers"),
    ],
)
@pytest.mark.filterwarnings("ignore:.torch.cpu.amp.autocast:FutureWarning")
@pytest.mark.filterwarnings("ignore:.*gradient_checkpointing.*:FutureWarning")
@pytest.mark.parametrize("name", NAMES)
def test_trains(name, options, model, rows, tmp_path):
    before = {key: value.clone() for key, value in model.state_dict().items()}
    log = train(model, make(name, model), taken(name, rows), tmp_path, **options)
    assert sum("loss" in entry for entry in log) == 3
    assert any(not torch.equal(before[key], value) for key, value in model.state_dict().items())


@pytest.mark.filterwarnings("ignore:'pin_memory' argument is set as true:UserWarning")
@pytest.mark.parametrize("name", NAMES)
def test_trains_with_fit(name, model, rows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    labels = [0] * len(rows) if labels_for(name) is None else labels_for(name, len(rows)).tolist()
    pairs = zip(taken(name, rows), labels, strict=True)
    examples = [InputExample(texts=list(row), label=label) for row, label in pairs]
    before = {key: value.clone() for key, value in model.state_dict().items()}
    model.fit([(DataLoader(examples, batch_size=4), make(name, model))], epochs=1, show_progress_bar=False)
    assert any(not torch.equal(before[key], value) for key, value in model.state_dict().items())


@pytest.mark.parametrize(("kind", "parameters"), [("none", 0), ("mlp", 2), ("mlp2bn", 4)])
def test_head_shapes(kind, parameters):
    head = ProjectionHead(kind, 6)
    assert head(torch.randn(5, 6)).shape == (5, 6)
    assert len(list(head.parameters())) == parameters


@pytest.mark.parametrize("name", CONTRASTING)
def test_a_first_batch_of_one_row_is_refused(name, model, rows):
    loss = make(name, model)
    one = features_of(model, taken(name, rows[:1]))
    with pytest.raises(InputValueError, match=r"got a batch of one row.*raise per_device_train_batch_size"):
        loss(one)
    loss(features_of(model, taken(name, rows)))
    assert total(loss(one)).isfinite(), "the rest of an epoch"
    assert total(make(name, model).eval()(one)).isfinite(), "an evaluation"


@pytest.mark.parametrize("name", NAMES)
def test_prompts(name, model, rows, tmp_path):
    log = train(model, make(name, model), taken(name, rows), tmp_path, prompts="birds: ")
    assert sum("loss" in entry for entry in log) == 3
    model.set_pooling_include_prompt(False)
    by_column = {"anchor": "birds: ", "positive": "we read: "}
    log = train(model, make(name, model), taken(name, rows), tmp_path, prompts=by_column)
    assert sum("loss" in entry for entry in log) == 3


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("name", NAMES)
def test_trains_compiled(name, model, rows, tmp_path):
    options = {"torch_compile": True, "torch_compile_backend": "aot_eager"}
    log = train(model, make(name, model), taken(name, rows), tmp_path, **options)
    assert all(entry["loss"] > 0 for entry in log if "loss" in entry)
    torch._dynamo.reset()


@pytest.mark.parametrize("name", NAMES)
def test_trains_only_an_adapter(name, model, rows, tmp_path):
    peft = pytest.importorskip("peft")
    model.add_adapter(peft.LoraConfig(task_type=peft.TaskType.FEATURE_EXTRACTION, r=2, target_modules=["query"]))
    before = {key: value.clone() for key, value in model.state_dict().items()}
    log = train(model, make(name, model), taken(name, rows), tmp_path, learning_rate=1e-2)
    assert sum("loss" in entry for entry in log) == 3
    changed = [key for key, value in model.state_dict().items() if not torch.equal(before[key], value)]
    assert changed
    assert all("lora" in key for key in changed)
