# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of digits for [MCE] Sec. 5: MNIST, or scikit-learn's smaller ones in a quick run and where it is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.paper.common import data
from bench.paper.common.outcome import Outcome, Settings

TRAINING = 60_000  # of MNIST; what follows is its test part


@dataclass(frozen=True)
class Pictures:
    """Pixels in [0, 1], in rows, and what they show."""

    name: str
    shape: tuple[int, int]
    X: NDArray[np.float64]
    y: NDArray[Any]
    X_test: NDArray[np.float64]
    y_test: NDArray[Any]

    def draw(self, count: int, seed: int, among: tuple[int, ...] | None = None) -> tuple[Any, Any]:
        """So many training pictures; of some digits alone."""
        rows = np.flatnonzero(np.isin(self.y, among)) if among else np.arange(len(self.y))
        rows = np.random.default_rng(seed).permutation(rows)[:count]
        return self.X[rows], self.y[rows]


def pictures(settings: Settings, outcome: Outcome) -> Pictures:
    """A sentence says it if they are not those of MNIST."""
    if settings.quick:
        return _small()
    try:
        found = data.load("mnist")
    except data.MissingSet as missing:
        outcome.sentences.append(str(missing))
        return _small()
    if hasattr(found, "X_train"):
        parts = found.X_train, found.y_train, found.X_test, found.y_test
    else:
        parts = found.X[:TRAINING], found.y[:TRAINING], found.X[TRAINING:], found.y[TRAINING:]
    X, y, X_test, y_test = parts
    return Pictures("MNIST", (28, 28), _rows(X), y.astype(int), _rows(X_test), y_test.astype(int))


def _rows(X: Any) -> NDArray[np.float64]:
    return X.reshape(len(X), -1) / 255.0


def _small() -> Pictures:
    found = data.load("digits")
    X = found.X / 16.0
    return Pictures("digits of 8 x 8 pixels", (8, 8), X[:1500], found.y[:1500], X[1500:], found.y[1500:])
