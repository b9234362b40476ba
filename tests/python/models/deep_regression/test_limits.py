# SPDX-License-Identifier: BSD-3-Clause
"""Concatenated kernels at the edge of what can be fitted: no spread, huge numbers, far offsets, uneven columns."""

from __future__ import annotations

import time
import warnings

import gramian
import numpy as np
import pytest
from gramian import DeepKernelClassifier, DeepKernelInterpolator, DeepKernelRegressor
from gramian.kernels import Gaussian, Linear, Matern
from gramian.models.deep_regression.samples import moments
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold

KERNELS = [Linear(), Gaussian(gamma=1.0)]
OPTIONS = {"n_init": 4, "random_state": 0}


def regressor(kernels=None, alpha=1e-2, inner_alpha=1e-2, **options):
    return DeepKernelRegressor(kernels, alpha=alpha, inner_alpha=inner_alpha, **{**OPTIONS, **options})


@pytest.fixture(scope="module")
def data():
    X = np.random.default_rng(0).uniform(-1, 1, size=(60, 2))
    return X, wave(X)


def wave(X):
    return np.sin(3 * X[:, 0]) + X[:, 1] ** 2


NEW = np.random.default_rng(1).uniform(-1, 1, size=(200, 2))


@pytest.mark.parametrize(
    "X", [np.ones((60, 2)), np.zeros((60, 2)), csr_array((60, 2))], ids=["ones", "zeros", "sparse"]
)
def test_samples_that_are_all_the_same_have_one_prediction(data, X):
    for loss in ("squared", gramian.losses.Huber(1.0)):
        fitted = regressor(alpha=1e-6, loss=loss).fit(X, data[1])
        assert fitted.stationarity_ < 1e-2 and fitted.inner_rank_ == 0 and np.ptp(fitted.predict(X)) == 0
    np.testing.assert_allclose(regressor(alpha=1e-6).fit(X, data[1]).predict(X), data[1].mean(), rtol=1e-5)
    labels = (data[1] > 0.3).astype(int)
    probabilities = DeepKernelClassifier(alpha=1e-6, inner_alpha=1e-2, **OPTIONS).fit(X, labels).predict_proba(X)
    np.testing.assert_allclose(probabilities[:, 1], labels.mean(), rtol=1e-3)


def test_one_sample_that_counts_is_enough(data):
    X, y = data
    fitted = regressor().fit(X, y, np.eye(60)[7])
    np.testing.assert_allclose(fitted.predict(X), y[7])
    two = DeepKernelInterpolator(**OPTIONS).fit(np.ones((2, 2)), [1.0, 1.0])
    assert two.merged_ == [1] and two.predict([[1.0, 1.0]]) == [1.0]


@pytest.mark.parametrize(
    "change",
    [lambda X: X + 1e3, lambda X: X + 1e5, lambda X: X - 1e5, lambda X: X * [30, 1], lambda X: X * [1e5, 1]],
    ids=["+1e3", "+1e5", "-1e5", "x30", "x1e5"],
)
def test_offsets_and_units_leave_the_fit_what_it_is(data, change):
    X, y = data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of units that differ
        fitted = regressor(KERNELS, n_init=8).fit(change(X), y)
    assert fitted.inner_rank_ in (2, None) and fitted.score(change(NEW), wave(NEW)) > 0.98


def test_where_columns_are_uneven_coefficients_find_what_weights_do_not(data):
    X = data[0] * [1e3, 1]
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for parameters in ("auto", "features"):
            fitted = regressor(KERNELS, n_init=8, inner_parameters=parameters).fit(X, np.sin(3 * X[:, 1]))
            found[parameters] = fitted.objective_, fitted.inner_parameters_
    assert found["auto"][1] == "coefficients" and found["features"][1] == "features"
    assert found["auto"][0] < 0.5 * found["features"][0]


def test_two_layers_far_from_the_origin_are_not_worse_than_one(data):
    X, y = data
    one = DeepKernelRegressor([Gaussian(gamma=3.0)], alpha=1e-2).fit(X + 1e5, y).objective_
    assert regressor([Linear(), Gaussian(gamma=3.0)], inner_alpha=1e-6).fit(X + 1e5, y).objective_ < one


@pytest.mark.parametrize(
    "change", [lambda X: X + 1e8, lambda X: X * [1e4, 1], lambda X: X * [1, 1e-8]], ids=["+1e8", "x1e4", "x1e-8"]
)
def test_columns_that_drown_are_told(data, change):
    X, y = data
    with pytest.warns(ConvergenceWarning, match="standardize=True"):
        regressor(KERNELS).fit(change(X), y)
    for model in (
        regressor(KERNELS, standardize=True),
        regressor(),
        regressor([Gaussian(gamma=1.0), Gaussian(gamma=1.0)]),
    ):
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message=".*standardize=True")
            model.fit(change(X), y)


def test_rows_that_differ_are_neither_merged_nor_refused(data):
    X, y = data
    for offset in (0.0, 1e3, 1e5, 1e8):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            fitted = DeepKernelInterpolator([Linear(), Matern()], **OPTIONS).fit(X + offset, y)
        assert fitted.merged_ == []
        if offset < 1e8:
            np.testing.assert_allclose(fitted.predict(X + offset), y, atol=1e-8 + 1e-10 * offset)
    apart = np.r_[X[:2] + 1e7, -X[:2] - 1e7]
    with pytest.raises(gramian.NumericalError, match="too close to be interpolated"):  # and not merged
        DeepKernelInterpolator([Linear(), Matern()], **OPTIONS).fit(apart, [1.0, 1.0, 2.0, 2.0])


