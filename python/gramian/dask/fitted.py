# SPDX-License-Identifier: BSD-3-Clause
"""Estimators whose fits are those of an estimator in memory."""

from typing import Any, ClassVar, Generic, TypeVar, cast

import dask
import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian._parametrised import Parametrised
from gramian._scikit import BaseEstimator, MultiOutputMixin, RegressorMixin
from gramian.dask.data import Training, training
from gramian.dask.score import score_of_targets
from gramian.models._shared.estimator import Estimator

NAMES = "feature_names_in_"
InMemoryT = TypeVar("InMemoryT", bound=Estimator)
EstimatorT = TypeVar("EstimatorT", bound="FittedInMemory[Any]")


class FittedInMemory(Parametrised, BaseEstimator, Generic[InMemoryT]):
    """An estimator that holds one of gramian, which is fitted to all partitions."""

    _learned: ClassVar[tuple[str, ...]] = ()
    """Attributes that are those of the estimator in memory."""

    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    _estimator: InMemoryT

    def _become(self: EstimatorT, learned: InMemoryT) -> EstimatorT:
        self.__dict__.pop(NAMES, None)
        for name in (*self._learned, "n_features_in_", *([NAMES] if hasattr(learned, NAMES) else [])):
            setattr(self, name, getattr(learned, name))
        self._estimator = learned
        return self

    def to_estimator(self) -> InMemoryT:
        """
        Return the fitted estimator of gramian, which needs no dask.

        Returns
        -------
        estimator
        """
        check_is_fitted(self)
        return self._estimator

    def save(self, path: Any) -> None:
        """
        Write the fitted estimator to a file, from which `gramian.load` makes one of gramian.

        Parameters
        ----------
        path : str or path-like
            The file; one that is there is replaced.
        """
        self.to_estimator().save(path)


class FittedRegressor(MultiOutputMixin, RegressorMixin, FittedInMemory[InMemoryT]):
    """One that predicts targets."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """
        Return the coefficient of determination of `predict`, the mean of those of all targets.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d), or array-like
            Samples in rows.
        y : dask array, series or dataframe of shape (n,) or (n, n_targets), or array-like
            The targets.
        sample_weight : dask array or series of shape (n,), or array-like
            Weights; 1 if None.

        Returns
        -------
        float
            At most 1, which is that of exact predictions; the mean of y as the prediction has 0.
        """
        if not dask.is_dask_collection(X):
            return float(cast(RegressorMixin, self.to_estimator()).score(X, y, sample_weight))
        return score_of_targets(self.to_estimator(), training(X, y, sample_weight))


def features_of(data: Training) -> dict[str, Any]:
    """Return the number of features, and their names if there are any."""
    names = {} if data.names is None else {NAMES: np.array(data.names, dtype=object)}
    return {"n_features_in_": int(data.X.shape[1]), **names}
