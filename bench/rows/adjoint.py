# SPDX-License-Identifier: BSD-3-Clause
"""What does the gradient of a Gram matrix cost, against a product with it and against automatic differentiation?"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.data import default_gamma, gaussian_rows, points, sampled_rows
from bench.measure import Call, Contestant, fastest_variant, optional
from bench.peers import gram
from bench.registry import OURS, Contest, row

SIZES = [{"n": n, "d": 8, "r": 10} for n in (2000, 20000)]


@row("adjoint-gaussian", SIZES)
def adjoint_gaussian(n: int, d: int, r: int) -> Contest:
    """All of Xbar and the gradient in gamma for Kbar = P Q^T; "own product" is K V with r columns, for scale."""
    import gramian

    X, P, Q, gamma = points(n, d), points(n, r, seed=1), points(n, r, seed=2), default_gamma(d)
    kernel = gramian.kernels.Gaussian(gamma=gamma)

    def ours() -> Any:
        result = gramian.adjoint(kernel, X, P, Q)
        return result.X, result.parameters["gamma"]

    def own_product() -> Any:
        gramian.product(kernel, X, P)
        return None

    contestants = {OURS: ours, "own product": own_product, "torch": optional(_torch, X, P, Q, gamma)}
    return Contest(contestants, _error(X, P, Q, gamma), tolerance=1e-10)


def _torch(X: Any, P: Any, Q: Any, gamma: float) -> Contestant:
    return fastest_variant({f"chunks of {c} rows": _torch_chunked(X, P, Q, gamma, c) for c in gram.CHUNKS})


def _torch_chunked(X: Any, P: Any, Q: Any, gamma: float, chunk: int) -> Call:
    import torch

    def adjoint() -> Any:
        x = torch.from_numpy(X).requires_grad_()
        g = torch.tensor(gamma, dtype=torch.float64, requires_grad=True)
        p, q = torch.from_numpy(P), torch.from_numpy(Q)
        for i in range(0, len(X), chunk):
            rows = x[i : i + chunk]
            square = (rows * rows).sum(1)[:, None] + (x * x).sum(1) - 2 * rows @ x.T
            ((-g * square.clamp_min(0)).exp() * (p[i : i + chunk] @ q.T)).sum().backward()
        return x.grad.numpy(), float(g.grad)

    return adjoint


def _error(X: Any, P: Any, Q: Any, gamma: float) -> Any:
    rows = sampled_rows(len(X))
    weights = gaussian_rows(X, gamma, rows) * (P[rows] @ Q.T + Q[rows] @ P.T)
    expected = -2 * gamma * (weights.sum(1)[:, None] * X[rows] - weights @ X)

    def error(answer: Any) -> float:
        if answer is None:
            return 0.0  # the product, whose own row checks it
        return float(np.abs(answer[0][rows] - expected).max() / np.abs(expected).max())

    return error
