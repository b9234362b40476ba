# SPDX-License-Identifier: BSD-3-Clause
"""A fitted model that is known by its operations only."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from gramian import _core
from gramian._validation import FLOAT64, AnyArray, FloatArray
from gramian.models._shared.compatibility import check_array
from gramian.points import check_points

_Verb = _core.serving.Verb

MethodT = TypeVar("MethodT", bound=Callable[..., Any])


def _of_rows(argument: str, result: str) -> Callable[[MethodT], MethodT]:
    """Complete the docstring of an operation on rows: its argument, and the shape of its result."""
    accepted = {"X": "array-like or sparse matrix of shape (q, d)", "codes": "array-like of shape (q, p)"}

    def complete(method: MethodT) -> MethodT:
        method.__doc__ = f"""{method.__doc__}

        Parameters
        ----------
        {argument} : {accepted[argument]}
            {"Samples" if argument == "X" else "Codes"} in rows.

        Returns
        -------
        ndarray of shape {result}
        """
        return method

    return complete


class Predictor:
    """
    A model that was trained and saved in C++, as `gramian.load` returns it.

    It has no parameters and can't be fitted. Methods that the model does not have raise AttributeError.
    """

    def __init__(self, value: _core.serving.Predictor) -> None:
        self._value = value

    def __repr__(self) -> str:
        return f"Predictor({self.family!r})"

    @property
    def family(self) -> str:
        """What kind of model it is: "embedding", "deep_pca", ..."""
        return self._value.family

    @property
    def classes_(self) -> AnyArray:
        """The labels of the classes; empty unless the model is a classifier."""
        return np.array(self._value.classes)

    @_of_rows("X", "(q,) or (q, c)")
    def predict(self, X: Any) -> AnyArray:
        """Return predicted values, or labels."""
        found = self._apply(_Verb.predict, X)
        if len(self._value.classes):
            return self.classes_[found[:, 0].astype(np.int64)]
        return found[:, 0] if found.shape[1] == 1 else found

    @_of_rows("X", "(q, m)")
    def predict_proba(self, X: Any) -> FloatArray:
        """Return probabilities of the classes."""
        return self._apply(_Verb.predict_proba, X)

    @_of_rows("X", "(q, p)")
    def transform(self, X: Any) -> FloatArray:
        """Return codes or features."""
        return self._apply(_Verb.transform, X)

    @_of_rows("codes", "(q, d)")
    def inverse_transform(self, codes: Any) -> FloatArray:
        """Return rows of the input from codes."""
        return self._apply(_Verb.inverse_transform, codes)

    @_of_rows("X", "(q, m)")
    def scores(self, X: Any) -> FloatArray:
        """Return a score for each class or candidate; the best one has the largest."""
        return self._apply(_Verb.scores, X)

    def _apply(self, verb: _core.serving.Verb, X: Any) -> FloatArray:
        if self._value.inputs(verb) == 0:
            raise AttributeError(f"A model of the family {self.family!r} has no {verb.name}.")
        rows = check_array(X, "X", accept_sparse="csr", dtype=np.float64, order="C")
        return self._value.apply(verb, check_points(rows, "X").crossing(FLOAT64))
