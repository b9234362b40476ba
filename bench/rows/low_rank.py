# SPDX-License-Identifier: BSD-3-Clause
"""How fast and how good is a low-rank Gram matrix?"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.data import default_gamma, points
from bench.registry import OURS, Contest, figure, row

SIZES = [{"n": 100_000, "d": 8, "rank": 300}]


@row("low-rank", SIZES)
def low_rank(n: int, d: int, rank: int) -> Contest:
    """Incomplete Cholesky against Nystroem.fit_transform; how good they are is a row of its own."""
    X, gamma = points(n, d), default_gamma(d)
    return Contest(_contestants(X, gamma, rank), _trace_error, tolerance=1.0)


@figure("low-rank-trace-error", "%", SIZES)
def low_rank_trace_error(n: int, d: int, rank: int) -> dict[str, float | str]:
    """What the factor misses of the trace."""
    X, gamma = points(n, d), default_gamma(d)
    return {name: 100 * _trace_error(call()) for name, call in _contestants(X, gamma, rank).items()}


def _contestants(X: Any, gamma: float, rank: int) -> dict[str, Any]:
    return {
        OURS: _ours(X, gamma, rank, "gain"),
        "own random pivots": _ours(X, gamma, rank, "random"),
        "scikit-learn": _theirs(X, gamma, rank),
    }


def _ours(X: Any, gamma: float, rank: int, pivoting: Any) -> Any:
    import gramian

    kernel = gramian.kernels.Gaussian(gamma=gamma)
    return lambda: gramian.incomplete_cholesky(kernel, X, rank=rank, pivoting=pivoting, random_state=0).factor


def _theirs(X: Any, gamma: float, rank: int) -> Any:
    from sklearn.kernel_approximation import Nystroem

    return lambda: Nystroem(gamma=gamma, n_components=rank, random_state=0).fit_transform(X)


def _trace_error(factor: Any) -> float:
    # The trace of a Gaussian Gram is n.
    return float(1 - np.einsum("ij,ij->", factor, factor) / len(factor))
