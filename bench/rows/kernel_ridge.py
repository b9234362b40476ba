# SPDX-License-Identifier: BSD-3-Clause
"""What does a kernel ridge regression cost, by Cholesky and by iterations, against scikit-learn's?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.data import default_gamma, gaussian_rows, points, sampled_rows
from bench.measure import Call, Contestant
from bench.memory import extra_bytes
from bench.registry import OURS, Contest, figure, row

FEATURES, ALPHA = 8, 0.1
SIZES = [{"n": n} for n in (2000, 6000, 20_000)]
CHOLESKY = "own Cholesky"
PEER = "scikit-learn"
TOLERANCE = 1e-9


@row("kernel-ridge", SIZES)
def kernel_ridge(n: int) -> Contest:
    """Coefficients of a Gaussian kernel; ours are those of solver="auto", iterations from 5000 samples on."""
    X, y = _problem(n)
    contestants = {name: _fit(name, X, y) for name in (OURS, CHOLESKY, PEER)}
    return Contest(contestants, _residual(X, y), TOLERANCE)


@figure("kernel-ridge-memory", "n^2 doubles", SIZES)
def kernel_ridge_memory(n: int) -> dict[str, float | str]:
    """Peak memory of the same above the data."""
    found = {name: extra_bytes(_contestant, name, n) for name in (OURS, CHOLESKY, PEER)}
    return {name: value if isinstance(value, str) else value / (8 * n * n) for name, value in found.items()}


def _problem(n: int) -> tuple[Any, Any]:
    X = points(n, FEATURES)
    return X, np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * points(n, 1, seed=1)[:, 0]


def _fit(name: str, X: Any, y: Any) -> Call:
    import gramian
    from sklearn.kernel_ridge import KernelRidge

    options = {"alpha": ALPHA, "kernel": "rbf", "gamma": default_gamma(FEATURES)}
    if name == PEER:
        return lambda: KernelRidge(**options).fit(X, y).dual_coef_
    solver: Any = "cholesky" if name == CHOLESKY else "auto"
    return lambda: gramian.KernelRidge(**options, solver=solver).fit(X, y).dual_coef_


def _residual(X: Any, y: Any) -> Callable[[Any], float]:
    """What is left of some equations of the system, from differences of coordinates."""
    rows = sampled_rows(len(X))
    K = gaussian_rows(X, default_gamma(FEATURES), rows)

    def error(c: Any) -> float:
        return float(np.linalg.norm(K @ c + ALPHA * c[rows] - y[rows]) / np.linalg.norm(y[rows]))

    return error


def _contestant(name: str, n: int) -> Contestant:
    return Contestant(_fit(name, *_problem(n)))
