"""What stays private: local folders and tokens."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sda_hf.hub.redaction import redacted, secret_line, without_secrets


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


ALNUM = "aB3" * 20
# A made-up token of each shape that is recognized.
TOKENS = {
    "Hugging Face": f"hf_{ALNUM[:34]}",
    "Hugging Face, organization": f"api_org_{ALNUM[:34]}",
    "GitHub": f"ghp_{ALNUM[:36]}",
    "GitHub, fine-grained": f"github_pat_{ALNUM[:22]}_{ALNUM[:20]}",
    "GitLab": f"glpat-{ALNUM[:20]}",
    "OpenAI": f"sk-proj-{ALNUM[:40]}",
    "Anthropic": f"sk-ant-api03-{ALNUM[:40]}",
    "Weights & Biases": f"wandb_v1_{ALNUM[:40]}",
    "Amazon": "AKIA" + "ABCD2345" * 2,
    "Google": f"AIza{ALNUM[:35]}",
    "Google, OAuth": f"ya29.{ALNUM}",
    "Slack": f"xoxb-123456789012-{ALNUM[:20]}",
    "PyPI": f"pypi-AgE{ALNUM}",
    "JSON web token": f"eyJ{ALNUM[:20]}.eyJ{ALNUM[:20]}.{ALNUM[:20]}",
    "private key": f"-----BEGIN RSA PRIVATE KEY-----\n{ALNUM}\n-----END RSA PRIVATE KEY-----",
}


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
@pytest.mark.parametrize("around", ["{}", "run-{}", "a '{}' b", "x={}&y", '{{"run_name": "{}"}}'])
def test_every_token_is_removed(token, around):
    given = around.format(token)
    assert without_secrets(given) == around.format("not shown")
    assert secret_line(f"first\n{given}") == 2
    assert token not in str(redacted({"training": {"arguments": {"run_name": given, token: [given, {"x": given}]}}}))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("https://me:secret@example.org/a", "https://example.org/a"),
        ("https://secret@example.org/a", "https://example.org/a"),
        ("postgresql://me:secret@localhost/db", "postgresql://localhost/db"),
        *((same, same) for same in ("https://example.org/@me", "hf://datasets/me/a@main/b", "ssh://git@example.org/a")),
        *((same, same) for same in ("hf_hub_download", "me@example.org", "risk-" + "a" * 30, "pad_token", "sk-learn")),
    ],
)
def test_credentials_in_urls(given, expected):
    assert without_secrets(given) == expected
    assert (secret_line(given) is None) is (given == expected)


@given(
    st.lists(st.sampled_from(["https://", "ftp://", "me", ":", "@", "/", " ", "-", ".", "hf_" + "a" * 20]), max_size=20)
)
def test_nothing_is_left_to_refuse(parts):
    assert secret_line(without_secrets("".join(parts))) is None


@pytest.mark.parametrize("part", ["eyJ-", "eyJ.", "a-", "a.b://", "https://a@", "sk-", "-----BEGIN A", "?token="])
def test_long_texts_take_no_longer(part):
    text = part * 50_000
    began = time.perf_counter()
    redacted(text)
    secret_line(text)
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize(
    "given", ["https://a.org/b?token=abc", "https://a.org/b?x=1&X-Amz-Signature=abc", "https://a.org/?access_token=abc"]
)
def test_credentials_in_the_parameters_of_urls(given):
    assert redacted(given) == given.replace("abc", "not shown")


@pytest.mark.parametrize("key", ["hub_token", "token", "WANDB_API_KEY", "password", "client_secret", "aws_access_key"])
def test_settings_named_as_secrets(key):
    assert redacted({key: "abc", "keyboard": "abc"}) == {key: "not shown", "keyboard": "abc"}


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
