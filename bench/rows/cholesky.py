# SPDX-License-Identifier: BSD-3-Clause
"""How fast are the dense factorizations and what is solved with them?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.data import default_gamma, points
from bench.measure import optional
from bench.peers import gram, linalg
from bench.registry import OURS, Contest, row


@row("cholesky", [{"n": n} for n in (100, 1000, 2000, 4000, 8000)])
def cholesky(n: int) -> Contest:
    """L with L Lᵀ = A, A kept: a Gaussian Gram matrix with a ridge."""
    A = _positive_definite(n)
    contestants = {
        OURS: linalg.gramian_cholesky(A),
        "scipy dpotrf": optional(linalg.scipy_potrf, A),
        "numpy": linalg.numpy_cholesky(A),
    }
    return Contest(contestants, _factor_error(A), tolerance=1e-13)


@row("triangular-solve", [{"n": 2000, "m": 10}, {"n": 2000, "m": 2000}])
def triangular_solve(n: int, m: int) -> Contest:
    """L^-1 B, B kept."""
    L, B = np.linalg.cholesky(_positive_definite(n)), points(n, m, seed=1)
    contestants = {
        OURS: linalg.gramian_triangular(L, B),
        "scipy dtrtrs": optional(linalg.scipy_trtrs, L, B),
    }
    return Contest(contestants, _relative_residual(L, B), tolerance=1e-13)


@row("cholesky-batch", [{"count": 256, "n": 100}])
def cholesky_batch(count: int, n: int) -> Contest:
    """Many small systems with one right-hand side each."""
    A = np.stack([_positive_definite(n, seed) for seed in range(count)])
    B = points(count * n, 1, seed=1).reshape(count, n, 1)
    contestants = {
        OURS: linalg.gramian_batch(A, B),
        "numpy": linalg.numpy_solves(A, B),
        "scipy": optional(linalg.scipy_cholesky_solves, A, B),
        "scipy dposv": optional(linalg.scipy_posv, A, B),
    }
    expected = np.linalg.solve(A, B)

    def error(X: Any) -> float:
        return float(np.abs(np.reshape(X, B.shape) - expected).max() / np.abs(expected).max())

    return Contest(contestants, error, tolerance=1e-9)


def _positive_definite(n: int, seed: int = 0) -> Any:
    X = points(n, 8, seed=seed)
    A = gram.numpy_gram(X, default_gamma(8))()
    A[np.diag_indices(n)] = 1.1
    return (A + A.T) / 2


def _factor_error(A: Any) -> Callable[[Any], float]:
    """|A V - L (Lᵀ V)| / |A V| for a few vectors: no product of matrices takes longer than the factorization."""
    V = points(len(A), 4, seed=2)
    expected = A @ V

    def error(L: Any) -> float:
        lower = np.tril(L)
        return float(np.abs(lower @ (lower.T @ V) - expected).max() / np.abs(expected).max())

    return error


def _relative_residual(L: Any, B: Any) -> Callable[[Any], float]:
    norm = np.abs(L).sum(axis=1).max()

    def error(X: Any) -> float:
        return float(np.abs(L @ X - B).max() / (norm * np.abs(X).max()))

    return error
