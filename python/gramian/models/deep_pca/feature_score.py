# SPDX-License-Identifier: BSD-3-Clause
"""How well samples can be reconstructed; where they have only a kernel, in the feature space of that kernel."""

from abc import abstractmethod
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian._validation import FloatArray
from gramian.models._shared.estimator import Estimator
from gramian.models._shared.feature_space import known_squares
from gramian.models._shared.samples import squared_norms
from gramian.models._shared.weighted import check_sample_weight
from gramian.models.deep_pca.counted import mean_of, share_of
from gramian.models.deep_pca.outputs import LevelOutputs


class ScoredInFeatureSpace(LevelOutputs, Estimator):
    """A fitted `DeepKernelPCA`."""

    hidden_features_: list[FloatArray]
    kernels_: list[Any]
    eta_: FloatArray
    X_fit_: Any
    _centred: bool
    _weights: FloatArray | None
    _diagonal: FloatArray | None
    _products: FloatArray
    """Of the columns of the basis and of the mean, if the first level sees inner products only."""

    def score(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        level: int | None = None,
        diag: npt.ArrayLike | None = None,
    ) -> float:
        r"""
        Return how well samples are reconstructed: :math:`1 - \sum_i \|x_i - \hat x_i\|^2 / \sum_i \|x_i - \bar x\|^2`.

        The reconstruction is ``inverse_transform(transform(X), level)``. It is the :math:`R^2` of scikit-learn with
        variance-weighted columns, and 1 minus the errors of `gramian.models.select_components`. Reconstructions are in
        the units of X, so kernels, their widths and numbers of components can be compared, as searches do.

        With a precomputed kernel, or a function, there are no samples in vectors, and the same is taken in the feature
        space of that kernel, from the features of the first level: :math:`\phi(x_i)` stands for :math:`x_i`,
        `weights` make its reconstruction, and :math:`\bar x` is the mean of the training. Such scores compare models
        of one kernel.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (q, d), or (q, n) inner products with the samples of `fit`
            At least two samples in rows.
        y : ignored
            There for pipelines.
        sample_weight : array-like of shape (q,), optional
            Weights of the samples in both sums, of at least 0.
        level : int, optional
            The level that samples are reconstructed from. The last one if None; the first one for a precomputed kernel
            or a function, where there is no other.
        diag : array-like of shape (q,), optional
            With a precomputed kernel the inner products of the samples with themselves. Without it they are taken to be
            those of the training samples, if these are all the same.

        Returns
        -------
        float
            At most 1, the larger the better; 0 for reconstructions that are no better than the mean.
        """
        check_is_fitted(self)
        if not self._by_products:
            if diag is not None:
                raise ValueError("diag is only for a precomputed kernel.")
            return super().score(X, y, sample_weight, level=level)
        if level is not None and self._check_level(level) > 1:
            raise ValueError(
                "With a precomputed kernel or a function samples are reconstructed from level 1 only: use level=1, or "
                "leave level out."
            )
        cross = np.asarray(self._fresh(X))
        squares = self._squares_of(X, len(cross), diag)
        basis = reconstruction_basis(self.hidden_features_[0], float(self.eta_[0]), self._centred, self._weights)
        spread = squares - 2.0 * (cross @ share_of(self._weights, cross.shape[1])) + self._products[-1, -1]
        return feature_score(self._codes(X, 1), cross, squares, spread, basis, self._products, sample_weight)

    def _squares_of(self, X: Any, count: int, diag: npt.ArrayLike | None) -> FloatArray:
        """Return the squared norms of samples in the feature space of a kernel that is precomputed or a function."""
        if self.X_fit_ is None:
            return known_squares(diag, count, cast(FloatArray, self._diagonal), "kernels", "X")
        if diag is not None:
            raise ValueError("diag is only for a precomputed kernel.")
        return squared_norms(self.kernels_[0], self._check_samples(self, X, reset=False))

    @property
    @abstractmethod
    def _by_products(self) -> bool:
        """Whether the first level sees inner products only."""

    @abstractmethod
    def _check_level(self, level: int | None) -> int:
        """Return the number of a level, from 1."""

    @abstractmethod
    def _fresh(self, X: Any) -> Any:
        """Return new samples as the first kernel compares them."""


def reconstruction_basis(H: FloatArray, eta: float, centred: bool, weights: FloatArray | None) -> FloatArray:
    """Return B: features a of level 1 stand for sum_i (B a')_i phi(x_i), where a' is a and a 1 behind it, (A.3)."""
    own = (H - mean_of(H, weights) if centred else H) / eta
    own = own if weights is None else own * weights[:, None]
    return np.column_stack([own, share_of(weights, len(H)) if centred else np.zeros(len(H))])


def known_of_products(K: FloatArray, learned: dict[str, Any]) -> dict[str, Any]:
    """Return what is kept of a Gram matrix: its diagonal, and the products of the columns of B and of the mean."""
    weights = learned["_weights"]
    B = reconstruction_basis(learned["hidden_features_"][0], float(learned["eta_"][0]), learned["_centred"], weights)
    columns = np.column_stack([B, share_of(weights, len(B))])
    return {"_diagonal": np.diagonal(K).copy(), "_products": columns.T @ (K @ columns)}


def feature_score(
    codes: FloatArray,
    cross: FloatArray,
    squares: FloatArray,
    spread: FloatArray,
    B: FloatArray,
    products: FloatArray,
    sample_weight: Any,
) -> float:
    """Return 1 minus the squared errors of reconstructions over `spread`, the squared distances from the mean."""
    weights = check_sample_weight(sample_weight, codes)
    a = np.column_stack([codes, np.ones(len(codes))])
    errors = squares - 2.0 * np.einsum("ij,ij->i", a, cross @ B) + np.einsum("ij,ij->i", a @ products[:-1, :-1], a)
    return float(1.0 - np.average(errors, weights=weights) / np.average(spread, weights=weights))
