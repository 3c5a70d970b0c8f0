"""The Chinese tasks of the papers: STS-B, and four of sentence pairs that mean the same or not."""

from __future__ import annotations

from sda_hf.evaluation.tasks import Published, register_pairs

CHINESE = ("atec", "bq", "lcqmc", "pawsx", "zh-stsb")

SOURCE = "EdaCSE (Applied Sciences 2023, 13, 10120), Table 8"
# Model → Spearman times 100 on the five test sets, in their order: the best of ten draws of the training sentences.
TABLE_8 = {
    "SimCSE, bert-base-chinese": (32.43, 48.54, 63.31, 10.01, 25.07),
    "SimCSE, chinese-roberta-wwm-ext": (34.11, 50.18, 65.39, 10.27, 29.54),
    "SimCSE, chinese-roberta-wwm-ext-large": (31.42, 49.04, 68.15, 11.67, 29.75),
    "EdaCSE, bert-base-chinese": (34.23, 50.67, 64.91, 10.15, 27.76),
    "EdaCSE, chinese-roberta-wwm-ext": (33.95, 51.52, 67.76, 10.92, 29.56),
    "EdaCSE, chinese-roberta-wwm-ext-large": (33.42, 51.14, 69.15, 11.77, 29.95),
}
STSB_SOURCE = "SDA (LREC-COLING 2024), Table 7"
TABLE_7 = {
    "Chinese RoBERTa-base, last [CLS]": 68.25,
    "SimCSE, Chinese RoBERTa-base": 71.10,
    "SDA, Chinese RoBERTa-base, punctuation insertion": 71.98,
    "SDA, Chinese RoBERTa-base, modal verbs": 72.12,
    "SDA, Chinese RoBERTa-base, double negation": 71.65,
}


def _column(name: str) -> tuple[Published, ...]:
    """The published results of one of the five sets."""
    column = CHINESE.index(name)
    return tuple(Published(model, values[column], SOURCE) for model, values in TABLE_8.items())


STSB = _column("zh-stsb") + tuple(Published(model, value, STSB_SOURCE) for model, value in TABLE_7.items())

register_pairs("atec", "ATEC", "C-MTEB/ATEC", 20_000, published=_column("atec"))
register_pairs("bq", "BQ", "C-MTEB/BQ", 10_000, published=_column("bq"))
register_pairs("lcqmc", "LCQMC", "C-MTEB/LCQMC", 12_500, published=_column("lcqmc"))
register_pairs("pawsx", "PAWS-X (zh)", "C-MTEB/PAWSX", 2_000, published=_column("pawsx"))
register_pairs("zh-stsb", "Chinese STS-B", "C-MTEB/STSB", 1_361, published=STSB, stems=("zh_stsb",))
register_pairs("zh-stsb-dev", "Chinese STS-B dev", "C-MTEB/STSB", 1_458, split="dev", stems=("zh_stsb",))
