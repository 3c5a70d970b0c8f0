"""The base class of the losses: embedding and checking columns, gathering across devices, configuration."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.losses.gradcache import CachedLossMixin, RandContext
from sentence_transformers.util import all_gather, all_gather_with_grad
from torch import Tensor, distributed, nn

from sda_hf.errors import InputTypeError, InputValueError, unknown
from sda_hf.losses.embedding_augmentation import CutFeatures, EmbeddingAugmentation
from sda_hf.losses.heads import HeadKind, ProjectionHead
from sda_hf.losses.length_groups import Features, embed_by_length
from sda_hf.losses.validation import positive_integer

if TYPE_CHECKING:
    from typing_extensions import Self


L = TypeVar("L", bound=nn.Module)

# The key in a batch's first column under which the views of the batch are kept, by loss and mode.
VIEWS = "sda_hf_views"


class LossParts(dict[str, Tensor]):
    """The parts of a loss by name, each of which the trainer logs.

    Multiplied by a weight, it is their weighted sum, because `MatryoshkaLoss` and `AdaptiveLayerLoss` multiply the
    losses that they wrap.
    """

    def __mul__(self, weight: float | Tensor) -> Tensor:
        return torch.stack(list(self.values())).sum() * weight

    __rmul__ = __mul__


class SentenceLoss(CachedLossMixin, nn.Module, ABC):  # type: ignore[misc]  # the mixin is not typed
    """Base class of the losses: columns of sentences in, one scalar out.

    A subclass sets `columns`, `min_columns`, `source` and `equation` (LaTeX), keeps each constructor argument in an
    attribute of the same name, and implements `compute_loss_from_embeddings` and `citation`. One that does not contrast
    a sentence with other rows sets `needs_other_rows = False`. Decorated with `sda_hf.losses.register("my-loss")`, it
    can be named in a recipe.

    Args:
        model: The model to train.
        gather_across_devices: Whether the rows of all processes are candidates for the anchors of each.
        mini_batch_size: How many rows are embedded at a time, to fit large batches into memory: each mini-batch is
            embedded twice, and the loss and gradients stay the same (GradCache, arXiv:2101.06983, as implemented by
            sentence-transformers). None embeds the whole batch at once.
        projection: The kind of `ProjectionHead` between the embeddings and the loss.
        embedding_augmentation: An `EmbeddingAugmentation` of the positives during training, before any projection, or
            a mapping of its arguments; None for none. `compute_loss_from_embeddings` does not apply it.

    Raises:
        InputTypeError: An argument is of the wrong type.
        InputValueError: An argument is out of range.

    Example:
        >>> import torch
        >>> from sda_hf.losses import SentenceLoss
        >>> class Distance(SentenceLoss):
        ...     columns, min_columns, source, equation = "(anchor, positive)", 2, "an example", "|a - p|"
        ...     citation = ""
        ...
        ...     def compute_loss_from_embeddings(self, embeddings, labels=None):
        ...         anchors, positives = self.check(embeddings)
        ...         return (anchors - positives).norm(dim=1).mean()
        >>> Distance(torch.nn.Identity()).compute_loss_from_embeddings([torch.zeros(4, 9), torch.ones(4, 9)])
        tensor(3.)
    """

    columns: ClassVar[str]
    min_columns: ClassVar[int]
    needs_other_rows: ClassVar[bool] = True
    source: ClassVar[str]
    equation: ClassVar[str]

    def __init__(
        self,
        model: SentenceTransformer,
        gather_across_devices: bool = False,
        mini_batch_size: int | None = None,
        projection: HeadKind = "none",
        embedding_augmentation: EmbeddingAugmentation | Mapping[str, object] | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(gather_across_devices, bool):
            raise InputTypeError(f"gather_across_devices is {gather_across_devices!r}: give True or False")
        self.model = model
        self.gather_across_devices = gather_across_devices
        if mini_batch_size is not None:
            positive_integer("mini_batch_size", mini_batch_size, usual="32 to 512, or None for whole batches")
        self.mini_batch_size = mini_batch_size
        self.uses_gradient_cache = mini_batch_size is not None
        self.projection = projection
        self.embedding_augmentation = EmbeddingAugmentation.of(embedding_augmentation)
        self._had_rows = False
        width = 0 if projection == "none" else model.get_embedding_dimension()
        self.head = ProjectionHead(projection, width or 0)
        self.head.to(getattr(model, "device", "cpu"))

    def forward(
        self, sentence_features: Iterable[Features], labels: Tensor | None = None
    ) -> Tensor | dict[str, Tensor]:
        """Return the loss of a batch."""
        columns = list(sentence_features)
        self._check_rows(columns)
        features = self._views_once(columns)
        if self.mini_batch_size is None:
            embeddings = self._with_changed_embeddings(self._embed_apart(features))
            value = self.compute_loss_from_embeddings(self.project(embeddings), labels)
            return LossParts(value) if isinstance(value, dict) else value
        self._head_gradients: list[Tensor | None] = []
        loss: Tensor = self.forward_cached(features, labels)  # type: ignore[operator]
        if self._head_gradients:
            loss.register_hook(  # type: ignore[no-untyped-call]
                functools.partial(_add_gradients, list(self.head.parameters()), self._head_gradients)
            )
        return loss

    def _check_rows(self, columns: Sequence[Features]) -> None:
        """Raise for a training batch of one row, unless it is the rest of an epoch, after a larger batch."""
        if not self.needs_other_rows:
            return
        values = [value for column in columns for value in column.values() if isinstance(value, Tensor)]
        rows = max((len(value) for value in values if value.ndim), default=0)
        gathers = self.gather_across_devices and distributed.is_available() and distributed.is_initialized()
        if rows == 1 and self.training and not (gathers or self._had_rows):
            raise InputValueError(
                f"{type(self).__name__} got a batch of one row, which has no other sentence to be contrasted with: "
                "raise per_device_train_batch_size (training.batch_size in a recipe), or give more rows"
            )
        self._had_rows = self._had_rows or rows > 1

    def _views_once(self, columns: Sequence[Features]) -> list[Features]:
        """Return the views of a batch, the same ones each time that a wrapper loss calls this loss on the batch.

        `MatryoshkaLoss` and `AdaptiveLayerLoss` compute a loss several times on the same dictionaries. Random draws and
        counters must not change in between, and `AdaptiveLayerLoss` keeps the encoder's outputs in the dictionaries
        that the model is called with.
        """
        made = cast("dict[object, list[Features]]", columns[0].setdefault(VIEWS, {}))
        mode = (self, self.training, torch.is_grad_enabled())
        if mode not in made:
            own = [{name: value for name, value in column.items() if name != VIEWS} for column in columns]
            made[mode] = self._with_changed_tokens(self.views(own))
        return made[mode]

    def views(self, features: Sequence[Features]) -> list[Features]:
        """Return the columns to embed for a batch: each of them once, unless a loss overrides this."""
        return list(features)

    def embed(self, features: Sequence[Features]) -> list[Tensor]:
        """Return the embeddings of each column, whose rows go through the model together."""
        return embed_by_length(self.model, features)

    def embed_minibatch(
        self, sentence_feature: Features, *args: object, **kwargs: object
    ) -> tuple[Tensor, RandContext | None]:
        """Return the embeddings of some rows of a column, and the random state in which they were computed."""
        with self._around(sentence_feature):
            found: tuple[Tensor, RandContext | None] = super().embed_minibatch(sentence_feature, *args, **kwargs)
            return found

    @property
    def positive_views(self) -> range:
        """The indices of the views that are positives, which an embedding augmentation changes."""
        return range(1, 2)

    def _augmentation(self, *, of_tokens: bool) -> EmbeddingAugmentation | None:
        """Return the augmentation if it is of this level, during training only."""
        augmentation = self.embedding_augmentation
        is_training = self.training and torch.is_grad_enabled()
        return augmentation if augmentation and is_training and augmentation.is_token_level == of_tokens else None

    def _with_changed_tokens(self, features: Sequence[Features]) -> list[Features]:
        augmentation, positives = self._augmentation(of_tokens=True), self.positive_views
        if augmentation is None:
            return list(features)
        return [augmentation.tokens(column) if i in positives else column for i, column in enumerate(features)]

    def _with_changed_embeddings(self, embeddings: Sequence[Tensor]) -> list[Tensor]:
        augmentation, positives = self._augmentation(of_tokens=False), self.positive_views
        if augmentation is None:
            return list(embeddings)
        return [augmentation.apply(column) if i in positives else column for i, column in enumerate(embeddings)]

    def _embed_apart(self, features: Sequence[Features]) -> list[Tensor]:
        """Return the embeddings of each column; those under a feature cutoff go through the model separately."""
        embeddings: dict[int, Tensor] = {}
        for cut in (False, True):
            group = [i for i, column in enumerate(features) if isinstance(column, CutFeatures) is cut]
            if group:
                with self._around(features[group[0]]):
                    found = self.embed([features[i] for i in group])
                embeddings.update(zip(group, found, strict=True))
        return [embeddings[i] for i in range(len(features))]

    def _around(self, features: Features) -> AbstractContextManager[None]:
        """Return the context in which a column is embedded."""
        augmentation = self.embedding_augmentation
        return nullcontext() if augmentation is None else augmentation.around(self.model, features)

    def project(self, embeddings: Sequence[Tensor]) -> list[Tensor]:
        """Return the embeddings after the head, which sees all columns of the batch at once."""
        if self.head.kind == "none":
            return list(embeddings)
        widths = {column.shape[1] for column in embeddings}
        wanted = self.model.get_embedding_dimension()
        if widths != {wanted}:
            raise InputValueError(
                f"projection={self.projection!r} takes embeddings of {wanted} dimensions, got {sorted(widths)}: "
                "with MatryoshkaLoss, which truncates them, use projection='none'"
            )
        projected = self.head(torch.cat(list(embeddings)).to(next(self.head.parameters()).dtype))
        return list(torch.split(projected, [len(column) for column in embeddings]))

    def calculate_loss(
        self, reps: list[list[Tensor]], labels: Tensor | None = None, *, with_backward: bool = False
    ) -> Tensor:
        """Return the loss of the embeddings of mini-batches; `with_backward` also sets their gradients."""
        columns = self._with_changed_embeddings([torch.cat(parts) for parts in reps])
        parts = self.compute_loss_from_embeddings(self.project(columns), labels)
        loss = LossParts(parts) * 1 if isinstance(parts, dict) else parts
        if not with_backward:
            return loss
        leaves = [rep for column in reps for rep in column]
        found = torch.autograd.grad(loss, [*leaves, *self.head.parameters()], allow_unused=True)
        for leaf, gradient in zip(leaves, found, strict=False):
            leaf.grad = gradient
        # The head's gradients wait for the trainer's backward pass, which may scale them.
        self._head_gradients = list(found[len(leaves) :])
        return loss.detach()

    @abstractmethod
    def compute_loss_from_embeddings(
        self, embeddings: Sequence[Tensor], labels: Tensor | None = None
    ) -> Tensor | dict[str, Tensor]:
        """Return the loss of embedded columns, each (batch, dim), or its parts by name; a pure function of tensors."""

    @property
    @abstractmethod
    def citation(self) -> str:
        """BibTeX of the paper that this loss implements."""

    def get_config_dict(self) -> dict[str, object]:
        """Return every constructor argument except the model, as JSON values."""
        config = {name: getattr(self, name) for name in _options(type(self))}
        if self.embedding_augmentation is not None:
            config["embedding_augmentation"] = dataclasses.asdict(self.embedding_augmentation)
        return config

    @classmethod
    def from_config(cls, model: SentenceTransformer, config: Mapping[str, object]) -> Self:
        """Make the loss that `get_config_dict` describes; an argument left out keeps its default.

        Raises:
            InputValueError: A key is not an argument; the message suggests the nearest one.
        """
        return configured(cls, model, config)

    def check(self, embeddings: Sequence[Tensor]) -> list[Tensor]:
        """Return the columns in float32 or better.

        Raises:
            InputValueError: There are too few columns, or they are not of the same shape (batch, dim).
        """
        name, shapes = type(self).__name__, [tuple(column.shape) for column in embeddings]
        if len(shapes) < self.min_columns:
            raise InputValueError(
                f"{name} got {len(shapes)} column(s) of sentences but takes {self.min_columns} or more, "
                f"{self.columns}: give it a dataset with these columns, in this order"
            )
        if len(shapes[0]) != 2 or len(set(shapes)) > 1:
            raise InputValueError(f"{name} got embeddings of shapes {shapes}: give each column the same (batch, dim)")
        return [column.to(torch.promote_types(column.dtype, torch.float32)) for column in embeddings]

    def gather(self, column: Tensor) -> tuple[Tensor, int]:
        """Return a (batch, dim) column of all processes, by rank and with gradients, and this process's first row.

        Without `gather_across_devices` these are the column itself and 0.

        Raises:
            InputValueError: The processes hold different numbers of rows.
        """
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


def configured(cls: type[L], model: SentenceTransformer, config: Mapping[str, object]) -> L:
    """Make a loss of a class with the arguments in a configuration.

    Raises:
        InputValueError: A key is not an argument; the message suggests the nearest one.
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
