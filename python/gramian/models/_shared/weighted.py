# SPDX-License-Identifier: BSD-3-Clause
"""Weighted samples, so that a weight of two and a sample that is there twice are the same, to the last bit."""

import hashlib
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import _check_sample_weight

from gramian import _core
from gramian._validation import FLOAT64, FloatArray, aligned, is_sparse, refuse_lossy
from gramian.models._shared.samples import rows_of
from gramian.points import check_points

_ENTRIES_AT_A_TIME = 2**20
_Hashes = npt.NDArray[np.uint64]
Labels = npt.NDArray[np.int64]


class Merged(NamedTuple):
    """Distinct samples in an order that does not depend on that in which they came."""

    X: Any
    labels: Labels
    weights: FloatArray | None
    """None if all are 1."""
    place: npt.NDArray[np.int64]
    """Where each of the samples that came has gone; -1 for those of weight 0."""


class Distinct(NamedTuple):
    """Distinct samples: in the order of X if all are, else in one that does not depend on that in which they came."""

    rows: npt.NDArray[np.int64]
    """Where the first of each is."""
    weights: FloatArray | None
    """None if all are 1."""
    place: npt.NDArray[np.int64]
    """Where each of the samples that came has gone; -1 for those of weight 0."""
    share: FloatArray
    """The part that each of the samples that came has in the weight there."""

    @property
    def total(self) -> float:
        """The sum of the weights."""
        return float(len(self.rows) if self.weights is None else self.weights.sum())

    @property
    def whole(self) -> bool:
        """Whether all that came are distinct, and none is left out."""
        return len(self.rows) == len(self.place)

    @property
    def as_they_came(self) -> bool:
        """Whether they are where they were in X."""
        return self.whole and self.weights is None

    def of(self, samples: Any) -> Any:
        """Return them from all that came."""
        return samples if self.as_they_came else rows_of(samples, self.rows)

    def spread(self, weights: FloatArray) -> FloatArray:
        """Return columns for all samples that came from columns for the distinct ones."""
        return weights[:, self.place] * self.share

    def only(self, some: npt.NDArray[np.int64]) -> "Distinct":
        """Return some of them, for what is the same without the others: the first sample of each, with weight 1."""
        place = np.full(len(self.place), -1, dtype=np.int64)
        place[self.rows[some]] = np.arange(len(some))
        return Distinct(self.rows[some], None, place, (place >= 0).astype(np.float64))

    def moved(self, order: npt.NDArray[np.int64]) -> "Distinct":
        """Return them in another order."""
        places = np.append(np.argsort(order), -1)  # the last one is where -1 leads to
        weights = None if self.weights is None else self.weights[order]
        return Distinct(self.rows[order], weights, places[self.place], self.share)


def check_sample_weight(sample_weight: Any, X: Any) -> FloatArray | None:
    """Return a weight for each sample; None for 1 each."""
    if sample_weight is None:
        return None
    refuse_lossy(sample_weight, "sample_weight")
    weights = cast(FloatArray, aligned(_check_sample_weight(sample_weight, X, dtype=np.float64)))
    if (weights < 0).any():
        raise ValueError("sample_weight must hold numbers of at least 0: a sample can't be there less than never.")
    require_some_weight(float(weights.sum()))
    return weights


def require_some_weight(total: float) -> None:
    """Raise an error if all samples have weight 0."""
    if not total > 0:
        raise ValueError("sample_weight must contain at least one non-zero number.")


def weighted_mean(values: FloatArray, sample_weight: Any) -> float:
    """Return the mean over samples, each as often as its weight says."""
    weights = check_sample_weight(sample_weight, values)
    return float(values.mean() if weights is None else np.average(values, weights=weights))


def merge(X: Any, labels: Labels, weights: FloatArray | None) -> Merged:
    """Return each pair of a row and a label once, with the sum of its weights; without those of weight 0."""
    rows, counts, place = _grouped(X, labels, weights)
    return Merged(X[rows], labels[rows], counts, place)


def _grouped(
    X: Any, labels: Labels, weights: FloatArray | None, units: bool = False
) -> tuple[npt.NDArray[np.int64], FloatArray | None, npt.NDArray[np.int64]]:
    """Return one row of each group of equal ones, the weights of the groups unless all are 1, and the group of each."""
    place = np.full(len(labels), -1, dtype=np.int64)
    kept = np.arange(len(labels)) if weights is None else np.flatnonzero(weights > 0)
    order, first = equal_rows_together(X, labels, kept, units)
    group = np.cumsum(first) - 1
    place[order] = group
    counts = np.bincount(group, None if weights is None else weights[order])
    ones = bool((counts == 1).all())
    return order[first], None if ones else counts.astype(np.float64), place


def distinct(X: Any, weights: FloatArray | None, gram: bool = False) -> Distinct:
    """Return equal rows once, with the sum of their weights; without those of weight 0. gram: X is a Gram matrix."""
    n = X.shape[0]
    groups, totals, place = _grouped(X, np.zeros(n, dtype=np.int64), weights, units=True)
    share = (place >= 0).astype(np.float64) if weights is None else weights.copy()
    if totals is not None:
        share /= totals[place]
    found = Distinct(first_rows(place, len(groups)), totals, place, share)
    if found.as_they_came:
        return found.moved(np.argsort(found.rows))
    if not gram:
        return found
    # Columns come in the order of the samples, so keys of rows must not depend on it.
    own = np.sort(X[np.ix_(found.rows, found.rows)], axis=1)
    return found.moved(np.argsort(_dense_keys(own, np.zeros(len(own), dtype=np.int64))))


