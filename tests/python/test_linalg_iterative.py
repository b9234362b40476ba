# SPDX-License-Identifier: BSD-3-Clause
"""Conjugate gradients and preconditioners beside numpy's dense solves."""

from __future__ import annotations

import warnings

import gramian
import numpy as np
import pytest
from gramian import linalg
from gramian.kernels import Gaussian
from scipy.sparse.linalg import LinearOperator
from sklearn.exceptions import ConvergenceWarning

rng = np.random.default_rng(0)
N = 80
X = rng.normal(size=(N, 3))
K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(-1))
A = K + 0.01 * np.eye(N)
B = rng.normal(size=(N, 3))
EXPECTED = np.linalg.solve(A, B)


@pytest.mark.parametrize(
    "system",
    [A, A.tolist(), lambda V: A @ V, LinearOperator(A.shape, matvec=lambda v: A @ v, matmat=lambda V: A @ V)],
    ids=["array", "list", "function", "LinearOperator"],
)
def test_it_solves_what_numpy_solves(system):
    found = linalg.conjugate_gradients(system, B)
    np.testing.assert_allclose(found.solution, EXPECTED, rtol=1e-6, atol=1e-7)
    residuals = np.linalg.norm(B - A @ found.solution, axis=0) / np.linalg.norm(B, axis=0)
    np.testing.assert_allclose(found.residuals, residuals, rtol=1e-3, atol=1e-14)
    assert found.converged
    assert found.stop_reason == "tol"
    assert (found.residuals <= 1e-10).all()
    assert [point.number for point in found.history] == list(range(found.n_iter + 1))
    energy = 0.5 * np.sum(found.solution * (A @ found.solution)) - np.sum(found.solution * B)
    assert found.history[-1].value == pytest.approx(energy, rel=1e-9)


def test_a_vector_gives_a_vector():
    found = linalg.conjugate_gradients(A, B[:, 0])
    assert found.solution.shape == (N,)
    np.testing.assert_array_equal(found.solution, linalg.conjugate_gradients(A, B[:, :1]).solution[:, 0])


