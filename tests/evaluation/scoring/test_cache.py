"""The cache: fingerprints of models, keys of measurements, hits, misses and damaged files."""

import dataclasses
import datetime
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Dense, Normalize
from sentence_transformers.sentence_transformer.modules import Pooling

from sda_hf.errors import InputFileError, InputTypeError
from sda_hf.evaluation import Measurement, Task, evaluate, load_encoder, measure, read_all, resolve, resolve_all
from sda_hf.evaluation.encoder.fingerprint import fingerprint
from sda_hf.evaluation.scoring.cache import PACKAGES, MeasurementCache, default_folder, describe, key_of
from sda_hf.evaluation.tasks.measurement import PLAIN

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def saved(tmp_path_factory, masked_lm):
    """The folder of a small BERT with pooling."""
    top = tmp_path_factory.mktemp("models")
    masked_lm(top / "bert")
    model = load_encoder(top / "bert")
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith("LayerNorm.weight"):
                weight.fill_(1)
            elif weight.ndim == 2:
                weight.normal_(generator=torch.Generator().manual_seed(0))
    model.save_pretrained(str(top / "model"))
    return top / "model"


@pytest.fixture
def bert(saved):
    return load_encoder(saved)


@pytest.fixture
def encoded(monkeypatch):
    """The texts that SentenceTransformers encode."""
    texts = []
    original = SentenceTransformer.encode

    def encode(self, sentences, **options):
        texts.extend(sentences)
        return original(self, sentences, **options)

    monkeypatch.setattr(SentenceTransformer, "encode", encode)
    return texts


# -- the model ---------------------------------------------------------------------------------------


def test_equal_models_have_equal_fingerprints(saved, bert, tmp_path):
    expected = fingerprint(bert)
    assert len(expected) == 64
    assert set(expected) <= set("0123456789abcdef")
    shutil.copytree(saved, tmp_path / "copy")
    assert fingerprint(load_encoder(tmp_path / "copy")) == expected
    bert.save_pretrained(str(tmp_path / "again"))
    assert fingerprint(load_encoder(tmp_path / "again")) == expected


