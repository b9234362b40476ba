# SPDX-License-Identifier: BSD-3-Clause
"""Gram matrices and their spectra."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gramian._validation import FloatArray, check_matrix
from gramian.functional import gram
from gramian.plots._axes import axes, drawn


def _gram_of(kernel: Any, X: Any) -> FloatArray:
    K = check_matrix(X, "X") if isinstance(kernel, str) and kernel == "precomputed" else gram(kernel, X)
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"A precomputed Gram matrix must be square, got shape {K.shape}.")
    return K.astype(np.float64)


@dataclass(repr=False, eq=False)
class GramDisplay:
    """
    A Gram matrix as an image, with samples of equal labels beside each other.

    Parameters
    ----------
    gram : ndarray of shape (n, n)
        The matrix, in the order that is shown.
    edges : list of int
        Where another label begins.

    Attributes
    ----------
    ax_, figure_
        Where it was plotted.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> gramian.GramDisplay.from_samples(gramian.kernels.Gaussian(gamma=0.5), X, y).edges
    [50, 100]
    """

    gram: FloatArray
    edges: list[int]

    @classmethod
    def from_samples(cls, kernel: Any, X: Any, y: Any = None, *, ax: Any = None, **options: Any) -> "GramDisplay":
        """
        Compute a Gram matrix, and plot it.

        Parameters
        ----------
        kernel : Kernel or "precomputed"
            The kernel.
        X : samples, or Gram matrix of shape (n, n)
            The samples.
        y : array-like of shape (n,), optional
            Labels that the samples are sorted by.
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.imshow``.

        Returns
        -------
        GramDisplay
            The display, plotted.
        """
        K, edges = _gram_of(kernel, X), []
        if y is not None:
            labels = np.asarray(y)
            if labels.shape != (len(K),):
                raise ValueError(f"y must have shape {(len(K),)}, got {labels.shape}.")
            order = np.argsort(labels, kind="stable")
            K, labels = K[np.ix_(order, order)], labels[order]
            edges = (np.flatnonzero(labels[1:] != labels[:-1]) + 1).tolist()
        return cls(K, edges).plot(ax=ax, **options)

    def plot(self, *, ax: Any = None, **options: Any) -> "GramDisplay":
        """
        Plot the image.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.imshow``.

        Returns
        -------
        GramDisplay
            The display itself, with ``ax_`` and ``figure_``.
        """
        ax = axes(ax)
        ax.figure.colorbar(ax.imshow(self.gram, **{"cmap": "viridis", **options}), ax=ax)
        for edge in self.edges:
            ax.axhline(edge - 0.5, color="white", linewidth=0.8)
            ax.axvline(edge - 0.5, color="white", linewidth=0.8)
        ax.set(xticks=[], yticks=[])
        return drawn(self, ax)


@dataclass(repr=False, eq=False)
class SpectrumDisplay:
    """
    Eigenvalues of a Gram matrix divided by their sum: how many directions the kernel sees in the samples.

    Parameters
    ----------
    eigenvalues : ndarray of shape (n,)
        Decreasing, those that rounding has taken below 0 as 0.

    Attributes
    ----------
    ax_, figure_
        Where it was plotted.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_iris
    >>> display = gramian.SpectrumDisplay.from_samples(gramian.kernels.Linear(), load_iris().data)
    >>> int((display.eigenvalues > 1e-10).sum())
    4
    """

    eigenvalues: FloatArray

    @classmethod
    def from_samples(cls, kernel: Any, X: Any, *, ax: Any = None, **options: Any) -> "SpectrumDisplay":
        """
        Compute the spectrum of a Gram matrix, and plot it.

        Parameters
        ----------
        kernel : Kernel or "precomputed"
            The kernel.
        X : samples, or Gram matrix of shape (n, n)
            The samples.
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.plot``.

        Returns
        -------
        SpectrumDisplay
            The display, plotted.
        """
        from gramian.linalg import eigh

        values = np.maximum(eigh(_gram_of(kernel, X)).values[::-1], 0.0)
        return cls(values / values.sum()).plot(ax=ax, **options)

    def plot(self, *, ax: Any = None, **options: Any) -> "SpectrumDisplay":
        """
        Plot the eigenvalues in a logarithmic scale.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.plot``.

        Returns
        -------
        SpectrumDisplay
            The display itself, with ``ax_`` and ``figure_``.
        """
        ax = axes(ax)
        some = self.eigenvalues > np.finfo(np.float64).eps
        ax.plot(np.arange(1, len(some) + 1)[some], self.eigenvalues[some], **{"marker": ".", **options})
        ax.set(yscale="log", xlabel="eigenvalue", ylabel="part of their sum")
        return drawn(self, ax)
