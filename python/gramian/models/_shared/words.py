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


def advised(method: MethodT) -> MethodT:
    """Decorate a method whose errors of memory end in the advice of `_advice_on_memory` of its estimator."""

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        with advising(self._advice_on_memory):
            return method(self, *args, **kwargs)

    return cast(MethodT, call)


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
    return text.replace("the penalty of the last layer", "the last penalty" if word == "penalty" else word)