@pytest.mark.slow
def test_fingerprints_are_the_same_in_every_process(saved, bert):
    code = (
        "import sys\nfrom sda_hf.evaluation import load_encoder\n"
        "from sda_hf.evaluation.encoder.fingerprint import fingerprint\n"
        "print(fingerprint(load_encoder(sys.argv[1])))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(saved)], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == fingerprint(bert)


def test_using_a_model_does_not_change_its_fingerprint(bert):
    expected = fingerprint(bert)
    bert.encode(["the dog", "a cat slept"])
    bert.tokenizer(["the dog"], truncation=True, max_length=5, padding="max_length")
    bert.train()
    assert fingerprint(bert) == expected


def add(model, module):
    model.append(module)


def lower(model):
    from tokenizers import normalizers

    model.tokenizer.backend_tokenizer.normalizer = normalizers.Lowercase()


def nudge(model):
    with torch.no_grad():
        model[0].model.embeddings.word_embeddings.weight[3, 1] += 1e-6


CHANGES = {
    "weight": nudge,
    "weight that is not trained": lambda model: model[0].model.embeddings.position_ids.fill_(1),
    "bfloat16": lambda model: model.bfloat16(),
    "half": lambda model: model.half(),
    "tokenizer": lower,
    "word": lambda model: model.tokenizer.add_tokens(["umbrella"]),
    "side of the padding": lambda model: setattr(model.tokenizer, "padding_side", "left"),
    "prompt": lambda model: model.prompts.update(query="query: "),
    "default prompt": lambda model: (model.prompts.update(q="q: "), setattr(model, "default_prompt_name", "q")),
    "prompt in the mean": lambda model: setattr(model[1], "include_prompt", False),
    "longest text": lambda model: setattr(model, "max_seq_length", 7),
    "dimensions": lambda model: setattr(model, "truncate_dim", 4),
    "pooling": lambda model: model.__setitem__(1, Pooling(8, "cls")),
    "activation": lambda model: setattr(model[0].model.config, "hidden_act", "relu"),
    "Normalize": lambda model: add(model, Normalize()),
    "Dense": lambda model: add(model, Dense(8, 8)),
}


def test_every_change_of_a_model_changes_its_fingerprint(saved):
    found = {"nothing": fingerprint(load_encoder(saved))}
    for name, change in CHANGES.items():
        model = load_encoder(saved)
        if name == "weight that is not trained":
            model[0].model.embeddings.register_buffer("position_ids", torch.zeros(1, 4), persistent=True)
        change(model)
        found[name] = fingerprint(model)
    assert len(set(found.values())) == len(CHANGES) + 1, found


def test_the_activation_of_a_dense_layer(saved):
    models = [load_encoder(saved) for _ in range(2)]
    for model, activation in zip(models, (torch.nn.Tanh(), torch.nn.Identity()), strict=True):
        torch.manual_seed(0)
        model.append(Dense(8, 4, activation_function=activation))
    assert fingerprint(models[0]) != fingerprint(models[1])


def test_a_static_embedding_model(tiny_model):
    """Its tokenizer is from `tokenizers`, not from transformers."""
    expected = fingerprint(tiny_model)
    tiny_model.encode(["a cat sleeps"])
    assert fingerprint(tiny_model) == expected
    tiny_model.tokenizer.add_tokens(["umbrella"])
    assert fingerprint(tiny_model) != expected


class Fake(torch.nn.Module):
    def encode(self, sentences, **options):
        return np.array([[len(text), text.count("a"), 1.0] for text in sentences])


def test_a_model_without_a_fingerprint(pairs_file, tmp_path):
    assert evaluate(Fake(), [pairs_file])["animals"]["pairs"] == 4
    message = r"measurements of a Fake cannot be cached: only a SentenceTransformer .*; measure without cache_dir"
    with pytest.raises(InputTypeError, match=message):
        evaluate(Fake(), [pairs_file], cache_dir=tmp_path / "cache")


# -- hits and misses ---------------------------------------------------------------------------------


def test_a_hit_embeds_nothing(tiny_model, pairs_file, tmp_path, encoded):
    data = read_all(resolve_all([pairs_file]))
    first = measure(tiny_model, data, cache_dir=tmp_path / "new" / "cache")
    assert len(encoded) == 4
    assert first.cached == {}
    [entry] = (tmp_path / "new" / "cache").iterdir()
    kept = json.loads(entry.read_text(encoding="utf-8"))
    assert kept["protocol"]["task"] == "animals"
    assert list(kept["versions"]) == list(PACKAGES)
    second = measure(tiny_model, data, cache_dir=tmp_path / "new" / "cache")
    assert len(encoded) == 4, "nothing is encoded again"
    assert second.cached == {"animals": datetime.date.today().isoformat()}
    assert second.metrics == first.metrics
    assert list(second.metrics["animals"]) == list(first.metrics["animals"]), "the headline stays first"
    assert isinstance(second.metrics["animals"]["pairs"], int)
    for part in ("items", "gold"):
        old, new = (getattr(one.measurements["animals"], part) for one in (first, second))
        assert old.tolist() == new.tolist()


def test_only_missing_tasks_are_embedded(tiny_model, pairs_file, tmp_path, encoded):
    evaluate(tiny_model, [pairs_file], cache_dir=tmp_path / "cache")
    more = tmp_path / "more.tsv"
    more.write_text(
        "sentence1\tsentence2\tscore\na cat\ta car\t1\na cat\ta dog\t2\na cat\ta cat\t5\n", encoding="utf-8"
    )
    encoded.clear()
    measured = measure(tiny_model, read_all(resolve_all([more, pairs_file])), cache_dir=tmp_path / "cache")
    assert sorted(encoded) == ["a car", "a cat", "a dog"]
    assert list(measured.metrics) == ["more", "animals"], "in the order that was asked for"
    assert list(measured.cached) == ["animals"]


def test_a_hit_for_a_saved_bert(saved, pairs_file, tmp_path, encoded):
    first, second = (evaluate(saved, [pairs_file], cache_dir=tmp_path / "cache") for _ in range(2))
    assert first == second
    assert len(encoded) == 4


def test_keys_depend_on_rows_and_not_on_paths(tiny_model, pairs_file, tmp_path, encoded):
    evaluate(tiny_model, [pairs_file], cache_dir=tmp_path / "cache")
    for name, score in (("same", "5.0"), ("other", "4.5")):
        (tmp_path / name).mkdir()
        text = pairs_file.read_text(encoding="utf-8").replace("5.0", score)
        (tmp_path / name / "animals.tsv").write_text(text, encoding="utf-8")
    encoded.clear()
    evaluate(tiny_model, [tmp_path / "same" / "animals.tsv"], cache_dir=tmp_path / "cache")
    assert encoded == []
    evaluate(tiny_model, [tmp_path / "other" / "animals.tsv"], cache_dir=tmp_path / "cache")
    assert len(encoded) == 4


@pytest.mark.parametrize("change", ["model", "name", "aggregate", "version", "seed"])
def test_misses(tiny_model, pairs_file, tmp_path, encoded, monkeypatch, change):
    task = resolve(pairs_file)
    evaluate(tiny_model, [task], cache_dir=tmp_path / "cache")
    encoded.clear()
    if change == "model":
        with torch.no_grad():
            tiny_model[0].embedding.weight[1] *= 2
    elif change == "name":
        task = dataclasses.replace(task, name="creatures")
    elif change == "aggregate":
        path = tmp_path / "subsets.tsv"
        rows = pairs_file.read_text(encoding="utf-8").splitlines()
        ends = ["subset", "a", "a", "b", "b"]
        path.write_text(
            "\n".join(f"{row}\t{end}" for row, end in zip(rows, ends, strict=True)) + "\n", encoding="utf-8"
        )
        task = dataclasses.replace(resolve(path), aggregate="mean")
        evaluate(tiny_model, [dataclasses.replace(task, aggregate="wmean")], cache_dir=tmp_path / "cache")
        encoded.clear()
    elif change == "version":
        monkeypatch.setattr("sda_hf.evaluation.scoring.cache.metadata.version", lambda package: "99")
    else:
        probe = resolve("trec")
        keys = [key_of(describe("a", dataclasses.replace(probe, seed=seed), None)) for seed in (1, 2, 1)]
        assert keys[0] == keys[2] != keys[1]
        return
    evaluate(tiny_model, [task], cache_dir=tmp_path / "cache")
    assert len(encoded) == 4


@dataclasses.dataclass(frozen=True, kw_only=True)
class Odd(Task[set]):
    """A task of the user's own, whose rows are a set."""

    metric = "accuracy"
    roles = ()

    def read(self, data_dir=None):
        return {"a cat"}

    def texts(self, data):
        return data

    def measure(self, data, vectors):
        return Measurement({"accuracy": 50.0, "rows": 1}, np.array([1.0]))


def test_rows_that_cannot_be_hashed(tiny_model, tmp_path):
    task = Odd(name="odd", title="Odd")
    assert evaluate(tiny_model, [task]) == {"odd": {"accuracy": 50.0, "rows": 1}}
    message = r"task 'odd' cannot be cached \(Object of type set .*\): its rows must consist of lists, strings"
    with pytest.raises(InputTypeError, match=message):
        evaluate(tiny_model, [task], cache_dir=tmp_path / "cache")


# -- the folder --------------------------------------------------------------------------------------

METRICS = st.dictionaries(st.text().filter(lambda name: name not in PLAIN), st.floats(-100, 100), min_size=1)


@given(
    metrics=st.builds(lambda scores, rows: scores | {"rows": rows}, METRICS, st.integers(0, 10**6)),
    items=arrays(np.float64, st.integers(0, 5), elements=st.floats(allow_nan=False, allow_infinity=False)),
    graded=st.booleans(),
)
def test_round_trip(tmp_path_factory, metrics, items, graded):
    cache = MeasurementCache(tmp_path_factory.getbasetemp() / "round-trip")
    cache.put("key", {"model": "a"}, Measurement(metrics, items, items[::-1] if graded else None))
    found, day = cache.get("key")
    assert list(found.metrics.items()) == list(metrics.items())
    assert found.items.tolist() == items.tolist()
    assert (found.gold is None) is not graded
    assert not graded or found.gold.tolist() == items[::-1].tolist()
    assert day == datetime.date.today().isoformat()


def test_an_empty_cache(tmp_path):
    assert MeasurementCache(tmp_path / "cache").get("key") is None


WHOLE = {"measured": "2024-05-01", "metrics": {"accuracy": 50.0}, "items": [1.0, 0.0], "gold": None}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        json.dumps(WHOLE)[:-9].encode(),
        b"null",
        b"[1, 2]",
        json.dumps({key: WHOLE[key] for key in WHOLE if key != "gold"}).encode(),
        *(
            json.dumps(WHOLE | change).encode()
            for change in (
                {"metrics": {}},
                {"metrics": 3},
                {"metrics": ["accuracy"]},
                {"metrics": {"accuracy": "50"}},
                {"items": ["a"]},
                {"items": [[1.0], [1.0, 2.0]]},
                {"gold": {"a": 1}},
            )
        ),
    ],
)
def test_damaged_measurements_are_replaced(tiny_model, pairs_file, tmp_path, content, encoded):
    expected = evaluate(tiny_model, [pairs_file], cache_dir=tmp_path)
    [entry] = tmp_path.glob("*.json")
    entry.write_bytes(content)
    data = read_all(resolve_all([pairs_file]))
    again = measure(tiny_model, data, cache_dir=tmp_path)
    assert (again.metrics, again.cached, len(encoded)) == (expected, {}, 8)
    assert json.loads(entry.read_text(encoding="utf-8"))["metrics"] == expected["animals"]
    assert list(measure(tiny_model, data, cache_dir=tmp_path).cached) == ["animals"]


