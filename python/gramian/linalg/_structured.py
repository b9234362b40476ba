# SPDX-License-Identifier: BSD-3-Clause
"""Matrices with orthonormal columns, and systems with Kronecker or low-rank structure."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FloatArray, as_array, check_matrix, check_real
from gramian.linalg._cholesky import right_hand_sides, square_matrix


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


def woodbury_solve(
    d: float | npt.ArrayLike, U: npt.ArrayLike, B: npt.ArrayLike, C: npt.ArrayLike | None = None
) -> FloatArray:
    """
    Compute ``(diag(d) + U C U^T)^-1 B`` without forming the matrix.

    Takes O(n m^2) time and one step of refinement. Any number of threads gives the same bits.

    Parameters
    ----------
    d : float or array-like of shape (n,)
        The diagonal, greater than 0; a number stands for n equal ones.
    U : array-like of shape (n, m)
        A factor with few columns.
    B : array-like of shape (n, r) or (n,)
        Right-hand sides.
    C : array-like of shape (m, m), optional
        A symmetric positive semidefinite matrix, of which the lower triangle is read; the identity if None.

    Returns
    -------
    ndarray of the shape of B
        The solution, in float64.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range, or not finite.
    gramian.NumericalError
        If U is so large beside d that their quotient overflows.

    Examples
    --------
    >>> import gramian
    >>> gramian.linalg.woodbury_solve(1.0, [[1.0], [0.0]], [4.0, 3.0])
    array([2., 3.])
    """
    factor = _matrix(U, "U")
    columns, is_vector = right_hand_sides(B, len(factor))
    core = None if C is None else _square_matrix(C, "C")
    X, _ = _core.linalg.woodbury_solve(_diagonal(d, len(factor)), factor, core, columns)
    return X[:, 0] if is_vector else X


def woodbury_log_determinant(d: float | npt.ArrayLike, U: npt.ArrayLike, C: npt.ArrayLike | None = None) -> float:
    """
    Compute ``log det(diag(d) + U C U^T)`` in O(n m^2) time.

    Parameters
    ----------
    d : float or array-like of shape (n,)
        The diagonal, greater than 0; a number stands for n equal ones.
    U : array-like of shape (n, m)
        A factor with few columns.
    C : array-like of shape (m, m), optional
        A symmetric positive semidefinite matrix, of which the lower triangle is read; the identity if None.

    Returns
    -------
    float
        The logarithm of the determinant.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range, or not finite.

    Examples
    --------
    >>> import gramian
    >>> gramian.linalg.woodbury_log_determinant(1.0, [[0.0], [0.0]])
    0.0
    """
    factor = _matrix(U, "U")
    core = None if C is None else _square_matrix(C, "C")
    _, log_determinant = _core.linalg.woodbury_solve(
        _diagonal(d, len(factor)), factor, core, np.empty((len(factor), 0))
    )
    return log_determinant


def _matrix(value: Any, name: str) -> FloatArray:
    return check_matrix(value, name).astype(np.float64, copy=False)


def _square_matrix(value: Any, name: str) -> FloatArray:
    return _matrix(square_matrix(as_array(value, name), name), name)


def _diagonal(d: Any, rows: int) -> FloatArray:
    array = as_array(d, "d")
    if array.ndim == 0:
        return np.full((rows, 1), check_real(d, "d", "the Woodbury formula"))
    if array.shape != (rows,):
        raise ValueError(f"d must be a number or have shape ({rows},), got {array.shape}.")
    return _matrix(array[:, None], "d")
