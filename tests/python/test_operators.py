# SPDX-License-Identifier: BSD-3-Clause
"""Operator-valued kernels and ridge regression with them, by double loops over blocks."""

from __future__ import annotations

import pickle
import warnings

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import DependencyRegressor, OperatorKernelRidge
from gramian.kernels import Gaussian, Linear
from gramian.operators import (
    DiagonalRegularization,
    Pointwise,
    Scaled,
    Separable,
    Sum,
    conditional_covariance,
    covariance,
    span_coordinates,
)
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge

Q = 3
K = Gaussian(gamma=0.3)
A = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.2], [0.0, 0.2, 0.7]])

# Each with its block as it is written in [KDE].
FORMULAS = {
    "identity": (Separable(K), lambda x, y: K(x, y) * np.eye(Q)),
    "diagonal": (Separable(K, A=[1.0, 0.0, 3.0]), lambda x, y: K(x, y) * np.diag([1.0, 0.0, 3.0])),
    "full": (Separable(K, A=A), lambda x, y: K(x, y) * A),
    "pointwise": (Pointwise(), lambda x, y: np.diag(x * y)),
    "regularized": (DiagonalRegularization(K, 0.3), lambda x, y: 0.7 * K(x, y) * np.eye(Q) + 0.3 * np.diag(x * y)),
    "sum": (
        0.5 * Separable(K, A) + Pointwise() + Separable(Linear()),
        lambda x, y: 0.5 * K(x, y) * A + np.diag(x * y) + x @ y * np.eye(Q),
    ),
}


@pytest.fixture(params=list(FORMULAS))
def case(request):
    return FORMULAS[request.param]


@pytest.fixture
def points(rng):
    return rng.normal(size=(7, Q)), rng.normal(size=(5, Q))


def blocks(formula, X, Y):
    return np.array([[formula(x, y) for y in Y] for x in X])


def test_blocks_and_the_block_matrix(case, points):
    operator, formula = case
    X, Y = points
    expected = blocks(formula, X, Y)
    np.testing.assert_allclose(operator.block(X[0], Y[1], outputs=Q), expected[0, 1], atol=1e-14)
    whole = expected.transpose(0, 2, 1, 3).reshape(7 * Q, 5 * Q)
    np.testing.assert_allclose(operator.matrix(X, Y, outputs=Q), whole, atol=1e-14)
    own = operator.matrix(X, outputs=Q)
    np.testing.assert_allclose(own, own.T, atol=1e-14)
    assert np.linalg.eigvalsh(own).min() > -1e-12


def test_the_action_needs_no_matrix(case, points, rng):
    operator, formula = case
    X, Y = points
    V, W = rng.normal(size=(5, Q)), rng.normal(size=(7, Q))
    np.testing.assert_allclose(operator.apply(X, V, Y), np.einsum("ijab,jb->ia", blocks(formula, X, Y), V), atol=1e-13)
    np.testing.assert_allclose(operator.apply(X, W), np.einsum("ijab,jb->ia", blocks(formula, X, X), W), atol=1e-13)
    sparse = [scipy.sparse.csr_matrix(part) for part in (X, Y)]
    np.testing.assert_allclose(operator.apply(sparse[0], V, sparse[1]), operator.apply(X, V, Y), atol=1e-13)


def test_joint_kernels(case, points, rng):
    operator, formula = case
    X, Y = points
    F, G = rng.normal(size=(7, Q)), rng.normal(size=(5, Q))
    expected = np.einsum("ia,ijab,jb->ij", F, blocks(formula, X, Y), G)
    np.testing.assert_allclose(operator.joint(X, F, Y, G), expected, atol=1e-13)
    np.testing.assert_allclose(
        operator.joint(X, F), np.einsum("ia,ijab,jb->ij", F, blocks(formula, X, X), F), atol=1e-13
    )


def test_joint_kernels_of_the_paper(points, rng):
    X, _ = points
    F = rng.normal(size=(7, Q))
    np.testing.assert_allclose(Separable(K).joint(X, F), K(X) * (F @ F.T), atol=1e-13)
    expected = 0.6 * K(X) * (F @ F.T) + 0.4 * (X * F) @ (X * F).T
    np.testing.assert_allclose(DiagonalRegularization(K, 0.4).joint(X, F), expected, atol=1e-13)


def test_covariances_are_those_of_the_paper(points, rng):
    X, _ = points
    F = rng.normal(size=(7, 4))
    np.testing.assert_allclose(covariance(K, F).A, F.T @ F / 7, atol=1e-14)
    C_YX, C_XX = F.T @ X / 7, X.T @ X / 7
    expected = F.T @ F / 7 - C_YX @ np.linalg.solve(C_XX + 0.2 * np.eye(Q), C_YX.T)
    np.testing.assert_allclose(conditional_covariance(Linear(), F, X, 0.2).A, expected, atol=1e-13)


