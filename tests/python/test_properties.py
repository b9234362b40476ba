# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import gramian
import numpy as np
from gramian.kernels import Gaussian
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

EPS = np.finfo(float).eps
# Multiples of 2^-10 below 2^10: a shift by another one is exact, so what is tested is the engine and not the addition.
COORDINATE = st.integers(-(2**20), 2**20).map(lambda k: k / 1024)

kernels = st.floats(-3, 3).map(lambda power: Gaussian(gamma=10.0**power))
bounded = settings(max_examples=60, deadline=None)


matrices = st.tuples(st.integers(1, 40), st.integers(1, 6)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=COORDINATE)
)


@bounded
@given(kernels, matrices)
def test_gram_is_symmetric_in_the_unit_interval_and_positive_semidefinite(kernel, X):
    K = gramian.gram(kernel, X)
    np.testing.assert_array_equal(K, K.T)
    assert ((K >= 0) & (K <= 1)).all()
    # A distance has the rounding error of the coordinates' squares, and gamma times it is the error of the exponent.
    spread = np.ptp(X, axis=0) @ np.ptp(X, axis=0)
    entry_error = EPS * (4 + 8 * kernel.gamma * spread * X.shape[1])
    assert np.linalg.eigvalsh(K)[0] >= -len(X) * (EPS * np.trace(K) + entry_error)


@bounded
@given(kernels, matrices, st.randoms(use_true_random=False))
def test_gram_follows_a_permutation_of_the_points(kernel, X, random):
    order = np.array(random.sample(range(len(X)), len(X)))
    close(kernel, X, gramian.gram(kernel, X[order]), gramian.gram(kernel, X)[np.ix_(order, order)])


@bounded
@given(kernels, matrices, COORDINATE)
def test_gram_does_not_see_a_translation(kernel, X, shift):
    close(kernel, X, gramian.gram(kernel, X + shift), gramian.gram(kernel, X))


@bounded
@given(kernels, matrices, st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_product_is_gram_times_vectors(kernel, X, columns, seed):
    V = np.random.default_rng(seed).normal(size=(len(X), columns))
    K = gramian.gram(kernel, X)
    close(kernel, X, gramian.product(kernel, X, V), K @ V, weight=np.abs(V).sum(axis=0).max())


@bounded
@given(kernels, matrices, st.integers(1, 40))
def test_parts_of_a_gram_are_the_grams_of_parts(kernel, X, cut):
    Y = X[:cut]
    close(kernel, X, gramian.gram(kernel, X, Y), gramian.gram(kernel, X)[:, :cut])


def close(kernel: Gaussian, X: np.ndarray, value: np.ndarray, expected: np.ndarray, weight: float = 1.0) -> None:
    """Equal up to the rounding of the squared distances, which are taken from centred points."""
    spread = np.ptp(X, axis=0) @ np.ptp(X, axis=0)
    error = EPS * (16 + 16 * kernel.gamma * spread)
    np.testing.assert_allclose(value, expected, rtol=0, atol=weight * error)
