import json
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from sda_hf.grammar.base import grammar_of
from sda_hf.grammar.chinese.dictionary import coverage, dictionary
from sda_hf.grammar.chinese.heads import single_root
from sda_hf.grammar.chinese.schemes import CORE, GSD
from sda_hf.grammar.chinese.script import simplified
from sda_hf.grammar.chinese.tags import tag_table
from sda_hf.grammar.chinese.units import grouped, units
from sda_hf.syntax.clause import Word
from sda_hf.syntax.schemes import scheme_of, words_of

ROOT = Path(__file__).parents[3]
CHINESE = grammar_of("zh")
DEV = ROOT.parent / "shared" / "data" / "ud" / "zh_gsdsimp-dev.conllu.gz"
# F1, and the share of right roots; 88 was aimed at for the parts of speech, and 80 for the roots
LEAST = {"words": 94, "upos": 87, "uas": 68, "las": 64, "root_exact": 69}
META = json.loads((CHINESE.pipeline / "meta.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def parser():
    return CHINESE.parser()


def parsed(parser, text):
    (sentences,) = parser.sentences([text])
    return [list(words) for words in sentences]


def test_words_tags_and_tree(parser):
    (words,) = parsed(parser, "他昨天买了三本书。")
    assert [w.text for w in words] == ["他", "昨天", "买", "了", "三", "本", "书", "。"]
    assert [w.pos for w in words] == "PRON NOUN VERB AUX NUM NOUN NOUN PUNCT".split()
    assert [w.label for w in words] == "nsubj obl:tmod root aux nummod clf obj punct".split()
    assert [w.head for w in words] == [2, 2, 2, 2, 6, 4, 2, 2]


def test_negation(parser):
    (words,) = parsed(parser, "医生没有发现问题。")
    assert [(w.text, w.label, w.feats) for w in words[:3]] == [
        ("医生", "nsubj", ""),
        ("没有", "advmod", "Polarity=Neg"),
        ("发现", "root", ""),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "他没有读过这本书，但是他很喜欢历史。",
        "他沒有讀過這本書，但是他很喜歡歷史。",
        "我用 GPT-4 写代码  很快😀！！见 https://example.com/a?b=c 。",
        "  \n\n你好，\tworld。\n再见",
        "价格是3.5元，涨了20%。",
        "𠮷野家在哪里？",
        "ＡＢＣ　全角",
        "。",
        "a",
        "\ud800坏",
        "只有英文 words here.",
    ],
)
def test_offsets_are_those_of_the_text(parser, text):
    sentences = parsed(parser, text)
    words = [w for sentence in sentences for w in sentence]
    assert all(text[w.start : w.end] == w.text and w.text for w in words)
    assert "".join(w.text for w in words) == "".join(text.split())
    for sentence in sentences:
        assert sum(w.head == w.index for w in sentence) == 1
        assert [w.index for w in sentence] == list(range(len(sentence)))


def test_traditional_script_has_the_parse_of_simplified(parser):
    (traditional,) = parsed(parser, "醫生沒有發現問題。")
    (simple,) = parsed(parser, "医生没有发现问题。")
    assert [w.text for w in traditional] == ["醫生", "沒有", "發現", "問題", "。"]
    assert [(w.start, w.end, w.pos, w.label, w.head) for w in traditional] == [
        (w.start, w.end, w.pos, w.label, w.head) for w in simple
    ]


def test_simplified_keeps_the_length():
    text = "後來頭髮乾了，𠮷麼；ABC"
    assert simplified(text) == "后来头发干了，𠮷么；ABC"
    assert len(simplified(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("你去吗？我不去。", ["你去吗？", "我不去。"]),
        ("他说：“我不去。”然后走了。", ["他说：“我不去。”", "然后走了。"]),
        ("第一行\n第二行", ["第一行", "第二行"]),
        ("真的？！不会吧……", ["真的？！", "不会吧……"]),
        ("他来了，我走了；你呢", ["他来了，我走了；你呢"]),
    ],
)
def test_sentences_end_at_their_marks(parser, text, sentences):
    assert [text[words[0].start : words[-1].end] for words in parsed(parser, text)] == sentences


def test_texts_in_a_batch_are_parsed_as_alone(parser):
    texts = ["他来了。", "", "我们明天去上海。", "！", "她很高兴。"]
    together = [[list(words) for words in sentences] for sentences in parser.sentences(texts)]
    assert together == [parsed(parser, text) for text in texts]
    assert together[1] == []


def test_every_label_and_tag_is_known(parser):
    assert set(parser.nlp.get_pipe("tagger").labels) <= set(tag_table())
    assert {"root", "nsubj", "obj", "obl", "clf", "mark:rel", "obl:patient", "aux:pass"} - {"root"} <= set(
        parser.nlp.get_pipe("parser").labels
    )
    assert parser.nlp.get_pipe("places").labels == ("B", "E", "I", "S")


def test_scores_and_licences_are_recorded():
    readme = (CHINESE.pipeline / "README.md").read_text(encoding="utf-8")
    for name, least in LEAST.items():
        assert META["performance"][name] >= least
        assert re.search(rf"\b{META['performance'][name]:g}\b", readme), name
    assert META["performance"]["characters_per_second"] >= 8000
    assert {source["license"] for source in META["sources"]} >= {"CC BY-SA 4.0", "CC BY-SA 3.0"}
    for fact in ("CC BY-SA 4.0", "UD Chinese GSD", "UD Chinese PUD", "recipes/parsers"):
        assert fact in readme


def test_contains_no_local_paths():
    config = (CHINESE.pipeline / "config.cfg").read_text(encoding="utf-8")
    assert not re.search(r"^\w+ = \"/", config, flags=re.MULTILINE)


@pytest.mark.skipif(not DEV.is_file(), reason=f"the treebank {DEV.name} is not there")
def test_scores_on_held_out_text(monkeypatch, parser):
    monkeypatch.setattr(sys, "path", [str(ROOT / "recipes" / "parsers"), *sys.path])
    from zh_score import scores

    measured = scores(parser.nlp, DEV, repeats=1)
    for name, least in LEAST.items():
        assert measured[name] >= least, name
        assert measured[name] == pytest.approx(META["performance"][name], abs=0.1), name


def test_size():
    files = [*CHINESE.pipeline.rglob("*"), *(CHINESE.pipeline.parent / "lexicon").rglob("*.gz")]
    assert sum(path.stat().st_size for path in files if path.is_file()) <= 15_000_000


def test_speed(parser):
    texts = [f"他{i}年前在北京大学学习过历史，后来成为一名中学老师。" for i in range(200)]
    list(parser.nlp.pipe(texts))
    began = time.process_time()
    list(parser.nlp.pipe(texts))
    # A quarter of what is promised: other tests run beside this one.
    assert sum(map(len, texts)) / (time.process_time() - began) > 2000


def test_a_saved_pipeline_is_loaded_by_its_path(parser):
    again = CHINESE.parser(str(CHINESE.pipeline))
    assert parsed(again, "他来了。") == parsed(parser, "他来了。")


def test_importing_the_language_does_not_import_spacy():
    code = "import sys, sda_hf.grammar.chinese; print('spacy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_loading_does_not_change_other_chinese_pipelines(parser):
    other = spacy.blank("zh")
    assert [t.text for t in other("他来了")] == ["他", "来", "了"]
    assert other.vocab["来了"].suffix_ == "来了"
    assert parser.nlp.vocab["来了"].suffix_ == "了"


def test_units():
    text = "GPT-4有1,000.5个 ok"
    assert [text[s:e] for s, e in units(text)] == ["GPT", "-", "4", "有", "1,000.5", "个", "ok"]


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ("BES", [(0, 1), (2, 2)]),
        ("BIE", [(0, 2)]),
        ("EIS", [(0, 0), (1, 1), (2, 2)]),  # nothing to end
        ("BSE", [(0, 0), (1, 1), (2, 2)]),
        ("BBE", [(0, 0), (1, 2)]),
    ],
)
def test_contradicting_places(places, words):
    assert grouped([(0, 1), (1, 2), (2, 3)], list(places)) == words


