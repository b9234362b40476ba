# SPDX-License-Identifier: BSD-3-Clause
"""Data of [DKPCA] Sec. 5: three synthetic sets, tasks of the UCI repository, pictures; made-up ones if need be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.paper.common import data
from bench.paper.common.outcome import Outcome, Settings

TASKS = {
    "diabetes": "pima",
    "ionosphere": "ionosphere",
    "liver": "indian_liver",
    "liver, BUPA": "liver_bupa",
    "cholesterol": "heart_cleveland",
    "yacht": "yacht",
}
REGRESSIONS = ("cholesterol", "yacht")
CHOLESTEROL = 4  # the column of heart_cleveland
NOISE = 0.05
ENTRIES = 1.1  # standard deviation of the matrix whose square is the covariance of Synth 3
DIMENSION = 140

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Task:
    """What is to be learned from features: classes, or numbers."""

    name: str
    X: Matrix
    y: NDArray[Any]
    classes: bool


def square(
    n: int, seed: int = 0, noise: float = NOISE, centre: tuple[float, float] = (0, 0), side: float = 2
) -> Matrix:
    """Synth 1: the outline of a square."""
    along = np.arange(n) / n * 4
    edge, at = along.astype(int), along % 1 - 0.5
    outline = np.select(
        [edge[:, None] == one for one in range(4)],
        [
            np.c_[at, np.full(n, -0.5)],
            np.c_[np.full(n, 0.5), at],
            np.c_[-at, np.full(n, 0.5)],
            np.c_[np.full(n, -0.5), -at],
        ],
    )
    return side * outline + centre + np.random.default_rng(seed).normal(0, noise, (n, 2))


def scene(n: int, seed: int = 0) -> tuple[Matrix, NDArray[np.int64]]:
    """Synth 2: a square, two spirals and a ring, and which point is whose."""
    rng = np.random.default_rng(seed)
    counts = np.full(4, n // 4) + (np.arange(4) < n % 4)
    parts = [square(counts[0], seed, 0.1, (-3, 2.5), 4)]
    for count, width, centre in ((counts[1], 0.2, (5, 0)), (counts[2], 0.15, (-4, -2))):
        angle = np.linspace(0, 8 * np.pi, count)
        parts.append(width * angle[:, None] * np.c_[np.cos(angle), np.sin(angle)] + centre)
    angle = np.linspace(0, 2 * np.pi, counts[3], endpoint=False)
    parts.append(2.8 * np.c_[np.cos(angle), np.sin(angle)] + (14, 0))
    noise = rng.normal(0, 0.1, (n - counts[0], 2))
    return np.vstack([parts[0], np.vstack(parts[1:]) + noise]), np.repeat(np.arange(4), counts)


def normal(train: int, test: int, seed: int = 0) -> tuple[Matrix, Matrix]:
    """Synth 3: a normal distribution of mean 0 in 140 dimensions."""
    rng = np.random.default_rng(seed)
    root = rng.normal(0, ENTRIES, (DIMENSION, DIMENSION))
    X = rng.standard_normal((train + test, DIMENSION)) @ root.T
    return X[:train], X[train:]


def there(name: str, settings: Settings, outcome: Outcome) -> Any:
    """The arrays of a set; None, and a line that says so, if there are none. A quick run asks no network."""
    try:
        return data.load(name, download=not settings.quick)
    except data.MissingSet as missing:
        outcome.sentences.append(str(missing))
        return None


def task(name: str, settings: Settings, outcome: Outcome) -> Task:
    """One of TASKS; features have mean 0 and variance 1, those that never change are left out."""
    found = there(TASKS[name], settings, outcome)
    classes = name not in REGRESSIONS
    if found is None:
        return _made_up(f"made-up {name}", classes)
    X, y = np.asarray(found.X, dtype=np.float64), np.asarray(found.y)
    if name == "cholesterol":
        y = X[:, CHOLESTEROL]
        X = np.c_[np.delete(X, CHOLESTEROL, axis=1), np.asarray(found.y, dtype=np.float64)]
    X = np.nan_to_num(X)
    X = X[:, X.std(axis=0) > 0]
    return Task(name, X, y if classes else y.astype(np.float64), classes)


def digits(n: int, settings: Settings, outcome: Outcome) -> tuple[str, Matrix]:
    """The first n pictures of MNIST in rows, pixels in [0, 1]."""
    found = there("mnist", settings, outcome)
    if found is None:
        return "made-up digits", _waves(n, 12)
    pictures = found.X_train if hasattr(found, "X_train") else found.X
    return "MNIST", pictures[:n].reshape(n, -1).astype(np.float64) / 255


def objects(n: int, settings: Settings, outcome: Outcome) -> tuple[str, Matrix]:
    """n of the views of COIL-20 in rows, equally many of each object, pixels in [0, 1]."""
    found = there("coil20", settings, outcome)
    if found is None:
        return "made-up objects", _waves(n, 12)
    chosen = np.arange(0, len(found.X), len(found.X) // n)[:n]
    return "COIL-20", found.X[chosen].reshape(n, -1).astype(np.float64) / 255


def _made_up(name: str, classes: bool) -> Task:
    """A noisy ring around a blob, in six dimensions."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 6))
    value = (X[:, :3] ** 2).sum(axis=1) + 0.3 * rng.standard_normal(120)
    return Task(name, X, (value > np.median(value)).astype(np.int64) if classes else value, classes)


def _waves(n: int, size: int) -> Matrix:
    """Smooth pictures in [0, 1]: sums of waves with random phases."""
    rng = np.random.default_rng(0)
    phases = rng.uniform(0, 2 * np.pi, (n, 3, 1, 1))
    row, column = np.meshgrid(np.linspace(0, 1, size), np.linspace(0, 1, size), indexing="ij")
    angles = 2 * np.pi * np.array([row + column, 2 * row - column, row + 2 * column])
    return np.sin(angles + phases).sum(axis=1).reshape(n, -1) / 6 + 0.5
