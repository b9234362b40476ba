# SPDX-License-Identifier: BSD-3-Clause
"""Falkon in torch: conjugate gradients on landmarks, preconditioned by the kernel matrix of the landmarks."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

CHUNK = 8192
TOLERANCE = 1e-4
MOST_STEPS = 100


def fit(X: Any, y: Any, C: Any, length: float, penalty: float) -> tuple[Callable[[Any], Any], dict[str, Any]]:
    """Return how to predict and the facts; kernel values are float32, the preconditioner is float64."""
    points, centres = torch.as_tensor(X, dtype=torch.float32), torch.as_tensor(C, dtype=torch.float32)
    targets = torch.as_tensor(y, dtype=torch.float32).reshape(len(y), -1)
    n, m = len(points), len(centres)
    small = _gram(centres, centres, length).double() + 1e-7 * m * torch.eye(m, dtype=torch.float64)
    outer = torch.linalg.cholesky(small, upper=True)
    inner = torch.linalg.cholesky(outer @ outer.T / m + penalty * torch.eye(m, dtype=torch.float64), upper=True)

    def forward(v: Any) -> Any:
        return _solve(outer, _solve(inner, v))

    def back(v: Any) -> Any:
        return _solve(inner, _solve(outer, v, True), True)

    def across(v: Any, right: bool = False) -> Any:
        total = torch.zeros(m, targets.shape[1], dtype=torch.float64)
        for first in range(0, n, CHUNK):
            K = _gram(points[first : first + CHUNK], centres, length)
            total += (K.T @ (targets[first : first + CHUNK] if right else K @ v.float())).double()
        return total

    def system(v: Any) -> Any:
        a = forward(v)
        return back(across(a) / n + penalty * (outer.T @ (outer @ a)))

    solution, facts = _conjugate_gradients(system, back(across(None, right=True) / n))
    weights = forward(solution).float()

    def predict(new: Any) -> Any:
        rows = torch.as_tensor(new, dtype=torch.float32)
        blocks = [_gram(rows[i : i + CHUNK], centres, length) @ weights for i in range(0, len(rows), CHUNK)]
        found = torch.cat(blocks).double().numpy()
        return found[:, 0] if np.ndim(y) == 1 else found

    return predict, facts


def _conjugate_gradients(system: Callable[[Any], Any], b: Any) -> tuple[Any, dict[str, Any]]:
    """All columns together, until the residual of each, that of the preconditioned system, is small."""
    x, r, p = torch.zeros_like(b), b.clone(), b.clone()
    squares = (r * r).sum(0)
    scale = squares.clone()
    step, left, moments = 0, 1.0, [time.process_time()]
    while step < MOST_STEPS and left > TOLERANCE:
        step += 1
        q = system(p)
        length = squares / (p * q).sum(0)
        x += length * p
        r -= length * q
        squares, before = (r * r).sum(0), squares
        left = math.sqrt(float((squares / scale).max()))
        p = r + squares / before * p
        moments.append(time.process_time())
    once = float(np.median(np.diff(moments)))
    return x, {"iterations": step, "residual": left, "iteration_seconds": once}


def _gram(a: Any, b: Any, length: float) -> Any:
    """Gaussian, in one buffer."""
    scaled, other = a / length, b / length
    K = torch.addmm(-0.5 * (other * other).sum(1)[None, :], scaled, other.T)
    return K.sub_(0.5 * (scaled * scaled).sum(1)[:, None]).clamp_(max=0).exp_()


def _solve(factor: Any, v: Any, transposed: bool = False) -> Any:
    if transposed:
        return torch.linalg.solve_triangular(factor.T, v, upper=False)
    return torch.linalg.solve_triangular(factor, v, upper=True)
