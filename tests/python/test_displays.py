# SPDX-License-Identifier: BSD-3-Clause
"""Displays of codes, reconstructions, training, distributions and Gram matrices: their numbers, and what is drawn."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian, Linear
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression


@pytest.fixture(scope="module")
def flowers():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def conditional():
    x = np.random.default_rng(0).uniform(0, 1, size=(200, 2))
    y = x[:, 0] + 0.1 * np.random.default_rng(1).normal(size=200)
    return gramian.ConditionalMeanEmbedding(landmarks=None).fit(x, y), x, y


def test_codes_of_few_classes_have_a_colour_each(flowers, pyplot):
    X, y = flowers
    model = PCA(3).fit(X)
    display = gramian.CodesDisplay.from_estimator(model, X, y, components=(2, 0))
    np.testing.assert_array_equal(display.codes, model.transform(X)[:, [2, 0]])
    assert len(display.ax_.collections) == 3 and display.ax_.get_xlabel() == "code 2"
    shown = np.concatenate([dots.get_offsets() for dots in display.ax_.collections])
    np.testing.assert_array_equal(np.sort(shown[:, 0]), np.sort(display.codes[:, 0]))


def test_codes_of_many_labels_have_a_scale_of_colours(flowers, pyplot):
    X, _ = flowers
    for labels in (np.arange(150.0), [f"name {i}" for i in range(150)], None):
        display = gramian.CodesDisplay.from_estimator(PCA(2).fit(X), X, labels)
        assert len(display.ax_.collections) == 1
        assert len(display.figure_.axes) == (1 if labels is None else 2)


def test_reconstructions_are_below_the_samples(flowers, pyplot):
    X, _ = flowers
    model = PCA(2).fit(X)
    display = gramian.ReconstructionDisplay.from_estimator(model, X, shape=(2, 2), count=4)
    np.testing.assert_allclose(display.reconstructions, model.inverse_transform(model.transform(X[:4])))
    assert display.axes_.shape == (2, 4)
    np.testing.assert_array_equal(display.axes_[0, 1].images[0].get_array(), X[1].reshape(2, 2))
    np.testing.assert_array_equal(display.axes_[1, 3].images[0].get_array(), display.reconstructions[3].reshape(2, 2))
    curves = gramian.ReconstructionDisplay.from_estimator(model, X[:2])
    np.testing.assert_array_equal(curves.axes_[0, 1].lines[0].get_ydata(), X[1])


def test_a_training_curve_is_the_history(pyplot):
    X = np.random.default_rng(0).normal(size=(50, 2))
    model = gramian.KernelRidge(kernel="rbf", solver="cg", alpha=1e-3).fit(X, X[:, 0])
    display = gramian.TrainingCurveDisplay.from_estimator(model, quantity="gradient_norm")
    np.testing.assert_array_equal(display.ax_.lines[0].get_ydata(), model.history_["gradient_norm"])
    assert display.ax_.get_yscale() == "log" and display.ax_.get_ylabel() == "gradient norm"
    ax = pyplot.subplots()[1]
    assert gramian.TrainingCurveDisplay.from_estimator(model, ax=ax).ax_ is ax
    assert ax.get_ylabel() == "objective"


def test_densities_are_those_of_the_embedding(conditional, pyplot):
    model, x, _ = conditional
    display = gramian.ConditionalDensityDisplay.from_estimator(
        model, x, feature=0, bandwidth=0.1, grid_resolution=(5, 7)
    )
    grid = np.c_[display.inputs, np.full(5, np.median(x[:, 1]))]
    np.testing.assert_array_equal(display.density, model.density(grid, display.outputs, 0.1))
    np.testing.assert_array_equal(display.median, model.quantile(grid))
    np.testing.assert_array_equal(display.ax_.collections[0].get_array().ravel(), display.density.T.ravel())
    assert display.outputs[0] < model.Y_fit_.min() and display.outputs[-1] > model.Y_fit_.max()


def test_the_histogram_of_distribution_values(conditional, pyplot):
    model, x, y = conditional
    display = gramian.PITDisplay.from_estimator(model, x, y, bins=5)
    np.testing.assert_array_equal(display.values, model.cdf(x, y))
    heights = [bar.get_height() for bar in display.ax_.patches]
    np.testing.assert_allclose(heights, np.histogram(display.values, 5, (0, 1), density=True)[0])


def test_a_gram_matrix_is_sorted_by_labels(flowers, pyplot):
    X, _ = flowers
    y = np.tile(["b", "a"], 75)
    display = gramian.GramDisplay.from_samples(Gaussian(gamma=0.3), X, y)
    order = np.r_[np.arange(1, 150, 2), np.arange(0, 150, 2)]
    np.testing.assert_array_equal(display.gram, gramian.gram(Gaussian(gamma=0.3), X)[np.ix_(order, order)])
    assert display.edges == [75]
    np.testing.assert_array_equal(display.ax_.images[0].get_array(), display.gram)
    same = gramian.GramDisplay.from_samples("precomputed", gramian.gram(Gaussian(gamma=0.3), X))
    assert same.edges == [] and same.gram.shape == (150, 150)


def test_a_spectrum_adds_up_to_one(flowers, pyplot):
    X, _ = flowers
    display = gramian.SpectrumDisplay.from_samples(Linear(), X)
    expected = np.linalg.eigvalsh(X.T @ X)[::-1]
    np.testing.assert_allclose(display.eigenvalues[:4], expected / expected.sum(), rtol=1e-10)
    assert display.eigenvalues.min() >= 0 and abs(display.eigenvalues.sum() - 1) < 1e-12
    assert display.ax_.get_yscale() == "log"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda X: gramian.CodesDisplay.from_estimator(PCA(2).fit(X), X, components=(0, 2)),
            ValueError,
            "two of the 2",
        ),
        (lambda X: gramian.CodesDisplay.from_estimator(PCA(2).fit(X), X, [1, 2]), ValueError, "y must have shape"),
        (
            lambda X: gramian.ReconstructionDisplay.from_estimator(PCA(2).fit(X), X, shape=(3, 3)),
            ValueError,
            "has not the 4 entries",
        ),
        (
            lambda X: gramian.ReconstructionDisplay.from_estimator(LinearRegression().fit(X, X), X),
            TypeError,
            "inverse_transform",
        ),
        (lambda X: gramian.TrainingCurveDisplay.from_estimator(PCA(2).fit(X)), TypeError, "PCA has no history_"),
        (
            lambda X: gramian.TrainingCurveDisplay.from_estimator(
                gramian.KernelRidge().fit(X, X[:, 0]), quantity="loss"
            ),
            ValueError,
            "quantity must be a key of history_: 'iteration'",
        ),
        (lambda X: gramian.ConditionalDensityDisplay.from_estimator(PCA(2).fit(X), X), TypeError, "ConditionalMean"),
        (lambda X: gramian.PITDisplay.from_estimator(PCA(2).fit(X), X, X[:, 0]), TypeError, "ConditionalMean"),
        (lambda X: gramian.GramDisplay.from_samples("precomputed", X), ValueError, "must be square"),
        (lambda X: gramian.GramDisplay.from_samples(Linear(), X, [1]), ValueError, "y must have shape"),
    ],
)
def test_bad_arguments_are_named(call, error, message, flowers):
    with pytest.raises(error, match=message):
        call(flowers[0])


def test_every_display_is_exported_and_has_the_convention():
    names = [name for name in gramian.__all__ if name.endswith("Display")]
    assert sorted(gramian.plots.__all__) == names
    for name in names:
        display = getattr(gramian, name)
        assert hasattr(display, "plot") and (hasattr(display, "from_estimator") or hasattr(display, "from_samples"))
