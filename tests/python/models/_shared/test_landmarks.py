# SPDX-License-Identifier: BSD-3-Clause
"""Landmarks are those that NumPy's generator draws by k-means++, whichever form the samples have."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian import _core
from gramian.kernels import Gaussian
from gramian.models._shared.landmarks import Switch, automatic_count, choose_landmarks, is_automatic, merged_rows
from gramian.points import InnerProducts, check_points
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.metrics.pairwise import euclidean_distances

FORMS = [np.asarray, csr_matrix, lambda X: InnerProducts(X @ X.T)]


def naive(X, count, seed):
    squares, rng = euclidean_distances(X, squared=True), np.random.default_rng(seed)
    chosen: list[int] = []
    for _ in range(count):
        weights = squares[chosen].min(axis=0) if chosen else np.ones(len(X))
        weights[chosen] = 0.0
        chosen.append(int(rng.choice(len(X), p=weights / weights.sum())))
    return sorted(chosen)


@pytest.mark.parametrize("form", FORMS, ids=["dense", "sparse", "inner"])
@pytest.mark.parametrize("count", [1, 2, 15, 39])
def test_drawn_rows_are_those_of_numpy(rng, form, count):
    X = rng.normal(size=(40, 3)) + 5.0
    points = check_points(form(X), "X").crossing(np.dtype(np.float64))
    for seed in range(5):
        assert choose_landmarks(count, 40, points, seed, "it").tolist() == naive(X, count, seed)


def test_given_rows_are_sorted_and_each_is_one():
    X = np.eye(4)
    assert choose_landmarks([2, 0, 2], 4, X, 0, "it").tolist() == [0, 2]
    assert choose_landmarks(None, 4, X, 0, "it") is None
    assert merged_rows([3, 0, 1], np.array([2, 0, -1, 2]), "it").tolist() == [0, 2]
    with pytest.raises(ValueError, match="'landmarks' parameter of it has rows whose sample_weight is 0"):
        merged_rows([0, 2], np.array([2, 0, -1, 2]), "it")


def test_automatic_landmarks_begin_beyond_the_switch_and_grow_with_the_root():
    assert automatic_count(900, 900, 10) is None
    assert automatic_count(901, 900, 10) == 301
    assert automatic_count(50, 0, 10) == 50
    assert Switch(900, 10).landmarks_of(900) is None and Switch(900, 10).landmarks_of(10_000) == 1000
    assert is_automatic("auto") and not any(is_automatic(other) for other in (None, 3, "all", np.array(["auto"])))


def test_automatic_landmarks_take_the_place_of_samples_that_memory_has_no_room_for():
    _core.base.set_memory_limit(1_000_000)
    try:
        assert automatic_count(400, 900, 10, exact_bytes=1_000_000) is None
        assert automatic_count(400, 900, 10, exact_bytes=1_000_001) == 200
    finally:
        _core.base.set_memory_limit(0)


SHORT = {"max_iter": 3, "n_init": 1, "alpha": 0.1, "inner_alpha": 0.1}
ESTIMATORS = {
    "EmbeddingClassifier": gramian.EmbeddingClassifier(Gaussian(gamma=0.3), max_iter=3),
    "DeepKernelRegressor": gramian.DeepKernelRegressor([Gaussian(gamma=0.3)] * 2, **SHORT),
    "DeepKernelClassifier": gramian.DeepKernelClassifier([Gaussian(gamma=0.3)] * 2, **SHORT),
    "KernelAutoencoder": gramian.KernelAutoencoder(max_iter=3),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("landmarks", [None, 7, [9, 3, 12, 20, 3]])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_an_estimator_tells_its_landmarks(name, landmarks):
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(30, 2)), np.where(np.arange(30) % 3 == 1, 0, 1 + np.arange(30) % 2)
    model = clone(ESTIMATORS[name]).set_params(landmarks=landmarks, random_state=0)
    model.fit(X, (X[:, 0] > 0).astype(int), sample_weight=weights if landmarks != [9, 3, 12, 20, 3] else None)
    if landmarks is None:
        assert model.landmarks_ is None
        return
    rows = model.landmarks_
    assert (np.diff(rows) > 0).all() and len(rows) == (7 if landmarks == 7 else 4)
    supports = model.X_fit_ if name == "EmbeddingClassifier" else model.supports_[0]
    np.testing.assert_array_equal(supports, X[rows])
    assert rows.tolist() == [3, 9, 12, 20] if landmarks != 7 else (weights[rows] > 0).all()
