# SPDX-License-Identifier: BSD-3-Clause
"""Errors of the engine in the words of an estimator, with advice that its user can follow."""

import contextlib
import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from gramian._memory import advising
from gramian.exceptions import NumericalError

MethodT = TypeVar("MethodT", bound=Callable[..., Any])
_PLURALS = {"penalty": "penalties", "alpha": "alphas"}


_IN_PYTHON = {
    "AlternatingOptions work without landmarks; take LbfgsOptions": (
        "solver='alternating' works without landmarks: use solver='lbfgs'"
    ),
    "add kernels up, or train it jointly": "use a sum of kernels, or last_layer='joint'",
    "give all codes as landmarks, or train it jointly": "use no landmarks, or last_layer='joint'",
    "parameters: features are for terms of layer 1 that share no output; choose automatic or coefficients": (
        "inner_parameters='features' is for terms of layer 1 that share no output: choose 'auto' or 'coefficients'"
    ),
    "the last layer of an interpolation has one term: add kernels up": (
        "the last layer of an interpolation has one kernel: use a sum of kernels"
    ),
    "theta must be null": "its theta must be None",
    "image_losses: ": "image_targets: ",
    "starts must be 1, and start kpca": "n_init must be 1, and init 'kpca'",
    "levelwise takes any kernel": "solver='levelwise' takes any kernel",
    "alphas must be greater than 0 for conjugate_gradients: take cholesky": (
        "alpha must be greater than 0 with solver='cg': use solver='cholesky'"
    ),
    "beyond the range of float32: use float64": "beyond the range of float32: use dtype='float64'",
}
"""What the engine says in its own words, and the same in those of the estimators."""


def advised(method: MethodT) -> MethodT:
    """
    Decorate a method whose errors are to be in the words of its estimator.

    Those of memory end in the advice of `_advice_on_memory`.
    """

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        with advising(self._advice_on_memory), _in_python():
            return method(self, *args, **kwargs)

    return cast(MethodT, call)


@contextlib.contextmanager
def _in_python() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        said = str(error)
        for engine, python in _IN_PYTHON.items():
            said = said.replace(engine, python)
        if said == str(error):
            raise
        raise type(error)(said) from None


@contextlib.contextmanager
def ridge_called(word: str) -> Iterator[None]:
    """Raise the engine's numerical errors with the estimator's own word for the weight that the engine calls lambda."""
    try:
        yield
    except NumericalError as error:
        said = _said(str(error), word)
        if said == str(error):
            raise
        raise NumericalError(said) from None


def _said(text: str, word: str) -> str:
    text = re.sub(r"\blambda(s|_grid)\b", _PLURALS[word], text)
    text = re.sub(r"\blambda\b", word, text)
    text = text.replace("Raise the regularisation that is added to the diagonal, or max_jitter", f"Raise {word}")
    return text.replace("the penalty of the last layer", "the last penalty" if word == "penalty" else word)
