"""Augmenters saved to folders and pushed to the Hub."""

import json
import re
from pathlib import Path

import pytest
import spacy
from datasets import Dataset
from datasets.fingerprint import Hasher
from huggingface_hub import HfApi
from huggingface_hub import ModelCard as StockCard

import sda_hf
from sda_hf import ModalVerbs, Negation, OneOf, Sometimes, TfidfNegatives
from sda_hf.augmentation import Triplets
from sda_hf.augmentation.hub import from_pretrained
from sda_hf.augmentation.listing import OF_PARTS
from sda_hf.errors import InputFileError, InputValueError
from sda_hf.registry import AUGMENTERS

ROOT = Path(__file__).parents[2]
PIPELINE = str(ROOT / "sda_hf" / "grammar" / "english" / "pipeline")
CORPUS = ["The cat sleeps on the mat.", "The dog barks.", "A bird sings all day.", "It cost 3.50 in 1999."]
OTHER = ["Rain fell on the hills.", "He painted the door.", "Two students wrote a letter."]


@pytest.fixture(scope="module")
def fitted():
    return TfidfNegatives(radius=3).fit(CORPUS)


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


# -- folders -------------------------------------------------------------------------------------


def test_the_saved_files(tmp_path):
    Negation(contractions=False).save_pretrained(tmp_path / "a" / "negation")
    assert names(tmp_path) == ["a/negation/augmenter.json"]
    written = json.loads((tmp_path / "a" / "negation" / "augmenter.json").read_text(encoding="utf-8"))
    assert written == {"sda-hf": sda_hf.__version__, **Negation(contractions=False).get_config_dict()}
    with pytest.raises(InputFileError, match="negation already exists: give a new folder"):
        Negation().save_pretrained(tmp_path / "a" / "negation")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputFileError, match="file already exists: give a new folder"):
        Negation().save_pretrained(tmp_path / "file")
    assert names(tmp_path) == ["a/negation/augmenter.json", "file"]


def test_an_unfitted_augmenter_stays_unfitted(tmp_path):
    TfidfNegatives(beta=0.3).save_pretrained(tmp_path / "una")
    assert names(tmp_path / "una") == ["augmenter.json"]
    assert TfidfNegatives.from_pretrained(tmp_path / "una") == TfidfNegatives(beta=0.3)


def test_a_failed_save_leaves_nothing(tmp_path):
    nlp = spacy.load(PIPELINE)
    nlp._path = None  # as of one that was made here
    with pytest.raises(InputValueError, match="parser is a pipeline that exists only in memory"):
        Negation(parser=nlp).save_pretrained(tmp_path / "negation")
    assert list(tmp_path.iterdir()) == []


def test_parts_with_one_vocabulary_share_its_file(fitted, tmp_path):
    composite = OneOf(fitted, Sometimes(TfidfNegatives(beta=0.3).fit(CORPUS), 0.5), TfidfNegatives().fit(OTHER))
    composite.save_pretrained(tmp_path / "all")
    assert names(tmp_path / "all") == [
        "augmenter.json",
        "vocabulary-2/vocabulary.json",
        "vocabulary-2/vocabulary.safetensors",
        "vocabulary.json",
        "vocabulary.safetensors",
    ]
    (tmp_path / "all").rename(tmp_path / "moved")
    loaded = OneOf.from_pretrained(tmp_path / "moved")
    assert loaded == composite
    assert [part.is_fitted for part in loaded.parts] == [True] * 3
    assert loaded.augment(CORPUS + OTHER) == composite.augment(CORPUS + OTHER)


@pytest.mark.parametrize(
    ("written", "error", "message"),
    [
        (None, InputFileError, r"does not hold a readable augmenter: augmenter\.json: .*No such file"),
        ("{", InputFileError, r"does not hold a readable augmenter: augmenter\.json: Expecting"),
        ("[1]", InputFileError, "not a JSON object"),
        ('{"sda-hf": "1.0"}', InputValueError, "needs 'name', one of"),
        ('{"sda-hf": "1.0", "name": "negatoin"}', InputValueError, "did you mean 'negation'"),
        (
            '{"sda-hf": "99.0", "name": "negation", "more": 1}',
            InputValueError,
            r"negation'?: unknown field of negation 'more': .* \(augmenter\.json was written by sda-hf 99\.0; this is ",
        ),
        *(
            (
                json.dumps({"name": "one-of", "augmenters": [{"name": "tfidf-negatives", "vocabulary": place}]}),
                InputValueError,
                r"vocabulary=.* is outside its folder",
            )
            for place in ("..", "../other", "/etc", "vocabulary-2/..", "vocabulary-2\n", 3)
        ),
    ],
)
def test_refused_files(tmp_path, written, error, message):
    (tmp_path / "negation").mkdir()
    if written is not None:
        (tmp_path / "negation" / "augmenter.json").write_text(written, encoding="utf-8")
    with pytest.raises(error, match=message):
        from_pretrained(tmp_path / "negation")


