"""The table of contexts in which Chinese antonyms contradict, and what it does not let through."""

import pytest

from sda_hf.augmentation import from_config
from sda_hf.errors import InputValueError
from sda_hf.grammar.chinese import lexicon, thesaurus
from sda_hf.grammar.chinese.rules.antonym_conditions import CONDITIONS
from sda_hf.grammar.chinese.rules.antonym_frames import FRAMES

from ..tables import rows


def test_every_context_belongs_to_a_pair_of_the_table():
    header, *entries = rows("zh", "antonym_contexts.tsv")
    assert header == ["pos", "word", "antonym", "contexts"]
    assert entries == sorted(entries)
    unknown = [(pos, old, new) for pos, old, new, _ in entries if new not in thesaurus.related("antonym", pos, old)]
    assert unknown == []
    assert len({tuple(entry[:3]) for entry in entries}) == len(entries)


def test_every_context_is_a_frame_a_condition_or_a_word_list():
    names = {name for *_, contexts in rows("zh", "antonym_contexts.tsv")[1:] for name in contexts.split()}
    lists = {name[1:] for name in names if name.startswith("@")}
    assert {name for name in names if not name.startswith("@")} <= {*FRAMES, *CONDITIONS, "never"}
    assert all(lexicon.phrases("antonym nouns", name) for name in lists)


@pytest.mark.parametrize(
    "text",
    [
        "他把车借给了我朋友的高个子弟弟。",  # the attribute of another noun
        "如果下雨，比赛就结束了。",  # a condition
        "他可能很高兴。",  # a possibility
        "你喜欢他吗？",  # a question
        "有些人支持这个计划。",  # some of several
        "《打开的门》很好看，但是票很贵。",  # a title and a contrast
        "我喜不喜欢他？",  # two sides of a question
    ],
)
def test_what_would_not_contradict_stays(text):
    rewrite = from_config({"name": "antonym-substitute", "language": "zh"}).explain(text)
    assert (rewrite.text, rewrite.skipped is not None) == (text, True)


def test_what_has_not_happened_yet_has_no_le():
    augmenter = from_config({"name": "antonym-substitute", "language": "zh"})
    assert augmenter.augment(["我已经作了决定。"]) == ["我尚未作决定。"]


def test_the_word_is_in_the_script_of_the_text():
    augmenter = from_config({"name": "antonym-substitute", "language": "zh"})
    assert augmenter.augment(["這個說法非常清晰。"]) == ["這個說法非常模糊。"]


def test_the_lexicon_is_chinese():
    with pytest.raises(InputValueError, match="embedded"):
        from_config({"name": "antonym-substitute", "language": "zh", "lexicon": "wordnet"})
