"""Augmentations of the embeddings of the positives, at the input or the output of the encoder."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Literal, cast, get_args

import torch
from torch import Tensor, nn
from torch.amp import is_autocast_available
from torch.nn import functional
from transformers import PreTrainedModel

from sda_hf.errors import InputTypeError, InputValueError, unknown
from sda_hf.losses.validation import finite_number

AugmentationKind = Literal["interpolation", "extrapolation", "linear", "gaussian", "pca", "cutoff", "shuffle"]

USUAL: dict[str, float] = {
    "interpolation": 0.5,
    "extrapolation": 0.5,
    "linear": 0.5,
    "gaussian": 0.1,
    "pca": 0.1,
    "cutoff": 0.2,
    "shuffle": 1.0,
}
BELOW_ONE = ("interpolation", "cutoff")
TOKEN_LEVEL = ("cutoff", "shuffle")


class CutFeatures(dict[str, object]):
    """A tokenized column that goes through the encoder under `feature_cutoff`."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class EmbeddingAugmentation:
    """Changes the embeddings of the positives during training, instead of their sentences.

    For each embedding h of a batch, with s the strength and z standard normal noise, drawn for each row:

    | Kind            | Result                                                   | Usual s |
    | --------------- | -------------------------------------------------------- | ------- |
    | "interpolation" | h + s (n - h), n the other row with the highest cosine   | 0.5     |
    | "extrapolation" | h + s (h - c), c the mean of the batch                   | 0.5     |
    | "linear"        | h + s (a - b), a and b two other rows, drawn at random   | 0.5     |
    | "gaussian"      | h + s z d, d the standard deviation of each dimension    | 0.1     |
    | "pca"           | h + s V Λ z, V and Λ the principal components of the     | 0.1     |
    |                 | batch and their eigenvalues                              |         |
    | "cutoff"        | a share s of the dimensions of the row's token           | 0.2     |
    |                 | embeddings is zeroed as they enter the encoder           |         |
    | "shuffle"       | the row's tokens are permuted, except for the first      | 1.0     |
    |                 | ([CLS]), the last ([SEP]) and those of a prompt          |         |

    The first five act on the encoder's output, before any projection; the last two on its input. Gradients flow
    through h only. A batch of one row is left unchanged, and so is a batch of two with "linear". The batch is the
    column in this process, whether or not the loss gathers others. Random numbers come from torch's global generator,
    like those of dropout.

    Args:
        kind: One of the above.
        strength: The s above, greater than 0; below 1 for "interpolation" and "cutoff". For "shuffle", the
            probability that a row is shuffled, at most 1. None for the usual strength.

    Shapes:
        (batch, dim) → (batch, dim) in `apply`, of the same dtype; half precision is computed in float32.

    Raises:
        InputTypeError: The strength is not a number.
        InputValueError: The kind is unknown, or the strength out of range.

    Source:
        Shu et al., Unsupervised hard Negative Augmentation for contrastive learning (UNA), Table C3, after: Cheung and
        Yeung, MODALS, ICLR 2021 (the first four); Ye et al., Efficient Contrastive Learning via Novel Data
        Augmentation and Curriculum Learning, EMNLP 2021 (PCA jittering); Yan et al., ConSERT, ACL 2021 (feature
        cutoff, token shuffling). MODALS takes its statistics per class; without classes they are the batch's.

    Example:
        >>> import torch
        >>> rows = torch.tensor([[1.0, 0.0], [3.0, 0.0], [2.0, 3.0]])
        >>> EmbeddingAugmentation(kind="extrapolation", strength=1).apply(rows)
        tensor([[ 0., -1.],
                [ 4., -1.],
                [ 2.,  5.]])
    """

    kind: AugmentationKind
    strength: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in get_args(AugmentationKind):
            raise unknown("kind of embedding augmentation", self.kind, get_args(AugmentationKind))
        usual = USUAL[self.kind]
        name = f"strength of {self.kind!r}"
        given = usual if self.strength is None else self.strength
        strength = finite_number(name, given, positive=True, usual=str(usual))
        if self.kind in BELOW_ONE and strength >= 1:
            raise InputValueError(f"{name} is {given!r}: give a share below 1, usually {usual}")
        if self.kind == "shuffle" and strength > 1:
            raise InputValueError(f"{name} is {given!r}: give the share of rows, 1 at most")
        object.__setattr__(self, "strength", strength)

    @classmethod
    def of(cls, value: EmbeddingAugmentation | Mapping[str, object] | None) -> EmbeddingAugmentation | None:
        """Return the augmentation given as the argument of a loss, either as such or as a mapping of its arguments.

        Raises:
            InputTypeError: The value is neither of these.
            InputValueError: A key is not an argument (the message suggests the nearest one), or there is no kind.
        """
        if value is None or isinstance(value, EmbeddingAugmentation):
            return value
        if not isinstance(value, Mapping):
            raise InputTypeError(
                f"embedding_augmentation is {value!r}: give an EmbeddingAugmentation, a mapping such as "
                "{kind: gaussian, strength: 0.1}, or None"
            )
        names = [field.name for field in dataclasses.fields(cls)]
        for name in value:
            if name not in names:
                raise unknown("key of embedding_augmentation", name, names)
        if "kind" not in value:
            raise InputValueError(
                f"embedding_augmentation is {dict(value)!r}: give its kind, one of {', '.join(USUAL)}"
            )
        kind, strength = cast(AugmentationKind, value["kind"]), cast("float | None", value.get("strength"))
        return cls(kind=kind, strength=strength)  # which checks them

    @property
    def _strength(self) -> float:
        return cast(float, self.strength)  # set by __post_init__

    @property
    def is_token_level(self) -> bool:
        """Whether it acts on the encoder's input (`tokens`) rather than on its output (`apply`)."""
        return self.kind in TOKEN_LEVEL

    def apply(self, embeddings: Tensor) -> Tensor:
        """Return the changed embeddings of a column.

        Raises:
            InputValueError: The kind acts on tokens, or the embeddings are not (batch, dim).
        """
        if self.is_token_level:
            raise InputValueError(f"{self.kind!r} acts on tokens, not on embeddings: use it through a loss")
        if embeddings.ndim != 2:
            raise InputValueError(f"{self.kind!r} got embeddings of shape {tuple(embeddings.shape)}: give (batch, dim)")
        if len(embeddings) < 2:
            return embeddings
        device = embeddings.device.type
        with torch.autocast(device, enabled=False) if is_autocast_available(device) else nullcontext():
            rows = embeddings.to(torch.promote_types(embeddings.dtype, torch.float32))
            return (rows + self._strength * MOVES[self.kind](rows)).to(embeddings.dtype)

    def tokens(self, features: Mapping[str, object]) -> dict[str, object]:
        """Return a tokenized column as it goes into the encoder: shuffled, or marked for `feature_cutoff`.

        Raises:
            InputValueError: The kind acts on embeddings, or the features are not padded rows of tokens.
        """
        if not self.is_token_level:
            raise InputValueError(f"{self.kind!r} acts on embeddings, not on tokens: call apply")
        ids, mask = features.get("input_ids"), features.get("attention_mask")
        if not (isinstance(ids, Tensor) and isinstance(mask, Tensor) and ids.ndim == 2 and ids.shape == mask.shape):
            raise InputValueError(
                f"{self.kind!r} takes input_ids and attention_mask of one shape (batch, length) but got "
                f"{', '.join(sorted(features)) or 'nothing'}: use a kind that acts on embeddings, such as 'gaussian'"
            )
        if len(ids) < 2:
            return dict(features)
        if self.kind == "cutoff":
            return CutFeatures(features)
        prompt = int(torch.as_tensor(features.get("prompt_length", 1)).flatten()[0])  # [CLS] included
        return {**features, "input_ids": _shuffled(ids, mask.ne(0), max(prompt, 1), self._strength)}

    def around(self, model: nn.Module, features: Mapping[str, object]) -> AbstractContextManager[None]:
        """Return the context in which the model embeds a column that `tokens` may have marked."""
        # AdaptiveLayerLoss runs all layers once, and then uses the outputs of that run for the smaller models.
        is_encoded = "all_layer_embeddings" in features
        if isinstance(features, CutFeatures) and not is_encoded:
            return feature_cutoff(model, self._strength)
        return nullcontext()