def test_span_coordinates_are_vectors_of_outputs(rng):
    F = rng.normal(size=(9, 4))
    R = span_coordinates(F @ F.T)
    assert R.shape == (9, 4)
    np.testing.assert_allclose(R @ R.T, F @ F.T, atol=1e-12)
    with pytest.raises(ValueError, match="semidefinite"):
        span_coordinates(-np.eye(3))
    with pytest.raises(ValueError, match="L is not symmetric"):
        span_coordinates(np.triu(F @ F.T))


def test_the_generalised_kernel_trick(points, rng):
    """[KDE] Sec. 3: <T Phi(y), Phi(t)> = [T l(y, .)](t), on the features of (y y' + 1)^2 and of what outputs span."""
    X, _ = points
    n, epsilon = len(X), 0.07
    y, t = rng.normal(size=n), rng.normal(size=5)
    L, there = (np.multiply.outer(y, y) + 1.0) ** 2, (np.multiply.outer(y, t) + 1.0) ** 2
    explicit, new = (np.stack([a**2, np.sqrt(2.0) * a, np.ones(len(a))], axis=1) for a in (y, t))
    span = span_coordinates(L)
    k = K(X)
    mixing = np.eye(n) - np.linalg.solve(k + n * epsilon * np.eye(n), k)
    for F, at in ((explicit, new), (span, np.linalg.lstsq(span, there, rcond=None)[0].T)):
        for T, weights in ((covariance(K, F), L / n), (conditional_covariance(K, F, X, epsilon), mixing @ L / n)):
            # T l(y_i, .) is a sum of l(y_s, .) with these weights.
            np.testing.assert_allclose(F @ T.A @ at.T, weights.T @ there, atol=1e-9)


@pytest.mark.parametrize("solver", ["cholesky", "cg"])
def test_ridge_regression_solves_the_block_system(case, points, rng, solver):
    operator, formula = case
    X, new = points
    Y = rng.normal(size=(7, Q))
    model = OperatorKernelRidge(operator, alpha=0.2, solver=solver, tol=1e-13).fit(X, Y)
    whole = blocks(formula, X, X).transpose(0, 2, 1, 3).reshape(7 * Q, 7 * Q)
    psi = np.linalg.solve(whole + 0.2 * np.eye(7 * Q), Y.ravel()).reshape(7, Q)
    np.testing.assert_allclose(model.dual_coef_, psi, atol=1e-10)
    np.testing.assert_allclose(model.predict(new), np.einsum("ijab,jb->ia", blocks(formula, new, X), psi), atol=1e-10)
    assert model.solver_ == solver and model.residual_ <= 1e-13


def test_the_identity_is_kernel_ridge(points, rng):
    X, new = points
    for Y in (rng.normal(size=(7, 2)), rng.normal(size=7)):
        ours = OperatorKernelRidge(Separable(K), alpha=0.2).fit(X, Y)
        theirs = KernelRidge(alpha=0.2, kernel="rbf", gamma=0.3).fit(X, Y)
        np.testing.assert_allclose(ours.predict(new), theirs.predict(new), atol=1e-10)
        assert ours.score(X, Y) == pytest.approx(theirs.score(X, Y), abs=1e-10)
    assert OperatorKernelRidge().fit(X, Y).operator_.kernel.gamma > 0


def test_any_operator_predicts_structured_outputs(case, points, rng):
    operator, _ = case
    X, new = points
    Y, others = rng.normal(size=(7, Q)), rng.normal(size=(6, Q))
    g = OperatorKernelRidge(operator, alpha=0.1).fit(X, Y).predict(new)
    model = DependencyRegressor(operator=operator, penalty=0.1 / 7, preimage="linear").fit(X, Y)
    np.testing.assert_allclose(model.predict(new), g, atol=1e-12)
    np.testing.assert_allclose(model.weights(new), g, atol=1e-12)
    expected = 2.0 * g @ others.T - (others**2).sum(axis=1)[None]
    np.testing.assert_allclose(model.scores(new, others), expected, atol=1e-10)
    np.testing.assert_array_equal(model.predict(new, others), others[expected.argmax(axis=1)])
    nearest = DependencyRegressor(operator=operator, penalty=0.1 / 7).fit(X, Y)
    np.testing.assert_array_equal(nearest.predict(new), Y[((g[:, None] - Y[None]) ** 2).sum(axis=2).argmin(axis=1)])
    seen = DependencyRegressor(operator=operator, penalty=0.1 / 7, preimage=lambda w, axes: w @ axes).fit(X, Y)
    np.testing.assert_allclose(seen.predict(new), g, atol=1e-12)


