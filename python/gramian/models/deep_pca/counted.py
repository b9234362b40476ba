# SPDX-License-Identifier: BSD-3-Clause
"""Samples of a deep kernel PCA as often as their weights say, and those of weight 0 left out."""

from typing import Any, NamedTuple

import numpy as np

from gramian._validation import FloatArray
from gramian.models._shared.landmarks import IndexArray, merged_rows
from gramian.models._shared.samples import rows_of
from gramian.models._shared.sums import rows_seen, some_rows
from gramian.models._shared.weighted import check_sample_weight
from gramian.points import SourcePoints


class Counted(NamedTuple):
    """How often each sample is there."""

    size: int
    """The number of samples that came."""
    rows: IndexArray | None
    """Those of a weight above 0; None if all are."""
    weights: FloatArray | None
    """Of all that came; None if all are 1."""

    @property
    def present(self) -> int:
        """The number of samples that are there."""
        return self.size if self.rows is None else len(self.rows)

    def asked(self, landmarks: Any, owner: str) -> Any:
        """Return landmarks as rows of the samples that are there; numbers, and names, stay as they are."""
        if self.rows is None or landmarks is None or not np.ndim(landmarks):
            return landmarks
        place = np.full(self.size, -1, dtype=np.int64)
        place[self.rows] = np.arange(self.present)
        return merged_rows(landmarks, place, owner)

    def among_all(self, rows: IndexArray | None) -> IndexArray | None:
        """Return rows of the samples that are there as rows of all that came."""
        return rows if rows is None or self.rows is None else self.rows[rows]

    def of(self, samples: Any) -> Any:
        """Return those that are there of samples in vectors; rows that are read stay where they are."""
        return samples if self.rows is None or isinstance(samples, SourcePoints) else rows_of(samples, self.rows)

    def seen(self, samples: Any) -> tuple[Any, FloatArray | None]:
        """Return samples that a kernel is chosen by, and their weights."""
        if not isinstance(samples, SourcePoints):
            return self.of(samples), self.some(self.rows)
        rows = rows_seen(samples)
        return some_rows(samples, rows), self.some(rows)

    def some(self, rows: IndexArray | None) -> FloatArray | None:
        """Return the weights of some of all that came, or of all; None if all are 1."""
        if self.weights is None:
            return None
        found = self.weights if rows is None else self.weights[rows]
        return None if (found == 1).all() else found

    def total(self, rows: IndexArray | None) -> float:
        """Return the sum of the weights of some, or of all."""
        if self.weights is None:
            return float(self.size if rows is None else len(rows))
        return float(self.weights.sum() if rows is None else self.weights[rows].sum())


def counted(sample_weight: Any, size: int) -> Counted:
    """Return what weights say of so many samples."""
    weights = check_sample_weight(sample_weight, np.empty((size, 0)))
    if weights is None or (weights == 1).all():
        return Counted(size, None, None)
    return Counted(size, None if weights.all() else np.flatnonzero(weights), weights)


def share_of(weights: FloatArray | None, count: int) -> FloatArray:
    """Return the part that each sample has in a mean."""
    return np.full(count, 1.0 / count) if weights is None else weights / weights.sum()


def mean_of(features: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Return the mean of features, each as often as its weight says."""
    found: FloatArray = features.mean(axis=0) if weights is None else share_of(weights, len(features)) @ features
    return found
