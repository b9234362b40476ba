# SPDX-License-Identifier: BSD-3-Clause
"""Sums over the rows of factors of low rank, of inputs and outputs, on dask arrays."""

from typing import Any, NamedTuple

import dask
import numpy as np

from gramian._validation import FloatArray
from gramian.dask.data import Training, of_partition
from gramian.dask.spans import Span
from gramian.dask.sums import added, check_weights, samples_of
from gramian.functional import diagonal
from gramian.models._shared.compatibility import check_array
from gramian.models._shared.samples import as_points

_NUMBERS_OF_FEATURES = 2**22


class Moments(NamedTuple):
    """What coefficients of low rank depend on, [KDE] (15): sums over rows u and v of both factors."""

    inputs: FloatArray
    """Of products of u with u."""
    between: FloatArray
    """Of products of v with u."""
    outputs: FloatArray
    """Of products of v with v."""
    input_trace: float
    """Of kernel values of inputs with themselves."""
    output_trace: float
    weight: float

    def plus(self, other: "Moments") -> "Moments":
        """Return the sums of all these rows."""
        return Moments(
            self.inputs + other.inputs,
            self.between + other.between,
            self.outputs + other.outputs,
            self.input_trace + other.input_trace,
            self.output_trace + other.output_trace,
            self.weight + other.weight,
        )

    @property
    def input_residual(self) -> float:
        """The part of the trace of the inputs' Gram matrix that the factor misses."""
        return _residual(self.inputs, self.input_trace)

    @property
    def output_residual(self) -> float:
        """The same of outputs."""
        return _residual(self.outputs, self.output_trace)


def moments(inputs: Span, outputs: Span, data: Training) -> Moments:
    """Return the sums over all rows."""
    u, v, of_block = (dask.delayed(it, pure=True) for it in (inputs, outputs, _moments))
    found: Moments = added(lambda number, X, y, weights: of_block(number, u, v, X, y, weights), data)
    return found


def _moments(number: int, inputs: Span, outputs: Span, X: Any, y: Any, weights: Any) -> Moments:
    """Return the sums over a block; one may be empty."""
    p, q = len(inputs.engine.pivots), len(outputs.engine.pivots)
    total = Moments(np.zeros((p, p)), np.zeros((q, p)), np.zeros((q, q)), 0.0, 0.0, 0.0)
    if len(X) == 0:
        return total
    with of_partition(number):
        samples, w = samples_of(X), None if weights is None else check_weights(weights, len(X))
        values = as_points(check_array(np.asarray(y), "y", dtype=np.float64, ensure_2d=False, order="C"))
        step = max(1, _NUMBERS_OF_FEATURES // q)
        for some in (slice(first, first + step) for first in range(0, len(samples), step)):
            total = total.plus(_of_rows(inputs, outputs, samples[some], values[some], None if w is None else w[some]))
    return total


def _of_rows(inputs: Span, outputs: Span, X: FloatArray, Y: FloatArray, weights: FloatArray | None) -> Moments:
    Y = np.ascontiguousarray(Y)
    column = None if weights is None else weights[:, None]
    found, own = inputs.engine.system(X, outputs.engine.apply(Y), column), outputs.engine.system(Y, None, column)
    traces = [diagonal(span.kernel, points) for span, points in ((inputs, X), (outputs, Y))]
    sums = [float(trace.sum() if weights is None else (trace * weights).sum()) for trace in traces]
    weight = float(len(X) if weights is None else weights.sum())
    return Moments(found.square, np.ascontiguousarray(found.right.T), own.square, sums[0], sums[1], weight)


def _residual(square: FloatArray, trace: float) -> float:
    return max(0.0, 1.0 - float(np.trace(square)) / trace) if trace > 0 else 0.0
