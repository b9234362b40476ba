# SPDX-License-Identifier: BSD-3-Clause
"""Errors of the engine in the words of an estimator."""

import contextlib
import re
from collections.abc import Iterator

from gramian.exceptions import NumericalError

_PLURALS = {"penalty": "penalties", "alpha": "alphas"}


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
