# SPDX-License-Identifier: BSD-3-Clause
"""KernelAutoencoder: what it minimises, what it returns, and what its parameters do."""

from __future__ import annotations

import runpy
import warnings
from pathlib import Path

import gramian
import numpy as np
import pytest
from gramian import KernelAutoencoder
from gramian.kernels import Gaussian, Laplacian, Linear, Matern, Polynomial
from sklearn.datasets import load_iris, make_circles
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

KERNELS = [Gaussian(gamma=0.4), Gaussian(gamma=0.7)]


@pytest.fixture(scope="module")
def X():
    return StandardScaler().fit_transform(load_iris().data[::3])


@pytest.fixture(scope="module")
def fitted(X):
    return KernelAutoencoder(hidden=(2,), kernels=KERNELS, penalty=[1e-3, 1e-4], max_iter=2000, tol=1e-7).fit(X)


def naive_outputs(model, X):
    """X_0 .. X_L by the formula, layer by layer, from the learned attributes alone."""
    outputs = [X]
    for i, (kernel, Phi) in enumerate(zip(model.kernels_, model.coefficients_, strict=True)):
        terms = kernel if isinstance(kernel, list) else [(kernel, model.operators_[i])]
        total = 0.0
        for k, A in terms:
            A = np.eye(Phi.shape[1]) if A is None else np.diag(A) if A.ndim == 1 else A
            total = total + k(outputs[-1], model.supports_[i]) @ Phi @ A
        outputs.append(total)
    return outputs


def naive_objective(model, X):
    outputs = naive_outputs(model, X)
    value = ((X - outputs[-1]) ** 2).sum() / len(X)
    for i, (kernel, Phi) in enumerate(zip(model.kernels_, model.coefficients_, strict=True)):
        terms = kernel if isinstance(kernel, list) else [(kernel, model.operators_[i])]
        for k, A in terms:
            A = np.eye(Phi.shape[1]) if A is None else np.diag(A) if A.ndim == 1 else A
            value += model.penalties_[i] * np.trace(Phi.T @ k(model.supports_[i]) @ Phi @ A)
    return value


def test_attributes_are_those_of_the_formula(fitted, X):
    outputs = naive_outputs(fitted, X)
    np.testing.assert_allclose(fitted.embedding_, outputs[1], atol=1e-10)
    np.testing.assert_allclose(fitted.transform(X), outputs[1], atol=1e-10)
    np.testing.assert_allclose(fitted.inverse_transform(outputs[1]), outputs[2], atol=1e-9)
    np.testing.assert_allclose(fitted.objective_, naive_objective(fitted, X), rtol=1e-9)
    np.testing.assert_allclose(fitted.distortion_, ((X - outputs[2]) ** 2).sum() / len(X), rtol=1e-7)
    np.testing.assert_allclose(fitted.score(X), -fitted.distortion_, rtol=1e-7)
    errors = fitted.reconstruction_error(X)
    np.testing.assert_allclose(errors, ((X - outputs[2]) ** 2).sum(axis=1), rtol=1e-6)
    np.testing.assert_allclose(
        fitted.objective_, fitted.distortion_ + (fitted.penalties_ * fitted.squared_norms_).sum(), rtol=1e-9
    )
    assert fitted.history_["value"][-1] == pytest.approx(fitted.objective_, rel=1e-9)
    assert len(fitted.history_["value"]) == fitted.n_iter_ + 1
    assert (np.diff(fitted.history_["value"]) <= 1e-12).all()
    assert fitted.stop_reason_ == "tol"
    assert fitted.kernels_ == KERNELS


def test_no_random_direction_goes_down(fitted, X, rng):
    composition = gramian.layers.Composition(
        X, [gramian.layers.Layer(k, P.shape[1], a) for k, P, a in
            zip(fitted.kernels_, fitted.coefficients_, fitted.penalties_, strict=True)]
    )  # fmt: skip
    flat = composition.join(fitted.coefficients_)
    value, gradient = composition.value_and_gradient(flat, X)
    assert value == pytest.approx(fitted.objective_, rel=1e-9)
    assert np.abs(gradient).max() < 1e-4
    start = composition.join([rng.normal(size=part.shape) for part in fitted.coefficients_])
    assert np.abs(composition.value_and_gradient(start, X)[1]).max() > 1e-2


