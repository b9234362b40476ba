# SPDX-License-Identifier: BSD-3-Clause
"""
An input kernel's feature space in the span of landmarks, from kernel values of the samples with these only.

The basis phi(z) of the m landmarks becomes orthonormal by a Cholesky factor L of their Gram matrix. A sample has the
coordinates c = L^-1 k(z, x), and a part of length r = sqrt(k(x, x) - |c|^2) outside of the span. The points (c, r) have
the norms of phi(x), and its inner products with the landmarks, for which r is 0: layers that landmarks support see
nothing else of a sample. Reconstructions in the span miss r: it is a constant of the objective.
"""

from typing import Any, NamedTuple, cast

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpstrf

from gramian import _core
from gramian._validation import FloatArray
from gramian.functional import gram
from gramian.kernels import Kernel
from gramian.models._shared.feature_space import input_gram
from gramian.models._shared.landmarks import IndexArray, is_count
from gramian.models._shared.layers import LayerPlan
from gramian.models._shared.samples import rows_of, squared_norms
from gramian.points import InnerProducts

_DEPENDENT = 1e-10
"""Landmarks are left out that others represent up to this part of the largest squared norm."""
_MATRICES = 6
"""Of n x m numbers, that a fit keeps at once."""


class Spanned(NamedTuple):
    """Distinct samples as layers on landmarks see them."""

    rows: IndexArray
    """The landmarks, ascending."""
    points: FloatArray
    """n x (m + 1): (c, r)."""
    targets: FloatArray
    """n x m: c."""
    factor: FloatArray
    """m x m: L, of the landmarks in the order of X."""
    order: IndexArray
    """The landmarks in the order of X."""
    squares: FloatArray
    """n: k(x, x)."""

    def left_out(self, weights: FloatArray | None) -> float:
        """Return the mean of r^2."""
        return float(np.average(self.points[:, -1] ** 2, weights=weights))

    def reconstruction(self, coefficients: FloatArray) -> FloatArray:
        """Return what kernel values of codes are multiplied with for the weights of landmarks, in the order of X."""
        found: FloatArray = solve_triangular(self.factor, coefficients.T, lower=True, trans="T").T
        return np.ascontiguousarray(found)


def span(kernel: Kernel, X: Any, came: IndexArray, asked: Any, seed: int) -> Spanned:
    """Return samples in the span of landmarks; came: their rows of X; asked: a number of landmarks, or rows of X."""
    n, squares = len(came), np.asarray(squared_norms(kernel, X))
    count = min(int(asked), n) if is_count(asked) else len(asked)
    _core.base.require_memory(8 * _MATRICES * n * (count + 1), "the training in the span of landmarks", "")
    rows, K = _spread(kernel, X, squares, count, seed) if is_count(asked) else (asked, _columns(kernel, X, asked))
    kept = np.sort(_independent(K[rows]))
    rows, K = rows[kept], K[:, kept]
    by_place = np.argsort(came[rows])
    order, K = rows[by_place], K[:, by_place]
    factor = np.linalg.cholesky(K[order])
    C = np.ascontiguousarray(solve_triangular(factor, K.T, lower=True).T)
    C[order] = factor
    rest = np.sqrt(np.maximum(squares - np.einsum("ij,ij->i", C, C), 0.0))
    rest[order] = 0.0
    return Spanned(np.sort(order), np.hstack([C, rest[:, None]]), C, factor, order, squares)


def require_inner(plan: LayerPlan) -> None:
    """Raise an error if a kernel of the first layer is none of inner products: it would see coordinates of a basis."""
    for kernel, _ in plan.terms:
        gram(kernel, InnerProducts(np.eye(2)))


def _columns(kernel: Kernel, X: Any, rows: IndexArray) -> FloatArray:
    return input_gram(kernel, X, rows_of(X, rows))


def _spread(kernel: Kernel, X: Any, squares: FloatArray, count: int, seed: int) -> tuple[IndexArray, FloatArray]:
    """Return landmarks as k-means++ draws them in the feature space, and all kernel values with them."""
    n = len(squares)
    chosen: list[int] = []
    K: FloatArray = np.empty((n, count), order="F")
    nearest, weights = np.full(n, np.inf), np.ones(n)
    for draw in np.random.default_rng(seed).random(count):
        below = np.cumsum(weights)
        row = min(int(np.searchsorted(below, draw * below[-1], side="right")), n - 1)
        K[:, len(chosen)] = _columns(kernel, X, np.array([row]))[:, 0]
        distances = squares + squares[row] - 2.0 * K[:, len(chosen)]
        chosen.append(row)
        nearest = np.minimum(nearest, np.maximum(distances, 0.0))
        nearest[row] = 0.0
        weights = nearest
        if not weights.any():
            break
    return np.array(chosen), K[:, : len(chosen)]


def _independent(K: FloatArray) -> IndexArray:
    """Return the rows of a Gram matrix that represent all others."""
    _, pivots, rank, _ = dpstrf(K, tol=_DEPENDENT * float(np.diagonal(K).max()), lower=1)
    if rank == 0:
        raise ValueError("X is zero in the feature space: all inner products are 0, and no two samples differ.")
    return cast(IndexArray, pivots[:rank].astype(np.int64) - 1)