def _to_neighbour(rows: Tensor) -> Tensor:
    still = rows.detach()
    unit = functional.normalize(still)
    closest = (unit @ unit.T).fill_diagonal_(float("-inf")).argmax(dim=1)  # (batch,)
    return still[closest] - rows


def _from_centre(rows: Tensor) -> Tensor:
    return rows - rows.detach().mean(dim=0)


def _difference(rows: Tensor) -> Tensor:
    """Return, for each row, the difference of two others drawn at random, (batch, dim); zeros if there are no two."""
    still = rows.detach()
    if len(still) < 3:
        return torch.zeros_like(still)
    lots = torch.rand(len(still), len(still), device=still.device).fill_diagonal_(-1)
    one, other = lots.topk(2).indices.T  # (batch,) each
    return still[one] - still[other]


def _noise(rows: Tensor) -> Tensor:
    return torch.randn_like(rows) * rows.detach().std(dim=0)


def _principal_noise(rows: Tensor) -> Tensor:
    """Return noise along the principal components, each scaled by its eigenvalue.

    The covariance is V Λ V', and V' z has the same distribution as z, so it suffices to multiply z by the covariance.
    """
    centred = rows.detach() - rows.detach().mean(dim=0)
    return torch.randn_like(rows) @ centred.T @ centred / (len(rows) - 1)


