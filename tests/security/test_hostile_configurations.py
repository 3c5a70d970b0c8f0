"""Configurations of augmenters that a stranger may have written: as dictionaries, and as augmenter.json."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import sda_hf
from sda_hf.augmentation import from_config
from sda_hf.augmentation.hub import from_pretrained
from sda_hf.grammar.base import grammar_of


def nested(levels):
    config = {"name": "modal-verbs"}
    for _ in range(levels):
        config = {"name": "sometimes", "augmenter": config}
    return config


def itself():
    config = {"name": "one-of"}
    config["augmenters"] = [config]
    return config


INSIDE = {"name": "modal-verbs"}
DICTIONARIES = {
    "a list": ([], "an augmenter's config is a mapping with a name, got list"),
    "a string": ("negation", "is a mapping with a name, got str: 'negation'"),
    "nothing": (None, "is a mapping with a name, got NoneType"),
    "empty": ({}, "an augmenter's config needs 'name', one of"),
    "name: a list": ({"name": []}, r"an augmenter's name is a string, got list: \[\]"),
    "name: a mapping": ({"name": {"name": "negation"}}, "an augmenter's name is a string, got dict"),
    "name: null": ({"name": None}, "an augmenter's name is a string, got NoneType"),
    "name: true": ({"name": True}, "an augmenter's name is a string, got bool: True"),
    "name: a number": ({"name": 7}, "an augmenter's name is a string, got int: 7"),
    "name: empty": ({"name": ""}, "unknown augmenter ''"),
    "name with NUL": ({"name": "nega\0tion"}, r"name: a string with NUL: 'nega\\x00tion'"),
    "name with a surrogate": ({"name": "\ud800"}, r"name: a string with a lone surrogate: '\\ud800'"),
    "name too long": ({"name": "x" * 9000}, r"unknown augmenter 'x+\.\.\."),
    "name of 50 MB": ({"name": "x" * 50_000_000}, "name: a string of 50,000,000 characters, more than 10,000"),
    "name: a dotted module": ({"name": "os.system"}, "unknown augmenter 'os.system'"),
    "name: a path": ({"name": "../../etc/passwd"}, "unknown augmenter '../../etc/passwd'"),
    "name with an escape": ({"name": "\x1b[2J"}, r"unknown augmenter '\\x1b\[2J'"),
    "an unknown key": ({"name": "negation", "__class__": 1}, "unknown field of negation '__class__'"),
    "a method as a key": ({"name": "negation", "augment": 1}, "unknown field of negation 'augment'"),
    "a key of NUL": ({"name": "negation", "\0": 1}, "a key is a string with NUL"),
    "a key with a surrogate": ({"name": "negation", "\udfff": 1}, "a key is a string with a lone surrogate"),
    "a key too long": ({"name": "negation", "k" * 20_000: 1}, "a key is a string of 20,000 characters"),
    "a key that is a number": ({"name": "negation", 3: 1}, "unknown field of negation 3"),
    "nested 100,000 deep": (nested(100_000), "nested more than 32 levels deep"),
    "nested 40 deep": (nested(40), "nested more than 32 levels deep"),
    "inside itself": (itself(), "nested more than 32 levels deep"),
    "a million parts": ({"name": "one-of", "augmenters": [INSIDE] * 1_000_000}, "more than 20,000 values"),
    "one-of without parts": ({"name": "one-of"}, "OneOf needs at least one augmenter"),
    "one-of with no part": ({"name": "one-of", "augmenters": []}, "OneOf needs at least one augmenter"),
    "one-of null": ({"name": "one-of", "augmenters": None}, "OneOf takes a list of augmenters, got NoneType"),
    "one-of a number": ({"name": "one-of", "augmenters": 5}, "OneOf takes a list of augmenters, got int: 5"),
    "one-of a string": ({"name": "one-of", "augmenters": "abc"}, "OneOf takes a list of augmenters, got str: 'abc'"),
    "one-of strings": ({"name": "one-of", "augmenters": ["a"]}, "OneOf takes augmenters, got str: 'a'"),
    "one-of a mapping": ({"name": "one-of", "augmenters": {}}, "an augmenter's config needs 'name'"),
    "one-of one without a name": ({"name": "one-of", "augmenters": [{}]}, "an augmenter's config needs 'name'"),
    "sometimes without a part": ({"name": "sometimes"}, "sometimes needs 'augmenter': give the config of an augmenter"),
    "sometimes null": ({"name": "sometimes", "augmenter": None}, "Sometimes takes augmenters, got NoneType"),
    "sometimes a list": ({"name": "sometimes", "augmenter": [INSIDE]}, "Sometimes takes augmenters, got tuple"),
    "triplets without parts": ({"name": "triplets"}, "triplets needs 'positive'"),
    "triplets without a negative": ({"name": "triplets", "positive": INSIDE}, "triplets needs 'negative'"),
    "triplets of strings": ({"name": "triplets", "positive": "a", "negative": "b"}, "takes augmenters, got str: 'a'"),
    "triplets in triplets": (
        {"name": "one-of", "augmenters": [{"name": "triplets", "positive": INSIDE, "negative": {"name": "negation"}}]},
        "OneOf takes augmenters, got Triplets",
    ),
    "proportion NaN": ({"name": "negation", "proportion": float("nan")}, "proportion=nan is outside the range"),
    "proportion inf": ({"name": "negation", "proportion": float("inf")}, "proportion=inf is outside the range"),
    "proportion -2": ({"name": "negation", "proportion": -2}, "proportion=-2 is outside the range from 0 to 1"),
    "proportion a string": ({"name": "negation", "proportion": "all"}, "proportion='all' is not a number"),
    "seed of 5,000 digits": ({"name": "negation", "seed": 10**5000}, "seed: an integer of more than 64 bits"),
    "seed a float": ({"name": "negation", "seed": 0.5}, "seed=0.5 is not an integer"),
    "epoch a list": ({"name": "negation", "epoch": []}, "epoch=.* is not an integer"),
    "language a list": ({"name": "negation", "language": []}, r"language=.* is not allowed: give one of 'en'"),
    "language a path": ({"name": "negation", "language": "../en"}, "language='../en' is not allowed"),
    "column a number": ({"name": "negation", "input_column": 3}, "input_column=3 is not a column name"),
    "column too long": ({"name": "negation", "output_column": "c" * 501}, "give a name of at most 500 characters"),
    "on_skip unknown": ({"name": "negation", "on_skip": "explode"}, "on_skip='explode' is not allowed"),
    "phrases a string": ({"name": "modal-verbs", "phrases": "must"}, "unknown list 'must': Known: default, sda2024"),
    "phrases a number": ({"name": "modal-verbs", "phrases": 3}, "phrases=3 must be a list of one or more"),
    "phrases empty": ({"name": "modal-verbs", "phrases": [""]}, "must be a list of one or more non-empty strings"),
    "a phrase too long": ({"name": "modal-verbs", "phrases": ["must " * 100]}, "of at most 200 characters"),
    "a phrase of two lines": ({"name": "modal-verbs", "phrases": ["must\nnot"]}, "without control characters"),
    "2,000 phrases": ({"name": "modal-verbs", "phrases": ["must"] * 2000}, "2,000 are given: give at most 1,000"),
    "scope of lists": ({"name": "modal-verbs", "scope": [[]]}, "must be a list of one or more of 'verb', 'adjective'"),
    "two million marks": ({"name": "random-punctuation", "count": 2_000_000}, "give an integer from 1 to 1,000$"),
    "count -1": ({"name": "random-punctuation", "count": -1}, "count=-1: give an integer from 1 to 1,000"),
    "max_marks 10^9": ({"name": "punctuation-noise", "max_marks": 10**9}, "max_marks=1000000000: give an integer from"),
    "radius 10^30": ({"name": "tfidf-negatives", "radius": 10**30}, "radius: an integer of more than 64 bits"),
    "radius 10^18": ({"name": "tfidf-negatives", "radius": 10**18}, "give an integer from 1 to 1,000,000,000"),
    "beta NaN": ({"name": "tfidf-negatives", "beta": float("nan")}, "beta=nan: give a number greater than 0"),
    "beta -2": ({"name": "tfidf-negatives", "beta": -2}, "beta=-2: give a number greater than 0 and at most 1"),
    "a vocabulary nowhere": ({"name": "tfidf-negatives", "vocabulary": "/no/such"}, "no readable vocabulary"),
    "a vocabulary with NUL": ({"name": "tfidf-negatives", "vocabulary": "a\0b"}, "vocabulary: a string with NUL"),
    "a vocabulary too long": ({"name": "tfidf-negatives", "vocabulary": "v" * 5000}, "no readable vocabulary"),
    "a vocabulary in a device": ({"name": "tfidf-negatives", "vocabulary": "/dev/zero"}, "no readable vocabulary"),
    "a vocabulary that is a number": ({"name": "tfidf-negatives", "vocabulary": 3}, "give a folder that"),
    "rate inf": ({"name": "masking", "rate": float("inf")}, "rate=inf: give a number greater than 0 and at most 1"),
    "a mask too long": ({"name": "masking", "mask": "m" * 1000}, "mask='m+.*of at most 200 characters"),
    "a model that is a list": ({"name": "paraphrase", "model": []}, "model=.* is not a string: give a Hub id"),
    "a model with NUL": ({"name": "paraphrase", "model": "a\0"}, "model: a string with NUL"),
    "a million beams": ({"name": "paraphrase", "num_beams": 1_000_000}, "give an integer from 1 to 100$"),
    "a batch of 10^12": ({"name": "paraphrase", "batch_size": 10**12}, "give an integer from 1 to 10,000"),
    "a length of 10^12": ({"name": "paraphrase", "max_length": 10**12}, "give an integer from 2 to 10,000"),
    "temperature 1e-300": ({"name": "paraphrase", "sample": True, "temperature": 1e-300}, "from 0.01 to 100"),
    "temperature inf": ({"name": "paraphrase", "sample": True, "temperature": float("inf")}, "from 0.01 to 100"),
    "a device of 5,000 digits": ({"name": "paraphrase", "device": "cuda:" + "9" * 5000}, "device='cuda:9+.*give 'cpu'"),
    "a dtype that is code": ({"name": "paraphrase", "dtype": "__class__"}, "dtype='__class__' is not allowed"),
    "trust_remote_code": (
        {"name": "paraphrase", "trust_remote_code": True},
        "unknown field of paraphrase 'trust_remote",
    ),
    "the 10^9 likeliest words": ({"name": "random-contextual-words", "top_k": 10**9}, "top_k=1000000000: give an"),
    "parser a list": ({"name": "negation", "parser": []}, "parser=.* is a tuple: give None for the embedded"),
    "parser a mapping": ({"name": "negation", "parser": {}}, "an augmenter's config needs 'name'"),
}
FILES = {
    "no file": (None, "does not hold a readable augmenter: augmenter.json: No such file"),
    "empty": (b"", "augmenter.json: Expecting value"),
    "not JSON": (b"name: negation", "augmenter.json: Expecting value"),
    "cut off": (b'{"name": "nega', "augmenter.json: Unterminated string"),
    "a list": (b"[1]", "augmenter.json: not a JSON object"),
    "a string": (b'"negation"', "augmenter.json: not a JSON object"),
    "null": (b"null", "augmenter.json: not a JSON object"),
    "nested 100,000 lists deep": (b"[" * 100_000, "augmenter.json: nested more than 32 levels deep"),
    "nested 100,000 mappings deep": (b'{"a":' * 100_000, "augmenter.json: nested more than 32 levels deep"),
    "nested 40 lists deep": (b'{"a":' + b"[" * 40 + b"]" * 40 + b"}", "nested more than 32 levels deep"),
    "bad UTF-8": (b'{"name": "caf\xe9"}', r"augmenter.json: not a UTF-8 text file \(byte 14\)"),
    "UTF-16": ('{"name": "negation"}'.encode("utf-16"), "augmenter.json: not a UTF-8 text file"),
    "bytes of an archive": (b"PK\x03\x04\x80", "not a UTF-8 text file"),
    "a duplicate key": (b'{"name": "negation", "name": "modal-verbs"}', "augmenter.json: duplicate key 'name'"),
    "NaN": (b'{"name": "negation", "proportion": NaN}', "NaN is not a number that JSON has"),
    "-Infinity": (b'{"name": "negation", "proportion": -Infinity}', "-Infinity is not a number that JSON has"),
    "1e999": (b'{"name": "negation", "proportion": 1e999}', "proportion=inf is outside the range from 0 to 1"),
    "5,000 digits": (b'{"name": "negation", "seed": ' + b"9" * 5000 + b"}", "an integer of too many digits"),
    "4,000 digits": (b'{"name": "negation", "seed": ' + b"9" * 4000 + b"}", "seed: an integer of more than 64 bits"),
    "a lone surrogate": (rb'{"name": "\ud800"}', "name: a string with a lone surrogate"),
    "NUL": (rb'{"name": "nega\u0000tion"}', "name: a string with NUL"),
    "2 MB of spaces": (b" " * 2_000_000 + b"{}", "augmenter.json: larger than 1,000,000 bytes"),
    "300,000 values": (b'{"name": "one-of", "augmenters": [' + b"1," * 300_000 + b"1]}", "more than 20,000 values"),
    "a version that is a list": (b'{"sda-hf": [1], "name": "x"}', r"unknown augmenter 'x': .* written by sda-hf \[1\]"),
    "a version too long": (
        b'{"sda-hf": "' + b"9" * 9000 + b'", "name": "x"}',
        r"was written by sda-hf '9{3,200}\.\.\.;",
    ),
    "a vocabulary elsewhere": (b'{"name": "tfidf-negatives", "vocabulary": "/etc"}', "'/etc' is outside its folder"),
    "a vocabulary above": (b'{"name": "tfidf-negatives", "vocabulary": "../x"}', r"'\.\./x' is outside its folder"),
    "a vocabulary that is missing": (b'{"name": "tfidf-negatives", "vocabulary": "."}', "no readable vocabulary"),
    "a parser that is a module": (
        b'{"name": "negation", "parser": "this.x"}',
        "names the parser 'this.x', which is not",
    ),
}


@pytest.mark.parametrize(("config", "line"), DICTIONARIES.values(), ids=DICTIONARIES)
def test_dictionaries(config, line, refused):
    with refused(line):
        from_config(config)


@pytest.mark.parametrize(("content", "line"), FILES.values(), ids=FILES)
def test_files(tmp_path, content, line, refused):
    if content is not None:
        (tmp_path / "augmenter.json").write_bytes(content)
    with refused(line):
        from_pretrained(tmp_path)


def test_a_pipe_is_not_waited_for(tmp_path, refused):
    os.mkfifo(tmp_path / "augmenter.json")
    with refused("augmenter.json: not a regular file"):
        from_pretrained(tmp_path)


def test_a_link_to_a_device_is_not_read(tmp_path, refused):
    (tmp_path / "augmenter.json").symlink_to("/dev/zero")
    with refused("augmenter.json: not a regular file"):
        from_pretrained(tmp_path)


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("a\0b", r"'a\\x00b' is neither a folder nor an augmenter on the Hub"),
        ("x" * 5000, r"'x+\.\.\. is neither a folder nor an augmenter on the Hub"),
        ("me/\ud800", "is neither a folder nor an augmenter on the Hub"),
        ("", "is neither a folder nor an augmenter on the Hub"),
        ("me/\x1b[2J", r"'me/\\x1b\[2J' is neither a folder"),
    ],
)
def test_places(place, line, refused):
    with refused(line):
        from_pretrained(place)


# -- parsers -------------------------------------------------------------------------------------


@pytest.fixture
def trap(tmp_path, monkeypatch):
    """A module and a package on the path, and a saved pipeline in a folder; each leaves a mark when its code runs."""
    ran = tmp_path / "ran"
    code = f"import pathlib\npathlib.Path({str(ran)!r}).touch()\n"
    (tmp_path / "site" / "trap_package").mkdir(parents=True)
    (tmp_path / "site" / "trap_module.py").write_text(code)
    (tmp_path / "site" / "trap_package" / "__init__.py").write_text(code)
    # A distribution of this name is installed, but it announces no spaCy pipeline.
    information = tmp_path / "site" / "trap_module-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: trap-module\nVersion: 1.0\n")
    (tmp_path / "repository").mkdir()
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.chdir(tmp_path / "repository")
    yield tmp_path / "repository"
    assert not ran.exists(), "code of a stranger's choice was run"


PARSERS = [
    "trap_module",
    "trap_module.x",
    "trap_package.x",
    "trap-module",
    "this.x",
    "os",
    "en_core_web_none",
    "x" * 9000,
]


@pytest.mark.parametrize("parser", PARSERS)
def test_a_named_parser_is_not_imported(trap, parser, refused):
    (trap / "augmenter.json").write_text(json.dumps({"name": "negation", "parser": parser}))
    with refused("names the parser '.*which is not installed: .* give trust_parser=True"):
        from_pretrained(trap)
    with refused("is not installed: run `python -m spacy|is not the name of a spaCy package"):
        from_pretrained(trap, trust_parser=True)
    with refused("names the parser '.*which is not installed"):
        sda_hf.Negation.from_config({"name": "negation", "parser": parser})
    with refused("is not installed: run `python -m spacy|is not the name of a spaCy package"):
        sda_hf.Negation(parser=parser).augment(["He left."])


@pytest.mark.parametrize("parser", ["{folder}", "{folder}/pipeline", "./pipeline", "../repository/pipeline", "~"])
def test_a_parser_in_a_repository_is_refused_even_if_trusted(trap, parser, refused):
    (trap / "pipeline").symlink_to(grammar_of("en").pipeline)
    parser = parser.format(folder=trap)
    config = {"name": "one-of", "augmenters": [{"name": "negation", "parser": parser}]}
    (trap / "augmenter.json").write_text(json.dumps(config))
    with refused("names the parser '.*', which is a path: loading a spaCy pipeline runs its code"):
        from_pretrained(trap)
    with refused("lies in a downloaded repository|cannot name a relative path"):
        from_pretrained(trap, trust_parser=True)


def test_a_parser_in_the_cache_of_the_hub_is_refused(tmp_path, monkeypatch, refused):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    config = {"name": "negation", "parser": str(tmp_path / "models--a--b" / "pipeline")}
    with refused("lies in a downloaded repository, from which no pipeline is loaded"):
        from_config(config, trust_parser=True)


def test_a_trusted_path_is_loaded(tmp_path):
    (tmp_path / "mine").symlink_to(grammar_of("en").pipeline)
    saved = tmp_path / "saved"
    sda_hf.Negation(parser=str(tmp_path / "mine")).save_pretrained(saved)
    with pytest.raises(ValueError, match="mine', which is a path: .*trust_parser=True"):
        sda_hf.Negation.from_pretrained(saved)
    loaded = sda_hf.Negation.from_pretrained(saved, trust_parser=True)
    assert loaded.augment(["He left."]) == ["He didn't leave."]


def test_an_installed_pipeline_is_named_and_loaded_once_trusted(tmp_path, monkeypatch):
    site = tmp_path / "site"
    information = site / "en_house-2.1.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: en-house\nVersion: 2.1\n")
    (information / "entry_points.txt").write_text("[spacy_models]\nen_house = en_house\n")
    pipeline = str(grammar_of("en").pipeline)
    (site / "en_house.py").write_text(
        f"import spacy\n\n\ndef load(**options):\n    return spacy.load({pipeline!r}, **options)\n"
    )
    (tmp_path / "here" / "en_house").mkdir(parents=True)  # a folder of that name is not what is meant
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.syspath_prepend(site)
    config = {"name": "negation", "parser": "en_house"}
    with pytest.raises(
        ValueError, match=r"'en_house', which is the installed spaCy pipeline of the package en-house 2\.1: loading"
    ):
        from_config(config)
    assert from_config(config, trust_parser=True).augment(["He left."]) == ["He didn't leave."]
    assert sda_hf.Negation(parser="en_house").augment(["He left."]) == ["He didn't leave."]


def test_the_embedded_pipeline_needs_no_trust():
    config = {"name": "negation", "parser": str(grammar_of("en").pipeline)}
    assert from_config(config).parser == config["parser"]
    assert Path(config["parser"]).is_dir()
