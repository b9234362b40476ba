# SPDX-License-Identifier: BSD-3-Clause
"""The distribution of outputs given an input: spread, quantiles, intervals, densities, calibration."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian.kernels import Gaussian


def noisy(n: int, seed: int = 0):
    """Noise whose deviation grows from .1 to .7."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 3, n)
    return x[:, None], np.sin(x) + (0.1 + 0.2 * x) * rng.normal(size=n)


@pytest.fixture(scope="module")
def model():
    return gramian.ConditionalMeanEmbedding(learn="cv", random_state=0).fit(*noisy(800))


GRID = np.linspace(0.2, 2.8, 14)[:, None]


def test_weights_on_the_simplex_are_distributions(model):
    W, raw = model.weights(GRID, simplex=True), model.weights(GRID)
    assert W.min() == 0 and np.abs(W.sum(axis=1) - 1).max() < 1e-12
    assert raw.min() < 0 or np.abs(raw.sum(axis=1) - 1).max() > 1e-6
    assert np.abs(W - raw).max() < 0.01


def test_deviations_follow_the_noise(model):
    mean, std = model.predict(GRID, return_std=True)
    np.testing.assert_array_equal(mean, model.predict(GRID))
    W = model.weights(GRID, simplex=True)
    first = W @ model.Y_fit_
    np.testing.assert_allclose(std, np.sqrt(W @ model.Y_fit_**2 - first**2), rtol=1e-10)
    np.testing.assert_allclose(std, 0.1 + 0.2 * GRID[:, 0], rtol=0.35)


def test_quantiles_are_those_of_the_weights(model):
    W, y = model.weights(GRID, simplex=True), model.Y_fit_
    order = np.argsort(y)
    found = model.quantile(GRID, [0.1, 0.5, 0.9])
    for row, weights in zip(found, W, strict=True):
        reached = np.cumsum(weights[order])
        expected = [y[order][np.argmax(reached >= level - 1e-12)] for level in (0.1, 0.5, 0.9)]
        np.testing.assert_array_equal(row, expected)
    np.testing.assert_array_equal(model.quantile(GRID), found[:, 1])
    np.testing.assert_array_equal(model.interval(GRID, 0.8), found[:, [0, 2]])


def test_intervals_cover_new_outputs_as_often_as_they_say(model):
    X, y = noisy(2000, seed=1)
    for coverage in (0.5, 0.9):
        low, high = model.interval(X, coverage).T
        assert abs(np.mean((low <= y) & (y <= high)) - coverage) < 0.05


def test_values_of_the_distribution_function_are_uniform(model):
    X, y = noisy(2000, seed=2)
    values = model.cdf(X, y)
    assert values.shape == y.shape
    assert np.abs(np.histogram(values, 5, (0, 1))[0] / len(y) - 0.2).max() < 0.05
    np.testing.assert_array_equal(model.cdf(X[:3], [-100, 0, 100])[[0, 2]], [0, 1])


def test_densities_integrate_to_one_and_see_both_branches():
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 3, 400)
    y = np.where(rng.random(400) < x / 3, 1 + x, -1.0) + 0.15 * rng.normal(size=400)
    model = gramian.ConditionalMeanEmbedding(output_kernel=Gaussian(length_scale=0.3), learn="cv", random_state=0)
    model.fit(x[:, None], y)
    at = np.linspace(-7, 10, 2001)
    for bandwidth in (None, 0.2):
        found = model.density([[1.5], [2.5]], at, bandwidth)
        assert found.shape == (2, 2001)
        np.testing.assert_allclose(found.sum(axis=1) * (at[1] - at[0]), 1, rtol=1e-6)
    lower, between, upper = (found[0, np.argmin(abs(at - place))] for place in (-1.0, 0.75, 2.5))
    assert min(lower, upper) > 5 * between


