# SPDX-License-Identifier: BSD-3-Clause
"""Concatenated classification: probabilities, losses, weights."""

from __future__ import annotations

import numpy as np
import pytest
from gramian import DeepKernelClassifier
from gramian.kernels import Gaussian, Linear
from gramian.losses import ClippedCrossEntropy, Huber, Logistic
from scipy.special import expit, log_softmax, softmax
from sklearn.datasets import load_iris, make_moons
from sklearn.exceptions import ConvergenceWarning

KERNELS = [Linear(), Gaussian(gamma=1.0)]


def model(alpha=0.1, inner_alpha=0.1, **options):
    return DeepKernelClassifier(KERNELS, alpha=alpha, inner_alpha=inner_alpha, n_init=2, random_state=0, **options)


@pytest.fixture(scope="module")
def moons():
    X, y = make_moons(80, noise=0.15, random_state=0)
    return X, np.array(["left", "right"])[y]


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X[::3], y[::3]


@pytest.mark.parametrize("loss", ["logistic", "clipped", ClippedCrossEntropy(1e-3)], ids=str)
def test_it_learns_and_has_probabilities(loss, moons, iris):
    for X, y in (moons, iris):
        fitted = model(loss=loss, tol=1e-3).fit(X, y)
        assert fitted.score(X, y) > 0.95
        P = fitted.predict_proba(X)
        np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-12)
        assert (P >= 0).all() and P.shape == (len(X), len(fitted.classes_))
        np.testing.assert_array_equal(fitted.classes_[P.argmax(axis=1)], fitted.predict(X))
        np.testing.assert_allclose(np.exp(fitted.predict_log_proba(X)), P, rtol=1e-12)


def test_logits(moons, iris):
    X, y = moons
    fitted = model(tol=1e-3).fit(X, y)
    decision = fitted.decision_function(X)
    np.testing.assert_allclose(fitted.predict_proba(X)[:, 1], expit(decision), rtol=1e-12)
    target = (y == "right").astype(float)
    np.testing.assert_allclose(fitted.loss_, (np.logaddexp(0, decision) - target * decision).sum(), rtol=1e-8)
    X, y = iris
    fitted = model(tol=1e-3).fit(X, y)
    np.testing.assert_allclose(fitted.predict_proba(X), softmax(fitted.decision_function(X), axis=1), rtol=1e-12)


def test_logarithms_of_probabilities(moons, iris):
    for X, y in (moons, iris):
        fitted = model(tol=1e-3).fit(X, y)
        fitted.coefficients_[-1] = 1e4 * fitted.coefficients_[-1]  # so sure that probabilities underflow
        logits = fitted.decision_function(X)
        logits = np.stack([np.zeros(len(X)), logits], axis=1) if logits.ndim == 1 else logits
        assert (fitted.predict_proba(X) == 0).any()
        np.testing.assert_allclose(fitted.predict_log_proba(X), log_softmax(logits, axis=1), rtol=1e-12)
    clipped = model(loss="clipped", tol=1e-3).fit(*iris)
    P, logarithms = clipped.predict_proba(iris[0]), clipped.predict_log_proba(iris[0])
    assert (P == 0).any() and (np.isneginf(logarithms) == (P == 0)).all()


