# SPDX-License-Identifier: BSD-3-Clause
"""The way back of a deep kernel PCA: pre-images, samples, traversals."""

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian import _core
from gramian._memory import advising
from gramian._validation import (
    LARGEST_SIZE,
    FloatArray,
    check_matrix,
    check_shape,
    check_vector,
    check_whole,
)
from gramian._warning import warn
from gramian.kernels import Kernel
from gramian.models._shared.estimator import Estimator
from gramian.models._shared.precision import preserves_dtype
from gramian.models.deep_pca.counted import mean_of

_STEPS = 7


class Generation(Estimator):
    """What a fitted model generates, [DKPCA] Sec. 3.3."""

    hidden_features_: list[FloatArray]
    kernels_: list[Any]
    X_fit_: Any
    _weights: FloatArray | None

    @preserves_dtype
    def inverse_transform(self, codes: npt.ArrayLike, level: int | None = None) -> FloatArray:
        r"""
        Return samples that features stand for, [DKPCA] (10).

        From level to level down: :math:`a^{(j)} = \varphi_j^{-1}(W_j a^{(j+1)})`, as `inverse` says.

        Parameters
        ----------
        codes : array-like of shape (q, s_level), or of as many columns as `transform` returns
            Features; of the latter those of the level are taken.
        level : int, optional
            Where to begin; the last level if None, as in the paper. From level 1 less is lost.

        Returns
        -------
        ndarray of shape (q, d)
            Dense, whatever the training samples were.

        Raises
        ------
        ValueError
            With a precomputed Gram matrix, where there are no samples: see `weights`.
        """
        start = self._check_level(level)
        return self._generate(self._check_codes(codes, start), start)

    def weights(self, codes: npt.ArrayLike, level: int = 1) -> FloatArray:
        r"""
        Return weights c with which features a of a level stand for :math:`W_j a = \sum_i c_i \varphi_j(x_i)`.

        Parameters
        ----------
        codes : as in `inverse_transform`
            Features.
        level : int, default=1
            Theirs.

        Returns
        -------
        ndarray of shape (q, n)
            A weight for each sample that the model was trained on.
        """
        start = self._check_level(level)
        found: FloatArray = self._predictor.weights(start, self._check_codes(codes, start))
        return found

    def sample(self, n_samples: int = 1, level: int | None = None, random_state: Any = None) -> FloatArray:
        """
        Draw new samples: features from the normal distribution with the moments of the training's, taken back.

        Parameters
        ----------
        n_samples : int, default=1
            How many.
        level : int, optional
            Where features are drawn; the last level if None.
        random_state : int, numpy Generator, RandomState or None, default=None
            What they are drawn from.

        Returns
        -------
        ndarray of shape (n_samples, d)
        """
        start = self._check_level(level)
        count = check_whole(n_samples, "n_samples", "sample", LARGEST_SIZE)
        features = self._features(start)
        rng = random_state if hasattr(random_state, "standard_normal") else np.random.default_rng(random_state)
        middle = mean_of(features, self._weights)
        # Rows of noise times centred features have their covariance, whatever its rank.
        noise = rng.standard_normal((count, len(features))) / np.sqrt(len(features))
        spread = features - middle
        if self._weights is not None:
            spread *= np.sqrt(self._weights / self._weights.mean())[:, None]
        return self._generate(middle + noise @ spread, start)

    def traverse(
        self, level: int, component: int, values: npt.ArrayLike | None = None, base: npt.ArrayLike | None = None
    ) -> FloatArray:
        """
        Return what changes with one component, while the others stay.

        Parameters
        ----------
        level : int
            The level, from 1 on.
        component : int
            The column of its features, from 0 on.
        values : array-like of shape (q,), optional
            What the component becomes; seven steps over the range of the training if None.
        base : array-like of shape (s_level,), optional
            The features that it starts from; the mean of the training if None.

        Returns
        -------
        ndarray of shape (q, d)
            A sample for each value.
        """
        start = self._check_level(level)
        features = self._features(start)
        count = features.shape[1]
        column = 0 if isinstance(component, int | np.integer) and component == 0 else None
        if column is None:
            column = check_whole(component, "component", "traverse", count - 1)
        steps = _range(features[:, column]) if values is None else np.atleast_1d(np.asarray(values, dtype=np.float64))
        if steps.ndim != 1 or not np.isfinite(steps).all():
            raise ValueError(f"values must be finite numbers in one dimension, got shape {steps.shape}.")
        middle = (
            mean_of(features, self._weights) if base is None else check_vector(base, "base", count, f"level {start}")
        )
        codes = np.tile(np.asarray(middle, dtype=np.float64), (len(steps), 1))
        codes[:, column] = steps
        return self._generate(codes, start)

    @property
    def _by_products(self) -> bool:
        """Whether the first level sees inner products only."""
        return not isinstance(self.kernels_[0], Kernel)

    def _features(self, level: int) -> FloatArray:
        return self.hidden_features_[level - 1]

    def _check_level(self, level: int | None) -> int:
        check_is_fitted(self)
        depth = len(self.hidden_features_)
        return depth if level is None else check_whole(level, "level", type(self).__name__, depth)

    def _check_codes(self, codes: npt.ArrayLike, level: int) -> FloatArray:
        matrix = check_matrix(codes, "codes").astype(np.float64, copy=False)
        sizes = [features.shape[1] for features in self.hidden_features_]
        if matrix.shape[1] == sum(sizes):
            first = sum(sizes[: level - 1])
            return np.ascontiguousarray(matrix[:, first : first + sizes[level - 1]])
        check_shape(matrix, "codes", (len(matrix), sizes[level - 1]))
        return np.ascontiguousarray(matrix)

    def _check_inverse(self) -> _core.deep_pca.InverseOptions:
        method = _core.deep_pca.Inverse[self._checked("inverse")]
        return _core.deep_pca.InverseOptions(method=method, ridge=self._checked("inverse_alpha"))

    def _generate(self, codes: FloatArray, level: int) -> FloatArray:
        if self._by_products:
            raise ValueError(
                "With a precomputed kernel or a function there are no samples to return as vectors: use weights(codes)."
            )
        with advising("use inverse='fixed_point' with Gaussian kernels, or fit with fewer landmarks"):
            found: _core.deep_pca.Preimages = self._predictor.invert(level, codes)
        total = len(found.converged)
        astray = int(total - np.count_nonzero(found.converged))
        if astray:
            warn(
                f"{astray} of {total} pre-images did not converge: their features may stand for nothing near "
                f"the data. inverse='ridge' has no such case."
            )
        return found.points


def _range(column: FloatArray) -> FloatArray:
    return np.linspace(column.min(), column.max(), _STEPS)