def test_outputs_of_several_columns():
    X, y = noisy(300)
    both = gramian.ConditionalMeanEmbedding(penalty=1e-3).fit(X, np.c_[y, 2 * y])
    one = gramian.ConditionalMeanEmbedding(penalty=1e-3).fit(X, y)
    spread = one.predict(GRID, return_std=True)[1]
    for scale, column in ((1, 0), (2, 1)):
        np.testing.assert_allclose(both.predict(GRID, return_std=True)[1][:, column], scale * spread)
        np.testing.assert_allclose(both.quantile(GRID)[:, column], scale * one.quantile(GRID))
        np.testing.assert_allclose(both.interval(GRID)[..., column], scale * one.interval(GRID))
        np.testing.assert_allclose(both.cdf(GRID, np.zeros((14, 2)))[:, column], one.cdf(GRID, np.zeros(14)))
    with pytest.raises(ValueError, match="density is of one output, and the training outputs have 2 columns"):
        both.density(GRID, [0.0])


def test_blocks_of_rows_have_the_same_answers(model, monkeypatch):
    expected = model.interval(GRID), model.cdf(GRID, GRID[:, 0]), model.density(GRID, [0.0, 1.0])
    monkeypatch.setattr("gramian.models.conditional_mean.distribution._NUMBERS_AT_A_TIME", 3000)
    found = model.interval(GRID), model.cdf(GRID, GRID[:, 0]), model.density(GRID, [0.0, 1.0])
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9)


def test_inputs_of_every_kind():
    X, y = noisy(60)
    dense = gramian.ConditionalMeanEmbedding(Gaussian(gamma=1.0)).fit(X, y)
    sparse = gramian.ConditionalMeanEmbedding(Gaussian(gamma=1.0)).fit(scipy.sparse.csr_matrix(X), y)
    K = gramian.gram(Gaussian(gamma=1.0), X)
    stored = gramian.ConditionalMeanEmbedding("precomputed").fit(K, y)
    expected = dense.interval(X)
    np.testing.assert_array_equal(sparse.interval(scipy.sparse.coo_matrix(X)), expected)
    np.testing.assert_array_equal(stored.interval(K), expected)
    np.testing.assert_array_equal(dense.interval(X.tolist()), expected)


def test_landmarks_answer_too():
    X, y = noisy(400)
    low, high = gramian.ConditionalMeanEmbedding(landmarks=60, random_state=0).fit(X, y).interval(GRID).T
    assert (low < np.sin(GRID[:, 0])).all() and (np.sin(GRID[:, 0]) < high).all()


def test_samples_that_are_not_kept_have_no_distribution():
    model = gramian.ConditionalMeanEmbedding(landmarks=60, random_state=0).partial_fit(*noisy(400))
    for ask in (model.quantile, lambda X: model.weights(X, simplex=True), lambda X: model.predict(X, return_std=True)):
        with pytest.raises(ValueError, match="Use fit with arrays"):
            ask(GRID)
    model.fit(*noisy(400)).quantile(GRID)


@pytest.mark.parametrize("q", [-0.1, 1.1, [0.5, 2.0], [], [[0.5]]])
def test_levels_must_be_levels(q, model):
    with pytest.raises(ValueError, match=r"'q' parameter of ConditionalMeanEmbedding must be a number in \[0, 1\]"):
        model.quantile(GRID, q)


def test_other_arguments_are_checked(model):
    for coverage in (0, 1, 1.5, float("nan")):
        with pytest.raises(ValueError, match="'coverage' parameter .* must be a number between 0 and 1"):
            model.interval(GRID, coverage)
    for bandwidth in (0, -1, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="'bandwidth' parameter .* must be None or a finite number above 0"):
            model.density(GRID, [0.0], bandwidth)
    with pytest.raises(ValueError, match="y has 3 rows, X has 14"):
        model.cdf(GRID, [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="y has 2 columns, but the training outputs have 1"):
        model.cdf(GRID, np.zeros((14, 2)))


def test_labels_have_no_quantiles():
    model = gramian.ConditionalMeanEmbedding(output_kernel=gramian.kernels.Delta()).fit(np.eye(3), ["a", "b", "a"])
    for ask in (model.quantile, model.interval, lambda X: model.cdf(X, [0, 0, 0])):
        with pytest.raises(ValueError, match="outputs that are dense numbers"):
            ask(np.eye(3))
