# SPDX-License-Identifier: BSD-3-Clause
"""Systems with a diagonal plus a matrix of low rank."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FloatArray, as_array, check_matrix, check_real
from gramian.linalg._cholesky import right_hand_sides, square_matrix


class Woodbury:
    """
    The matrix ``diag(d) + U C U^T``, never formed: factored once, in O(n m^2) time, solved as often as you like.

    Any number of threads gives the same bits. `LowRankInverse` has no step of refinement: it takes less time, and stays
    symmetric.

    Parameters
    ----------
    d : float or array-like of shape (n,)
        The diagonal, greater than 0; a number stands for n equal ones.
    U : array-like of shape (n, m)
        A factor with few columns.
    C : array-like of shape (m, m), optional
        A symmetric positive semidefinite matrix, of which the lower triangle is read; the identity if None.

    Examples
    --------
    >>> import gramian
    >>> system = gramian.linalg.Woodbury(1.0, [[1.0], [0.0]])
    >>> system.solve([4.0, 3.0]), round(system.log_determinant(), 6)
    (array([2., 3.]), 0.693147)
    """

    def __init__(self, d: float | npt.ArrayLike, U: npt.ArrayLike, C: npt.ArrayLike | None = None) -> None:
        factor = _matrix(U, "U")
        core = None if C is None else _matrix(square_matrix(as_array(C, "C"), "C"), "C")
        self._engine = _core.linalg.Woodbury(_diagonal(d, len(factor)), factor, core)

    def __repr__(self) -> str:
        return f"Woodbury(n={self._engine.size})"

    def solve(self, B: npt.ArrayLike) -> FloatArray:
        """
        Compute ``(diag(d) + U C U^T)^-1 B``, with one step of refinement.

        Parameters
        ----------
        B : array-like of shape (n, r) or (n,)
            Right-hand sides.

        Returns
        -------
        ndarray of the shape of B
            The solution, in float64.
        """
        columns, is_vector = right_hand_sides(B, self._engine.size)
        X = self._engine.solve(columns)
        return X[:, 0] if is_vector else X

    def log_determinant(self) -> float:
        """Compute ``log det(diag(d) + U C U^T)``."""
        return self._engine.log_determinant()


def woodbury_solve(
    d: float | npt.ArrayLike, U: npt.ArrayLike, B: npt.ArrayLike, C: npt.ArrayLike | None = None
) -> FloatArray:
    """
    Compute ``(diag(d) + U C U^T)^-1 B`` without forming the matrix.

    Takes O(n m^2) time and one step of refinement. For several systems with one matrix, use `Woodbury`. Any
    number of threads gives the same bits.

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
    return Woodbury(d, U, C).solve(B)


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
    return Woodbury(d, U, C).log_determinant()


def _matrix(value: Any, name: str) -> FloatArray:
    return check_matrix(value, name).astype(np.float64, copy=False)


def _diagonal(d: Any, rows: int) -> FloatArray:
    array = as_array(d, "d")
    if array.ndim == 0:
        return np.full((rows, 1), check_real(d, "d", "the Woodbury formula"))
    if array.shape != (rows,):
        raise ValueError(f"d must be a number or have shape ({rows},), got {array.shape}.")
    return _matrix(array[:, None], "d")
