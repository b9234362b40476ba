# SPDX-License-Identifier: BSD-3-Clause
"""How fast are the Grams of other kernels than the Gaussian?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from bench.data import points, sampled_rows
from bench.registry import OURS, Contest, row

SIZES = [{"n": 2000, "d": 8}, {"n": 8000, "d": 8}]


@row("gram-laplacian-l1", SIZES)
def gram_laplacian_l1(n: int, d: int) -> Contest:
    """exp(-|x - y|_1 / d), as scikit-learn's laplacian_kernel."""
    import gramian
    from sklearn.metrics.pairwise import laplacian_kernel

    X, kernel = points(n, d), gramian.kernels.Laplacian(gamma=1 / d, norm="l1")
    return _contest(
        X, kernel, lambda: laplacian_kernel(X, gamma=1 / d), lambda r: np.exp(-cdist(X[r], X, "cityblock") / d)
    )


@row("gram-matern32", SIZES)
def gram_matern32(n: int, d: int) -> Contest:
    """Matérn 3/2."""
    return _matern(n, d, 1.5, lambda u: (1 + u) * np.exp(-u), 3.0)


@row("gram-matern52", SIZES)
def gram_matern52(n: int, d: int) -> Contest:
    """Matérn 5/2."""
    return _matern(n, d, 2.5, lambda u: (1 + u + u * u / 3) * np.exp(-u), 5.0)


@row("gram-polynomial", SIZES)
def gram_polynomial(n: int, d: int) -> Contest:
    """(<x, y> / d + 1)^3."""
    import gramian
    from sklearn.metrics.pairwise import polynomial_kernel

    X, kernel = points(n, d), gramian.kernels.Polynomial(degree=3, gamma=1 / d, coef0=1)
    return _contest(
        X, kernel, lambda: polynomial_kernel(X, degree=3, gamma=1 / d, coef0=1), lambda r: (X[r] @ X.T / d + 1) ** 3
    )


def _matern(n: int, d: int, nu: float, value: Callable[[Any], Any], squared_factor: float) -> Contest:
    import gramian
    from sklearn.gaussian_process.kernels import Matern

    X, scale = points(n, d), float(np.sqrt(d))
    theirs, factor = Matern(length_scale=scale, nu=nu), np.sqrt(squared_factor) / scale
    return _contest(
        X,
        gramian.kernels.Matern(nu=nu, length_scale=scale),
        lambda: theirs(X),
        lambda r: value(factor * cdist(X[r], X)),
    )


def _contest(X: Any, kernel: Any, theirs: Callable[[], Any], rows_of: Callable[[Any], Any]) -> Contest:
    import gramian

    rows = sampled_rows(len(X))
    expected = rows_of(rows)

    def error(K: Any) -> float:
        return float(np.abs(K[rows] - expected).max() / np.abs(expected).max())

    return Contest({OURS: lambda: gramian.gram(kernel, X), "scikit-learn": theirs}, error, tolerance=1e-11)
