# SPDX-License-Identifier: BSD-3-Clause
"""The learned kernel of a concatenated regression, in the machines of scikit-learn and in other models."""

from __future__ import annotations

import copy
import pickle
import runpy
from pathlib import Path

import gramian
import numpy as np
import pytest
from gramian import DeepKernelRegressor
from gramian.kernels import Gaussian, Linear
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC, SVR


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(50, 3)) * [1.0, 10.0, 0.1]
    return X, np.sin(X[:, 0] * 3) + X[:, 1] / 10


@pytest.fixture(scope="module")
def fitted(data):
    kernels = [Linear(), Gaussian(gamma=0.5), Gaussian(gamma=1.0)]
    options = {"hidden": (3, 2), "alpha": 0.01, "mu": 0.01, "n_restarts": 2, "tol": 1e-2, "random_state": 0}
    return DeepKernelRegressor(kernels, standardize=True, **options).fit(*data)


@pytest.fixture(scope="module")
def kernel(fitted):
    return fitted.deep_kernel_


NEW = np.random.default_rng(1).uniform(-1, 1, size=(20, 3)) * [1.0, 10.0, 0.1]


def test_it_is_the_outer_kernel_on_inner_images(fitted, kernel, data):
    X, _ = data
    np.testing.assert_array_equal(kernel.images(NEW), fitted.transform(NEW))
    outer = Gaussian(gamma=1.0)
    np.testing.assert_array_equal(kernel(NEW, X), outer(fitted.transform(NEW), fitted.transform(X)))
    np.testing.assert_array_equal(gramian.gram(kernel, X), outer(fitted.transform(X)))
    np.testing.assert_array_equal(gramian.diagonal(kernel, X), np.ones(len(X)))
    np.testing.assert_array_equal(kernel.diag(X), np.ones(len(X)))
    V = np.random.default_rng(2).normal(size=(len(X), 2))
    np.testing.assert_allclose(gramian.product(kernel, NEW, V, X), kernel(NEW, X) @ V, rtol=1e-11, atol=1e-12)
    assert kernel(NEW[0], NEW[1]) == pytest.approx(kernel(NEW)[0, 1], rel=1e-12)


def test_a_kernel_machine_with_it_is_the_last_layer(fitted, kernel, data):
    X, y = data
    scaled = (y - fitted.output_shift_) / fitted.output_scale_
    expected = (fitted.predict(NEW) - fitted.output_shift_) / fitted.output_scale_
    machine = KernelRidge(kernel=kernel, alpha=fitted.alpha_).fit(X, scaled)
    np.testing.assert_allclose(machine.predict(NEW), expected, rtol=1e-6, atol=1e-6)
    process = GaussianProcessRegressor(kernel=kernel, alpha=fitted.alpha_).fit(X, scaled)
    mean, deviation = process.predict(NEW, return_std=True)
    np.testing.assert_allclose(mean, expected, rtol=1e-6, atol=1e-6)
    assert (deviation >= 0).all() and np.isfinite(process.log_marginal_likelihood_value_)


def test_support_vector_machines_and_classifiers_take_it(kernel, data):
    X, y = data
    assert SVR(kernel=kernel, C=100.0).fit(X, y).score(X, y) > 0.9
    assert SVC(kernel=kernel, C=100.0).fit(X, y > 0).score(X, y > 0) > 0.9
    same = RBF(np.sqrt(0.5), "fixed")
    ours = GaussianProcessClassifier(kernel=kernel).fit(X, y > 0).predict_proba(NEW)
    theirs = GaussianProcessClassifier(kernel=same).fit(kernel.images(X), y > 0).predict_proba(kernel.images(NEW))
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_models_that_need_a_gram_matrix_take_it(fitted, kernel, data):
    X, y = data
    outer, images, new_images = Gaussian(gamma=1.0), fitted.transform(X), fitted.transform(NEW)
    pairs = [
        (
            gramian.ConditionalMeanEmbedding(kernel, alpha=1e-3).fit(X, y).predict(NEW),
            gramian.ConditionalMeanEmbedding(outer, alpha=1e-3).fit(images, y).predict(new_images),
        ),
        (
            gramian.DependencyRegressor(kernel, alpha=1e-3).fit(X, y).predict(NEW),
            gramian.DependencyRegressor(outer, alpha=1e-3).fit(images, y).predict(new_images),
        ),
        (
            gramian.K2Autoencoder(input_kernel=kernel, tol=1.0).fit(X).transform(NEW),
            gramian.K2Autoencoder(input_kernel=outer, tol=1.0).fit(images).transform(new_images),
        ),
    ]
    for with_it, on_images in pairs:
        np.testing.assert_allclose(with_it, on_images, rtol=1e-9, atol=1e-9)


def test_what_takes_a_kernel_apart_says_what_to_do(kernel, data):
    X, y = data
    V = np.ones((len(X), 1))
    for refused in (
        lambda: gramian.adjoint(kernel, X, V, V),
        lambda: gramian.hessian_vector(kernel, X, V, V, X),
        lambda: gramian.KernelAutoencoder(kernels=kernel).fit(X),
        lambda: gramian.EmbeddingClassifier(kernel).fit(X, y > 0),
        lambda: gramian.incomplete_cholesky(kernel, X),
        lambda: (kernel + Gaussian())(X),
        lambda: DeepKernelRegressor([kernel, Gaussian()]).fit(X, y),
    ):
        with pytest.raises(TypeError, match=r"images\(X\) first, and use its outer kernel"):
            refused()


def test_it_is_a_value(kernel, fitted):
    for twin in (copy.deepcopy(kernel), pickle.loads(pickle.dumps(kernel)), clone(kernel), fitted.deep_kernel_):
        assert twin == kernel and hash(twin) == hash(kernel)
        np.testing.assert_array_equal(twin(NEW), kernel(NEW))
    other = clone(kernel).set_params(kernel__gamma=2.0)
    assert other != kernel and kernel.kernel == Gaussian(gamma=1.0)
    np.testing.assert_array_equal(other(NEW), Gaussian(gamma=2.0)(kernel.images(NEW)))
    assert repr(kernel) == "<DeepKernel: Gaussian(gamma=1.0) on images, features 3 -> 3 -> 2>"
    with pytest.raises(AttributeError, match="is a value"):
        kernel.shift = None
    with pytest.raises(AttributeError, match="is a value"):
        kernel.theta = np.ones(1)


def test_wrong_points_are_named(kernel):
    with pytest.raises(ValueError, match="X has 2 features, but this deep kernel was learned on 3"):
        kernel(NEW[:, :2])


def test_a_single_layer_has_its_own_kernel(data):
    model = DeepKernelRegressor([Gaussian(gamma=2.0)], alpha=0.1).fit(*data)
    np.testing.assert_array_equal(model.deep_kernel_(NEW), Gaussian(gamma=2.0)(NEW))
    summed = DeepKernelRegressor([[(Gaussian(), None), (Linear(), None)]], alpha=0.1, tol=1e-2).fit(*data)
    with pytest.raises(AttributeError, match="no kernel of its own"):
        _ = summed.deep_kernel_


def test_the_example_shows_what_two_layers_bring():
    path = Path(__file__).resolve().parents[2] / "examples" / "python" / "deep_regression.py"
    errors = runpy.run_path(str(path))["main"]()
    assert errors["two layers"] < 0.5 * errors["one layer"]
    assert errors["SVR with the deep kernel"] < 0.5 * errors["one layer"]
