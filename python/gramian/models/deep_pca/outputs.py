# SPDX-License-Identifier: BSD-3-Clause
"""The features of all levels, or of one: their names, and how well samples can be reconstructed from them."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_is_fitted

from gramian._scikit import ClassNamePrefixFeaturesOutMixin
from gramian._validation import FloatArray, is_sparse
from gramian.models._shared.compatibility import output_container
from gramian.models._shared.weighted import check_sample_weight


class LevelOutputs(ClassNamePrefixFeaturesOutMixin, ABC):
    """For estimators that have `_levels`, the fitted `DeepKernelPCA` whose features they give."""

    def get_feature_names_out(self, input_features: Any = None, level: int | None = None) -> npt.NDArray[np.object_]:
        """
        Return the names of what `transform` gives.

        Parameters
        ----------
        input_features : ignored
            There for pipelines.
        level : int, optional
            Those of one level alone: ``model.transform(X)[model.get_feature_names_out(level=2)]`` is its part of a
            data frame.

        Returns
        -------
        ndarray of str
        """
        names = super().get_feature_names_out(input_features)
        if level is None:
            return names
        levels = self._levels()
        ends = np.cumsum([0] + [features.shape[1] for features in levels.hidden_features_])
        chosen = levels._check_level(level)
        return names[ends[chosen - 1] : ends[chosen]]

    def score(self, X: Any, y: Any = None, sample_weight: Any = None, *, level: int | None = None) -> float:
        r"""
        Return how well samples are reconstructed: :math:`1 - \sum_i \|x_i - \hat x_i\|^2 / \sum_i \|x_i - \bar x\|^2`.

        The reconstruction is ``inverse_transform(transform(X), level)``. It is the :math:`R^2` of scikit-learn with
        variance-weighted columns, and 1 minus the errors of `gramian.models.select_components`. Reconstructions are in
        the units of X, so kernels, their widths and numbers of components can be compared, as searches do.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (q, d)
            At least two samples in rows.
        y : ignored
            There for pipelines.
        sample_weight : array-like of shape (q,), optional
            Weights of the samples in both sums, of at least 0.
        level : int, optional
            The level that samples are reconstructed from; the last one if None.

        Returns
        -------
        float
            At most 1, the larger the better; 0 for reconstructions that are no better than the mean of X.
        """
        check_is_fitted(self)
        found = self.inverse_transform(self._codes(X, None), level=level)
        truth = X.toarray() if is_sparse(X) else np.asarray(X, dtype=np.float64)
        weights = check_sample_weight(sample_weight, truth)
        return float(r2_score(truth, found, sample_weight=weights, multioutput="variance_weighted"))

    @abstractmethod
    def inverse_transform(self, codes: Any, level: int | None = None) -> FloatArray:
        """Return samples that features stand for."""

    @abstractmethod
    def _codes(self, X: Any, level: int | None) -> FloatArray:
        """Transform, to an array whatever the output is set to."""

    @abstractmethod
    def _levels(self) -> Any:
        """Return the fitted `DeepKernelPCA`."""

    def _check_output(self, level: int | None) -> None:
        """Refuse one level where scikit-learn would put the names of all of them on it."""
        container = output_container(self)
        if level is not None and container != "default":
            raise ValueError(
                f"transform of {type(self).__name__} gives {container} output for all levels alone. Leave level out, "
                f"and take the columns get_feature_names_out(level={level}); or set_output(transform='default')."
            )
