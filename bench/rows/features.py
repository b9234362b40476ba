# SPDX-License-Identifier: BSD-3-Clause
"""What do explicit features and their gradients cost, against automatic differentiation?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.measure import optional
from bench.peers import features as explicit
from bench.registry import OURS, Contest, row

TOLERANCE = 1e-8
MNIST = {"d": 784, "widths": "256-64"}
SMALL = {"d": 8, "widths": "96-32"}


@row(
    "features-network",
    [
        {"n": 1484, **SMALL, "a": "sigmoid"},
        {"n": 2000, **MNIST, "a": "relu"},
        {"n": 10000, **MNIST, "a": "relu"},
        {"n": 10000, **MNIST, "a": "tanh"},
    ],
)
def features_network(n: int, d: int, widths: str, a: str) -> Contest:
    """A network forwards and back; the last one is torch's module as gramian's features."""
    problem = explicit.NetworkProblem(n, d, [int(width) for width in widths.split("-")], a)
    contestants = {
        OURS: explicit.gramian_network(problem),
        "torch": optional(explicit.torch_network, problem),
        "TorchFeatures": optional(explicit.torch_features, problem),
    }
    return Contest(contestants, _error(explicit.reference_network(problem)), TOLERANCE)


@row(
    "features-fourier",
    [{"n": 2000, "d": 8, "p": 512}, {"n": 10000, "d": 8, "p": 512}, {"n": 10000, "d": 784, "p": 256}],
)
def features_fourier(n: int, d: int, p: int) -> Contest:
    """Random Fourier features of a Gaussian kernel and their gradient in its widths."""
    problem = explicit.FourierProblem(n, d, p)
    contestants = {
        OURS: explicit.gramian_fourier(problem),
        "torch": optional(explicit.torch_fourier, problem),
    }
    return Contest(contestants, _error(explicit.reference_fourier(problem)), TOLERANCE)


def _error(expected: Any) -> Callable[[Any], float]:
    """The largest error, relative to the largest entry."""

    def error(answer: Any) -> float:
        return (
            float(np.abs(answer - expected).max() / np.abs(expected).max())
            if answer.shape == expected.shape
            else np.inf
        )

    return error
