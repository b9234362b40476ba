# SPDX-License-Identifier: BSD-3-Clause
"""Products with K^T K of many points and some centres. Each function imports its library, and returns what is timed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.measure import Call, Contestant, fastest_variant

CHUNKS = (256, 1024, 4096)
Rows = Callable[[Any], Any]
"""K(some rows, C)."""


def gramian_product(X: Any, C: Any, V: Any, gamma: float) -> Call:
    """The engine: each entry of K is evaluated once."""
    import gramian

    kernel = gramian.kernels.Gaussian(gamma=gamma)
    return lambda: gramian.normal_product(kernel, X, C, V)


def two_products(X: Any, C: Any, V: Any, gamma: float) -> Call:
    """The engine's products one after the other: each entry of K is evaluated twice."""
    import gramian

    kernel = gramian.kernels.Gaussian(gamma=gamma)
    V = V.astype(X.dtype)
    return lambda: gramian.product(kernel, C, gramian.product(kernel, X, V, C), X).astype(float)


def gramian_system(X: Any, C: Any, gamma: float) -> Call:
    """The engine."""
    import gramian

    kernel = gramian.kernels.Gaussian(gamma=gamma)
    return lambda: gramian.normal_system(kernel, X, C)[0]


def sklearn_rows(C: Any, gamma: float) -> Rows:
    """sklearn.metrics.pairwise.rbf_kernel."""
    from sklearn.metrics.pairwise import rbf_kernel

    return lambda some: rbf_kernel(some, C, gamma=gamma)


def numpy_rows(C: Any, gamma: float) -> Rows:
    """The product form by hand, with one temporary."""
    squares, scaled = gamma * (C * C).sum(axis=1), 2 * gamma * C.T

    def rows(some: Any) -> Any:
        K = some @ scaled
        K -= gamma * (some * some).sum(axis=1)[:, None]
        K -= squares
        return np.exp(K, out=K)

    return rows


def product_of_chunks(rows: Rows, X: Any, C: Any, V: Any) -> Contestant:
    """Some rows of K after the others, each used for both products, with the fastest number of rows."""
    V = V.astype(X.dtype)

    def product(chunk: int) -> Any:
        out = np.zeros((len(C), V.shape[1]))
        for i in range(0, len(X), chunk):
            K = rows(X[i : i + chunk])
            out += K.T @ (K @ V)
        return out

    return fastest_variant({f"chunks of {chunk} rows": lambda chunk=chunk: product(chunk) for chunk in CHUNKS})


def system_of_chunks(rows: Rows, X: Any, C: Any) -> Contestant:
    """K^T K of some rows after the others, by the BLAS for symmetric products, with the fastest number of rows."""

    def system(chunk: int) -> Any:
        out = np.zeros((len(C), len(C)))
        for i in range(0, len(X), chunk):
            K = rows(X[i : i + chunk])
            out += K.T @ K
        return out

    return fastest_variant({f"chunks of {chunk} rows": lambda chunk=chunk: system(chunk) for chunk in CHUNKS})