def test_heads_make_a_tree_with_one_root():
    # The best heads of the first two words are each other, and the third word would be a second root.
    scores = np.array([[0.1, 1e-6, 0.8, 0.1], [0.2, 0.7, 1e-6, 0.1], [0.6, 0.2, 0.2, 1e-6]])
    heads = single_root(np.log(scores), np.log([0.1, 0.3, 0.6]))
    assert heads.tolist() == [2, 3, 0]


def test_white_space_has_a_head_in_its_sentence(parser):
    nlp = parser.nlp
    for text in ("  \n他来了。 \n 她没有走，我知道。", "\n你好  吗"):
        sentences = list(nlp(text).sents)
        assert all(sum(t.head.i == t.i for t in s) == 1 for s in sentences)
        assert all(t.head in s for s in sentences for t in s)


def test_a_long_sentence_keeps_the_tree_of_the_parser(parser):
    doc = parser.nlp("我来了，" * 100)
    assert len(doc) > 200
    assert sum(t.head.i == t.i for t in doc) == 1


def test_white_space_ends_a_word():
    assert grouped([(0, 1), (2, 3)], ["B", "E"]) == [(0, 0), (1, 1)]


def test_dictionary():
    assert {"不但", "对不起", "差不多", "不得不", "无线"} <= set(dictionary())
    assert coverage("对不起") == [(3, 0, 0), (0, 0, 3), (0, 3, 0)]
    assert coverage("") == []


