"""Tasks of mteb: the real library, with tasks in its registry whose rows are in memory."""

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from sda_hf.errors import InputFileError, InputValueError, MissingPackageError
from sda_hf.evaluation.tasks.mteb import MtebTask, check_name, mteb_scores

# Warnings of mteb's own wrapper of sentence-transformers models.
pytestmark = [
    pytest.mark.filterwarnings("ignore:The fill_missing parameter is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The `get_sentence_embedding_dimension` method:FutureWarning"),
]

PAIRS = [
    ("a cat sleeps", "a cat sleeps", 5.0),
    ("a cat sleeps", "a dog sleeps", 3.0),
    ("a dog runs", "a cat sleeps", 1.0),
    ("the car stops", "a dog runs", 0.0),
]
OTHER_PAIRS = [(first, second, 5.0 - score) for first, second, score in PAIRS[1:]]
DOCUMENTS = {"d1": "a cat sleeps", "d2": "a dog runs", "d3": "the car stops", "d4": "a dog sleeps"}
QUERIES = {"q1": "a cat", "q2": "the dog"}
RELEVANT = {"q1": {"d1": 1, "d4": 1}, "q2": {"d1": 1}}


def metadata(name, task_type, main_score, **more):
    from mteb.abstasks.task_metadata import TaskMetadata

    given = {
        "name": name,
        "description": "Rows in memory.",
        "dataset": {"path": "none", "revision": "none"},
        "type": task_type,
        "category": "t2t",
        "eval_splits": ["test"],
        "eval_langs": ["eng-Latn"],
        "main_score": main_score,
    }
    return TaskMetadata(**(given | more))


def columns(pairs):
    from datasets import Dataset

    keys = ("sentence1", "sentence2", "score")
    return Dataset.from_list([dict(zip(keys, pair, strict=True)) for pair in pairs])


def sts(name, subsets, **more):
    """Make a task class from subset → split → pairs."""
    from mteb.abstasks.sts import AbsTaskSTS

    class Task(AbsTaskSTS):
        def load_data(self, **options):
            self.dataset = {
                subset: {split: columns(pairs) for split, pairs in splits.items()} for subset, splits in subsets.items()
            }
            self.data_loaded = True

    Task.metadata = metadata(name, "STS", "cosine_spearman", **more)
    return Task


def retrieval(name):
    from datasets import Dataset
    from mteb.abstasks import AbsTaskRetrieval

    class Task(AbsTaskRetrieval):
        def load_data(self, **options):
            texts = {
                key: Dataset.from_dict({"id": list(rows), "text": list(rows.values())})
                for key, rows in (("corpus", DOCUMENTS), ("queries", QUERIES))
            }
            self.dataset = {"default": {"test": {**texts, "relevant_docs": RELEVANT, "top_ranked": None}}}
            self.data_loaded = True

    Task.metadata = metadata(name, "Retrieval", "ndcg_at_10")
    return Task


@pytest.fixture
def register(monkeypatch):
    """Register a task class in mteb for one test."""
    from mteb.get_tasks import _TASKS_REGISTRY

    def enter(task):
        monkeypatch.setitem(_TASKS_REGISTRY, task.metadata.name, task)
        return task.metadata.name

    return enter


@pytest.fixture
def animals(register):
    return register(sts("Animals", {"default": {"test": PAIRS}}))


def spearman(model, pairs):
    from sentence_transformers.sentence_transformer.evaluation import EmbeddingSimilarityEvaluator

    first, second, scores = (list(column) for column in zip(*pairs, strict=True))
    evaluator = EmbeddingSimilarityEvaluator(first, second, scores, similarity_fn_names=["cosine"])
    return 100 * evaluator(model)["spearman_cosine"]


def test_pairs_score_as_in_sentence_transformers(animals, tiny_model):
    scores = mteb_scores(animals, tiny_model)
    assert scores == {"cosine_spearman": pytest.approx(spearman(tiny_model, PAIRS), abs=1e-9)}
    assert mteb_scores(animals, tiny_model, batch_size=1) == pytest.approx(scores)


def test_retrieval_scores_as_in_sentence_transformers(register, tiny_model):
    from sentence_transformers.sentence_transformer.evaluation import InformationRetrievalEvaluator

    evaluator = InformationRetrievalEvaluator(
        QUERIES, DOCUMENTS, {query: set(found) for query, found in RELEVANT.items()}, ndcg_at_k=[10]
    )
    expected = 100 * evaluator(tiny_model)["cosine_ndcg@10"]
    assert 10 < expected < 99
    # mteb rounds the scores of retrieval to five digits.
    assert mteb_scores(register(retrieval("Found")), tiny_model) == {"ndcg_at_10": pytest.approx(expected, abs=1e-3)}


def test_the_score_is_the_mean_over_subsets_and_splits(register, tiny_model):
    subsets = {"en": {"test": PAIRS, "dev": PAIRS[:3]}, "zh": {"test": OTHER_PAIRS, "dev": PAIRS[1:]}}
    languages = {"en": ["eng-Latn"], "zh": ["zho-Hans"]}
    name = register(sts("Both", subsets, eval_langs=languages, eval_splits=["test", "dev"]))
    each = [spearman(tiny_model, pairs) for splits in subsets.values() for pairs in splits.values()]
    assert len(set(np.round(each, 6))) > 1
    assert mteb_scores(name, tiny_model) == {"cosine_spearman": pytest.approx(np.mean(each))}


