# SPDX-License-Identifier: BSD-3-Clause
"""Products with ``K.T @ K`` for a Gram matrix between many points and a few centres, and that matrix itself."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._operands import Operands
from gramian._validation import FLOAT64, FloatArray, check_columns, check_rows, check_shape, check_vector
from gramian.kernels import Kernel, KernelName
from gramian.points import InnerProducts, PointsLike, SourcePoints

__all__ = ["normal_product", "normal_system"]


def __dir__() -> list[str]:
    return list(__all__)


def normal_product(
    kernel: Kernel | KernelName,
    X: PointsLike,
    C: PointsLike,
    V: npt.ArrayLike,
    *,
    weights: npt.ArrayLike | None = None,
    Y: npt.ArrayLike | None = None,
) -> FloatArray:
    r"""
    Compute ``K.T @ (weights * (K @ V - Y))`` for ``K = gram(kernel, X, C)``, with each entry of K evaluated once.

    This is the step of an iterative solver for kernel ridge regression with landmarks. Takes O(n m (d + 2 r)) time and
    no memory that grows with n m. Any number of threads gives the same bits.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel or str
        The kernel, or its name: then C chooses its width, by the median rule.
    X : array-like of shape (n, d), sparse matrix of that shape, or source of rows
        Points in rows. Memory maps, and what `gramian.rows` returns, are read a block at a time, with the same bits.
    C : array-like or sparse matrix of shape (m, d)
        Centres in rows.
    V : array-like of shape (m, r) or (m,)
        The vectors of the product.
    weights : array-like of shape (n,), optional
        Weights of the rows of X, at least 0; 1 if None.
    Y : array-like, of shape (n, r) or (n,) as V, optional
        The targets; 0 if None.

    Returns
    -------
    ndarray of shape (m, r) or (m,)
        float64. If X and C are float32, kernel values are float32 and sums between tiles float64.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or shape, or not finite; the message names it.

    Examples
    --------
    >>> import gramian
    >>> gramian.normal_product(gramian.kernels.Linear(), [[1.0], [2.0]], [[1.0]], [1.0])
    array([5.])
    """
    operands = _operands(kernel, X, C)
    columns, is_vector = check_columns(V, "V")
    check_rows(columns, "V", operands.columns, "C")
    targets = None if Y is None else _targets(Y, operands.rows)
    if targets is not None:
        check_shape(targets, "Y", (operands.rows, columns.shape[1]))
    points, centres = _crossings(operands)
    result = _core.gram.normal_product(
        operands.spec, points, centres, columns.astype(FLOAT64, copy=False), _weights(weights, operands.rows), targets
    )
    return result[:, 0] if is_vector else result


def normal_system(
    kernel: Kernel | KernelName,
    X: PointsLike,
    C: PointsLike,
    Y: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
) -> tuple[FloatArray, FloatArray | None]:
    r"""
    Compute ``K.T @ W @ K`` and ``K.T @ W @ Y`` for ``K = gram(kernel, X, C)`` in one pass over the rows of X.

    These are the normal equations of a regression on centres. Takes O(n m (m + d + r)) time, and memory for the result
    and for some rows of K. Any number of threads gives the same bits.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel or str
        The kernel, or its name: then C chooses its width, by the median rule.
    X : array-like of shape (n, d), sparse matrix of that shape, or source of rows
        Points in rows. Memory maps, and what `gramian.rows` returns, are read a block at a time, with the same bits.
    C : array-like or sparse matrix of shape (m, d)
        Centres in rows.
    Y : array-like of shape (n, r) or (n,), optional
        The targets.
    sample_weight : array-like of shape (n,), optional
        The diagonal of W, at least 0; 1 if None.

    Returns
    -------
    square : ndarray of shape (m, m)
        float64, exactly symmetric.
    right : ndarray of shape (m, r) or (m,), or None
        None without Y.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or shape, or not finite; the message names it.
    MemoryError
        If the result would not fit; raised before any work.

    Examples
    --------
    >>> import gramian
    >>> square, right = gramian.normal_system(gramian.kernels.Linear(), [[1.0], [2.0]], [[1.0]], [1.0, 1.0])
    >>> square, right
    (array([[5.]]), array([3.]))
    """
    operands = _operands(kernel, X, C)
    targets = None if Y is None else _targets(Y, operands.rows)
    points, centres = _crossings(operands)
    weights = _weights(sample_weight, operands.rows, "sample_weight")
    square, right = _core.gram.normal_system(operands.spec, points, centres, targets, weights)
    if targets is None:
        return square, None
    return square, right[:, 0] if np.ndim(cast(Any, Y)) == 1 else right


def _operands(kernel: Kernel | KernelName, X: Any, C: Any) -> Operands:
    for value, name in ((X, "X"), (C, "C")):
        if isinstance(value, InnerProducts):
            raise TypeError(f"{name} has inner products: X and C must be points. Use gramian.gram for inner products.")
    return Operands(kernel, X, C, second="C")


def _crossings(operands: Operands) -> tuple[Any, Any]:
    """Return what the binding takes for X and C: a source is read by the engine."""
    dtype = operands.dtype()
    if isinstance(operands.x, SourcePoints):
        return operands.x, cast(Any, operands.y).crossing(dtype)
    return operands.points(dtype)


def _targets(value: Any, rows: int) -> FloatArray:
    columns, _ = check_columns(value, "Y")
    check_rows(columns, "Y", rows, "X")
    return columns.astype(FLOAT64, copy=False)


def _weights(value: Any, rows: int, name: str = "weights") -> FloatArray | None:
    if value is None:
        return None
    vector = check_vector(value, name, rows, "the rows of X")
    if (vector < 0).any():
        raise ValueError(f"{name} must be at least 0, got {vector.min():g}.")
    return vector.astype(FLOAT64, copy=False)[:, None]
