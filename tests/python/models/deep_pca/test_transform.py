# SPDX-License-Identifier: BSD-3-Clause
"""DeepKernelPCA.transform: which of many solutions a sample gets, and what it gets where there is none."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from gramian import DeepKernelPCA
from gramian.kernels import Gaussian, Linear, Polynomial
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

FIRST, UPPER = Gaussian(gamma=0.3), Gaussian(gamma=0.8)


@pytest.fixture(scope="module")
def X():
    return StandardScaler().fit_transform(load_iris().data[::3])


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("upper", [UPPER, Linear(), Polynomial(degree=2, gamma=1.0, coef0=1.0)])
def test_training_rows_get_their_features_back(X, center, upper):
    model = DeepKernelPCA((3, 2), [FIRST, upper], center=center, tol=1e-9, max_iter=5000).fit(X)
    assert model.objective_ < 1e-12
    codes = model.transform(X)
    np.testing.assert_allclose(codes, np.hstack(model.hidden_features_), atol=1e-5)
    assert codes.shape == (len(X), 5)
    for level, H in enumerate(model.hidden_features_, start=1):
        np.testing.assert_allclose(model.transform(X, level=level), H, atol=1e-5)
    assert model.fit_transform(X).tobytes() == codes.tobytes()


@pytest.mark.parametrize("sizes", [(4, 3, 2), (3, 3, 2, 2)])
@pytest.mark.parametrize("center", [False, True])
def test_neighbours_have_neighbouring_features(sizes, center):
    """The equations of a sample may have many solutions; the one near the training is meant."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4))
    model = DeepKernelPCA(sizes, center=center, tol=1e-7, max_iter=5000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of the training, which has gone far enough
        model.fit(X)
    assert model.objective_ < 1e-5
    features = np.hstack(model.hidden_features_)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(model.transform(X), features, atol=0.02)
        np.testing.assert_allclose(model.transform(X + 1e-3 * rng.normal(size=X.shape)), features, atol=0.05)


def test_rows_of_wine_are_found_again():
    X = StandardScaler().fit_transform(load_wine().data)
    model = DeepKernelPCA((3, 2), eta=[1.0, 0.5], tol=1e-7, max_iter=3000).fit(X)
    np.testing.assert_allclose(model.transform(X), np.hstack(model.hidden_features_), atol=1e-6)


def test_linear_systems_without_one_solution_have_that_of_smallest_norm():
    """Four attributes, five components: the fifth one is of eigenvalue 0 and says nothing of a sample."""
    X = load_iris().data
    model = DeepKernelPCA((5, 5), "linear").fit(X)
    features, codes = np.hstack(model.hidden_features_), model.transform(X)
    assert model.objective_ < 1e-18
    assert np.abs(codes - features).max() > 0.05
    assert np.all(np.linalg.norm(codes, axis=1) <= np.linalg.norm(features, axis=1) + 1e-9)
    exact = DeepKernelPCA((4, 4), "linear").fit(X)
    np.testing.assert_allclose(exact.transform(X), np.hstack(exact.hidden_features_), atol=1e-9)


@pytest.mark.parametrize("extension", ["smoother", "auto"])
@pytest.mark.parametrize("kernels", ["linear", ["linear", Gaussian(gamma=50.0)]])
def test_weights_that_cancel_are_not_used(X, extension, kernels):
    model = DeepKernelPCA((3, 2), kernels, extension=extension, max_iter=50)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        codes = model.fit(X).transform(X)  # X is centred, and <x, .> sums to 0 over it
    assert np.abs(codes).max() < 5.0
    if extension == "smoother":
        with pytest.warns(ConvergenceWarning, match=r"of 50 samples can't be smoothed, as values of the first kernel"):
            model.transform(X)


def test_samples_far_from_all_are_smoothed_to_nothing(X):
    model = DeepKernelPCA((3, 2), [FIRST, UPPER], extension="smoother").fit(X)
    np.testing.assert_array_equal(model.transform(X[:3] + 1e6), 0.0)


def test_the_smoother_is_a_weighted_mean(X):
    model = DeepKernelPCA((3, 2), [FIRST, UPPER], extension="smoother").fit(X)
    fresh = X[:5] + 0.2
    K = FIRST(fresh, X)
    expected = K @ np.hstack(model.hidden_features_) / K.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.transform(fresh), expected, rtol=1e-10)


def test_rows_without_a_solution_are_told_of(X):
    rough = [FIRST, Gaussian(gamma=8.0)]
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        model = DeepKernelPCA((5, 5), rough, max_iter=20, extension="equations").fit(X)
    with pytest.warns(ConvergenceWarning, match=r"No solution .* for \d+ of 50 samples: they are what came closest"):
        model.transform(X)
    model.extension = "auto"
    with pytest.warns(ConvergenceWarning, match="they are smoothed"):
        model.transform(X)
