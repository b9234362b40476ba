# SPDX-License-Identifier: BSD-3-Clause
"""Covariances of outputs as operators, and coordinates in which outputs of any kernel are vectors."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FloatArray, check_matrix, check_real, check_rows
from gramian.functional import gram
from gramian.kernels import Kernel, KernelName
from gramian.kernels.choice import choose_kernel, decided_kernel
from gramian.operators._kinds import Separable

_EPSILON = _core.dependency.Conditional().epsilon


def covariance(kernel: Kernel | KernelName, F: npt.ArrayLike) -> Separable:
    r"""
    Return the kernel :math:`k(x, x')\,C_{YY}` with :math:`C_{YY} = F^T F / n`, [KDE] (5) and (6). It is not centred.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel or str
        k, or its name; then the samples of an estimator choose its width.
    F : array-like of shape (n, q)
        Features of outputs in rows.

    Returns
    -------
    Separable

    Examples
    --------
    >>> from gramian.kernels import Linear
    >>> from gramian.operators import covariance
    >>> covariance(Linear(), [[1.0, 0.0], [1.0, 2.0]]).A
    array([[1., 1.],
           [1., 2.]])
    """
    choose_kernel(kernel, "kernel", "covariance")
    features = _features(F)
    return Separable(kernel, _core.operators.covariance(features, None, 0.0, np.eye(features.shape[1])))


def conditional_covariance(
    kernel: Kernel | KernelName, F: npt.ArrayLike, X: Any, epsilon: float = _EPSILON
) -> Separable:
    r"""
    Return :math:`k(x, x')\,C_{YY|X}` with :math:`C_{YY|X} = \varepsilon F^T (k + n \varepsilon I)^{-1} F`, [KDE] (7).

    Takes O(n^3) time.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel or str
        k, or its name; then X chooses its width, by the median rule.
    F : array-like of shape (n, q)
        Features of outputs in rows.
    X : array-like or sparse matrix of shape (n, d)
        Their inputs.
    epsilon : float, default=1e-2
        The regularization of the inverse, above 0.

    Returns
    -------
    Separable
    """
    kernel = decided_kernel(choose_kernel(kernel, "kernel", "conditional_covariance"), X)
    features = _features(F)
    ridge = check_real(epsilon, "epsilon", "conditional_covariance")
    K = gram(kernel, X).astype(np.float64, copy=False)
    check_rows(features, "F", len(K), "X")
    return Separable(kernel, _core.operators.covariance(features, K, ridge, np.eye(features.shape[1])))


def span_coordinates(L: npt.ArrayLike) -> FloatArray:
    r"""
    Return R with :math:`R R^T = L`: outputs of any kernel as vectors, in an orthonormal basis of what they span.

    Takes O(n^3) time.

    Parameters
    ----------
    L : array-like of shape (n, n)
        A Gram matrix of outputs: symmetric, positive semidefinite.

    Returns
    -------
    ndarray of shape (n, r)
        r is the rank of L up to rounding.

    Raises
    ------
    ValueError
        If L is not symmetric and positive semidefinite.
    """
    return _core.operators.span_coordinates(_features(L, "L"))


def _features(F: Any, name: str = "F") -> FloatArray:
    return check_matrix(F, name).astype(np.float64, copy=False)
