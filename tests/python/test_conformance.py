# SPDX-License-Identifier: BSD-3-Clause
"""What every kernel of the registry keeps, found through the registry: a new kernel is tested by its line there."""

from __future__ import annotations

import copy
import inspect
import pickle
import re

import gramian
import numpy as np
import pytest
from gramian import _core, kernels

REGISTRY = {entry["name"]: entry for entry in _core.kernel_registry()}
CLASSES = {
    cls._engine_name: cls
    for cls in vars(kernels).values()
    if inspect.isclass(cls) and issubclass(cls, kernels.Kernel) and cls is not kernels.Kernel
}

every_kernel = pytest.mark.parametrize("name", REGISTRY)


def points(rng: np.random.Generator) -> np.ndarray:
    """Spread points, a pair that coincides, and one far away."""
    X = rng.normal(size=(60, 4))
    X[1] = X[0]
    X[2] *= 100
    return X


def engine_parameters(name: str) -> list[float]:
    return [parameter["lower"] + 0.75 for parameter in REGISTRY[name]["parameters"]]


def test_registry_and_classes_are_the_same_list():
    assert set(CLASSES) == set(REGISTRY)
    assert {cls.__name__ for cls in CLASSES.values()} | {"Kernel"} == set(kernels.__all__)


@every_kernel
def test_registry_describes_the_kernel(name):
    entry = REGISTRY[name]
    assert re.fullmatch("[a-z][a-z0-9_]*", name) and entry["formula"]
    assert all(parameter["name"] and parameter["meaning"] for parameter in entry["parameters"])
    assert len(CLASSES[name]()._engine_parameters()) == len(entry["parameters"])


@every_kernel
def test_class_names_the_parameters_as_the_registry_does(name):
    assert {parameter["name"] for parameter in REGISTRY[name]["parameters"]} <= set(CLASSES[name]().get_params())


@every_kernel
def test_class_calls_the_engine(name, rng):
    X, kernel = points(rng), CLASSES[name]()
    np.testing.assert_array_equal(kernel(X), _core.gram(name, kernel._engine_parameters(), X))


@every_kernel
def test_class_is_a_value(name):
    kernel = CLASSES[name]()
    for twin in (copy.deepcopy(kernel), pickle.loads(pickle.dumps(kernel)), eval(repr(kernel), vars(kernels).copy())):
        assert twin == kernel and hash(twin) == hash(kernel)


@every_kernel
def test_gram_is_symmetric_and_positive_semidefinite(name, rng):
    X = points(rng)
    K = _core.gram(name, engine_parameters(name), X)
    np.testing.assert_array_equal(K, K.T)
    smallest = np.linalg.eigvalsh(K)[0]
    assert smallest >= -len(X) * np.finfo(float).eps * np.trace(K)


@every_kernel
def test_diagonal_is_exact_and_coincident_points_are_close(name, rng):
    X = points(rng)
    K = _core.gram(name, engine_parameters(name), X)
    np.testing.assert_allclose(K[0, 1], K[0, 0], rtol=1e-12)
    one_by_one = [_core.gram(name, engine_parameters(name), X[i : i + 1])[0, 0] for i in range(len(X))]
    np.testing.assert_array_equal(np.diag(K), one_by_one)


@every_kernel
def test_product_is_gram_times_vectors(name, rng):
    X, Y, V = points(rng), rng.normal(size=(45, 4)), rng.normal(size=(45, 3))
    parameters = engine_parameters(name)
    expected = _core.gram(name, parameters, X, Y) @ V
    scale = np.abs(_core.gram(name, parameters, X, Y)) @ np.abs(V)
    assert (np.abs(_core.product(name, parameters, X, V, Y) - expected) <= 1e-13 * scale + 1e-300).all()


@every_kernel
def test_parameters_out_of_range_are_refused_by_name(name):
    for i, parameter in enumerate(REGISTRY[name]["parameters"]):
        for bad in (parameter["lower"], np.nan, np.inf):
            values = engine_parameters(name)
            values[i] = bad
            with pytest.raises(ValueError, match=f"{name}: {parameter['name']}"):
                _core.gram(name, values, np.ones((2, 2)))
    with pytest.raises(ValueError, match=name):
        _core.gram(name, [*engine_parameters(name), 1.0], np.ones((2, 2)))


def test_functional_layer_takes_every_class(rng):
    X = points(rng)
    for cls in CLASSES.values():
        assert gramian.gram(cls(), X).shape == (60, 60)
