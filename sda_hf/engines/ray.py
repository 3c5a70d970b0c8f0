"""Augmenters on Ray Data: every row of a dataset gets the columns of an augmenter, on all the cores of a cluster."""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, Any

from sda_hf.augmentation.base import CHUNK, Augmenter
from sda_hf.augmentation.columns import text_column, texts_of
from sda_hf.augmentation.protocol import RowAugmenter
from sda_hf.errors import InputTypeError, InputValueError, MissingPackageError, shown

if TYPE_CHECKING:
    import pyarrow
    import ray.data


def augment(
    dataset: ray.data.Dataset,
    augmenter: RowAugmenter,
    *,
    workers: int | None = None,
    batch_size: int = CHUNK,
    **options: Any,
) -> ray.data.Dataset:
    """Add the columns of an augmenter, a composite or `Triplets` to a Ray dataset, lazily.

    Each worker is an actor, which loads the parser once. All other columns are kept, so that an id is still with its
    row; rows that the augmenter drops are left out. What a row becomes depends on the augmenter and the text alone: not
    on the number of workers, the batch size, the order of the rows, or what is retried.

    A plain `dataset.map_batches(augmenter)` works too; it returns the new columns alone.

    Args:
        dataset: the rows, with a column of texts.
        augmenter: what to apply; it must be fitted, if it has to be.
        workers: the largest number of workers; None for the number of CPUs of the cluster.
        batch_size: the number of rows of a call.
        options: further options of `map_batches`, such as `num_cpus`, `num_gpus` or `memory` of a worker.

    Raises:
        InputTypeError: not an augmenter.
        InputValueError: it is not fitted.
        MissingPackageError: Ray is not installed.

    Example:
        >>> import ray.data  # doctest: +SKIP
        >>> from sda_hf import ModalVerbs, Negation, Triplets
        >>> rows = ray.data.from_items([{"id": 7, "text": "She won."}])  # doctest: +SKIP
        >>> augment(rows, Triplets(ModalVerbs(phrases=("must",)), Negation())).take()  # doctest: +SKIP
        [{'id': 7, 'text': 'She won.', 'anchor': 'She won.', 'positive': 'She must have won.',
          'negative': "She didn't win."}]
    """
    if not callable(augmenter) or not hasattr(augmenter, "new_columns"):
        raise InputTypeError(f"augment takes an augmenter, got {type(augmenter).__name__}: {shown(augmenter)}")
    if not augmenter.is_fitted:
        raise InputValueError(f"{type(augmenter).__name__} is not fitted: call fit(sentences) first")
    data = ray_data()
    most = workers or max(1, int(ray_core().cluster_resources().get("CPU", 1)))
    return dataset.map_batches(
        Augmented,
        fn_constructor_kwargs={"augmenter": augmenter},
        batch_size=batch_size,
        batch_format="pyarrow",
        compute=data.ActorPoolStrategy(min_size=1, max_size=most),
        **options,
    )


class Augmented:
    """A function of Arrow batches, for `map_batches`: the batch with the columns of an augmenter.

    Args:
        augmenter: an augmenter, a composite or `Triplets`.
    """

    def __init__(self, augmenter: RowAugmenter) -> None:
        self.augmenter, self.drops = _without_drop(augmenter)

    def __call__(self, batch: pyarrow.Table) -> pyarrow.Table:
        """Return the batch with the new columns, without the rows that the augmenter drops."""
        import pyarrow

        column = text_column(dict.fromkeys(batch.column_names), self.augmenter.input_column)
        new = self.augmenter({column: texts_of(batch.column(column).to_pylist(), column)})
        for name, values in new.items():
            added = pyarrow.array(values, pyarrow.string())
            if name in batch.column_names:
                batch = batch.set_column(batch.column_names.index(name), name, added)
            else:
                batch = batch.append_column(name, added)
        if self.drops:
            kept = [None not in row for row in zip(*new.values(), strict=True)]
            batch = batch.filter(pyarrow.array(kept, pyarrow.bool_()))
        return batch


def _without_drop(augmenter: RowAugmenter) -> tuple[RowAugmenter, bool]:
    """Return the augmenter so that it keeps all rows, with None in those to drop; and whether there are any."""
    policy = augmenter.policy if isinstance(augmenter, Augmenter) else getattr(augmenter, "on_skip", None)
    if policy != "drop":
        return augmenter, False
    return dataclasses.replace(augmenter, on_skip="null"), True  # type: ignore[type-var]


def ray_core() -> Any:
    """Return the module `ray`.

    Raises:
        MissingPackageError: it is not installed.
    """
    try:
        import ray
    except ImportError as error:
        raise MissingPackageError("Ray is not installed: run `pip install sda-hf[ray]`") from error
    return ray


def ray_data() -> Any:
    """Return the module `ray.data`.

    Raises:
        MissingPackageError: it is not installed.
    """
    ray_core()
    import ray.data

    return ray.data


class Cluster:
    """A connection to a cluster, or a cluster of this machine alone, for as long as the context is entered.

    Args:
        address: of a cluster: "auto", "HOST:PORT" or "ray://HOST:PORT"; None for RAY_ADDRESS, or else a local one.
        workers: the number of workers of a local one; None for the number of CPUs.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self.address = address or os.environ.get("RAY_ADDRESS") or "local"
        self.workers = workers
        self._ours = False

    def __enter__(self) -> Cluster:
        ray = ray_core()
        if ray.is_initialized():
            return self
        # The checkpoints are read by a worker of their own, which idles most of the time.
        local = {"num_cpus": self.size + 1, "include_dashboard": False} if self.address == "local" else {}
        try:
            ray.init(address=self.address, log_to_driver=False, configure_logging=False, **local)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise InputValueError(f"no Ray cluster at {self.address!r}: {error}") from error
        self._ours = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._ours:
            ray_core().shutdown()

    @property
    def size(self) -> int:
        """The number of workers."""
        if self.workers is not None:
            return self.workers
        if self.address != "local":
            return max(1, int(ray_core().cluster_resources().get("CPU", 1)))
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
