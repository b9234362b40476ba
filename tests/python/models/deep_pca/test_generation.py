# SPDX-License-Identifier: BSD-3-Clause
"""The way back of a deep kernel PCA, the choice of its components, and its pictures."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from gramian import (
    DeepKernelPCA,
    ExplainedVarianceDisplay,
    LevelTopologyDisplay,
    ParametricDeepKernelPCA,
    TraversalDisplay,
)
from gramian.kernels import Gaussian
from gramian.models import select_components
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import StandardScaler

FIRST, UPPER = Gaussian(gamma=0.3), Gaussian(gamma=0.1)


@pytest.fixture(scope="module")
def X():
    return StandardScaler().fit_transform(load_iris().data[::3])


@pytest.fixture(scope="module")
def fitted(X):
    return DeepKernelPCA((6, 4), [FIRST, UPPER]).fit(X)


@pytest.mark.parametrize("center", [False, True])
def test_linear_levels_reconstruct_as_pca(X, center):
    data = X + [1.0, 0.0, -2.0, 0.5]
    model = DeepKernelPCA((2, 2), ["linear", "linear"], center=center, eta=1.0).fit(data)
    peer = PCA(2).fit(data)
    expected = peer.inverse_transform(peer.transform(data))
    if not center:
        _, _, V = np.linalg.svd(data, full_matrices=False)
        expected = data @ V[:2].T @ V[:2]
    codes = np.hstack(model.hidden_features_)
    np.testing.assert_allclose(model.inverse_transform(codes, level=1), expected, atol=1e-9)
    if not center:
        np.testing.assert_allclose(model.inverse_transform(codes), expected, atol=1e-9)


def test_all_components_reconstruct_all(X):
    """[DKPCA] Sec. 5.2: the full decomposition has no error."""
    model = DeepKernelPCA((4, 4), ["linear", "linear"]).fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-8)


@pytest.mark.parametrize("level", [None, 1])
def test_the_score_is_r2_of_reconstructions(X, fitted, level):
    data = 3.0 * X + 1.0
    model = DeepKernelPCA((6, 4), [Gaussian(gamma=0.3 / 9), UPPER], inverse="ridge").fit(data[:40])
    found = model.inverse_transform(model.transform(data[40:]), level=level)
    expected = 1 - ((data[40:] - found) ** 2).sum() / ((data[40:] - data[40:].mean(axis=0)) ** 2).sum()
    assert model.score(data[40:], level=level) == pytest.approx(expected, rel=1e-12)
    assert DeepKernelPCA((4, 4), "linear").fit(X).score(X) == pytest.approx(1.0, abs=1e-12)
    chosen = select_components(DeepKernelPCA(kernels="linear"), X, [(2,), (2,)])
    assert DeepKernelPCA((2, 2), "linear").fit(X).score(X) == pytest.approx(1 - chosen.errors[0], abs=1e-12)


def test_the_score_takes_what_fit_takes(X):
    counts = np.round(np.abs(X) * 3)
    dense = DeepKernelPCA((3, 2), "linear").fit(counts)
    sparse = DeepKernelPCA((3, 2), "linear").fit(csr_matrix(counts))
    assert sparse.score(csr_matrix(counts)) == pytest.approx(dense.score(counts), abs=1e-9)


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("landmarks", [None, [0, 3, 4, 7, 8, 9, 11, 12, 20]])
def test_the_score_of_a_gram_matrix_is_that_in_the_feature_space(X, center, landmarks):
    X = X - X.mean(axis=0)  # so that the mean of these samples is that of both scores
    options = {"center": center, "landmarks": landmarks, "eta": [0.8, 1.0]}
    points = DeepKernelPCA((3, 2), ["linear", "linear"], **options).fit(X)
    gram = DeepKernelPCA((3, 2), ["precomputed", "linear"], **options).fit(X @ X.T)
    called = DeepKernelPCA((3, 2), [lambda a, b: float(a @ b), "linear"], **options).fit(X)
    squares, weights = (X**2).sum(axis=1), np.arange(1.0, len(X) + 1)
    found = gram.score(X @ X.T, diag=squares)
    assert called.score(X) == pytest.approx(found, rel=1e-9)
    if landmarks is None:
        assert found == pytest.approx(points.score(X, level=1), rel=1e-6)
        assert found == pytest.approx(gram.score(X @ X.T, diag=squares, level=1), rel=1e-12)
    back = gram.weights(gram.transform(X @ X.T)) @ (X if landmarks is None else X[landmarks])
    mean = (X if landmarks is None else X[landmarks]).mean(axis=0)
    errors, spread = ((X - back) ** 2).sum(axis=1), ((X - mean) ** 2).sum(axis=1)
    assert found == pytest.approx(1 - errors.sum() / spread.sum(), rel=1e-9)
    weighted = gram.score(X @ X.T, sample_weight=weights, diag=squares)
    assert weighted == pytest.approx(1 - weights @ errors / (weights @ spread), rel=1e-9)
    with pytest.raises(ValueError, match="diag is needed"):
        gram.score(X @ X.T)
    with pytest.raises(ValueError, match="from level 1 only"):
        gram.score(X @ X.T, diag=squares, level=2)
    with pytest.raises(ValueError, match="diag is only for a precomputed kernel"):
        points.score(X, diag=squares)


def test_searches_over_a_gram_matrix_choose_by_the_score(X):
    K = FIRST(X)
    search = GridSearchCV(DeepKernelPCA(2, "precomputed"), {"n_components": [1, 4]}, cv=3).fit(K)
    assert search.best_params_ == {"n_components": 4} and 0 < search.best_score_ < 1


def test_searches_choose_by_the_score(X):
    low = X[:, :2] @ np.array([[1.0, 0.5, -1.0, 2.0], [0.3, -1.0, 0.5, 0.2]])  # two components hold all of it
    grid = {"n_components": [(1, 1), (2, 2)]}
    search = GridSearchCV(DeepKernelPCA(kernels="linear"), grid, cv=3).fit(low)
    assert search.best_params_ == {"n_components": (2, 2)} and search.best_score_ > 0.99
    maps = ParametricDeepKernelPCA(pca=DeepKernelPCA((2, 2), "linear"), n_rounds=2, random_state=0)
    search = GridSearchCV(maps, {"max_iter": [1, 60]}, cv=3).fit(low)
    assert search.best_params_ == {"max_iter": 60}
    best = search.best_estimator_
    error = ((best.inverse_transform(best.transform(low)) - low) ** 2).sum()
    expected = 1 - error / ((low - low.mean(axis=0)) ** 2).sum()
    assert best.score(low) == pytest.approx(expected, rel=1e-12)


def test_weights_are_of_training_images(fitted, X):
    H1, H2 = fitted.hidden_features_
    np.testing.assert_allclose(fitted.weights(H1[:5]), H1[:5] @ H1.T, atol=1e-14)
    np.testing.assert_allclose(fitted.weights(np.hstack([H1, H2])[:5], level=2), H2[:5] @ H2.T, atol=1e-14)


def test_gaussian_pre_images_are_fixed_points(fitted, X):
    codes = fitted.hidden_features_[0][:7]
    found = fitted.inverse_transform(codes, level=1)
    pull = fitted.weights(codes) * FIRST(found, X)
    np.testing.assert_allclose(found, pull @ X / pull.sum(axis=1, keepdims=True), atol=1e-6)
    assert ((found - X[:7]) ** 2).mean() < 0.2


def test_ridge_learns_the_way_back(fitted, X):
    H1, n = fitted.hidden_features_[0], len(X)
    model = DeepKernelPCA((6, 4), [FIRST, UPPER], inverse="ridge", inverse_alpha=5e-3).fit(X)
    squares = ((H1[:, None] - H1[None]) ** 2).sum(axis=2)
    gamma = 1.0 / np.median(squares[np.triu_indices(n, 1)])
    K = np.exp(-gamma * squares)
    expected = K @ np.linalg.solve(K + 5e-3 * np.eye(n), X - X.mean(axis=0)) + X.mean(axis=0)
    np.testing.assert_allclose(model.inverse_transform(H1, level=1), expected, atol=1e-6)


def test_samples_have_the_moments_of_the_features(X):
    model = DeepKernelPCA((4, 4), ["linear", "linear"]).fit(X)
    drawn = model.sample(20000, level=1, random_state=0)
    np.testing.assert_allclose(drawn.mean(axis=0), X.mean(axis=0), atol=0.03)
    np.testing.assert_allclose(np.cov(drawn.T, bias=True), np.cov(X.T, bias=True), atol=0.04)
    again = model.sample(3, level=1, random_state=np.random.default_rng(0))
    np.testing.assert_array_equal(again, model.sample(3, level=1, random_state=np.random.default_rng(0)))
    assert model.sample().shape == (1, 4)


def test_a_traversal_moves_one_component(X):
    model = DeepKernelPCA((3, 2), ["linear", "linear"]).fit(X)
    base = model.hidden_features_[0][4]
    path = model.traverse(1, 2, [-1.0, 0.0, 1.0], base=base)
    direction = path[2] - path[1]
    np.testing.assert_allclose(path[0], path[1] - direction, atol=1e-12)
    codes = np.tile(base, (3, 1))
    codes[:, 2] = [-1.0, 0.0, 1.0]
    np.testing.assert_allclose(path, model.inverse_transform(codes, level=1))
    assert model.traverse(2, 0).shape == (7, 4)


def test_errors_of_generation(fitted, X):
    with pytest.raises(ValueError, match="codes"):
        fitted.inverse_transform(np.ones((2, 3)))
    with pytest.raises(ValueError, match="'component' parameter"):
        fitted.traverse(1, 6)
    with pytest.raises(ValueError, match="values must be finite"):
        fitted.traverse(1, 0, [np.nan])
    gram = DeepKernelPCA((3, 2), "precomputed").fit(FIRST(X))
    with pytest.raises(ValueError, match="use weights"):
        gram.inverse_transform(gram.hidden_features_[1])
    poly = DeepKernelPCA(2, Gaussian() + 1.0 * Gaussian(gamma=2.0), inverse="fixed_point").fit(X)
    with pytest.raises(ValueError, match="choose ridge"):
        poly.inverse_transform(poly.hidden_features_[0])


def test_pre_images_astray_are_told_of(fitted):
    with pytest.warns(ConvergenceWarning, match="1 of 2 pre-images did not converge"):
        fitted.inverse_transform([[0.0] * 6, fitted.hidden_features_[0][0]], level=1)


def test_the_documentation_runs(pyplot):
    text = (Path(__file__).resolve().parents[4] / "docs" / "deep_pca.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    names: dict[str, object] = {}
    exec(compile(code, "docs/deep_pca.md", "exec"), names)
    assert names["features"].shape == (150, 5) and names["second"].shape == (150, 2)
    assert names["learned"].reconstruction_errors_[-1] < names["learned"].reconstruction_errors_[0]
    assert names["found"].n_components == (2, 2)


def test_components_are_selected():
    """Data of two dimensions need two components on each level, and no more."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2)) @ rng.normal(size=(2, 5))
    found = select_components(DeepKernelPCA(kernels="linear"), X, [(1, 2, 3), (1, 2)], max_error=1e-9)
    assert found.n_components == (2, 2) and found.candidates[found.errors.argmin()][0] >= 2
    assert found.errors.shape == (6,) and found.captured.shape == (6, 2) and len(found.explained) == 6
    one = [error for sizes, error in zip(found.candidates, found.errors, strict=True) if min(sizes) == 1]
    assert min(one) > 0.01
    worst = select_components(DeepKernelPCA(kernels="linear"), X, [1, (1,)], X_validation=X[:9], max_error=0.0)
    assert worst.n_components == (1, 1)
    with pytest.raises(ValueError, match="sizes must have"):
        select_components(DeepKernelPCA(), X, [()])
    with pytest.raises(TypeError, match="sizes of select_components must have an entry for each level"):
        select_components(DeepKernelPCA(), X, 3)
    with pytest.raises(ValueError, match="X must vary for select_components"):
        select_components(DeepKernelPCA(kernels="linear"), np.ones((20, 3)), [(1, 2), (1,)])


