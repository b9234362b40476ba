# SPDX-License-Identifier: BSD-3-Clause
"""Some rows of dask arrays, which the client fetches to learn from them what does not need all rows."""

from typing import Any, NamedTuple

import dask
import numpy as np

from gramian._validation import LARGEST, AnyArray, FloatArray, aligned, check_whole
from gramian.dask.data import Training, blocks_of, local_rows, of_partition
from gramian.models._shared.compatibility import check_array
from gramian.models._shared.landmarks import IndexArray
from gramian.models._shared.weighted import check_sample_weight


class Sample(NamedTuple):
    """Rows with their targets and weights."""

    rows: IndexArray
    """Which ones, in ascending order."""
    X: FloatArray
    y: AnyArray
    weights: FloatArray | None

    @property
    def counted(self) -> IndexArray:
        """The rows whose weight is above 0."""
        return self.rows if self.weights is None else self.rows[self.weights > 0]


def sample_count(model: Any, n: int, least: int = 1) -> int:
    """Return how many of n rows the parameter of an estimator asks for; least: how many are needed."""
    return min(n, max(check_whole(model.sample_rows, "sample_rows", type(model).__name__, LARGEST), least))


def drawn_rows(n: int, count: int, seed: int, also: IndexArray) -> IndexArray:
    """Return rows that are drawn evenly from all partitions, and some that have to be among them."""
    if count >= n:
        return np.arange(n)
    # The fit to the sample draws with the seed itself.
    drawn = np.random.default_rng([seed, 1]).choice(n, count, replace=False)
    return np.union1d(drawn, also).astype(np.int64)


def fetch_sample(data: Training, rows: IndexArray) -> Sample:
    """Return these rows; the others stay where they are."""
    take, together = dask.delayed(_take, pure=True), dask.delayed(np.concatenate)
    where = list(local_rows(data.X.chunks[0], rows))
    columns = [None if array is None else blocks_of(array) for array in (data.X, data.y, data.weights)]
    parts = [
        None if blocks is None else together([take(number, blocks[number], some) for number, some in where])
        for blocks in columns
    ]
    X, y, weights = dask.compute(*parts)
    X = check_array(X, "X", dtype=np.float64, order="C")
    if weights is not None and len(rows) < len(data.X) and not np.any(weights):
        raise ValueError(
            f"All {len(rows)} rows of the sample have the sample_weight 0: raise sample_rows, or leave out the rows of "
            f"X whose weight is 0."
        )
    return Sample(rows, aligned(X), aligned(np.ascontiguousarray(y)), check_sample_weight(weights, X))


def _take(number: int, block: Any, rows: IndexArray) -> AnyArray:
    with of_partition(number):
        found = np.asarray(block[rows])
        return check_array(found, "X", dtype=np.float64) if found.ndim == 2 else found
