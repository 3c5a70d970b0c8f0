"""Named classes of sentences, and of results, that a negation inside the clause makes odd."""

from __future__ import annotations

import re

# In the sentence as it is.
ODD_SENTENCES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a remark on how something looks", re.compile(r"看起来|看上去|^[你您]看[！。]|[，]你看[！。]")),
    ("a trial or a small amount", re.compile(r"一下|而已|这么多|([一-鿿])了?一\1(?![一-鿿]个)")),
    (
        "a set phrase that holds a negation",
        re.compile(
            r"(?!不[得能会可是想肯敢]不)([不没无])[一-鿿]\1[一-鿿]|不由自主|不慌不忙|不声不响|不紧不慢|不动声色|不约而同|一无所|若无其事|情不自禁|自言自语|忍不住|[一-鿿]不作声|一言不发|一声不吭|目不转睛|爱不释手|坐立不安|迫不及待|络绎不绝|川流不息"
        ),
    ),
    ("a suggestion or a resignation", re.compile(r"就[^，。]*好了\W*$|(?:算|得|罢)了\W*$")),
    ("为 that is not the copula", re.compile(r"化[^，。]{1,4}为|专门为|[我你您他她](?:们)?为[^，。]*的")),
    (
        "two sentences without a mark",
        re.compile(r"[吧吗][我你他]|([我你他她])[^，。]*[一-鿿]\1(?:确实|是|好|也|就)"),
    ),
    ("a contrast inside", re.compile(r"[^，。]但[^，。]+败|不是[^，。]+(?<!不)是(?!谁|什么|否)")),
    ("two claims without a mark", re.compile(r"就[^，。是]+[我你他她]就|[我你他她]就[^，。]+就")),
    ("less than a number", re.compile(r"不[到足][\d一二三四五六七八九十两几百千半]")),
    ("no longer", re.compile(r"已经?没有?[^，。]*了|也不确定\W*$")),
    ("a query with a wrong character", re.compile(r"[有是]那[些个]$")),
    ("all but some", re.compile(r"^除了[^，。]*(?:所有|全)")),
    ("one of several", re.compile(r"^[把将][^，。]*[每都]|^每(?:小时|分钟|天|年|月|周)[^我你他她，。]{0,5}。")),
    (
        "two claims without a mark",
        re.compile(r"已经[^，。]*正(?:在|敲)|^[^，。]有[^，。的]{1,5}[一-鿿]有[^，。的]{1,5}$"),
    ),
    ("soon after", re.compile(r"(?:不久|很快|一会儿?|马上|随即)就[^，。]*了")),
    ("what was not expected", re.compile(r"没有?[想料]到")),
    ("an exclamation or a remark", re.compile(r"是(?:很|非常|十分|特别|相当|挺)[^，。]{1,4}的\W*$|有$")),
    ("a negation inside a modifier", re.compile(r"在[^，。]*[不没未][^，。]*的(?:情况|条件|前提)下|[不没未有]、")),
    ("a fear or a rhetorical question", re.compile(r"恐怕|难道|莫非|岂|鬼才")),
    ("an exclamation or a reminder", re.compile(r"是太[^，。]*了|好[一-鿿]{1,2}好[一-鿿]")),
    ("an exclamation or a reminder", re.compile(r"急[！!]|^别忘")),
    ("the sentence is cut off", re.compile(r"[…⋯]")),
)
# In the sentence with its negation put in or taken out.
ODD_RESULTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a number under a negation",
        re.compile(
            r"没有[两二三四五六七八九十几](?:[个名位只座条套家间台艘辆匹]|[一-鿿](?=[一-鿿]的))|没有个|没有很[多少]|不是几[岁个]|没.*一[个支条只件把辆张块根名位种场本顶双对副幅匹头座间栋棵朵瓶杯碗盘篮堆排台架艘部段片面]|没有几[个名位只条辆]|不用[^，。]*太多|需要太"
        ),
    ),
    (
        "what began in the past under a negation",
        re.compile(r"从[^，。]{1,10}(?:起|开始)[^。]*(?:还没|尚未|未曾)"),
    ),
    (
        "an extent or a potential that is not said",
        re.compile(r"[一-鿿]{2}得了\W*$|一点也?很|永远[会能]|得不(?:惊人|出奇|要命|可怕|吓人|厉害|离谱|慌)|得足以"),
    ),
    (
        "what nobody asks for",
        re.compile(r"要(?:害怕|担心|难过|紧张|怕|生气|着急|介意|误会|误解|见怪|哭|慌|急|客气|灰心|绝望|后悔|伤心)"),
    ),
    (
        "a restriction or another negation under a negation",
        re.compile(
            r"没有别|没有只|没有?[才刚]|(?<!标)准不是|不主要取|倒不是有|不只能|纯粹不|没在[^，。]*令人|不[一-鿿]{2}(?:完好|良好|完整)|没有?[^，。]*都被|得不[一-鿿]{4}\W*$|没有?叫[^，。]{1,4}\W*$|(?:很|非常|十分|更)相同|(?:方向|地方)[不没]|没有?请[您你]|^没有[^，。的]*们(?!的)|(?:裸体|赤裸|赤脚|独自|单独)[不没]在|没有?(?:[说笑想喊叫哭骂]着[一-鿿]|很(?![多少])|非常|十分|更加|知道)|不存在[两二三四五六七八九十几\d]|本不[能会应可]|没有比[^，。]*有|没有?从[^，。]*(?:开始|起)到|没有有|不差不多|就并非|^是只有|有不可能|不是可能|不为什么|不是[甚什][么麽]"
        ),
    ),
    (
        "an adverb of time that does not fit",
        re.compile(
            r"刚才.*尚未|已经不能|还可能再|没有时候|多次[没不]|[几三]次[没不]|不久[没不]|没有[^，。]{1,18}正|[没不]有?(?:预计|永远)|没[^，。]*(?:好久|许久|半天|很久|一阵|一会|又)|正[没不]"
            r"|已经[一-鿿]{1,4}(?:没有|没|不)(?![是错同])"
        ),
    ),
    (
        "the negator may belong to a modifier",
        re.compile(r"没有(?:穿|戴|拿|骑|坐|站|带|开着|身|抱|背)\w*的|没[^，是]*的[。！]?$"),
    ),
    (
        "a negator or its removal leaves no predicate",
        re.compile(
            r"有[想要等]|^要了|得不[一-鿿]{2,}了|不有|不[一-鿿]得很|不[不没无未]|没没|没有?[手嘴头身脸脚][里上中]|[要该应]没|没有一[群些]|没穿[一-鿿]{0,2}(?:得体|整齐|考究|讲究|时髦)|正在[^，。]*[没不]|没有?[对行][。！]*$|^没有[^，。]*没|不是[和与跟，]|没有?[叫让请派][^，。]*了"
        ),
    ),
    (
        "the negator may cut a word or a phrase",
        re.compile(
            r"[坐站躺蹲跪趴靠睡挂停放摆]不在|不再没有|没总是|没老是|不正[^确常当]|必须不|不(?!常)([一-鿿])\1|没等于|就在[^，。]*不是|不是就在"
            r"|是那么|还有[一-鿿]+化|倒得|没有[一-鿿]透|有[^，。]{1,3}不[一-鿿]{1,2}。?$"
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
