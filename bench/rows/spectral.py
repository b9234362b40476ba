# SPDX-License-Identifier: BSD-3-Clause
"""How fast are eigenpairs, and the projection onto orthonormal columns?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.data import default_gamma, gaussian_rows, points
from bench.measure import optional
from bench.registry import OURS, Contest, row

TOP = [{"n": n, "d": 8, "k": 10} for n in (1000, 2000, 5000)]
FULL = [{"n": n} for n in (200, 500, 1000)]
TALL = [{"n": 8000, "s": s} for s in (10, 50)]


@row("eigen-top-gaussian", TOP)
def eigen_top_gaussian(n: int, d: int, k: int) -> Contest:
    """The k largest eigenvalues of a centred Gaussian Gram with their eigenvectors, the Gram included.

    The randomized solver of KernelPCA is no contestant: its eigenvalues are wrong by 1e-6 to 1e-3 here.
    """
    X, gamma = points(n, d), default_gamma(d)
    contestants = {
        OURS: _gramian_top(X, gamma, k),
        "KernelPCA arpack": optional(_kernel_pca, X, gamma, k, "arpack"),
        "KernelPCA auto": optional(_kernel_pca, X, gamma, k, "auto"),
    }
    return Contest(contestants, _values_error(X, gamma, k), tolerance=1e-8)


@row("eigen-full", FULL)
def eigen_full(n: int) -> Contest:
    """All eigenvalues and eigenvectors of a symmetric matrix."""
    A = gaussian_rows(points(n, 8), default_gamma(8), np.arange(n))
    contestants = {OURS: _gramian_full(A), "numpy": lambda: np.linalg.eigh(A), "scipy": optional(_scipy_full, A)}

    def error(answer: Any) -> float:
        values, V = answer
        return float(max(np.abs(A @ V - V * values).max() / values[-1], np.abs(V.T @ V - np.eye(n)).max()))

    return Contest(contestants, error, tolerance=1e-12)


@row("stiefel-projection", TALL, quick_n=8000)
def stiefel_projection(n: int, s: int) -> Contest:
    """The nearest matrix with orthonormal columns."""
    H = points(n, s)
    contestants = {OURS: _gramian_projection(H), "scipy": optional(_scipy_polar, H)}

    def error(Q: Any) -> float:
        inner = H.T @ Q  # symmetric for the polar factor and for no other
        return float(max(np.abs(Q.T @ Q - np.eye(s)).max(), np.abs(inner - inner.T).max() / np.abs(inner).max()))

    return Contest(contestants, error, tolerance=1e-12)


def _gramian_top(X: Any, gamma: float, k: int) -> Callable[[], Any]:
    import gramian

    kernel = gramian.kernels.Gaussian(gamma=gamma)

    def run() -> Any:
        top = gramian.linalg.top_eigenpairs(gramian.gram(kernel, X), k, centered=True, random_state=0)
        return top.values, top.vectors

    return run


def _gramian_full(A: Any) -> Callable[[], Any]:
    import gramian

    return lambda: gramian.linalg.eigh(A)


def _gramian_projection(H: Any) -> Callable[[], Any]:
    import gramian

    return lambda: gramian.linalg.stiefel_project(H)


def _kernel_pca(X: Any, gamma: float, k: int, solver: str) -> Callable[[], Any]:
    from sklearn.decomposition import KernelPCA

    def run() -> Any:
        model = KernelPCA(k, kernel="rbf", gamma=gamma, eigen_solver=solver, random_state=0, copy_X=False).fit(X)
        return model.eigenvalues_, model.eigenvectors_

    return run


def _scipy_full(A: Any) -> Callable[[], Any]:
    from scipy.linalg import eigh

    return lambda: eigh(A, driver="evd")


def _scipy_polar(H: Any) -> Callable[[], Any]:
    from scipy.linalg import polar

    return lambda: polar(H)[0]


def _values_error(X: Any, gamma: float, k: int) -> Callable[[Any], float]:
    """Largest error of the eigenvalues, relative to the largest one, by a reference that finds no vectors."""
    from scipy.linalg import eigh

    n = len(X)
    A = gaussian_rows(X, gamma, np.arange(n))
    A = A - A.mean(axis=0) - A.mean(axis=1)[:, None] + A.mean()
    expected = eigh(A, subset_by_index=[n - k, n - 1], eigvals_only=True)[::-1]

    def error(answer: Any) -> float:
        values, V = answer
        if V.shape != (n, k):
            return float("inf")
        return float(np.abs(values - expected).max() / expected[0])

    return error
