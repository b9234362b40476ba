# SPDX-License-Identifier: BSD-3-Clause
"""Products with K.T @ K and normal systems, against stored Gram matrices."""

import copy
import pickle

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import _core
from gramian.kernels import Gaussian, Matern
from numpy.testing import assert_allclose

KERNEL = Gaussian(length_scale=1.5) + 0.5 * Matern(nu=1.5)


def _problem(dtype=np.float64, n=700, m=60):
    rng = np.random.default_rng(0)
    X, C = rng.normal(size=(n, 3)).astype(dtype), rng.normal(size=(m, 3)).astype(dtype)
    return X, C, rng.normal(size=(m, 2)), rng.uniform(size=n), rng.normal(size=(n, 2))


@pytest.mark.parametrize("dtype, tol", [(np.float64, 1e-12), (np.float32, 1e-5)])
def test_products_and_systems_are_those_of_the_stored_matrix(dtype, tol):
    X, C, V, weights, Y = _problem(dtype)
    K = gramian.gram(KERNEL, X.astype(float), C.astype(float))
    scale = np.abs(K.T) @ (np.abs(K) @ np.abs(V) + np.abs(Y)).max(axis=1)
    for w in (None, weights):
        for targets in (None, Y):
            residual = K @ V - (0 if targets is None else targets)
            expected = K.T @ (residual if w is None else w[:, None] * residual)
            result = gramian.normal_product(KERNEL, X, C, V, weights=w, Y=targets)
            assert result.dtype == np.float64
            assert np.all(np.abs(result - expected) <= tol * scale[:, None])
        W = np.ones(len(X)) if w is None else w
        square, right = gramian.normal_system(KERNEL, X, C, Y, sample_weight=w)
        assert_allclose(square, K.T @ (W[:, None] * K), rtol=tol)
        assert_allclose(right, K.T @ (W[:, None] * Y), atol=tol * np.abs(K.T @ np.abs(Y)).max())
        assert np.array_equal(square, square.T)


def test_vectors_give_vectors():
    X, C, V, _, Y = _problem()
    assert gramian.normal_product(KERNEL, X, C, V[:, 0]).shape == (60,)
    one = gramian.normal_product(KERNEL, X, C, V[:, 0], Y=Y[:, 0])
    assert_allclose(one, gramian.normal_product(KERNEL, X, C, V, Y=Y)[:, 0], rtol=1e-10)
    assert gramian.normal_system(KERNEL, X, C, Y[:, 0])[1].shape == (60,)
    assert gramian.normal_system(KERNEL, X, C)[1] is None


def test_sparse_points_and_kernels_by_name():
    X, C, V, _, Y = _problem()
    sparse_X, sparse_C = scipy.sparse.csr_matrix(X), scipy.sparse.csr_matrix(C)
    assert_allclose(
        gramian.normal_product(KERNEL, sparse_X, sparse_C, V, Y=Y),
        gramian.normal_product(KERNEL, X, C, V, Y=Y),
        rtol=1e-9,
    )
    assert_allclose(
        gramian.normal_system(KERNEL, sparse_X, sparse_C)[0], gramian.normal_system(KERNEL, X, C)[0], rtol=1e-9
    )
    K = gramian.gram("gaussian", X, C)
    assert_allclose(gramian.normal_product("gaussian", X, C, V), K.T @ (K @ V), rtol=1e-9)


def test_wrong_arguments_are_named():
    X, C, V, weights, Y = _problem()
    product, system = gramian.normal_product, gramian.normal_system
    late = X.copy()
    late[-1, 0] = np.nan
    for call, error, text in [
        (lambda: product(KERNEL, X, C, V[:-1]), ValueError, "V has 59 rows"),
        (lambda: product(KERNEL, X, C[:, :2], V), ValueError, r"C.shape\[1\] == 2"),
        (lambda: product(KERNEL, X, scipy.sparse.csr_matrix(C), V), TypeError, "C sparse points"),
        (lambda: product(KERNEL, X, C, V, weights=weights[:-1]), ValueError, "weights must have shape"),
        (lambda: product(KERNEL, X, C, V, weights=-weights), ValueError, "weights must be at least 0"),
        (lambda: product(KERNEL, X, C, V, Y=Y[:, 0]), ValueError, "Y must have shape"),
        (lambda: product(KERNEL, late, C, V), ValueError, "X contains NaN"),
        (lambda: product(KERNEL, gramian.InnerProducts(np.eye(3)), C, V), TypeError, "X has inner products"),
        (lambda: system(KERNEL, X, C, Y[:-1]), ValueError, "Y has 699 rows"),
        (lambda: system(KERNEL, X, C, sample_weight=-weights), ValueError, "sample_weight must be at least 0"),
    ]:
        with pytest.raises(error, match=text):
            call()