def test_an_augmenter_of_another_class(tmp_path, fitted):
    fitted.save_pretrained(tmp_path / "una")
    with pytest.raises(
        InputValueError, match="una holds a TfidfNegatives, not a Negation: load it as a TfidfNegatives"
    ):
        Negation.from_pretrained(tmp_path / "una")
    with pytest.raises(
        InputValueError, match=r"revision='v1': .*una is a folder, which has no revisions: leave it out"
    ):
        TfidfNegatives.from_pretrained(tmp_path / "una", revision="v1")


# -- the Hub -------------------------------------------------------------------------------------


def test_round_trip(hub, fitted):
    pushed = fitted.push_to_hub("me/una")
    assert (pushed.url, pushed.created, pushed.unchanged) == (f"{hub.url}/me/una", True, False)
    assert set(hub.repos["me/una"].files()) == {
        "README.md",
        "augmenter.json",
        "vocabulary.json",
        "vocabulary.safetensors",
    }
    assert not hub.repos["me/una"].private
    loaded = TfidfNegatives.from_pretrained("me/una")
    assert loaded == fitted
    assert loaded.augment(CORPUS) == fitted.augment(CORPUS)
    assert Hasher.hash(from_pretrained("me/una")) == Hasher.hash(loaded)
    assert sda_hf.augmentation.from_config(loaded.get_config_dict()) == fitted
    rows = Dataset.from_dict({"text": CORPUS})
    assert list(rows.map(loaded, batched=True, num_proc=2)["negative"]) == fitted.augment(CORPUS)


@pytest.mark.parametrize("name", sorted({*AUGMENTERS} - {"chain", "one-of", "sometimes", *OF_PARTS}))
def test_every_augmenter(hub, name):
    augmenter = sda_hf.augmentation.from_config({"name": name, "seed": 3})
    augmenter.push_to_hub("me/augmenter")
    loaded = type(augmenter).from_pretrained("me/augmenter")
    assert loaded == augmenter
    assert Hasher.hash(loaded) == Hasher.hash(augmenter)
    StockCard.load("me/augmenter").validate()


def test_a_composite(hub, fitted):
    composite = OneOf(fitted, Sometimes(Negation(), 0.5))
    composite.push_to_hub("me/composite")
    loaded = from_pretrained("me/composite")
    assert loaded == composite
    assert loaded.augment(CORPUS) == composite.augment(CORPUS)


def test_triplets(hub):
    triplets = Triplets(ModalVerbs(), Negation())
    triplets.push_to_hub("me/triplets")
    assert from_pretrained("me/triplets") == triplets
    StockCard.load("me/triplets").validate()


def test_the_card(hub, fitted):
    fitted.push_to_hub("me/una")
    card = StockCard.load("me/una")
    card.validate()
    assert card.data.to_dict() == {
        "language": ["en"],
        "library_name": "sda-hf",
        "tags": ["sda-hf", "data-augmentation", "tfidf-negatives"],
    }
    assert "# una" in card.text.splitlines()
    shown = json.loads(re.search(r"```json\n(.*?)```", card.text, flags=re.DOTALL)[1])
    stored = json.loads(hub.repos["me/una"].files()["augmenter.json"])
    assert {"sda-hf": sda_hf.__version__, **shown} == stored
    assert (stored["vocabulary"], stored["radius"]) == (".", 3)


@pytest.mark.parametrize("augmenter", [Negation, lambda **given: Sometimes(augmenter=Negation(**given))])
def test_a_token_in_the_config_is_refused(hub, augmenter):
    token = "hf_" + "aB3" * 11
    with pytest.raises(
        InputFileError, match=r"augmenter\.json, line \d+: holds a token, or a URL with a password"
    ) as caught:
        augmenter(input_column=token).push_to_hub("me/una")
    assert token not in str(caught.value)
    assert hub.requests == []


def test_the_usage_of_the_card_runs(hub, capsys):
    Negation(input_column="body").push_to_hub("me/negation")
    (code,) = re.findall(
        r"```python\n(.*?)```", hub.repos["me/negation"].files()["README.md"].decode(), flags=re.DOTALL
    )
    exec(code, {})
    assert capsys.readouterr().out == "{'negative': [\"Her brother didn't buy the big old house.\"]}\n"


