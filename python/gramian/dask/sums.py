# SPDX-License-Identifier: BSD-3-Clause
"""Normal systems over the blocks of dask arrays, added in a tree that depends on their number only."""

from collections.abc import Callable
from typing import Any, cast

import dask
import numpy as np

from gramian._validation import AnyArray, FloatArray, aligned
from gramian.dask.data import Training, blocks_of, local_rows, of_partition
from gramian.functional import diagonal
from gramian.kernels import Kernel
from gramian.models._shared.compatibility import check_array
from gramian.models.conditional_mean.sums import Basis
from gramian.models.kernel_ridge.sums import Sums
from gramian.normal import NormalSum


def fetch_rows(X: Any, rows: AnyArray) -> FloatArray:
    """Return some rows of an array, which ascend; the others stay where they are."""
    blocks, take = blocks_of(X), dask.delayed(_take, pure=True)
    parts = [take(number, blocks[number], some) for number, some in local_rows(X.chunks[0], rows)]
    return cast(FloatArray, aligned(dask.compute(dask.delayed(np.concatenate)(parts))[0]))


def normal_sums(kernel: Kernel, landmarks: FloatArray, data: Training) -> Sums:
    """Return the normal system of all rows."""
    centres, of_block = (dask.delayed(it, pure=True) for it in (landmarks, _of_block))
    return added(lambda number, *parts: of_block(number, kernel, centres, *parts), data)


def embedding_sums(basis: Basis, data: Training) -> Sums:
    """Return the same of the outputs, and of their kernel values to those of the landmarks."""
    known, of_block = (dask.delayed(it, pure=True) for it in (basis, _embedded))
    return added(lambda number, *parts: of_block(number, known, *parts), data)


def trace_sums(kernel: Kernel, landmarks: FloatArray, data: Training) -> Sums:
    """Return the normal system for a column of ones; `weight` is the trace of the kernel, `y_square` that of W."""
    centres, of_block = (dask.delayed(it, pure=True) for it in (landmarks, _traced))
    return added(lambda number, X, _, weights: of_block(number, kernel, centres, X, weights), data)


def added(of_block: Callable[..., Any], data: Training) -> Sums:
    """Return the sums of all blocks: of each where it is, then of pairs of blocks, pairs of pairs..."""
    plus = dask.delayed(Sums.plus, pure=True)
    columns = [
        [None] * data.X.numblocks[0] if array is None else blocks_of(array) for array in (data.X, data.y, data.weights)
    ]
    sums = [of_block(number, *parts) for number, parts in enumerate(zip(*columns, strict=True))]
    while len(sums) > 1:
        pairs = [plus(*sums[first : first + 2]) for first in range(0, len(sums) - 1, 2)]
        sums = pairs + sums[2 * len(pairs) :]
    found: Sums = dask.compute(sums[0])[0]
    # Workers send arrays wherever they fit in a message.
    return found._replace(square=aligned(found.square), right=aligned(found.right))


def _take(number: int, X: Any, rows: AnyArray) -> FloatArray:
    with of_partition(number):
        return _samples(X[rows])


def _of_block(number: int, kernel: Kernel, centres: FloatArray, X: Any, y: Any, weights: Any) -> Sums:
    """Return the sums of a block; one may be empty."""
    targets = np.asarray(y, dtype=np.float64).reshape(len(y), -1 if np.ndim(y) == 1 else y.shape[1])
    total = NormalSum(kernel, centres, targets.shape[1])
    with of_partition(number):
        if len(X) > 0:
            total.add(_samples(X), check_array(targets, "y", dtype=np.float64, order="C"), sample_weight=weights)
    return Sums(**total._system(), weight=float(len(X) if weights is None else np.sum(weights)))


def _embedded(number: int, basis: Basis, X: Any, y: Any, weights: Any) -> Sums:
    total = basis.empty_sum()
    with of_partition(number):
        if len(X) > 0:
            outputs = check_array(np.asarray(y), "y", dtype=np.float64, ensure_2d=False, order="C")
            total.add(_samples(X), basis.targets(outputs), sample_weight=weights)
    return Sums(**total._system(), weight=float(len(X) if weights is None else np.sum(weights)))


def _traced(number: int, kernel: Kernel, centres: FloatArray, X: Any, weights: Any) -> Sums:
    total, trace = NormalSum(kernel, centres, 1), 0.0
    with of_partition(number):
        if len(X) > 0:
            samples = _samples(X)
            total.add(samples, np.ones(len(samples)), sample_weight=weights)
            squares = diagonal(kernel, samples)
            trace = float(squares.sum() if weights is None else squares @ weights)
    return Sums(**total._system(), weight=trace)


def _samples(X: Any) -> FloatArray:
    return cast(FloatArray, check_array(X, "X", dtype=np.float64, order="C"))
