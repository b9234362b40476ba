# SPDX-License-Identifier: BSD-3-Clause
"""Arguments that are dask arrays or dataframes, as arrays whose blocks hold all columns of some rows."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import dask
import dask.array as da
import numpy as np

from gramian._validation import AnyArray, is_sparse


class Training(NamedTuple):
    """Samples, targets and weights with the same blocks of rows."""

    X: Any
    y: Any
    """None for samples without targets."""
    weights: Any
    """None for 1 each."""
    names: list[str] | None
    """Of the features."""


def is_frame(value: Any) -> bool:
    """Tell whether a value is a dask dataframe, or one of its columns."""
    return dask.is_dask_collection(value) and hasattr(type(value), "to_dask_array")


def is_array(value: Any) -> bool:
    """Tell whether a value is a dask array."""
    return isinstance(value, da.Array)


def feature_names(X: Any) -> list[str] | None:
    """Return the names of the columns of a dataframe, if all of them are strings, as scikit-learn does."""
    names = list(getattr(X, "columns", ())) if is_frame(X) else []
    return names if names and all(isinstance(name, str) for name in names) else None


def training(X: Any, y: Any, sample_weight: Any) -> Training:
    """Return what `fit` was given as arrays with the blocks of X."""
    given = {"X": X, "y": y, "sample_weight": sample_weight}
    arrays = _known_arrays({name: value for name, value in given.items() if value is not None or name == "y"})
    samples = in_row_blocks(arrays["X"])
    if len(samples) == 0:
        raise ValueError("X has no rows: at least one is needed.")
    return Training(
        samples,
        _with_blocks_of(samples, arrays["y"], "y", (1, 2)),
        _weights_of(samples, arrays),
        feature_names(X),
    )


def samples_alone(X: Any, sample_weight: Any) -> Training:
    """Return what `fit` or `score` was given as arrays with the blocks of X, without targets."""
    arrays = _known_arrays({"X": X} if sample_weight is None else {"X": X, "sample_weight": sample_weight})
    samples = in_row_blocks(arrays["X"])
    if len(samples) == 0:
        raise ValueError("X has no rows: at least one is needed.")
    return Training(samples, None, _weights_of(samples, arrays), feature_names(X))


def in_row_blocks(X: Any) -> Any:
    """Return an array of samples whose blocks have all columns."""
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, samples in rows. Got shape {X.shape} instead.")
    if is_sparse(X._meta):
        raise TypeError("X must have dense blocks: use X.map_blocks(lambda block: block.toarray(), dtype=X.dtype).")
    return X.rechunk({1: -1})


def collection(value: Any, name: str) -> Any:
    """Return a dask array or dataframe as an array; the number of rows of a dataframe is left open."""
    if is_frame(value):
        return value.to_dask_array()
    if is_array(value):
        return value
    raise TypeError(
        f"{name} must be a dask array or a dask dataframe, got {type(value).__name__}: use dask.array.from_array, or "
        f"the estimators of gramian for data in memory."
    )


def _known_arrays(given: dict[str, Any]) -> dict[str, Any]:
    """Return arrays with a known number of rows; those of all dataframes are counted in one pass."""
    given = {name: _plain(value) for name, value in given.items()}
    frames = {name: value for name, value in given.items() if is_frame(value)}
    counts = dict(zip(frames, dask.compute(*(frame.map_partitions(len) for frame in frames.values())), strict=True))
    arrays = {
        name: value.to_dask_array(lengths=tuple(map(int, counts[name]))) if name in frames else collection(value, name)
        for name, value in given.items()
    }
    for name, array in arrays.items():
        if any(map(math.isnan, array.shape)):
            raise ValueError(f"{name} has blocks of unknown size: call {name}.compute_chunk_sizes() first.")
    return arrays


def _plain(value: Any) -> Any:
    """Return a column of strings, or of another type of pandas, as one of objects, which arrays can have."""
    extended = is_frame(value) and not isinstance(getattr(value, "dtype", np.dtype(object)), np.dtype)
    return value.astype(object) if extended else value


def _weights_of(X: Any, arrays: dict[str, Any]) -> Any:
    if "sample_weight" not in arrays:
        return None
    return _with_blocks_of(X, arrays["sample_weight"], "sample_weight", (1,))


def _with_blocks_of(X: Any, value: Any, name: str, dimensions: tuple[int, ...]) -> Any:
    if value.ndim not in dimensions:
        expected = " or ".join(map(str, dimensions))
        raise ValueError(f"{name} must have {expected} dimensions, got shape {value.shape}.")
    if len(value) != len(X):
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {len(X)}, {name} has {len(value)}."
        )
    return value.rechunk({0: X.chunks[0], **({1: -1} if value.ndim == 2 else {})})


def blocks_of(array: Any) -> list[Any]:
    """Return the blocks of rows of an array, in their order, as delayed values."""
    return list(array.to_delayed().ravel())


def local_rows(chunks: tuple[int, ...], rows: AnyArray) -> Iterator[tuple[int, AnyArray]]:
    """Return the number of each block that has some of these rows, which ascend, and which of its rows they are."""
    ends = np.cumsum(chunks)
    number = np.searchsorted(ends, rows, side="right")
    for block in np.unique(number):
        yield int(block), rows[number == block] - (ends[block] - chunks[block])


@contextmanager
def of_partition(number: int) -> Iterator[None]:
    """Let errors say which block of rows they come from."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise type(error)(f"Partition {number}: {error}") from None