def entry(**change):
    """An entry with a checksum that fits."""
    kept = {"key": "key", **WHOLE} | change
    return json.dumps(kept | {"sha256": hashlib.sha256(json.dumps(kept).encode()).hexdigest()})


def test_reading_a_measurement(tmp_path):
    (tmp_path / "key.json").write_text(entry(), encoding="utf-8")
    found, day = MeasurementCache(tmp_path).get("key")
    assert (found.metrics, found.items.tolist(), found.gold, day) == ({"accuracy": 50.0}, [1, 0], None, "2024-05-01")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (json.dumps({"key": "key", **WHOLE}), "it has no checksum"),
        (entry().replace("50.0", "99.99"), "its content does not fit its checksum"),
        (entry().replace("[1.0, 0.0]", "[1.0, 1.0]"), "its content does not fit its checksum"),
        (entry().replace("2024-05-01", "2025-05-01"), "its content does not fit its checksum"),
        (
            entry(metrics={"accuracy": 50.0, "f1": 60.0}).replace('"f1"', '"f2"'),
            "its content does not fit its checksum",
        ),
        (
            entry(metrics={"a": 1.0, "b": 2.0}).replace('{"a": 1.0, "b": 2.0}', '{"b": 2.0, "a": 1.0}'),
            "its content does not fit its checksum",  # the headline would be another one
        ),
        (entry(key="other"), "it is that of another model, task or version"),
        # With a checksum that fits, as a program with a mistake would write them.
        (entry(metrics={"accuracy": float("nan")}), "accuracy is nan: it lies between -100 and 100"),
        (entry(metrics={"accuracy": float("inf")}), "accuracy is inf: it lies between -100 and 100"),
        (entry(metrics={"accuracy": 100.1}), "accuracy is 100.1: it lies between -100 and 100"),
        (entry(metrics={"spearman": -250}), "spearman is -250: it lies between -100 and 100"),
        (entry(metrics={"cosine": 1.5}), "cosine is 1.5: it lies between -1 and 1"),
        (entry(metrics={"difference": -67.68}), "difference is -67.68: it lies between -2 and 2"),
        (entry(metrics={"accuracy": 50.0, "rows": -1}), "rows is -1: it lies between 0 and inf"),
        (entry(metrics={"accuracy": True}), "accuracy is True, not a number"),
        (entry(metrics={"accuracy": 10**400}), "it is not a measurement"),
        (entry(metrics={}), "it has no metrics"),
        (entry(items=[1.0, float("nan")]), "items are not a list of finite numbers"),
        (entry(items=[[1.0], [0.0]]), "items are not a list of finite numbers"),
        (entry(gold=[1.0, float("inf")]), "gold are not a list of finite numbers"),
        (entry(gold=[1.0]), "2 items and 1 gold scores"),
        (entry(measured="today"), "Invalid isoformat string: 'today'"),
        ("[" * 100_000, "it is not a measurement"),
        ("[]", "it is not a measurement"),
    ],
)
def test_what_does_not_fit_is_not_used_and_said(tmp_path, caplog, content, reason):
    (tmp_path / "key.json").write_text(content, encoding="utf-8")
    assert MeasurementCache(tmp_path).get("key") is None
    assert [record.getMessage() for record in caplog.records] == [
        f"cached measurement {tmp_path / 'key.json'} is not used, and measured again: {reason}"
    ]


