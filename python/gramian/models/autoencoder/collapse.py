# SPDX-License-Identifier: BSD-3-Clause
"""Codes that have collapsed: a constant is reconstructed from them, and nothing that tells samples apart."""

import numpy as np

from gramian._validation import FloatArray
from gramian._warning import warn

_HARDLY_BETTER = 0.99
"""Of the variance of the samples."""


def tell_of_collapse(owner: str, loss: float, targets: FloatArray, weights: list[float]) -> None:
    """Warn if a mean squared error is no better than that of the mean of the samples; weights: none for 1 each."""
    mean = np.average(targets, axis=0, weights=weights or None)
    variance = np.average(((targets - mean) ** 2).sum(axis=1), weights=weights or None)
    if loss > _HARDLY_BETTER * variance:
        warn(
            f"The codes of {owner} have collapsed: what is reconstructed from them is no better than the mean of all "
            f"samples. Lower penalty, or leave it at 'auto'."
        )
