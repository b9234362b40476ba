# SPDX-License-Identifier: BSD-3-Clause
"""The learned kernel of a concatenated regression, in the machines of scikit-learn and in other models."""

from __future__ import annotations

import copy
import pickle
import runpy
import warnings
from pathlib import Path

import gramian
import numpy as np
import pytest
from gramian import DeepKernelRegressor
from gramian.kernels import Gaussian, Linear
from gramian.models.deep_regression.kernel import DeepKernel
from samples import ANISOTROPIC, LEAVES
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.decomposition import KernelPCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC, SVR

UNITS = [1.0, 10.0, 0.1]


def quietly(model, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*arguments)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(50, 3)) * UNITS
    return X, np.sin(3 * X[:, 0]) + X[:, 1] / 10


@pytest.fixture(scope="module")
def fitted(data):
    """Return a regression of one search from the identity: of so few steps that rounding does not grow in them."""
    kernels = [Linear(), Gaussian(gamma=0.5), Gaussian(gamma=1.0)]
    options = {"hidden": (3, 2), "alpha": 0.1, "inner_alpha": 0.1, "n_init": 1, "max_iter": 20}
    return quietly(DeepKernelRegressor(kernels, standardize=True, **options), *data)


@pytest.fixture(scope="module")
def kernel(fitted):
    return fitted.deep_kernel_


NEW = np.random.default_rng(1).uniform(-1, 1, size=(20, 3)) * UNITS


def test_the_fit_does_not_magnify_rounding(fitted, data):
    X, y = data
    nearly = quietly(clone(fitted), X * (1 + 1e-13), y)
    np.testing.assert_allclose(nearly.predict(NEW), fitted.predict(NEW), rtol=0, atol=1e-10)


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


MACHINES = {
    "ConditionalMeanEmbedding": lambda k, X, y, new: (
        gramian.ConditionalMeanEmbedding(k, penalty=1e-3).fit(X, y).predict(new)
    ),
    "DependencyRegressor": lambda k, X, y, new: gramian.DependencyRegressor(k, penalty=1e-3).fit(X, y).predict(new),
    "DependencyRegressor, low rank": lambda k, X, y, new: (
        gramian.DependencyRegressor(k, penalty=1e-3, rank=20, random_state=0).fit(X, y).predict(new)
    ),
    "OperatorKernelRidge": lambda k, X, y, new: (
        gramian.OperatorKernelRidge(gramian.operators.Separable(k), alpha=0.1).fit(X, y).predict(new)
    ),
    "DeepKernelPCA": lambda k, X, y, new: abs(
        quietly(gramian.DeepKernelPCA((3, 2), kernels=[k, Gaussian()], max_iter=5), X).transform(new)
    ),
    "K2Autoencoder": lambda k, X, y, new: gramian.K2Autoencoder(input_kernel=k, tol=1.0).fit(X).transform(new),
    "EmbeddingClassifier": lambda k, X, y, new: (
        gramian.EmbeddingClassifier(k, learn=None).fit(X, y > 0).predict_proba(new)
    ),
    "EmbeddingClassifier, learned": lambda k, X, y, new: (
        quietly(gramian.EmbeddingClassifier(k, learn="rademacher", max_iter=20, random_state=0), X, y > 0)
    ).predict_proba(new),
    "KernelPCA": lambda k, X, y, new: abs(KernelPCA(2, kernel="precomputed").fit(k(X)).transform(k(new, X))),
    "incomplete_cholesky": lambda k, X, y, new: gramian.incomplete_cholesky(k, X, rank=10, random_state=0).factor,
    "DeepKernelRegressor": lambda k, X, y, new: (
        DeepKernelRegressor([k], alpha=0.1, standardize=False).fit(X, y).predict(new)
    ),
}


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine_with_it_is_the_machine_with_the_outer_kernel_on_images(fitted, kernel, data, name):
    X, y = data
    machine = MACHINES[name]
    expected = machine(Gaussian(gamma=1.0), fitted.transform(X), y, fitted.transform(NEW))
    np.testing.assert_allclose(machine(kernel, X, y, NEW), expected, rtol=1e-7, atol=1e-8)


def test_a_classifier_learns_its_outer_kernel(kernel, data):
    X, y = data
    model = quietly(gramian.EmbeddingClassifier(kernel, learn="rademacher", max_iter=30, random_state=0), X, y > 0)
    gamma = model.kernel_.kernel.gamma
    assert gamma != 1.0 and model.kernel_ == clone(kernel).set_params(kernel__gamma=gamma)
    assert model.history_["value"].min() < model.history_["value"][0]