def test_explained_variance_beside_one_level(fitted, X, pyplot):
    display = ExplainedVarianceDisplay.from_estimator(fitted)
    alone = DeepKernelPCA(6, FIRST).fit(X)
    np.testing.assert_allclose(display.shallow, alone.explained_variance_ratio_[0])
    display.plot()
    assert len(display.ax_.lines) == 3 and len(display.ax_.patches) == 6 + 6 + 4
    np.testing.assert_allclose(display.ax_.lines[0].get_ydata(), 100 * np.cumsum(display.shallow))
    gram = DeepKernelPCA((3, 2), "precomputed").fit(FIRST(X))
    assert ExplainedVarianceDisplay.from_estimator(gram).shallow is None
    np.testing.assert_allclose(ExplainedVarianceDisplay.from_estimator(gram, X=FIRST(X)).shallow, display.shallow[:3])


def test_one_level_alone_is_of_what_was_trained_on(X, pyplot):
    K = FIRST(X)
    some = DeepKernelPCA((3, 2), "precomputed", landmarks=20, random_state=0).fit(K)
    alone = DeepKernelPCA(3, "precomputed").fit(K[np.ix_(some.landmarks_, some.landmarks_)])
    shown = ExplainedVarianceDisplay.from_estimator(some, X=K).shallow
    np.testing.assert_allclose(shown, alone.explained_variance_ratio_[0])
    centred = DeepKernelPCA((3, 2), FIRST, center=True).fit(X)
    expected = ExplainedVarianceDisplay.from_estimator(centred).shallow
    np.testing.assert_array_equal(
        ExplainedVarianceDisplay.from_estimator(centred.set_params(center=False)).shallow, expected
    )


