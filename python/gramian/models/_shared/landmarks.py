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


def choose_landmarks(landmarks: Any, n: int, distances: SquaredDistances, seed: int, owner: str) -> IndexArray | None:
    """Return the rows in ascending order, or None for all of them."""
    if landmarks is None:
        return None
    if isinstance(landmarks, numbers.Integral) and not isinstance(landmarks, bool):
        count = check_whole(landmarks, "landmarks", owner, n)
        return spread_rows(count, n, distances, seed)
    rows = as_array(landmarks, "landmarks")
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or rows.size == 0:
        raise TypeError(
            f"The 'landmarks' parameter of {owner} must be None, a number of rows, or an array of row indices. "
            f"Got {landmarks!r} instead."
        )
    if rows.min() < 0 or rows.max() >= n:
        raise ValueError(f"The 'landmarks' parameter of {owner} has indices outside of the {n} rows of X.")
    return np.unique(rows).astype(np.int64)


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
