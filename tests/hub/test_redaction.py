"""What stays private: local folders and tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sda_hf.hub.redaction import redacted


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("/home/me/a.txt", "a.txt"),
        ("/home/me/folder/", "folder"),
        ("~/a.txt", "a.txt"),
        ("~me/a.txt", "a.txt"),
        ("C:\\Users\\me\\a.txt", "a.txt"),
        ("C:/Users/me/a.txt", "a.txt"),
        ("\\\\server\\share\\a.txt", "a.txt"),
        ("file:///home/me/a.txt", "a.txt"),
        ("triples:/home/me/a.txt", "triples:a.txt"),
        ("ordered-pairs:C:\\me\\a.txt", "ordered-pairs:a.txt"),
        ("/home/me/two\nlines", "two\nlines"),
        ("it was hf_abcdefghijk", "it was not shown"),
        *((same, same) for same in ("folder/a.txt", "../a.txt", "org/model", "mteb:NevIR", "https://example.org/a/b")),
        *((same, same) for same in ("hf://datasets/me/pairs", "A sentence with a / in it.", "hf_t5", 3e-5, None, True)),
    ],
)
def test_redaction(value, expected):
    assert redacted(value) == expected
    assert redacted({"a": [{"b": value}]}) == {"a": [{"b": expected}]}


def test_tokens_are_redacted_by_their_key():
    assert redacted({"hub_token": "secret", "more": {"a_token": None}}) == {
        "hub_token": "not shown",
        "more": {"a_token": None},
    }


PARTS = st.text("abcß_-. 1", min_size=1).filter(lambda part: part.strip(". "))


@given(st.lists(PARTS, min_size=1, max_size=4), st.sampled_from(["/", "triples:/", "file:///", "~/", "D:\\"]))
def test_only_the_last_part_of_a_path_is_kept(parts, start):
    kept = "triples:" if start == "triples:/" else ""
    assert redacted(start + "/".join(parts)) == kept + parts[-1]