def test_learned_maps_have_the_same_displays(X, pyplot):
    model = ParametricDeepKernelPCA(n_rounds=1, max_iter=3, random_state=0).fit(X)
    display = TraversalDisplay.from_estimator(model, steps=4)
    assert display.samples.shape == (4, 4, X.shape[1])
    np.testing.assert_allclose(display.samples[2], model.traverse(2, 0, display.values[2]))
    display.plot()
    shown = ExplainedVarianceDisplay.from_estimator(model).plot()
    alone = DeepKernelPCA(2, "linear").fit(model.pca_.X_fit_)
    np.testing.assert_allclose(shown.shallow, alone.explained_variance_ratio_[0])
    assert len(LevelTopologyDisplay.from_estimator(model).plot().ax_.collections) == 2


def test_cosines_of_linear_levels_are_shown(pyplot):
    """A column of two levels at once has a cosine of 1, by rounding a little above."""
    overlaps = [np.array([[1.0 + 7e-16, 0.0], [0.0, 1.0]])]
    display = LevelTopologyDisplay([np.array([0.6, 0.4])] * 2, overlaps).plot()
    assert display.ax_.lines[0].get_alpha() == 1.0
    for seed in range(5):
        X = np.random.default_rng(seed).normal(size=(37, 5))
        LevelTopologyDisplay.from_estimator(DeepKernelPCA((3, 2), "linear").fit(X)).plot()