@pytest.mark.parametrize("name", ["covariance", "conditional", "identity"])
def test_closed_forms_are_the_same_regression(points, rng, name):
    X, new = points
    Y = rng.normal(size=(7, 4))
    operator = {
        "covariance": covariance(K, Y),
        "conditional": conditional_covariance(K, Y, X, 0.05),
        "identity": Separable(K),
    }[name]
    closed = DependencyRegressor(K, operator=name, penalty=0.03, epsilon=0.05, preimage="linear").fit(X, Y)
    # C_YY has its 1/n in it, which n lambda takes out again.
    penalty = 0.03 if name == "identity" else 0.03 / 7
    general = DependencyRegressor(operator=operator, penalty=penalty, preimage="linear").fit(X, Y)
    np.testing.assert_allclose(closed.predict(new), general.predict(new), atol=1e-11)


@pytest.mark.parametrize("name", ["identity", "covariance", "conditional"])
def test_outputs_of_any_kernel_are_vectors_of_their_span(rng, name):
    X, Y, new, truth = (np.round(rng.normal(size=(n, 3)), 1) for n in (25, 25, 6, 8))
    out = Gaussian(gamma=0.3)
    L, cross = out(Y), out(truth, Y)
    R = span_coordinates(L)
    operators = {
        "identity": Separable(K),
        "covariance": covariance(K, R),
        "conditional": conditional_covariance(K, R, X, 0.05),
    }
    options = {"penalty": 0.03, "epsilon": 0.05}
    closed = DependencyRegressor(K, out, operator=name, **options).fit(X, Y)
    sparse = scipy.sparse.csr_matrix
    options["penalty"] /= 1 if name == "identity" else len(X)  # covariances have a 1/n in them
    for kernel, outputs, candidates in (
        (out, Y, truth),
        (out, sparse(Y), sparse(truth)),
        ("precomputed", L, cross),
        (lambda a, b: float(out([a], [b])[0, 0]), list(Y), list(truth)),
    ):
        model = DependencyRegressor(operator=operators[name], output_kernel=kernel, **options).fit(X, outputs)
        np.testing.assert_allclose(model.scores(new), closed.scores(new), atol=1e-8)
        np.testing.assert_allclose(model.scores(new, candidates), closed.scores(new, truth), atol=1e-8)
        np.testing.assert_array_equal(model.nearest(new, candidates), closed.nearest(new, truth))
        np.testing.assert_allclose(model.weights(new) @ L, closed.weights(new) @ L, atol=1e-8)
        loss = model.loss(new, candidates[:6])
        assert loss == pytest.approx(closed.loss(new, truth[:6]), abs=1e-9)
    moved = DependencyRegressor(operator=operators[name], output_kernel=out, preimage="gaussian", **options).fit(X, Y)
    assert moved.predict(new).shape == (6, 3)
    mixed = DependencyRegressor(operator=Separable(K), preimage="linear", penalty=0.03)
    np.testing.assert_allclose(mixed.fit(X, sparse(Y)).predict(new), mixed.fit(X, Y).predict(new), atol=1e-9)


def test_the_block_system_of_many_outputs_is_solved_in_few_iterations(rng):
    X, A = rng.normal(size=(500, 8)), np.cov(rng.normal(size=(8, 20)))
    model = OperatorKernelRidge(Separable(Gaussian(gamma=0.05), A)).fit(X, rng.normal(size=(500, 8)))
    assert model.solver_ == "cg" and model.n_iter_ < 200 and model.residual_ <= 1e-10


def test_sequences_with_an_operator(rng):
    X = rng.normal(size=(6, 2))
    words = ["ab", "b", "ba", "aab", "bb", "a"]
    model = DependencyRegressor(operator=Separable(Gaussian()), preimage="sequence", penalty=1e-8).fit(X, words)
    assert model.predict(X) == words


def test_conjugate_gradients_say_when_they_stop_early(rng):
    X, Y = rng.normal(size=(60, 2)), rng.normal(size=(60, 2))
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        model = OperatorKernelRidge(Separable(K), alpha=1e-9, solver="cg", max_iter=3).fit(X, Y)
    assert model.n_iter_ == 3 and model.residual_ > 1e-10


def test_targets_of_any_scale(rng):
    X, Y = rng.normal(size=(20, 3)), rng.normal(size=(20, 3))
    plain = OperatorKernelRidge(Separable(K), solver="cg").fit(X, Y).predict(X)
    for scale in (1e-300, 1e-200, 1e200, 1e300):
        found = OperatorKernelRidge(Separable(K), solver="cg").fit(X, scale * Y)
        np.testing.assert_allclose(found.predict(X) / scale, plain, atol=1e-8)


