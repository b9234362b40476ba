# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import copy
import pickle

import gramian
import numpy as np
import pytest
from gramian.kernels import (
    ArcCosine,
    Cosine,
    Gaussian,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    RationalQuadratic,
    Tanimoto,
)
from samples import ANISOTROPIC, COMPOSITES, LEAVES
from sklearn.base import clone
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import kernels as gp
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import pairwise
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

GAMMA = 0.4


@pytest.fixture
def data(rng):
    X = rng.normal(size=(60, 3))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


def test_gram_is_rbf_kernel(data):
    X, _ = data
    np.testing.assert_allclose(
        gramian.gram(Gaussian(gamma=GAMMA), X, X[:7]), rbf_kernel(X, X[:7], gamma=GAMMA), rtol=1e-13
    )
    np.testing.assert_allclose(
        pairwise_kernels(X, metric=Gaussian(gamma=GAMMA)), rbf_kernel(X, gamma=GAMMA), rtol=1e-13
    )


WIDTHS = [0.5, 1.0, 2.0]
PAIRWISE = [
    (Linear(), lambda X, Y: pairwise.linear_kernel(X, Y)),
    (Polynomial(degree=4, gamma=0.3, coef0=2.0), lambda X, Y: pairwise.polynomial_kernel(X, Y, 4, 0.3, 2.0)),
    (Gaussian(gamma=0.3), lambda X, Y: pairwise.rbf_kernel(X, Y, 0.3)),
    (Laplacian(gamma=0.3), lambda X, Y: pairwise.laplacian_kernel(X, Y, 0.3)),
    (Cosine(), lambda X, Y: pairwise.cosine_similarity(X, Y)),
    (Gaussian(length_scale=0.7), gp.RBF(0.7)),
    (Gaussian(length_scale=WIDTHS), gp.RBF(WIDTHS)),
    (Matern(nu=0.5, length_scale=0.7), gp.Matern(0.7, nu=0.5)),
    (Matern(nu=1.5, length_scale=0.7), gp.Matern(0.7, nu=1.5)),
    (Matern(nu=2.5, length_scale=WIDTHS), gp.Matern(WIDTHS, nu=2.5)),
    (RationalQuadratic(alpha=0.6, length_scale=0.7), gp.RationalQuadratic(0.7, 0.6)),
    (Polynomial(degree=1, coef0=4.0), gp.DotProduct(sigma_0=2.0)),
    (2.0 * Gaussian() + Matern() * Linear(), 2.0 * gp.RBF() + gp.Matern(nu=1.5) * gp.DotProduct(sigma_0=0.0)),
    (Gaussian() ** 3, gp.RBF() ** 3),
]


@pytest.mark.parametrize(("kernel", "theirs"), PAIRWISE, ids=[repr(kernel) for kernel, _ in PAIRWISE])
def test_values_are_scikit_learns(kernel, theirs, rng):
    X, Y = rng.normal(size=(40, 3)), rng.normal(size=(30, 3))
    np.testing.assert_allclose(kernel(X, Y), theirs(X, Y), rtol=1e-10, atol=1e-12)
    if isinstance(theirs, gp.Kernel):
        np.testing.assert_allclose(kernel(X), theirs(X), rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(kernel.diag(X), theirs.diag(X), rtol=1e-12)


def test_gradients_are_scikit_learns(rng):
    X, P, Q = rng.normal(size=(25, 3)), rng.normal(size=(25, 2)), rng.normal(size=(25, 2))
    ours = 2.0 * Gaussian(length_scale=WIDTHS) + Matern(nu=2.5, length_scale=0.7)
    theirs = gp.ConstantKernel(2.0) * gp.RBF(WIDTHS) + gp.Matern(0.7, nu=2.5)
    _, dK = theirs(X, eval_gradient=True)  # in the logarithms
    gradient = np.einsum("ij,ijk->k", P @ Q.T, dK)
    found = gramian.adjoint(ours, X, P, Q).parameters
    by_name = [found["k1__factor"], *found["k1__kernel__length_scale"], found["k2__length_scale"]]
    np.testing.assert_allclose(np.multiply(by_name, [2.0, *WIDTHS, 0.7]), gradient, rtol=1e-9)


@pytest.mark.parametrize("kernel", LEAVES + ANISOTROPIC + COMPOSITES, ids=repr)
def test_every_kernel_stands_in_every_estimator(kernel, data):
    X, y = data
    K = kernel(X)
    scale = np.abs(K).max()
    decision = SVC(kernel=kernel, tol=1e-9).fit(X, y).decision_function(X)
    theirs = SVC(kernel="precomputed", tol=1e-9).fit(K, y).decision_function(K)
    np.testing.assert_allclose(decision, theirs, atol=1e-5)
    X, y, K = X[:25], y[:25], K[:25, :25]
    ridge = KernelRidge(kernel=kernel, alpha=scale).fit(X, y).predict(X)
    theirs = KernelRidge(kernel="precomputed", alpha=scale).fit(K, y).predict(K)
    np.testing.assert_allclose(ridge, theirs, rtol=1e-7, atol=1e-9)
    eigenvalues = KernelPCA(2, kernel=kernel, eigen_solver="dense").fit(X).eigenvalues_
    theirs = KernelPCA(2, kernel="precomputed", eigen_solver="dense").fit(K).eigenvalues_
    np.testing.assert_allclose(eigenvalues, theirs, rtol=1e-7)
    features = Nystroem(kernel=kernel, n_components=25, random_state=0).fit_transform(X)
    np.testing.assert_allclose(features @ features.T, K, atol=1e-5 * scale)


def test_svc(data):
    X, y = data
    ours, theirs = SVC(kernel=Gaussian(gamma=GAMMA)).fit(X, y), SVC(kernel="rbf", gamma=GAMMA).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-6)