@pytest.mark.parametrize("pair", [(3, 0), (0, 0), (1, 6), (1, -1)])
def test_components_that_are_not_there(fitted, pair):
    with pytest.raises(ValueError, match=r"components\[0\] must be a level in \[1, 2\]"):
        TraversalDisplay.from_estimator(fitted, components=[pair])


def test_traversals_in_a_grid(fitted, pyplot):
    display = TraversalDisplay.from_estimator(fitted, components=[(1, 0), (2, 3)], steps=4, shape=(2, 2))
    np.testing.assert_allclose(display.samples[1], fitted.traverse(2, 3, display.values[1]))
    display.plot()
    assert display.axes_.shape == (2, 4)
    np.testing.assert_allclose(display.axes_[0, 1].images[0].get_array(), display.samples[0, 1].reshape(2, 2))
    curves = TraversalDisplay.from_estimator(fitted, components=[(1, 1)], base={1: np.zeros(6)}, steps=2).plot()
    np.testing.assert_allclose(curves.axes_[0, 0].lines[0].get_ydata(), curves.samples[0, 0])
    with pytest.raises(ValueError, match="has not the 4 entries"):
        TraversalDisplay.from_estimator(fitted, components=[(1, 0)], shape=(3, 2))


def test_topology_is_what_levels_share(fitted, pyplot):
    display = LevelTopologyDisplay.from_estimator(fitted)
    H1, H2 = fitted.hidden_features_
    np.testing.assert_allclose(display.overlaps[0], np.abs(H1.T @ H2), atol=1e-14)
    display.plot()
    assert len(display.ax_.lines) == 24 and len(display.ax_.collections) == 2
