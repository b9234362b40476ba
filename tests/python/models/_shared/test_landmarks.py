# SPDX-License-Identifier: BSD-3-Clause
"""Landmarks are those that NumPy's generator draws by k-means++, whichever form the samples have."""

from __future__ import annotations

import numpy as np
import pytest
from gramian.models._shared.landmarks import choose_landmarks, merged_rows
from gramian.points import InnerProducts, check_points
from scipy.sparse import csr_matrix
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