def test_the_last_layer_is_the_best_one(fitted, X):
    codes, n = fitted.embedding_, len(X)
    K = fitted.kernels_[1](codes)
    Phi = np.linalg.solve(K + n * fitted.penalties_[1] * np.eye(n), X)
    np.testing.assert_allclose(K @ fitted.coefficients_[1], K @ Phi, atol=1e-8)


def test_it_beats_components_of_the_same_number():
    circles, _ = make_circles(150, factor=0.4, noise=0.03, random_state=0)
    model = KernelAutoencoder(hidden=(1,), penalty=[1e-6, 1e-5], max_iter=800).fit(circles)
    linear = PCA(1).fit(circles)
    missed = ((circles - linear.inverse_transform(linear.transform(circles))) ** 2).sum(axis=1).mean()
    assert -model.score(circles) < 0.5 * missed


def test_the_narrowest_layer_has_the_codes(X):
    model = KernelAutoencoder(hidden=(3, 1, 2), max_iter=5, tol=1.0).fit(X)
    assert model.code_layer_ == 2 and model.transform(X).shape == (len(X), 1)
    assert KernelAutoencoder(hidden=(2, 2), max_iter=5, tol=1.0).fit(X).code_layer_ == 1
    wide = KernelAutoencoder(hidden=(3, 1, 2), code_layer=1, max_iter=5, tol=1.0).fit(X)
    assert wide.transform(X).shape == (len(X), 3)
    np.testing.assert_allclose(wide.inverse_transform(wide.transform(X)), naive_outputs(wide, X)[-1], atol=1e-9)
    assert KernelAutoencoder(hidden=2, max_iter=5, tol=1.0).fit(X).embedding_.shape == (len(X), 2)


def test_sums_of_decomposable_kernels(X, rng):
    B = rng.normal(size=(2, 2))
    pairs = [(Gaussian(gamma=0.4), B @ B.T), (Linear(), [0.5, 0.0])]
    model = KernelAutoencoder(hidden=(2,), kernels=[pairs, Gaussian(gamma=0.5)], penalty=1e-3, tol=1e-4).fit(X)
    np.testing.assert_allclose(model.transform(X), naive_outputs(model, X)[1], atol=1e-9)
    np.testing.assert_allclose(model.objective_, naive_objective(model, X), rtol=1e-8)
    assert isinstance(model.kernels_[0], list)


@pytest.mark.parametrize("last", [[1.0, 2.0, 0.5, 1.0], np.diag([1.0, 2.0, 0.5, 1.0])], ids=["diagonal", "full"])
def test_operators_of_layers(X, last):
    model = KernelAutoencoder(hidden=(2,), kernels=KERNELS, A=[[2.0, 0.5], last], penalty=1e-3, tol=1e-4).fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.embedding_), naive_outputs(model, X)[-1], atol=1e-9)
    np.testing.assert_allclose(model.objective_, naive_objective(model, X), rtol=1e-8)


def test_the_median_rule_takes_operators(X):
    model = KernelAutoencoder(A=[[2.0, 0.5], np.diag([1.0, 2.0, 0.5, 1.0])]).fit(X)
    np.testing.assert_allclose(model.embedding_, naive_outputs(model, X)[1], atol=1e-9)
    np.testing.assert_allclose(model.objective_, naive_objective(model, X), rtol=1e-8)
    assert model.kernels_[0] == KernelAutoencoder(tol=0.1).fit(X).kernels_[0]


@pytest.mark.parametrize("kernel", [Laplacian(gamma=0.3), Matern(nu=2.5), Polynomial(degree=2, gamma=0.2)], ids=repr)
def test_one_kernel_for_all_layers(X, kernel):
    model = KernelAutoencoder(hidden=(2,), kernels=kernel, penalty=1e-2, tol=1e-3).fit(X)
    assert model.kernels_ == [kernel, kernel] and model.kernels_[0] is not kernel
    np.testing.assert_allclose(model.objective_, naive_objective(model, X), rtol=1e-8)


