# SPDX-License-Identifier: BSD-3-Clause
"""The engine's operations as functions of a kernel and arrays."""

from collections.abc import Callable
from typing import Any, NamedTuple, cast, overload

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._operands import Operands, check_gradient
from gramian._validation import (
    FLOAT64,
    DoubleLike,
    Float32Array,
    FloatArray,
    Matrix,
    check_columns,
    check_rows,
    check_shape,
)
from gramian.kernels import Kernel, KernelName
from gramian.kernels.lowering import Values
from gramian.points import InnerProducts, PointsLike, SourcePoints

__all__ = ["Adjoint", "adjoint", "diagonal", "gram", "hessian_vector", "product"]


def __dir__() -> list[str]:
    return list(__all__)


class Adjoint(NamedTuple):
    """What `adjoint` returns: gradients in the points and in the kernel's parameters."""

    X: Matrix | None
    """In X: as many rows and columns. None if it was not asked for, and for sparse points."""
    Y: Matrix | None
    """In Y; None without one."""
    parameters: dict[str, Values]
    """In the parameters of the kernel as they were given, by name."""
    parameter_vector: npt.NDArray[np.float64]
    """In the engine's own parameters, in its order; ``kernel.named_gradient`` gives them names."""


@overload
def gram(kernel: Kernel | KernelName, X: Float32Array, Y: Float32Array | None = None) -> Float32Array: ...  # type: ignore[overload-overlap]


@overload
def gram(kernel: Kernel | KernelName, X: DoubleLike, Y: PointsLike | None = None) -> FloatArray: ...


@overload
def gram(kernel: Kernel | KernelName, X: PointsLike, Y: DoubleLike) -> FloatArray: ...


@overload
def gram(kernel: Kernel | KernelName, X: PointsLike, Y: PointsLike | None = None) -> Matrix: ...


def gram(kernel: Kernel | KernelName, X: PointsLike, Y: PointsLike | None = None) -> Matrix:
    """
    Compute the Gram matrix ``K[i, j] = k(x_i, y_j)``.

    Takes O(n m d) time and no memory beyond the result. Any number of threads gives the same bits.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel or str
        The kernel, or its name: then the median rule chooses its width, by Y if there is one and by X if not.
    X : array-like of shape (n, d), sparse matrix of that shape, or InnerProducts
        Points in rows. Strided arrays are read where they are.
    Y : array-like or sparse matrix of shape (m, d), optional
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
    operands = Operands(kernel, X, Y)
    return cast(Matrix, _core.gram.gram(operands.spec, *operands.points(operands.dtype())))


@overload
def diagonal(kernel: Kernel | KernelName, X: Float32Array) -> Float32Array: ...  # type: ignore[overload-overlap]


@overload
def diagonal(kernel: Kernel | KernelName, X: DoubleLike) -> FloatArray: ...


@overload
def diagonal(kernel: Kernel | KernelName, X: PointsLike) -> Matrix: ...


def diagonal(kernel: Kernel | KernelName, X: PointsLike) -> Matrix:
    """
    Compute the diagonal of a Gram matrix, ``k(x_i, x_i)``.

    Takes O(n d) time.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel or str
        The kernel, or its name: then the median rule chooses its width, by Y if there is one and by X if not.
    X : array-like of shape (n, d), sparse matrix of that shape, InnerProducts, or source of rows
        Points in rows. Memory maps, and what `gramian.rows` returns, are read a block at a time, with the same bits.

    Returns
    -------
    ndarray of shape (n,)
        The bits of the diagonal of `gram`; float32 if X is, float64 otherwise.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or shape, or not finite; the message names it.

    Examples
    --------
    >>> import gramian
    >>> gramian.diagonal(gramian.kernels.Linear(), [[1.0, 2.0], [3.0, 0.0]])
    array([5., 9.])
    """
    operands = Operands(kernel, X, None)
    if isinstance(operands.x, InnerProducts) and not operands.x.one_set:
        raise TypeError("X has the inner products of two sets of points: a diagonal is that of one.")
    dtype = operands.dtype()
    if isinstance(operands.x, SourcePoints):
        return _by_blocks(operands.x, dtype, 1, lambda rows: _core.gram.diagonal(operands.spec, rows))[:, 0]
    return cast(Matrix, _core.gram.diagonal(operands.spec, operands.points(dtype)[0])[:, 0])


@overload
def product(
    kernel: Kernel | KernelName, X: Float32Array, V: Float32Array, Y: Float32Array | None = None
) -> Float32Array: ...


@overload
def product(
    kernel: Kernel | KernelName, X: DoubleLike, V: npt.ArrayLike, Y: PointsLike | None = None
) -> FloatArray: ...


@overload
def product(kernel: Kernel | KernelName, X: PointsLike, V: DoubleLike, Y: PointsLike | None = None) -> FloatArray: ...


@overload
def product(kernel: Kernel | KernelName, X: PointsLike, V: npt.ArrayLike, Y: DoubleLike) -> FloatArray: ...


@overload
def product(kernel: Kernel | KernelName, X: PointsLike, V: npt.ArrayLike, Y: PointsLike | None = None) -> Matrix: ...


def product(kernel: Kernel | KernelName, X: PointsLike, V: npt.ArrayLike, Y: PointsLike | None = None) -> Matrix:
    """
    Compute ``K(X, Y) @ V`` without storing the Gram matrix.

    Takes O(n m (d + r)) time and no memory that grows with n m. Any number of threads gives the same bits.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel or str
        The kernel, or its name: then the median rule chooses its width, by Y if there is one and by X if not.
    X : array-like of shape (n, d), sparse matrix of that shape, or InnerProducts
        Points in rows. Strided arrays are read where they are. With Y, memory maps and what `gramian.rows` returns are
        read a block at a time, with the same bits.
    V : array-like of shape (m, r) or (m,)
        What the Gram matrix is multiplied with.
    Y : array-like or sparse matrix of shape (m, d), optional
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
    operands = Operands(kernel, X, Y)
    columns, is_vector = check_columns(V, "V")
    check_rows(columns, "V", operands.columns, operands.columns_owner)
    dtype = operands.dtype(columns)
    V = columns.astype(dtype, copy=False)
    if isinstance(operands.x, SourcePoints) and operands.y is not None:
        others = operands.y.crossing(dtype)
        result = _by_blocks(
            operands.x, dtype, V.shape[1], lambda rows: _core.gram.product(operands.spec, rows, V, others)
        )
    else:
        points, others_or_none = operands.points(dtype)
        result = cast(Matrix, _core.gram.product(operands.spec, points, V, others_or_none))
    return result[:, 0] if is_vector else result


