"""Vocabularies that a stranger may have written: vocabulary.json and vocabulary.safetensors."""

from __future__ import annotations

import hashlib
import json
import os

import numpy as np
import pytest

import sda_hf
from sda_hf.augmentation.vocabulary import Vocabulary

TERMS = b"barks\ncat\nsleeps"
GOOD = {
    "terms": ("U8", np.frombuffer(TERMS, dtype=np.uint8)),
    "frequency": ("I64", np.array([1, 2, 2], dtype=np.int64)),
    "largest_share": ("F64", np.array([0.5, 0.5, 1.0])),
}
DOCUMENTS = 4


def safetensors(tensors):
    """A file of these tensors: name → (type, array), whatever the type claims."""
    header, data = {}, b""
    for name, (kind, array) in tensors.items():
        content = array.tobytes()
        header[name] = {
            "dtype": kind,
            "shape": list(array.shape),
            "data_offsets": [len(data), len(data) + len(content)],
        }
        data += content
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def write(folder, facts=None, tensors=None, content=None):
    """Write a vocabulary whose digest fits, so that its values are looked at."""
    tensors = GOOD | (tensors or {})
    tensors = {name: tensor for name, tensor in tensors.items() if tensor is not None}
    facts = {"documents": DOCUMENTS, "terms": 3} | (facts or {})
    digest = hashlib.blake2b(str(facts["documents"]).encode(), digest_size=16)
    for name in GOOD:
        digest.update(tensors[name][1].tobytes() if name in tensors else b"")
    facts = {"digest": digest.hexdigest()} | facts
    facts = {name: value for name, value in facts.items() if value != "absent"}
    (folder / "vocabulary.json").write_text(json.dumps(facts))
    (folder / "vocabulary.safetensors").write_bytes(safetensors(tensors) if content is None else content)
    (folder / "augmenter.json").write_text('{"name": "tfidf-negatives", "vocabulary": "."}')
    return folder


def integers(*values):
    return "I64", np.array(values, dtype=np.int64)


def shares(*values):
    return "F64", np.array(values)


def letters(content):
    return "U8", np.frombuffer(content, dtype=np.uint8)


