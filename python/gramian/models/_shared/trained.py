# SPDX-License-Identifier: BSD-3-Clause
"""What all estimators declare whose fit has iterations: who may watch and end it, and how it ended."""

from typing import Any

from gramian._validation import AnyArray, FloatArray
from gramian.models._shared.estimator import Estimator
from gramian.models._shared.types import Callback, CheckpointPath


class TrainedEstimator(Estimator):
    """An estimator whose fit may be watched, ended and continued; `watched` reads these parameters."""

    callback: Callback | None
    verbose: int
    max_time: float | None
    checkpoint: CheckpointPath
    checkpoint_every: int | None

    n_iter_: int
    stop_reason_: str
    history_: dict[str, AnyArray]
    objective_: float


class LayeredEstimator(TrainedEstimator):
    """An estimator of layers that are trained together."""

    kernels_: list[Any]
    operators_: list[FloatArray | None]
    coefficients_: list[FloatArray]
    supports_: list[Any]
    squared_norms_: FloatArray
    stationarity_: float
    jitter_: float
    last_layer_: str
    init_objectives_: FloatArray
