# SPDX-License-Identifier: BSD-3-Clause
"""The engine's operations as functions of a kernel and arrays."""

from typing import Any, cast

import numpy.typing as npt

from gramian import _core
from gramian._validation import Matrix, as_array, check_matrix, common_dtype
from gramian.kernels import Kernel


def gram(kernel: Kernel, X: npt.ArrayLike, Y: npt.ArrayLike | None = None) -> Matrix:
    """
    Compute the Gram matrix ``K[i, j] = k(x_i, y_j)``.

    Takes O(n m d) time and no memory beyond the result. Any number of threads gives the same bits.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel
        The kernel.
    X : array-like of shape (n, d)
        Points in rows. Strided arrays are read where they are.
    Y : array-like of shape (m, d), optional
        Points in rows; X if None. Then each pair is evaluated once, and the result is exactly symmetric.

    Returns
    -------
    ndarray of shape (n, m)
        float32 if all arguments are, float64 otherwise.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or shape, or not finite; the message names it.
    MemoryError
        If the result would not fit; raised before any work.

    Examples
    --------
    >>> import gramian
    >>> gramian.gram(gramian.kernels.Gaussian(), [[0.0], [0.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    name, parameters = _engine_arguments(kernel)
    points, others = _check_points(X, Y)
    if others is None:
        return cast(Matrix, _core.gram(name, parameters, points))
    points, others = common_dtype(points, others)
    return cast(Matrix, _core.gram(name, parameters, points, others))


def product(kernel: Kernel, X: npt.ArrayLike, V: npt.ArrayLike, Y: npt.ArrayLike | None = None) -> Matrix:
    """
    Compute ``K(X, Y) @ V`` without storing the Gram matrix.

    Takes O(n m (d + r)) time and no memory that grows with n m. Any number of threads gives the same bits.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel
        The kernel.
    X : array-like of shape (n, d)
        Points in rows. Strided arrays are read where they are.
    V : array-like of shape (m, r) or (m,)
        What the Gram matrix is multiplied with.
    Y : array-like of shape (m, d), optional
        Points in rows; X if None. Then each pair is evaluated once.

    Returns
    -------
    ndarray of shape (n, r) or (n,)
        float32 if all arguments are, float64 otherwise.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or shape, or not finite; the message names it.
    MemoryError
        If the result would not fit; raised before any work.

    Examples
    --------
    >>> import gramian
    >>> gramian.product(gramian.kernels.Gaussian(), [[0.0], [0.0]], [1.0, 2.0])
    array([3., 3.])
    """
    name, parameters = _engine_arguments(kernel)
    points, others = _check_points(X, Y)
    columns, is_vector = _check_columns(V)
    rows = (points if others is None else others).shape[0]
    if columns.shape[0] != rows:
        owner = "X" if others is None else "Y"
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: V has {columns.shape[0]} rows, "
            f"{owner} has {rows}."
        )
    if others is None:
        points, columns = common_dtype(points, columns)
        result = _core.product(name, parameters, points, columns)
    else:
        points, columns, others = common_dtype(points, columns, others)
        result = _core.product(name, parameters, points, columns, others)
    return cast(Matrix, result[:, 0] if is_vector else result)


def _engine_arguments(kernel: Kernel) -> tuple[str, list[float]]:
    if not isinstance(kernel, Kernel):
        raise TypeError(f"kernel must be one of gramian.kernels, such as Gaussian(gamma=0.5). Got {kernel!r} instead.")
    return kernel._engine_name, kernel._engine_parameters()


def _check_points(X: Any, Y: Any) -> tuple[Matrix, Matrix | None]:
    points = check_matrix(X, "X")
    if Y is None:
        return points, None
    others = check_matrix(Y, "Y")
    if points.shape[1] != others.shape[1]:
        raise ValueError(
            f"Incompatible dimension for X and Y matrices: X.shape[1] == {points.shape[1]} "
            f"while Y.shape[1] == {others.shape[1]}"
        )
    return points, others


def _check_columns(V: Any) -> tuple[Matrix, bool]:
    array = as_array(V, "V")
    is_vector = array.ndim == 1
    return check_matrix(array[:, None] if is_vector else array, "V"), is_vector
