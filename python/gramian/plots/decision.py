# SPDX-License-Identifier: BSD-3-Clause
"""The probabilities of a classifier over two features."""

import colorsys
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian._validation import FloatArray, check_matrix, check_real, check_whole
from gramian.plots._axes import COLORS, LARGEST, axes, drawn


@dataclass(repr=False, eq=False)
class DecisionProbabilityDisplay:
    """
    A map of the probabilities of all classes over two features: each class has a colour, each point their mixture.

    Sure decisions are pure colours, doubt is grey. Up to seven classes have colours that the colour-blind can tell
    apart; [MCE] Fig. 1 has red, green and blue: ``colors=numpy.eye(3)``.

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
        y: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> "DecisionProbabilityDisplay":
        """
        Evaluate a classifier over the range of two features, and plot the map.

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
        y : array-like of shape (n,), optional
            Labels of X; the samples are plotted then.
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.imshow``.

        Returns
        -------
        DecisionProbabilityDisplay
            The display, plotted.

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
        display = cls(probabilities, box, shades, estimator.classes_, str(names[0]), str(names[1]))
        return display.plot(None if y is None else X, y, ax=ax, **options)

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
        more = [colorsys.hsv_to_rgb(i / count, 1.0, 0.8) for i in range(count)]
        return np.array(COLORS[:count] if count <= len(COLORS) else more)
    shades = check_matrix(colors, "colors").astype(np.float64)
    if shades.shape != (count, 3) or shades.min() < 0 or shades.max() > 1:
        raise ValueError(f"colors of {owner} must have shape {(count, 3)} and numbers in [0, 1]. Got {shades.shape}.")
    return shades
