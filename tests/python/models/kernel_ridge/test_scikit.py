# SPDX-License-Identifier: BSD-3-Clause
"""KernelRidge in scikit-learn: its checks, its tests of its own KernelRidge with ours in place, the same answers."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse
import sklearn.kernel_ridge
from gramian import KernelRidge
from gramian.kernels import Gaussian
from scikit_checks import checks, failing_checks
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tests import test_kernel_ridge as their_tests

RNG = np.random.default_rng(0)
N = 90
X, NEW = np.abs(RNG.normal(size=(N, 4))), np.abs(RNG.normal(size=(25, 4)))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]])
WEIGHTS = np.where(np.arange(N) % 9 == 0, 0.0, RNG.random(N) + 0.1)

MODELS = {
    "linear": KernelRidge(),
    "gaussian": KernelRidge(kernel="rbf", alpha=0.1),
    "gradients": KernelRidge(kernel="rbf", solver="cg"),
    "landmarks": KernelRidge(kernel="rbf", landmarks="auto", random_state=0),
    "path": KernelRidge(kernel="laplacian", alphas=[0.1, 1.0]),
}


def counts_copies(model, check):
    """Landmarks depend on how often and in which order samples come, and one copy of a sample may be left out."""
    return model in ("landmarks", "path") and check.startswith("check_sample_weight_equivalence")


@pytest.mark.parametrize(("estimator", "check"), list(checks(MODELS, counts_copies)))
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_none_of_its_checks_is_left_out(run_python):
    assert failing_checks(run_python, "gramian.KernelRidge()") == set()


THEIRS = [
    name
    for name, test in vars(their_tests).items()
    if name.startswith("test_") and "sparse_container" not in test.__code__.co_varnames
]


@pytest.mark.parametrize("name", THEIRS)
def test_their_own_tests_pass_with_ours(name, monkeypatch):
    monkeypatch.setattr(their_tests, "KernelRidge", KernelRidge)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        getattr(their_tests, name)()


@pytest.mark.parametrize("container", [scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.csr_array])
def test_their_test_of_sparse_samples_passes_with_ours(container, monkeypatch):
    monkeypatch.setattr(their_tests, "KernelRidge", KernelRidge)
    their_tests.test_kernel_ridge_sparse(container)


KERNELS = {
    "linear": {},
    "poly": {"degree": 2, "coef0": 0.5, "gamma": 0.3},
    "polynomial": {},
    "rbf": {},
    "laplacian": {"gamma": 0.7},
    "cosine": {},
    "sigmoid": {"gamma": 0.01},
    "chi2": {"gamma": 0.5},
    "additive_chi2": {},
}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("alpha", [1.0, [0.3, 2.0]])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_answers_are_those_of_scikit_learn(kernel, alpha, weights):
    options = {"kernel": kernel, "alpha": alpha, **KERNELS[kernel]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of both, where a kernel has negative eigenvalues
        # One target at a time: theirs has least squares for one alpha only.
        expected = [
            sklearn.kernel_ridge.KernelRidge(**{**options, "alpha": one}).fit(X, y, weights).predict(NEW)
            for one, y in zip(np.broadcast_to(alpha, 2), Y.T, strict=True)
        ]
        model = KernelRidge(**options).fit(X, Y, weights)
    np.testing.assert_allclose(model.predict(NEW).T, expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("solver", ["cholesky", "cg"])
def test_one_target_may_be_a_vector(solver):
    options = {"kernel": "rbf", "gamma": 0.5, "alpha": 0.2}
    theirs = sklearn.kernel_ridge.KernelRidge(**options).fit(X, Y[:, 0], WEIGHTS)
    model = KernelRidge(solver=solver, tol=1e-13 if solver == "cg" else None, **options).fit(X, Y[:, 0], WEIGHTS)
    assert model.dual_coef_.shape == theirs.dual_coef_.shape == (N,)
    np.testing.assert_allclose(model.dual_coef_, theirs.dual_coef_, rtol=0, atol=1e-9)
    np.testing.assert_allclose(model.predict(NEW), theirs.predict(NEW), rtol=0, atol=1e-10)
    assert model.score(X, Y[:, 0]) == pytest.approx(theirs.score(X, Y[:, 0]), abs=1e-10)


def test_functions_are_kernels():
    def kernel(a, b, scale=1.0):
        return float(np.exp(-scale * ((a - b) ** 2).sum()))

    model = KernelRidge(kernel=kernel, kernel_params={"scale": 0.4}, alpha=0.3).fit(X, Y)
    twin = KernelRidge(kernel=Gaussian(gamma=0.4), alpha=0.3).fit(X, Y)
    np.testing.assert_allclose(model.predict(NEW), twin.predict(NEW), rtol=0, atol=1e-10)


def test_it_is_searched_and_stands_in_a_pipeline():
    pipe = make_pipeline(StandardScaler(), KernelRidge(kernel=Gaussian(gamma=1.0)))
    grid = {"kernelridge__alpha": [0.01, 1.0], "kernelridge__kernel__gamma": [0.1, 1.0]}
    search = GridSearchCV(pipe, grid, cv=3).fit(X, Y[:, 0])
    assert set(search.best_params_) == set(grid)
    copy = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(copy.predict(NEW), search.predict(NEW))


def test_a_clone_of_any_has_its_parameters():
    for model in MODELS.values():
        assert repr(clone(model)) == repr(model)
