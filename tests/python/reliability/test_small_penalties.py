# SPDX-License-Identifier: BSD-3-Clause
"""Regressions with penalties below rounding, beside arithmetic of so many digits that nothing is lost."""

from __future__ import annotations

import functools
from decimal import Decimal, localcontext

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian, Linear

RNG = np.random.default_rng(0)
TWICE = np.repeat(RNG.normal(size=(5, 3)), 2, axis=0)
FEW = RNG.normal(size=(10, 3))
NEW = RNG.normal(size=(4, 3))
Y = RNG.normal(size=(10, 2))
GAMMA = 0.3


def exactly(values):
    return [[Decimal(float(value)) for value in row] for row in values]


def inner(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def gaussian(a, b):
    return (-Decimal(GAMMA) * sum((x - y) ** 2 for x, y in zip(a, b, strict=True))).exp()


def solved(A, B):
    """A^-1 B by elimination with pivots."""
    rows = [[*a, *b] for a, b in zip(A, B, strict=True)]
    n = len(rows)
    for c in range(n):
        best = max(range(c, n), key=lambda r, c=c: abs(rows[r][c]))
        rows[c], rows[best] = rows[best], rows[c]
        rows[c] = [value / rows[c][c] for value in rows[c]]
        for r in range(n):
            if r != c:
                rows[r] = [value - rows[r][c] * pivot for value, pivot in zip(rows[r], rows[c], strict=True)]
    return [row[n:] for row in rows]


CASES = {
    "gaussian, repeated": (Gaussian(gamma=GAMMA), gaussian, TWICE),
    "linear": (Linear(), inner, FEW),
    "linear, repeated": (Linear(), inner, TWICE),
}


@functools.cache
def expected(case, penalty):
    _, exact, X = CASES[case]
    with localcontext() as context:
        context.prec = 700  # 300 are lost in coefficients and 300 in predictions
        samples, targets = exactly(X), exactly(Y)
        shift = len(X) * Decimal(penalty)
        k = [[exact(a, b) + (shift if i == j else 0) for j, b in enumerate(samples)] for i, a in enumerate(samples)]
        coefficients = list(zip(*solved(k, targets), strict=True))
        points = [*samples, *exactly(NEW)]
        cross = [[exact(point, sample) for sample in samples] for point in points]
        return np.array([[float(inner(row, column)) for column in coefficients] for row in cross])


@pytest.mark.parametrize("penalty", [1e-8, 1e-14, 1e-16, 1e-300])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", ["penalty", "penalties"])
def test_a_singular_gram_matrix(case, penalty, name):
    kernel, _, X = CASES[case]
    options = {name: penalty if name == "penalty" else [penalty]}
    model = gramian.DependencyRegressor(kernel, Linear(), operator="identity", preimage="linear", **options).fit(X, Y)
    wanted = expected(case, penalty)
    # What a penalty of 1e-8 leaves of rounding is 1e-16 / 1e-8, times the norm of the Gram matrix over n.
    bound = 1e-6 if penalty == 1e-8 else 1e-12
    assert np.abs(model.predict(np.vstack([X, NEW])) - wanted).max() <= bound * np.abs(wanted).max()


@pytest.mark.parametrize("operator", ["covariance", "conditional"])
def test_every_operator_is_least_squares_at_last(operator):
    for penalty in (1e-14, 1e-16, 1e-300):
        model = gramian.DependencyRegressor(
            Linear(), Linear(), operator=operator, preimage="linear", penalty=penalty
        ).fit(FEW, Y)
        slope = np.linalg.lstsq(FEW, Y, rcond=None)[0]
        assert np.allclose(model.predict(NEW), NEW @ slope, rtol=0, atol=1e-10)
