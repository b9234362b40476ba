# SPDX-License-Identifier: BSD-3-Clause
"""Questions to a conditional mean embedding that ask for a distribution of numbers: its weights are brought to one."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian import _core
from gramian._validation import (
    FLOAT64,
    FloatArray,
    as_array,
    check_columns,
    check_entries,
    check_rows,
    is_sparse,
    refused,
)
from gramian.models._shared.parts import new_points
from gramian.models._shared.samples import check_inputs, count_of

_NUMBERS_AT_A_TIME = 2**22
"""Weights that are held in memory together."""


class ConditionalDistribution:
    """What an embedding of numbers knows beside means: spread, quantiles, densities."""

    kernel_: Any
    X_fit_: Any
    Y_fit_: Any
    _mean: Any
    _mixing: FloatArray | None

    def quantile(self, X: Any, q: npt.ArrayLike = 0.5) -> FloatArray:
        """
        Return quantiles of the outputs given x.

        Parameters
        ----------
        X : as in `weights`
            New inputs.
        q : float or array-like of shape (r,), default=0.5
            Levels in [0, 1].

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, r)
            The smallest training output whose probability of not being exceeded reaches the level, for each level; with
            outputs of several columns, each column by itself, the last axis has the columns.
        """
        levels = check_entries(as_array(q, "q"), "q").astype(np.float64)
        if levels.ndim > 1 or levels.size == 0 or levels.min() < 0 or levels.max() > 1:
            raise refused("q", type(self).__name__, "a number in [0, 1] or a list of them", q)

        def of_weights(W: FloatArray, y: FloatArray) -> FloatArray:
            return _core.conditional_mean.quantiles(W, y, levels.ravel().tolist())

        found = np.stack([self._answers(X, column, of_weights) for column in self._columns()], axis=-1)
        found = found if levels.ndim else found[:, 0]
        return found[..., 0] if self.Y_fit_.ndim == 1 else found

    def interval(self, X: Any, coverage: float = 0.9) -> FloatArray:
        """
        Return intervals that an output lies in with a probability, with as much of it below as above.

        Parameters
        ----------
        X : as in `weights`
            New inputs.
        coverage : float, default=0.9
            The probability, in (0, 1).

        Returns
        -------
        ndarray of shape (n_samples, 2) or (n_samples, 2, p)
            Lower and upper ends.
        """
        if not 0 < coverage < 1:
            raise refused("coverage", type(self).__name__, "a number between 0 and 1", coverage)
        return self.quantile(X, [0.5 - 0.5 * coverage, 0.5 + 0.5 * coverage])

    def density(self, X: Any, y: npt.ArrayLike, bandwidth: float | None = None) -> FloatArray:
        """
        Return the density of an output given x: normal densities around the training outputs, with their weights.

        Parameters
        ----------
        X : as in `weights`
            New inputs.
        y : array-like of shape (g,)
            Where the density is asked for.
        bandwidth : float, optional
            The standard deviation of each normal density. None is Silverman's rule, for each x by itself.

        Returns
        -------
        ndarray of shape (n_samples, g)

        Raises
        ------
        ValueError
            If outputs have several columns, or one of x has all weight on one output and there is no bandwidth.
        """
        columns = self._columns()
        if len(columns) != 1:
            raise ValueError(f"density is of one output, and the training outputs have {len(columns)} columns.")
        if bandwidth is not None and not 0 < bandwidth < np.inf:
            raise refused("bandwidth", type(self).__name__, "None or a finite number above 0", bandwidth)
        at = np.ascontiguousarray(check_columns(y, "y")[0], dtype=FLOAT64)
        if at.shape[1] != 1:
            raise ValueError(f"y must have shape (g,), got {at.shape}.")
        return self._answers(
            X, columns[0], lambda W, own: _core.conditional_mean.densities(W, own, at, bandwidth or 0.0)
        )

    def cdf(self, X: Any, y: npt.ArrayLike) -> FloatArray:
        """
        Return the probability that an output given x is not above its own number; half of it for outputs that equal it.

        Of pairs of new inputs and their true outputs these values are uniform on [0, 1] if the embedding is calibrated:
        a histogram of them, the probability integral transform, is flat.

        Parameters
        ----------
        X : as in `weights`
            New inputs.
        y : array-like of shape (n_samples,) or (n_samples, p)
            A number, or p of them, for each.

        Returns
        -------
        ndarray of the shape of y
        """
        columns = self._columns()
        at, is_vector = check_columns(y, "y")
        check_rows(at, "y", count_of(X), "X")
        if at.shape[1] != len(columns):
            raise ValueError(f"y has {at.shape[1]} columns, but the training outputs have {len(columns)}.")
        at = at.astype(np.float64, copy=False)
        found = np.column_stack([self._pairs(X, column, at[:, [j]]) for j, column in enumerate(columns)])
        return found[:, 0] if is_vector else found

    def _pairs(self, X: Any, column: FloatArray, at: FloatArray) -> FloatArray:
        parts = [
            _core.conditional_mean.distribution_values(W, column, np.ascontiguousarray(at[rows]))
            for rows, W in self._blocks(X)
        ]
        return np.concatenate(parts)

    def _deviations(self, X: Any) -> FloatArray:
        """Return the standard deviation of each output given x."""
        outputs = np.column_stack([*self._columns()])
        found = self._answers(X, outputs, _core.conditional_mean.deviations)
        return found[:, 0] if self.Y_fit_.ndim == 1 else found

    def _answers(
        self, X: Any, outputs: FloatArray, answer: Callable[[FloatArray, FloatArray], FloatArray]
    ) -> FloatArray:
        return np.concatenate([answer(W, outputs) for _, W in self._blocks(X)])

    def _blocks(self, X: Any) -> Iterator[tuple[slice, FloatArray]]:
        """Return weights that are distributions, some rows at a time."""
        step = max(1, _NUMBERS_AT_A_TIME // len(self.Y_fit_))
        check_is_fitted(self)
        samples = check_inputs(self, self.kernel_, X, reset=False)
        for first in range(0, count_of(samples), step):
            rows = slice(first, first + step)
            inputs = new_points(self.kernel_, samples[rows], self.X_fit_)
            yield rows, self._as_distributions(self._mean.weights(inputs))

    def _as_distributions(self, weights: FloatArray) -> FloatArray:
        """Return the nearest weights that are distributions."""
        if self._mixing is not None:  # weights of a projection, which swing far beyond 0 and 1
            raise ValueError(
                "The weights are those of landmarks' outputs, which are no distribution, as samples were not kept. Use "
                "fit with arrays."
            )
        return _core.conditional_mean.on_simplex(weights)

    def _columns(self) -> list[FloatArray]:
        """Return the training outputs, each column as a matrix of one."""
        check_is_fitted(self)
        Y = self.Y_fit_
        if not isinstance(Y, np.ndarray) or Y.dtype.kind not in "fiub":
            what = "sparse" if is_sparse(Y) else "no numbers"
            raise ValueError(f"This is a question to outputs that are dense numbers, and those of the fit are {what}.")
        columns = np.asarray(Y, dtype=np.float64).reshape(len(Y), -1)
        return [np.ascontiguousarray(columns[:, [j]]) for j in range(columns.shape[1])]