def test_the_record_of_another_model_is_measured_again(tiny_model, pairs_file, tmp_path, encoded, caplog):
    data = read_all(resolve_all([pairs_file]))
    first = measure(tiny_model, data, cache_dir=tmp_path)
    [old] = tmp_path.glob("*.json")
    with torch.no_grad():
        tiny_model[0].embedding.weight[1] *= -3
    second = measure(tiny_model, data, cache_dir=tmp_path)
    [new] = set(tmp_path.glob("*.json")) - {old}
    assert second.metrics != first.metrics
    shutil.copy(old, new)
    encoded.clear()
    again = measure(tiny_model, data, cache_dir=tmp_path)
    assert (again.metrics, again.cached, len(encoded)) == (second.metrics, {}, 4)
    assert f"{new} is not used, and measured again: it is that of another model" in caplog.text
    assert measure(tiny_model, data, cache_dir=tmp_path).cached, "the new entry fits"


def test_figures_out_of_range_are_not_cached(tmp_path, caplog):
    cache = MeasurementCache(tmp_path)
    cache.put("key", {}, Measurement({"accuracy": float("nan"), "rows": 1}, np.array([1.0])))
    assert list(tmp_path.iterdir()) == []
    assert caplog.messages == ["a measurement is not cached: accuracy is nan: it lies between -100 and 100"]


