# SPDX-License-Identifier: BSD-3-Clause
"""Concatenated interpolation: targets are met, with small norms."""

from __future__ import annotations

import numpy as np
import pytest
from gramian import DeepKernelInterpolator
from gramian.kernels import Linear, Matern, Polynomial, TensorMatern

NEW = np.random.default_rng(1).uniform(-1, 1, size=(200, 2))


def kink(X):
    return 1 / (0.1 + np.abs(X[:, 0] - X[:, 1]))


@pytest.fixture(scope="module")
def data():
    X = np.random.default_rng(0).uniform(-1, 1, size=(50, 2))
    return X, kink(X)


def model(kernels, **options):
    return DeepKernelInterpolator(kernels, random_state=0, **{"n_init": 4, **options})


def test_targets_are_met(data):
    X, y = data
    for target in (y, np.stack([y, X[:, 0]], axis=1)):
        for kernels in (None, [Polynomial(degree=1), TensorMatern(s=1)], [Linear(), Linear(), Matern()]):
            fitted = model(kernels, tol=1e-3).fit(X, target)
            np.testing.assert_allclose(fitted.predict(X), target, rtol=1e-6, atol=1e-6)


def test_one_layer_is_interpolation(data):
    X, y = data
    kernel = Matern(nu=1.5, length_scale=0.5)
    dual = np.linalg.solve(kernel(X), y)
    fitted = model([kernel]).fit(X, y)
    np.testing.assert_allclose(fitted.predict(NEW), kernel(NEW, X) @ dual, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(fitted.objective_, y @ dual, rtol=1e-9)


def test_a_linear_map_turns_a_kink_along_an_axis(data):
    X, y = data
    outer = TensorMatern(s=1)
    flat, deep = model([outer]).fit(X, y), model([Polynomial(degree=1), outer], n_init=16).fit(X, y)
    np.testing.assert_allclose(deep.objective_, deep.squared_norms_.sum(), rtol=1e-9)

    def error(fitted):
        return np.sqrt(((fitted.predict(NEW) - kink(NEW)) ** 2).mean())

    assert error(deep) < 0.6 * error(flat)
    dearer = model([Polynomial(degree=1), outer], inner_alpha=100.0).fit(X, y)
    assert dearer.squared_norms_[0] < deep.squared_norms_[0] and dearer.inner_alpha_.tolist() == [100.0]


def test_samples_that_are_the_same(data):
    X, y = data
    twice, values = np.concatenate([X, X[3:5]]), np.concatenate([y, y[3:5]])
    for options in ({"kernels": [Linear(), Matern()]}, {"kernels": None, "standardize": False}):  # moments count both
        fitted = DeepKernelInterpolator(n_init=2, random_state=0, **options)
        assert fitted.fit(twice, values).merged_ == [50, 51]
        merged = fitted.predict(NEW)
        assert merged.tobytes() == fitted.fit(X, y).predict(NEW).tobytes()
    values[50] += 1.0
    with pytest.raises(ValueError, match="rows 3 and 50 have different targets"):
        model(None).fit(twice, values)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"inner_alpha": -1.0}, "'inner_alpha' parameter"),
        ({"inner_alpha": [1.0, 1.0]}, "'inner_alpha' parameter"),
        ({"theta": 2.0}, "theta must be None"),
    ],
)
def test_wrong_parameters_are_named(data, parameters, message):
    with pytest.raises(ValueError, match=message):
        model(None, **parameters).fit(*data)
