# SPDX-License-Identifier: BSD-3-Clause
"""Errors and warnings name the estimator's own parameters."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian, Polynomial
from gramian.models._shared.words import ridge_called
from sklearn.exceptions import ConvergenceWarning

TWICE = np.repeat(np.linspace(0.0, 1.0, 6)[:, None], 2, axis=0)


@pytest.mark.parametrize(
    ("said", "word", "heard"),
    [
        ("K + n lambda I: raise lambda", "penalty", "K + n penalty I: raise penalty"),
        ("no lambda of lambdas, or of lambda_grid", "penalty", "no penalty of penalties, or of penalties"),
        ("raise lambda", "alpha", "raise alpha"),
        ("raise the penalty of the last layer, which is 1", "penalty", "raise the last penalty, which is 1"),
        ("raise the penalty of the last layer, which is 1", "alpha", "raise alpha, which is 1"),
    ],
)
def test_the_engines_word_is_replaced(said, word, heard):
    with pytest.raises(gramian.NumericalError) as raised, ridge_called(word):
        raise gramian.NumericalError(said)
    assert str(raised.value) == heard


def test_other_errors_come_through_as_they_are():
    error = gramian.NumericalError("lower learning_rate")
    with pytest.raises(gramian.NumericalError) as raised, ridge_called("alpha"):
        raise error
    assert raised.value is error
    with pytest.raises(ValueError, match="lambda"), ridge_called("alpha"):
        raise ValueError("lambda is a word of the user's own function")


def test_estimators_say_their_own_word():
    singular = {"kernels": [Gaussian(), Polynomial(degree=3)], "max_iter": 300, "tol": 1e-2}
    with pytest.warns(ConvergenceWarning, match="raise the last layer's alpha"):
        gramian.DeepKernelRegressor([Polynomial(degree=3, coef0=1e8)], alpha=1e-300).fit(TWICE, TWICE[:, 0])
    with pytest.warns(ConvergenceWarning, match="raise the last layer's penalty"):
        gramian.KernelAutoencoder(**singular, penalty=[1e-3, 1e-18]).fit(TWICE + 1e-12 * np.arange(12)[:, None])
    with pytest.warns(ConvergenceWarning, match="Raise penalty"):
        gramian.ConditionalMeanEmbedding(Gaussian(), penalty=1e-300).fit(TWICE, TWICE[:, 0])
