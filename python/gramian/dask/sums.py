# SPDX-License-Identifier: BSD-3-Clause
"""Normal systems over the blocks of dask arrays, added in a tree that depends on their number only."""

from typing import Any, cast

import dask
import numpy as np

from gramian._validation import AnyArray, FloatArray
from gramian.dask.data import Training, blocks_of, local_rows, of_partition
from gramian.kernels import Kernel
from gramian.models._shared.compatibility import check_array
from gramian.models.kernel_ridge.sums import Sums
from gramian.normal import NormalSum


def fetch_rows(X: Any, rows: AnyArray) -> FloatArray:
    """Return some rows of an array, which ascend; the others stay where they are."""
    blocks, take = blocks_of(X), dask.delayed(_take, pure=True)
    parts = [take(number, blocks[number], some) for number, some in local_rows(X.chunks[0], rows)]
    return cast(FloatArray, dask.compute(dask.delayed(np.concatenate)(parts))[0])


def normal_sums(kernel: Kernel, landmarks: FloatArray, data: Training) -> Sums:
    """Return the normal system of all rows: of each block where it is, then of pairs of blocks, pairs of pairs..."""
    centres, of_block, plus = (dask.delayed(it, pure=True) for it in (landmarks, _of_block, Sums.plus))
    columns = [
        [None] * data.X.numblocks[0] if array is None else blocks_of(array) for array in (data.X, data.y, data.weights)
    ]
    sums = [of_block(number, kernel, centres, *parts) for number, parts in enumerate(zip(*columns, strict=True))]
    while len(sums) > 1:
        pairs = [plus(*sums[first : first + 2]) for first in range(0, len(sums) - 1, 2)]
        sums = pairs + sums[2 * len(pairs) :]
    return cast(Sums, dask.compute(sums[0])[0])


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


def _samples(X: Any) -> FloatArray:
    return cast(FloatArray, check_array(X, "X", dtype=np.float64, order="C"))
