# SPDX-License-Identifier: BSD-3-Clause
"""Probabilities that are calibrated by samples that were left out."""

from __future__ import annotations

import copy
import pickle

import gramian
import numpy as np
import pytest
from gramian import EmbeddingClassifier, _core
from gramian.features import Network, RandomFourierFeatures
from gramian.kernels import Gaussian
from gramian.models import compress
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss

FORMS = {
    "a kernel": {"kernel": Gaussian(gamma=0.1), "learn": None},
    "landmarks": {"kernel": Gaussian(gamma=0.1), "learn": None, "landmarks": 40},
    "batches": {"batch_size": 50, "max_iter": 10},
    "a linear kernel": {"kernel": "linear", "learn": None},
    "random features": {"features": RandomFourierFeatures(Gaussian(gamma=0.1), n_features=60, seed=0), "learn": None},
    "a network": {"features": Network([(8, "tanh")]), "max_iter": 10},
}


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(400, 6, n_informative=4, n_redundant=0, n_classes=3, flip_y=0.1, random_state=0)
    return X, np.array(["a", "b", "c"])[y]


def halves(data):
    X, y = data
    return X[::2], y[::2], X[1::2], y[1::2]


def softmax(scores):
    P = np.exp(scores - scores.max(axis=1, keepdims=True))
    return P / P.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("form", FORMS)
def test_probabilities_are_a_softmax_and_never_zero(data, form):
    X, y, new, later = halves(data)
    model = EmbeddingClassifier(**FORMS[form], random_state=0).fit(X, y)
    b, u = model.inverse_temperature_, model.uniform_share_
    assert b > 0 and u == pytest.approx(1 / 201)
    P = model.predict_proba(new)
    np.testing.assert_allclose(P, (1 - u) * softmax(b * model.embedding(new)) + u / 3, atol=1e-14)
    np.testing.assert_array_equal(model.predict(new), model.classes_[P.argmax(axis=1)])
    np.testing.assert_array_equal(model.decision_function(new), model.embedding(new))
    np.testing.assert_allclose(np.exp(model.predict_log_proba(new)), P, rtol=1e-12)
    np.testing.assert_allclose(model.entropy(new), -(P * np.log(P)).sum(axis=1), rtol=1e-12)
    clipped = EmbeddingClassifier(**FORMS[form], probabilities="clip", random_state=0).fit(X, y)
    np.testing.assert_array_equal(clipped.embedding(new), model.embedding(new))
    assert clipped.inverse_temperature_ is None and clipped.uniform_share_ is None
    f = np.maximum(clipped.embedding(new), 0)
    f = f[f.sum(axis=1) > 0]
    P = clipped.predict_proba(new)[np.maximum(clipped.embedding(new), 0).sum(axis=1) > 0]
    np.testing.assert_allclose(P, f / f.sum(axis=1, keepdims=True), atol=1e-14)
    # What it is for: labels that were not seen are likelier.
    assert log_loss(later, model.predict_proba(new)) < log_loss(later, clipped.predict_proba(new))


def test_the_temperature_is_that_of_refits_without_a_sample(data):
    X, y = data[0][:60], data[1][:60]
    options = {"kernel": Gaussian(gamma=0.1), "learn": None, "penalty": 0.01}
    model = EmbeddingClassifier(**options).fit(X, y)
    values = np.empty((60, 3))
    for i in range(60):
        others = np.arange(60) != i
        part = EmbeddingClassifier(**{**options, "penalty": 0.01 * 60 / 59}).fit(X[others], y[others])
        values[i] = part.embedding(X[[i]])[0]
    b, u = _core.losses.calibrate(values, np.searchsorted(model.classes_, y).astype(np.int64), None)
    assert model.inverse_temperature_ == pytest.approx(b, rel=1e-6) and model.uniform_share_ == u


def test_weights_are_repetitions(data):
    X, y, new, _ = halves(data)
    weights = np.arange(len(y)) % 3 + 1
    ours = EmbeddingClassifier(random_state=0, max_iter=5).fit(X, y, sample_weight=weights)
    theirs = EmbeddingClassifier(random_state=0, max_iter=5).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert ours.inverse_temperature_ == theirs.inverse_temperature_ and ours.uniform_share_ == theirs.uniform_share_
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-12)
    given = EmbeddingClassifier(Gaussian(gamma=0.1), learn=None)
    b = [given.fit(X, y, sample_weight=weights * scale).inverse_temperature_ for scale in (1.0, 0.1)]
    assert b[1] == pytest.approx(b[0], rel=1e-6)


