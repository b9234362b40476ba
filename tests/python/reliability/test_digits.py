# SPDX-License-Identifier: BSD-3-Clause
"""Kernel values beside the formulas of the documentation, evaluated with 50 digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import formulas
import mpmath
import numpy as np
import pytest
from gramian import _core

REGISTRY = {kernel.name: kernel for kernel in _core.kernels.registry()}
LONG = formulas.Numbers(mpmath.mpf, mpmath)
ULP = mpmath.mpf(2) ** -52
STEP = mpmath.mpf(10) ** -20
ULPS = 4.0
CANCEL = ("arc_cosine1", "arc_cosine2")
"""Sums of terms that cancel where the angle is near 180 degrees: their digits are those of sqrt(k(x, x) k(y, y))."""


@pytest.fixture(autouse=True)
def fifty_digits():
    with mpmath.workdps(50):
        yield


def long(values: Any) -> Any:
    return np.array([mpmath.mpf(float(value)) for value in values], dtype=object)


def slope(function: Callable[[Any], Any], x: Any) -> Any:
    """Return the length of the gradient at x."""
    value, moved = function(x), []
    for i in range(len(x)):
        beside = x.copy()
        beside[i] += STEP
        moved.append((function(beside) - value) / STEP)
    return LONG.norm(np.array(moved))


def ulps(kernel: Any, x: Any, y: Any, found: float) -> float:
    """Return the error in ulps of the value and of its change where points change by an ulp of their lengths."""
    formula = formulas.read(kernel.formula, LONG)
    parameters = {p.name: mpmath.mpf(float(v)) for p, v in zip(kernel.parameters, kernel.samples[-1], strict=True)}
    a, b = long(x), long(y)
    value = formula.value(a, b, parameters)
    steep = slope(lambda z: formula.value(z, b, parameters), a) + slope(lambda z: formula.value(a, z, parameters), b)
    largest = mpmath.sqrt(formula.value(a, a, parameters) * formula.value(b, b, parameters))
    size = largest if kernel.name in CANCEL else abs(value)
    return float(abs(mpmath.mpf(float(found)) - value) / ULP / (size + steep * (LONG.norm(a) + LONG.norm(b))))


@pytest.mark.parametrize("scale", [0.1, 3.0])
@pytest.mark.parametrize("dimension", [2, 7])
@pytest.mark.parametrize("name", [name for name in REGISTRY if name != "delta"])
def test_values_have_the_digits_of_their_points(name, dimension, scale):
    kernel, rng = REGISTRY[name], np.random.default_rng(dimension)
    X, Y = (scale * np.abs(rng.normal(size=(3, dimension))) for _ in range(2))
    if name != "tanimoto":
        X, Y = X * rng.choice([-1, 1], X.shape), Y * rng.choice([-1, 1], Y.shape)
    K = _core.gram.gram((name, tuple(kernel.samples[-1]), ()), X, Y)
    assert max(ulps(kernel, x, y, K[i, j]) for i, x in enumerate(X) for j, y in enumerate(Y)) <= ULPS


def test_an_error_of_some_ulps_is_noticed():
    kernel, (x, y) = REGISTRY["gaussian"], np.random.default_rng(0).normal(size=(2, 3))
    value = _core.gram.gram(("gaussian", tuple(kernel.samples[-1]), ()), x[None], y[None])[0, 0]
    assert ulps(kernel, x, y, value) <= ULPS < ulps(kernel, x, y, value * (1 + 1e-14))


STATIONARY = [name for name in REGISTRY if "x - y" in REGISTRY[name].formula or "x_i - y_i" in REGISTRY[name].formula]


@pytest.mark.parametrize("name", STATIONARY)
def test_an_offset_costs_stationary_kernels_no_digits_but_those_of_the_points(name):
    kernel, rng = REGISTRY[name], np.random.default_rng(0)
    X = rng.integers(-8, 8, size=(12, 3)) / 8  # sums with 2^26 are exact
    spec = (name, tuple(kernel.samples[-1]), ())
    K, moved = (_core.gram.gram(spec, points, None) for points in (X, X + 2.0**26))
    np.testing.assert_allclose(moved, K, rtol=0, atol=1e-13)
