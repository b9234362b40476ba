# SPDX-License-Identifier: BSD-3-Clause
"""The estimators on dask have the words of those in memory, and their docstrings say all of them."""

from __future__ import annotations

import inspect
import re

import dask.array as da
import gramian
import gramian.dask
import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from test_grammar import attributes, described, parameters, section

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]])
LABELS = (X[:, 0] > 0).astype(int)
CASES = {
    "ConditionalMeanEmbedding": (gramian.dask.ConditionalMeanEmbedding(landmarks=5, random_state=0), Y),
    "DeepKernelPCA": (gramian.dask.DeepKernelPCA(2, landmarks=5, random_state=0), None),
    "DependencyRegressor": (gramian.dask.DependencyRegressor(rank=5, random_state=0), Y),
    "EmbeddingClassifier": (gramian.dask.EmbeddingClassifier(landmarks=5, max_iter=3, random_state=0), LABELS),
    "KernelRidge": (gramian.dask.KernelRidge(landmarks=5, random_state=0), Y),
}


def blocks(array):
    return da.from_array(array, chunks=(10, *array.shape[1:]))


def test_all_estimators_are_here():
    own = {name for name in gramian.dask.__all__ if hasattr(getattr(gramian.dask, name), "get_params")}
    assert own == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_words_are_those_in_memory(name):
    model, inside = CASES[name][0], getattr(gramian, name)
    own = {"sample_rows"}
    assert set(parameters(model)) - own <= set(inspect.signature(inside).parameters)
    assert (is_regressor(model), is_classifier(model)) == (is_regressor(inside()), is_classifier(inside()))


def test_structured_outputs_are_a_regression_where_they_are_numbers():
    model = clone(CASES["DependencyRegressor"][0])
    assert is_regressor(model) and not is_regressor(model.set_params(preimage=max))


@pytest.mark.parametrize("name", CASES)
def test_docstrings_say_all_words_and_defaults(name):
    model = CASES[name][0]
    stated = section(model, "Parameters")
    assert set(stated) == set(parameters(model)) and all(described(model, "Parameters").values())
    for key, kind in stated.items():
        default = re.search(r"default=(.+)$", kind)
        if default:
            assert eval(default.group(1), {}) == parameters(model)[key].default, key


@pytest.mark.parametrize("name", CASES)
def test_attributes_are_documented_and_only_these(name):
    model, targets = CASES[name]
    fitted = clone(model).fit(blocks(X)) if targets is None else clone(model).fit(blocks(X), blocks(targets))
    said = set(section(fitted, "Attributes")) - {"feature_names_in_"}
    assert said == attributes(fitted) - {"feature_names_in_"}
    assert not {key for key in vars(clone(fitted)) if key.endswith("_")}


@pytest.mark.parametrize("name", CASES)
def test_parameters_go_in_and_out(name):
    model = clone(CASES[name][0])
    for key, value in model.get_params(deep=False).items():
        mark = object()
        assert model.set_params(**{key: mark}).get_params(deep=False)[key] is mark
        model.set_params(**{key: value})
    assert repr(clone(model)) == repr(model) and len(repr(model).splitlines()) < 5
    with pytest.raises(ValueError, match="Invalid parameter"):
        model.set_params(n_restarts=3)
