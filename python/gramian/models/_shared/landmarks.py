# SPDX-License-Identifier: BSD-3-Clause
"""Rows of the training data that support all layers."""

import numbers
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import as_array, check_whole, refused

IndexArray = npt.NDArray[np.int64]


def is_count(value: Any) -> bool:
    """Tell whether a parameter is a number of something, and not a list of them."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def choose_landmarks(landmarks: Any, n: int, points: Any, seed: int, owner: str) -> IndexArray | None:
    """Return the rows in ascending order, or None for all of them; points: what the binding takes for all samples."""
    if landmarks is None:
        return None
    if is_count(landmarks):
        draws = np.random.default_rng(seed).random(check_whole(landmarks, "landmarks", owner, n))
        return _core.gram.spread_rows(points, draws)
    return given_rows(landmarks, n, owner)


def given_rows(landmarks: Any, n: int, owner: str) -> IndexArray:
    """Return given rows of n samples, each once, in ascending order."""
    return cast(IndexArray, np.unique(_rows(landmarks, n, owner)).astype(np.int64))


def merged_rows(landmarks: Any, place: IndexArray, owner: str) -> IndexArray:
    """Return the merged samples that given ones have become; place: of all of them, -1 for one of no weight."""
    rows = np.unique(place[_rows(landmarks, len(place), owner)])
    if rows[0] < 0:
        raise ValueError(f"The 'landmarks' parameter of {owner} has rows whose sample_weight is 0.")
    return rows


def _rows(landmarks: Any, n: int, owner: str) -> Any:
    rows = as_array(landmarks, "landmarks")
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or rows.size == 0:
        raise refused("landmarks", owner, "None, a number of rows, or an array of row indices", landmarks, TypeError)
    if rows.min() < 0 or rows.max() >= n:
        raise ValueError(f"The 'landmarks' parameter of {owner} has indices outside of the {n} rows of X.")
    return rows
