# SPDX-License-Identifier: BSD-3-Clause
"""The definitions, written as slowly and plainly as they read."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

Function = Callable[[np.ndarray, np.ndarray], float]


def gaussian(gamma: float) -> Function:
    """exp(-gamma |x - y|^2) of two points."""
    return lambda x, y: math.exp(-gamma * math.fsum((float(a) - float(b)) ** 2 for a, b in zip(x, y, strict=True)))


def gram(function: Function, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """K by a double loop."""
    return np.array([[function(x, y) for y in Y] for x in X])


def product(function: Function, X: np.ndarray, V: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """K V by loops, each sum exact before it is rounded."""
    K = gram(function, X, Y)
    return np.array([[math.fsum(row * column) for column in V.astype(float).T] for row in K])