def test_control_characters_in_the_cache_are_shown(tmp_path, caplog):
    (tmp_path / "key.json").write_text(entry(metrics={"\x1b[2J": 500.0}), encoding="utf-8")
    assert MeasurementCache(tmp_path).get("key") is None
    assert caplog.messages[0].endswith(r"measured again: \x1b[2J is 500: it lies between -100 and 100")


def test_an_unusable_folder_is_reported_before_the_model_is_loaded(tmp_path, pairs_file):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    for folder in (tmp_path / "file", tmp_path / "file" / "cache"):
        with pytest.raises(InputFileError, match=r"cannot write measurements in .*file.*: use another cache folder"):
            evaluate("no/such/model", [pairs_file], cache_dir=folder)


def test_write_errors(tiny_model, pairs_file, tmp_path, monkeypatch):
    def full(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sda_hf.evaluation.scoring.cache.write_whole", full)
    with pytest.raises(InputFileError, match=rf"cannot write measurements in {tmp_path}: No space left on device: use"):
        evaluate(tiny_model, [pairs_file], cache_dir=tmp_path)


def test_read_errors(tiny_model, pairs_file, tmp_path):
    evaluate(tiny_model, [pairs_file], cache_dir=tmp_path)
    [entry] = tmp_path.glob("*.json")
    entry.unlink()
    entry.mkdir()
    with pytest.raises(InputFileError, match=rf"cannot read measurements in {tmp_path}: Is a directory: use another"):
        evaluate(tiny_model, [pairs_file], cache_dir=tmp_path)


def test_the_default_folder_is_in_hf_home(tmp_path):
    environment = {**os.environ, "HF_HOME": str(tmp_path)}
    code = "from sda_hf.evaluation.scoring.cache import default_folder; print(default_folder())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(tmp_path / "sda_hf" / "measurements")
    assert list(tmp_path.iterdir()) == [], "asking makes nothing"
    assert default_folder().name == "measurements"
