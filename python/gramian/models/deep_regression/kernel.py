# SPDX-License-Identifier: BSD-3-Clause
"""The kernel that a concatenated regression has learned: its outer kernel on the images of the points."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.gaussian_process.kernels import Kernel as GaussianProcessKernel

from gramian import _core
from gramian._validation import FloatArray, as_array, check_matrix
from gramian.kernels import Kernel
from gramian.kernels.lowering import Lowered, prefixed
from gramian.models._shared.layers import trained_layers
from gramian.models._shared.stored.classes import stored_tuple


@stored_tuple
class InnerLayer(NamedTuple):
    """A trained layer, and what supports it."""

    kernel: Any
    """A kernel, or pairs of kernels and operators."""
    operator: FloatArray | None
    coefficients: FloatArray
    supports: FloatArray


@GaussianProcessKernel.register
class DeepKernel(Kernel):
    r"""
    A kernel on the images of points: :math:`k(f(x), f(y))` with :math:`f = f_{L-1} \circ \cdots \circ f_1`, [DKL] (10).

    It is ``deep_kernel_`` of a fitted `gramian.DeepKernelRegressor`, and a kernel like any other on dense points: it
    can be added and multiplied, has gradients in the points, which go through the layers, and its parameters are those
    of the outer kernel. The layers stay as they are. Second derivatives in the points are refused.

    Parameters
    ----------
    kernel : Kernel
        The outer kernel.
    layers : tuple of InnerLayer
        The layers below it, from the input side.
    shift, scale : ndarray of shape (d,), optional
        The first layer sees ``(x - shift) / scale``.
    """

    __array_ufunc__ = None
    requires_vector_input = True
    hyperparameters: tuple[Any, ...] = ()
    n_dims = 0

    kernel: Kernel
    layers: tuple[InnerLayer, ...]
    shift: FloatArray | None
    scale: FloatArray | None

    def __init__(
        self,
        kernel: Kernel,
        layers: tuple[InnerLayer, ...] = (),
        shift: FloatArray | None = None,
        scale: FloatArray | None = None,
    ) -> None:
        self._store(kernel=kernel, layers=layers, shift=shift, scale=scale)

    def images(self, X: npt.ArrayLike) -> FloatArray:
        """
        Return what the outer kernel sees of points.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Points in rows.

        Returns
        -------
        ndarray of shape (n, d_{L-1})
        """
        points = check_matrix(X, "X").astype(np.float64, copy=False)
        expected = self._dimension()
        if expected is not None and points.shape[1] != expected:
            raise ValueError(f"X has {points.shape[1]} features, but this deep kernel was learned on {expected}.")
        mapped = self._map
        return points if mapped is None else mapped.apply(points)

    @property
    def _map(self) -> Any:
        """The engine's map of points, which is made once; None if it changes nothing."""
        parts = self.layers, self.shift, self.scale
        made = vars(self).get("_made")
        if made is None or any(before is not now for before, now in zip(made[0], parts, strict=True)):
            made = vars(self)["_made"] = parts, self._compile()
        return made[1]

    def _compile(self) -> Any:
        if not self.layers and self.shift is None and self.scale is None:
            return None
        shift, scale = ([] if part is None else as_array(part, "shift").tolist() for part in (self.shift, self.scale))
        columns = [list(column) for column in zip(*self.layers, strict=True)] or [[]] * 4
        return _core.layers.CompositionMap(trained_layers(*columns), shift, scale)

    # A Gaussian process of scikit-learn asks this of its kernel: nothing is left to be learned.
    theta = property(lambda self: np.empty(0))
    bounds = property(lambda self: np.empty((0, 2)))

    def clone_with_theta(self, theta: Any) -> "DeepKernel":
        """Return the kernel itself, which has no parameters that are learned."""
        return self

    def is_stationary(self) -> bool:
        """Return False: the images of points are not moved as the points are."""
        return False

    def __call__(self, X: Any, Y: Any = None, eval_gradient: bool = False) -> Any:
        """
        Evaluate the kernel.

        Parameters
        ----------
        X : array-like of shape (n, d) or (d,)
            Points in rows, or one point.
        Y : array-like of shape (m, d) or (d,), optional
            Points in rows, or one point if X is one; X if None.
        eval_gradient : bool, default=False
            Also return the gradient in the parameters, of which there are none: for Gaussian processes of scikit-learn.

        Returns
        -------
        ndarray of shape (n, m) or float
        """
        if Y is not None and as_array(X, "X").ndim == 1 and as_array(Y, "Y").ndim == 1:
            return float(super().__call__([X], [Y])[0, 0])
        K = super().__call__(X, Y)
        return (K, np.empty((*np.shape(K), 0))) if eval_gradient else K

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "theta" and not np.size(value):
            return  # a Gaussian process writes it before each evaluation
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        widths = [str(self._dimension() or "?"), *[str(layer.coefficients.shape[1]) for layer in self.layers]]
        return f"<DeepKernel: {self.kernel!r} on images, features {' -> '.join(widths)}>"

    def _dimension(self) -> int | None:
        if self.layers:
            return int(self.layers[0].supports.shape[1])
        return None if self.shift is None else len(self.shift)

    def _lower(self, dimension: int | None) -> Lowered:
        expected = self._dimension()
        if None not in (dimension, expected) and dimension != expected:
            raise ValueError(f"X has {dimension} features, but this deep kernel was learned on {expected}.")
        spec, slots = self.kernel._lower(self.layers[-1].coefficients.shape[1] if self.layers else dimension)
        mapped = self._map
        return Lowered(spec if mapped is None else ("images", mapped, spec), prefixed(slots, "kernel"))
