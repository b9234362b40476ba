# SPDX-License-Identifier: BSD-3-Clause
"""What is said of probabilities: accuracy, log loss, expected calibration error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

BINS = 10
LEAST = 1e-15
"""Probabilities below it count as it: a single zero for the true class would be infinite."""


def scores(P: NDArray[np.float64], y: NDArray[np.int64]) -> dict[str, float]:
    """Return the scores of probabilities of classes 0 .. m - 1."""
    own = P[np.arange(len(y)), y]
    return {
        "accuracy": float(np.mean(P.argmax(axis=1) == y)),
        "log_loss": float(-np.log(np.clip(own, LEAST, 1.0)).mean()),
        "ece": calibration_error(P, y),
        "zeros": float(np.mean(own <= 0)),
    }


def calibration_error(P: NDArray[np.float64], y: NDArray[np.int64]) -> float:
    """
    Return the mean difference between confidence and accuracy, over bins of the largest probability.

    Each of ten bins of equal width counts by its samples. Of few samples it is above 0 for true probabilities too.
    """
    confidence, right = P.max(axis=1), P.argmax(axis=1) == y
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    gaps = np.bincount(bins, weights=right - confidence, minlength=BINS)
    return float(np.abs(gaps).sum() / len(y))


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> dict[str, Any]:
    """Return the geometric mean and the largest of ratios, of sets one by one."""
    each = np.array(ours) / np.array(theirs)
    return {"mean": float(np.exp(np.log(each).mean())), "worst": float(each.max())}
