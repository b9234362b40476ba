# SPDX-License-Identifier: BSD-3-Clause
"""Learned attributes as parts of the engine's values, and new samples as these take them."""

from typing import Any, cast

import numpy as np

from gramian._validation import FLOAT64, FloatArray, aligned, check_matrix
from gramian.kernels import Kernel
from gramian.kernels.choice import is_function
from gramian.models._shared.samples import SideKernel, alike, function_values, source
from gramian.points import check_points


def numbers(value: Any, name: str) -> FloatArray | None:
    """Return an attribute that is a matrix or None; an array of float64 is no copy."""
    return None if value is None else np.ascontiguousarray(check_matrix(value, name), dtype=FLOAT64)


def column(value: Any, name: str) -> FloatArray | None:
    """Return the same of one that is a vector: as a column."""
    return None if value is None else numbers(np.asarray(value).reshape(-1, 1), name)


def training_side(kernel: SideKernel, samples: Any, count: int) -> tuple[Any, Any]:
    """Return a kernel and points, or no kernel and how many kernel values there are for each new sample."""
    if not isinstance(kernel, Kernel):
        return None, count
    spec, points = source(kernel, samples)
    return spec, in_rows(points)


def in_rows(points: Any) -> Any:
    """Return what the engine takes for points in the form that its values keep: dense ones row by row."""
    return np.ascontiguousarray(points) if isinstance(points, np.ndarray) else points


def new_points(kernel: SideKernel | None, samples: Any, training: Any) -> Any:
    """Return new samples that are checked, as points as sparse as the training samples, or as kernel values to them."""
    if is_function(kernel):
        return function_values(cast(Any, kernel), samples, training)
    if not isinstance(kernel, str):
        samples = alike(training, samples)
    if isinstance(samples, np.ndarray):
        return aligned(samples)
    return check_points(samples, "X").crossing(FLOAT64)


def row_count(points: Any) -> int:
    """Return how many there are of what the engine takes for points, or for kernel values with squares."""
    if not isinstance(points, tuple):
        return len(points)
    return len(points[1]) - 1 if isinstance(points[0], str) else len(points[0])
