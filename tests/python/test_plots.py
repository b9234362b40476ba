# SPDX-License-Identifier: BSD-3-Clause
"""Displays: their numbers, their pictures, and what they say where matplotlib is not installed."""

from __future__ import annotations

import sys

import gramian
import numpy as np
import pytest
from gramian import DecisionProbabilityDisplay, EmbeddingClassifier, RelevanceDisplay
from gramian.kernels import Gaussian, Laplacian, Linear, TensorMatern
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression


@pytest.fixture(scope="module")
def data():
    X, y = load_iris(return_X_y=True)
    return X[:, :2], y


@pytest.fixture(scope="module")
def model(data):
    return EmbeddingClassifier(random_state=0, max_iter=30).fit(*data)


def test_a_map_mixes_the_colours_of_the_classes(model, data, pyplot):
    display = DecisionProbabilityDisplay.from_estimator(model, data[0], grid_resolution=7, bounds=(4.0, 8.0, 2.0, 4.5))
    assert display.image.shape == display.probabilities.shape == (7, 7, 3)
    np.testing.assert_allclose(display.image, display.probabilities @ display.colors, atol=1e-12)
    corner = model.predict_proba([[8.0, 2.0]])[0]
    np.testing.assert_allclose(display.probabilities[0, -1], corner, atol=1e-12)
    own = DecisionProbabilityDisplay.from_estimator(
        model, data[0], grid_resolution=3, margin=0.0, colors=np.ones((3, 3))
    )
    np.testing.assert_allclose(own.image, 1.0)
    assert own.bounds == (4.3, 7.9, 2.0, 4.4)


def test_any_probabilistic_classifier_has_a_map(data, pyplot):
    two = LogisticRegression().fit(data[0], data[1] > 0)
    display = DecisionProbabilityDisplay.from_estimator(two, data[0], grid_resolution=4)
    assert display.image.shape == (4, 4, 3) and display.probabilities.shape == (4, 4, 2)


def test_a_map_is_plotted(model, data, pyplot):
    X, y = data
    display = DecisionProbabilityDisplay.from_estimator(model, X, y=y, grid_resolution=5)
    np.testing.assert_array_equal(display.ax_.images[0].get_array(), display.image)
    assert len(display.ax_.collections) == 3 and display.ax_.get_xlabel() == "feature 0"
    ax = pyplot.subplots()[1]
    assert display.plot(ax=ax).ax_ is ax and display.figure_ is ax.figure
    assert DecisionProbabilityDisplay.from_estimator(model, X, grid_resolution=5, ax=ax).ax_ is ax


def test_relevance_is_the_inverse_length(pyplot):
    kernel = 2.0 * Gaussian(length_scale=[1.0, 2.0, 4.0, 1.0])
    display = RelevanceDisplay.from_estimator(kernel, shape=(2, 2))
    np.testing.assert_allclose(display.relevance, [[1.0, 0.5], [0.25, 1.0]])
    assert RelevanceDisplay.from_estimator(kernel, shape=(4, 1)).relevance.shape == (4, 1)
    assert display.plot() is display
    np.testing.assert_array_equal(display.ax_.images[0].get_array(), display.relevance)


def test_relevances_are_bars_with_names(pyplot, data):
    kernel = Gaussian(length_scale=[1.0, 2.0])
    display = RelevanceDisplay.from_estimator(kernel).plot()
    np.testing.assert_allclose([bar.get_width() for bar in display.ax_.patches], [1.0, 0.5])
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == ["feature 0", "feature 1"]
    named = RelevanceDisplay.from_estimator(kernel, feature_names=["length", "width"])
    assert named.feature_names == ["length", "width"]
    fitted = EmbeddingClassifier(random_state=0, max_iter=3).fit(*data)
    fitted.feature_names_in_ = np.array(["length", "width"], dtype=object)  # as a fit to a data frame has them
    display = RelevanceDisplay.from_estimator(fitted)
    assert display.feature_names == ["length", "width"]
    np.testing.assert_allclose(display.relevance, fitted.relevances_ / fitted.relevances_.max())


@pytest.mark.parametrize(
    ("kernel", "lengths"),
    [
        (Gaussian(gamma=[2.0, 0.5, 8.0]), [0.5, 1.0, 0.25]),
        (2.0 * Gaussian(gamma=[2.0, 0.5, 8.0]) + Linear(), [0.5, 1.0, 0.25]),
        (Laplacian(gamma=[2.0, 0.5, 8.0]), [0.5, 2.0, 0.125]),
        (TensorMatern(gamma=[2.0, 0.5, 8.0]), [0.5, 2.0, 0.125]),
    ],
    ids=repr,
)
def test_relevance_of_gammas_is_that_of_their_lengths(kernel, lengths, pyplot):
    found = RelevanceDisplay.from_estimator(kernel).relevance
    np.testing.assert_allclose(found, min(lengths) / np.array(lengths))
    if "Gaussian" in repr(kernel):
        same = RelevanceDisplay.from_estimator(Gaussian(length_scale=lengths)).relevance
        np.testing.assert_allclose(found, same)


def test_relevance_of_a_fitted_estimator(model, pyplot):
    scales = model.kernel_.kernel.length_scale
    display = RelevanceDisplay.from_estimator(model)
    np.testing.assert_allclose(display.relevance, scales.min() / scales)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda m, X: DecisionProbabilityDisplay.from_estimator(m, np.ones((4, 3))), ValueError, "2 features"),
        (
            lambda m, X: DecisionProbabilityDisplay.from_estimator(m, X, grid_resolution=0),
            ValueError,
            "grid_resolution",
        ),
        (lambda m, X: DecisionProbabilityDisplay.from_estimator(m, X, margin=-1), ValueError, "margin"),
        (lambda m, X: DecisionProbabilityDisplay.from_estimator(m, X, bounds=(1, 0, 0, 1)), ValueError, "bounds"),
        (lambda m, X: DecisionProbabilityDisplay.from_estimator(m, X, colors=np.eye(2)), ValueError, "colors"),
        (lambda m, X: RelevanceDisplay.from_estimator(m, shape=(2, 2)), ValueError, "shape"),
        (lambda m, X: RelevanceDisplay.from_estimator(m, feature_names=["a"]), ValueError, "feature_names"),
        (lambda m, X: RelevanceDisplay.from_estimator(Linear()), TypeError, "length scale"),
        (lambda m, X: RelevanceDisplay.from_estimator(LogisticRegression().fit(X, X[:, 0] > 5)), TypeError, "length"),
    ],
)
def test_bad_arguments_are_named(model, data, call, error, message):
    with pytest.raises(error, match=message):
        call(model, data[0])


def test_without_matplotlib_there_is_an_error_that_says_what_to_install(model, data, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert RelevanceDisplay(model.relevances_).relevance.shape == (2,)
    with pytest.raises(ImportError, match=r"pip install 'gramian\[plots\]'"):
        RelevanceDisplay.from_estimator(model)
    with pytest.raises(ImportError, match="matplotlib"):
        DecisionProbabilityDisplay.from_estimator(model, data[0], grid_resolution=3)
    assert gramian.plots.RelevanceDisplay is RelevanceDisplay