def test_preconditioners_save_iterations():
    plain = linalg.conjugate_gradients(A, B)
    factor = gramian.incomplete_cholesky(Gaussian(gamma=0.5), X, rank=40, random_state=0).factor
    inverse = linalg.LowRankInverse(factor, 0.01)
    assert repr(inverse) == "LowRankInverse(n=80, rank=40)"
    dense = np.linalg.inv(factor @ factor.T + 0.01 * np.eye(N))
    np.testing.assert_allclose(inverse.apply(B), dense @ B, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(inverse.apply(B[:, 0]), inverse.apply(B[:, :1])[:, 0])
    operator = LinearOperator(A.shape, matvec=lambda v: dense @ v, matmat=lambda V: dense @ V)
    for preconditioner in (inverse, lambda R: dense @ R, operator):
        found = linalg.conjugate_gradients(A, B, preconditioner=preconditioner)
        assert found.converged
        assert 2 * found.n_iter < plain.n_iter
        np.testing.assert_allclose(found.solution, EXPECTED, rtol=1e-6, atol=1e-7)


def test_shifts_may_differ_by_rows():
    F, d = rng.normal(size=(N, 4)), rng.uniform(0.1, 2.0, N)
    expected = np.linalg.solve(F @ F.T + np.diag(d), B)
    np.testing.assert_allclose(linalg.LowRankInverse(F, d).apply(B), expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(linalg.woodbury_solve(d, F, B), expected, rtol=1e-10, atol=1e-12)
    system = linalg.Woodbury(d, F)
    np.testing.assert_array_equal(system.solve(B), linalg.woodbury_solve(d, F, B))
    np.testing.assert_array_equal(system.solve(B[:, 0]), linalg.woodbury_solve(d, F, B[:, 0]))
    assert system.log_determinant() == linalg.woodbury_log_determinant(d, F)
    assert repr(system) == "Woodbury(n=80)"


def test_a_start_is_where_it_begins():
    found = linalg.conjugate_gradients(A, B, x0=EXPECTED)
    assert found.n_iter == 0
    np.testing.assert_array_equal(found.solution, EXPECTED)


def test_callbacks_see_the_solution_and_stop():
    seen = []

    def watch(point, columns):
        seen.append((point.number, columns))
        return point.number == 3

    found = linalg.conjugate_gradients(A, B, callback=watch)
    assert found.stop_reason == "callback"
    assert [number for number, _ in seen] == [1, 2, 3]
    np.testing.assert_array_equal(seen[-1][1], found.solution)
    assert not found.converged
    with pytest.raises(ZeroDivisionError):
        linalg.conjugate_gradients(A, B, callback=lambda point, columns: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        linalg.conjugate_gradients(lambda V: 1 / 0, B)


def test_what_does_not_converge_warns_and_the_advice_helps():
    with pytest.warns(
        ConvergenceWarning, match=r"after 30 iterations: raise max_iter or tol, or pass a better precond"
    ):
        found = linalg.conjugate_gradients(A, B, max_iter=30)
    assert found.stop_reason == "max_iter"
    H = 1.0 / (np.arange(12)[:, None] + np.arange(12) + 1)
    with pytest.warns(ConvergenceWarning, match=r"does not let fall further: raise tol, or add more to the diagonal"):
        stagnated = linalg.conjugate_gradients(H, np.ones(12), tol=0.0, max_iter=100_000)
    assert stagnated.stop_reason == "stagnation"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        linalg.conjugate_gradients(A, B, max_iter=500)
        linalg.conjugate_gradients(A, B, max_iter=30, tol=0.5)
        inverse = linalg.LowRankInverse(np.linalg.cholesky(K + 1e-9 * np.eye(N)), 0.01)
        linalg.conjugate_gradients(A, B, max_iter=30, preconditioner=inverse)
        linalg.conjugate_gradients(H, np.ones(12), tol=1e-2, max_iter=100_000)
        linalg.conjugate_gradients(H + 0.1 * np.eye(12), np.ones(12))


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((A[:5], B), {}, ValueError, "A must be a square matrix"),
        ((np.triu(A), B), {}, ValueError, "A is not symmetric|symmetric"),
        ((A, B[:5]), {}, ValueError, "B has 5 rows, the matrix has 80"),
        ((A, np.full(N, np.nan)), {}, ValueError, "B"),
        ((A, B), {"tol": -1.0}, ValueError, "tol must be"),
        ((A, B), {"max_iter": 1.5}, TypeError, "max_iter must be"),
        ((A, B), {"x0": np.zeros(N)}, ValueError, r"x0 must have the shape of B, \(80, 3\), got \(80,\)"),
        ((A, B), {"preconditioner": 3}, TypeError, "preconditioner must be a LowRankInverse, a function"),
        ((A, B), {"callback": 3}, TypeError, "callback must be callable"),
        ((lambda V: V[:3], B), {}, ValueError, r"what A returns must have shape \(80, 3\), got \(3, 3\)"),
        ((-A, B), {}, gramian.NumericalError, "not positive semi-definite"),
        ((A, B), {"preconditioner": lambda R: -R}, gramian.NumericalError, "preconditioner is not positive definite"),
    ],
)
def test_wrong_arguments_are_named(arguments, options, error, message):
    with pytest.raises(error, match=message):
        linalg.conjugate_gradients(*arguments, **options)


@pytest.mark.parametrize(
    ("F", "shift", "error", "message"),
    [
        (B, 0.0, ValueError, "shift"),
        (B, "much", TypeError, "shift"),
        (B, np.ones(5), ValueError, r"shift must be a number or have shape \(80,\), got \(5,\)"),
        (B, -np.ones(N), ValueError, "shift must hold finite numbers greater than 0"),
        (B[:, 0], 1.0, ValueError, "F"),
    ],
)
def test_wrong_factors_are_named(F, shift, error, message):
    with pytest.raises(error, match=message):
        linalg.LowRankInverse(F, shift)
