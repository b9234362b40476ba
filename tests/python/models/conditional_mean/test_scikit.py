# SPDX-License-Identifier: BSD-3-Clause
"""ConditionalMeanEmbedding as an estimator of scikit-learn: its checks, none of them expected to fail."""

from __future__ import annotations

import copy
import pickle

import gramian
import numpy as np
import pytest
from gramian import ConditionalMeanEmbedding
from gramian.kernels import Delta, Gaussian
from scikit_checks import checks, failing_checks, tags_of
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimators_data_not_an_array

MODELS = {
    "given": ConditionalMeanEmbedding(),
    "cv": ConditionalMeanEmbedding(learn="cv", cv=2, penalties=[1e-3, 1e-2], random_state=0),
}


@pytest.mark.parametrize(("estimator", "check"), list(checks(MODELS)))
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_none_of_its_checks_is_left_out(run_python):
    assert failing_checks(run_python, "gramian.ConditionalMeanEmbedding()") == set()


def test_what_is_like_an_array_is_one():
    X = np.random.default_rng(0).normal(size=(20, 3))
    check_estimators_data_not_an_array("embedding", ConditionalMeanEmbedding(), X, X[:, 0], "NotAnArray")


@pytest.fixture(scope="module")
def data():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X[::4]), np.array(["a", "b", "c"])[y[::4]]


@pytest.fixture
def fitted(data):
    return ConditionalMeanEmbedding(Gaussian(gamma=0.3), Delta(), learn="cv", random_state=0).fit(*data)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_gives_the_same_bits(fitted, data, protocol):
    for twin in (pickle.loads(pickle.dumps(fitted, protocol)), copy.deepcopy(fitted)):
        assert twin.evaluate(data[0], data[1]).tobytes() == fitted.evaluate(data[0], data[1]).tobytes()
        np.testing.assert_array_equal(twin.sample(data[0], 3), fitted.sample(data[0], 3))


def test_a_clone_is_not_fitted_and_fits_the_same(fitted, data):
    twin = clone(fitted)
    assert not hasattr(twin, "factor_")
    assert twin.fit(*data).factor_.tobytes() == fitted.factor_.tobytes()


def test_a_failed_fit_leaves_the_estimator_as_it_was(fitted, data):
    before = fitted.weights(data[0])
    with pytest.raises(ValueError, match="penalty"):
        fitted.set_params(penalty=-1.0).fit(data[0][:, :2], data[1])
    assert fitted.weights(data[0]).tobytes() == before.tobytes()
    with pytest.raises(ValueError, match="penalty"):
        fresh = ConditionalMeanEmbedding(penalty=-1.0)
        fresh.fit(*data)
    assert not any(name.endswith("_") for name in vars(fresh))


def test_data_that_change_later_do_not_matter(data):
    X, y = data[0].copy(), data[0][:, 0].copy()
    model = ConditionalMeanEmbedding(penalty=0.01).fit(X, y)
    before = model.predict(data[0]), model.sample(data[0], 2)
    X[:], y[:] = 0.0, 0.0
    np.testing.assert_array_equal(model.predict(data[0]), before[0])
    np.testing.assert_array_equal(model.sample(data[0], 2), before[1])


def test_it_stands_in_a_pipeline(data):
    X, _ = load_iris(return_X_y=True)
    folds = KFold(3, shuffle=True, random_state=0)
    scores = cross_val_score(make_pipeline(StandardScaler(), ConditionalMeanEmbedding()), X[:, :3], X[:, 3], cv=folds)
    assert scores.mean() > 0.8


def test_tags():
    assert tags_of(ConditionalMeanEmbedding("precomputed")).pairwise
    assert not tags_of(ConditionalMeanEmbedding()).pairwise
    assert tags_of(ConditionalMeanEmbedding()).sparse
    assert tags_of(ConditionalMeanEmbedding()).multi_output
    assert gramian.ConditionalMeanEmbedding is ConditionalMeanEmbedding
