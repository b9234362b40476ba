# SPDX-License-Identifier: BSD-3-Clause
"""Results of the engine: their arrays are on their memory, and outlive the Python object."""

from __future__ import annotations

import gc
import pickle

import gramian
import numpy as np
import pytest
from gramian import _core


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(30, 3))


def plan(outputs: int) -> _core.layered.LayerPlan:
    spec = gramian.kernels.Gaussian(gamma=0.5)._lower(None).spec
    return _core.layered.LayerPlan([(spec, outputs)], outputs, 1e-2, None, None, spec)


def autoencoder(X, **options):
    solver = _core.optim.LbfgsOptions(max_iterations=3)
    training = _core.autoencoder.EliminatedTraining(solver=solver)
    made = _core.autoencoder.Options(training=training, **options)
    return _core.autoencoder.fit(X, X, [plan(2), plan(3)], made, None, None)


def test_arrays_outlive_their_result(X):
    found = autoencoder(X)
    arrays = [*found.coefficients, *found.supports, *found.outputs]
    copies = [array.copy() for array in arrays]
    del found
    gc.collect()
    others = [np.ones_like(array) for array in arrays]  # where memory that was freed would be used again
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)
    for array, copy in zip(pickle.loads(pickle.dumps(arrays)), copies, strict=True):
        np.testing.assert_array_equal(array, copy)
    assert len(others) == len(arrays)


def test_properties_are_views_of_one_memory(X):
    found = autoencoder(X)
    assert np.shares_memory(found.coefficients[0], found.coefficients[0])
    assert not np.shares_memory(found.coefficients[0], found.coefficients[1])


def test_a_search_has_the_same_facts_everywhere(X):
    layered = autoencoder(X)
    names = {"iteration", "value", "gradient_norm", "step", "evaluations"}
    assert layered.history.keys() == names
    assert layered.iterations == 3 and layered.stop_reason == "max_iterations" and not layered.converged
    assert all(len(column) == len(layered.history["value"]) for column in layered.history.values())
    level = _core.deep_pca.Level(gramian.kernels.Gaussian(gamma=0.5)._lower(3).spec, 2, 1.0)
    pca = _core.deep_pca.fit(X, [level, level], _core.deep_pca.Options(), None, None)
    assert pca.history.keys() == names and pca.iterations == pca.history["iteration"][-1]
    assert layered.history["iteration"].dtype == pca.history["iteration"].dtype == np.int64


def test_terms_of_the_bound_are_for_two_layers(X):
    two = autoencoder(X)
    terms = _core.autoencoder.generalization_terms(two, X)
    assert terms.s == pytest.approx(np.sqrt(two.squared_norms[0])) and terms.p == 2
    options = _core.autoencoder.Options(
        training=_core.autoencoder.EliminatedTraining(solver=_core.optim.LbfgsOptions(max_iterations=1))
    )
    three = _core.autoencoder.fit(X, X, [plan(2), plan(2), plan(3)], options, None, None)
    with pytest.raises(ValueError, match="two layers"):
        _core.autoencoder.generalization_terms(three, X)