def _by_blocks(
    source: SourcePoints, dtype: np.dtype[Any], columns: int, compute: Callable[[Matrix], npt.NDArray[Any]]
) -> Matrix:
    """Return rows of a result each of which depends on its own row of a source only."""
    advice = "pass fewer rows or columns at a time"
    _core.base.require_memory(source.rows * columns * dtype.itemsize, "the result", advice)
    out = np.empty((source.rows, columns), dtype)
    for part, block in source.blocks(dtype):
        out[part] = compute(block)
    return out


def adjoint(
    kernel: Kernel | KernelName,
    X: PointsLike,
    P: npt.ArrayLike | None = None,
    Q: npt.ArrayLike | None = None,
    Y: PointsLike | None = None,
    *,
    Kbar: npt.ArrayLike | None = None,
    points: bool = True,
) -> Adjoint:
    r"""
    Turn the gradient in a Gram matrix into gradients in the points and in the kernel's parameters.

    For a number :math:`E(K)` with :math:`\bar K_{ij} = \partial E / \partial K_{ij}` it is the chain rule through
    `gram`. :math:`\bar K` is given as ``P @ Q.T``, which is never formed, or as it is. For one set of points both roles
    of each point count. Takes O(n m (d + r)) time, and no memory that grows with n m.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel or str
        The kernel, or its name: then the median rule chooses its width, by Y if there is one and by X if not.
    X : array-like of shape (n, d), sparse matrix of that shape, or InnerProducts of one set
        Points in rows. Sparse points get gradients in the parameters alone, inner products all of it in float64.
    P, Q : array-like of shape (n, r) or (n,) and (m, r) or (m,), optional
        The factors.
    Y : array-like or sparse matrix of shape (m, d), optional
        Points in rows; X if None.
    Kbar : array-like of shape (n, m), optional
        The gradient itself, in place of P and Q.
    points : bool, default=True
        Whether gradients in the points are wanted.

    Returns
    -------
    Adjoint
        Where a kernel has a kink, as `Laplacian` at coincident points, its derivative is taken as 0. For
        `InnerProducts`, ``X`` is the gradient in K: symmetric, with that in the squared norms on its diagonal.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or shape, or not finite; the message names it.

    Examples
    --------
    >>> import gramian
    >>> result = gramian.adjoint(gramian.kernels.Gaussian(gamma=1.0), [[0.0], [1.0]], [1.0, 0.0], [0.0, 1.0])
    >>> round(result.parameters["gamma"], 6)
    -0.367879
    """
    operands = Operands(kernel, X, Y)
    if isinstance(operands.x, InnerProducts) and not operands.x.one_set:
        raise TypeError("X has the inner products of two sets of points: the adjoint takes those of one.")
    left, right = check_gradient(operands, P, Q, Kbar)
    dtype = FLOAT64 if isinstance(operands.x, InnerProducts) else operands.dtype(left, right)
    P_or_Kbar, Q_or_none = left.astype(dtype, copy=False), None if right is None else right.astype(dtype, copy=False)
    x, y = operands.points(dtype)
    found = _core.gram.adjoint(operands.spec, x, P_or_Kbar, Q_or_none, y, points and not operands.sparse)
    vector = found.parameters
    return Adjoint(found.X, found.Y, operands.kernel.named_gradient(vector), vector)


