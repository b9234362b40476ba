# SPDX-License-Identifier: BSD-3-Clause
"""Samples that are merged: each once, with what it counts, in an order of their own."""

from __future__ import annotations

import gramian.models._shared.weighted as module
import numpy as np
import pytest
import scipy.sparse
from gramian.models._shared.weighted import merge


@pytest.fixture(params=["dense", "sparse"])
def form(request):
    return np.asarray if request.param == "dense" else scipy.sparse.csr_matrix


def dense(X):
    return X.toarray() if scipy.sparse.issparse(X) else X


def naive(X, labels, weights):
    sums: dict[tuple, float] = {}
    for row, label, weight in zip(X + 0.0, labels, weights, strict=True):
        if weight > 0:
            key = (*row, label)
            sums[key] = sums.get(key, 0.0) + weight
    return sums


def as_dict(merged):
    weights = np.ones(len(merged.labels)) if merged.weights is None else merged.weights
    return {(*row, label): w for row, label, w in zip(dense(merged.X), merged.labels, weights, strict=True)}


@pytest.mark.parametrize("values", [2, 1000])
def test_equal_samples_are_one(rng, form, values):
    X = rng.integers(0, values, (200, 2)).astype(float)
    labels, weights = rng.integers(0, 3, 200), rng.integers(0, 4, 200).astype(float)
    merged = merge(form(X), labels, weights)
    assert as_dict(merged) == naive(X, labels, weights)
    assert len(merged.labels) == len(naive(X, labels, weights))
    for row, place in enumerate(merged.place):
        if weights[row] == 0:
            assert place == -1
        else:
            np.testing.assert_array_equal(dense(merged.X[[place]])[0], X[row])
            assert merged.labels[place] == labels[row]


def test_the_order_does_not_depend_on_the_order(rng, form):
    X, labels = rng.normal(size=(50, 3)), rng.integers(0, 2, 50)
    first = merge(form(X), labels, None)
    order = rng.permutation(50)
    again = merge(form(X[order]), labels[order], None)
    np.testing.assert_array_equal(dense(first.X), dense(again.X))
    np.testing.assert_array_equal(first.labels, again.labels)
    assert first.weights is None and again.weights is None


def test_zero_has_no_sign(form):
    merged = merge(form(np.array([[0.0, 1.0], [-0.0, 1.0]])), np.zeros(2, dtype=np.int64), None)
    np.testing.assert_array_equal(merged.weights, [2.0])


def test_hashes_that_collide_do_no_harm(rng, form, monkeypatch):
    X, labels = rng.integers(-1, 3, (60, 2)).astype(float), rng.integers(0, 2, 60)
    wanted = as_dict(merge(form(X), labels, None))
    for name in ("_dense_places", "_sparse_places"):
        monkeypatch.setattr(module, name, lambda X, labels: np.zeros(len(labels), dtype=np.uint64))
    merged = merge(form(X), labels, None)
    assert as_dict(merged) == wanted
    order = rng.permutation(60)
    again = merge(form(X[order]), labels[order], None)
    np.testing.assert_array_equal(dense(merged.X), dense(again.X))
    # As NumPy sorts them: by label, then by the last column.
    rows = np.column_stack([dense(merged.X), merged.labels])
    np.testing.assert_array_equal(rows, rows[np.lexsort(rows.T)])


def test_whole_numbers_have_different_hashes(rng):
    X = rng.integers(0, 256, (20000, 3)).astype(float)
    for hashes in (module._dense_keys, module._dense_places):
        keys = hashes(X, np.zeros(len(X), dtype=np.int64))
        assert len(np.unique(keys)) == len(np.unique(X, axis=0))


@pytest.mark.parametrize("unit", [2.0**40, 2.0**-900, 1e-3, 25.4])
def test_units_do_not_matter(rng, form, unit):
    X, labels = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    X[rng.random((60, 3)) < 0.4] = 0.0
    X[:10], labels[:10] = X[10:20], labels[10:20]
    one, other = merge(form(X), labels, None), merge(form(X * [1.0, unit, unit]), labels, None)
    np.testing.assert_array_equal(one.place, other.place)
    np.testing.assert_array_equal(one.weights, other.weights)


def test_samples_of_weight_zero_change_no_order(rng, form):
    X, labels, weights = rng.normal(size=(60, 3)), rng.integers(0, 2, 60), rng.integers(0, 3, 60).astype(float)
    kept = weights > 0
    with_them, without = merge(form(X), labels, weights), merge(form(X[kept]), labels[kept], weights[kept])
    np.testing.assert_array_equal(with_them.place[kept], without.place)


def test_the_order_is_that_of_the_hash(rng, form):
    X, labels = form(rng.integers(-2, 3, (50, 4)).astype(float)), rng.integers(0, 2, 50)
    keys = (module._sparse_places if scipy.sparse.issparse(X) else module._dense_places)(X, labels)
    merged = merge(X, labels, None)
    first = [int(np.flatnonzero(merged.place == place)[0]) for place in range(len(merged.labels))]
    assert keys[first].tolist() == sorted(set(keys.tolist()))
