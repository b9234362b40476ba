# SPDX-License-Identifier: BSD-3-Clause
"""Weighted samples in models of squared errors, in which a weight is a factor of a sample's features: its root."""

from typing import Any, cast

import numpy as np

from gramian._validation import FloatArray, is_sparse
from gramian.kernels.choice import KernelChoice, OpenKernel, decided_kernel
from gramian.models._shared.samples import count_of, rows_of

_MOST_ROWS = 1000


def roots_of(weights: FloatArray | None) -> FloatArray | None:
    """Return the roots of weights that are brought to the mean 1, so that their sum is the number of samples."""
    return None if weights is None else cast(FloatArray, np.sqrt(weights / weights.mean()))


def scaled_gram(K: FloatArray, roots: FloatArray | None) -> FloatArray:
    """Return the Gram matrix of features times these roots."""
    return K if roots is None else np.ascontiguousarray(roots[:, None] * K * roots)


def times_rows(A: FloatArray, roots: FloatArray | None) -> FloatArray:
    """Return the rows of A times these roots."""
    return A if roots is None else np.ascontiguousarray((A.T * roots).T)


def without_zeros(weights: FloatArray | None, *samples: Any) -> tuple[FloatArray | None, list[Any]]:
    """Return weights above 0 and their samples; no weights if all are 1."""
    if weights is None:
        return None, list(samples)
    counts = np.flatnonzero(weights)
    if len(counts) < len(weights):
        weights, samples = weights[counts], tuple(rows_of(some, counts) for some in samples)
    return (None if (weights == 1).all() else weights), list(samples)


def weighted_width(chosen: KernelChoice, X: Any, weights: FloatArray | None) -> Any:
    """
    Return the kernel with its width by the median rule, if that is open.

    It is that of the samples with each of them as often as its weight says: pairs of copies are at distance 0.
    """
    if weights is None or not isinstance(chosen, OpenKernel):
        return decided_kernel(chosen, X)
    return chosen.with_gamma(_weighted_gamma(X, weights), X.shape[1])


def _weighted_gamma(X: Any, weights: FloatArray) -> float:
    if count_of(X) > _MOST_ROWS:
        rows = np.sort(np.random.default_rng(0).permutation(count_of(X))[:_MOST_ROWS])
        X, weights = X[rows], weights[rows]
    points = X.toarray() if is_sparse(X) else X
    points = points - points.mean(axis=0)
    inner = points @ points.T
    squares = np.diagonal(inner)
    i, j = np.tril_indices(len(points), -1)
    distances = np.maximum(squares[i] + squares[j] - 2 * inner[i, j], 0.0)
    pairs = weights[i] * weights[j]
    of_copies = float(np.maximum(weights * (weights - 1), 0.0).sum()) / 2
    order = np.argsort(distances)
    total = of_copies + float(pairs.sum())
    place = int(np.searchsorted(of_copies + np.cumsum(pairs[order]), total / 2, side="right"))
    median = float(distances[order[place]]) if of_copies <= total / 2 and place < len(order) else 0.0
    mean = float((pairs * distances).sum()) / total if total > 0 else 0.0
    middle = median if median > 0 else mean
    return 1.0 / middle if middle > 0 else 1.0