def test_the_card_of_a_chinese_augmenter(hub, capsys):
    Negation(language="zh").push_to_hub("me/negation")
    card = StockCard.load("me/negation").text
    head, _, english = card.partition("\n## English\n\n")
    lines = head.splitlines()
    assert lines[:5] == ["", "# negation", "", "## 中文说明", ""]
    assert lines[5] == (
        f"`negation`（否定）是 sda-hf {sda_hf.__version__} 的一种改写方法，用来给句向量模型的对比学习准备数据。"
        f"出处：{Negation.source}。"
    )
    assert '- 一段文字只否定一处陈述：默认是第一处，`sentences="random"` 时随机选一处' in lines
    assert english.startswith("`negation`, an augmenter of sda-hf")
    for code in re.findall(r"```python\n(.*?)```", card, flags=re.DOTALL):
        exec(code, {})
    assert capsys.readouterr().out == "{'negative': ['她哥哥昨天没买那座大房子。']}\n" * 2


def test_private_and_revision(hub, fitted):
    Negation(seed=1).push_to_hub("me/negation", private=True)
    assert hub.repos["me/negation"].private
    Negation(seed=2).push_to_hub("me/negation", private=True, revision="dev")
    asked = Negation(seed=3).push_to_hub("me/negation", create_pr=True)
    assert asked.pull_request == f"{hub.url}/me/negation/discussions/1"
    seeds = {at: Negation.from_pretrained("me/negation", revision=at).seed for at in (None, "dev", "refs/pr/1")}
    assert seeds == {None: 1, "dev": 2, "refs/pr/1": 3}
    with pytest.raises(InputFileError, match=r"me/negation is neither a folder nor an augmenter on the Hub: .*v9"):
        Negation.from_pretrained("me/negation", revision="v9")


def test_pushing_again_sends_nothing_twice(hub, fitted):
    assert not fitted.push_to_hub("me/una").unchanged
    assert fitted.push_to_hub("me/una").unchanged
    assert TfidfNegatives.from_pretrained("me/una").push_to_hub("me/una").unchanged
    assert set(hub.uploads.values()) == {1}
    assert len(hub.repos["me/una"].log()) == 2


def test_only_what_an_augmenter_needs_is_fetched(hub, fitted):
    fitted.push_to_hub("me/una")
    for name in ("model.safetensors", "vocabulary.pkl", "code.py"):
        HfApi().upload_file(repo_id="me/una", path_in_repo=name, path_or_fileobj=b"x")
    folder = TfidfNegatives.from_pretrained("me/una").vocabulary.folder
    assert names(folder) == ["augmenter.json", "vocabulary.json", "vocabulary.safetensors"]


# -- failures ------------------------------------------------------------------------------------


def test_a_private_repository_without_a_token(hub, monkeypatch):
    Negation().push_to_hub("me/negation", private=True)
    monkeypatch.delenv("HF_TOKEN")
    with pytest.raises(InputFileError, match=r"me/negation is neither a folder nor an augmenter on the Hub: .*401"):
        Negation.from_pretrained("me/negation")


def test_a_repository_of_a_model(hub):
    HfApi().create_repo("me/model")
    HfApi().upload_file(repo_id="me/model", path_in_repo="config.json", path_or_fileobj=b"{}")
    with pytest.raises(InputFileError, match=r"me/model does not hold a readable augmenter: augmenter\.json"):
        from_pretrained("me/model")


@pytest.mark.parametrize("place", ["no/such/place", "no such place", "../una"])
def test_neither_folder_nor_repository(hub, place):
    with pytest.raises(InputValueError, match=f"^{re.escape(place)} is neither a folder nor an augmenter on the Hub: "):
        from_pretrained(place)
    assert hub.requests == []


@pytest.mark.parametrize(
    ("augmenter", "name"),
    [
        (Negation(parser=PIPELINE), "Negation"),
        (Sometimes(Negation(parser=PIPELINE), 0.5), "Sometimes"),
        (sda_hf.Paraphrase(model=str(ROOT)), "Paraphrase"),
        (OneOf(sda_hf.Paraphrase(model="models/mine"), ModalVerbs()), "OneOf"),
    ],
)
def test_local_folders_are_not_pushed(hub, tmp_path, monkeypatch, augmenter, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models" / "mine").mkdir(parents=True)
    with pytest.raises(
        InputValueError, match=f"^{name} needs '.*', a local folder that others do not have: give a model by"
    ):
        augmenter.push_to_hub("me/augmenter")
    assert hub.requests == []
    augmenter.save_pretrained(tmp_path / "saved")
    assert from_pretrained(tmp_path / "saved") == augmenter
