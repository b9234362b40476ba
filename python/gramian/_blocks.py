# SPDX-License-Identifier: BSD-3-Clause
"""Matrices behind each other in one vector, row by row, as optimisers take them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gramian._validation import FloatArray, check_columns, check_shape

Shapes = Sequence[tuple[int, int]]


def split_blocks(flat: FloatArray, shapes: Shapes) -> list[FloatArray]:
    """Return the matrices; what is behind them is left out."""
    ends = np.cumsum([rows * columns for rows, columns in shapes])
    return [part.reshape(shape) for part, shape in zip(np.split(flat, ends), shapes, strict=False)]


def check_blocks(matrices: Sequence[npt.ArrayLike], name: str, shapes: Shapes, owners: str) -> list[FloatArray]:
    """Return the matrices, each flat; owners: what there has to be one for."""
    if len(matrices) != len(shapes):
        raise ValueError(f"{name} must have one for each of {len(shapes)} {owners}, got {len(matrices)}.")
    parts = [check_columns(part, f"{name}[{i}]")[0] for i, part in enumerate(matrices)]
    for i, (part, shape) in enumerate(zip(parts, shapes, strict=True)):
        check_shape(part, f"{name}[{i}]", shape)
    return [part.astype(np.float64).ravel() for part in parts]
