"""What every loss shares: embedding and checking the columns, gathering across devices, configuration."""

from __future__ import annotations

import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.util import all_gather, all_gather_with_grad
from torch import Tensor, distributed, nn

from sda_hf.errors import InputTypeError, InputValueError, unknown

if TYPE_CHECKING:
    from typing_extensions import Self


class SentenceLoss(nn.Module, ABC):
    """Base of the losses: columns of sentences in, one scalar out.

    A subclass states `columns`, `min_columns` and `source`, keeps each constructor argument in an attribute of the
    same name, and writes `compute_loss_from_embeddings` and `citation`.
    """

    columns: ClassVar[str]
    min_columns: ClassVar[int]
    source: ClassVar[str]

    def __init__(self, model: SentenceTransformer, gather_across_devices: bool = False) -> None:
        super().__init__()
        if not isinstance(gather_across_devices, bool):
            raise InputTypeError(f"gather_across_devices is {gather_across_devices!r}: give True or False")
        self.model = model
        self.gather_across_devices = gather_across_devices

    def forward(self, sentence_features: Iterable[dict[str, Tensor]], labels: Tensor | None = None) -> Tensor:
        """The loss of one batch: each column goes through the model once."""
        embeddings = [self.model(features)["sentence_embedding"] for features in sentence_features]
        return self.compute_loss_from_embeddings(embeddings, labels)

    @abstractmethod
    def compute_loss_from_embeddings(self, embeddings: Sequence[Tensor], labels: Tensor | None = None) -> Tensor:
        """The loss of embedded columns, each (batch, dim): a pure function of tensors."""

    @property
    @abstractmethod
    def citation(self) -> str:
        """BibTeX of what this loss implements."""

    def get_config_dict(self) -> dict[str, Any]:
        """Every constructor argument but the model, as JSON values."""
        return {name: getattr(self, name) for name in self._options()}

    @classmethod
    def from_config(cls, model: SentenceTransformer, config: Mapping[str, Any]) -> Self:
        """The loss that `get_config_dict` described; an argument left out keeps its default.

        Raises:
            InputValueError: a key that is not an argument; the message has the nearest one.
        """
        options = cls._options()
        for name in config:
            if name not in options:
                raise unknown(f"{cls.__name__} argument", name, options)
        return cls(model, **config)

    @classmethod
    def _options(cls) -> list[str]:
        return [name for name in inspect.signature(cls).parameters if name != "model"]

    def _checked(self, embeddings: Sequence[Tensor]) -> list[Tensor]:
        """The columns in float32 or better, once their number and shapes are right."""
        name, shapes = type(self).__name__, [tuple(column.shape) for column in embeddings]
        if len(shapes) < self.min_columns:
            raise InputValueError(
                f"{name} got {len(shapes)} column(s) of sentences but takes {self.min_columns} or more, "
                f"{self.columns}: give it a dataset with these columns, in this order"
            )
        if len(shapes[0]) != 2 or len(set(shapes)) > 1:
            raise InputValueError(f"{name} got embeddings of shapes {shapes}: give each column the same (batch, dim)")
        return [column.to(torch.promote_types(column.dtype, torch.float32)) for column in embeddings]

    def _gather(self, column: Tensor) -> tuple[Tensor, int]:
        """A (batch, dim) column of every process in rank order, with gradients, and this process's first row."""
        if not (self.gather_across_devices and distributed.is_available() and distributed.is_initialized()):
            return column, 0
        rows = len(column)
        sizes = all_gather(torch.tensor([rows], device=column.device)).tolist()
        if len(set(sizes)) > 1:
            raise InputValueError(
                f"gather_across_devices needs the same number of rows on each process, but they hold {sizes}: "
                "set dataloader_drop_last=True in the training arguments"
            )
        return all_gather_with_grad(column), distributed.get_rank() * rows


def finite_number(name: str, value: object, *, positive: bool, usual: str) -> float:
    """The value of a constructor argument as a float.

    Raises:
        InputTypeError: not a number.
        InputValueError: NaN, infinite or, where it must be positive, not above 0.
    """
    message = f"{name} is {value!r}: give a finite number{' above 0' if positive else ''}, usually {usual}"
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputTypeError(message)
    if not math.isfinite(value) or (positive and value <= 0):
        raise InputValueError(message)
    return float(value)
