# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import pickle
import warnings

import gramian
import numpy as np
import pytest
import scipy.linalg
from gramian.linalg import CholeskyFactor, cholesky, cholesky_solve_batch, solve_triangular
from sklearn.exceptions import ConvergenceWarning

SIZES = [1, 2, 3, 5, 10, 50, 200, 500]


def spd(rng, n):
    G = rng.normal(size=(n, n))
    return G @ G.T / n + 0.1 * np.eye(n)


@pytest.fixture
def indefinite(rng):
    A = spd(rng, 30)
    A[20, 20] = -3.0
    return A


@pytest.mark.parametrize("n", SIZES)
def test_the_factor_is_scipys(rng, n):
    A = spd(rng, n)
    before = A.copy()
    factor = cholesky(A)
    assert factor.jitter == 0 and factor.L.dtype == np.float64 and factor.L.flags.c_contiguous
    np.testing.assert_allclose(factor.L, scipy.linalg.cholesky(A, lower=True), rtol=0, atol=1e-13)
    np.testing.assert_array_equal(A, before)
    assert factor.log_determinant() == pytest.approx(np.linalg.slogdet(A)[1], abs=1e-9)
    np.testing.assert_allclose(factor.inverse_diagonal(), np.diag(np.linalg.inv(A)), rtol=1e-10)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("m", [1, 3, 10, 17, 120])
def test_solutions_are_scipys(rng, n, m):
    A, B = spd(rng, n), rng.normal(size=(n, m))
    before = B.copy()
    X = cholesky(A).solve(B)
    np.testing.assert_allclose(X, scipy.linalg.solve(A, B, assume_a="pos"), rtol=0, atol=1e-11 * np.abs(X).max())
    np.testing.assert_array_equal(B, before)
    np.testing.assert_allclose(cholesky(A).solve(B[:, 0]), X[:, 0], rtol=0, atol=1e-12 * np.abs(X).max())


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("transposed", [True, False])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(("n", "m"), [(1, 1), (30, 10), (130, 16), (250, 130)])
def test_triangular_solutions_are_scipys(rng, n, m, lower, transposed, order):
    T = np.asarray(np.eye(n) + rng.normal(size=(n, n)) / n, order=order)  # both triangles are full: one must be ignored
    B = np.asarray(rng.normal(size=(n, m)), order=order)
    X = solve_triangular(T, B, lower=lower, transposed=transposed)
    expected = scipy.linalg.solve_triangular(T, B, lower=lower, trans=int(transposed))
    np.testing.assert_allclose(X, expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    vector = solve_triangular(T, B[:, 0], lower=lower, transposed=transposed)
    assert vector.shape == (n,)


def test_arrays_of_every_layout_and_type(rng):
    A = spd(rng, 60)
    L = cholesky(A).L
    wide = np.zeros((120, 180))
    wide[::2, ::3] = A
    read_only = A.copy()
    read_only.flags.writeable = False
    for matrix in (
        np.asfortranarray(A),
        wide[::2, ::3],
        read_only,
        A.astype(">f8"),
        A.tolist(),
        A[::-1, ::-1][::-1, ::-1],
    ):
        np.testing.assert_allclose(cholesky(matrix).L, L, rtol=0, atol=1e-14)
    single = cholesky(A.astype(np.float32)).L
    assert single.dtype == np.float64
    np.testing.assert_allclose(single, L, rtol=0, atol=1e-5)
    np.testing.assert_array_equal(cholesky(2 * np.eye(3, dtype=int)).L, np.sqrt(2) * np.eye(3))


def test_singular_matrices_get_jitter_and_one_warning(rng):
    X = rng.normal(size=(40, 2))
    X[20:] = X[:20]
    K = gramian.gram(gramian.kernels.Gaussian(), X)
    K[39, 39] -= 1e-14
    with pytest.warns(ConvergenceWarning, match="size 40 .* was added to its diagonal") as caught:
        factor = cholesky(K)
    assert len(caught) == 1 and caught[0].filename == __file__
    assert 0 < factor.jitter <= 1e-8
    np.testing.assert_allclose(factor.L @ factor.L.T, K + factor.jitter * np.eye(40), rtol=0, atol=1e-14)
    with pytest.raises(gramian.NumericalError, match="No jitter was tried"):
        cholesky(K, max_jitter=0)


def test_indefinite_matrices_are_refused(indefinite):
    before = indefinite.copy()
    with pytest.raises(gramian.NumericalError, match=r"size 30 .* pivot 20 is -.* max_jitter"):
        cholesky(indefinite)
    with pytest.raises(np.linalg.LinAlgError, match="pivot 0 is -1"):
        cholesky(-np.eye(4))
    np.testing.assert_array_equal(indefinite, before)


def test_bad_matrices_are_named(rng):
    A = spd(rng, 50)
    for bad, word in ((np.nan, "NaN"), (np.inf, "infinity")):
        for row, column in ((30, 2), (2, 30), (30, 30)):
            B = A.copy()
            B[row, column] = bad
            with pytest.raises(ValueError, match=f"Input A contains {word}|A is not symmetric"):
                cholesky(B)
        with pytest.raises(ValueError, match=f"Input L contains {word}"):
            solve_triangular(np.array([[1.0, 0.0], [bad, 1.0]]), np.ones(2))
        assert solve_triangular(np.array([[1.0, bad], [0.0, 1.0]]), np.ones(2)).tolist() == [1.0, 1.0]
        with pytest.raises(ValueError, match=f"Input B contains {word}"):
            cholesky(A).solve(np.full(50, bad))
    with pytest.raises(ValueError, match="A must be a square matrix"):
        cholesky(A[:, :20])
    with pytest.raises(ValueError, match=r"A is not symmetric: entries \(40, 3\) and \(3, 40\)"):
        C = A.copy()
        C[40, 3] += 1e-6
        cholesky(C)
    for empty in (np.zeros((0, 0)), np.zeros(3)):
        with pytest.raises(ValueError, match="Found array A|Expected 2D array A"):
            cholesky(empty)
    for kind, error in ((A.astype(complex), ValueError), (A.astype(str), TypeError), (np.ma.array(A), TypeError)):
        with pytest.raises(error):
            cholesky(kind)


def test_bad_right_hand_sides_are_named(rng):
    factor = cholesky(spd(rng, 6))
    with pytest.raises(ValueError, match="B has 5 rows, the matrix has 6"):
        factor.solve(np.ones(5))
    with pytest.raises(ValueError, match="B has 5 rows, the matrix has 6"):
        solve_triangular(factor.L, np.ones((5, 2)))
    with pytest.raises(ValueError, match="contains NaN, on its diagonal in row 1"):
        solve_triangular(np.diag([1.0, np.nan]), np.ones(2))
    with pytest.raises(gramian.NumericalError, match="diagonal entry 1 is 0"):
        solve_triangular(np.diag([1.0, 0.0]), np.ones(2))


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf, "1", None, True])
def test_bad_jitter_is_named(value):
    with pytest.raises((TypeError, ValueError), match="max_jitter must be a finite number"):
        cholesky(np.eye(2), max_jitter=value)


