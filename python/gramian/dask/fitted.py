# SPDX-License-Identifier: BSD-3-Clause
"""Estimators whose fits are those of an estimator in memory."""

from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian._parametrised import Parametrised
from gramian._scikit import BaseEstimator
from gramian.dask.data import Training
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


def features_of(data: Training) -> dict[str, Any]:
    """Return the number of features, and their names if there are any."""
    names = {} if data.names is None else {NAMES: np.array(data.names, dtype=object)}
    return {"n_features_in_": int(data.X.shape[1]), **names}
