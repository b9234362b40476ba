# SPDX-License-Identifier: BSD-3-Clause
"""Matrices with orthonormal columns, and systems with Kronecker or low-rank structure."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FloatArray, as_array, check_matrix, check_real
from gramian.linalg._cholesky import square_matrix


def stiefel_project(H: npt.ArrayLike) -> FloatArray:
    """
    Compute the nearest matrix with orthonormal columns, the polar factor ``H (H^T H)^(-1/2)``.

    Takes O(n s^2) time, through H^T H while its condition number is below 1e4, through QR and SVD beyond. Any number of
    threads gives the same bits.

    Parameters
    ----------
    H : array-like of shape (n, s)
        A matrix of full rank, n >= s.

    Returns
    -------
    ndarray of shape (n, s)
        The projection, in float64.

    Raises
    ------
    TypeError, ValueError
        If H is of the wrong kind or shape, or not finite.
    gramian.NumericalError
        If the columns of H are linearly dependent.

    Examples
    --------
    >>> import gramian
    >>> gramian.linalg.stiefel_project([[2.0, 0.0], [0.0, 0.5], [0.0, 0.0]])
    array([[1., 0.],
           [0., 1.],
           [0., 0.]])
    """
    return _core.linalg.stiefel_project(_matrix(H, "H"))


def stiefel_tangent(H: npt.ArrayLike, Z: npt.ArrayLike) -> FloatArray:
    """
    Project onto the tangent space at H: ``Z - H sym(H^T Z)`` with ``sym(A) = (A + A^T) / 2``.

    It is the Riemannian gradient of the Euclidean metric if Z is the ordinary gradient, and carries a tangent vector Z
    of another point to H. Takes O(n s^2) time.

    Parameters
    ----------
    H : array-like of shape (n, s)
        A matrix with orthonormal columns.
    Z : array-like of shape (n, s)
        Any matrix.

    Returns
    -------
    ndarray of shape (n, s)
        The tangent vector, in float64.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or shape, or not finite.
    """
    return _core.linalg.stiefel_tangent(_matrix(H, "H"), _matrix(Z, "Z"))


def stiefel_retract(H: npt.ArrayLike, Z: npt.ArrayLike, *, method: Literal["polar", "qr"] = "polar") -> FloatArray:
    """
    Step from H along the tangent vector Z and return to the matrices with orthonormal columns.

    Parameters
    ----------
    H : array-like of shape (n, s)
        A matrix with orthonormal columns.
    Z : array-like of shape (n, s)
        A tangent vector at H.
    method : {"polar", "qr"}, default="polar"
        The polar factor of H + Z, which is ``(H + Z)(I + Z^T Z)^(-1/2)``; or the factor Q of ``H + Z = Q R`` with a
        positive diagonal of R.

    Returns
    -------
    ndarray of shape (n, s)
        The new point, in float64.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or value, or not finite.
    gramian.NumericalError
        If the columns of H + Z are linearly dependent.
    """
    if method not in ("polar", "qr"):
        raise ValueError(f"method must be 'polar' or 'qr'. Got {method!r} instead.")
    return _core.linalg.stiefel_retract(_matrix(H, "H"), _matrix(Z, "Z"), method == "polar")


def solve_kronecker(k: npt.ArrayLike, L: npt.ArrayLike, lam: float, B: npt.ArrayLike | None = None) -> FloatArray:
    """
    Solve ``L A k + n lam A = B`` for A; n is the size of k.

    These are mn equations for positive semidefinite L (m x m) and k (n x n). Two eigendecompositions solve them in
    O(m^3 + n^3) time. Any number of threads gives the same bits.

    Parameters
    ----------
    k : array-like of shape (n, n)
        A symmetric positive semidefinite matrix; its lower triangle is read.
    L : array-like of shape (m, m)
        Another one.
    lam : float
        Greater than 0.
    B : array-like of shape (m, n), optional
        The right-hand side; the identity if None, which takes m = n.

    Returns
    -------
    ndarray of shape (m, n)
        A, in float64.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range, or not finite; or if a matrix is not positive semidefinite.

    Examples
    --------
    >>> import gramian
    >>> gramian.linalg.solve_kronecker([[1.0]], [[2.0]], 2.0, [[8.0]])
    array([[2.]])
    """
    inner, outer = _square_matrix(k, "k"), _square_matrix(L, "L")
    ridge = check_real(lam, "lam", "solve_kronecker")
    return _core.linalg.solve_kronecker(inner, outer, ridge, None if B is None else _matrix(B, "B"))


def _matrix(value: Any, name: str) -> FloatArray:
    return check_matrix(value, name).astype(np.float64, copy=False)


def _square_matrix(value: Any, name: str) -> FloatArray:
    return _matrix(square_matrix(as_array(value, name), name), name)
