# SPDX-License-Identifier: BSD-3-Clause
"""Points, and references that share no formula with the contestants (direct differences, no product form)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

SAMPLED_ROWS = 256


def points(n: int, d: int, dtype: str = "float64", seed: int = 0) -> NDArray[Any]:
    """Standard normal rows."""
    return np.random.default_rng(seed).standard_normal((n, d)).astype(dtype)


def default_gamma(d: int) -> float:
    """Makes typical entries of the Gram exp(-1)."""
    return 1.0 / (2.0 * d)


def sampled_rows(n: int) -> NDArray[np.intp]:
    """Evenly spaced rows with both ends: close enough together that every tile of a blocked algorithm holds one."""
    return np.unique(np.linspace(0, n - 1, min(n, SAMPLED_ROWS)).astype(np.intp))


def gaussian_rows(X: NDArray[Any], gamma: float, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """The named rows of the Gaussian Gram matrix, in float64."""
    X = X.astype(np.float64, copy=False)
    return np.exp(-gamma * cdist(X[rows], X, "sqeuclidean"))


def gram_error(X: NDArray[Any], gamma: float) -> Callable[[Any], float]:
    """Largest deviation of sampled rows and columns; infinite for a wrong shape or type."""
    rows = sampled_rows(len(X))
    expected = gaussian_rows(X, gamma, rows)

    def error(K: Any) -> float:
        if K.shape != (len(X), len(X)) or K.dtype != X.dtype:
            return float("inf")
        return float(max(np.abs(K[rows] - expected).max(), np.abs(K[:, rows].T - expected).max()))

    return error


def product_error(X: NDArray[Any], V: NDArray[Any], gamma: float) -> Callable[[Any], float]:
    """Largest deviation of sampled rows of K V relative to its largest entry; infinite for a wrong shape or type."""
    rows = sampled_rows(len(X))
    expected = gaussian_rows(X, gamma, rows) @ V.astype(np.float64, copy=False)

    def error(P: Any) -> float:
        if P.shape != V.shape or P.dtype != X.dtype:
            return float("inf")
        return float(np.abs(P[rows] - expected).max() / np.abs(expected).max())

    return error
