# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of the wrong kind are refused at every fit, with their names, also where that fit would not use them."""

from __future__ import annotations

import inspect

import pytest
from reliability.fitted import CASES, X

WRONG = {
    "text": "abc",
    "nan": float("nan"),
    "an object": object(),
    "-3.5": -3.5,
}
ANY_TEXT = {"checkpoint"}
"""Paths."""
FREE = {"n_jobs": (), "eta": ("-3.5",), "coef0": ("-3.5",)}
"""What of these is allowed."""


def parameters():
    for name, case in CASES.items():
        for parameter in inspect.signature(type(case.make())).parameters:
            for kind in WRONG:
                allowed = (kind == "text" and parameter in ANY_TEXT) or kind in FREE.get(parameter, ())
                if not allowed:
                    yield pytest.param(name, parameter, kind, id=f"{name}-{parameter}-{kind}")


@pytest.mark.parametrize(("name", "parameter", "kind"), list(parameters()))
def test_wrong_parameters_are_refused(name, parameter, kind):
    case = CASES[name]
    with pytest.raises((TypeError, ValueError), match=parameter.rstrip("s")):
        case.fit(X, **{parameter: WRONG[kind]})


@pytest.mark.parametrize("name", ["KernelAutoencoder", "K2Autoencoder"])
def test_hidden_that_is_none_is_named(name):
    with pytest.raises(TypeError, match=f"The 'hidden' parameter of {name} must be the size of an inner layer"):
        CASES[name].fit(hidden=None)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_what_scikit_learn_takes_is_taken():
    from sklearn.model_selection import KFold

    model = CASES["DeepKernelRegressor"]
    for cv in (None, 3, KFold(2), [([0, 1], [2, 3])]):
        model.fit(cv=cv, n_jobs=-1)
