# SPDX-License-Identifier: BSD-3-Clause
"""Rows of the training data that support what is learned, and when "auto" takes them."""

import math
import numbers
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import as_array, check_whole, refused

IndexArray = npt.NDArray[np.int64]
CHOICES = "'auto', None, a number of rows, or an array of row indices"
"""What a parameter called landmarks may be."""


class Switch(NamedTuple):
    """The number of samples up to which "auto" takes all of them, and the landmarks beyond, for each root of n."""

    most_exact: int
    per_root: float

    def landmarks_of(self, n: int, exact_bytes: int = 0) -> int | None:
        """Return `automatic_count` of n samples."""
        return automatic_count(n, self.most_exact, self.per_root, exact_bytes)

    @property
    def sentence(self) -> str:
        """What the documentation of each estimator says of it; a test compares."""
        return (
            f'``"auto"``: all rows up to {self.most_exact} samples, if memory has room for them, and '
            rf":math:`{self.per_root:g} \sqrt n` landmarks beyond."
        )


def automatic_count(n: int, most_exact: int, per_root: float, exact_bytes: int = 0) -> int | None:
    """
    Return how many landmarks "auto" takes of n samples; None: all samples.

    exact_bytes: what a fit to all of them needs. Beyond the limit of memory there are landmarks in their place.
    """
    if n <= most_exact and exact_bytes <= _core.base.memory_report().limit:
        return None
    return min(n, math.ceil(per_root * math.sqrt(n)))


def is_automatic(landmarks: Any) -> bool:
    """Tell whether a parameter leaves the choice to `automatic_count`."""
    return isinstance(landmarks, str) and landmarks == "auto"


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
        raise refused("landmarks", owner, CHOICES, landmarks, TypeError)
    if rows.min() < 0 or rows.max() >= n:
        raise ValueError(f"The 'landmarks' parameter of {owner} has indices outside of the {n} rows of X.")
    return rows
