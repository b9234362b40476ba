# SPDX-License-Identifier: BSD-3-Clause
"""What a trained deep kernel PCA says of its training."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian import _core
from gramian._validation import IntArray, check_real
from gramian.kernels import Kernel
from gramian.kernels.choice import is_function
from gramian.models._shared.estimator import Estimator
from gramian.models._shared.samples import alike, cross_source, source
from gramian.models.deep_pca.fit import training_points


class TrainingFacts(Estimator):
    """A fitted `DeepKernelPCA`."""

    kernels_: list[Any]
    X_fit_: Any
    landmarks_: IntArray | None
    _primal: float

    def primal_objective(self, c: float | None = None) -> float:
        r"""
        Return the objective in the feature spaces at the end of the training, [DKPCA] (5).

        Parameters
        ----------
        c : float, optional
            Above 0: the stabilised form :math:`J + c J^2 / 2` is returned, which has the same stationary points.

        Returns
        -------
        float
        """
        check_is_fitted(self)
        if c is None:
            return float(self._primal)
        return float(_core.deep_pca.stabilised_objective(self._primal, check_real(c, "c", "primal_objective")))

    def approximation_bounds(self, X: Any = None) -> dict[str, float]:
        r"""
        Return :math:`\|K_1 / \eta_1 - H_1 \Lambda_1 H_1^T\|` and what bounds it, [DKPCA] Lemma 4.1, corrected.

        For two levels with a linear second kernel. Takes O(n^2 d) time.

        Parameters
        ----------
        X : Gram matrix of shape (n, n), optional
            That of the training; only with a precomputed one.

        Returns
        -------
        dict
            ``"lower"``, ``"error"`` and ``"upper"``; the last is NaN where an eigenvalue of the first level is below 0.
        """
        check_is_fitted(self)
        samples = self._training_samples(X)
        if samples is None:
            raise ValueError("With a precomputed kernel the Gram matrix of the training is needed: pass it as X.")
        found = self._predictor.bounds(training_points(self.kernels_[0], samples))
        return {"lower": found.lower, "error": found.error, "upper": found.upper}

    def _training_samples(self, X: Any) -> Any:
        """Return what was trained on; with a precomputed kernel its part of the Gram matrix X, or None without one."""
        if is_function(self.kernels_[0]):
            return source(self.kernels_[0], self.X_fit_)
        if self.X_fit_ is not None or X is None:
            return self.X_fit_
        samples = self._check_samples(self, X, accept_sparse=False, reset=False)
        return samples if self.landmarks_ is None else samples[np.ix_(self.landmarks_, self.landmarks_)]

    def _fresh(self, X: Any) -> Any:
        """Return new samples as the first kernel compares them: themselves, or inner products with the training."""
        samples = self._check_samples(self, X, accept_sparse=self.X_fit_ is not None and "csr", reset=False)
        kernel, training = self.kernels_[0], self.X_fit_
        if isinstance(kernel, Kernel):
            return alike(training, samples)
        if training is None:
            return samples if self.landmarks_ is None else samples[:, self.landmarks_]
        return cross_source(kernel, samples, training)
