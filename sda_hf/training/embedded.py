"""Sentences labelled with what the untrained encoder makes of them."""

from __future__ import annotations

import numpy as np
from datasets import Dataset, Features, List, Value
from datasets.fingerprint import Hasher
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer

from sda_hf.augmentation.config import package_version
from sda_hf.evaluation.encoder.fingerprint import fingerprint

# The prompts of the training arguments: for all columns; by column or by dataset; or by dataset and column.
Prompts = str | dict[str, str] | dict[str, dict[str, str]] | None
LABEL = "label"


def labelled(dataset: Dataset, column: str, model: SentenceTransformer, prompt: str, batch_size: int) -> Dataset:
    """Add a column `label` with the embeddings of a column, which `datasets` keeps in its cache.

    They are found there again if the sentences, the weights and settings of the model, and the prompt are the same.

    Args:
        dataset: the sentences.
        column: their column.
        model: the encoder, whose whole embeddings are taken, even if it truncates them for its users.
        prompt: what precedes each sentence, in training as well; "" for nothing.
        batch_size: sentences to embed at a time.
    """
    known = Hasher.hash((package_version(), dataset._fingerprint, column, fingerprint(model), prompt))

    def embeddings(texts: list[str]) -> dict[str, NDArray[np.float32]]:
        found = model.encode(texts, prompt=prompt, batch_size=batch_size, show_progress_bar=False)
        return {LABEL: found.astype(np.float32)}

    features = Features({**dataset.features, LABEL: List(Value("float32"))})
    with model.truncate_embeddings(None):
        return dataset.map(
            embeddings,
            input_columns=[column],
            batched=True,
            features=features,
            new_fingerprint=known,
            desc="Embedding",
        )


def prompt_of(prompts: Prompts, dataset: str, column: str) -> str:
    """Return the prompt that the trainer puts before the texts of a column.

    Example:
        >>> prompt_of({"ordinary": {"sentence": "query: "}}, "ordinary", "sentence")
        'query: '
        >>> prompt_of({"sentence": "query: "}, "ordinary", "claim")
        ''
    """
    if isinstance(prompts, dict) and dataset in prompts:
        prompts = prompts[dataset]
    if isinstance(prompts, dict):
        found = prompts.get(column, "")
        return found if isinstance(found, str) else ""
    return prompts or ""
