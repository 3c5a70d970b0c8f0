"""What every loss shares: embedding and checking the columns, gathering across devices, configuration."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.losses.gradcache import CachedLossMixin
from sentence_transformers.util import all_gather, all_gather_with_grad
from torch import Tensor, distributed, nn

from sda_hf.errors import InputTypeError, InputValueError, unknown
from sda_hf.losses.embedding_augmentation import CutFeatures, EmbeddingAugmentation
from sda_hf.losses.heads import HeadKind, ProjectionHead
from sda_hf.losses.length_groups import embedded
from sda_hf.losses.validation import whole_number

if TYPE_CHECKING:
    from typing_extensions import Self


L = TypeVar("L", bound=nn.Module)


class SentenceLoss(CachedLossMixin, nn.Module, ABC):  # type: ignore[misc]  # the mixin is not typed
    """Base of the losses: columns of sentences in, one scalar out.

    A subclass states `columns`, `min_columns`, `source` and `equation` (LaTeX), keeps each constructor argument in an
    attribute of the same name, and writes `compute_loss_from_embeddings` and `citation`. The shared arguments are

    Args:
        model: The model to train.
        gather_across_devices: Whether the rows of all processes are candidates for the anchors of each.
        mini_batch_size: None embeds a batch at once. A number embeds it in mini-batches of so many rows, twice, and
            keeps the memory of one of them: same loss and gradients (GradCache, arXiv:2101.06983, as
            sentence-transformers has it).
        projection: The kind of `ProjectionHead` between the embeddings and the loss.
        embedding_augmentation: The `EmbeddingAugmentation` of the positives in training, before any projection, or a
            mapping of its arguments; None for none. `compute_loss_from_embeddings` has no part in it.
    """

    columns: ClassVar[str]
    min_columns: ClassVar[int]
    source: ClassVar[str]
    equation: ClassVar[str]

    def __init__(
        self,
        model: SentenceTransformer,
        gather_across_devices: bool = False,
        mini_batch_size: int | None = None,
        projection: HeadKind = "none",
        embedding_augmentation: EmbeddingAugmentation | Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(gather_across_devices, bool):
            raise InputTypeError(f"gather_across_devices is {gather_across_devices!r}: give True or False")
        self.model = model
        self.gather_across_devices = gather_across_devices
        if mini_batch_size is not None:
            whole_number("mini_batch_size", mini_batch_size, usual="32 to 512, or None for whole batches")
        self.mini_batch_size = mini_batch_size
        self.uses_gradient_cache = mini_batch_size is not None
        self.projection = projection
        self.embedding_augmentation = EmbeddingAugmentation.of(embedding_augmentation)
        self._had_rows = False
        width = 0 if projection == "none" else model.get_embedding_dimension()
        self.head = ProjectionHead(projection, width or 0)
        self.head.to(getattr(model, "device", "cpu"))

    def forward(
        self, sentence_features: Iterable[dict[str, Tensor]], labels: Tensor | None = None
    ) -> Tensor | dict[str, Tensor]:
        """The loss of one batch."""
        columns = list(sentence_features)
        self._refuse_lone_rows(columns)
        features = self._with_changed_tokens(self.views(columns))
        if self.mini_batch_size is None:
            embeddings = self._with_changed_embeddings(self._embed_apart(features))
            return self.compute_loss_from_embeddings(self.project(embeddings), labels)
        self._head_gradients: list[Tensor | None] = []
        loss: Tensor = self.forward_cached(features, labels)  # type: ignore[operator]
        if self._head_gradients:
            loss.register_hook(  # type: ignore[no-untyped-call]
                functools.partial(_add_gradients, list(self.head.parameters()), self._head_gradients)
            )
        return loss

    def _refuse_lone_rows(self, columns: Sequence[dict[str, Tensor]]) -> None:
        """Refuses a batch of one row in training, unless larger ones came before: then it is what was left over."""
        values = [value for column in columns for value in column.values() if isinstance(value, Tensor)]
        rows = max((len(value) for value in values if value.ndim), default=0)
        others = self.gather_across_devices and distributed.is_available() and distributed.is_initialized()
        if rows == 1 and self.training and not (others or self._had_rows):
            raise InputValueError(
                f"{type(self).__name__} got a batch of one row, in which there is no other sentence to tell it from: "
                "raise per_device_train_batch_size (training.batch_size in a recipe), or give more rows"
            )
        self._had_rows = self._had_rows or rows > 1

    def views(self, features: Sequence[dict[str, Tensor]]) -> list[dict[str, Tensor]]:
        """What is embedded of the columns of a batch: all of them once, unless a loss says otherwise."""
        return list(features)

    def embed(self, features: Sequence[dict[str, Tensor]]) -> list[Tensor]:
        """The embeddings of each column; their rows go through the model together."""
        return embedded(self.model, features)

    def embed_minibatch(self, sentence_feature: dict[str, Tensor], *args: Any, **kwargs: Any) -> Any:
        """The embeddings of some rows of a column, and the state in which their random numbers were drawn."""
        with self._around(sentence_feature):
            return super().embed_minibatch(sentence_feature, *args, **kwargs)

    @property
    def positive_views(self) -> range:
        """Which of the views are positives of the anchors, for an embedding augmentation."""
        return range(1, 2)

    def _augmentation(self, *, of_tokens: bool) -> EmbeddingAugmentation | None:
        """The augmentation, if there is one of this level and this is training."""
        given = self.embedding_augmentation
        if given is None or given.is_token_level != of_tokens or not (self.training and torch.is_grad_enabled()):
            return None
        return given

    def _with_changed_tokens(self, features: Sequence[dict[str, Tensor]]) -> list[dict[str, Tensor]]:
        augmentation, own = self._augmentation(of_tokens=True), self.positive_views
        if augmentation is None:
            return list(features)
        return [augmentation.tokens(column) if i in own else column for i, column in enumerate(features)]

    def _with_changed_embeddings(self, embeddings: Sequence[Tensor]) -> list[Tensor]:
        augmentation, own = self._augmentation(of_tokens=False), self.positive_views
        if augmentation is None:
            return list(embeddings)
        return [augmentation.apply(column) if i in own else column for i, column in enumerate(embeddings)]

    def _embed_apart(self, features: Sequence[dict[str, Tensor]]) -> list[Tensor]:
        """The embeddings of each column; those under a feature cutoff go through the model by themselves."""
        embeddings: dict[int, Tensor] = {}
        for cut in (False, True):
            group = [i for i, column in enumerate(features) if isinstance(column, CutFeatures) is cut]
            if group:
                with self._around(features[group[0]]):
                    found = self.embed([features[i] for i in group])
                embeddings.update(zip(group, found, strict=True))
        return [embeddings[i] for i in range(len(features))]

    def _around(self, features: dict[str, Tensor]) -> AbstractContextManager[None]:
        """What has to be open while a column is embedded."""
        augmentation = self.embedding_augmentation
        return nullcontext() if augmentation is None else augmentation.around(self.model, features)

    def project(self, embeddings: Sequence[Tensor]) -> list[Tensor]:
        """The embeddings behind the head, which sees all columns of the batch at once."""
        if self.head.kind == "none":
            return list(embeddings)
        widths = {column.shape[1] for column in embeddings}
        wanted = self.model.get_embedding_dimension()
        if widths != {wanted}:
            raise InputValueError(
                f"projection={self.projection!r} takes embeddings of {wanted} dimensions, got {sorted(widths)}: "
                "with MatryoshkaLoss, which cuts them, use projection='none'"
            )
        projected = self.head(torch.cat(list(embeddings)).to(next(self.head.parameters()).dtype))
        return list(torch.split(projected, [len(column) for column in embeddings]))

    def calculate_loss(
        self, reps: list[list[Tensor]], labels: Tensor | None = None, *, with_backward: bool = False
    ) -> Tensor:
        """The loss of the cached embeddings of mini-batches; the gradients up to them if asked for."""
        columns = self._with_changed_embeddings([torch.cat(parts) for parts in reps])
        parts = self.compute_loss_from_embeddings(self.project(columns), labels)
        loss = torch.stack(list(parts.values())).sum() if isinstance(parts, dict) else parts
        if not with_backward:
            return loss
        leaves = [rep for column in reps for rep in column]
        found = torch.autograd.grad(loss, [*leaves, *self.head.parameters()], allow_unused=True)
        for leaf, gradient in zip(leaves, found, strict=False):
            leaf.grad = gradient
        # Those of the head wait for the backward pass of the trainer, which may scale them.
        self._head_gradients = list(found[len(leaves) :])
        return loss.detach()

    @abstractmethod
    def compute_loss_from_embeddings(
        self, embeddings: Sequence[Tensor], labels: Tensor | None = None
    ) -> Tensor | dict[str, Tensor]:
        """The loss of embedded columns, each (batch, dim), or its parts by name: a pure function of tensors."""

    @property
    @abstractmethod
    def citation(self) -> str:
        """BibTeX of what this loss implements."""

    def get_config_dict(self) -> dict[str, Any]:
        """Every constructor argument but the model, as JSON values."""
        config = {name: getattr(self, name) for name in _options(type(self))}
        if self.embedding_augmentation is not None:
            config["embedding_augmentation"] = dataclasses.asdict(self.embedding_augmentation)
        return config

    @classmethod
    def from_config(cls, model: SentenceTransformer, config: Mapping[str, Any]) -> Self:
        """The loss that `get_config_dict` described; an argument left out keeps its default.

        Raises:
            InputValueError: a key that is not an argument; the message has the nearest one.
        """
        return configured(cls, model, config)

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


def configured(cls: type[L], model: SentenceTransformer, config: Mapping[str, Any]) -> L:
    """The loss of a class with the arguments in a configuration.

    Raises:
        InputValueError: a key that is not an argument; the message has the nearest one.
    """
    options = _options(cls)
    for name in config:
        if name not in options:
            raise unknown(f"{cls.__name__} argument", name, options)
    return cls(model, **config)


def _options(cls: type[nn.Module]) -> list[str]:
    return [name for name in inspect.signature(cls).parameters if name != "model"]


def _add_gradients(parameters: list[nn.Parameter], gradients: list[Tensor | None], scale: Tensor) -> None:
    for parameter, gradient in zip(parameters, gradients, strict=True):
        if gradient is not None:
            scaled = gradient * scale
            parameter.grad = scaled if parameter.grad is None else parameter.grad + scaled
