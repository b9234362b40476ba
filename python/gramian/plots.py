# SPDX-License-Identifier: BSD-3-Clause
"""
Pictures of what was learned, as scikit-learn's displays: numbers first, and a plot of them if matplotlib is there.

Numbers are computed by ``from_estimator`` without matplotlib; `plot` imports it.
"""

import colorsys
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian._axes import LARGEST, axes, drawn
from gramian._deep_pca_plots import ExplainedVarianceDisplay, LevelTopologyDisplay, TraversalDisplay
from gramian._validation import FloatArray, check_matrix, check_real, check_whole
from gramian.kernels import Kernel
from gramian.kernels.lowering import relevances

__all__ = [
    "DecisionProbabilityDisplay",
    "ExplainedVarianceDisplay",
    "LevelTopologyDisplay",
    "RelevanceDisplay",
    "TraversalDisplay",
]


def __dir__() -> list[str]:
    return list(__all__)


@dataclass(repr=False, eq=False)
class DecisionProbabilityDisplay:
    """
    A map of the probabilities of all classes over two features: each class has a colour, each point their mixture.

    With three classes these are red, green and blue, [MCE] Fig. 1: sure decisions are pure colours, doubt is grey.

    Parameters
    ----------
    probabilities : ndarray of shape (rows, columns, m)
        Of the classes at each point of a grid.
    bounds : tuple of float
        Of the grid: left, right, bottom, top.
    colors : ndarray of shape (m, 3)
        Red, green and blue of each class, in [0, 1].
    classes : ndarray of shape (m,)
        The labels.
    xlabel, ylabel : str
        Names of the two features.

    Attributes
    ----------
    image : ndarray of shape (rows, columns, 3)
        The mixtures; the first row is the bottom one.
    ax_, figure_
        Where it was plotted.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = gramian.EmbeddingClassifier(random_state=0).fit(X[:, :2], y)
    >>> display = gramian.DecisionProbabilityDisplay.from_estimator(model, X[:, :2], grid_resolution=50)
    >>> display.image.shape
    (50, 50, 3)
    """

    probabilities: FloatArray
    bounds: tuple[float, float, float, float]
    colors: FloatArray
    classes: npt.NDArray[Any]
    xlabel: str = "feature 0"
    ylabel: str = "feature 1"

    def __post_init__(self) -> None:
        """Mix the colours of the classes."""
        self.image: FloatArray = np.clip(np.tensordot(self.probabilities, self.colors, axes=1), 0.0, 1.0)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        grid_resolution: int = 200,
        margin: float = 0.1,
        bounds: tuple[float, float, float, float] | None = None,
        colors: npt.ArrayLike | None = None,
    ) -> "DecisionProbabilityDisplay":
        """
        Evaluate a classifier over the range of two features.

        Parameters
        ----------
        estimator : fitted classifier with predict_proba
            Of two features.
        X : array-like of shape (n, 2)
            Samples, whose range the grid has.
        grid_resolution : int, default=200
            Points in each direction.
        margin : float, default=0.1
            What the grid has beyond the range of X, as a part of it.
        bounds : tuple of float, optional
            Left, right, bottom, top, in place of the range of X.
        colors : array-like of shape (m, 3), optional
            One for each class.

        Returns
        -------
        DecisionProbabilityDisplay
            Not plotted yet.

        Raises
        ------
        TypeError, ValueError
            If there are not two features, or an argument is of the wrong kind, shape or range.
        """
        owner = cls.__name__
        check_is_fitted(estimator)
        if not hasattr(estimator, "predict_proba"):
            raise TypeError(f"{owner} needs a classifier with predict_proba. Got {estimator!r} instead.")
        points = check_matrix(X, "X")
        if points.shape[1] != 2:
            raise ValueError(f"{owner} is a map over 2 features. Got X with {points.shape[1]}.")
        count = check_whole(grid_resolution, "grid_resolution", owner, LARGEST)
        box = _box(points, check_real(margin, "margin", owner, inclusive=True)) if bounds is None else _bounds(bounds)
        across, up = np.linspace(box[0], box[1], count), np.linspace(box[2], box[3], count)
        grid = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
        probabilities = np.asarray(estimator.predict_proba(grid)).reshape(count, count, -1)
        names = getattr(X, "columns", getattr(estimator, "feature_names_in_", ("feature 0", "feature 1")))
        shades = _colors(colors, probabilities.shape[2], owner)
        return cls(probabilities, box, shades, estimator.classes_, str(names[0]), str(names[1]))

    def plot(self, X: Any = None, y: Any = None, *, ax: Any = None, **options: Any) -> "DecisionProbabilityDisplay":
        """
        Plot the map, and samples on it.

        Parameters
        ----------
        X, y : array-like of shape (n, 2) and (n,), optional
            Samples with their labels, as dots in the colours of their classes.
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.imshow``.

        Returns
        -------
        DecisionProbabilityDisplay
            The display itself, with ``ax_`` and ``figure_``.
        """
        ax = axes(ax)
        shown = {"origin": "lower", "extent": self.bounds, "aspect": "auto", "interpolation": "bilinear", **options}
        ax.imshow(self.image, **shown)
        if X is not None:
            points, labels = check_matrix(X, "X"), np.asarray(y)
            for color, name in zip(self.colors, self.classes, strict=True):
                some = labels == name
                ax.scatter(points[some, 0], points[some, 1], color=color, edgecolors="white", s=25, label=str(name))
            ax.legend()
        ax.set(xlabel=self.xlabel, ylabel=self.ylabel, xlim=self.bounds[:2], ylim=self.bounds[2:])
        return drawn(self, ax)