def test_class_weights_are_those_of_the_calibration_too(data):
    X, y = data
    kept = (y != "c") | (np.arange(len(y)) % 6 == 0)
    plain = EmbeddingClassifier(Gaussian(gamma=0.1), learn=None).fit(X[kept], y[kept])
    balanced = EmbeddingClassifier(Gaussian(gamma=0.1), learn=None, class_weight="balanced").fit(X[kept], y[kept])
    rare = y == "c"
    assert balanced.predict_proba(X[rare])[:, 2].mean() > plain.predict_proba(X[rare])[:, 2].mean() + 0.05


def test_labels_that_are_draws_are_left_out_one_by_one():
    """At each of two points both labels are frequent: neither may be taken for one that does not occur there."""
    X, share = np.repeat([[0.0], [1.0]], 200, axis=0), np.r_[np.arange(200) < 60, np.arange(200) < 150]
    model = EmbeddingClassifier(random_state=0).fit(X, share.astype(int))
    np.testing.assert_allclose(model.predict_proba([[0.0], [1.0]])[:, 1], [0.3, 0.75], atol=0.15)


def test_two_classes_have_one_decision(data):
    X, y, new, _ = halves((data[0], data[1] == "a"))
    model = EmbeddingClassifier(random_state=0, max_iter=20).fit(X, y)
    f, P, decision = model.embedding(new), model.predict_proba(new), model.decision_function(new)
    np.testing.assert_array_equal(decision, f[:, 1] - f[:, 0])
    np.testing.assert_array_equal(np.argsort(decision), np.argsort(P[:, 1]))
    np.testing.assert_array_equal(model.predict(new), decision > 0)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_copies_have_the_same_probabilities(data, copied):
    X, y, new, _ = halves(data)
    model = EmbeddingClassifier(random_state=0, max_iter=5).fit(X, y)
    np.testing.assert_array_equal(copied(model).predict_proba(new), model.predict_proba(new))


@pytest.mark.parametrize("method", ["herding", "random_features"])
def test_small_classifiers_have_the_temperature_of_the_original(data, method, tmp_path):
    X, y, new, _ = halves(data)
    model = EmbeddingClassifier(Gaussian(gamma=0.1), learn=None).fit(X, y)
    small = compress(model, 120 if method == "herding" else 4000, method, random_state=0)
    assert small.inverse_temperature_ == model.inverse_temperature_ and small.uniform_share_ == model.uniform_share_
    np.testing.assert_allclose(small.predict_proba(new), model.predict_proba(new), atol=0.2)
    small.save(tmp_path / "small")
    np.testing.assert_array_equal(gramian.load(tmp_path / "small").predict_proba(new), small.predict_proba(new))
    linear = EmbeddingClassifier("linear", learn=None).fit(X, y)
    np.testing.assert_array_equal(compress(linear, 6).predict_proba(new), linear.predict_proba(new))


@pytest.mark.parametrize("unit", [2.0**40, 1e-3])
def test_units_do_not_matter(data, unit):
    X, y, new, _ = halves(data)
    ours = EmbeddingClassifier(random_state=0, max_iter=30).fit(X, y)
    theirs = EmbeddingClassifier(random_state=0, max_iter=30).fit(X * unit, y)
    np.testing.assert_allclose(theirs.embedding(new * unit), ours.embedding(new), atol=1e-6)
    np.testing.assert_allclose(theirs.predict_proba(new * unit), ours.predict_proba(new), atol=1e-5)


def test_the_penalty_of_batches_is_that_of_all_samples(data):
    X, y, _, _ = halves(data)
    options = {"batch_size": 50, "max_iter": 1, "learning_rate": 1e-12, "random_state": 0}
    model = EmbeddingClassifier(**options, warm_start=True).fit(X, y)
    assert model.penalty_ == pytest.approx(1e-2 * 50 / 200)
    assert model.fit(X, y).penalty_ == pytest.approx(1e-2 * 50 / 200)  # a search goes on where it was
    assert EmbeddingClassifier(max_iter=1, learning_rate=1e-12).fit(X, y).penalty_ == pytest.approx(1e-2)


def test_an_attribute_that_is_set_counts(data):
    X, y, new, _ = halves(data)
    model = EmbeddingClassifier(Gaussian(gamma=0.1), learn=None).fit(X, y)
    sharp = model.predict_proba(new)
    model.inverse_temperature_ = 1e-3
    assert model.predict_proba(new).max() < 0.4 < sharp.max()
    np.testing.assert_array_equal(
        model.predict_proba(new), model._predictor.apply(_core.serving.Verb.predict_proba, new)
    )


def test_what_it_may_be(data):
    with pytest.raises(ValueError, match=r"'probabilities' parameter of EmbeddingClassifier must be"):
        EmbeddingClassifier(probabilities="platt").fit(*data)
    with pytest.raises(NotFittedError):
        EmbeddingClassifier().predict_proba(data[0])
