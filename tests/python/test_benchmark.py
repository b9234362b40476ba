# SPDX-License-Identifier: BSD-3-Clause
"""The quick rows: each times one call, then checks its answer. No time is asserted."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian

GAMMA = 0.1
N, D, COLUMNS = 1000, 8, 4


def numpy_gram(X: np.ndarray) -> np.ndarray:
    squares = (X * X).sum(axis=1)
    return np.exp(-GAMMA * np.maximum(squares[:, None] + squares - 2 * (X @ X.T), 0))


@pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])
def test_gaussian_gram(benchmark, rng, dtype):
    X = rng.normal(size=(N, D)).astype(dtype)
    K = benchmark(gramian.gram, Gaussian(gamma=GAMMA), X)
    np.testing.assert_allclose(K, numpy_gram(X.astype(float)), atol=1e-13 if dtype is np.float64 else 2e-6)


@pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])
def test_gaussian_product(benchmark, rng, dtype):
    X, V = rng.normal(size=(N, D)).astype(dtype), rng.normal(size=(N, COLUMNS)).astype(dtype)
    result = benchmark(gramian.product, Gaussian(gamma=GAMMA), X, V)
    expected = numpy_gram(X.astype(float)) @ V.astype(float)
    np.testing.assert_allclose(result, expected, atol=1e-11 if dtype is np.float64 else 1e-3)


def test_one_pair_of_points(benchmark):
    value = benchmark(Gaussian(gamma=GAMMA), np.zeros(D), np.ones(D))
    assert value == pytest.approx(np.exp(-GAMMA * D), rel=1e-14)
