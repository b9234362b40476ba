# SPDX-License-Identifier: BSD-3-Clause
"""The distribution of an output given an input, and whether it is the right one."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian._validation import FloatArray, check_columns, check_whole
from gramian.plots._axes import COLORS, LARGEST, axes, drawn

_MARGIN = 0.1
"""Of the outputs' range, on each side."""


@dataclass(repr=False, eq=False)
class ConditionalDensityDisplay:
    """
    The density of an output over one input, each column a density by itself, with its median.

    Parameters
    ----------
    inputs : ndarray of shape (q,)
        Values of the input.
    outputs : ndarray of shape (g,)
        Values of the output.
    density : ndarray of shape (q, g)
        Densities of the output.
    median : ndarray of shape (q,)
        Medians.

    Attributes
    ----------
    ax_, figure_
        Where it was plotted.

    Examples
    --------
    >>> import numpy as np
    >>> import gramian
    >>> x = np.linspace(0, 1, 50)[:, None]
    >>> model = gramian.ConditionalMeanEmbedding(penalty=1e-4).fit(x, np.sin(3 * x[:, 0]))
    >>> gramian.ConditionalDensityDisplay.from_estimator(model, x).density.shape
    (100, 200)
    """

    inputs: FloatArray
    outputs: FloatArray
    density: FloatArray
    median: FloatArray

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        feature: int = 0,
        bandwidth: float | None = None,
        grid_resolution: tuple[int, int] = (100, 200),
        ax: Any = None,
        **options: Any,
    ) -> "ConditionalDensityDisplay":
        """
        Evaluate a conditional mean embedding over the range of one feature, and plot its densities.

        Parameters
        ----------
        estimator : fitted ConditionalMeanEmbedding
            Of one output.
        X : array-like of shape (n, d)
            Samples: the grid has the range of one feature, and the medians of the others.
        feature : int, default=0
            Which feature.
        bandwidth : float, optional
            That of `density` of the estimator.
        grid_resolution : tuple of int, default=(100, 200)
            Points of the input, and of the output.
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.pcolormesh``.

        Returns
        -------
        ConditionalDensityDisplay
            The display, plotted.

        Raises
        ------
        TypeError, ValueError
            If the estimator has no density, or X not this feature.
        """
        owner = cls.__name__
        check_is_fitted(estimator)
        if not hasattr(estimator, "density"):
            raise TypeError(f"{owner} needs a ConditionalMeanEmbedding. Got {estimator!r} instead.")
        points = check_columns(X, "X")[0].astype(np.float64)
        if not 0 <= int(feature) < points.shape[1]:
            raise ValueError(f"feature must be one of the {points.shape[1]} columns of X. Got {feature!r} instead.")
        across, up = (check_whole(count, "grid_resolution", owner, LARGEST) for count in grid_resolution)
        inputs = np.linspace(points[:, feature].min(), points[:, feature].max(), across)
        grid = np.tile(np.median(points, axis=0), (across, 1))
        grid[:, feature] = inputs
        low, high = float(np.min(estimator.Y_fit_)), float(np.max(estimator.Y_fit_))
        room = _MARGIN * (high - low)
        outputs = np.linspace(low - room, high + room, up)
        found = estimator.density(grid, outputs, bandwidth)
        return cls(inputs, outputs, found, estimator.quantile(grid)).plot(ax=ax, **options)

    def plot(self, *, ax: Any = None, **options: Any) -> "ConditionalDensityDisplay":
        """
        Plot a map, and the medians as a line.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.pcolormesh``.

        Returns
        -------
        ConditionalDensityDisplay
            The display itself, with ``ax_`` and ``figure_``.
        """
        ax = axes(ax)
        shades = {"cmap": "Blues", "shading": "nearest", **options}
        ax.figure.colorbar(ax.pcolormesh(self.inputs, self.outputs, self.density.T, **shades), ax=ax, label="density")
        ax.plot(self.inputs, self.median, color=COLORS[5], label="median")
        ax.set(xlabel="input", ylabel="output")
        ax.legend()
        return drawn(self, ax)


@dataclass(repr=False, eq=False)
class PITDisplay:
    """
    The probability integral transform: how often true outputs are where in their distributions. Flat is calibrated.

    Bars that are high at both ends mean distributions that are too narrow, bars that are high in the middle ones that
    are too wide, and bars that rise or fall ones that are too low or too high.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Of the distribution functions at the true outputs.

    Attributes
    ----------
    ax_, figure_
        Where it was plotted.

    Examples
    --------
    >>> import numpy as np
    >>> import gramian
    >>> x, noise = np.random.default_rng(0).normal(size=(2, 300))
    >>> model = gramian.ConditionalMeanEmbedding().fit(x[:200, None], x[:200] + noise[:200])
    >>> gramian.PITDisplay.from_estimator(model, x[200:, None], x[200:] + noise[200:]).values.shape
    (100,)
    """

    values: FloatArray

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: npt.ArrayLike, *, ax: Any = None, **options: Any
    ) -> "PITDisplay":
        """
        Evaluate distribution functions at true outputs, and plot their histogram.

        Parameters
        ----------
        estimator : fitted ConditionalMeanEmbedding
            Of one output.
        X, y : as `cdf` of the estimator takes them
            Pairs that were held out.
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.hist``.

        Returns
        -------
        PITDisplay
            The display, plotted.

        Raises
        ------
        TypeError
            If the estimator has no distribution function.
        """
        check_is_fitted(estimator)
        if not hasattr(estimator, "cdf"):
            raise TypeError(f"{cls.__name__} needs a ConditionalMeanEmbedding. Got {estimator!r} instead.")
        return cls(np.ravel(estimator.cdf(X, y))).plot(ax=ax, **options)

    def plot(self, *, ax: Any = None, **options: Any) -> "PITDisplay":
        """
        Plot a histogram, and the line that calibrated values follow.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.hist``.

        Returns
        -------
        PITDisplay
            The display itself, with ``ax_`` and ``figure_``.
        """
        ax = axes(ax)
        ax.hist(self.values, **{"bins": 10, "range": (0, 1), "density": True, "color": COLORS[0], **options})
        ax.axhline(1.0, color="black", linewidth=1, label="calibrated")
        ax.set(xlabel="probability of a smaller output", ylabel="density of true outputs", xlim=(0, 1))
        ax.legend()
        return drawn(self, ax)
