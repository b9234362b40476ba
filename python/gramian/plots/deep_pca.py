# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of a deep kernel PCA: explained variance, traversals, and how levels hang together."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian._validation import FloatArray, check_whole
from gramian.plots._axes import LARGEST, axes, check_image_shape, draw_sample, drawn, pyplot


@dataclass(repr=False, eq=False)
class ExplainedVarianceDisplay:
    """
    Bars and cumulated lines of explained variance for each level, beside those of one level alone, [DKPCA] Fig. 9.

    Parameters
    ----------
    levels : list of ndarray
        Explained variance ratios of each level.
    shallow : ndarray, or None
        Those of kernel PCA with the first kernel.

    Attributes
    ----------
    ax_, figure_
        Where it was plotted.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_iris
    >>> X = load_iris().data
    >>> model = gramian.DeepKernelPCA((3, 2)).fit(X)
    >>> display = gramian.ExplainedVarianceDisplay.from_estimator(model)
    >>> len(display.levels), display.shallow.shape
    (2, (3,))
    """

    levels: list[FloatArray]
    shallow: FloatArray | None = None

    @classmethod
    def from_estimator(cls, estimator: Any, *, X: Any = None, ax: Any = None) -> "ExplainedVarianceDisplay":
        """
        Take the ratios of a fitted model, fit a model of one level to the same samples, and plot both.

        Parameters
        ----------
        estimator : fitted DeepKernelPCA or ParametricDeepKernelPCA
            The model. Samples of the latter are their learned features.
        X : Gram matrix of shape (n, n), optional
            That of the training, with a precomputed kernel; without it there is no shallow model then.
        ax : matplotlib axes, optional
            New ones if None.

        Returns
        -------
        ExplainedVarianceDisplay
            The display, plotted.
        """
        check_is_fitted(estimator)
        levels = estimator._levels()
        samples, shallow = levels._training_samples(X), None
        if samples is not None:
            count = levels.hidden_features_[0].shape[1]
            shape = {"n_components": count, "kernels": levels.kernels_[:1], "eta": float(levels.eta_[0])}
            alone = type(levels)(**shape, center=levels._centred).fit(samples, sample_weight=levels._weights)
            shallow = alone.explained_variance_ratio_[0]
        return cls(list(levels.explained_variance_ratio_), shallow).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> "ExplainedVarianceDisplay":
        """
        Plot bars for components, and lines for their sums.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones if None.

        Returns
        -------
        ExplainedVarianceDisplay
            The display itself, with ``ax_`` and ``figure_``.
        """
        ax = axes(ax)
        series = [(f"level {j}", ratios) for j, ratios in enumerate(self.levels, start=1)]
        if self.shallow is not None:
            series.insert(0, ("one level alone", self.shallow))
        width = 0.8 / len(series)
        for i, (name, ratios) in enumerate(series):
            where = np.arange(1, len(ratios) + 1)
            shift = (i - (len(series) - 1) / 2.0) * width
            ax.bar(where + shift, 100.0 * ratios, width, color=f"C{i}", alpha=0.6, label=name)
            ax.plot(where, 100.0 * np.cumsum(ratios), marker="o", color=f"C{i}")
        ax.set(xlabel="component", ylabel="explained variance (%)")
        ax.legend()
        return drawn(self, ax)


def _pairs(components: Any, sizes: list[int]) -> list[tuple[int, int]]:
    """Return levels and columns, all of them if None; sizes: how many columns the levels have."""
    if components is None:
        return [(level, column) for level, size in enumerate(sizes, start=1) for column in range(size)]
    pairs = [(int(level), int(column)) for level, column in components]
    for i, (level, column) in enumerate(pairs):
        if not (1 <= level <= len(sizes) and 0 <= column < sizes[level - 1]):
            raise ValueError(
                f"components[{i}] must be a level in [1, {len(sizes)}] and one of its columns, which are counted from "
                f"0. Levels have {sizes} columns. Got {(level, column)} instead."
            )
    return pairs