@pytest.mark.parametrize("place", [0, 1])
def test_an_autoencoder_has_it_in_any_layer(kernel, data, place):
    X = data[0] / UNITS
    kernels = [Gaussian(gamma=0.5), Gaussian(gamma=0.5)]
    kernels[place] = kernel
    model = quietly(gramian.KernelAutoencoder(3, kernels, penalty=1e-3, max_iter=30), X)
    assert model.history_["value"][-1] < model.history_["value"][0] and model.stop_reason_ != "line_search"
    assert np.isfinite(model.transform(NEW)).all()


def test_a_composition_goes_back_through_it(kernel):
    X = np.random.default_rng(5).normal(size=(8, 2))
    layers = [gramian.layers.Layer(Gaussian(), 3, 0.1), gramian.layers.Layer(kernel + 0.5 * Gaussian(), 2, 0.1)]
    composition, Y = gramian.layers.Composition(X, layers), X + 1
    at = np.random.default_rng(6).normal(size=8 * 5)
    along = np.random.default_rng(7).normal(size=at.size)
    _, gradient = composition.value_and_gradient(at, Y)

    def value(t):
        return composition.value_and_gradient(at + t * along, Y)[0]

    h = 1e-4
    slope = (8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h)
    assert float(np.ravel(gradient) @ along) == pytest.approx(slope, rel=1e-7)


def test_sums_products_and_multiples_are_those_of_the_values(kernel, data):
    X, _ = data
    outer, other = kernel(NEW, X), Gaussian(gamma=0.3)(NEW, X)
    for combined, expected in (
        (kernel + Gaussian(gamma=0.3), outer + other),
        (Gaussian(gamma=0.3) * kernel, outer * other),
        (2.5 * kernel, 2.5 * outer),
        (kernel**2 + Linear() * kernel, outer**2 + NEW @ X.T * outer),
    ):
        np.testing.assert_allclose(combined(NEW, X), expected, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(combined.diag(X), np.diag(combined(X)), rtol=1e-12)
    assert list((kernel + Gaussian(gamma=1.0)).parameters) == ["k1__kernel__gamma", "k2__gamma"]


def test_its_gradients_are_those_of_the_values(kernel, data):
    X, rng = data[0] / UNITS, np.random.default_rng(3)
    P, Q, along = rng.normal(size=(50, 2)), rng.normal(size=(50, 2)), rng.normal(size=X.shape)

    def value(t=0.0, gamma=1.0):
        moved = clone(kernel).set_params(kernel__gamma=gamma)
        return float((moved(X + t * along) * (P @ Q.T)).sum())

    def slope(f, h=1e-4):
        return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)

    found = gramian.adjoint(kernel, X, P, Q)
    assert float((found.X * along).sum()) == pytest.approx(slope(value), rel=1e-7)
    assert found.parameters["kernel__gamma"] == pytest.approx(slope(lambda h: value(gamma=1.0 + h)), rel=1e-7)
    twice = gramian.adjoint(kernel, X, P, Q, NEW[rng.integers(20, size=50)])
    assert twice.Y.shape == (50, 3) and np.isfinite(twice.Y).all()


@pytest.mark.parametrize("outer", [*LEAVES, *ANISOTROPIC], ids=repr)
def test_every_kernel_is_on_images_what_it_is_on_points(outer):
    rng, shift, scale = np.random.default_rng(4), np.array([0.1, -2.0, 0.3]), np.array([2.0, 0.5, 1.5])
    X, Y = abs(rng.normal(size=(9, 3))), abs(rng.normal(size=(7, 3)))
    Y[0] = X[0]
    moved_X, moved_Y = (X - shift) / scale, (Y - shift) / scale
    beside = DeepKernel(outer, (), shift, scale) + Linear()
    np.testing.assert_allclose(beside(X, Y), outer(moved_X, moved_Y) + X @ Y.T, rtol=1e-12, atol=1e-12)
    P, Q = rng.normal(size=(9, 2)), rng.normal(size=(7, 2))
    found, on_images = gramian.adjoint(beside, X, P, Q, Y), gramian.adjoint(outer, moved_X, P, Q, moved_Y)
    np.testing.assert_allclose(found.X, on_images.X / scale + P @ (Y.T @ Q).T, rtol=1e-11, atol=1e-11)
    for name, value in on_images.parameters.items():
        np.testing.assert_allclose(found.parameters[f"k1__kernel__{name}"], value, rtol=1e-9, atol=1e-11)


def test_what_is_not_there_is_refused(kernel, data):
    X, _ = data
    with pytest.raises(ValueError, match="no second derivatives in the points"):
        gramian.hessian_vector(kernel, X, np.ones((50, 1)), np.ones((50, 1)), X)
    with pytest.raises(TypeError, match="is on images of points"):
        kernel(csr_array(X))


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
    path = Path(__file__).resolve().parents[4] / "examples" / "python" / "deep_regression.py"
    errors = runpy.run_path(str(path))["main"]()
    assert errors["two layers"] < 0.5 * errors["one layer"]
    assert errors["SVR with the deep kernel"] < 0.5 * errors["one layer"]
