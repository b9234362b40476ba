# SPDX-License-Identifier: BSD-3-Clause
"""Compositions, their reverse mode, Jacobians and the closed last layer, against formulas in numpy."""

from __future__ import annotations

import pickle
import re
import threading
from pathlib import Path

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian, Linear, Polynomial, TensorMatern
from gramian.layers import Composition, Layer, RidgeOutput, forward_jacobian, jacobian_gradient
from scipy import sparse
from scipy.optimize import approx_fprime, minimize

N = 12


@pytest.fixture
def X(rng):
    return rng.normal(size=(N, 3))


def plain_layers() -> list[Layer]:
    kernels = [Gaussian(gamma=0.4), Polynomial(degree=2, gamma=0.5), Gaussian(gamma=0.7)]
    return [Layer(k, outputs, penalty) for k, outputs, penalty in zip(kernels, (2, 1, 3), (0.1, 0.0, 0.3), strict=True)]


def rich_layers() -> list[Layer]:
    """A diagonal operator, a full one, and a sum."""
    full = np.array([[2.0, 0.5], [0.5, 1.0]])
    return [
        Layer(Gaussian(gamma=0.4), 2, 0.1, operator=[0.5, 2.0]),
        Layer([Gaussian(gamma=0.9), Linear()], 2, 0.2, operator=[full, None]),
        Layer(Gaussian(gamma=0.7), 3, 0.3),
    ]


def operator(A, outputs):
    if isinstance(A, int):
        return np.eye(outputs)
    return np.diag(A[0]) if A.shape[0] == 1 and outputs > 1 else A


def naive_forward(X, layers, parts, landmarks=None):
    """X_l = sum_m k_m(X, S) Phi A_m, S_l alike, and the squared norms, as they are written."""
    S, outputs, norms = X if landmarks is None else X[landmarks], [], []
    for layer, Phi in zip(layers, parts, strict=True):
        terms = [(k, operator(A, layer.outputs)) for k, A in zip(layer.kernels, layer.operators, strict=True)]
        norms.append(sum(np.trace(Phi.T @ k(S, S) @ Phi @ A) for k, A in terms))
        X, S = (sum(k(points, S) @ Phi @ A for k, A in terms) for points in (X, S))
        outputs.append(X)
    return outputs, norms


def naive_objective(X, layers, parts, T, landmarks=None):
    outputs, norms = naive_forward(X, layers, parts, landmarks)
    penalty = sum(layer.penalty * norm for layer, norm in zip(layers, norms, strict=True))
    return ((outputs[-1] - T) ** 2).sum() / len(T) + penalty


def numerical_gradient(f, x, step=1e-4):
    """Central differences of fourth order."""
    gradient = np.empty_like(x)
    for i in range(len(x)):
        e = np.zeros_like(x)
        e[i] = step
        gradient[i] = (8 * (f(x + e) - f(x - e)) - (f(x + 2 * e) - f(x - 2 * e))) / (12 * step)
    return gradient


