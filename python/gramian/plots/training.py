# SPDX-License-Identifier: BSD-3-Clause
"""How a fit went."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.plots._axes import axes, drawn


@dataclass(repr=False, eq=False)
class TrainingCurveDisplay:
    """
    A number of the history of a fit over its iterations: the objective, or the residual of a solver.

    Parameters
    ----------
    iterations, values : ndarray of shape (iterations,)
        What the history has.
    quantity : str
        The name of the values.

    Attributes
    ----------
    ax_, figure_
        Where it was plotted.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_iris
    >>> model = gramian.KernelAutoencoder(hidden=(2,), max_iter=2000).fit(load_iris().data)
    >>> display = gramian.TrainingCurveDisplay.from_estimator(model)
    >>> bool(display.values[-1] < display.values[0])
    True
    """

    iterations: npt.NDArray[Any]
    values: npt.NDArray[Any]
    quantity: str

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, quantity: str = "value", ax: Any = None, **options: Any
    ) -> "TrainingCurveDisplay":
        """
        Take the history of a fitted estimator, and plot it.

        Parameters
        ----------
        estimator : fitted estimator with ``history_``
            The estimator.
        quantity : str, default="value"
            A key of ``history_``; ``"value"`` is the objective, ``"gradient_norm"`` of solvers the residual.
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.plot``.

        Returns
        -------
        TrainingCurveDisplay
            The display, plotted.

        Raises
        ------
        TypeError, ValueError
            If the estimator has no history, or the history not this quantity.
        """
        check_is_fitted(estimator)
        history = getattr(estimator, "history_", None)
        if history is None:
            raise TypeError(f"{type(estimator).__name__} has no history_.")
        if quantity not in history:
            known = ", ".join(repr(name) for name in history)
            raise ValueError(f"quantity must be a key of history_: {known}. Got {quantity!r} instead.")
        return cls(history["iteration"], history[quantity], quantity).plot(ax=ax, **options)

    def plot(self, *, ax: Any = None, **options: Any) -> "TrainingCurveDisplay":
        """
        Plot a line; the scale is logarithmic if all values are above 0 and they span more than two decades.

        Parameters
        ----------
        ax : matplotlib axes, optional
            New ones if None.
        **options
            Of ``ax.plot``.

        Returns
        -------
        TrainingCurveDisplay
            The display itself, with ``ax_`` and ``figure_``.
        """
        ax = axes(ax)
        ax.plot(self.iterations, self.values, **options)
        finite = self.values[np.isfinite(self.values)]
        if len(finite) and finite.min() > 0 and finite.max() > 100 * finite.min():
            ax.set_yscale("log")
        ax.set(xlabel="iteration", ylabel="objective" if self.quantity == "value" else self.quantity.replace("_", " "))
        return drawn(self, ax)
