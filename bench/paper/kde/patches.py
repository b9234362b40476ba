# SPDX-License-Identifier: BSD-3-Clause
"""
Ridge regression with sums of separable operator-valued kernels that are diagonal in the outputs.

K(x, x') = sum_p k_p(x, x') diag(indicator of the outputs of part p): outputs with the same parts share one kernel, the
sum of theirs, so that every such group is a ridge regression of its own. With patches of pictures as parts this is the
patch-wise joint kernel of Weston et al. 2007 for a linear output kernel.
"""

from __future__ import annotations

from collections.abc import Iterator

import gramian
import numpy as np
from gramian.kernels import Gaussian
from gramian.linalg import cholesky
from numpy.typing import NDArray

SIZE, STEP = 10, 5

Matrix = NDArray[np.float64]


def ridge(K: Matrix, Y: Matrix, alpha: float) -> Matrix:
    """(K + alpha I)^-1 Y."""
    return cholesky(K + alpha * np.eye(len(K))).solve(Y)


def starts(length: int, size: int = SIZE, step: int = STEP) -> list[int]:
    """Where patches begin; the last one ends at the border."""
    regular = list(range(0, length - size + 1, step))
    return regular if regular[-1] + size == length else [*regular, length - size]


def patches(shape: tuple[int, int]) -> list[NDArray[np.int64]]:
    """The pixels of each patch."""
    places = np.arange(shape[0] * shape[1]).reshape(shape)
    return [places[r : r + SIZE, c : c + SIZE].ravel() for r in starts(shape[0]) for c in starts(shape[1])]


def groups(parts: list[NDArray[np.int64]], outputs: int) -> Iterator[tuple[tuple[int, ...], NDArray[np.int64]]]:
    """Sets of parts, and the outputs that belong to exactly these."""
    members = np.zeros((outputs, len(parts)), dtype=bool)
    for number, part in enumerate(parts):
        members[part, number] = True
    kinds, kind_of = np.unique(members, axis=0, return_inverse=True)
    for number, kind in enumerate(kinds):
        yield tuple(np.flatnonzero(kind)), np.flatnonzero(kind_of.ravel() == number)


def patchwise(X: Matrix, Y: Matrix, new: Matrix, shape: tuple[int, int], width: float, alpha: float) -> Matrix:
    """Predictions with Gaussians of patches of the input; a patch of the output belongs to that at the same place."""
    parts = patches(shape)
    kernel = Gaussian(length_scale=width)
    within = [gramian.gram(kernel, np.ascontiguousarray(X[:, part])) for part in parts]
    across = [
        gramian.gram(kernel, np.ascontiguousarray(new[:, part]), np.ascontiguousarray(X[:, part])) for part in parts
    ]
    predicted = np.empty((len(new), Y.shape[1]))
    for some, outputs in groups(parts, Y.shape[1]):
        K, cross = (sum(grams[part] for part in some) for grams in (within, across))
        predicted[:, outputs] = cross @ ridge(K, np.ascontiguousarray(Y[:, outputs]), alpha)
    return predicted
