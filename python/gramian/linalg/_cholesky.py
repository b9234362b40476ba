# SPDX-License-Identifier: BSD-3-Clause
"""Cholesky factors, what is solved with them, and triangular systems."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FloatArray, as_array, check_matrix, check_tolerance
from gramian._warning import warn

_NATIVE = np.dtype(np.float64)
_JITTER = _core.linalg.CholeskyOptions().max_jitter
_NOT_POSITIVE, _NOT_FINITE = 2, 3  # of the engine's FactorStatus


@dataclass(frozen=True, eq=False, repr=False)
class CholeskyFactor:
    """
    The factor of a symmetric positive definite matrix: ``A + jitter I = L L^T``. Made by `cholesky`.

    Attributes
    ----------
    L : ndarray of shape (n, n)
        Lower triangular, zeros above the diagonal.
    jitter : float
        What was added to the diagonal of A; 0 if nothing.
    """

    L: FloatArray
    jitter: float

    def __repr__(self) -> str:
        return f"CholeskyFactor(n={len(self.L)}, jitter={self.jitter:.3g})"

    def solve(self, B: npt.ArrayLike) -> FloatArray:
        """
        Compute ``(A + jitter I)^-1 B``.

        Parameters
        ----------
        B : array-like of shape (n, m) or (n,)
            Right-hand sides.

        Returns
        -------
        ndarray of the shape of B
            The solution, in float64.
        """
        columns, is_vector = right_hand_sides(B, len(self.L))
        X = _core.linalg.cholesky_solve(self.L, columns)
        if not _core.linalg.all_finite(X):
            check_matrix(columns, "B")
        return X[:, 0] if is_vector else X

    def log_determinant(self) -> float:
        """Compute ``log det(A + jitter I)``."""
        return _core.linalg.log_determinant(self.L)

    def inverse_diagonal(self) -> FloatArray:
        """Compute the diagonal of ``(A + jitter I)^-1`` in O(n^3) time, without the inverse."""
        return _core.linalg.inverse_diagonal(self.L)


class BatchSolution(NamedTuple):
    """What `cholesky_solve_batch` returns."""

    X: FloatArray
    """The solutions, of the shape of B; NaN where the factorization failed."""
    jitter: FloatArray
    """What was added to the diagonal of each matrix, of shape (count,)."""
    success: npt.NDArray[np.bool_]
    """Which matrices are positive definite, with jitter if need be; of shape (count,)."""


def cholesky(A: npt.ArrayLike, *, max_jitter: float = _JITTER) -> CholeskyFactor:
    """
    Factorize a symmetric positive definite matrix as ``A + jitter I = L L^T``.

    Jitter is added only if A is not positive definite up to rounding: ``2^-53 10^k`` times the mean of the diagonal for
    k = 1 ... 6, then `max_jitter` times that mean; the first that works. Takes n^3 / 3 operations. Any number of
    threads gives the same bits.

    Parameters
    ----------
    A : array-like of shape (n, n)
        A symmetric matrix. It is not changed.
    max_jitter : float, default=1e-8
        The largest jitter allowed, relative to the mean of the diagonal; 0 allows none.

    Returns
    -------
    CholeskyFactor
        With the factor ``L`` and the ``jitter``.

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        If jitter was needed.

    Raises
    ------
    TypeError, ValueError
        If A is of the wrong kind, not square, not symmetric or not finite.
    gramian.NumericalError
        If A is not positive definite even with the largest jitter.
    MemoryError
        If the factor would not fit; raised before any work.

    Examples
    --------
    >>> import gramian
    >>> factor = gramian.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]])
    >>> factor.L
    array([[2., 0.],
           [1., 2.]])
    >>> factor.solve([8.0, 8.0])
    array([1.5, 1. ])
    """
    options = _options(max_jitter)
    matrix = square_matrix(as_array(A, "A"), "A")
    tolerance = _core.linalg.symmetry_tolerance(matrix.dtype == np.float32)
    L, jitter = _core.linalg.cholesky(_float64(matrix, "A"), options, tolerance)
    if jitter > 0:
        warn(
            f"A matrix of size {len(L)} is positive definite only up to rounding: {jitter:.3g} was added to its "
            "diagonal. Raise the regularisation to choose what is added yourself."
        )
    return CholeskyFactor(L, jitter)


def solve_triangular(L: npt.ArrayLike, B: npt.ArrayLike, *, lower: bool = True, transposed: bool = False) -> FloatArray:
    """
    Compute ``L^-1 B``, or ``L^-T B``, for a triangular matrix.

    Takes n^2 m operations. Any number of threads gives the same bits.

    Parameters
    ----------
    L : array-like of shape (n, n)
        A triangular matrix; the entries of its other triangle are not used.
    B : array-like of shape (n, m) or (n,)
        Right-hand sides. It is not changed.
    lower : bool, default=True
        Whether the lower triangle of L is used, or the upper one.
    transposed : bool, default=False
        Whether L is transposed first.

    Returns
    -------
    ndarray of the shape of B
        The solution, in float64.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or shape, or not finite; the message names it.
    gramian.NumericalError
        If a diagonal entry is zero.

    Examples
    --------
    >>> import gramian
    >>> gramian.linalg.solve_triangular([[2.0, 0.0], [1.0, 2.0]], [4.0, 6.0])
    array([2., 2.])
    """
    triangle = _float64(square_matrix(as_array(L, "L"), "L"), "L")
    columns, is_vector = right_hand_sides(B, len(triangle))
    X = _core.linalg.solve_triangular(triangle, columns, bool(lower), bool(transposed))
    if not _core.linalg.all_finite(X):  # NaN in an argument shows here; to look for it first would take longer
        check_matrix(columns, "B")
        check_matrix(np.tril(triangle) if lower else np.triu(triangle), "L")
    return X[:, 0] if is_vector else X


def cholesky_solve_batch(A: npt.ArrayLike, B: npt.ArrayLike, *, max_jitter: float = _JITTER) -> BatchSolution:
    """
    Solve many small symmetric positive definite systems ``A[b] X[b] = B[b]``; threads share the batch.

    A matrix that is not positive definite gives NaN and spoils no other. For the jitter see `cholesky`.

    Parameters
    ----------
    A : array-like of shape (count, n, n)
        Symmetric matrices, of which the lower triangles are used.
    B : array-like of shape (count, n, m) or (count, n)
        Right-hand sides.
    max_jitter : float, default=1e-8
        The largest jitter allowed, relative to the mean of a matrix's diagonal; 0 allows none.

    Returns
    -------
    BatchSolution
        A tuple of the solutions ``X``, the ``jitter`` and the ``success`` of each system.

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        Once, if systems needed jitter or failed.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or shape, or not finite; the message names it.

    Examples
    --------
    >>> import gramian
    >>> gramian.linalg.cholesky_solve_batch([[[2.0]], [[4.0]]], [[1.0], [1.0]]).X
    array([[0.5 ],
           [0.25]])
    """
    options = _options(max_jitter)
    matrices, sides = as_array(A, "A"), as_array(B, "B")
    if matrices.ndim != 3 or matrices.shape[1] != matrices.shape[2]:
        raise ValueError(f"A must have shape (count, n, n), got {matrices.shape}.")
    if sides.ndim not in (2, 3) or sides.shape[:2] != matrices.shape[:2]:
        count, n, _ = matrices.shape
        raise ValueError(f"B must have shape ({count}, {n}, m) or ({count}, {n}), got {sides.shape}.")
    # A stack is as good as the tall matrix of its rows, and the errors are the same.
    tall = _float64(matrices.reshape(-1, matrices.shape[2]), "A")
    wide = check_matrix(sides.reshape(sides.shape[0] * sides.shape[1], -1), "B")
    X = np.array(wide, np.float64, order="C").reshape(*sides.shape[:2], -1)
    status, jitter = _core.linalg.cholesky_solve_batch(np.ascontiguousarray(tall).reshape(matrices.shape), X, options)
    if (status == _NOT_FINITE).any():
        check_matrix(tall, "A")
    success = status < _NOT_POSITIVE
    _warn_about_batch(jitter, success)
    return BatchSolution(X.reshape(sides.shape), jitter, success)


def square_matrix(array: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    if array.ndim != 2 or array.size == 0:
        return check_matrix(array, name)  # which says what is wrong
    if array.shape[0] != array.shape[1]:
        raise ValueError(f"{name} must be a square matrix, got shape {array.shape}.")
    return array


def _float64(array: npt.NDArray[Any], name: str) -> FloatArray:
    """Return an array that the engine takes; it looks for NaN itself if it must."""
    # One object stands for native float64 nearly everywhere; another that is equal takes the longer way.
    if (
        array.dtype is _NATIVE
        and array.size > 0
        and array.flags.aligned
        and array.strides[0] % 8 == 0 == array.strides[1] % 8
    ):
        return array
    return check_matrix(array, name).astype(np.float64, copy=False)


def right_hand_sides(B: Any, rows: int) -> tuple[FloatArray, bool]:
    """Return B with columns, and whether it is a vector. NaN is looked for in what is made of it."""
    array = as_array(B, "B")
    is_vector = array.ndim == 1
    columns = array[:, None] if is_vector else array
    columns = _float64(columns if columns.ndim == 2 and columns.size else check_matrix(columns, "B"), "B")
    if columns.shape[0] != rows:
        raise ValueError(f"B has {columns.shape[0]} rows, the matrix has {rows}.")
    return columns, is_vector


def _warn_about_batch(jitter: FloatArray, success: npt.NDArray[np.bool_]) -> None:
    failed, jittered = np.flatnonzero(~success), np.flatnonzero(success & (jitter > 0))
    parts = []
    if len(jittered):
        parts.append(f"{len(jittered)} of {len(success)} systems needed jitter, at most {jitter[jittered].max():.3g}.")
    if len(failed):
        parts.append(
            f"{len(failed)} of {len(success)} matrices are not positive definite, the first one number {failed[0]}: "
            "their solutions are NaN. Raise the regularisation that is added to the diagonal, or max_jitter."
        )
    if parts:
        warn(" ".join(parts))


def _options(max_jitter: Any) -> _core.linalg.CholeskyOptions:
    return _core.linalg.CholeskyOptions(max_jitter=check_tolerance(max_jitter, "max_jitter"))
