# SPDX-License-Identifier: BSD-3-Clause
"""Samples in compressed rows: what they give is what arrays give."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from gramian import DeepKernelClassifier, DeepKernelInterpolator, DeepKernelRegressor
from gramian.kernels import Gaussian, Linear, TensorMatern
from gramian.models.deep_regression.samples import moments
from scipy.sparse import csc_matrix, csr_array, csr_matrix, random_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

OPTIONS = {"inner_alpha": 0.1, "hidden": 2, "n_init": 2, "init": "random", "tol": 1e-3, "random_state": 0}
KERNELS = [Linear(), Gaussian(gamma=0.5)]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = random_array((60, 12), density=0.3, random_state=rng, format="csr")
    return X, np.sin(X.toarray() @ rng.normal(size=12))


@pytest.mark.parametrize("container", [csr_array, csr_matrix, csc_matrix])
@pytest.mark.parametrize("first", [Linear(), Gaussian(gamma=0.2)], ids=repr)
def test_a_regression_on_compressed_rows_is_that_on_an_array(data, container, first):
    X, y = data
    model = DeepKernelRegressor([first, Gaussian(gamma=0.5)], alpha=0.1, **{**OPTIONS, "tol": 1e-7, "n_init": 8})
    dense, sparse = model.fit(X.toarray(), y).predict(X.toarray()), model.fit(container(X), y)
    np.testing.assert_allclose(sparse.predict(container(X)), dense, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(sparse.predict(X.toarray()), sparse.predict(X), rtol=1e-9)
    assert sparse.supports_[0].format == "csr" and sparse.transform(X).shape == (60, 2)
    again = pickle.loads(pickle.dumps(sparse))
    assert again.predict(X).tobytes() == sparse.predict(X).tobytes()


def test_an_array_is_the_fit_and_compressed_rows_are_asked_for(data):
    X, y = data
    model = DeepKernelRegressor(KERNELS, alpha=0.1, **OPTIONS).fit(X.toarray(), y)
    np.testing.assert_array_equal(model.predict(X), model.predict(X.toarray()))


def test_weights_landmarks_and_cross_validation(data):
    X, y = data
    weights = np.random.default_rng(1).integers(0, 3, size=60)
    model = DeepKernelRegressor(KERNELS, alphas=[0.1, 1.0], landmarks=20, **OPTIONS)
    fitted = model.fit(X, y, weights)
    assert fitted.supports_[0].shape == (20, 12) and np.isfinite(fitted.cv_results_["mean_test_score"]).all()
    rows = np.repeat(np.arange(60), weights)
    given = DeepKernelRegressor(KERNELS, alpha=0.1, **OPTIONS)
    weighted = given.fit(X, y, weights).predict(X)
    assert given.fit(X[rows], y[rows]).predict(X).tobytes() == weighted.tobytes()


def test_the_default_scales_columns_without_moving_them(data):
    X, y = data
    fitted = DeepKernelRegressor(alpha=0.1, **OPTIONS).fit(X, y)
    np.testing.assert_array_equal(fitted.input_shift_, 0)
    np.testing.assert_allclose(fitted.input_scale_, X.toarray().std(axis=0), rtol=1e-9)
    weights = np.arange(60.0)
    expected = moments(X.toarray(), weights).scale
    np.testing.assert_allclose(moments(X, weights).scale, expected, rtol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_moments_are_those_of_scikit_learn(weighted):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3)) * [1e-3, 1.0, 1e5] + [1.0, -2.0, 3e5]
    weights = rng.integers(0, 3, 80).astype(float) if weighted else None
    scaler = StandardScaler().fit(X, sample_weight=weights)
    for found in (moments(X, weights), moments(csr_array(X), weights)):
        np.testing.assert_allclose(found.scale, scaler.scale_, rtol=1e-12)
    np.testing.assert_allclose(moments(X, weights).shift, scaler.mean_, rtol=1e-12)


@pytest.mark.parametrize(("n", "value"), [(5, 0.1), (161, 0.7), (235, 123.4), (10_000, 1 / 3)])
def test_a_constant_sparse_column_is_left_alone(n, value):
    constant = csr_array(np.full((n, 1), value))
    assert moments(constant, None).scale.tolist() == [1.0]
    assert moments(constant, np.arange(1.0, n + 1)).scale.tolist() == [1.0]


def test_a_sparse_column_that_hardly_varies_is_scaled():
    column = 1e6 + 0.01 * np.random.default_rng(0).standard_normal((200, 1))
    np.testing.assert_allclose(moments(csr_array(column), None).scale, column.std(axis=0), rtol=1e-6)


def test_entries_that_are_stored_twice_are_one():
    twice = csr_array((np.array([1.0, 2.0, 5.0]), (np.array([0, 0, 1]), np.array([0, 0, 0]))), shape=(3, 1))
    np.testing.assert_allclose(moments(twice, None).scale, np.array([[3.0], [5.0], [0.0]]).std(axis=0))


def test_its_deep_kernel_takes_arrays(data):
    X, y = data
    fitted = DeepKernelRegressor(KERNELS, alpha=0.1, **OPTIONS).fit(X, y)
    expected = Gaussian(gamma=0.5)(fitted.transform(X))
    np.testing.assert_allclose(fitted.deep_kernel_(X.toarray()), expected, rtol=1e-9, atol=1e-12)


def test_classification_takes_them_and_interpolation_does_not(data):
    X, y = data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        classes = DeepKernelClassifier(KERNELS, alpha=0.01, **{**OPTIONS, "inner_alpha": 0.01}).fit(X, y > 0)
    with pytest.raises(TypeError, match="dense data is required"):
        DeepKernelInterpolator(KERNELS, **OPTIONS).fit(X, y)
    assert classes.score(X, y > 0) > 0.8


def test_kernels_that_need_coordinates_refuse_compressed_rows(data):
    X, y = data
    with pytest.raises(ValueError, match="needs the coordinates of dense points"):
        DeepKernelRegressor([TensorMatern(), Gaussian(gamma=0.5)], alpha=0.1, **OPTIONS).fit(X, y)
