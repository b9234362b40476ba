# SPDX-License-Identifier: BSD-3-Clause
"""Layers on a sample, and the slow way to their gradients, for inspection and as a check."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._blocks import check_blocks, split_blocks
from gramian._memory import advising
from gramian._validation import FLOAT64, FloatArray, check_columns, check_shape, check_whole
from gramian.layers._layer import Layer, flat_coefficients, lower
from gramian.points import PointsLike


class Forward(NamedTuple):
    """What `Composition.forward` returns."""

    outputs: list[FloatArray]
    """X_1 .. X_L, each of shape (n, d_l)."""
    squared_norms: list[float]
    """Of the function of each layer, in its space."""
    penalty: float
    """Their sum, weighted with the penalties."""


class Composition:
    r"""
    :math:`f_L \circ \cdots \circ f_1` on a sample, each layer supported by the sample's images, and its reverse mode.

    Layer l is :math:`X_l = K_l \Phi_l A_l` with :math:`K_l = k_l(X_{l-1}, X_{l-1})` and
    :math:`|f_l|^2 = \mathrm{tr}(\Phi_l^T K_l \Phi_l A_l)`, [KAE] Thm. 6. A sweep in either direction takes
    O(n^2 (d_l + d_{l-1})) time for each layer, and stores Gram matrices within `memory_budget` alone.

    Parameters
    ----------
    X : array-like of shape (n, d), sparse matrix of that shape, or InnerProducts of one set
        What the first layer sees. Computed with in float64.
    layers : sequence of Layer
        From the input side.
    landmarks : array-like of int, optional
        Rows of X whose images support all layers, ascending; all rows if None. They make a sweep O(n m) for m of them.
    memory_budget : int, default=2**30
        Bytes that stored Gram matrices may take; what does not fit is computed again.

    Attributes
    ----------
    shapes : list of tuple
        Those of the coefficients :math:`\Phi_1 .. \Phi_L`.
    coefficient_count : int
        How many numbers they have together.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range, or if a kernel can't see what the layer before it gives.

    Examples
    --------
    >>> import gramian
    >>> from gramian.layers import Composition, Layer
    >>> linear = gramian.kernels.Linear()
    >>> layers = Composition([[1.0], [2.0]], [Layer(linear, outputs=1), Layer(linear, outputs=1, penalty=0.5)])
    >>> layers.forward([1.0, 0.0, 1.0, 0.0]).outputs[-1].ravel()
    array([1., 2.])
    """

    def __init__(
        self,
        X: PointsLike,
        layers: Sequence[Layer],
        *,
        landmarks: npt.ArrayLike | None = None,
        memory_budget: int = _core.layers.memory_budget(),
    ) -> None:
        points, specs, self.samples = lower(X, layers)
        rows = [] if landmarks is None else [int(row) for row in np.asarray(landmarks).ravel()]
        supports = len(rows) or self.samples
        self.layers = tuple(layers)
        self.shapes = [(supports, layer.outputs) for layer in self.layers]
        self.coefficient_count = sum(rows * columns for rows, columns in self.shapes)
        self._engine = _core.layers.Composition(
            points, specs, rows, check_whole(memory_budget, "memory_budget", "it", 2**62)
        )

    def split(self, coefficients: npt.ArrayLike) -> list[FloatArray]:
        """Return flat coefficients, or a gradient in them, as one matrix for each layer."""
        flat = flat_coefficients(coefficients, self.coefficient_count)
        return split_blocks(flat, self.shapes)

    def join(self, matrices: Iterable[npt.ArrayLike]) -> FloatArray:
        """Return the matrices of all layers as flat coefficients."""
        return np.concatenate(check_blocks(list(matrices), "matrices", self.shapes, "layers"))

    def forward(self, coefficients: npt.ArrayLike) -> Forward:
        """
        Compute all layers.

        Parameters
        ----------
        coefficients : array-like of shape (coefficient_count,)
            Phi_1 .. Phi_L one behind the other, each row by row; `join` makes them from matrices.

        Returns
        -------
        Forward
        """
        penalty = self._engine.forward(flat_coefficients(coefficients, self.coefficient_count))
        depth = range(1, len(self.layers) + 1)
        with advising("use fewer samples"):
            outputs = [self._engine.output(layer) for layer in depth]
        return Forward(outputs, [self._engine.squared_norm(layer) for layer in depth], penalty)

    def reverse(self, output_bar: npt.ArrayLike) -> FloatArray:
        """
        Compute the gradient of a loss of X_L plus the penalty, at the coefficients of the last `forward`.

        Parameters
        ----------
        output_bar : array-like of shape (n, d_L)
            The gradient of the loss in X_L.

        Returns
        -------
        ndarray of shape (coefficient_count,)
        """
        bar = check_columns(output_bar, "output_bar")[0].astype(FLOAT64, copy=False)
        return cast(FloatArray, self._engine.reverse(bar).ravel())

    def value_and_gradient(self, coefficients: npt.ArrayLike, targets: npt.ArrayLike) -> tuple[float, FloatArray]:
        r"""
        Compute :math:`\frac 1 n |X_L - T|^2 + \sum_l \lambda_l |f_l|^2` and its gradient.

        It is what ``scipy.optimize.minimize(composition.value_and_gradient, start, (targets,), jac=True)`` asks for.

        Parameters
        ----------
        coefficients : array-like of shape (coefficient_count,)
            Where.
        targets : array-like of shape (n, d_L)
            T.

        Returns
        -------
        tuple of float and ndarray of shape (coefficient_count,)
        """
        target = check_columns(targets, "targets")[0]
        check_shape(target, "targets", (self.samples, self.layers[-1].outputs))
        penalty = self._engine.forward(flat_coefficients(coefficients, self.coefficient_count))
        # The engine's loss, not a product by NumPy: the threads of its BLAS still spin when the sweep wants its own.
        loss, output_bar = _core.losses.evaluate(
            ("squared",), target.astype(FLOAT64, copy=False), self._engine.output(len(self.layers))
        )
        return loss / self.samples + penalty, self.reverse(output_bar / self.samples)

    def function_gradient(self) -> FloatArray:
        """
        Return the coefficients of the gradient in the functions themselves, of the last `reverse`; without landmarks.

        They are zero at a stationary point, however ill-conditioned the Gram matrices are.
        """
        return cast(FloatArray, self._engine.function_gradient().ravel())


def forward_jacobian(
    X: PointsLike, layers: Sequence[Layer], coefficients: npt.ArrayLike, layer: int, sample: int
) -> FloatArray:
    r"""
    Compute the Jacobians of all outputs in one row of coefficients, by the forward recursion of [KAE] App. B.3.

    For inspection: it takes O(n^2 (L - l) p^2) time for one row. `Composition.reverse` never forms a Jacobian.

    Parameters
    ----------
    X : array-like of shape (n, d), sparse matrix of that shape, or InnerProducts of one set
        What the first layer sees.
    layers : sequence of Layer
        From the input side.
    coefficients : array-like of shape (n * sum of outputs,)
        Phi_1 .. Phi_L one behind the other.
    layer : int
        The layer l of the coefficients, from 1 to L.
    sample : int
        Their row, from 0.

    Returns
    -------
    ndarray of shape (n, d_L, d_l)
        Entry [i] is :math:`\partial x_i^{(L)} / \partial \varphi_{l, sample}`.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range; the message names it.
    """
    points, specs, samples = lower(X, layers)
    flat = flat_coefficients(coefficients, samples * sum(one.outputs for one in layers))
    which = check_whole(layer, "layer", "forward_jacobian", len(layers))
    row = check_whole(sample + 1, "sample + 1", "forward_jacobian", samples) - 1
    stacked = _core.layers.forward_jacobian(points, specs, flat, which, row)
    return cast(FloatArray, stacked.reshape(samples, layers[-1].outputs, layers[which - 1].outputs))


def jacobian_gradient(
    X: PointsLike, layers: Sequence[Layer], coefficients: npt.ArrayLike, targets: npt.ArrayLike
) -> FloatArray:
    r"""
    Compute the gradient of :math:`\frac 1 n |X_L - T|^2 + \sum_l \lambda_l |f_l|^2` from explicit Jacobians.

    By [KAE] (9), (11) and (12), in O(n^3 L^2 p^3) time: the check of `Composition.value_and_gradient`.

    Parameters
    ----------
    X : array-like of shape (n, d), sparse matrix of that shape, or InnerProducts of one set
        What the first layer sees.
    layers : sequence of Layer
        From the input side.
    coefficients : array-like of shape (n * sum of outputs,)
        Phi_1 .. Phi_L one behind the other.
    targets : array-like of shape (n, d_L)
        T.

    Returns
    -------
    ndarray of shape (n * sum of outputs,)

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range; the message names it.
    """
    points, specs, samples = lower(X, layers)
    flat = flat_coefficients(coefficients, samples * sum(layer.outputs for layer in layers))
    target = check_columns(targets, "targets")[0].astype(FLOAT64, copy=False)
    check_shape(target, "targets", (samples, layers[-1].outputs))
    return cast(FloatArray, _core.layers.jacobian_gradient(points, specs, flat, target).ravel())
