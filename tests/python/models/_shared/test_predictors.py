# SPDX-License-Identifier: BSD-3-Clause
"""The engine's value of a fitted estimator is made once, and follows the attributes."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from gramian import EmbeddingClassifier
from gramian.kernels import Gaussian
from sklearn.base import clone
from sklearn.exceptions import NotFittedError


@pytest.fixture
def fitted():
    X = np.random.default_rng(0).normal(size=(40, 3))
    return EmbeddingClassifier(Gaussian(gamma=0.5), learn=None).fit(X, X[:, 0] > 0), X


def test_it_is_made_once(fitted):
    model, X = fitted
    first = model._predictor
    model.predict(X)
    assert model._predictor is first


@pytest.mark.parametrize("change", ["attribute", "parameter", "fit"])
def test_a_change_makes_it_anew(fitted, change):
    model, X = fitted
    before = model.embedding(X)
    if change == "attribute":
        model.dual_coef_ = 2 * model.dual_coef_
    elif change == "parameter":
        model.set_params(penalty=1.0)
    else:
        model.fit(X, X[:, 1] > 0)
    after = model.embedding(X)
    expected = {"attribute": 2 * before, "parameter": before}.get(change)
    if expected is None:
        assert np.abs(after - before).max() > 0.1
    else:
        np.testing.assert_array_equal(after, expected)


def test_without_learned_attributes_it_is_gone(fitted):
    model, X = fitted
    model.predict(X)
    for name in [name for name in vars(model) if name.endswith("_")]:
        delattr(model, name)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_it_is_neither_copied_nor_pickled(fitted):
    model, X = fitted
    before = model.embedding(X)
    held = dict(vars(model))
    for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert twin._predictor is not model._predictor
        np.testing.assert_array_equal(twin.embedding(X), before)
    assert vars(model).keys() == held.keys()
    assert not hasattr(clone(model), "classes_")


def test_threads_share_it(fitted):
    model, X = fitted
    expected = model.predict_proba(X)
    model.dual_coef_ = model.dual_coef_.copy()  # all threads begin without it
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: model.predict_proba(X), range(64)):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("dual_coef_", np.ones((7, 2)), "weights has 7 rows"),
        ("X_fit_", np.ones((40, 2)), "features"),
        ("X_fit_", np.full((40, 3), np.nan), "NaN"),
        ("classes_", np.arange(3), "column for each of 3 classes"),
    ],
)
def test_attributes_that_do_not_fit_together_are_refused(fitted, name, value, message):
    model, X = fitted
    setattr(model, name, value)
    with pytest.raises(ValueError, match=message):
        model.predict(X)
