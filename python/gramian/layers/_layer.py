# SPDX-License-Identifier: BSD-3-Clause
"""A layer before it is computed, and what the binding takes for it."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from gramian._operands import Operands
from gramian._validation import (
    FLOAT64,
    LARGEST_SIZE,
    FloatArray,
    check_columns,
    check_real,
    check_rows,
    check_shape,
    check_whole,
)
from gramian.kernels import Kernel, KernelName
from gramian.kernels.choice import check_kernel
from gramian.points import Crossing, InnerProducts, PointsLike, check_points


class Layer:
    r"""
    A space of functions: its kernel :math:`\sum_m k_m A_m`, the size of its values, and the weight of its norm.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel, str, or sequence of them
        :math:`k_m`; by name those that have no width.
    outputs : int
        The number of values, :math:`d_l`.
    penalty : float, default=0.0
        :math:`\lambda_l`, what the squared norm of the function is weighted with.
    operator : array-like of shape (outputs,) or (outputs, outputs), or a sequence of these, optional
        :math:`A_m`, positive semi-definite: its diagonal, or all of it; the identity if None. With several kernels, a
        sequence with an entry for each.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range; the message names it.

    Examples
    --------
    >>> import gramian
    >>> gramian.layers.Layer(gramian.kernels.Gaussian(gamma=2.0), outputs=1, penalty=1e-3)
    Layer(Gaussian(gamma=2.0), outputs=1, penalty=0.001)
    """

    def __init__(
        self,
        kernel: Kernel | KernelName | Sequence[Kernel | KernelName],
        outputs: int,
        penalty: float = 0.0,
        operator: Any = None,
    ) -> None:
        self.outputs = check_whole(outputs, "outputs", "Layer", LARGEST_SIZE)
        self.penalty = check_real(penalty, "penalty", "Layer", inclusive=True)
        several = not isinstance(kernel, Kernel | str) and isinstance(kernel, Sequence)
        given = tuple(cast(Sequence[Any], kernel)) if several else (kernel,)
        self.kernels = tuple(check_kernel(one, "kernel", "Layer") for one in given)
        operators = tuple(operator or (None,) * len(given)) if several else (operator,)
        if not self.kernels or len(operators) != len(self.kernels):
            raise ValueError(f"operator must have an entry for each of {len(self.kernels)} kernels, at least one.")
        self.operators = tuple(_operator(A, self.outputs) for A in operators)

    def __repr__(self) -> str:
        kernel = repr(self.kernels[0]) if len(self.kernels) == 1 else repr(list(self.kernels))
        return f"Layer({kernel}, outputs={self.outputs}, penalty={self.penalty})"

    def _lower(self, dimension: int | None) -> tuple[Any, ...]:
        specs = [kernel._lower(dimension).spec for kernel in self.kernels]
        return list(zip(specs, self.operators, strict=True)), self.penalty


def lower(X: PointsLike, layers: Sequence[Layer]) -> tuple[Crossing, list[tuple[Any, ...]], int]:
    """Return what the binding takes for X and the layers, and the number of samples."""
    if not layers or not all(isinstance(layer, Layer) for layer in layers):
        raise TypeError(f"layers must be a sequence of gramian.layers.Layer, at least one. Got {layers!r} instead.")
    points = check_points(X, "X")
    if isinstance(points, InnerProducts) and not points.one_set:
        raise TypeError("X has the inner products of two sets of points: layers take those of one.")
    for kernel in layers[0].kernels:
        Operands(kernel, X, None)  # whether it can see X
    dimensions = [points.dimension, *[layer.outputs for layer in layers[:-1]]]
    specs = [layer._lower(dimension) for layer, dimension in zip(layers, dimensions, strict=True)]
    return points.crossing(FLOAT64), specs, points.rows


def _operator(A: Any, outputs: int) -> int | FloatArray:
    """Return what the binding takes: the size, a row, or a square matrix."""
    if A is None:
        return outputs
    columns, is_vector = check_columns(A, "operator")
    matrix = cast(FloatArray, (columns.T if is_vector else columns).astype(FLOAT64))
    check_shape(matrix, "operator", (1 if is_vector else outputs, outputs))
    return matrix


def flat_coefficients(coefficients: npt.ArrayLike, count: int) -> FloatArray:
    flat = check_columns(coefficients, "coefficients")[0].astype(FLOAT64, copy=False)
    check_rows(flat, "coefficients", count, "the layers together")
    check_shape(flat, "coefficients", (count, 1))
    return np.ascontiguousarray(flat).ravel()
