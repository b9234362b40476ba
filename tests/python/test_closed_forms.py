# SPDX-License-Identifier: BSD-3-Clause
"""Fits that solve and do not search: their history has the format of all others, and one entry."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian
from gramian.operators import DiagonalRegularization
from sklearn.base import clone

X = np.random.default_rng(0).normal(size=(40, 3))
NUMBERS = np.sin(2 * X[:, 0]) + X[:, 1]
LABELS = (NUMBERS > 0).astype(int)
MIXED = DiagonalRegularization(Gaussian(gamma=0.1), 0.3)
KEYS = {"iteration", "value", "gradient_norm", "step", "evaluations"}
CLOSED = {
    "OperatorKernelRidge": (gramian.OperatorKernelRidge(MIXED), X**2),
    "EmbeddingClassifier, median": (gramian.EmbeddingClassifier(learn="median"), LABELS),
    "EmbeddingClassifier, as given": (gramian.EmbeddingClassifier(learn=None), LABELS),
    "DeepKernelRegressor": (gramian.DeepKernelRegressor(hidden=(), alpha=0.1, n_init=3), NUMBERS),
    "DeepKernelRegressor, chosen": (gramian.DeepKernelRegressor(hidden=(), cv=2), NUMBERS),
    "DeepKernelInterpolator": (gramian.DeepKernelInterpolator(hidden=()), NUMBERS),
    "DeepKernelPCA": (gramian.DeepKernelPCA(2, "linear"), None),
    "DeepKernelPCA, levelwise": (gramian.DeepKernelPCA((3, 2), solver="levelwise"), None),
}


@pytest.mark.parametrize("name", CLOSED)
def test_a_closed_form_has_a_history_of_one_entry(name):
    model, targets = CLOSED[name]
    model = clone(model).fit(X, targets)
    history = model.history_
    assert set(history) >= KEYS and {len(column) for column in history.values()} == {1}
    found = [history[key][0] for key in ("iteration", "value", "gradient_norm", "step", "evaluations")]
    assert found == [0, model.objective_, 0.0, 0.0, 1] and model.stop_reason_ == "tol"
    if name.startswith("Embedding"):
        assert history["accuracy"][0] == model.score(X, LABELS)
