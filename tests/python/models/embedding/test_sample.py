# SPDX-License-Identifier: BSD-3-Clause
"""Copies of merged samples, which can be split."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from gramian.models._shared.weighted import merge
from gramian.models.embedding.sample import draws


@pytest.fixture(params=["dense", "sparse"])
def form(request):
    return np.asarray if request.param == "dense" else scipy.sparse.csr_matrix


def dense(X):
    return X.toarray() if scipy.sparse.issparse(X) else X


def test_draws_of_a_distribution_are_several(form):
    X = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 0.0], [3.0, 0.0]])
    labels, weights = np.array([0, 1, 0, 0, 1]), np.array([2.5, 40.0, 7.0, 1.5, 0.5])
    merged = merge(form(X), labels, weights)
    drawn = draws(merged, True)
    counts = {}
    for row, label, weight in zip(dense(drawn.X), drawn.labels, drawn.weights, strict=True):
        counts.setdefault((*row, label), []).append(weight)
    # Never more than five, never of less than 1, and none of a point that has one label alone.
    assert {key: (len(found), sum(found)) for key, found in counts.items()} == {
        (1.0, 0.0, 0): (2, 2.5),
        (1.0, 0.0, 1): (5, 40.0),
        (0.0, 2.0, 0): (1, 7.0),
        (3.0, 0.0, 0): (1, 1.5),
        (3.0, 0.0, 1): (1, 0.5),
    }
    np.testing.assert_array_equal(drawn.together(drawn.weights[:, None])[:, 0], merged.weights)
    np.testing.assert_array_equal(drawn.group[drawn.rows(np.arange(5))], np.arange(5))
    np.testing.assert_array_equal(drawn.labels, merged.labels[drawn.group])
    whole = draws(merged, False)
    assert whole.group is None and whole.X is merged.X and whole.rows(None) is None
    assert draws(merge(X, labels, None), True).group is None
