# SPDX-License-Identifier: BSD-3-Clause
"""Rows of the training data that support what is learned, and when "auto" takes them."""

import math
import numbers
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import LARGEST, as_array, check_whole, refused

IndexArray = npt.NDArray[np.int64]
CHOICES = "'auto', None, a number of rows, or an array of row indices"
"""What a parameter called landmarks may be."""


@dataclass(frozen=True)
class Switch:
    """When landmarks="auto" of a family leaves the exact fit, and for how many landmarks."""

    most_exact: int
    """The number of samples up to which a fit is exact."""
    per_root: float
    """Landmarks for each root of the number of samples beyond it."""
    most: int = LARGEST
    """Landmarks at most."""
    stored: float = 0.0
    """Numbers that an exact fit keeps in memory for each pair of samples."""
    searched: int = LARGEST
    """Rows that a search for layers with automatic landmarks sees at most."""

    def landmarks_of(self, n: int, budget: int | None = None) -> int | None:
        """Return `automatic_count` of n samples; budget: bytes that the parameters allow."""
        needed = math.ceil(self.stored * n * n * np.dtype(np.float64).itemsize)
        allowed = self.most_exact if budget is None or needed <= budget else 0
        count = automatic_count(n, allowed, self.per_root, needed)
        return None if count is None else min(count, self.most)

    def sentence(self, what: str = "rows") -> str:
        """Return what the documentation of each estimator says of it; a test compares."""
        bound = "" if self.most == LARGEST else f", at most {self.most}"
        return (
            f'``"auto"`` is None up to {self.most_exact} samples, if an exact fit has room in memory, and beyond that '
            rf":math:`{self.per_root:g} \sqrt n` {what}{bound}."
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
