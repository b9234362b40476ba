# SPDX-License-Identifier: BSD-3-Clause
"""The definitions, written as slowly and plainly as they read."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

Function = Callable[[np.ndarray, np.ndarray], float]


def inner(x: np.ndarray, y: np.ndarray) -> float:
    """<x, y>, exact before it is rounded."""
    return math.fsum(float(a) * float(b) for a, b in zip(x, y, strict=True))


def square(x: np.ndarray, y: np.ndarray) -> float:
    """|x - y|^2, each difference rounded once."""
    return math.fsum((float(a) - float(b)) ** 2 for a, b in zip(x, y, strict=True))


def gaussian(gamma: float) -> Function:
    """exp(-gamma |x - y|^2) of two points."""
    return lambda x, y: math.exp(-gamma * square(x, y))


def of_distance(profile: Callable[[float], float]) -> Function:
    """A function of |x - y|."""
    return lambda x, y: profile(math.sqrt(square(x, y)))


def over_coordinates(profile: Callable[[float], float]) -> Function:
    """The product of a function of |x_i - y_i|."""
    return lambda x, y: math.prod(profile(abs(float(a) - float(b))) for a, b in zip(x, y, strict=True))


def matern32(r: float) -> float:
    return (1 + r) * math.exp(-r)


def matern52(r: float) -> float:
    return (1 + r + r * r / 3) * math.exp(-r)


def arc_cosine(order: int) -> Function:
    """(|x| |y|)^n J_n(theta) / pi."""

    def value(x: np.ndarray, y: np.ndarray) -> float:
        norms = math.sqrt(inner(x, x)) * math.sqrt(inner(y, y))
        if norms == 0:
            return 0.0
        cosine = max(-1.0, min(1.0, inner(x, y) / norms))
        angle = math.acos(cosine)
        sine, rest = math.sin(angle), math.pi - angle
        factor = [rest, sine + rest * cosine, 3 * sine * cosine + rest * (1 + 2 * cosine**2)][order]
        return norms**order * factor / math.pi

    return value


def tanimoto(x: np.ndarray, y: np.ndarray) -> float:
    union = inner(x, x) + inner(y, y) - inner(x, y)
    return 1.0 if union == 0 else inner(x, y) / union


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    norms = math.sqrt(inner(x, x)) * math.sqrt(inner(y, y))
    return 0.0 if norms == 0 else inner(x, y) / norms


# By the names of the engine, from its parameters in the order of the registry.
KERNELS: dict[str, Callable[..., Function]] = {
    "linear": lambda: inner,
    "polynomial": lambda degree, gamma, coef0: lambda x, y: (gamma * inner(x, y) + coef0) ** degree,
    "gaussian": gaussian,
    "laplacian": lambda gamma: of_distance(lambda r: math.exp(-gamma * r)),
    "laplacian_l1": lambda gamma: over_coordinates(lambda r: math.exp(-gamma * r)),
    "matern32": lambda scale: of_distance(lambda r: matern32(math.sqrt(3) * r / scale)),
    "matern52": lambda scale: of_distance(lambda r: matern52(math.sqrt(5) * r / scale)),
    "tensor_matern2": lambda gamma: over_coordinates(lambda r: matern32(gamma * r)),
    "tensor_matern3": lambda gamma: over_coordinates(lambda r: matern52(gamma * r)),
    "rational_quadratic": lambda alpha, scale: of_distance(
        lambda r: math.exp(-alpha * math.log1p(r * r / (2 * alpha * scale**2)))
    ),
    "arc_cosine0": lambda: arc_cosine(0),
    "arc_cosine1": lambda: arc_cosine(1),
    "arc_cosine2": lambda: arc_cosine(2),
    "tanimoto": lambda: tanimoto,
    "cosine": lambda: cosine,
    "cauchy": lambda gamma: lambda x, y: 1 / (1 + gamma * square(x, y)),
    "delta": lambda: lambda x, y: float((np.asarray(x) == np.asarray(y)).all()),
}


def gram(function: Function, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """K by a double loop."""
    return np.array([[function(x, y) for y in Y] for x in X])


def product(function: Function, X: np.ndarray, V: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """K V by loops, each sum exact before it is rounded."""
    K = gram(function, X, Y)
    return np.array([[math.fsum(row * column) for column in V.astype(float).T] for row in K])
