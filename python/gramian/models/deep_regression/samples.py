# SPDX-License-Identifier: BSD-3-Clause
"""Samples of a concatenated regression: what the layers see of them, and which are left out in turn."""

import numbers
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FLOAT64, FloatArray, check_matrix, check_real, is_sparse
from gramian.models._shared.weighted import first_rows, merge
from gramian.points import check_points

Rows = npt.NDArray[np.int64]
Images = list[tuple[int, Any, FloatArray, float]]
"""Layer, loss, targets, weight."""


class Scaling(NamedTuple):
    """Columns become (column - shift) / scale."""

    shift: FloatArray
    scale: FloatArray

    def forward(self, A: Any) -> Any:
        """Return what the layers see. Sparse samples have no shift."""
        if is_sparse(A):
            return A.multiply(1 / self.scale).tocsr()
        return np.ascontiguousarray((A - self.shift) / self.scale)

    def back(self, A: FloatArray) -> FloatArray:
        """Return what it was."""
        return A * self.scale + self.shift


class Samples(NamedTuple):
    """Samples that count, each once, in an order that does not depend on that in which they came."""

    X: Any
    """An array, or a sparse matrix in compressed rows."""
    Y: FloatArray
    weights: FloatArray | None
    """None if all are 1."""
    images: Images
    place: Rows
    """Where each of the samples that came has gone; -1 for those of weight 0."""

    def subset(self, rows: Any) -> "Samples":
        """Return some of them as they are."""
        weights = None if self.weights is None else self.weights[rows]
        images = [(layer, loss, targets[rows], weight) for layer, loss, targets, weight in self.images]
        return Samples(self.X[rows], self.Y[rows], weights, images, self.place)

    def scaled(self, inputs: Scaling, outputs: Scaling) -> "Samples":
        """Return them as the layers see them."""
        return self._replace(X=inputs.forward(self.X), Y=outputs.forward(self.Y))


class Given(NamedTuple):
    """Samples as they came."""

    X: Any
    Y: FloatArray
    weights: FloatArray | None
    images: Images
    target: Any
    """What splits look at."""

    def part(self, rows: Any) -> Samples:
        """Return some of them, merged."""
        images = [(layer, loss, targets[rows], weight) for layer, loss, targets, weight in self.images]
        return in_order(self.X[rows], self.Y[rows], None if self.weights is None else self.weights[rows], images)


def check_images(image_targets: Any, n: int) -> Images:
    """Return what the images of inner layers are to be near."""
    if image_targets is None:
        return []
    if not isinstance(image_targets, dict):
        raise TypeError(f"image_targets must be a dict from layers to arrays. Got {image_targets!r} instead.")
    images: Images = []
    for layer, entry in image_targets.items():
        if not isinstance(layer, numbers.Integral) or isinstance(layer, bool) or layer < 1:
            raise ValueError(f"image_targets must have inner layers, counted from 1, as keys. Got {layer!r} instead.")
        whole = int(layer)
        given = entry if isinstance(entry, tuple) else (entry,)
        if len(given) not in (1, 2, 3):
            raise ValueError(f"image_targets[{layer}] must be targets, with a weight and a loss if need be.")
        weight, loss = given[1] if len(given) > 1 else 1.0, given[2] if len(given) > 2 else "squared"
        matrix = check_matrix(given[0], f"image_targets[{layer}]").astype(np.float64)
        if len(matrix) != n:
            raise ValueError(f"image_targets[{layer}] has {len(matrix)} rows, X has {n}.")
        images.append((whole, loss, matrix, check_real(weight, f"image_targets[{layer}][1]", "fit", inclusive=True)))
    return images


def in_order(X: Any, Y: FloatArray, weights: FloatArray | None, images: Images) -> Samples:
    """Return equal samples once, with the sum of their weights: a weight of two is a sample that is there twice."""
    beside = np.hstack([Y, *[targets for _, _, targets, _ in images]])
    merged = merge(_side_by_side(X, beside), np.zeros(len(Y), dtype=np.int64), weights)
    samples = Samples(X, Y, None, images, merged.place).subset(first_rows(merged.place, merged.X.shape[0]))
    return samples._replace(weights=merged.weights)


def as_they_came(X: Any, Y: FloatArray, images: Images) -> Samples:
    """Return all samples where they were, for those whose rows a message may name."""
    return Samples(X, Y, None, images, np.arange(len(Y)))


def moments(A: Any, weights: FloatArray | None) -> Scaling:
    """Return the means and deviations of the columns; a deviation of 1 where there is none.

    Of sparse columns, which must stay sparse, the means are left where they are.
    """
    given = None if weights is None else np.asarray(weights, dtype=np.float64)
    shift, scale = _core.gram.column_scaling(check_points(A, "X").crossing(FLOAT64), given)
    return Scaling(np.zeros_like(shift) if is_sparse(A) else shift, scale)


def unevenness(X: Any) -> tuple[float, float]:
    """Return the widest spread of a column and the largest number, both next to the narrowest spread."""
    low, high = (part.toarray().ravel() if is_sparse(X) else part for part in (X.min(axis=0), X.max(axis=0)))
    spread, size = high / 2 - low / 2, np.maximum(np.abs(low), np.abs(high)).max()
    varying = spread[spread > 0]
    return (float(varying.max() / varying.min()), float(size / varying.min())) if varying.size else (1.0, 1.0)


def check_distinct(samples: Samples, owner: str) -> None:
    """Raise a ValueError if rows are equal that a penalty of their distance is to keep apart."""
    X = samples.X.toarray() if is_sparse(samples.X) else samples.X
    order = np.lexsort(X.T)
    equal = np.flatnonzero((X[order[1:]] == X[order[:-1]]).all(axis=1))
    if equal.size:
        pair = sorted(int(np.argmax(samples.place == order[equal[0] + step])) for step in (0, 1))
        raise ValueError(
            f"The 'distance_penalty' parameter of {owner} keeps images apart, but rows {pair[0]} and {pair[1]} of X "
            "are equal and have different targets: it is infinite. Remove one of them, or set it to 0."
        )


def no_scaling(A: Any) -> Scaling:
    """Return the one that changes nothing."""
    return Scaling(np.zeros(A.shape[1]), np.ones(A.shape[1]))


def stacked(parts: Sequence[Any]) -> Any:
    """Return rows below each other."""
    if not is_sparse(parts[0]):
        return np.concatenate(parts)
    from scipy.sparse import vstack

    return vstack(parts, format="csr")


def _side_by_side(X: Any, beside: FloatArray) -> Any:
    if not is_sparse(X):
        return np.ascontiguousarray(np.hstack([X, beside]))
    from scipy.sparse import csr_matrix, hstack

    return hstack([X, csr_matrix(beside)], format="csr")


def folds(n: int, classes: Rows | None, count: int, seed: int) -> list[list[int]]:
    """Return the rows that each fold leaves out: drawn, and of each class as many."""
    order = np.random.default_rng(seed).permutation(n)
    if classes is not None:
        order = order[np.argsort(classes[order], kind="stable")]
    return [np.sort(order[fold::count]).tolist() for fold in range(count)]
