# SPDX-License-Identifier: BSD-3-Clause
"""How fast are K^T (K V) and K^T K of many points and some centres?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from bench.data import default_gamma, points, sampled_rows
from bench.measure import optional
from bench.peers import normal
from bench.registry import OURS, Contest, row

PRODUCTS = [{"n": n, "m": m, "d": 16, "r": 1} for n, m in ((2000, 300), (20_000, 2000))]
SYSTEMS = [{"n": n, "m": m, "d": 16} for n, m in ((2000, 300), (20_000, 1000))]


@row("normal-product", PRODUCTS)
def normal_product(n: int, m: int, d: int, r: int) -> Contest:
    """The step of an iterative solver on centres, in float64."""
    return _product(n, m, d, r, "float64", 1e-10)


@row("normal-product-float32", PRODUCTS[1:])
def normal_product_float32(n: int, m: int, d: int, r: int) -> Contest:
    """The same for float32 points."""
    return _product(n, m, d, r, "float32", 2e-5)


@row("normal-system", SYSTEMS)
def normal_system(n: int, m: int, d: int) -> Contest:
    """The normal equations of a regression on centres."""
    X, C, gamma = points(n, d), points(m, d, seed=1), default_gamma(d)
    some = sampled_rows(m)
    K = _gram(X, C, gamma)
    contestants = {OURS: normal.gramian_system(X, C, gamma)}
    for name, rows in _peers(C, gamma).items():
        contestants[name] = optional(normal.system_of_chunks, rows, X, C)
    return Contest(contestants, _error(K[:, some].T @ K, some), tolerance=1e-10)


def _product(n: int, m: int, d: int, r: int, dtype: str, tolerance: float) -> Contest:
    X, C, V, gamma = points(n, d, dtype), points(m, d, dtype, seed=1), points(m, r, seed=2), default_gamma(d)
    some = sampled_rows(m)
    expected = np.zeros((len(some), r))
    for first in range(0, n, 10_000):
        K = _gram(X[first : first + 10_000], C, gamma)
        expected += K[:, some].T @ (K @ V)
    contestants: dict[str, Any] = {
        OURS: normal.gramian_product(X, C, V, gamma),
        "two products": normal.two_products(X, C, V, gamma),
    }
    for name, rows in _peers(C, gamma).items():
        contestants[name] = optional(normal.product_of_chunks, rows, X, C, V)
    return Contest(contestants, _error(expected, some), tolerance)


def _peers(C: Any, gamma: float) -> dict[str, Callable[[Any], Any]]:
    return {"scikit-learn": normal.sklearn_rows(C, gamma), "numpy": normal.numpy_rows(C, gamma)}


def _gram(X: Any, C: Any, gamma: float) -> Any:
    return np.exp(-gamma * cdist(X.astype(float), C.astype(float), "sqeuclidean"))


def _error(expected: Any, rows: Any) -> Callable[[Any], float]:
    """Largest deviation of sampled rows, relative to the largest entry."""
    return lambda found: float(np.abs(found[rows] - expected).max() / np.abs(expected).max())
