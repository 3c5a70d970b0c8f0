"""Push rewritten rows to the Hub as a dataset."""

from __future__ import annotations

from pathlib import Path

from sda_hf.augmentation.config import package_version
from sda_hf.augmentation.counts import Summary
from sda_hf.augmentation.hub import described
from sda_hf.errors import InputValueError
from sda_hf.files import format_of
from sda_hf.hub.dataset import push_rows
from sda_hf.hub.dataset_card import DatasetCard, Rewriter
from sda_hf.hub.redaction import redacted
from sda_hf.hub.upload import Pushed, Target


def check_format(path: Path) -> None:
    """Check that the format of a file to push distinguishes a missing rewrite from an empty one.

    Raises:
        InputValueError: the format is neither .jsonl nor .parquet.
    """
    kind = format_of(path)
    if kind not in (".jsonl", ".parquet"):
        raise InputValueError(
            f"{path}: a {kind} file cannot distinguish a missing rewrite from an empty one: to push, write "
            ".jsonl or .parquet"
        )


def push_file(path: Path, target: Target, summary: Summary, command: str | None = None) -> Pushed:
    """Push the rows of a file that `augment_file` wrote to a dataset repository, as Parquet and with a card.

    Args:
        path: the file, .jsonl or .parquet.
        target: the repository.
        summary: what `augment_file` returned for the file.
        command: the command that made the file, without local folders.

    Raises:
        InputFileError: the Hub cannot be reached or refuses the push. The Parquet file and the card stay in a folder
            next to the file; the message has the command that uploads it.
        InputValueError: the same for a missing token or a name that is not valid; or a format that cannot be pushed,
            or rows that Parquet cannot store.
    """
    check_format(path)
    rewriters = {
        column: Rewriter(config=redacted(described(augmenter)), source=augmenter.source, limits=augmenter.limits)
        for column, augmenter in summary.augmenters.items()
    }
    card = DatasetCard(
        rewriters=rewriters,
        sentences=summary.rows,
        counts=summary.table_rows(),
        language=next(iter(summary.augmenters.values())).language,
        version=package_version(),
        command=command,
    )
    return push_rows(path, target, card)
