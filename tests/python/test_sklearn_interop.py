# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import copy
import pickle

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian
from sklearn.base import clone
from sklearn.decomposition import KernelPCA
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
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
    assert gramian.NumericalError is gramian.exceptions.NumericalError
