# SPDX-License-Identifier: BSD-3-Clause
"""Sizes whose squares do not fit 32 bits: `make slow`, with 12 GB of memory."""

from __future__ import annotations

import gramian
import numpy as np
from gramian.kernels import Gaussian

N = 46_500
KERNEL = Gaussian(gamma=0.2)


def test_a_gram_with_more_than_two_to_the_31_entries():
    X = np.random.default_rng(0).standard_normal((N, 3), dtype=np.float32)
    K = gramian.gram(KERNEL, X)
    assert K.shape == (N, N)
    some = np.array([0, 1, 191, 192, N // 2, 46_340, 46_341, N - 193, N - 1])
    differences = X[some, None].astype(float) - X[None, some].astype(float)
    np.testing.assert_allclose(K[np.ix_(some, some)], np.exp(-0.2 * (differences**2).sum(-1)), atol=2e-6)
    for i in some:
        np.testing.assert_array_equal(K[i], K[:, i])


def test_a_product_and_an_adjoint_of_that_size():
    rng = np.random.default_rng(1)
    X, V = rng.standard_normal((N, 3)), rng.standard_normal((N, 2))
    some = np.array([0, 191, 192, 46_341, N - 1])
    rows = gramian.gram(KERNEL, X[some], X)
    np.testing.assert_allclose(gramian.product(KERNEL, X, V)[some], rows @ V, atol=1e-9)
    weights = rows * (V[some] @ V.T) * 2
    expected = -0.4 * (weights.sum(1)[:, None] * X[some] - weights @ X)
    np.testing.assert_allclose(gramian.adjoint(KERNEL, X, V, V).X[some], expected, atol=1e-8)
