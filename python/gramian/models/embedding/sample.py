# SPDX-License-Identifier: BSD-3-Clause
"""What an embedding classifier learns from: samples as they came, or copies that can be split."""

from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from gramian._validation import FloatArray
from gramian.models._shared.weighted import Labels, Merged, equal_rows_together

_MOST_COPIES = 5


def unmerged(X: Any, labels: Labels, weights: FloatArray | None) -> Merged:
    """Return samples as they came, for those that have no coordinates to be compared by."""
    return Merged(X, labels, weights, np.arange(len(labels)))


class Drawn(NamedTuple):
    """What is split into samples that are learned from and held-out ones."""

    X: Any
    labels: Labels
    weights: FloatArray | None
    group: npt.NDArray[np.int64] | None
    """Of which sample each of them is a copy, ascending; None if there are no copies."""

    def rows(self, of: npt.NDArray[np.int64] | None) -> npt.NDArray[np.int64] | None:
        """Return a copy of each of these samples."""
        return of if of is None or self.group is None else np.searchsorted(self.group, of)

    def together(self, coefficients: FloatArray) -> FloatArray:
        """Return the sum over all copies of each sample."""
        if self.group is None:
            return coefficients
        first = np.flatnonzero(np.diff(self.group, prepend=-1))
        return cast(FloatArray, np.add.reduceat(coefficients, first, axis=0))


def draws(merged: Merged, splits: bool) -> Drawn:
    """
    Return some copies of samples that were there several times, beside others of their point with other labels.

    These are draws of a distribution at that point. Held out all at once, their label would seem not to occur there.
    """
    X, labels, weights, _ = merged
    if weights is None or not splits:
        return Drawn(X, labels, weights, None)
    order, first = equal_rows_together(X, np.zeros_like(labels), np.arange(len(labels)))
    point = np.empty_like(order)
    point[order] = np.cumsum(first) - 1
    labels_there = np.bincount(point)[point]
    copies = np.where(labels_there > 1, np.clip(weights, 1, _MOST_COPIES), 1).astype(np.int64)
    if (copies == 1).all():
        return Drawn(X, labels, weights, None)
    group = np.repeat(np.arange(len(labels)), copies)
    return Drawn(X[group], labels[group], (weights / copies)[group], group)