def gsd(*rows):
    """The words of a parse in the labels of GSD: (text, tag, head, label), heads from 1 and 0 for the root."""
    words = []
    for i, (text, tag, head, label) in enumerate(rows):
        pos = CHINESE.tags[tag][0]
        words.append(Word(i, text, tag, label, i if head == 0 else head - 1, i, i + len(text), pos))
    return [(w.label, w.head + 1, w.pos, w.feats) for w in GSD.convert(words)]


def test_the_verb_after_mei_you_is_the_head():
    found = gsd(("他", "PRP", 2, "nsubj"), ("沒有", "VV", 0, "ROOT"), ("去", "VV", 2, "xcomp"), ("。", ".", 2, "punct"))
    assert found == [
        ("nsubj", 3, "PRON", ""),
        ("advmod", 3, "ADV", "Polarity=Neg"),
        ("root", 3, "VERB", ""),
        ("punct", 3, "PUNCT", ""),
    ]


@pytest.mark.parametrize(
    "rows",
    [
        [("他", "PRP", 2, "nsubj"), ("没有", "VV", 0, "ROOT"), ("书", "NN", 2, "obj"), ("读", "VV", 2, "xcomp")],
        [("没有", "VV", 0, "ROOT"), ("人", "NN", 3, "nsubj"), ("来", "VV", 1, "ccomp")],
    ],
)
def test_mei_you_with_an_object_stays_a_verb(rows):
    (negation,) = [row for row in gsd(*rows) if row[1] == [r[0] for r in rows].index("没有") + 1 and row[0] == "root"]
    assert negation[2:] == ("VERB", "")


def test_labels_of_gsd_are_those_of_other_treebanks():
    found = gsd(
        ("今天", "NN", 6, "nmod:tmod"),
        ("他", "PRP", 6, "nsubj"),
        ("也", "RB-SCONJ", 6, "mark"),
        ("在", "IN", 5, "case"),
        ("家", "NN", 6, "obl"),
        ("看", "VV", 0, "ROOT"),
        ("到", "VV", 6, "mark"),
        ("了", "AS", 6, "aux"),
        ("吗", "UH", 6, "discourse"),
    )
    assert [row[0] for row in found] == ("obl:tmod nsubj advmod case obl root compound:vv aux discourse:sp".split())
    assert found[2][2] == "ADV"
    found = gsd(
        ("桌子", "NN", 3, "obl"), ("上", "IN", 1, "case"), ("有", "VV", 0, "ROOT"), ("但", "RB-SCONJ", 3, "mark")
    )
    assert [row[0] for row in found] == ["obl", "case:loc", "root", "mark"]


def test_complements_of_result_are_next_to_their_verb():
    found = gsd(("看", "VV", 0, "ROOT"), ("不", "RB", 3, "advmod"), ("见", "VV", 1, "mark"))
    assert [row[0] for row in found] == ["root", "advmod", "compound:vv"]
    found = gsd(("没有", "VV", 0, "ROOT"), ("人", "NN", 1, "obj"), ("来", "VV", 1, "mark"))
    assert [row[0] for row in found] == ["root", "obj", "xcomp"]


def test_bie_is_a_negation():
    assert gsd(("别", "RB", 2, "aux"), ("去", "VV", 0, "ROOT"))[0] == ("advmod", 2, "ADV", "Polarity=Neg")


def test_core_models_of_spacy_are_converted():
    # The parse of "他把书放在桌上" in the labels of zh_core_web_*.
    words = ["他", "把", "书", "放", "了", "三", "本"]
    doc = Doc(
        spacy.blank("zh").vocab,
        words=words,
        spaces=[False] * 7,
        tags=["PN", "BA", "NN", "VV", "AS", "CD", "M"],
        heads=[3, 3, 3, 3, 3, 3, 5],
        deps=["nsubj", "aux:ba", "dobj", "ROOT", "aux:asp", "nummod", "mark:clf"],
    )
    scheme = scheme_of({"dobj", "nsubjpass", "aux:ba"}, CHINESE.schemes)
    assert scheme is CORE
    converted = scheme.convert(list(words_of(doc[:], doc.text, CHINESE.tags)))
    assert [w.label for w in converted] == ["nsubj", "case", "obl:patient", "root", "aux", "nummod", "clf"]
    assert converted[1].head == 2
    assert [w.pos for w in converted] == ["PRON", "ADP", "NOUN", "VERB", "AUX", "NUM", "NOUN"]