def test_kernel_ridge(data):
    X, y = data
    ours = KernelRidge(kernel=Gaussian(gamma=GAMMA), alpha=0.1).fit(X, y)
    theirs = KernelRidge(kernel="rbf", gamma=GAMMA, alpha=0.1).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9, atol=1e-12)


def test_kernel_pca(data):
    X, _ = data
    ours = KernelPCA(3, kernel=Gaussian(gamma=GAMMA)).fit(X)
    theirs = KernelPCA(3, kernel="rbf", gamma=GAMMA).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(np.abs(ours.transform(X)), np.abs(theirs.transform(X)), atol=1e-9)


def test_nystroem(data):
    X, _ = data
    ours = Nystroem(kernel=Gaussian(gamma=GAMMA), n_components=20, random_state=0).fit_transform(X)
    theirs = Nystroem(kernel="rbf", gamma=GAMMA, n_components=20, random_state=0).fit_transform(X)
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-8)


def test_grid_search_reaches_the_parameter(data):
    X, y = data
    grid = [0.01, 0.1, 1.0]
    search = GridSearchCV(SVC(kernel=Gaussian(gamma=5.0)), {"kernel__gamma": grid}, cv=3).fit(X, y)
    theirs = GridSearchCV(SVC(kernel="rbf"), {"gamma": grid}, cv=3).fit(X, y)
    assert search.best_params_["kernel__gamma"] == theirs.best_params_["gamma"]
    assert search.best_estimator_.kernel == Gaussian(gamma=theirs.best_params_["gamma"])
    assert search.estimator.kernel == Gaussian(gamma=5.0)


def test_grid_search_reaches_the_parameters_of_parts(data):
    X, y = data
    kernel = 2.0 * Gaussian(gamma=5.0) + Polynomial()
    grid = {"kernel__k1__kernel__gamma": [0.1, 1.0], "kernel__k2__degree": [1, 2], "kernel__k1__factor": [1.0, 3.0]}
    search = GridSearchCV(SVC(kernel=kernel), grid, cv=3).fit(X, y)
    best = search.best_estimator_.kernel
    assert best == search.best_params_["kernel__k1__factor"] * Gaussian(
        gamma=search.best_params_["kernel__k1__kernel__gamma"]
    ) + Polynomial(degree=search.best_params_["kernel__k2__degree"])
    assert kernel == 2.0 * Gaussian(gamma=5.0) + Polynomial()
    kernels = [Gaussian(), Matern(), ArcCosine(), Tanimoto() + Linear()]
    assert GridSearchCV(SVC(), {"kernel": kernels}, cv=3).fit(X, y).best_params_["kernel"] in kernels


@pytest.mark.parametrize("kernel", LEAVES + ANISOTROPIC + COMPOSITES, ids=repr)
def test_every_kernel_is_cloned(kernel):
    for twin in (clone(kernel), clone(SVC(kernel=kernel)).kernel):
        assert twin == kernel and twin is not kernel


def test_clone_is_equal_and_apart():
    kernel = Gaussian(length_scale=np.float64(2.0))
    estimator = SVC(kernel=kernel)
    for twin in (clone(kernel), clone(estimator).kernel):
        assert twin == kernel and twin is not kernel
    assert clone(estimator).set_params(kernel__length_scale=3.0).kernel.length_scale == 3.0
    assert kernel.length_scale == 2.0
    assert "kernel=Gaussian(length_scale=2.0)" in repr(estimator)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_fitted_estimators_pickle(data, protocol):
    X, y = data
    fitted = SVC(kernel=Gaussian(gamma=GAMMA)).fit(X, y)
    restored = pickle.loads(pickle.dumps(fitted, protocol))
    np.testing.assert_array_equal(restored.decision_function(X), fitted.decision_function(X))


def test_fitted_estimators_copy(data):
    X, y = data
    fitted = KernelRidge(kernel=Gaussian(gamma=GAMMA)).fit(X, y)
    np.testing.assert_array_equal(copy.deepcopy(fitted).predict(X), fitted.predict(X))


def test_linear_algebra_errors_are_caught_as_numpys():
    assert issubclass(gramian.NumericalError, np.linalg.LinAlgError)
    assert issubclass(gramian.NumericalError, ValueError)
    assert gramian.NumericalError is gramian.exceptions.NumericalError
