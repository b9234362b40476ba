# SPDX-License-Identifier: BSD-3-Clause
"""Labels of dask arrays: which there are, and sums over the rows of each."""

from typing import Any, NamedTuple, cast

import dask
import numpy as np
from sklearn.utils import assert_all_finite

from gramian._validation import AnyArray, FloatArray
from gramian.dask.data import Training, of_partition
from gramian.dask.spans import Span
from gramian.dask.sums import added, check_weights, samples_of, tree_sum
from gramian.models._shared.landmarks import IndexArray
from gramian.models._shared.weighted import Labels
from gramian.models.kernel_ridge.sums import Sums

_NUMBERS_OF_TARGETS = 2**22


class LabelCounts(NamedTuple):
    """The labels of some rows, in their order, and what is known of each."""

    labels: AnyArray
    rows: IndexArray
    """How many have a weight above 0."""
    weights: FloatArray
    """The sum of their weights."""
    first: IndexArray
    """The first row of those, or if there are none, of all with the label."""

    def plus(self, other: "LabelCounts") -> "LabelCounts":
        """Return those of all these rows; the other ones are behind these."""
        labels, place = np.unique(np.concatenate([self.labels, other.labels]), return_inverse=True)
        counts, rows = np.concatenate([self.rows, other.rows]), np.concatenate([self.first, other.first])
        first = np.empty(len(labels), dtype=np.int64)
        order = np.lexsort((rows, counts == 0))[::-1]
        first[place[order]] = rows[order]  # the one that is written last counts
        weights = np.bincount(place, np.concatenate([self.weights, other.weights]))
        return LabelCounts(labels, _totals(place, counts), cast(FloatArray, weights), first)


def label_counts(data: Training) -> LabelCounts:
    """Return those of all rows; X is not read."""
    count = dask.delayed(_counted, pure=True)
    firsts = np.cumsum((0, *data.X.chunks[0]))
    found: LabelCounts = tree_sum(
        lambda number, y, weights: count(number, int(firsts[number]), y, weights), (data.y, data.weights)
    )
    return found


def labelled_sums(span: Span, classes: AnyArray, factors: FloatArray | None, data: Training) -> Sums:
    """Return the normal system of all rows in the coordinates of landmarks; factors: of the weights, by class."""
    known, of_block = (dask.delayed(it, pure=True) for it in (span, _labelled))
    return cast(Sums, added(lambda number, *parts: of_block(number, known, classes, factors, *parts), data))


def _counted(number: int, first: int, y: Any, weights: Any) -> LabelCounts:
    with of_partition(number):
        labels, place = np.unique(_checked(y), return_inverse=True)
        w = np.ones(len(y)) if weights is None else check_weights(weights, len(y))
    behind = np.arange(len(y))[::-1]
    rows = np.zeros(len(labels), dtype=np.int64)
    for some in (behind, behind[w[behind] > 0]):  # the first one of those that count is written last
        rows[place[some]] = some
    weights_of = np.bincount(place, w, minlength=len(labels)).astype(np.float64)
    return LabelCounts(labels, _totals(place, w > 0), weights_of, first + rows)


def _totals(place: Any, counts: Any) -> IndexArray:
    """Return whole numbers that were summed up by place."""
    return np.bincount(place, counts).astype(np.int64)


def _checked(y: Any) -> AnyArray:
    """Return labels as scikit-learn takes them: names or whole numbers."""
    labels = np.asarray(y)
    assert_all_finite(labels, input_name="y")
    if labels.dtype.kind == "f" and (labels != np.rint(labels)).any():
        raise ValueError("y has numbers that are not whole: labels are names or whole numbers.")
    return labels


def _labelled(
    number: int, span: Span, classes: AnyArray, factors: FloatArray | None, X: Any, y: Any, weights: Any
) -> Sums:
    """Return the sums of a block; one may be empty."""
    engine, m = span.engine, len(classes)
    k = len(engine.pivots)
    total = Sums(np.zeros((k, k)), np.zeros((k, m)), np.zeros(m), 0.0)
    if len(X) == 0:
        return total
    with of_partition(number):
        samples = samples_of(X)
        labels = np.searchsorted(classes, np.asarray(y)).astype(np.int64)
        w = _weights(labels, factors, weights)
        step = max(1, _NUMBERS_OF_TARGETS // m)
        for some in (slice(first, first + step) for first in range(0, len(samples), step)):
            total = total.plus(_system(engine, samples[some], labels[some], m, None if w is None else w[some]))
    return total


def _system(engine: Any, X: FloatArray, labels: Labels, classes: int, weights: FloatArray | None) -> Sums:
    targets = np.zeros((len(X), classes))
    targets[np.arange(len(X)), labels] = 1.0
    found = engine.system(X, targets, None if weights is None else weights[:, None])
    return Sums(found.square, found.right, found.y_square, float(len(X) if weights is None else weights.sum()))


def _weights(labels: Labels, factors: FloatArray | None, weights: Any) -> FloatArray | None:
    given = None if weights is None else check_weights(weights, len(labels))
    if factors is None:
        return given
    return factors[labels] if given is None else factors[labels] * given