@dataclass(repr=False, eq=False)
class TraversalDisplay:
    """
    Samples along components, one row for each, while the other components stay: [DKPCA] Fig. 5 and Fig. 6.

    Parameters
    ----------
    samples : ndarray of shape (components, steps, d)
        What is generated.
    values : ndarray of shape (components, steps)
        What the components become.
    components : list of (int, int)
        Level and column of each row.
    shape : tuple of int, or None
        Of an image that a sample is; samples are curves if None.

    Attributes
    ----------
    axes_, figure_
        Where it was plotted.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_digits
    >>> X = load_digits().data[:100]
    >>> model = gramian.DeepKernelPCA((3, 2), "linear").fit(X)
    >>> gramian.TraversalDisplay.from_estimator(model, steps=5, shape=(8, 8)).samples.shape
    (5, 5, 64)
    """

    samples: FloatArray
    values: FloatArray
    components: list[tuple[int, int]]
    shape: tuple[int, int] | None = None

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        components: Any = None,
        steps: int = 7,
        base: dict[int, npt.ArrayLike] | None = None,
        shape: tuple[int, int] | None = None,
        cmap: str = "gray",
    ) -> "TraversalDisplay":
        """
        Generate samples along components, over their ranges in the training, and plot them.

        Parameters
        ----------
        estimator : fitted DeepKernelPCA or ParametricDeepKernelPCA
            Of samples, not of a Gram matrix.
        components : sequence of (int, int), optional
            Levels, from 1 on, and columns, from 0 on; all of them if None.
        steps : int, default=7
            Samples for each component.
        base : dict, optional
            By level, the features that it starts from; the mean of the training elsewhere.
        shape : tuple of int, optional
            Of the image that a sample is.
        cmap : str, default="gray"
            The colours of images.

        Returns
        -------
        TraversalDisplay
            The display, plotted.
        """
        check_is_fitted(estimator)
        count = check_whole(steps, "steps", cls.__name__, LARGEST)
        features = estimator._levels().hidden_features_
        pairs = _pairs(components, [H.shape[1] for H in features])
        values, samples = [], []
        for level, column in pairs:
            range_of = features[level - 1][:, column]
            values.append(np.linspace(range_of.min(), range_of.max(), count))
            start = None if base is None else base.get(level)
            samples.append(estimator.traverse(level, column, values[-1], base=start))
        found = np.array(samples)
        check_image_shape(shape, found.shape[2])
        return cls(found, np.array(values), pairs, shape).plot(cmap=cmap)

    def plot(self, *, cmap: str = "gray") -> "TraversalDisplay":
        """
        Plot a grid: rows are components, columns are steps.

        Parameters
        ----------
        cmap : str, default="gray"
            The colours of images.

        Returns
        -------
        TraversalDisplay
            The display itself, with ``axes_`` and ``figure_``.
        """
        rows, columns = self.values.shape
        figure, grid = pyplot().subplots(rows, columns, squeeze=False, figsize=(columns, rows))
        limits = float(self.samples.min()), float(self.samples.max())
        for i, (level, component) in enumerate(self.components):
            for k in range(columns):
                draw_sample(grid[i, k], self.samples[i, k], self.shape, cmap, limits)
            grid[i, 0].set_ylabel(f"{level}.{component}")
        self.axes_, self.figure_ = grid, figure
        return self


@dataclass(repr=False, eq=False)
class LevelTopologyDisplay:
    """
    Levels as columns of dots, components with the size of their explained variance, and how much one is of another.

    A line between components of two levels is as strong as the cosine between their columns: in linear levels this is
    what is handed on, forward and backward, [DKPCA] Fig. 2.

    Parameters
    ----------
    ratios : list of ndarray of shape (s_j,)
        Explained variance ratios.
    overlaps : list of ndarray of shape (s_j, s_j+1)
        Absolute cosines between columns of a level and of the next one.

    Attributes
    ----------
    ax_, figure_
        Where it was plotted.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_iris
    >>> model = gramian.DeepKernelPCA((3, 2)).fit(load_iris().data)
    >>> [overlap.shape for overlap in gramian.LevelTopologyDisplay.from_estimator(model).overlaps]
    [(3, 2)]
    """

    ratios: list[FloatArray]
    overlaps: list[FloatArray]

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> "LevelTopologyDisplay":
        """
        Take them from a fitted model, and plot them.

        Parameters
        ----------
        estimator : fitted DeepKernelPCA or ParametricDeepKernelPCA
            The model.
        ax : matplotlib axes, optional
            New ones if None.

        Returns
        -------
        LevelTopologyDisplay
            The display, plotted.
        """
        check_is_fitted(estimator)
        levels = estimator._levels()
        H = levels.hidden_features_
        if levels._weights is not None:
            H = [features * np.sqrt(levels._weights)[:, None] for features in H]
        overlaps = [np.abs(np.einsum("ni,nj->ij", a, b)) for a, b in zip(H, H[1:], strict=False)]
        return cls(list(levels.explained_variance_ratio_), overlaps).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> "LevelTopologyDisplay":
        """
        Plot dots and lines.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones if None.

        Returns
        -------
        LevelTopologyDisplay
            The display itself, with ``ax_`` and ``figure_``.
        """
        ax = axes(ax)
        for j, overlap in enumerate(self.overlaps, start=1):
            for i, c in np.ndindex(*overlap.shape):
                strength = min(1.0, float(overlap[i, c]))  # a cosine, by rounding above 1
                ax.plot([j, j + 1], [-i, -c], color="0.3", linewidth=3.0 * strength, alpha=strength)
        for j, ratios in enumerate(self.ratios, start=1):
            sizes = 600.0 * np.clip(ratios, 0.01, 1.0)
            ax.scatter(np.full(len(ratios), j), -np.arange(len(ratios)), s=sizes, zorder=2)
        depth = len(self.ratios)
        ax.set(xticks=range(1, depth + 1), xticklabels=[f"level {j}" for j in range(1, depth + 1)], yticks=[])
        return drawn(self, ax)
