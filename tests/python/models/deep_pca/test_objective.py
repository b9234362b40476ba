# SPDX-License-Identifier: BSD-3-Clause
"""DeepPCAObjective: J by its formula, the gradient by differences, and where training ends."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian.kernels import Gaussian, Polynomial
from gramian.models import DeepPCAObjective
from gramian.optim import minimize_stiefel

FIRST, UPPER = Gaussian(gamma=0.3), Gaussian(gamma=0.8)
GENTLE = Gaussian(gamma=0.1)  # J has a solution with it
ETA = [0.7, -1.3]


@pytest.fixture(scope="module")
def X():
    return np.random.default_rng(0).normal(size=(14, 3))


@pytest.fixture(scope="module")
def features():
    rng = np.random.default_rng(1)
    return [np.linalg.qr(rng.normal(size=(14, s)))[0] for s in (3, 2)]


def energy(X, H, center=False):
    C = np.eye(len(X)) - center / len(X)
    K = [C @ FIRST(X) @ C, C @ UPPER(H[0]) @ C]
    return sum(np.trace(h.T @ k @ h) / (2 * eta) for h, k, eta in zip(H, K, ETA, strict=True))


def differences(f, x, h=1e-4):
    """Central ones of fourth order."""
    gradient = np.empty_like(x)
    for i in range(x.size):
        e = np.zeros_like(x)
        e.flat[i] = h
        gradient.flat[i] = (8 * (f(x + e) - f(x - e)) - (f(x + 2 * e) - f(x - 2 * e))) / (12 * h)
    return gradient


@pytest.mark.parametrize("center", [False, True])
def test_j_is_half_the_squared_residuals_of_the_energys_gradient(X, features, center):
    J = DeepPCAObjective(X, (3, 2), [FIRST, UPPER], ETA, center=center)
    x = J.join(features)
    state, A = J.state(x), J.energy_gradient(x)
    assert state.energy == pytest.approx(energy(X, features, center))
    for j in range(2):
        changed = [lambda h, j=j: energy(X, [h if i == j else H for i, H in enumerate(features)], center)]
        np.testing.assert_allclose(A[j], differences(changed[0], features[j]), atol=1e-8)
        values = np.einsum("ns,ns->s", features[j], A[j])
        np.testing.assert_allclose(state.eigenvalues[j], values, atol=1e-12)
        assert state.residuals[j] == pytest.approx(0.5 * np.sum((A[j] - features[j] * values) ** 2))
    assert J.value(x) == state.objective == pytest.approx(state.residuals.sum())
    assert state.primal == pytest.approx(0.5 * sum(v.sum() for v in state.eigenvalues) - state.energy)
    assert np.all(state.captured_trace > 0) and np.all(state.captured_trace < 1)


@pytest.mark.parametrize("eigenvalues", ["eliminated", "joint"])
@pytest.mark.parametrize("upper", [UPPER, "linear", Polynomial(degree=2, gamma=1.0, coef0=1.0)])
def test_the_gradient_is_that_of_the_value(X, eigenvalues, upper):
    J = DeepPCAObjective(X, (3, 2), [FIRST, upper], ETA, eigenvalues=eigenvalues)
    x = 0.3 * np.random.default_rng(2).normal(size=J.size)  # anywhere, not on the manifold
    value, gradient = J.value_and_gradient(x)
    expected = differences(J.value, x)
    scale = np.abs(gradient).max()
    assert value == J.value(x)
    np.testing.assert_allclose(gradient, expected, atol=1e-7 * scale)
    assert np.abs(1.001 * gradient - expected).max() > 1e-4 * scale  # what is a little off is noticed


def test_the_primal_counts_the_lengths_of_columns(X, features):
    J = DeepPCAObjective(X, (3, 2), [FIRST, UPPER], ETA)
    state = J.state(J.join([2.0 * H for H in features]))
    traces = sum(4.0 * values.sum() for values in state.eigenvalues)  # tr H^T H Lambda
    assert state.primal == pytest.approx(0.5 * traces - state.energy)


def test_x_is_split_and_joined(X, features):
    J = DeepPCAObjective(X, (3, 2), [FIRST, UPPER], eigenvalues="joint")
    assert J.shapes == [(14, 3), (14, 2)] and J.size == 14 * 5 + 5
    x = J.join(features, [[3.0, 2.0, 1.0], [5.0, 4.0]])
    found, numbers = J.split(x)
    for h, expected in zip(found, features, strict=True):
        np.testing.assert_array_equal(h, expected)
    assert [values.tolist() for values in numbers] == [[3.0, 2.0, 1.0], [5.0, 4.0]]
    assert DeepPCAObjective(X, (3, 2)).split(x[:70])[1] is None


def test_where_the_estimator_ends_there_is_nothing_to_do(X):
    model = gramian.DeepKernelPCA((3, 2), [FIRST, GENTLE], tol=1e-11, max_iter=5000).fit(X)
    J = DeepPCAObjective(X, (3, 2), [FIRST, GENTLE])
    x = J.join(model.hidden_features_)
    state = J.state(x)
    assert J.value(x) == pytest.approx(model.objective_, abs=1e-20)
    assert state.primal == pytest.approx(model.primal_objective())
    np.testing.assert_allclose(state.captured_trace, model.captured_trace_)
    assert np.abs(J.value_and_gradient(x)[1]).max() < 1e-8


def test_training_by_hand_finds_what_the_estimator_finds(X):
    levelwise = gramian.DeepKernelPCA((3, 2), [FIRST, GENTLE], solver="levelwise").fit(X)
    J = DeepPCAObjective(X, (3, 2), [FIRST, GENTLE])
    start = J.join(levelwise.hidden_features_)
    found = minimize_stiefel(J.value_and_gradient, start, J.shapes, max_iterations=5000, gradient_tolerance=1e-9)
    model = gramian.DeepKernelPCA((3, 2), [FIRST, GENTLE], tol=1e-9, max_iter=5000).fit(X)
    assert found.value < 1e-12 and model.objective_ < 1e-12
    np.testing.assert_allclose(J.state(found.x).captured_trace, model.captured_trace_, atol=1e-6)


def test_any_input_and_any_budget_give_the_same(X, features):
    J = DeepPCAObjective(X, (3, 2), [FIRST, UPPER])
    x = J.join(features)
    value, gradient = J.value_and_gradient(x)
    gram = DeepPCAObjective(FIRST(X), (3, 2), ["precomputed", UPPER])
    sparse = DeepPCAObjective(scipy.sparse.csr_matrix(X), (3, 2), [FIRST, UPPER])
    little = DeepPCAObjective(X, (3, 2), [FIRST, UPPER], memory_budget=1)
    for other in (gram, sparse, little):
        assert other.value(x) == pytest.approx(value, rel=1e-12)
        np.testing.assert_allclose(other.value_and_gradient(x)[1], gradient, atol=1e-12 * np.abs(gradient).max())
    again = J.value_and_gradient(x)
    assert again[0] == value and again[1].tobytes() == gradient.tobytes()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X: DeepPCAObjective(X, (15, 2)), "level 1: components is 15, there are only 14 samples"),
        (lambda X: DeepPCAObjective(X, (3, 2), eta=[1.0, 0.0]), r"eta\[1\] of DeepPCAObjective"),
        (lambda X: DeepPCAObjective(X, (3, 2), eigenvalues="free"), "'eigenvalues' parameter of DeepPCAObjective"),
        (lambda X: DeepPCAObjective(X, (3, 2), ["precomputed", None]), "square"),
        (lambda X: DeepPCAObjective(X, (3, 2)).value(np.zeros(69)), "x must have 70 numbers, got 69"),
        (lambda X: DeepPCAObjective(X, (3, 2)).join([X]), "one for each of 2 levels, got 1"),
        (lambda X: DeepPCAObjective(X, (3, 2)).join([X, X]), r"features\[1\]"),
        (lambda X: DeepPCAObjective(X, (3, 2)).join([X, X[:, :2]], [[1.0]]), "eigenvalues must be given if"),
    ],
)
def test_errors_name_the_argument(X, call, message):
    with pytest.raises(ValueError, match=message):
        call(X)