FACTS = {
    "documents missing": ({"documents": "absent"}, "'documents' is missing: it must be an integer of at least 1"),
    "no documents": ({"documents": 0}, "'documents' is 0: it must be an integer of at least 1"),
    "documents -1": ({"documents": -1}, "'documents' is -1"),
    "documents a string": ({"documents": "4"}, "'documents' is '4'"),
    "documents a fraction": ({"documents": 4.5}, r"'documents' is 4\.5"),
    "documents true": ({"documents": True}, "'documents' is True"),
    "documents null": ({"documents": None}, "'documents' is None"),
    "documents 2^60": ({"documents": 2**60}, "'documents' is 1152921504606846976"),
    "documents 10^30": ({"documents": 10**30}, "documents: an integer of more than 64 bits"),
    "terms missing": ({"terms": "absent"}, "'terms' is missing"),
    "terms a list": ({"terms": []}, r"'terms' is \[\]"),
    "terms 1": ({"terms": 1}, "'terms' is 1: it must be an integer of at least 2"),
    "digest missing": ({"digest": "absent"}, "'digest' is missing: it must be a string of 32 hexadecimal digits"),
    "digest a number": ({"digest": 3}, "'digest' is 3"),
    "digest too short": ({"digest": "abc"}, "'digest' is 'abc'"),
    "digest of 9,000 digits": ({"digest": "a" * 9000}, r"'digest' is 'a+\.\.\."),
    "another digest": ({"digest": "0" * 32}, "vocabulary.safetensors does not belong to vocabulary.json"),
    "an unknown fact": ({"pickle": "x"}, "unknown key 'pickle'"),
    "facts of 1 MB": ({"digest": "a" * 1_000_000}, "larger than 10,000 bytes"),
}
TENSORS = {
    "no terms": ({"terms": None}, "the tensor 'terms' is missing"),
    "no frequency": ({"frequency": None}, "the tensor 'frequency' is missing"),
    "no share": ({"largest_share": None}, "the tensor 'largest_share' is missing"),
    "a tensor too many": ({"code": integers(1)}, "unknown tensor 'code'"),
    "terms in two rows": ({"terms": ("U8", np.zeros((2, 3), np.uint8))}, r"'terms' has the shape \[2, 3\]: it must be"),
    "a lone count": ({"frequency": ("I64", np.array(3))}, r"'frequency' has the shape \[\]: it must be a vector"),
    "shares in a matrix": ({"largest_share": ("F64", np.ones((3, 1)))}, r"'largest_share' has the shape \[3, 1\]"),
    "fewer counts": ({"frequency": integers(1, 2)}, "'frequency' has 2 numbers and 'largest_share' 3"),
    "more terms than counts": ({"terms": letters(TERMS + b"\nzoo")}, "4 terms have 3 counts: each has one"),
    "empty tensors": (
        {"terms": letters(b""), "frequency": integers(), "largest_share": shares()},
        "1 terms have 0 counts",
    ),
    "one term": (
        {"terms": letters(b"cat"), "frequency": integers(1), "largest_share": shares(0.5)},
        "fewer than two terms",
    ),
    "count 0": ({"frequency": integers(0, 2, 2)}, "'frequency' ranges from 0 to 2: it must be from 1 to"),
    "count -3": ({"frequency": integers(-3, 2, 2)}, "'frequency' ranges from -3 to 2"),
    "more counts than documents": ({"frequency": integers(1, 2, 9)}, "ranges from 1 to 9: .* of documents, 4"),
    "share NaN": ({"largest_share": shares(np.nan, 0.5, 1)}, "'largest_share' has the value nan: it must be"),
    "share inf": ({"largest_share": shares(np.inf, 0.5, 1)}, "'largest_share' has the value inf"),
    "share -2": ({"largest_share": shares(-2, 0.5, 1)}, "'largest_share' has the value -2.0"),
    "share 0": ({"largest_share": shares(0, 0.5, 1)}, "'largest_share' has the value 0.0"),
    "share 1.5": ({"largest_share": shares(0.5, 0.5, 1.5)}, "'largest_share' has the value 1.5"),
    "bad UTF-8": ({"terms": letters(b"barks\ncat\nsl\xffps")}, r"'terms' is not UTF-8 text \(byte 13\)"),
    "a surrogate": ({"terms": letters(b"barks\ncat\n\xed\xa0\x80")}, r"'terms' is not UTF-8 text \(byte 11\)"),
    "out of order": ({"terms": letters(b"cat\nbarks\nsleeps")}, "the terms are not in alphabetical order, each once"),
    "a term twice": ({"terms": letters(b"barks\ncat\ncat")}, "the terms are not in alphabetical order, each once"),
    "an empty term": ({"terms": letters(b"\nbarks\ncat")}, "a term is empty, or has a space or a control character"),
    "a term with NUL": ({"terms": letters(b"barks\ncat\ncat\0")}, "has a space or a control character"),
    "a term with an escape": ({"terms": letters(b"barks\ncat\ncat\x1b[2J")}, "has a space or a control character"),
    "a term that is a sentence": ({"terms": letters(b"barks\ncat\ncat is")}, "has a space or a control character"),
    "a term of 50 MB": ({"terms": letters(b"barks\ncat\n" + b"x" * 50_000_000)}, "a term of 50,000,000 characters"),
    "bfloat16": ({"largest_share": ("BF16", np.zeros(3, np.uint16))}, "'largest_share' is of type 'BF16', not F64"),
    "float8": ({"largest_share": ("F8_E4M3", np.zeros(3, np.uint8))}, "is of type 'F8_E4M3', not F64"),
    "float32": ({"largest_share": ("F32", np.ones(3, np.float32))}, "is of type 'F32', not F64"),
    "int32 counts": ({"frequency": ("I32", np.ones(3, np.int32))}, "'frequency' is of type 'I32', not I64"),
    "a type that is a list": ({"frequency": ([], np.ones(3, np.int64))}, r"is of type \[\], not I64"),
    "a type that nobody has": ({"frequency": ("OBJECT", np.ones(3, np.int64))}, "is of type 'OBJECT', not I64"),
}