def first_rows(place: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    """Return where each of the distinct samples came first."""
    first = np.empty(count, dtype=np.int64)
    came = np.flatnonzero(place >= 0)[::-1]
    first[place[came]] = came
    return first


def order_of_samples(
    place: npt.NDArray[np.int64], count: int, rows: npt.NDArray[np.int64] | None = None
) -> npt.NDArray[np.int64]:
    """Return the order that puts distinct samples, or some rows of them, as they came in X."""
    first = first_rows(place, count)
    return np.argsort(first if rows is None else first[rows])


def equal_rows_together(
    X: Any, labels: Labels, kept: npt.NDArray[np.int64], units: bool = False
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """
    Return rows so that equal ones are neighbours, and which of them differ from the one before.

    Their order is as good as random. It depends on the order of the numbers in each column, and so not on their units;
    with `units` on their bits, which takes less time.
    """
    keys = np.zeros(len(labels), dtype=np.uint64)
    if units:
        keys = (_sparse_keys if is_sparse(X) else _dense_keys)(X, labels)
    else:
        own = X if len(kept) == len(labels) else X[kept]
        keys[kept] = (_sparse_places if is_sparse(X) else _dense_places)(own, labels[kept])
    points = check_points(X, "X").crossing(FLOAT64)
    return _core.gram.distinct_rows(points, np.ascontiguousarray(labels), kept, keys)


def _dense_keys(X: FloatArray, labels: Labels) -> _Hashes:
    """Return a hash of each row with its label."""
    draws = np.random.default_rng(0).integers(2**64, size=X.shape[1] + 1, dtype=np.uint64) | np.uint64(1)
    keys = labels.astype(np.uint64) * draws[-1]
    rows = max(1, _ENTRIES_AT_A_TIME // X.shape[1])
    for start in range(0, len(X), rows):
        bits = (X[start : start + rows] + 0.0).view(np.uint64)  # -0.0 is 0.0
        # A whole number has its bits at the top, where a product keeps few of them.
        mixed = (bits ^ (bits >> np.uint64(32))) * draws[:-1]
        keys[start : start + rows] += (mixed ^ (mixed >> np.uint64(29))).sum(axis=1, dtype=np.uint64)
    return cast(_Hashes, keys)


def _sparse_keys(X: Any, labels: Labels) -> _Hashes:
    rows = X.copy()
    rows.sum_duplicates()
    rows.eliminate_zeros()
    columns = rows.indices.astype(np.int64)
    keys = np.empty(len(labels), dtype=np.uint64)
    for i, label in enumerate(labels):
        entries = slice(rows.indptr[i], rows.indptr[i + 1])
        digest = hashlib.blake2b(columns[entries].tobytes(), digest_size=8)
        digest.update(rows.data[entries].tobytes() + int(label).to_bytes(8, "little"))
        keys[i] = int.from_bytes(digest.digest(), "little")
    return keys


def _dense_places(X: FloatArray, labels: Labels) -> _Hashes:
    """Return a hash of each row's places in the columns, and its label."""
    draws = np.random.default_rng(0).integers(2**64, size=X.shape[1] + 1, dtype=np.uint64) | np.uint64(1)
    keys = labels.astype(np.uint64) * draws[-1]
    columns = max(1, _ENTRIES_AT_A_TIME // max(1, len(X)))
    for start in range(0, X.shape[1], columns):
        some = slice(start, min(start + columns, X.shape[1]))
        mixed = _ranks(X[:, some]) * draws[:-1][some]
        keys += (mixed ^ (mixed >> np.uint64(29))).sum(axis=1, dtype=np.uint64)
    return cast(_Hashes, keys)


def _ranks(X: FloatArray) -> _Hashes:
    """Return how many smaller numbers each column has, each of them counted once; plus one."""
    order = np.argsort(X, axis=0, kind="stable")
    ordered = np.take_along_axis(X, order, axis=0)
    ranks = np.empty(X.shape, dtype=np.uint64)
    steps = np.ones(X.shape, dtype=np.uint64)
    steps[1:] = ordered[1:] != ordered[:-1]
    np.put_along_axis(ranks, order, steps.cumsum(axis=0, dtype=np.uint64), axis=0)
    return ranks


def _sparse_places(X: Any, labels: Labels) -> _Hashes:
    rows = X.copy()
    rows.sum_duplicates()
    rows.eliminate_zeros()
    columns = rows.indices.astype(np.int64)
    # Each pair of a column and a number that is stored there has a number of its own.
    order = np.lexsort((rows.data, columns))
    steps = np.ones(len(order), dtype=np.int64)
    steps[1:] = (np.diff(columns[order]) != 0) | (np.diff(rows.data[order]) != 0)
    pairs = np.empty(len(order), dtype=np.int64)
    pairs[order] = steps.cumsum()
    keys = np.empty(len(labels), dtype=np.uint64)
    for i, label in enumerate(labels):
        entries = slice(rows.indptr[i], rows.indptr[i + 1])
        digest = hashlib.blake2b(columns[entries].tobytes(), digest_size=8)
        digest.update(pairs[entries].tobytes() + int(label).to_bytes(8, "little"))
        keys[i] = int.from_bytes(digest.digest(), "little")
    return keys
