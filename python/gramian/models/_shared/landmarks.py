# SPDX-License-Identifier: BSD-3-Clause
"""Rows of the training data that support all layers."""

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian._validation import as_array, check_whole

IndexArray = npt.NDArray[np.int64]
SquaredDistances = Callable[[int], npt.NDArray[np.float64]]
"""From all samples to the one of this row."""


def is_count(value: Any) -> bool:
    """Tell whether a parameter is a number of something, and not a list of them."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def choose_landmarks(landmarks: Any, n: int, distances: SquaredDistances, seed: int, owner: str) -> IndexArray | None:
    """Return the rows in ascending order, or None for all of them."""
    if landmarks is None:
        return None
    if is_count(landmarks):
        return spread_rows(check_whole(landmarks, "landmarks", owner, n), n, distances, seed)
    return np.unique(_rows(landmarks, n, owner)).astype(np.int64)


def merged_rows(landmarks: Any, place: IndexArray, owner: str) -> IndexArray:
    """Return the merged samples that given ones have become; place: of all of them, -1 for one of no weight."""
    rows = np.unique(place[_rows(landmarks, len(place), owner)])
    if rows[0] < 0:
        raise ValueError(f"The 'landmarks' parameter of {owner} has rows whose sample_weight is 0.")
    return rows


def _rows(landmarks: Any, n: int, owner: str) -> Any:
    rows = as_array(landmarks, "landmarks")
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or rows.size == 0:
        raise TypeError(
            f"The 'landmarks' parameter of {owner} must be None, a number of rows, or an array of row indices. "
            f"Got {landmarks!r} instead."
        )
    if rows.min() < 0 or rows.max() >= n:
        raise ValueError(f"The 'landmarks' parameter of {owner} has indices outside of the {n} rows of X.")
    return rows


def spread_rows(count: int, n: int, distances: SquaredDistances, seed: int) -> IndexArray:
    """
    Draw rows that lie apart, as k-means++ does.

    Each is drawn with probability proportional to its squared distance to the nearest one so far, in `count` passes
    over the samples; uniformly where duplicates alone are left.
    """
    if count == n:
        return np.arange(n, dtype=np.int64)
    rng = np.random.default_rng(seed)
    chosen = np.zeros(n, dtype=bool)
    nearest = np.ones(n)
    for drawn in range(count):
        weights = np.where(chosen, 0.0, nearest)
        if not weights.sum() > 0:
            weights = np.where(chosen, 0.0, 1.0)
        row = int(rng.choice(n, p=weights / weights.sum()))
        chosen[row] = True
        found = np.maximum(distances(row), 0.0)
        nearest = found if drawn == 0 else np.minimum(nearest, found)
    return np.flatnonzero(chosen).astype(np.int64)