def test_factors_are_values(rng):
    factor = cholesky(spd(rng, 20))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        copy = pickle.loads(pickle.dumps(factor, protocol))
        assert isinstance(copy, CholeskyFactor) and copy.jitter == factor.jitter
        np.testing.assert_array_equal(copy.L, factor.L)
    assert repr(factor) == "CholeskyFactor(n=20, jitter=0)"
    with pytest.raises(AttributeError):
        factor.jitter = 1.0


@pytest.mark.parametrize("n", [1, 7, 100, 200])
@pytest.mark.parametrize("m", [None, 1, 30])
def test_batches_are_single_solutions(rng, n, m):
    A = np.stack([spd(rng, n) for _ in range(5)])
    B = rng.normal(size=(5, n) if m is None else (5, n, m))
    X, jitter, success = cholesky_solve_batch(A, B)
    assert X.shape == B.shape and success.all() and not jitter.any()
    for b in range(5):
        expected = cholesky(A[b]).solve(B[b])
        np.testing.assert_allclose(X[b], expected, rtol=0, atol=1e-11 * np.abs(expected).max())


def test_a_bad_system_of_a_batch_is_reported(rng, indefinite):
    A = np.stack([spd(rng, 30), indefinite, np.ones((30, 30)) - 1e-15 * np.eye(30)])
    B = rng.normal(size=(3, 30))
    with pytest.warns(ConvergenceWarning, match="1 of 3 systems needed jitter.* 1 of 3 matrices .* number 1") as caught:
        solution = cholesky_solve_batch(A, B)
    assert len(caught) == 1
    np.testing.assert_array_equal(solution.success, [True, False, True])
    assert np.isnan(solution.X[1]).all() and np.isfinite(solution.X[[0, 2]]).all()
    assert solution.jitter[0] == 0 < solution.jitter[2]
    for matrices, sides in ((A[0], B), (A, B[:2]), (A, B[:, :4]), (A[:, :, :3], B)):
        with pytest.raises(ValueError, match="must have shape"):
            cholesky_solve_batch(matrices, sides)
    with pytest.raises(ValueError, match="Input A contains NaN"):
        cholesky_solve_batch(np.full((1, 2, 2), np.nan), np.ones((1, 2)))


def test_threads_do_not_change_a_bit(rng):
    A, B, C = spd(rng, 1200), rng.normal(size=(1200, 60)), rng.normal(size=(1200, 150))
    stack, sides = np.stack([spd(rng, 90) for _ in range(40)]), rng.normal(size=(40, 90, 3))
    results = []
    for threads in (1, 2, 7):
        gramian.set_num_threads(threads)
        factor = cholesky(A)
        results.append([factor.L, factor.solve(B), factor.solve(C), cholesky_solve_batch(stack, sides).X])
    for result in results[1:]:
        for value, expected in zip(result, results[0], strict=True):
            np.testing.assert_array_equal(value, expected)


def test_no_warning_without_need(rng):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cholesky(spd(rng, 40)).solve(np.ones(40))


def test_memory_is_asked_for_before_the_work(rng):
    A = spd(rng, 300)
    gramian.set_memory_limit(300 * 300 * 8 - 1)
    with pytest.raises(MemoryError, match="the Cholesky factor needs"):
        cholesky(A)