def test_any_number_of_threads_gives_the_same_bits(rng):
    X, Y = rng.normal(size=(200, Q)), rng.normal(size=(200, Q))
    for solver in ("cholesky", "cg"):
        found = set()
        for threads in (1, 2, 7):
            gramian.set_num_threads(threads)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                model = OperatorKernelRidge(DiagonalRegularization(K) + Separable(K, A), alpha=0.1, solver=solver)
                found.add(model.fit(X, Y).predict(X).tobytes())
        assert len(found) == 1


def test_operators_are_values(case):
    operator, _ = case
    for twin in (clone(operator), pickle.loads(pickle.dumps(operator))):
        assert repr(twin) == repr(operator)
        np.testing.assert_array_equal(
            twin.block([1.0, 2.0, 3.0], [0.5, 1.0, 0.0], outputs=Q),
            operator.block([1.0, 2.0, 3.0], [0.5, 1.0, 0.0], outputs=Q),
        )
    total = 2 * Separable(K) + Pointwise(3)
    assert isinstance(total, Sum) and isinstance(total.first, Scaled)
    assert (Separable(K) * 2.0).factor == 2.0
    assert total.get_params()["first__operator__kernel"] == K


X = np.ones((2, 3))
BAD = [
    (lambda: Separable("rbf").block([1.0], [1.0], outputs=1), ValueError, "kernel='rbf' of Separable leaves the width"),
    (lambda: Separable(K).block([1.0], [1.0]), ValueError, "pass outputs="),
    (lambda: Separable(K, A=-np.eye(2)).block([1.0], [1.0]), ValueError, "positive semidefinite"),
    (lambda: Separable(K, A=[-1.0]).block([1.0], [1.0]), ValueError, "negative"),
    (lambda: Separable(K, A=np.ones((2, 3))).block([1.0], [1.0]), ValueError, "A must be"),
    (lambda: Separable(K, A=[1.0, 2.0]).apply(X, X), ValueError, "2 outputs, and there are 3"),
    (lambda: Pointwise(2).apply(X, np.ones((2, 2))), ValueError, "features|coordinates|outputs"),
    (lambda: Pointwise(0).apply(X, X), ValueError, "'size'"),
    (lambda: DiagonalRegularization(K, 1.5).apply(X, X), ValueError, "'weight'"),
    (lambda: (-1.0 * Separable(K)).apply(X, X), ValueError, "'factor'"),
    (lambda: Sum(Separable(K), K).apply(X, X), TypeError, "'second' parameter of Sum"),
    (lambda: Separable(K) + K, TypeError, "unsupported operand"),
    (lambda: Separable(K).apply(X, np.ones((3, 2))), ValueError, "V must have shape"),
    (lambda: Separable(K).joint(X, np.ones((2, 2)), X), ValueError, "give both"),
    (lambda: Separable(K).apply(X, X, scipy.sparse.csr_matrix(X)), TypeError, "alike"),
    (lambda: Separable(K).apply(gramian.InnerProducts(np.eye(2)), X), TypeError, "inner products"),
    (
        lambda: OperatorKernelRidge(3.0).fit(X, X),
        TypeError,
        "'operator' parameter of OperatorKernelRidge must be one of",
    ),
    (lambda: Pointwise(3).matrix(1e160 * X), ValueError, "overflow: scale X down"),
    (lambda: Separable(K).apply(X, np.full((2, 2), 1e308)), ValueError, "overflow: scale X or V down"),
    (lambda: Separable(K).joint(X, np.full((2, 2), 1e200)), ValueError, "overflow: scale X, F or G down"),
    (lambda: OperatorKernelRidge("rfb").fit(X, X), ValueError, "The names are .*'rbf'"),
    (lambda: OperatorKernelRidge("precomputed").fit(X, X), ValueError, "evaluated between samples in vectors"),
    (lambda: OperatorKernelRidge(alpha=0).fit(X, X), ValueError, "'alpha'"),
    (lambda: OperatorKernelRidge(solver="lu").fit(X, X), ValueError, "'solver'"),
    (lambda: OperatorKernelRidge(Separable(K, A)).fit(X, np.ones((2, 4))), ValueError, "3 outputs, and there are 4"),
    (lambda: conditional_covariance(K, X, X, 0.0), ValueError, "'epsilon'"),
    (lambda: conditional_covariance(K, X[:1], X), ValueError, "F has 1 rows, X has 2"),
    (lambda: covariance(Linear, X), TypeError, "'kernel' parameter of covariance"),
    (lambda: Separable(K).block([1.0], [1.0], outputs=2.5), TypeError, "'outputs'"),
    (lambda: Separable(K).matrix(X, outputs=0), ValueError, "'outputs'"),
    (lambda: OperatorKernelRidge().fit(X, scipy.sparse.csr_matrix(X)), TypeError, "y must be dense"),
]


@pytest.mark.parametrize(("call", "error", "message"), BAD)
def test_bad_input_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
