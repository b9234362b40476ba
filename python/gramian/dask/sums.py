# SPDX-License-Identifier: BSD-3-Clause
"""Normal systems over the blocks of dask arrays, added in a tree that depends on their number only."""

from collections.abc import Callable, Sequence
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
    return cast(Sums, added(lambda number, *parts: of_block(number, kernel, centres, *parts), data))


def embedding_sums(basis: Basis, data: Training) -> Sums:
    """Return the same of the outputs, and of their kernel values to those of the landmarks."""
    known, of_block = (dask.delayed(it, pure=True) for it in (basis, _embedded))
    return cast(Sums, added(lambda number, *parts: of_block(number, known, *parts), data))


def trace_sums(kernel: Kernel, landmarks: FloatArray, data: Training) -> Sums:
    """Return the normal system for a column of ones; `weight` is the trace of the kernel, `y_square` that of W."""
    centres, of_block = (dask.delayed(it, pure=True) for it in (landmarks, _traced))
    return cast(Sums, added(lambda number, X, _, weights: of_block(number, kernel, centres, X, weights), data))


def added(of_block: Callable[..., Any], data: Training) -> Any:
    """Return the sums of all blocks; of_block: of the number of a block, its samples, targets and weights."""
    return tree_sum(of_block, (data.X, data.y, data.weights))


def tree_sum(of_block: Callable[..., Any], arrays: Sequence[Any]) -> Any:
    """
    Return the sums of all blocks: of each where it is, then of pairs of blocks, pairs of pairs...

    of_block: of the number of a block and those of the arrays there, delayed; sums are named tuples that have `plus`.
    """
    add = dask.delayed(plus, pure=True)
    count = next(array.numblocks[0] for array in arrays if array is not None)
    columns = [[None] * count if array is None else blocks_of(array) for array in arrays]
    sums = [of_block(number, *parts) for number, parts in enumerate(zip(*columns, strict=True))]
    while len(sums) > 1:
        pairs = [add(*sums[first : first + 2]) for first in range(0, len(sums) - 1, 2)]
        sums = pairs + sums[2 * len(pairs) :]
    found = dask.compute(sums[0])[0]
    # Workers send arrays wherever they fit in a message.
    return type(found)(*map(aligned, found))


def plus(one: Any, other: Any) -> Any:
    """Return the sums of both."""
    return one.plus(other)


def _take(number: int, X: Any, rows: AnyArray) -> FloatArray:
    with of_partition(number):
        return samples_of(X[rows])


def _of_block(number: int, kernel: Kernel, centres: FloatArray, X: Any, y: Any, weights: Any) -> Sums:
    """Return the sums of a block; one may be empty."""
    targets = np.asarray(y, dtype=np.float64).reshape(len(y), -1 if np.ndim(y) == 1 else y.shape[1])
    total = NormalSum(kernel, centres, targets.shape[1])
    with of_partition(number):
        if len(X) > 0:
            total.add(samples_of(X), check_array(targets, "y", dtype=np.float64, order="C"), sample_weight=weights)
    return Sums.of(total, float(len(X) if weights is None else np.sum(weights)))


def _embedded(number: int, basis: Basis, X: Any, y: Any, weights: Any) -> Sums:
    total = basis.empty_sum()
    with of_partition(number):
        if len(X) > 0:
            outputs = check_array(np.asarray(y), "y", dtype=np.float64, ensure_2d=False, order="C")
            total.add(samples_of(X), basis.targets(outputs), sample_weight=weights)
    return Sums.of(total, float(len(X) if weights is None else np.sum(weights)))


def _traced(number: int, kernel: Kernel, centres: FloatArray, X: Any, weights: Any) -> Sums:
    total, trace = NormalSum(kernel, centres, 1), 0.0
    with of_partition(number):
        if len(X) > 0:
            samples = samples_of(X)
            total.add(samples, np.ones(len(samples)), sample_weight=weights)
            squares = diagonal(kernel, samples)
            trace = float(squares.sum() if weights is None else squares @ weights)
    return Sums.of(total, trace)


def samples_of(X: Any) -> FloatArray:
    """Return a block of samples as the engine takes it."""
    return cast(FloatArray, check_array(X, "X", dtype=np.float64, order="C"))


def check_weights(weights: Any, rows: int) -> FloatArray:
    """Return the weights of a block, which may all be 0."""
    checked = check_array(np.asarray(weights), "sample_weight", dtype=np.float64, ensure_2d=False, order="C")
    if len(checked) != rows or (checked < 0).any():
        raise ValueError("sample_weight must hold numbers of at least 0: a sample can't be there less than never.")
    return cast(FloatArray, aligned(checked))
