"""The Chinese tasks of the papers: STS-B, and four sets of pairs labelled as paraphrases or not."""

from __future__ import annotations

from sda_hf.evaluation.tasks.pairs import register_pairs
from sda_hf.evaluation.tasks.registry import GROUPS

CHINESE = ("atec", "bq", "lcqmc", "pawsx", "zh-stsb")
GROUPS["zh"] = CHINESE

register_pairs("atec", "ATEC", "C-MTEB/ATEC", 20_000, scale=(0, 1))
register_pairs("bq", "BQ", "C-MTEB/BQ", 10_000, scale=(0, 1))
register_pairs("lcqmc", "LCQMC", "C-MTEB/LCQMC", 12_500, scale=(0, 1))
register_pairs("pawsx", "PAWS-X (zh)", "C-MTEB/PAWSX", 2_000, scale=(0, 1))
register_pairs("zh-stsb", "Chinese STS-B", "C-MTEB/STSB", 1_361)
register_pairs("zh-stsb-dev", "Chinese STS-B dev", "C-MTEB/STSB", 1_458, split="dev")
