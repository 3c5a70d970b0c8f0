"""The Chinese part of cards: its text, and that nothing in it is missing or left over."""

import dataclasses
from importlib import resources

import pytest
import yaml

from sda_hf.augmentation.listing import OF_PARTS
from sda_hf.hub.card import Foreword, ModelCard
from sda_hf.hub.dataset_card import Contents, DatasetCard, Rewriter
from sda_hf.hub.translation import filled, translation
from sda_hf.registry import AUGMENTERS
from sda_hf.run_files import DataStatistics
from sda_hf.training.card_facts import SMALL_EXAMPLE
from sda_hf.training.recipe.sections import POOLINGS

WORDS = translation("zh")
ENGLISH = ModelCard(
    encoder="`some/encoder`",
    sources=["句子.txt"],
    license="cc-by-4.0",
    data=DataStatistics(sentences=1412, rows=1300),
    columns=["anchor", "positive", "negative"],
    augmentation={"name": "negation", "language": "zh"},
    augmenters=["modal-verbs", "mine"],
    loss="MarginNegationInfoNCELoss",
    scores="| Task | After |",
    recipe="model: some/encoder\n",
)
FOREWORD = Foreword(translation=WORDS, encoder="`某某/编码器`", limits=["一", "二"], model_id="me/name")
SECTION = """\
## 中文说明

这是一个中文句向量模型，可以用来计算句子相似度、做语义检索和聚类。模型由 sda-hf 用对比学习训练，不需要标注数据。

### 训练

- 初始编码器：`某某/编码器`
- 训练句子：`句子.txt`，共 1,412 句
- 句子的许可：cc-by-4.0
- 训练数据：1,300 个三元组（anchor、positive、negative）
- 改写方法：`modal-verbs`（加情态词）、`mine`
- 损失函数：`MarginNegationInfoNCELoss`
- 得分：见英文部分的 Scores 一节（Before 为训练前，After 为训练后，Change 为差值）

改写的统计和例句、损失函数的公式、完整的 recipe 见英文部分。

### 使用

先安装 sentence-transformers：`pip install -U sentence-transformers`。

```python
from sentence_transformers import SentenceTransformer

model = SentenceTransformer("me/name")
embeddings = model.encode(["他昨天去了北京。", "昨天他到北京去了。", "他昨天没去北京。"])
print(model.similarity(embeddings, embeddings))
```

### 局限

- 一
- 二

## English

"""
DATASET = """
# pairs

## 中文说明

这个数据集由 sda-hf 1.0 改写句子得到，可以用来对比学习，训练句向量模型。

### 制作

- 行数：2
- 许可：未注明；句子沿用原数据的许可
- 命令：`sda-hf augment 句子.txt`
- 读入的句子：3 句

| 列 | 内容 |
|---|---|
| `text` | 原数据 |
| `negative` | 改写后的句子，方法为 `negation`（否定） |

跳过的句子没有改写：默认情况下，正例一列仍是原句，负例一列是 `null`。

各种改写和跳过的原因各有多少句、每列的完整配置、例句见英文部分。

### 使用

```python
from datasets import load_dataset

rows = load_dataset("me/pairs", split="train")
```

### 局限

- `negation`：两次否定在逻辑上互相抵消，但语气可能改变

## English

Sentences and their rewrites by sda-hf 1.0,"""


def test_the_chinese_part_precedes_the_english_one_of_a_model():
    assert dataclasses.replace(ENGLISH, foreword=FOREWORD).render() == SECTION + ENGLISH.render()


def test_what_is_not_known_is_not_made_up():
    foreword = dataclasses.replace(FOREWORD, limits=[])
    lines = ModelCard(encoder="x", loss="L", recipe="", foreword=foreword).render().splitlines()
    for line in (
        "- 训练句子：未注明，句数未统计",
        "- 句子的许可：未注明",
        "- 训练数据：句对（anchor、positive）",
        "- 改写方法：没有改写；每句话与自身配对，两个向量只因 dropout 不同",
        "- 得分：没有评测",
        "- 未注明",
    ):
        assert line in lines


def test_the_chinese_part_precedes_the_english_one_of_a_dataset():
    limit = "the negations cancel out logically, but the tone may change"
    english = DatasetCard(
        rewriters={"negative": Rewriter(config={"name": "negation"}, source="SDA", limits=[limit])},
        sentences=3,
        counts=[("negative", "", 2, 66.67)],
        language="en",
        version="1.0",
        command="sda-hf augment 句子.txt",
    )
    contents = Contents(["text", "negative"], 2, [{"text": "他会。", "negative": "他不会。"}])
    chinese = dataclasses.replace(english, language="zh").render("me/pairs", contents)
    head, found, rest = chinese.partition(DATASET)
    assert found
    assert "- zh\n" in head
    rest = rest.replace("- Language: zh\n", "- Language: en\n")
    plain = english.render("me/pairs", contents)
    assert plain.endswith(f"\n# pairs\n\nSentences and their rewrites by sda-hf 1.0,{rest}")


# -- nothing is missing or left over -----------------------------------------------------------------


def of_chinese():
    """This package's augmenters that work on Chinese; composites of several columns have the languages of a part."""
    return {
        name: cls
        for name, cls in AUGMENTERS.load().items()
        if cls.__module__.startswith("sda_hf.") and "zh" in AUGMENTERS.get(OF_PARTS.get(name, name)).languages
    }


def test_every_augmenter_is_named():
    assert set(WORDS.augmenters) == set(of_chinese())


def test_every_limit_is_translated():
    assert set(WORDS.limits) == {SMALL_EXAMPLE, *(limit for cls in of_chinese().values() for limit in cls.limits)}


def test_every_pooling_is_named():
    assert list(WORDS.pooling) == list(POOLINGS)


def test_a_limit_that_chinese_does_not_have_is_left_out():
    assert WORDS.limit_lines([("`punctuation-insertion`", "bare names, headings and dates are skipped")]) == []


@pytest.mark.parametrize("language", ["en", "xx", "zh-Hans", "../translations/zh", ""])
def test_languages_without_a_translation(language):
    assert translation(language) is None


def test_the_file_has_no_phrase_that_nobody_asks_for():
    file = resources.files("sda_hf.hub") / "translations" / "zh.yaml"
    raw = yaml.safe_load(file.read_text(encoding="utf-8"))
    with pytest.raises(ValueError, match="Extra inputs are not permitted"):
        type(WORDS).model_validate({**raw, "modle": "x"})
    assert WORDS.model_dump() == raw


def test_values_are_not_filled_in_again():
    assert filled(WORDS.named, name="$does", does="${name}") == "$does（${name}）"