@dataclass(repr=False, eq=False)
class RelevanceDisplay:
    """
    Learned relevances of the features: a bar for each feature with its name, or an image if the features are pixels.

    Parameters
    ----------
    relevance : ndarray of shape (d,), or (rows, columns) for an image
        Inverse length scales, divided by the largest one.
    feature_names : list of str, optional
        The names of the features; ``feature 0`` and so on if None. An image has none.

    Attributes
    ----------
    ax_, figure_
        Where it was plotted.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=False)
    >>> model = gramian.EmbeddingClassifier(random_state=0).fit(X, y)
    >>> display = gramian.RelevanceDisplay.from_estimator(model, feature_names=load_iris().feature_names)
    >>> max(zip(display.relevance, display.feature_names))[1]
    'petal width (cm)'
    """

    relevance: FloatArray
    feature_names: list[str] | None = None

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, shape: tuple[int, int] | None = None, feature_names: Any = None
    ) -> "RelevanceDisplay":
        """
        Take the relevances of a learned kernel.

        Parameters
        ----------
        estimator : fitted estimator with ``relevances_`` or ``kernel_``, or a kernel
            The kernel must have a length scale, or a gamma, for each feature.
        shape : tuple of int, optional
            The rows and columns of the image whose pixels the features are; bars if None.
        feature_names : sequence of str, optional
            The names of the bars; ``feature_names_in_`` of the estimator if None.

        Returns
        -------
        RelevanceDisplay
            Not plotted yet.

        Raises
        ------
        TypeError, ValueError
            If there is no length scale for each feature, or the shape or the names do not fit them.
        """
        relevance = getattr(estimator, "relevances_", None)
        if relevance is None:
            kernel = estimator
            if not isinstance(estimator, Kernel):
                check_is_fitted(estimator)
                kernel = getattr(estimator, "kernel_", None)
            relevance = _relevances(kernel)
        relevance = relevance / relevance.max()
        if shape is not None:
            return cls(relevance.reshape(_shape(shape, len(relevance))))
        known = getattr(estimator, "feature_names_in_", None) if feature_names is None else feature_names
        return cls(relevance, _names(known, len(relevance)))

    def plot(self, *, ax: Any = None, cmap: str = "viridis", **options: Any) -> "RelevanceDisplay":
        """
        Plot the bars, or the image.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones if None.
        cmap : str, default="viridis"
            The colours of an image, from the least relevant to the most.
        **options
            Of ``ax.barh``, or of ``ax.imshow`` for an image.

        Returns
        -------
        RelevanceDisplay
            The display itself, with ``ax_`` and ``figure_``.
        """
        ax = axes(ax)
        if self.relevance.ndim == 2:
            ax.imshow(self.relevance, **{"cmap": cmap, "vmin": 0.0, "vmax": 1.0, **options})
            ax.set_axis_off()
            return drawn(self, ax)
        places = np.arange(len(self.relevance))
        ax.barh(places, self.relevance, **options)
        ax.set_yticks(places, _names(self.feature_names, len(places)))
        ax.invert_yaxis()
        ax.set_xlabel("relevance: inverse length scale, over the largest one")
        return drawn(self, ax)


def _box(points: Any, margin: float) -> tuple[float, float, float, float]:
    low, high = points.min(axis=0), points.max(axis=0)
    room = margin * np.where(high > low, high - low, 1.0)
    low, high = low - room, high + room
    return float(low[0]), float(high[0]), float(low[1]), float(high[1])


def _bounds(bounds: Any) -> tuple[float, float, float, float]:
    box = tuple(float(edge) for edge in bounds)
    if len(box) != 4 or not np.isfinite(box).all() or not (box[0] < box[1] and box[2] < box[3]):
        raise ValueError(f"bounds must be left < right and bottom < top, four numbers. Got {bounds!r} instead.")
    return box


def _colors(colors: Any, count: int, owner: str) -> FloatArray:
    if colors is None:
        return np.array([colorsys.hsv_to_rgb(i / max(count, 3), 1.0, 1.0) for i in range(count)])
    shades = check_matrix(colors, "colors").astype(np.float64)
    if shades.shape != (count, 3) or shades.min() < 0 or shades.max() > 1:
        raise ValueError(f"colors of {owner} must have shape {(count, 3)} and numbers in [0, 1]. Got {shades.shape}.")
    return shades


def _relevances(kernel: Any) -> FloatArray:
    found = relevances(kernel._lower(None).spec) if isinstance(kernel, Kernel) else None
    if found is not None:
        return found
    raise TypeError(
        f"A kernel with a length scale, or a gamma, for each feature is needed, such as "
        f"Gaussian(length_scale=[1.0, 2.0]). Got {kernel!r} instead."
    )


def _names(names: Any, count: int) -> list[str]:
    if names is None:
        return [f"feature {i}" for i in range(count)]
    if len(names) != count:
        raise ValueError(f"feature_names has {len(names)} names, and the kernel has {count} length scales.")
    return [str(name) for name in names]


def _shape(shape: Any, count: int) -> tuple[int, int]:
    rows, columns = (check_whole(size, "shape", "RelevanceDisplay", LARGEST) for size in shape)
    if rows * columns != count:
        raise ValueError(f"shape {tuple(shape)} has {rows * columns} pixels, but the kernel has {count} length scales.")
    return rows, columns