def header(value):
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return len(text).to_bytes(8, "little") + text


CONTENTS = {
    "empty": (b"", "not a safetensors file"),
    "a pickle": (b"\x80\x04\x95cposix\nsystem\n.", "a header of [0-9,]+ bytes, more than 10,000"),
    "a header of 2^63 bytes": (b"\xff" * 8, "a header of [0-9,]+ bytes, more than 10,000"),
    "a header of 1 MB": (header(b" " * 1_000_000), "a header of 1,000,000 bytes, more than 10,000"),
    "a header that is cut off": ((5000).to_bytes(8, "little") + b"{", "its header is not JSON"),
    "a header that is a list": (header([1]), "its header is not a JSON object"),
    "a header nested 9,000 deep": (header(b"[" * 9000), "its header is not JSON"),
    "a header of strings": (header(dict.fromkeys(GOOD, "x")), "the tensor 'terms' is missing"),
    "shapes beyond the file": (
        header({name: {"dtype": kind, "shape": [10**12], "data_offsets": [0, 8]} for name, (kind, _) in GOOD.items()}),
        "no readable vocabulary: vocabulary.safetensors: ",
    ),
    "a shape below 0": (
        header({name: {"dtype": kind, "shape": [-3], "data_offsets": [0, 8]} for name, (kind, _) in GOOD.items()}),
        "no readable vocabulary: vocabulary.safetensors: ",
    ),
    "data cut off": (safetensors(GOOD)[:-4], "no readable vocabulary: vocabulary.safetensors: "),
    "data after the end": (safetensors(GOOD) + b"x" * 100, "no readable vocabulary: vocabulary.safetensors: "),
}


def use(folder):
    sda_hf.TfidfNegatives.from_pretrained(folder).augment(["The cat sleeps."])


def test_a_good_one_is_read(tmp_path):
    write(tmp_path)
    use(tmp_path)
    vocabulary = Vocabulary.load(tmp_path)
    assert vocabulary.terms == ["barks", "cat", "sleeps"]
    assert vocabulary.documents == DOCUMENTS


@pytest.mark.parametrize(("facts", "line"), FACTS.values(), ids=FACTS)
def test_facts(tmp_path, facts, line, refused):
    write(tmp_path, facts=facts)
    with refused(line):
        use(tmp_path)


@pytest.mark.parametrize(("tensors", "line"), TENSORS.values(), ids=TENSORS)
def test_tensors(tmp_path, tensors, line, refused):
    write(tmp_path, tensors=tensors)
    with refused(line):
        use(tmp_path)


@pytest.mark.parametrize(("content", "line"), CONTENTS.values(), ids=CONTENTS)
def test_contents(tmp_path, content, line, refused):
    write(tmp_path, content=content)
    with refused(line):
        use(tmp_path)


@pytest.mark.parametrize("name", ["vocabulary.json", "vocabulary.safetensors"])
def test_missing_files_pipes_and_devices(tmp_path, name, refused):
    path = write(tmp_path) / name
    path.unlink()
    with refused(f"no readable vocabulary: {name}: No such file"):
        use(tmp_path)
    path.symlink_to("/dev/zero")
    with refused(f"no readable vocabulary: {name}: not a regular file"):
        use(tmp_path)
    path.unlink()
    os.mkfifo(path)
    with refused(f"no readable vocabulary: {name}: not a regular file"):
        use(tmp_path)


def test_a_table_of_a_terabyte_is_not_read(tmp_path, refused):
    with (write(tmp_path) / "vocabulary.safetensors").open("r+b") as file:
        file.truncate(2**40)
    with refused("1,099,511,627,776 bytes, more than 200,000,000"):
        use(tmp_path)


def test_a_term_too_long_is_not_learnt():
    vocabulary = Vocabulary.of(["The cat sleeps.", "x" * 10_001, "The dog barks."])
    assert vocabulary.terms == ["barks", "cat", "dog", "sleeps", "the"]