def test_the_median_rule_is_learned(X):
    model = KernelAutoencoder(kernels="rbf", max_iter=3, tol=1.0).fit(X)
    distances = ((X[:, None] - X[None]) ** 2).sum(axis=2)[np.triu_indices(len(X), 1)]
    assert model.kernels_[0].gamma == pytest.approx(1 / np.median(distances), rel=0.1)
    assert model.kernels_[1].gamma > 0
    twice = KernelAutoencoder(kernels=["rbf", Linear()], max_iter=3, tol=1.0).fit(2.0 * X)
    assert twice.kernels_[0].gamma == pytest.approx(model.kernels_[0].gamma / 4, rel=1e-6)
    assert twice.kernels_[1] == Linear()


def test_float32_is_computed_in_float64(X, fitted):
    single = KernelAutoencoder(**fitted.get_params(deep=False)).fit(X.astype(np.float32))
    double = KernelAutoencoder(**fitted.get_params(deep=False)).fit(X.astype(np.float32).astype(np.float64))
    assert single.transform(X[:5]).tobytes() == double.transform(X[:5]).tobytes()
    assert single.embedding_.dtype == np.float64


def test_the_training_data_may_change_after_the_fit(X):
    mine = X.copy()
    model = KernelAutoencoder(max_iter=5, tol=1.0).fit(mine)
    before = model.transform(X)
    mine[:] = 0
    assert model.transform(X).tobytes() == before.tobytes()


@pytest.mark.parametrize("threads", [2, 7])
def test_any_number_of_threads_gives_the_same_bits(X, threads):
    def fit(count):
        gramian.set_num_threads(count)
        return KernelAutoencoder(tol=1e-2, n_init=3, random_state=5).fit(X)

    one, many = fit(1), fit(threads)
    assert one.embedding_.tobytes() == many.embedding_.tobytes()
    assert one.init_objectives_.tobytes() == many.init_objectives_.tobytes()


def test_jacobians(fitted, X):
    found = fitted.jacobian(1, 4)
    assert found.shape == (len(X), X.shape[1], 2)
    h = 1e-5
    moved = []
    for sign in (1, -1):
        Phi = [part.copy() for part in fitted.coefficients_]
        Phi[0][4, 1] += sign * h
        outputs = X
        for kernel, matrix in zip(fitted.kernels_, Phi, strict=True):
            outputs = kernel(outputs) @ matrix
        moved.append(outputs)
    np.testing.assert_allclose(found[:, :, 1], (moved[0] - moved[1]) / (2 * h), atol=1e-5 * np.abs(found).max())


def test_generalization_terms(fitted, X):
    terms = fitted.generalization_terms()
    assert terms["s"] == pytest.approx(np.sqrt(fitted.squared_norms_[0]))
    assert terms["t"] == pytest.approx(np.sqrt(fitted.squared_norms_[1]))
    assert terms["M"] == pytest.approx(np.linalg.norm(X, axis=1).max())
    assert terms["L_squared"] == pytest.approx(2 * 0.7 * X.shape[1])
    assert (terms["K"], terms["p"], terms["n"]) == (pytest.approx(1.0), 2, len(X))
    with pytest.raises(ValueError, match="two layers"):
        KernelAutoencoder(hidden=(2, 2), max_iter=2, tol=1.0).fit(X).generalization_terms()


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_degenerate_data_is_fitted(rng, scale):
    line = np.c_[np.linspace(0, 1, 20), np.full(20, 3.0)] * scale
    duplicates = np.repeat(rng.normal(size=(4, 2)), 5, axis=0) * scale
    same = np.full((6, 2), scale)
    two = rng.normal(size=(2, 2)) * scale
    for data in (line, duplicates, same, two):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = KernelAutoencoder(hidden=(2,), max_iter=50, tol=1e-3).fit(data)
        assert np.isfinite(model.transform(data)).all() and np.isfinite(model.score(data))
        assert -model.score(data) <= (data**2).sum(axis=1).mean()


def test_the_table_of_the_docs():
    example = runpy.run_path(str(Path(__file__).parents[4] / "examples" / "python" / "autoencoder_table.py"))
    (row,) = example["rows"](["wine"])
    assert min(row["KAE"], row["KAE, random start"]) > row["PCA"] > 0.5
    assert (row["variances of codes"] > 0.1).all()
