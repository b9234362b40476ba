# SPDX-License-Identifier: BSD-3-Clause
"""Fits to normal equations: of rows that are read by blocks, and of samples that arrive in parts."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian.models._shared.samples import rows_of
from gramian.points import SourcePoints

_ROWS_FOR_A_KERNEL = 2000


def require_room(landmarks: int, matrices: int, advice: str = "use fewer landmarks") -> None:
    """Raise an error if so many matrices of a normal system would not fit into memory."""
    size = matrices * landmarks * landmarks * np.dtype(np.float64).itemsize
    _core.base.require_memory(size, "the normal system", advice)


def rows_in(samples: Any) -> int:
    """Return the number of samples, which may be read by blocks."""
    return int(samples.rows if isinstance(samples, SourcePoints) else samples.shape[0])


def seen(samples: Any) -> Any:
    """Return samples that a kernel is chosen by: of those that are read, some from all parts."""
    return some_rows(samples, rows_seen(samples)) if isinstance(samples, SourcePoints) else samples


def rows_seen(samples: SourcePoints) -> npt.NDArray[np.int64]:
    """Return some rows from all parts of those that are read."""
    return np.linspace(0, samples.rows - 1, min(samples.rows, _ROWS_FOR_A_KERNEL)).astype(np.int64)


def some_rows(samples: Any, rows: npt.NDArray[np.int64]) -> Any:
    """Return some samples, in this order."""
    if not isinstance(samples, SourcePoints):
        return rows_of(samples, rows)
    return np.vstack([samples.block(int(row), 1, np.dtype(np.float64)) for row in rows])


def require_known(model: Any, X: Any) -> None:
    """Raise an error unless a model has sums that these samples can be added to."""
    if model._sum is False:
        raise ValueError(
            f"This {model._owner} comes from a file, which has no normal equations to add to: use "
            f"sklearn.base.clone of it, and all samples."
        )
    features = X.dimension if isinstance(X, SourcePoints) else X.shape[1]
    if features != model.n_features_in_:
        raise ValueError(
            f"X has {features} features, but {model._owner} is expecting {model.n_features_in_} features as input."
        )
