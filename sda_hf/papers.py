"""BibTeX of the papers whose methods are implemented here."""

from __future__ import annotations

import re
from collections.abc import Iterable

PAPERS = {
    "SDA": """
@inproceedings{zhu2024sda,
    title = "{SDA}: Simple Discrete Augmentation for Contrastive Sentence Representation Learning",
    author = "Zhu, Dongsheng and Mao, Zhenyu and Lu, Jinghui and Zhao, Rui and Tan, Fei",
    booktitle = "Proceedings of the 2024 Joint International Conference on Computational Linguistics, \
Language Resources and Evaluation (LREC-COLING 2024)",
    year = "2024",
    publisher = "ELRA and ICCL",
}
""",
    "UNA": """
@article{shu2024una,
    title = "Unsupervised hard Negative Augmentation for contrastive learning",
    author = "Shu, Yuxuan and Lampos, Vasileios",
    year = "2024",
}
""",
    "AugCSE": """
@inproceedings{tang2022augcse,
    title = "{A}ug{CSE}: Contrastive Sentence Embedding with Diverse Augmentations",
    author = "Tang, Zilu and Kocyigit, Muhammed Yusuf and Wijaya, Derry Tanti",
    booktitle = "Proceedings of the 2nd Conference of the Asia-Pacific Chapter of the Association for Computational \
Linguistics and the 12th International Joint Conference on Natural Language Processing",
    year = "2022",
    publisher = "Association for Computational Linguistics",
}
""",
    "EdaCSE": """
@article{edacse2023,
    title = "A Study of Contrastive Learning Algorithms for Sentence Representation Based on Simple Data Augmentation",
    author = "Liu, Xiaodong and Gong, Wenyin and Li, Yuxin and Li, Yanchi and Li, Xiang",
    journal = "Applied Sciences",
    volume = "13",
    number = "18",
    pages = "10120",
    year = "2023",
    publisher = "MDPI",
}
""",
    "RankNet": """
@inproceedings{burges2005ranknet,
    title = "Learning to Rank using Gradient Descent",
    author = "Burges, Chris and Shaked, Tal and Renshaw, Erin and Lazier, Ari and Deeds, Matt and Hamilton, Nicole and \
Hullender, Greg",
    booktitle = "Proceedings of the 22nd International Conference on Machine Learning",
    year = "2005",
}
""",
    "Similarity-Preserving Knowledge Distillation": """
@inproceedings{tung2019similarity,
    title = "Similarity-Preserving Knowledge Distillation",
    author = "Tung, Frederick and Mori, Greg",
    booktitle = "Proceedings of the IEEE/CVF International Conference on Computer Vision",
    year = "2019",
}
""",
}


def cited(sources: Iterable[str]) -> dict[str, str]:
    """Return the papers that are named in sources.

    Args:
        sources: the `source` attributes of augmenters and losses.

    Returns:
        Name of the paper → its BibTeX, in the order of `PAPERS`.

    Example:
        >>> list(cited(["EDA, EMNLP 2019, section 2; UNA, Table C3", "SDA, LREC-COLING 2024, section 4.4"]))
        ['SDA', 'UNA']
    """
    named = " ".join(sources)
    return {paper: bibtex for paper, bibtex in PAPERS.items() if re.search(rf"\b{paper}\b", named)}
