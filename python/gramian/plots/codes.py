# SPDX-License-Identifier: BSD-3-Clause
"""What a transformer makes of samples, and what comes back from there."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian._validation import FloatArray, check_matrix, check_whole
from gramian.plots._axes import COLORS, LARGEST, axes, check_image_shape, draw_sample, drawn, pyplot


@dataclass(repr=False, eq=False)
class CodesDisplay:
    """
    Two of the features that a transformer has learned, a dot for each sample.

    Parameters
    ----------
    codes : ndarray of shape (n, 2)
        The features.
    names : list of str
        Their names.
    labels : ndarray of shape (n,), optional
        Of the samples: few different ones have a colour each, many numbers a scale of colours.

    Attributes
    ----------
    ax_, figure_
        Where it was plotted.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = gramian.KernelAutoencoder(hidden=(2,), max_iter=2000).fit(X)
    >>> gramian.CodesDisplay.from_estimator(model, X, y).codes.shape
    (150, 2)
    """

    codes: FloatArray
    names: list[str]
    labels: npt.NDArray[Any] | None = None

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        *,
        components: tuple[int, int] = (0, 1),
        ax: Any = None,
        **options: Any,
    ) -> "CodesDisplay":
        """
        Transform samples, and plot two of their features.

        Parameters
        ----------
        estimator : fitted transformer
            With two features at least.
        X : as the transformer takes it
            Samples.
        y : array-like of shape (n,), optional
            Their labels, or numbers.
        components : tuple of int, default=(0, 1)
            Which features.
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.scatter``.

        Returns
        -------
        CodesDisplay
            The display, plotted.

        Raises
        ------
        ValueError
            If there are no such features, or not a label for each sample.
        """
        check_is_fitted(estimator)
        features = np.asarray(estimator.transform(X), dtype=np.float64)
        chosen = [int(component) for component in components]
        if len(chosen) != 2 or not all(0 <= component < features.shape[1] for component in chosen):
            raise ValueError(
                f"components must be two of the {features.shape[1]} features, counted from 0. Got {components!r}."
            )
        labels = None if y is None else np.asarray(y)
        if labels is not None and labels.shape != (len(features),):
            raise ValueError(f"y must have shape {(len(features),)}, got {labels.shape}.")
        return cls(features[:, chosen], [f"code {component}" for component in chosen], labels).plot(ax=ax, **options)

    def plot(self, *, ax: Any = None, **options: Any) -> "CodesDisplay":
        """
        Plot dots.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.scatter``.

        Returns
        -------
        CodesDisplay
            The display itself, with ``ax_`` and ``figure_``.
        """
        ax = axes(ax)
        options = {"s": 12, **options}
        if self.labels is None:
            ax.scatter(*self.codes.T, **options)
        elif len(classes := np.unique(self.labels)) <= len(COLORS):
            for color, name in zip(COLORS, classes, strict=False):
                ax.scatter(*self.codes[self.labels == name].T, color=color, label=str(name), **options)
            ax.legend()
        else:
            numbers = np.unique(self.labels, return_inverse=True)[1] if self.labels.dtype.kind in "OUS" else self.labels
            ax.figure.colorbar(ax.scatter(*self.codes.T, c=numbers, **{"cmap": "viridis", **options}), ax=ax)
        ax.set(xlabel=self.names[0], ylabel=self.names[1])
        return drawn(self, ax)


@dataclass(repr=False, eq=False)
class ReconstructionDisplay:
    """
    Samples above what a model reconstructs from their codes, as images or as curves.

    Parameters
    ----------
    samples, reconstructions : ndarray of shape (n, d)
        What goes in and what comes back.
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
    >>> X = load_digits().data[:100] / 16
    >>> model = gramian.DeepKernelPCA((8,)).fit(X)
    >>> gramian.ReconstructionDisplay.from_estimator(model, X[:5], shape=(8, 8)).reconstructions.shape
    (5, 64)
    """

    samples: FloatArray
    reconstructions: FloatArray
    shape: tuple[int, int] | None = None

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, *, shape: tuple[int, int] | None = None, count: int = 10, cmap: str = "gray"
    ) -> "ReconstructionDisplay":
        """
        Transform samples and back, and plot both.

        Parameters
        ----------
        estimator : fitted transformer with inverse_transform
            Of vectors.
        X : array-like of shape (n, d)
            Samples.
        shape : tuple of int, optional
            Of the image that a sample is.
        count : int, default=10
            Samples at most, the first ones.
        cmap : str, default="gray"
            The colours of images.

        Returns
        -------
        ReconstructionDisplay
            The display, plotted.

        Raises
        ------
        TypeError, ValueError
            If there is no way back, or the shape does not fit.
        """
        check_is_fitted(estimator)
        if not hasattr(estimator, "inverse_transform"):
            raise TypeError(f"{cls.__name__} needs a transformer with inverse_transform. Got {estimator!r} instead.")
        samples = check_matrix(X, "X").astype(np.float64)[: check_whole(count, "count", cls.__name__, LARGEST)]
        check_image_shape(shape, samples.shape[1])
        back = np.asarray(estimator.inverse_transform(estimator.transform(samples)), dtype=np.float64)
        return cls(samples, back, shape).plot(cmap=cmap)

    def plot(self, *, cmap: str = "gray") -> "ReconstructionDisplay":
        """
        Plot two rows of pictures.

        Parameters
        ----------
        cmap : str, default="gray"
            The colours of images.

        Returns
        -------
        ReconstructionDisplay
            The display itself, with ``axes_`` and ``figure_``.
        """
        columns = len(self.samples)
        figure, grid = pyplot().subplots(2, columns, squeeze=False, figsize=(columns, 2.2), layout="compressed")
        limits = float(self.samples.min()), float(self.samples.max())
        for row, vectors in zip(grid, (self.samples, self.reconstructions), strict=True):
            for ax, vector in zip(row, vectors, strict=True):
                draw_sample(ax, vector, self.shape, cmap, limits)
        for ax, name in zip(grid[:, 0], ("sample", "back"), strict=True):
            ax.set_ylabel(name)
        self.axes_, self.figure_ = grid, figure
        return self