def hessian_vector(
    kernel: Kernel | KernelName,
    X: PointsLike,
    P: npt.ArrayLike,
    Q: npt.ArrayLike,
    Xdot: npt.ArrayLike,
    Pdot: npt.ArrayLike | None = None,
    Qdot: npt.ArrayLike | None = None,
    Y: PointsLike | None = None,
    Ydot: npt.ArrayLike | None = None,
) -> Any:
    r"""
    Differentiate the points' gradient of `adjoint` along directions of all that it is made of.

    It is the derivative at t = 0 of ``adjoint(kernel, X + t Xdot, P + t Pdot, Q + t Qdot, Y + t Ydot)``, in float64.
    Takes O(n m (d + r)) time, and no memory that grows with n m.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel or str
        The kernel, or its name: then the median rule chooses its width, by Y if there is one and by X if not.
    X : array-like of shape (n, d)
        Points in rows; dense.
    P, Q : array-like of shape (n, r) or (n,) and (m, r) or (m,)
        The factors of the gradient in the Gram matrix.
    Xdot : array-like of shape (n, d)
        The direction of X.
    Pdot, Qdot : array-like, as P and Q, optional
        Their directions; 0 if None.
    Y, Ydot : array-like of shape (m, d), optional
        Points in rows; X if None. And their direction; 0 if None.

    Returns
    -------
    ndarray of shape (n, d), or a pair of them
        That of ``adjoint(...).X``, and with Y of ``.Y``. Second derivatives that are unbounded count as 0.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind or shape, or not finite; the message names it.

    Examples
    --------
    >>> import gramian
    >>> gramian.hessian_vector(gramian.kernels.Polynomial(degree=2, coef0=0.0), [[1.0]], [1.0], [1.0], [[1.0]])
    array([[12.]])
    """
    operands = Operands(kernel, X, Y)
    if operands.x.kind != "dense points":
        raise TypeError(f"X has {operands.x.kind}: second derivatives are there for dense points alone.")
    if Ydot is not None and Y is None:
        raise TypeError("Ydot is the direction of Y, and there is no Y.")
    left, right = (cast(Matrix, part).astype(FLOAT64, copy=False) for part in check_gradient(operands, P, Q, None))
    x, y = operands.points(FLOAT64)
    x_direction = _direction(Xdot, "Xdot", (operands.rows, operands.dimension))
    y_direction = None if Y is None else _direction(Ydot, "Ydot", (operands.columns, operands.dimension))
    moving = _moving_gradient(left, right, Pdot, Qdot)
    found = _core.gram.hessian_vector(operands.spec, x, x_direction, left, right, *moving, y, y_direction)
    return found.X if Y is None else (found.X, found.Y)


def _direction(value: Any, name: str, shape: tuple[int, int]) -> Matrix:
    if value is None:
        return np.zeros(shape)
    array, _ = check_columns(value, name)
    check_shape(array, name, shape)
    return array.astype(np.float64, copy=False)


def _moving_gradient(P: Matrix, Q: Matrix, Pdot: Any, Qdot: Any) -> tuple[Matrix, Matrix]:
    """Return the derivative of P Q^T as a product again: [Pdot P] [Q Qdot]^T."""
    left, right = [], []
    if Pdot is not None:
        left.append(_direction(Pdot, "Pdot", P.shape))
        right.append(Q)
    if Qdot is not None:
        left.append(P)
        right.append(_direction(Qdot, "Qdot", Q.shape))
    if not left:
        return np.zeros((len(P), 1)), np.zeros((len(Q), 1))
    return cast(Matrix, np.hstack(left)), cast(Matrix, np.hstack(right))