MOVES: dict[str, Callable[[Tensor], Tensor]] = {
    "interpolation": _to_neighbour,
    "extrapolation": _from_centre,
    "linear": _difference,
    "gaussian": _noise,
    "pca": _principal_noise,
}


def _shuffled(ids: Tensor, attended: Tensor, kept: int, share: float) -> Tensor:
    """Return the tokens with a share of the rows permuted, except for the first `kept` tokens and the last one."""
    seen, left = attended.cumsum(dim=1), attended.flip(1).cumsum(dim=1).flip(1)
    drawn = torch.rand(len(ids), 1, device=ids.device) < share
    free = attended & (seen > kept) & (left > 1) & drawn  # (rows, length)
    lots = torch.rand(ids.shape, device=ids.device)
    places = torch.argsort((~free).int(), dim=1, stable=True)
    sources = torch.argsort(lots.masked_fill(~free, 2), dim=1, stable=True)
    return ids.scatter(1, places, ids.gather(1, sources))


@contextmanager
def feature_cutoff(model: nn.Module, strength: float) -> Iterator[None]:
    """Zero a share of the dimensions of each row's token embeddings while the context is open.

    Raises:
        InputValueError: The model is compiled, contains no transformers model, or does not run that model's
            input-embedding layer.
    """
    owner, encoder = _encoder(model)
    layer = encoder.get_input_embeddings()
    reached: list[bool] = []

    def cut(_layer: nn.Module, _inputs: object, tokens: Tensor) -> Tensor:
        reached.append(True)
        return tokens * _kept_features(tokens, strength)

    def check(*_: object) -> None:
        if not reached:
            raise InputValueError(
                f"'cutoff' never saw the token embeddings of {type(encoder).__name__}: use another kind"
            )

    handles = [part.register_forward_hook(cut) for part in _twins(layer, encoder)]
    handles.append(owner.register_forward_hook(check))
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _twins(layer: nn.Module, encoder: nn.Module) -> list[nn.Module]:
    """Return the layer and all that share its weight: T5 returns one of them but embeds with another."""
    weight = getattr(layer, "weight", None)
    same = [part for part in encoder.modules() if isinstance(part, type(layer)) and part is not layer]
    return [layer, *(part for part in same if weight is not None and part.weight is weight)]


def _kept_features(tokens: Tensor, strength: float) -> Tensor:
    """Return a mask of ones with zeros in a share of each row's dimensions: (batch, 1, dim)."""
    rows, _, width = tokens.shape
    count = min(max(round(strength * width), 1), width - 1)
    lots = torch.rand(rows, 1, width, device=tokens.device)
    return torch.ones_like(lots, dtype=tokens.dtype).scatter(2, lots.topk(count, dim=2).indices, 0)


def _encoder(model: nn.Module) -> tuple[nn.Module, PreTrainedModel]:
    """Return the module that runs a transformers model, and that model, whose own hooks are skipped by `forward`."""
    for owner in model.modules():
        if hasattr(owner, "_orig_mod") or owner._compiled_call_impl is not None:
            raise InputValueError(
                "'cutoff' hooks into the encoder, which has no effect on a compiled one: set torch_compile=False, or "
                "use another kind"
            )
        for child in owner.children():
            if isinstance(child, PreTrainedModel):
                return owner, child
    raise InputValueError(f"'cutoff' found no transformers model in {type(model).__name__}: use another kind")
