# SPDX-License-Identifier: BSD-3-Clause
"""The sets of the comparison, in two lists: defaults may be chosen on the first one only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.paper.common import data

MOST_ROWS = 2000
"""Rows that are drawn from larger sets, the same ones in each run."""
QUICK_ROWS = 150
TEST_SHARE = 0.3

FIRST = (
    "iris",
    "wine",
    "breast_cancer",
    "digits",
    "ecoli",
    "segment",
    "indian_liver",
    "heart_cleveland",
    "banana",
    "magic_gamma",
)
"""Defaults may be chosen on these."""
SECOND = (
    "banknote",
    "yeast",
    "pima",
    "ionosphere",
    "liver_bupa",
    "heart_statlog",
    "wall_following_24",
    "pendigits",
    "usps",
    "covtype",
    "skin_segmentation",
)
"""Nothing is chosen on these."""
LISTS = {"first": FIRST, "second": SECOND}


@dataclass(frozen=True)
class Split:
    """Rows to learn from and rows to test on; classes are numbers from 0, and each one is among the training rows."""

    X: NDArray[np.float64]
    y: NDArray[np.int64]
    X_test: NDArray[np.float64]
    y_test: NDArray[np.int64]

    @property
    def classes(self) -> int:
        """The number of classes."""
        return int(self.y.max()) + 1


def load(name: str, quick: bool = False) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return samples and classes; bench.paper.common.data.MissingSet where there is no file and none is needed."""
    X, y = READERS.get(name, _plain)(data.load(name, download=False))
    keep = np.isfinite(X).all(axis=1)
    X, y = np.ascontiguousarray(X[keep], dtype=np.float64), np.unique(y[keep], return_inverse=True)[1]
    order = np.random.default_rng(0).permutation(len(y))[: QUICK_ROWS if quick else MOST_ROWS]
    return X[order], np.unique(y[order], return_inverse=True)[1].astype(np.int64)


def split(X: NDArray[np.float64], y: NDArray[np.int64], number: int) -> Split:
    """Draw a test part; classes with fewer than five samples are left out, as no peer can be calibrated on them."""
    frequent = np.flatnonzero(np.bincount(y) >= 5)
    keep = np.isin(y, frequent)
    X, y = X[keep], np.searchsorted(frequent, y[keep])
    order = np.random.default_rng(1000 + number).permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]  # an equal share of each class
    test = np.arange(len(y)) % 10 < round(10 * TEST_SHARE)
    rng = np.random.default_rng(2000 + number)
    learn, held_out = (rng.permutation(order[part]) for part in (~test, test))
    return Split(X[learn], y[learn], X[held_out], y[held_out])


def is_there(name: str) -> bool:
    """Whether the set can be loaded without the network."""
    return (
        name in data.BUILT_IN or data.path_of(name) is not None or data.SETS[name].elsewhere.startswith("sklearn:load_")
    )


Arrays = tuple[NDArray[Any], NDArray[Any]]


def _plain(found: SimpleNamespace) -> Arrays:
    return found.X, found.y


def _heart(found: SimpleNamespace) -> Arrays:
    return found.X, found.y > 0


def _given_split(found: SimpleNamespace) -> Arrays:
    y = np.concatenate([found.y_train, found.y_test])
    return np.concatenate([found.X_train, found.X_test]).reshape(len(y), -1), y


def _covtype(found: SimpleNamespace) -> Arrays:
    return np.hstack([found.X_num.astype(np.float64), np.eye(4)[found.wilderness], np.eye(40)[found.soil]]), found.y


READERS: dict[str, Callable[[SimpleNamespace], Arrays]] = {
    "heart_cleveland": _heart,
    "usps": _given_split,
    "covtype": _covtype,
}
"""Of sets that are more than X and y."""
