"""Named classes of sentences, and of results, that a negation inside the clause makes odd."""

from __future__ import annotations

import re


def any_of(*alternatives: str) -> re.Pattern[str]:
    """Return a pattern of several alternatives."""
    return re.compile("|".join(alternatives))


# In the sentence as it is.
ODD_SENTENCES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a remark on how something looks",
        any_of(
            r"看起来",
            r"看上去",
            r"^[你您]看[！。]",
            r"[，]你看[！。]",
        ),
    ),
    (
        "a trial or a small amount",
        any_of(
            r"一下",
            r"而已",
            r"这么多",
            r"([一-鿿])了?一\1(?![一-鿿]个)",
        ),
    ),
    (
        "a set phrase that holds a negation",
        any_of(
            r"(?!不[得能会可是想肯敢]不)([不没无])[一-鿿]\1[一-鿿]",
            r"不由自主",
            r"不慌不忙",
            r"不声不响",
            r"不紧不慢",
            r"不动声色",
            r"不约而同",
            r"一无所",
            r"若无其事",
            r"情不自禁",
            r"自言自语",
            r"忍不住",
            r"[一-鿿]不作声",
            r"一言不发",
            r"一声不吭",
            r"目不转睛",
            r"爱不释手",
            r"坐立不安",
            r"迫不及待",
            r"络绎不绝",
            r"川流不息",
        ),
    ),
    (
        "a suggestion or a resignation",
        any_of(
            r"就[^，。]*好了\W*$",
            r"(?:算|得|罢)了\W*$",
        ),
    ),
    ("\u4e3a that is not the copula", any_of(r"[我你您他她](?:们)?为[^，。]*的")),
    (
        "two sentences without a mark",
        any_of(
            r"[吧吗][我你他]",
            r"([我你他她])[^，。]*[一-鿿]\1(?:确实|是|好|也|就)",
        ),
    ),
    ("a contrast inside", any_of(r"不是[^，。]+(?<!不)是(?!谁|什么|否)")),
    ("less than a number", any_of(r"不[到足][\d一二三四五六七八九十两几百千半]")),
    ("no longer", any_of(r"已经?没有?[^，。]*了")),
    ("a query with a wrong character", any_of(r"[有是]那[些个]$")),
    ("all but some", any_of(r"^除了[^，。]*(?:所有|全)")),
    (
        "one of several",
        any_of(
            r"^[把将][^，。]*[每都]",
            r"^每(?:小时|分钟|天|年|月|周)[^我你他她，。]{0,5}。",
        ),
    ),
    ("soon after", any_of(r"(?:不久|很快|一会儿?|马上|随即)就[^，。]*了")),
    ("what was not expected", any_of(r"没有?[想料]到")),
    (
        "an exclamation or a remark",
        any_of(
            r"是(?:很|非常|十分|特别|相当|挺)[^，。]{1,4}的\W*$",
            r"有$",
        ),
    ),
    (
        "a negation inside a modifier",
        any_of(
            r"在[^，。]*[不没未][^，。]*的(?:情况|条件|前提)下",
            r"[不没未有]、",
        ),
    ),
    (
        "a fear or a rhetorical question",
        any_of(
            r"恐怕",
            r"难道",
            r"莫非",
            r"岂",
            r"鬼才",
        ),
    ),
    ("an exclamation or a reminder", any_of(r"是太[^，。]*了")),
    (
        "an exclamation or a reminder",
        any_of(
            r"急[！!]",
            r"^别忘",
        ),
    ),
    ("the sentence is cut off", any_of(r"[…⋯]")),
)
# In the sentence with its negation put in or taken out.
ODD_RESULTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a number under a negation",
        any_of(
            r"没有[两二三四五六七八九十几](?:[个名位只座条套家间台艘辆匹]|[一-鿿](?=[一-鿿]的))",
            r"没有个",
            r"没有很[多少]",
            r"不是几[岁个]",
            r"没.*一[个支条只件把辆张块根名位种场本顶双对副幅匹头座间栋棵朵瓶杯碗盘篮堆排台架艘部段片面]",
            r"没有几[个名位只条辆]",
        ),
    ),
    ("what began in the past under a negation", any_of(r"从[^，。]{1,10}(?:起|开始)[^。]*(?:还没|尚未|未曾)")),
    (
        "an extent or a potential that is not said",
        any_of(
            r"[一-鿿]{2}得了\W*$",
            r"一点也?很",
            r"永远[会能]",
            r"得不(?:惊人|出奇|要命|可怕|吓人|厉害|离谱|慌)",
            r"得足以",
        ),
    ),
    (
        "what nobody asks for",
        any_of(r"要(?:害怕|担心|难过|紧张|怕|生气|着急|介意|误会|误解|见怪|哭|慌|急|客气|灰心|绝望|后悔|伤心)"),
    ),
    (
        "a restriction or another negation under a negation",
        any_of(
            r"没有只",
            r"没有?[才刚]",
            r"(?<!标)准不是",
            r"不只能",
            r"得不[一-鿿]{4}\W*$",
            r"没有?叫[^，。]{1,4}\W*$",
            r"(?:方向|地方)[不没]",
            r"没有?请[您你]",
            r"^没有[^，。的]*们(?!的)",
            r"没有?(?:[说笑想喊叫哭骂]着[一-鿿]|很(?![多少])|非常|十分|更加|知道)",
            r"不存在[两二三四五六七八九十几\d]",
            r"没有有",
            r"不差不多",
            r"^是只有",
            r"不是可能",
            r"不为什么",
            r"不是[甚什][么麽]",
        ),
    ),
    (
        "an adverb of time that does not fit",
        any_of(
            r"没有时候",
            r"多次[没不]",
            r"没有[^，。]{1,18}正",
            r"[没不]有?(?:预计|永远)",
            r"没[^，。]*(?:好久|许久|半天|很久|一阵|一会|又)",
            r"正[没不]",
            r"已经[一-鿿]{1,4}(?:没有|没|不)(?![是错同])",
        ),
    ),
    (
        "the negator may belong to a modifier",
        any_of(
            r"没有(?:穿|戴|拿|骑|坐|站|带|开着|身|抱|背)\w*的",
            r"没[^，是]*的[。！]?$",
        ),
    ),
    (
        "a negator or its removal leaves no predicate",
        any_of(
            r"有[想要等]",
            r"^要了",
            r"不有",
            r"不[一-鿿]得很",
            r"不[不没无未]",
            r"没没",
            r"没有?[手嘴头身脸脚][里上中]",
            r"[要该应]没",
            r"没有一[群些]",
            r"正在[^，。]*[没不]",
            r"没有?[对行][。！]*$",
            r"^没有[^，。]*没",
            r"不是[和与跟，]",
        ),
    ),
    (
        "the negator may cut a word or a phrase",
        any_of(
            r"[坐站躺蹲跪趴靠睡挂停放摆]不在",
            r"不再没有",
            r"没总是",
            r"没老是",
            r"不正[^确常当]",
            r"必须不",
            r"不(?!常)([一-鿿])\1",
            r"没等于",
            r"没有[一-鿿]透",
            r"有[^，。]{1,3}不[一-鿿]{1,2}。?$",
        ),
    ),
)


def oddity(patterns: tuple[tuple[str, re.Pattern[str]], ...], text: str) -> str:
    """Return the class of the first pattern found in a simplified text; empty if there is none.

    Example:
        >>> oddity(ODD_RESULTS, "房间里没有两个人。")
        'a number under a negation'
        >>> oddity(ODD_RESULTS, "他没去北京。")
        ''
    """
    return next((reason for reason, pattern in patterns if pattern.search(text)), "")
