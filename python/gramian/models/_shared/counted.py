# SPDX-License-Identifier: BSD-3-Clause
"""Weighted samples in models of squared errors, in which a weight is a factor of a sample's features: its root."""

from typing import Any, cast

import numpy as np

from gramian._validation import FloatArray
from gramian.kernels.choice import KernelChoice, OpenKernel, decided_kernel
from gramian.models._shared.samples import rows_of


def roots_of(weights: FloatArray | None) -> FloatArray | None:
    """Return the roots of weights that are brought to the mean 1, so that their sum is the number of samples."""
    return None if weights is None else cast(FloatArray, np.sqrt(weights / weights.mean()))


def scaled_gram(K: FloatArray, roots: FloatArray | None) -> FloatArray:
    """Return the Gram matrix of features times these roots."""
    return K if roots is None else np.ascontiguousarray(roots[:, None] * K * roots)


def times_rows(A: FloatArray, roots: FloatArray | None) -> FloatArray:
    """Return the rows of A times these roots."""
    return A if roots is None else np.ascontiguousarray((A.T * roots).T)


def without_zeros(weights: FloatArray | None, *samples: Any) -> tuple[FloatArray | None, list[Any]]:
    """Return weights above 0 and their samples; no weights if all are 1."""
    if weights is None:
        return None, list(samples)
    counts = np.flatnonzero(weights)
    if len(counts) < len(weights):
        weights, samples = weights[counts], tuple(rows_of(some, counts) for some in samples)
    return (None if (weights == 1).all() else weights), list(samples)


def weighted_width(chosen: KernelChoice, X: Any, weights: FloatArray | None) -> Any:
    """Return the kernel with its width by the median rule for weighted samples, if that is open."""
    if weights is None or not isinstance(chosen, OpenKernel):
        return decided_kernel(chosen, X)
    return chosen.on(X, weights)