@pytest.mark.parametrize("landmarks", [None, [0, 3, 4, 9]])
@pytest.mark.parametrize("layers", [plain_layers(), rich_layers()], ids=["plain", "rich"])
def test_forward_is_the_formula(rng, X, layers, landmarks):
    composition = Composition(X, layers, landmarks=landmarks)
    flat = rng.normal(size=composition.coefficient_count) / 3
    outputs, norms = naive_forward(X, layers, composition.split(flat), landmarks)
    forward = composition.forward(flat)
    for ours, theirs in zip(forward.outputs, outputs, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(forward.squared_norms, norms, rtol=1e-11)
    weighted = sum(layer.penalty * norm for layer, norm in zip(layers, norms, strict=True))
    assert forward.penalty == pytest.approx(weighted, rel=1e-11)


@pytest.mark.parametrize("landmarks", [None, [0, 3, 4, 9]])
@pytest.mark.parametrize("layers", [plain_layers(), rich_layers()], ids=["plain", "rich"])
def test_the_gradient_is_that_of_the_value(rng, X, layers, landmarks):
    composition = Composition(X, layers, landmarks=landmarks)
    flat, T = rng.normal(size=composition.coefficient_count) / 3, rng.normal(size=(N, 3))

    def value(at):
        return naive_objective(X, layers, composition.split(at), T, landmarks)

    ours, gradient = composition.value_and_gradient(flat, T)
    assert ours == pytest.approx(value(flat), rel=1e-12)
    expected = numerical_gradient(value, flat)
    scale = np.abs(expected).max()
    np.testing.assert_allclose(gradient, expected, rtol=0, atol=1e-8 * scale)
    wrong = gradient.copy()
    wrong[0] += 1e-6 * scale
    assert np.abs(wrong - expected).max() > 1e-8 * scale


def test_jacobians_give_the_same_gradient(rng, X):
    layers, T = plain_layers(), rng.normal(size=(N, 3))
    composition = Composition(X, layers)
    flat = rng.normal(size=composition.coefficient_count) / 3
    _, gradient = composition.value_and_gradient(flat, T)
    np.testing.assert_allclose(jacobian_gradient(X, layers, flat, T), gradient, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("layer", [1, 2, 3])
def test_a_jacobian_is_the_derivative_of_the_outputs(rng, X, layer):
    layers = plain_layers()
    composition = Composition(X, layers)
    parts = composition.split(rng.normal(size=composition.coefficient_count) / 3)

    def outputs(row):
        moved = [part.copy() for part in parts]
        moved[layer - 1][5] = row
        return naive_forward(X, layers, moved)[0][-1].ravel()

    ours = forward_jacobian(X, layers, composition.join(parts), layer, 5)
    assert ours.shape == (N, 3, layers[layer - 1].outputs)
    expected = approx_fprime(parts[layer - 1][5], outputs, 1e-7).reshape(ours.shape)
    np.testing.assert_allclose(ours, expected, atol=1e-5 * max(1, np.abs(expected).max()))
    assert np.abs(ours).max() > 1e-3


def test_the_gradient_in_the_functions_makes_that_in_the_coefficients(rng, X):
    layers = [Layer(Gaussian(gamma=0.4), 2, 0.1), Layer(Gaussian(gamma=0.7), 3, 0.3)]
    composition = Composition(X, layers)
    flat, T = rng.normal(size=composition.coefficient_count) / 3, rng.normal(size=(N, 3))
    inputs = [X, composition.forward(flat).outputs[0]]
    _, gradient = composition.value_and_gradient(flat, T)
    parts = zip(layers, inputs, composition.split(composition.function_gradient()), strict=True)
    expected = [layer.kernels[0](x, x) @ part for layer, x, part in parts]
    np.testing.assert_allclose(composition.join(expected), gradient, rtol=1e-10, atol=1e-12)


def test_sparse_points_and_inner_products_are_points(rng):
    X = rng.normal(size=(N, 4)) * (rng.random((N, 4)) < 0.5)
    layers, T = plain_layers(), rng.normal(size=(N, 3))
    flat = rng.normal(size=6 * N) / 3
    value, gradient = Composition(X, layers).value_and_gradient(flat, T)
    for same in (sparse.csr_matrix(X), gramian.InnerProducts(X @ X.T)):
        other, other_gradient = Composition(same, layers).value_and_gradient(flat, T)
        assert other == pytest.approx(value, rel=1e-11)
        np.testing.assert_allclose(other_gradient, gradient, rtol=1e-8, atol=1e-11)


def test_nothing_stored_gives_the_same(rng, X):
    layers, T = plain_layers(), rng.normal(size=(N, 3))
    flat = rng.normal(size=6 * N)
    stored = Composition(X, layers).value_and_gradient(flat, T)
    computed = Composition(X, layers, memory_budget=1).value_and_gradient(flat, T)
    assert stored[0] == pytest.approx(computed[0], rel=1e-13)
    np.testing.assert_allclose(stored[1], computed[1], rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("A", [None, [0.5, 2.0, 1.0], np.diag([1.0, 2.0, 3.0]) + 0.2], ids=["I", "diagonal", "full"])
def test_the_closed_layer_is_the_best_one(rng, A):
    Z, T, alpha, kernel = rng.normal(size=(N, 2)), rng.normal(size=(N, 3)), 0.05, Gaussian(gamma=0.6)
    output = RidgeOutput(Layer(kernel, 3, alpha, operator=A), T, code_size=2)
    full = np.eye(3) if A is None else np.diag(A) if np.ndim(A) == 1 else np.asarray(A)

    def value(codes):
        K = kernel(codes, codes)
        system = np.kron(full, K) + N * alpha * np.eye(3 * N)
        Phi = np.linalg.solve(system, T.T.ravel()).reshape(3, N).T
        return ((T - K @ Phi @ full) ** 2).sum() / N + alpha * np.trace(Phi.T @ K @ Phi @ full)

    ours, gradient = output.value_and_gradient(Z)
    assert ours == pytest.approx(value(Z), rel=1e-11)
    expected = numerical_gradient(lambda flat: value(flat.reshape(Z.shape)), Z.ravel())
    np.testing.assert_allclose(gradient.ravel(), expected, rtol=0, atol=1e-8 * np.abs(expected).max())
    assert output.distortion + alpha * output.squared_norm == pytest.approx(ours, rel=1e-11)
    missing = T - kernel(Z, Z) @ output.coefficients @ full
    assert output.distortion == pytest.approx((missing**2).sum() / N, rel=1e-10)


def test_scipy_minimises_it(rng, X):
    composition = Composition(X, [Layer(Gaussian(gamma=0.4), 2, 1e-3), Layer(Gaussian(gamma=0.7), 3, 1e-3)])
    start = rng.normal(size=composition.coefficient_count) / 10
    found = minimize(composition.value_and_gradient, start, (X,), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    assert found.fun < 0.5 * composition.value_and_gradient(start, X)[0]


def test_two_threads_share_one_object(rng):
    X = rng.normal(size=(200, 3))
    composition = Composition(X, [Layer(Gaussian(gamma=0.4), 2), Layer(Gaussian(gamma=0.7), 3)])
    flat = rng.normal(size=composition.coefficient_count)
    expected = composition.forward(flat).penalty
    penalties: list[float] = []
    threads = [
        threading.Thread(target=lambda: penalties.extend(composition.forward(flat).penalty for _ in range(10)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert penalties == [expected] * 30


def test_splitting_and_joining(X):
    composition = Composition(X, plain_layers())
    flat = np.arange(6.0 * N)
    parts = composition.split(flat)
    assert [part.shape for part in parts] == composition.shapes == [(N, 2), (N, 1), (N, 3)]
    np.testing.assert_array_equal(composition.join(parts), flat)
    assert parts[1][0, 0] == 2 * N


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda X: Layer("gaussian", 2), ValueError, "leaves the width of the kernel open"),
        (lambda X: Layer(Gaussian(), 0), ValueError, "outputs"),
        (lambda X: Layer(Gaussian(), 2, -1.0), ValueError, "penalty"),
        (lambda X: Layer(Gaussian(), 2, operator=[1.0, 2.0, 3.0]), ValueError, r"operator must have shape \(1, 2\)"),
        (lambda X: Layer([Gaussian(), Linear()], 2, operator=[None]), ValueError, "an entry for each"),
        (lambda X: Layer([], 2), ValueError, "at least one"),
        (lambda X: Composition(X, []), TypeError, "at least one"),
        (lambda X: Composition(X, [Gaussian()]), TypeError, "sequence of gramian.layers.Layer"),
        (lambda X: Composition(X, [Layer(Gaussian(length_scale=[1.0, 2.0]), 1)]), ValueError, "for 3 features"),
        (lambda X: Composition(X, [Layer(Gaussian(), 1)], landmarks=[3, 1]), ValueError, "ascending"),
        (lambda X: Composition(X, [Layer(Gaussian(), 1)], landmarks=[0, N]), ValueError, "landmarks"),
        (lambda X: Composition(gramian.InnerProducts(X @ X.T), [Layer(TensorMatern(), 1)]), TypeError, "coordinates"),
        (lambda X: Composition(X, plain_layers()).forward(np.zeros(5)), ValueError, "coefficients has 5"),
        (lambda X: Composition(X, plain_layers()).join([X]), ValueError, "for each of 3 layers"),
        (lambda X: Composition(X, plain_layers()).value_and_gradient(np.zeros(6 * N), X[1:]), ValueError, "targets"),
        (lambda X: RidgeOutput(Layer(Gaussian(), 2, 1.0), X, 1), ValueError, "3 columns"),
        (lambda X: RidgeOutput(Layer(Gaussian(), 3), X, 1), ValueError, "penalty"),
        (lambda X: RidgeOutput(Layer(Gaussian(), 3, 1.0), X, 2).value_and_gradient(X), ValueError, "codes"),
        (lambda X: forward_jacobian(X, plain_layers(), np.zeros(6 * N), 4, 0), ValueError, "layer"),
        (lambda X: forward_jacobian(X, plain_layers(), np.zeros(6 * N), 1, N), ValueError, "sample"),
        (lambda X: jacobian_gradient(X, plain_layers(), np.zeros(6 * N), X[:, :1]), ValueError, "targets"),
    ],
)
def test_what_is_refused(X, make, error, message):
    with pytest.raises(error, match=message):
        make(X)


def test_the_documentation_runs():
    text = (Path(__file__).resolve().parents[2] / "docs" / "layers.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    names: dict[str, object] = {}
    exec(compile(code, "docs/layers.md", "exec"), names)
    assert names["jacobian"].shape == (20, 3, 1)


def test_reverse_comes_after_forward(X):
    with pytest.raises(ValueError, match="forward"):
        Composition(X, plain_layers()).reverse(np.zeros((N, 3)))


def test_workspace_is_not_pickled(X):
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(Composition(X, plain_layers()))
