# SPDX-License-Identifier: BSD-3-Clause
"""Products with ``K.T @ K`` for a Gram matrix between many points and a few centres, and that matrix itself."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._operands import Operands
from gramian._validation import (
    FLOAT64,
    LARGEST_SIZE,
    FloatArray,
    check_columns,
    check_integer,
    check_matrix,
    check_rows,
    check_shape,
    check_vector,
    is_sparse,
)
from gramian.kernels import Kernel, KernelName
from gramian.points import InnerProducts, PointsLike, SourcePoints

__all__ = ["NormalSum", "normal_product", "normal_system"]


# What a pickled sum has of the engine's structs.
_SYSTEM = ("square", "right", "y_square")
_PARTS = ("rows", "sums", "levels", "open_chunks", "pending", "pending_weights", "pending_Y")


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


class NormalSum:
    r"""
    Normal equations of a regression on centres, over rows that arrive in blocks and are not kept.

    The bits depend on the rows and their order, and not on the blocks or the number of threads; they are those of
    `normal_system` on all rows.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel
        The kernel.
    C : array-like or sparse matrix of shape (m, d)
        Centres in rows, which are copied. If they are float32, all rows are computed with in float32.
    outputs : int, default=1
        The number of columns of Y, at least 0.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or shape, or not finite; the message names it.

    Examples
    --------
    >>> import gramian
    >>> total = gramian.NormalSum(gramian.kernels.Linear(), [[1.0]])
    >>> for x in ([[1.0]], [[2.0]]):
    ...     total.add(x, [1.0])
    >>> total.square, total.right, total.rows
    (array([[5.]]), array([[3.]]), 2)
    """

    def __init__(self, kernel: Kernel, C: PointsLike, outputs: int = 1) -> None:
        self._begin(kernel, C, check_integer(outputs, "outputs", 0, LARGEST_SIZE))

    def _begin(self, kernel: Kernel, C: Any, outputs: int, *parts: _core.gram.NormalSumParts) -> None:
        C = C.copy() if is_sparse(C) else np.array(check_matrix(C, "C"))
        operands = _operands(kernel, C, C)
        self._kernel, self._C, self._outputs, self._dtype = operands.kernel, C, outputs, operands.dtype()
        self._sum = _core.gram.NormalSum(operands.spec, operands.points(self._dtype)[0], outputs, *parts)

    def __copy__(self) -> "NormalSum":
        copied = NormalSum.__new__(type(self))
        copied._begin(self._kernel, self._C, self._outputs, self._sum.parts())
        return copied

    def __getstate__(self) -> dict[str, Any]:
        parts = _fields(self._sum.parts(), _PARTS)
        parts["sums"] = [_fields(system, _SYSTEM) for system in parts["sums"]]
        return {"kernel": self._kernel, "C": self._C, "outputs": self._outputs, "parts": parts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        sums = [_core.gram.NormalSystem(**system) for system in state["parts"]["sums"]]
        parts = _core.gram.NormalSumParts(**{**state["parts"], "sums": sums})
        self._begin(state["kernel"], state["C"], state["outputs"], parts)

    def add(self, X: PointsLike, Y: npt.ArrayLike | None = None, *, sample_weight: npt.ArrayLike | None = None) -> None:
        """
        Add rows.

        Parameters
        ----------
        X : array-like of shape (n, d), sparse matrix of that shape, or source of rows
            Points in rows, dense or sparse as the centres are.
        Y : array-like of shape (n, outputs) or (n,), optional
            The targets; None without outputs.
        sample_weight : array-like of shape (n,), optional
            Weights, at least 0; 1 if None.
        """
        operands = _operands(self._kernel, X, self._C)
        targets = None if Y is None else _targets(Y, operands.rows)
        check_shape(np.empty((operands.rows, 0)) if targets is None else targets, "Y", (operands.rows, self._outputs))
        weights = _weights(sample_weight, operands.rows, "sample_weight")
        blocks = (
            operands.x.blocks(self._dtype)
            if isinstance(operands.x, SourcePoints)
            else [(slice(None), operands.x.crossing(self._dtype))]
        )
        for part, block in blocks:
            some_targets, some_weights = (None if all_ is None else all_[part] for all_ in (targets, weights))
            self._sum.add(block, some_targets, some_weights)

    def merge(self, other: "NormalSum") -> None:
        """
        Continue these rows with those of another sum over the same kernel and centres.

        The bits depend on where the rows were cut and on nothing else; they are those of one sum if this one has
        98 304 rows, or 2, 4, 8 ... times as many, and the other one no more.
        """
        if self._kernel != other._kernel or not _same(self._C, other._C):
            raise ValueError("other has another kernel or other centres: only sums over the same ones can be merged.")
        self._sum.merge(other._sum)

    def _system(self) -> _core.gram.NormalSystem:
        """Return `square`, `right` and `y_square`, all at once."""
        return self._sum.system()

    @property
    def rows(self) -> int:
        """The number of rows so far."""
        return self._sum.rows

    @property
    def square(self) -> FloatArray:
        """``K.T @ W @ K``, of shape (m, m)."""
        return self._system().square

    @property
    def right(self) -> FloatArray:
        """``K.T @ W @ Y``, of shape (m, outputs)."""
        return self._system().right

    @property
    def y_square(self) -> FloatArray:
        """The sum of w y² of each output."""
        return self._system().y_square


def _fields(value: Any, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


def _same(C: Any, D: Any) -> bool:
    if is_sparse(C) or is_sparse(D):
        return is_sparse(C) and is_sparse(D) and C.shape == D.shape and (C != D).nnz == 0
    return np.array_equal(C, D)


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
