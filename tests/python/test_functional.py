# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import time

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian
from naive import gaussian
from naive import gram as naive_gram
from naive import product as naive_product
from samples import ANISOTROPIC, COMPOSITES, LEAVES

GAMMA = 0.3
KERNEL = Gaussian(gamma=GAMMA)
SIZES = [(1, 1, 1), (2, 1, 3), (7, 9, 2), (33, 18, 5), (70, 129, 17), (3, 260, 40)]
TOLERANCE = {np.float64: 1e-14, np.float32: 2e-6}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("n", "m", "d"), SIZES)
def test_gram_is_the_double_loop(rng, n, m, d, dtype):
    X, Y = rng.normal(size=(n, d)).astype(dtype), rng.normal(size=(m, d)).astype(dtype)
    for others in (Y, None):
        K = gramian.gram(KERNEL, X, others)
        assert K.dtype == dtype and K.flags.c_contiguous and K.flags.writeable
        expected = naive_gram(gaussian(GAMMA), X, X if others is None else others)
        np.testing.assert_allclose(K, expected, rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("n", "m", "d"), SIZES)
@pytest.mark.parametrize("columns", [1, 3, 11])
def test_product_is_the_double_loop(rng, n, m, d, columns, dtype):
    X, Y = rng.normal(size=(n, d)).astype(dtype), rng.normal(size=(m, d)).astype(dtype)
    for others, size in ((Y, m), (None, n)):
        V = rng.normal(size=(size, columns)).astype(dtype)
        result = gramian.product(KERNEL, X, V, others)
        assert result.dtype == dtype
        expected = naive_product(gaussian(GAMMA), X, V, X if others is None else others)
        np.testing.assert_allclose(result, expected, rtol=0, atol=10 * TOLERANCE[dtype] * size**0.5)


def test_data_far_from_the_origin_keeps_its_digits(rng):
    X = rng.normal(size=(40, 3))
    far = X + 1e6
    near = far - 1e6  # exactly what is left of X after the shift
    np.testing.assert_allclose(gramian.gram(KERNEL, far), gramian.gram(KERNEL, near), rtol=0, atol=1e-13)


def test_product_of_a_vector_is_a_vector(rng):
    X, v = rng.normal(size=(20, 3)), rng.normal(size=20)
    result = gramian.product(KERNEL, X, v)
    assert result.shape == (20,)
    np.testing.assert_array_equal(result, gramian.product(KERNEL, X, v[:, None])[:, 0])
    np.testing.assert_array_equal(result, gramian.product(KERNEL, X, list(v)))


def test_results_depend_on_numbers_and_not_on_identity(rng):
    X = rng.normal(size=(300, 4))
    np.testing.assert_array_equal(gramian.gram(KERNEL, X, X), gramian.gram(KERNEL, X, X.copy()))
    np.testing.assert_array_equal(gramian.product(KERNEL, X, X, X), gramian.product(KERNEL, X, X.copy(), X.copy()))
    np.testing.assert_array_equal(gramian.gram(KERNEL, X), gramian.gram(KERNEL, X).T)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_threads_do_not_change_a_bit(rng, dtype):
    X, Y = rng.normal(size=(701, 9)).astype(dtype), rng.normal(size=(1300, 9)).astype(dtype)
    V, W = rng.normal(size=(701, 3)).astype(dtype), rng.normal(size=(1300, 3)).astype(dtype)
    results = []
    for threads in (1, 2, 7):
        gramian.set_num_threads(threads)
        results.append(
            [
                gramian.gram(KERNEL, X),
                gramian.gram(KERNEL, X, Y),
                gramian.product(KERNEL, X, V),
                gramian.product(KERNEL, X, W, Y),
            ]
        )
    for result in results[1:]:
        for value, expected in zip(result, results[0], strict=True):
            np.testing.assert_array_equal(value, expected)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_one_row_gives_the_bits_of_the_batch(rng, dtype):
    X, Y = rng.normal(size=(130, 5)).astype(dtype), rng.normal(size=(300, 5)).astype(dtype)
    W = rng.normal(size=(300, 4)).astype(dtype)
    K, product = gramian.gram(KERNEL, X, Y), gramian.product(KERNEL, X, W, Y)
    for i in (0, 1, 63, 64, 129):
        np.testing.assert_array_equal(gramian.gram(KERNEL, X[i : i + 1], Y)[0], K[i])
        np.testing.assert_array_equal(gramian.product(KERNEL, X[i : i + 1], W, Y)[0], product[i])