def _state(total):
    return total.rows, total.square.tobytes(), total.right.tobytes(), total.y_square.tobytes()


@pytest.mark.parametrize("form", [np.asarray, np.float32, scipy.sparse.csr_matrix])
def test_rows_in_blocks_give_the_bits_of_all_rows(form):
    X, C, _, weights, Y = _problem(n=7000)
    X, C = form(X), form(C)
    square, right = gramian.normal_system(KERNEL, X, C, Y, sample_weight=weights)
    states = []
    for size in (13, 1000, 7000):
        total = gramian.NormalSum(KERNEL, C, 2)
        for first in range(0, 7000, size):
            part = slice(first, first + size)
            total.add(X[part], Y[part], sample_weight=weights[part])
            if first == 3 * size:
                total = pickle.loads(pickle.dumps(total))
        np.testing.assert_array_equal(total.square, square)
        np.testing.assert_array_equal(total.right, right)
        assert_allclose(total.y_square, weights @ Y**2, rtol=1e-12)
        states.append(_state(total))
    assert states[0] == states[1] == states[2]


def test_sums_are_merged_in_order():
    X, C, _, _, Y = _problem(n=2000)
    parts = []
    for part in (slice(0, 700), slice(700, 2000)):
        parts.append(gramian.NormalSum(KERNEL, C, 2))
        parts[-1].add(X[part], Y[part])
    parts[0].merge(parts[1])
    assert parts[0].rows == 2000
    assert_allclose(parts[0].square, gramian.normal_system(KERNEL, X, C)[0], rtol=1e-12)
    for other in (gramian.NormalSum(Gaussian(), C, 2), gramian.NormalSum(KERNEL, C[:5], 2)):
        with pytest.raises(ValueError, match="other has another kernel or other centres"):
            parts[0].merge(other)
    with pytest.raises(ValueError, match="cannot be merged with itself"):
        parts[0].merge(parts[0])


def test_a_copy_continues_by_itself():
    X, C, _, _, Y = _problem(n=900)
    total = gramian.NormalSum(KERNEL, C, 2)
    total.add(X[:500], Y[:500])
    before, copied = _state(total), copy.copy(total)
    copied.add(X[500:], Y[500:])
    assert _state(total) == before
    total.add(X[500:], Y[500:])
    assert _state(total) == _state(copied)


def test_parts_of_the_engine_are_checked():
    X, C, _, _, Y = _problem(n=40)
    total = gramian.NormalSum(KERNEL, C, 2)
    total.add(X, Y)
    system = total._system()
    square, right, y_square = system.square, system.right, system.y_square.tolist()
    for arguments, text in [
        ((None, right, y_square), "square must be"),
        ((square, right[:, 0], y_square), "right must have"),
    ]:
        with pytest.raises(TypeError, match=text):
            _core.gram.NormalSystem(*arguments)
    parts = total._sum.parts()
    fields = {
        name: getattr(parts, name) for name in ("levels", "open_chunks", "pending", "pending_weights", "pending_Y")
    }
    junk = _core.gram.NormalSumParts(rows=40, sums=[3], **fields)
    with pytest.raises(TypeError, match="sums must hold objects of NormalSystem"):
        _core.gram.NormalSum(KERNEL._lower(3).spec, C, 2, junk)


def test_a_sum_reads_sources_and_refuses_what_does_not_fit():
    X, C, _, _, Y = _problem(n=900)
    total, whole = gramian.NormalSum(KERNEL, C, 2), gramian.NormalSum(KERNEL, C, 2)
    total.add(gramian.rows([X[:500], X[500:]]), Y)
    whole.add(X, Y)
    assert _state(total) == _state(whole)
    without = gramian.NormalSum(KERNEL, C, 0)
    without.add(X)
    np.testing.assert_array_equal(without.square, total.square)
    for call, error, text in [
        (lambda: total.add(X), ValueError, "Y must have shape"),
        (lambda: total.add(X, Y[:, 0]), ValueError, "Y must have shape"),
        (lambda: total.add(X[:, :2], Y), ValueError, "Incompatible dimension"),
        (lambda: total.add(X, Y, sample_weight=-np.ones(900)), ValueError, "sample_weight must be at least 0"),
        (lambda: gramian.NormalSum(KERNEL, C, -1), ValueError, "outputs must be an integer"),
    ]:
        with pytest.raises(error, match=text):
            call()
