# SPDX-License-Identifier: BSD-3-Clause
"""Advice of checks of single arguments: the message says what to write, and that is accepted."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import linalg, losses, operators, optim, plots
from gramian.kernels import Gaussian, Linear, Polynomial
from small_models import (
    GRAM,
    LABELS,
    NUMBERS,
    RIDGES,
    K,
    X,
    autoencoder,
    classifier,
    dependency,
    embedding,
    regressor,
    ridge,
)

SPARSE = scipy.sparse.csr_matrix(np.round(X))
WEIGHTS = np.ones(len(X))
NONE_FIRST = np.r_[0.0, WEIGHTS[1:]]
GIVEN = gramian.DeepKernelPCA((3, 2), "precomputed").fit(GRAM)
HUBER = {"last_layer": "joint", "loss": losses.Huber(delta=1.0), "tol": 1.0}
COMPONENTS = {"n_output_components": 1, "center_components": True}
GRIDS = {"alphas": [0.1, 1.0], "cv": 2}
FAST = {"n_init": 1, "tol": 1.0}


def alike(a, b):
    return float(np.dot(a, b))


def steep(rule):
    options = {"momentum": 0.5, "rule": rule, "step": 0.1}
    return optim.minimize(lambda x: (float(x @ x), 2 * x), [1.0], "gd", **options)


def relevance(kernel):
    return plots.RelevanceDisplay.from_estimator(kernel)


CHECKS = [
    (
        r"make a new one, or use set_params\(gamma=...\)",
        lambda: setattr(Gaussian(gamma=1.0), "gamma", 2.0),
        lambda: Gaussian(gamma=2.0),
        lambda: Gaussian(gamma=1.0).set_params(gamma=2.0),
    ),
    (
        r"convert to a numpy array with np.asarray",
        lambda: gramian.gram(K, X.view(np.matrix)),
        lambda: gramian.gram(K, np.asarray(X.view(np.matrix))),
    ),
    (
        r"pass gramian.kernels.Gaussian\(gamma=...\)\.$",
        lambda: operators.Separable("rbf").block(X[0], X[1], outputs=2),
        lambda: operators.Separable(Gaussian(gamma=0.5)).block(X[0], X[1], outputs=2),
    ),
    (
        r"Pass gramian.losses.Huber\(delta=1.0\)",
        lambda: autoencoder(last_layer="joint", loss="huber"),
        lambda: autoencoder(**HUBER),
        lambda: regressor(loss=losses.Huber(delta=1.0), **FAST),
    ),
    (
        r"pass X.toarray\(\), or a list of its rows",
        lambda: embedding(SPARSE, kernel=alike),
        lambda: embedding(SPARSE.toarray(), kernel=alike),
        lambda: embedding(list(SPARSE.toarray()), kernel=alike),
    ),
    (
        r"Set learn='cv', or penalties=None",
        lambda: classifier(learn="erm", penalties=[0.1, 1.0]),
        lambda: classifier(learn="cv", cv=2, penalties=[0.1, 1.0]),
        lambda: classifier(learn="erm", max_iter=2, penalties=None),
    ),
    (
        r"give both alpha and inner_alpha to train with 0",
        lambda: regressor(kernels=[K, K], alpha=0.0, inner_alpha=None, inner_alphas=[0.1, 1.0], cv=2, **FAST),
        lambda: regressor(kernels=[K, K], alpha=1e-3, inner_alpha=0.0, **FAST),
    ),
    (
        r"must be above 0: leave these samples out",
        lambda: gramian.DependencyRegressor("precomputed").fit(GRAM, X, sample_weight=NONE_FIRST),
        lambda: gramian.DependencyRegressor("precomputed").fit(GRAM[1:, 1:], X[1:], sample_weight=WEIGHTS[1:]),
    ),
    (
        r"center_components=True: repeat samples",
        lambda: gramian.DependencyRegressor(K, **COMPONENTS).fit(X, X, sample_weight=2 * WEIGHTS),
        lambda: gramian.DependencyRegressor(K, **COMPONENTS).fit(X.repeat(2, axis=0), X.repeat(2, axis=0)),
    ),
    (
        r"needs validation='loo'",
        lambda: gramian.DependencyRegressor(K, penalties=[0.1, 1.0], validation=0.3).fit(
            X, X, sample_weight=WEIGHTS + 1
        ),
        lambda: gramian.DependencyRegressor(K, penalties=[0.1, 1.0], validation="loo").fit(
            X, X, sample_weight=WEIGHTS + 1
        ),
    ),
    (
        r"candidates must be dense, as the outputs of fit. Use .toarray\(\)",
        lambda: dependency(operator=operators.Separable(K)).predict(X[:3], SPARSE[:5]),
        lambda: dependency(operator=operators.Separable(K)).predict(X[:3], SPARSE[:5].toarray()),
    ),
    (
        r"for each feature is needed, such as Gaussian\(length_scale=\[1.0, 2.0\]\)",
        lambda: relevance(Gaussian(gamma=1.0)),
        lambda: relevance(Gaussian(length_scale=[1.0, 2.0])),
    ),
    (
        r"For the inner products of two sets give x_squares and y_squares",
        lambda: gramian.InnerProducts(X[:3] @ X[:4].T),
        lambda: gramian.InnerProducts(X[:3] @ X[:4].T, (X[:3] ** 2).sum(axis=1), (X[:4] ** 2).sum(axis=1)),
    ),
    (
        r"use level=1, or leave level out",
        lambda: GIVEN.score(GRAM, level=2),
        lambda: GIVEN.score(GRAM, level=1),
        lambda: GIVEN.score(GRAM),
    ),
    (
        r"choose another rule",
        lambda: steep("backtracking"),
        lambda: steep("constant"),
    ),
    (
        r"Write kernel=gramian.kernels.Gaussian\(gamma=...\) instead",
        lambda: gramian.EmbeddingClassifier().set_params(kernel__gamma=1.0),
        lambda: gramian.EmbeddingClassifier(kernel=Gaussian(gamma=1.0)).set_params(kernel__gamma=2.0),
    ),
    (
        r"Set operator to an object that has them, then operator__alpha",
        lambda: gramian.DependencyRegressor().set_params(operator__alpha=1.0),
        lambda: gramian.DependencyRegressor(operator=operators.Separable(K)).set_params(operator__kernel=Linear()),
    ),
    (
        r"scale the points down, or lower the kernel's degree, gamma or factor",
        lambda: gramian.gram(Polynomial(degree=9), 1e40 * X),
        lambda: gramian.gram(Polynomial(degree=9), X),
        lambda: gramian.gram(Polynomial(degree=2), 1e40 * X),
    ),
    (
        r"Raise the regularisation",
        lambda: linalg.cholesky(np.diag([1.0, -1.0])),
        lambda: linalg.cholesky(np.diag([1.0, -1.0]) + 2 * np.eye(2)),
    ),
    (
        r"one of gramian.operators, a kernel, or the name of one",
        lambda: gramian.OperatorKernelRidge(3.0).fit(X, NUMBERS),
        lambda: gramian.OperatorKernelRidge(K).fit(X, NUMBERS),
        lambda: gramian.OperatorKernelRidge("rbf").fit(X, NUMBERS),
        ridge,
    ),
    (
        r"must contain at least one non-zero number",
        lambda: gramian.KernelAutoencoder(tol=1.0).fit(X, sample_weight=0 * WEIGHTS),
        lambda: gramian.KernelAutoencoder(tol=1.0).fit(X, sample_weight=NONE_FIRST),
    ),
    (
        r"can't be a list while alpha is chosen by cross-validation: give alpha too",
        lambda: gramian.DeepKernelClassifier(inner_alpha=[0.1], **GRIDS).fit(X, LABELS),
        lambda: gramian.DeepKernelClassifier(**RIDGES, **FAST).fit(X, LABELS),
    ),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning", "ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("case", CHECKS, ids=[message for message, *_ in CHECKS])
def test_what_a_check_says_to_write_is_accepted(case):
    message, call, *remedies = case
    with pytest.raises((ValueError, TypeError, AttributeError, FloatingPointError), match=message):
        call()
    for remedy in remedies:
        remedy()