def test_huge_and_tiny_numbers_are_standardised(data):
    X, y = data
    plain = regressor().fit(X, y)
    for size in (1e200, 1e-200):
        fitted = regressor().fit(X * size, y * size)
        np.testing.assert_allclose(fitted.predict(X * size) / size, plain.predict(X), rtol=1e-3, atol=1e-3)
        interpolator = DeepKernelInterpolator(**OPTIONS).fit(X * size, y * size)
        np.testing.assert_allclose(interpolator.predict(X * size) / size, y, atol=1e-3)
    sparse = csr_array(np.where(X > 0, X, 0))
    for found in (moments(sparse * 1e200, None), moments(sparse.toarray() * 1e200, None)):
        np.testing.assert_allclose(found.scale / 1e200, moments(sparse, None).scale, rtol=1e-12)


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"theta": 1e6}, "theta"),
        ({"init": "random", "init_scale": 1e200}, "init_scale"),
        ({"loss": gramian.losses.Squared(), "size": 1e200}, "scale the data"),
    ],
)
def test_where_no_start_is_finite_the_reason_is_told(data, parameters, reason):
    X, y = data
    size = parameters.pop("size", 1.0)
    with pytest.raises(gramian.NumericalError, match=reason):
        regressor(KERNELS, **parameters).fit(X, size * y)


def test_a_distance_penalty_names_rows_that_are_equal(data):
    X, y = data
    again, values = np.r_[X, X[3:4]], np.r_[y, y[3] + 1]
    for weights in (None, np.ones(61)):
        with pytest.raises(ValueError, match="rows 3 and 60 of X are equal"):
            regressor(KERNELS, distance_penalty=0.1).fit(again, values, weights)
    with pytest.raises(ValueError, match="rows 3 and 60 of X are equal"):
        DeepKernelClassifier(alpha=1.0, inner_alpha=1.0, distance_penalty=0.1).fit(again, np.r_[y > 0, y[3] <= 0])
    regressor(KERNELS, distance_penalty=0.1).fit(np.r_[X, X[3:4]], np.r_[y, y[3]])  # one sample of weight 2


def test_landmarks_whose_gram_is_singular_are_not_told_to_raise_alpha():
    X = np.random.default_rng(0).normal(size=(400, 2))
    model = DeepKernelRegressor(alpha=0.1, inner_alpha=10.0, landmarks=120, n_init=2, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        fitted = model.fit(X, np.sin(3 * X[:, 0]))
    # What was added costs nothing: the objective is that of the functions it has.
    assert fitted.jitter_ > 0
    np.testing.assert_allclose(fitted.loss_ + fitted.layer_penalties_.sum(), fitted.objective_, rtol=1e-6)
    with pytest.warns(ConvergenceWarning, match="ask for fewer landmarks"):
        fitted = model.set_params(alpha=1e-6).fit(X, np.sin(3 * X[:, 0]))
    assert fitted.objective_ > 1.01 * (fitted.loss_ + fitted.layer_penalties_.sum())


def test_landmarks_that_a_split_leaves_out_are_an_error(data):
    X, y = data
    model = regressor(KERNELS, alpha=None, alphas=[0.1, 1.0], landmarks=[0, 1, 2], cv=KFold(5))
    with pytest.raises(ValueError, match="'landmarks' parameter .* split without any of them"):
        model.fit(X, y)
    assert len(model.set_params(landmarks=[0, 20, 40]).fit(X, y).supports_[0]) == 3


def test_memory_is_refused_before_penalties_are_chosen():
    X = np.random.default_rng(0).normal(size=(200_000, 1))
    begin = time.perf_counter()
    with pytest.raises(MemoryError, match="use landmarks"):
        DeepKernelRegressor(landmarks=None).fit(X, X[:, 0])
    assert time.perf_counter() - begin < 3  # the choice alone would take longer


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"inner_alpha": np.array(0.1)}, TypeError, "'inner_alpha' parameter"),
        ({"kernels": [Gaussian()], "inner_alpha": [1.0]}, ValueError, "'inner_alpha' parameter"),
        ({"theta": lambda s: s}, TypeError, r"an object with value\(square\) and slope\(square\)"),
        ({"theta": "root"}, ValueError, "'theta' parameter"),
    ],
)
def test_wrong_parameters_are_named(data, parameters, error, message):
    with pytest.raises(error, match=message):
        regressor(**{"kernels": KERNELS, **parameters}).fit(*data)


def test_what_else_is_named(data):
    X, y = data
    for inner_alpha in ((), []):
        assert regressor([Gaussian()], inner_alpha=inner_alpha).fit(X, y).inner_alpha_.tolist() == []
    with pytest.raises(ValueError, match="Give alpha and inner_alpha"):
        DeepKernelRegressor().fit(np.ones((2, 2)), [1.0, 1.0])
    for key in (0, "a", True):
        with pytest.raises(ValueError, match="image_targets must have inner layers, counted from 1, as keys"):
            regressor(KERNELS).fit(X, y, image_targets={key: X})
    with pytest.raises(ValueError, match="'inner_alpha' parameter"):
        DeepKernelInterpolator(inner_alpha=np.array(0.1)).fit(X, y)
