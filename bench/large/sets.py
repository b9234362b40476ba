# SPDX-License-Identifier: BSD-3-Clause
"""The data of the large runs as tasks: rows to learn from, rows to test on, and an error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.paper.common import data

TRAINING_SHARE = 0.8
QUICK_ROWS = 600
SYNTHETIC_ROWS = 1_250_000
"""A million of them are for training."""
SYNTHETIC_FEATURES = 16
DELAYS = (6, 7)  # of the flights: known only after the start, and nearly the answer
CODED = (8, 9, 10)  # carrier, origin and destination, which are numbers of names


@dataclass(frozen=True)
class Task:
    """Rows in random order, scaled. Classes are -1 and 1, or a column of them for each class."""

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.float64]
    X_test: NDArray[np.float64]
    y_test: NDArray[np.float64]
    classes: bool

    def error(self, predicted: NDArray[Any]) -> float:
        """The part of the test rows in the wrong class; or the root mean square, in deviations of the targets."""
        if not self.classes:
            return float(np.sqrt(np.mean((predicted - self.y_test) ** 2)))
        if self.y.ndim == 2:
            return float(np.mean(predicted.argmax(axis=1) != self.y_test.argmax(axis=1)))
        return float(np.mean((predicted > 0) != (self.y_test > 0)))

    def first(self, rows: int | None) -> Task:
        """The same with fewer rows to learn from; None for all."""
        return Task(self.name, self.X[:rows], self.y[:rows], self.X_test, self.y_test, self.classes)

    def held_out(self, rows: int, checked: int) -> Task:
        """Learn from the first rows of the training part and test on its last ones: no test row is seen."""
        checked = min(checked, len(self.y) // 4)
        rows = min(rows, len(self.y) - checked)
        return Task(self.name, self.X[:rows], self.y[:rows], self.X[-checked:], self.y[-checked:], self.classes)


def load(name: str, quick: bool = False) -> Task:
    """Make the task of this name; bench.paper.common.data.MissingSet where its file is not there."""
    if name == "synthetic":
        found = synthetic(2 * QUICK_ROWS if quick else SYNTHETIC_ROWS)
    else:
        found = data.load(FILES[name], download=False)  # what has no file is left out
    return task_of(name, found, quick)


def task_of(name: str, found: SimpleNamespace, quick: bool = False) -> Task:
    """Shuffle, part and scale the arrays of a set."""
    X, y, classes, scaled = READERS[name](found)
    order = np.random.default_rng(0).permutation(len(y))
    train = int(TRAINING_SHARE * len(y))
    if name == "mnist":  # it has a test part of its own, at the end
        train = len(found.y_train)
        order = np.concatenate([np.random.default_rng(0).permutation(train), np.arange(train, len(y))])
    if quick:
        order, train = order[np.r_[:QUICK_ROWS, -QUICK_ROWS // 2 : 0]], QUICK_ROWS
    X, y = X[order], y[order]
    columns = slice(0, scaled)
    middle, spread = X[:train, columns].mean(axis=0), X[:train, columns].std(axis=0)
    X[:, columns] = (X[:, columns] - middle) / np.where(spread > 0, spread, 1)
    if not classes:
        y = (y - y[:train].mean()) / y[:train].std()
    return Task(name, X[:train], y[:train], X[train:], y[train:], classes)


def synthetic(rows: int, features: int = SYNTHETIC_FEATURES) -> SimpleNamespace:
    """A smooth function of 16 normal features, with a tenth of noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, features))
    turned = X @ rng.standard_normal((features, 4)) / np.sqrt(features)
    y = np.sin(2 * turned[:, 0]) + turned[:, 1] * turned[:, 2] + np.abs(turned[:, 3])
    return SimpleNamespace(X=X, y=y + 0.1 * rng.standard_normal(rows))


# What a reader returns: X, y, whether y are classes, and how many columns of X are to be scaled.
Read = tuple[NDArray[np.float64], NDArray[np.float64], bool, int | None]


def _numbers(found: SimpleNamespace) -> Read:
    return found.X.astype(np.float64), found.y.astype(np.float64).ravel(), False, None


def _covtype(found: SimpleNamespace) -> Read:
    """Lodgepole pine against the rest; the two categories stay zeros and ones."""
    others = np.hstack([np.eye(4)[found.wilderness], np.eye(40)[found.soil]])
    return np.hstack([found.X_num.astype(np.float64), others]), _signs(found.y == 1), True, 10


def _skin(found: SimpleNamespace) -> Read:
    return found.X.astype(np.float64), _signs(found.y == found.y.max()), True, None


def _flights(found: SimpleNamespace) -> Read:
    """Without the columns that are known only after the start; names as zeros and ones."""
    numbers = np.delete(found.X, (*DELAYS, *CODED), axis=1).astype(np.float64)
    coded = [np.eye(found.X[:, column].max() + 1)[found.X[:, column]] for column in CODED]
    return np.hstack([numbers, *coded]), found.y.astype(np.float64), False, numbers.shape[1]


def _mnist(found: SimpleNamespace) -> Read:
    X = np.concatenate([found.X_train, found.X_test]).reshape(len(found.y_train) + len(found.y_test), -1)
    y = np.concatenate([found.y_train, found.y_test])
    return X / 255.0, 2 * np.eye(10)[y] - 1, True, 0


def _signs(chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.where(chosen, 1.0, -1.0)


FILES = {
    "california": "california_housing",
    "kin40k": "kin40k",
    "protein": "protein_casp",
    "skin": "skin_segmentation",
    "mnist": "mnist",
    "nyc_flights": "nyc_flights13",
    "covtype": "covtype",
}
"""The files of bench/paper/common/sets.py by the names of the tasks, in the order of their rows."""

READERS: dict[str, Callable[[SimpleNamespace], Read]] = {
    **dict.fromkeys(("california", "kin40k", "protein", "synthetic"), _numbers),
    "skin": _skin,
    "mnist": _mnist,
    "nyc_flights": _flights,
    "covtype": _covtype,
}