def test_mixed_widths_are_computed_in_float64(rng):
    X, Y = rng.normal(size=(9, 2)).astype(np.float32), rng.normal(size=(7, 2))
    V = rng.normal(size=(7, 2)).astype(np.float32)
    np.testing.assert_array_equal(gramian.gram(KERNEL, X, Y), gramian.gram(KERNEL, X.astype(float), Y))
    np.testing.assert_array_equal(
        gramian.product(KERNEL, X, V, Y), gramian.product(KERNEL, X.astype(float), V.astype(float), Y)
    )
    assert gramian.product(KERNEL, X, np.ones(9)).dtype == np.float64


def test_memory_is_asked_for_before_the_work():
    start = time.perf_counter()
    with pytest.raises(MemoryError, match=r"the Gram matrix needs 7\.3 TiB, .* are free .*; use gramian\.product"):
        gramian.gram(KERNEL, np.zeros((1_000_000, 1)))
    with pytest.raises(MemoryError, match="use gramian.product"):
        gramian.gram(KERNEL, np.zeros((1_000_000, 1), np.float32), np.zeros((2_000_000, 1), np.float32))
    assert time.perf_counter() - start < 1


def test_memory_limit_is_kept(rng):
    X = rng.normal(size=(400, 2))
    gramian.set_memory_limit(400 * 400 * 8 - 1)
    with pytest.raises(MemoryError):
        gramian.gram(KERNEL, X)
    assert gramian.product(KERNEL, X, np.ones(400)).shape == (400,)
    gramian.set_memory_limit(None)
    assert gramian.gram(KERNEL, X).shape == (400, 400)


@pytest.mark.parametrize("kernel", [None, "gausian", Gaussian, lambda x, y: 1.0])
def test_what_is_no_kernel_is_refused(kernel):
    X = np.ones((2, 2))
    for call in (
        lambda: gramian.gram(kernel, X),
        lambda: gramian.diagonal(kernel, X),
        lambda: gramian.product(kernel, X, X),
        lambda: gramian.adjoint(kernel, X, X, X),
        lambda: gramian.hessian_vector(kernel, X, X, X, X),
    ):
        with pytest.raises((TypeError, ValueError), match=r"must be one of gramian\.kernels or one of their names"):
            call()


@pytest.mark.parametrize("kernel", LEAVES + ANISOTROPIC + COMPOSITES, ids=repr)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_diagonal_has_the_bits_of_the_gram_matrix(rng, kernel, dtype):
    X = rng.normal(size=(70, 3)).astype(dtype)
    result = gramian.diagonal(kernel, X)
    assert result.dtype == dtype and result.shape == (70,)
    np.testing.assert_array_equal(result, np.diag(gramian.gram(kernel, X)))


@pytest.mark.parametrize("kernel", LEAVES + ANISOTROPIC + COMPOSITES, ids=repr)
def test_product_is_gram_times_vectors(rng, kernel):
    X, Y = rng.normal(size=(70, 3)), rng.normal(size=(130, 3))
    for others in (None, Y):
        K = gramian.gram(kernel, X, others)
        V = rng.normal(size=(K.shape[1], 4))
        error = np.abs(gramian.product(kernel, X, V, others) - K @ V)
        assert (error <= 1e-13 * (np.abs(K) @ np.abs(V))).all()


def test_shapes_that_disagree_are_named():
    X, Y = np.ones((4, 3)), np.ones((5, 2))
    with pytest.raises(ValueError, match=r"X\.shape\[1\] == 3 while Y\.shape\[1\] == 2"):
        gramian.gram(KERNEL, X, Y)
    with pytest.raises(ValueError, match="V has 5 rows, X has 4"):
        gramian.product(KERNEL, X, np.ones((5, 1)))
    with pytest.raises(ValueError, match="V has 4 rows, Y has 6"):
        gramian.product(KERNEL, X, np.ones(4), np.ones((6, 3)))