def test_an_aggregate_task(register, tiny_model):
    from mteb.abstasks.aggregate_task_metadata import AggregateTaskMetadata
    from mteb.abstasks.aggregated_task import AbsTaskAggregate

    parts = [sts("One", {"default": {"test": PAIRS}})(), sts("Two", {"default": {"test": OTHER_PAIRS}})()]

    class Mean(AbsTaskAggregate):
        metadata = AggregateTaskMetadata(
            name="Mean",
            description="Two tasks.",
            tasks=parts,
            main_score="cosine_spearman",
            type="STS",
            eval_splits=["test"],
        )

    expected = (spearman(tiny_model, PAIRS) + spearman(tiny_model, OTHER_PAIRS)) / 2
    assert mteb_scores(register(Mean), tiny_model) == {"cosine_spearman": pytest.approx(expected)}
    assert not any(part.data_loaded for part in parts)


def test_rows_are_the_published_ones(register, tiny_model):
    name = register(sts("STSBenchmark", {"default": {"test": PAIRS}}))
    assert mteb_scores(name, tiny_model)["rows"] == 1379


def test_known_names():
    check_name("NevIR")
    check_name("CQADupstackRetrieval")
    assert MtebTask.of("NevIR").title == "NevIR (MTEB)"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nevir", r"^unknown mteb task 'nevir': did you mean 'NevIR' or '\w+' or '\w+'\?$"),
        ("STSBenchmrk", r"^unknown mteb task 'STSBenchmrk': did you mean 'STSBenchmark' or .{5,80}\?$"),
        ("\N{SNOWMAN}", r"^unknown mteb task '\N{SNOWMAN}': mteb\.get_tasks\(\) lists the names$"),
        ("", r"^unknown mteb task '': mteb\.get_tasks\(\) lists the names$"),
    ],
)
def test_unknown_names(name, message, tiny_model):
    with pytest.raises(InputValueError, match=message):
        check_name(name)
    with pytest.raises(InputValueError, match=message):
        mteb_scores(name, tiny_model)


def test_a_task_with_images():
    with pytest.raises(
        InputValueError, match=r"task 'mteb:CIFAR10ZeroShot' is about image, text: only tasks about text"
    ):
        check_name("CIFAR10ZeroShot")


def test_without_mteb(monkeypatch):
    monkeypatch.setitem(sys.modules, "mteb", None)
    with pytest.raises(MissingPackageError, match=r"^task 'mteb:NevIR' needs mteb: pip install 'sda-hf\[mteb\]'$"):
        check_name("NevIR")


def test_missing_data(register, tiny_model, tmp_path):
    from mteb.abstasks.sts import AbsTaskSTS

    class Gone(AbsTaskSTS):
        metadata = metadata("Gone", "STS", "cosine_spearman", dataset={"path": str(tmp_path / "no"), "revision": "1"})

    with pytest.raises(InputFileError, match=r"^cannot load the data of task 'mteb:Gone': Couldn't find .*no\S*$"):
        mteb_scores(register(Gone), tiny_model)


def spoil(model, value):
    with torch.no_grad():
        model[0].embedding.weight.fill_(value)
    return model


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize("kind", ["pairs", "retrieval"])
def test_embeddings_with_nan_or_infinity(register, tiny_model, kind, value):
    name = register(sts("Task", {"default": {"test": PAIRS}}) if kind == "pairs" else retrieval("Task"))
    with pytest.raises(InputValueError, match=r"^task 'mteb:Task': the embeddings of the model contain NaN"):
        mteb_scores(name, spoil(tiny_model, value))


@pytest.mark.filterwarnings("ignore:An input array is constant")
def test_an_undefined_score(animals, tiny_model):
    message = r"^task 'mteb:Animals': cosine_spearman is nan: it is not defined for this model; its embeddings"
    with pytest.raises(InputValueError, match=message):
        mteb_scores(animals, spoil(tiny_model, 0.5))


def test_errors_of_the_model_are_not_hidden(animals, tiny_model, monkeypatch):
    def fail(*arguments, **options):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(tiny_model, "encode", fail)
    with pytest.raises(RuntimeError, match=r"^out of memory$"):
        mteb_scores(animals, tiny_model)


def drawn():
    return random.random(), np.random.random(), torch.rand(1).item()


def seed():
    random.seed(3)
    np.random.seed(3)
    torch.manual_seed(3)


def test_the_random_state_is_restored(animals, tiny_model):
    seed()
    expected = drawn()
    for run in (lambda: check_name("NevIR"), lambda: mteb_scores(animals, tiny_model)):
        seed()
        run()
        assert drawn() == expected
    seed()
    with pytest.raises(InputValueError):
        check_name("nevir")
    assert drawn() == expected


@pytest.mark.parametrize("training", [True, False])
def test_the_modes_are_restored(animals, tiny_model, training):
    tiny_model.train(training)
    tiny_model[0].train(not training)
    mteb_scores(animals, tiny_model)
    assert tiny_model.training is training
    assert tiny_model[0].training is not training


def test_nothing_is_written(animals, tiny_model, tmp_path, monkeypatch):
    from mteb.cache import ResultCache

    monkeypatch.chdir(tmp_path)
    cache = ResultCache().cache_path
    before = sorted(cache.rglob("*"))
    mteb_scores(animals, tiny_model)
    assert sorted(cache.rglob("*")) == before
    assert list(tmp_path.iterdir()) == []


def test_mteb_is_imported_lazily():
    code = (
        "import sys, sda_hf.evaluation.tasks.mteb as m; m.MtebTask.of('NevIR'); "
        "print({'mteb', 'torch', 'datasets', 'sentence_transformers'} & set(sys.modules))"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