def test_the_clipped_loss_is_that_of_outputs_as_probabilities(iris):
    X, y = iris
    fitted = model(loss="clipped", tol=1e-3).fit(X, y)
    own = fitted.decision_function(X)[np.arange(len(X)), y]
    np.testing.assert_allclose(fitted.loss_, -np.log(np.clip(own, 1e-15, 1)).sum(), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(fitted.decision_function(X).sum(axis=1), 1, rtol=1e-9)
    twofold = model(loss="clipped", tol=1e-3).fit(X[y > 0], y[y > 0])
    assert twofold.decision_function(X).shape == (len(X),)


def test_weights_are_repetitions_to_the_last_bit(moons):
    X, y = moons
    weights = np.random.default_rng(0).integers(0, 3, size=len(X))
    again = np.repeat(np.arange(len(X)), weights)
    for options in ({}, {"alpha": None, "alphas": [0.1, 1.0], "cv": 3}):
        chosen = model(tol=1e-2, **options)
        first = chosen.fit(X, y, sample_weight=weights).decision_function(X)
        assert first.tobytes() == chosen.fit(X[again], y[again]).decision_function(X).tobytes()


def test_penalties_are_chosen_by_the_loss_of_samples_left_out(moons):
    X, y = moons
    fitted = model(alpha=None, inner_alpha=None, alphas=[1e-3, 1e-1, 1e5], inner_alphas=[0.1, 1e5], tol=1e-2).fit(X, y)
    losses = -fitted.cv_results_["mean_test_score"].reshape(3, 2)
    assert (fitted.alpha_, fitted.inner_alpha_[0]) != (1e5, 1e5)
    # With such penalties nothing is learned, and the loss is that of equal probabilities.
    np.testing.assert_allclose(losses[2], np.log(2), rtol=1e-2)
    assert losses.min() < 0.4


def test_folds_have_all_classes(iris):
    X, y = iris
    few = np.concatenate([np.flatnonzero(y == 0)[:5], np.flatnonzero(y == 1)[:5], np.flatnonzero(y == 2)])
    fitted = model(alpha=None, alphas=[0.1, 1.0], cv=5, tol=1e-2).fit(X[few], y[few])
    assert fitted.cv_results_["mean_test_score"].min() > -1.0


@pytest.mark.parametrize("loss", ["squared", Huber(1.0), Logistic])
def test_losses_that_are_not_of_probabilities_are_refused(loss, moons):
    with pytest.raises(ValueError, match="'loss' parameter of DeepKernelClassifier must be 'logistic', 'clipped'"):
        model(loss=loss).fit(*moons)


def test_a_clipped_loss_with_its_own_evaluate_is_that_of_the_engine(iris):
    class Own(ClippedCrossEntropy):
        def evaluate(self, target, output):
            return super().evaluate(target, output)

    X, y = iris
    weights = np.arange(len(y)) % 3
    with pytest.warns(ConvergenceWarning):
        ours, own = (model(loss=loss, max_iter=5).fit(X, y, weights) for loss in ("clipped", Own()))
    np.testing.assert_allclose(own.predict_proba(X), ours.predict_proba(X), rtol=1e-6, atol=1e-9)


def test_the_clipped_loss_has_its_own_operator(moons):
    for A in ([None, np.ones(2)], [None, np.eye(2)]):
        with pytest.raises(ValueError, match="has an A of its own"):
            model(loss="clipped", A=A).fit(*moons)


def test_one_class_is_refused(moons):
    X, y = moons
    with pytest.raises(ValueError, match="needs samples of two classes at least"):
        model().fit(X, np.zeros(len(X)))
    with pytest.raises(ValueError, match="needs samples of two classes at least"):
        model().fit(X, y, sample_weight=(y == "left").astype(float))


def test_weights_of_classes_are_weights_of_samples(moons):
    X, y = moons
    X, y = X[10:], y[10:]
    given = {"left": 3.0, "right": 0.5}
    own = model(class_weight=given, tol=1e-3).fit(X, y)
    twin = model(tol=1e-3).fit(X, y, sample_weight=[given[label] for label in y])
    np.testing.assert_array_equal(own.predict_proba(X), twin.predict_proba(X))
    both = model(class_weight=given, tol=1e-3).fit(X, y, sample_weight=2.0 * np.ones(len(y)))
    assert not np.array_equal(both.predict_proba(X), own.predict_proba(X))
    counts = {label: len(y) / 2 / (y == label).sum() for label in np.unique(y)}
    balanced = model(class_weight="balanced", tol=1e-3).fit(X, y)
    np.testing.assert_allclose(
        balanced.predict_proba(X), model(class_weight=counts, tol=1e-3).fit(X, y).predict_proba(X), rtol=0, atol=1e-9
    )
    with pytest.raises(ValueError, match="'class_weight' parameter of DeepKernelClassifier"):
        model(class_weight={"left": -1.0}).fit(X, y)
    with pytest.raises(ValueError, match="needs samples of two classes"):
        model(class_weight={"left": 0.0, "right": 1.0}).fit(X, y)
