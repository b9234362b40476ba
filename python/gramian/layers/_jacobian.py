# SPDX-License-Identifier: BSD-3-Clause
"""The slow way to gradients, for inspection and as a check."""

from collections.abc import Sequence
from typing import cast

import numpy.typing as npt

from gramian import _core
from gramian._validation import FloatArray, check_columns, check_shape, check_whole
from gramian.layers._layer import FLOAT64, Layer, flat_coefficients, lower
from gramian.points import PointsLike


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
