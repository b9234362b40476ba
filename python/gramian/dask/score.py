# SPDX-License-Identifier: BSD-3-Clause
"""Scores of fitted estimators on dask arrays and dataframes, computed where the rows are."""

from typing import Any

import dask
import dask.array as da
import numpy as np

from gramian._validation import FloatArray
from gramian.dask.blocks import mapped
from gramian.dask.data import Training
from gramian.models.dependency.outputs import losses


class Reconstruction:
    """What becomes of samples that are transformed and back."""

    def __init__(self, fitted: Any) -> None:
        self.fitted = fitted

    def predict(self, X: Any) -> Any:
        """Return the samples that the features of these stand for."""
        return self.fitted.inverse_transform(self.fitted.transform(X))


def score_of_targets(fitted: Any, data: Training) -> float:
    """Return the coefficient of determination of predictions, the mean of those of all targets."""
    left, of_all = _squares(data, mapped(fitted, "predict", data.X, data.names), data.y)
    constant = of_all == 0
    return float(np.mean(np.where(constant, left == 0, 1 - left / np.where(constant, 1, of_all))))


def accuracy(fitted: Any, data: Training) -> float:
    """Return the share of labels that are predicted."""
    found = mapped(fitted, "predict", data.X, data.names)
    right = da.map_blocks(_right, found, data.y, dtype=np.float64, meta=np.empty(0))
    return _mean(right, data.weights)


def score_of_losses(fitted: Any, data: Training) -> float:
    """Return minus the mean of the losses of predictions, as `gramian.DependencyRegressor.loss` has it."""
    found = mapped(fitted, "predict", data.X, data.names)
    truth = _columns(data.y)
    lost = da.map_blocks(
        _lost, _columns(found), truth, dask.delayed(fitted), drop_axis=1, dtype=np.float64, meta=np.empty(0)
    )
    return -_mean(lost, data.weights)


def score_of_samples(fitted: Any, data: Training) -> float:
    """Return the same of reconstructions of the samples, their columns together."""
    found = mapped(Reconstruction(fitted), "predict", data.X, data.names)
    left, of_all = (float(squares.sum()) for squares in _squares(data, found, data.X))
    return 1 - left / of_all if of_all > 0 else float(left == 0)


def _squares(data: Training, found: Any, truth: Any) -> tuple[Any, Any]:
    """Return weighted sums of squares over all rows, of what is left and of the deviations from the mean."""
    weights = da.ones(len(data.X), chunks=data.X.chunks[0]) if data.weights is None else data.weights
    weights, truth, found = weights[:, None], _columns(truth), _columns(found)
    mean = (weights * truth).sum(axis=0) / weights.sum()
    left, of_all = dask.compute(
        (weights * (truth - found) ** 2).sum(axis=0), (weights * (truth - mean) ** 2).sum(axis=0)
    )
    return left, of_all


def _columns(targets: Any) -> Any:
    return targets[:, None] if targets.ndim == 1 else targets


def _right(found: Any, truth: Any) -> FloatArray:
    right: FloatArray = np.equal(np.asarray(found), np.asarray(truth)).astype(np.float64)
    return right


def _lost(found: Any, truth: Any, fitted: Any) -> FloatArray:
    lost: FloatArray = losses(fitted, truth, found, None)
    return lost


def _mean(values: Any, weights: Any) -> float:
    """Return the mean over all rows."""
    if weights is None:
        return float(values.mean())
    total, of_all = dask.compute((weights * values).sum(), weights.sum())
    return float(total / of_all)
