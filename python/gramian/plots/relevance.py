# SPDX-License-Identifier: BSD-3-Clause
"""What a learned kernel sees of each feature."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian._validation import FloatArray, check_whole
from gramian.kernels import Kernel
from gramian.kernels.lowering import relevances
from gramian.plots._axes import LARGEST, axes, drawn


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
        cls,
        estimator: Any,
        *,
        shape: tuple[int, int] | None = None,
        feature_names: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> "RelevanceDisplay":
        """
        Take the relevances of a learned kernel, and plot them.

        Parameters
        ----------
        estimator : fitted estimator with ``relevances_`` or ``kernel_``, or a kernel
            The kernel must have a length scale, or a gamma, for each feature.
        shape : tuple of int, optional
            The rows and columns of the image whose pixels the features are; bars if None.
        feature_names : sequence of str, optional
            The names of the bars; ``feature_names_in_`` of the estimator if None.
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of `plot`.

        Returns
        -------
        RelevanceDisplay
            The display, plotted.

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
            return cls(relevance.reshape(_shape(shape, len(relevance)))).plot(ax=ax, **options)
        known = getattr(estimator, "feature_names_in_", None) if feature_names is None else feature_names
        return cls(relevance, _names(known, len(relevance))).plot(ax=ax, **options)

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
        ax.set_xlabel("relevance (inverse length scale)")
        return drawn(self, ax)


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
