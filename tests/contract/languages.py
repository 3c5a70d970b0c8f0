"""What the contract needs in every language: the augmenters that work on it, and texts."""

from dataclasses import dataclass

import pytest

from sda_hf.augmentation import Augmenter, from_config
from sda_hf.augmentation.listing import OF_PARTS, in_language
from sda_hf.registry import AUGMENTERS


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Texts of a language.

    `letters` are frequent in it, `foreign` are pieces of `nasty` that no rule touches; `sentence` is repeated to make
    long texts.
    """

    texts: list[str]
    nasty: list[str]
    letters: str
    foreign: tuple[str, ...]
    sentence: str
    short: str


ENGLISH = Sample(
    texts=[
        "He travelled widely in Europe.",
        "She sold the old house to her brother.",
        "The small dog bit him.",
        "Is the shop open on Sundays?",
        "",
        "Close the window before you leave.",
        "We can't wait, but they never come on time.",
        "Great food!",
        "The man who lives next door has been painting his fence since Monday.",
        "🙂",
    ],
    nasty=[
        "   ",
        "\u0000\u0007 control \u200b characters",
        "🙂🙂 He likes it 🙂",
        "\ud800 lone \udfff surrogate is here.",
        "שלום עולם. He is here.",
        "<p>He <b>is</b> here.</p><br/>",
        "今天天气很好。",
        "I'm\r\nhere.\u2028And there.",
        "x" * 5000,
        "He said so. " * 400,
        "Don't don't don't",
        "'s 'll n't",
        ".",
        "\t\tTabs\tare\there .",
    ],
    letters="ehaotinsrldu .,!?'’\"-;: I’tn\n",
    foreign=("🙂🙂", "שלום עולם", "今天天气很好", "<br/>"),
    sentence="He likes the old house by the sea. ",
    short="He left.",
)
CHINESE = Sample(
    texts=[
        "他昨天去了北京。",
        "她把旧房子卖给了她的哥哥。",
        "这家公司关闭了两家商店。",
        "商店星期天开门吗？",
        "",
        "请把窗户关上。",
        "今天的天气很好，我们都很高兴。",
        "雨",
        "他還沒有讀過這本書。",
        "老师批评了学生。",
        "这条路很宽。",
        "🙂",
    ],
    nasty=[
        "   ",
        "\u0000\u0007 控制符 \u200b",
        "🙂🙂 他喜欢这个 🙂",
        "\ud800 半个字符\udfff 在这里。",
        "我用GPT-4写了3.5页，见 https://a.b/c?d=1 和 a@b.cn！",
        "<p>他<b>在</b>这里。</p><br/>",
        "He is here.",
        "他说：“我在\r\n这里。”\u2028还有。",
        "好" * 400,
        "他来了。" * 400,
        "不不不没没没",
        "。",
        "\t\t制表符\t在\t这里 。",
        "她在台灣大學讀書，他在台湾大学读书。",
        "ＡＢＣ　１２３　他走了。",
        "𠮷野家开门了。",
    ],
    letters="他她我的了过着不没是有在把被会能要很都也去来看见人书天大家，。！？“”：；、 aB1\n",
    foreign=("GPT-4", "3.5", "https://a.b/c?d=1", "a@b.cn", "🙂🙂", "台灣", "台湾", "１２３"),
    sentence="他喜欢海边的老房子。",
    short="他走了。",
)
SAMPLES = {"en": ENGLISH, "zh": CHINESE}
# Arguments that some augmenters need; fixtures add a vocabulary and models.
NEEDS = {
    "chain": {"augmenters": [{"name": "negation"}, {"name": "punctuation-insertion"}]},
    "one-of": {"augmenters": [{"name": "punctuation-insertion"}, {"name": "modal-verbs"}]},
    "sometimes": {"augmenter": {"name": "modal-verbs"}, "proportion": 0.5},
}
# The composites of several columns have tests of their own.
NAMES = sorted({*AUGMENTERS} - {*OF_PARTS})
# Those that run a model that writes texts take most of the time.
WRITERS = {"paraphrase", "back-translation"}
RULES = sorted(name for name in NAMES if AUGMENTERS.get(name).needs == "clause")
# One of each kind, to test the behaviour of the base class.
KINDS = ["negation", "punctuation-noise", "one-of", "tfidf-negatives", "random-contextual-words"]


def make(name: str, language: str = "en", **fields: object) -> Augmenter:
    return from_config(in_language({"name": name, **NEEDS.get(name, {})}, language) | fields)


def names_in(language, names=NAMES):
    """Those of the augmenters that offer a language."""
    return [name for name in names if language in AUGMENTERS.get(name).languages]


def offered(names=NAMES):
    """Parameters (language, name): every language of every augmenter among the names."""
    pairs = [(language, name) for language in SAMPLES for name in names_in(language, names)]
    return [pytest.param(*pair, id="-".join(pair)) for pair in pairs]
