# SPDX-License-Identifier: BSD-3-Clause
"""What all operator-valued kernels have in common, and their sums."""

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._parametrised import Parametrised
from gramian._scikit import BaseEstimator
from gramian._validation import (
    FLOAT64,
    LARGEST_SIZE,
    FloatArray,
    as_array,
    check_matrix,
    check_real,
    check_shape,
    check_whole,
)
from gramian.kernels.base import is_number
from gramian.kernels.choice import KernelChoice, check_kernel, choose_kernel
from gramian.points import InnerProducts, check_alike, check_points


class OperatorKernel(Parametrised, BaseEstimator, ABC):
    """
    What all operator-valued kernels have in common.

    Points are dense or sparse; an operator-valued kernel whose number of outputs q is not given takes that of its other
    argument.
    """

    @abstractmethod
    def _lower(self, dimension: int | None, outputs: int | None) -> _core.operators.Kernel:
        """Return what the engine takes for points of `dimension` features and `outputs` outputs, if these are known."""

    @abstractmethod
    def _outputs(self, dimension: int | None) -> int | None:
        """Return the number of outputs for points of `dimension` features, if the kernel knows it."""

    def block(self, x: npt.ArrayLike, y: npt.ArrayLike, *, outputs: int | None = None) -> FloatArray:
        """
        Return K(x, y) for two points.

        Parameters
        ----------
        x, y : array-like of shape (d,)
            The points.
        outputs : int, optional
            The number of outputs, where the kernel takes any.

        Returns
        -------
        ndarray of shape (q, q)
        """
        points, others = self._points(as_array(x, "x")[None], as_array(y, "y")[None])
        return self._engine(points, _count(outputs, "block")).block(points[1], 0, others[1], 0)

    def matrix(self, X: Any, Y: Any = None, *, outputs: int | None = None) -> FloatArray:
        """
        Return all blocks in one matrix: entry (i q + a, j q + b) is ``K(x_i, y_j)[a, b]``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)
            Points in rows.
        Y : array-like or sparse matrix of shape (m, d), optional
            Points in rows; X if None.
        outputs : int, optional
            The number of outputs, where the kernel takes any.

        Returns
        -------
        ndarray of shape (n q, m q)
        """
        points, others = self._points(X, Y)
        return _finite(self._engine(points, _count(outputs, "matrix")).matrix(points[1], others[1]), "X")

    def apply(self, X: Any, V: npt.ArrayLike, Y: Any = None) -> FloatArray:
        r"""
        Return :math:`\sum_j K(x_i, y_j) v_j` in row i, without the block matrix.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)
            Points in rows.
        V : array-like of shape (m, q)
            A vector for each point of Y.
        Y : array-like or sparse matrix of shape (m, d), optional
            Points in rows; X if None.

        Returns
        -------
        ndarray of shape (n, q)
        """
        points, others = self._points(X, Y)
        vectors = _float64(V, "V")
        check_shape(vectors, "V", (others[0].rows, vectors.shape[1]))
        return _finite(self._engine(points, vectors.shape[1]).apply(points[1], others[1], vectors), "X or V")

    def joint(self, X: Any, F: npt.ArrayLike, Y: Any = None, G: npt.ArrayLike | None = None) -> FloatArray:
        r"""
        Return the joint kernel of pairs, :math:`\langle K(x_i, y_j) g_j, f_i \rangle`, [KDE] Sec. 5.2.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)
            Inputs in rows.
        F : array-like of shape (n, q)
            Features of their outputs.
        Y, G : array-like, (m, d) and (m, q), optional
            The other pairs; X and F if None.

        Returns
        -------
        ndarray of shape (n, m)
        """
        if (Y is None) != (G is None):
            raise ValueError("Y and G are pairs: give both, or none.")
        points, others = self._points(X, Y)
        left = _float64(F, "F")
        right = left if G is None else _float64(G, "G")
        check_shape(left, "F", (points[0].rows, left.shape[1]))
        check_shape(right, "G", (others[0].rows, left.shape[1]))
        return _finite(self._engine(points, left.shape[1]).joint_gram(points[1], left, others[1], right), "X, F or G")

    def _decided(self, width: Callable[[KernelChoice], Any]) -> "OperatorKernel":
        """Return the same with kernels whose width is chosen, where their names leave it open."""
        changed: dict[str, Any] = {}
        for name, value in self.get_params(deep=False).items():
            if isinstance(value, OperatorKernel):
                changed[name] = value._decided(width)
            elif name == "kernel":
                changed[name] = width(choose_kernel(value, name, type(self).__name__))
        return copy.copy(self).set_params(**changed)

    def _points(self, X: Any, Y: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
        x = check_points(X, "X")
        y = x if Y is None else check_points(Y, "Y")
        if isinstance(x, InnerProducts) or isinstance(y, InnerProducts):
            raise TypeError("operator-valued kernels take points, and X or Y has inner products.")
        check_alike(x, y)
        return (x, x.crossing(FLOAT64)), (y, y.crossing(FLOAT64))

    def _engine(self, points: tuple[Any, Any], outputs: int | None) -> _core.operators.Kernel:
        return self._lower(points[0].dimension, outputs)

    def __add__(self, other: object) -> "Sum":
        return Sum(self, other) if isinstance(other, OperatorKernel) else NotImplemented

    def __mul__(self, other: object) -> "Scaled":
        return Scaled(cast(float, other), self) if is_number(other) else NotImplemented

    __rmul__ = __mul__


class Sum(OperatorKernel):
    """
    The sum of two operator-valued kernels, which is what ``K1 + K2`` makes.

    Parameters
    ----------
    first, second : OperatorKernel
        The terms.
    """

    def __init__(self, first: Any, second: Any) -> None:
        self.first = first
        self.second = second

    def _lower(self, dimension: int | None, outputs: int | None) -> _core.operators.Kernel:
        own = self._outputs(dimension)
        size = outputs if own is None else own
        return _core.operators.Kernel.sum([(1.0, term._lower(dimension, size)) for term in self._terms()])

    def _outputs(self, dimension: int | None) -> int | None:
        known = [term._outputs(dimension) for term in self._terms()]
        return known[1] if known[0] is None else known[0]

    def _terms(self) -> list[OperatorKernel]:
        return [check_operator(self.first, "first", "Sum"), check_operator(self.second, "second", "Sum")]


class Scaled(OperatorKernel):
    """
    A multiple of an operator-valued kernel, which is what ``0.5 * K`` makes.

    Parameters
    ----------
    factor : float
        At least 0.
    operator : OperatorKernel
        The kernel.
    """

    def __init__(self, factor: float, operator: Any) -> None:
        self.factor = factor
        self.operator = operator

    def _lower(self, dimension: int | None, outputs: int | None) -> _core.operators.Kernel:
        factor = check_real(self.factor, "factor", "Scaled", inclusive=True)
        operator = check_operator(self.operator, "operator", "Scaled")
        return _core.operators.Kernel.sum([(factor, operator._lower(dimension, outputs))])

    def _outputs(self, dimension: int | None) -> int | None:
        return check_operator(self.operator, "operator", "Scaled")._outputs(dimension)


def check_operator(value: Any, name: str, owner: str) -> OperatorKernel:
    """Return an operator-valued kernel, or refuse what is none."""
    if not isinstance(value, OperatorKernel):
        raise TypeError(f"The {name!r} parameter of {owner} must be one of gramian.operators. Got {value!r} instead.")
    return value


def kernel_spec(kernel: Any, dimension: int | None, owner: str) -> tuple[Any, ...]:
    """Return what the engine takes for the kernel of an operator-valued one."""
    return check_kernel(kernel, "kernel", owner)._lower(dimension).spec


def known_outputs(own: int | None, outputs: int | None, owner: str) -> int:
    """Return the number of outputs, if one of the two says it and they do not disagree."""
    if own is None and outputs is None:
        raise ValueError(f"{owner} takes any number of outputs, and nothing says which: pass outputs=.")
    if own is not None and outputs is not None and own != outputs:
        raise ValueError(f"{owner} has {own} outputs, and there are {outputs} here.")
    return cast(int, outputs if own is None else own)


def _count(outputs: Any, owner: str) -> int | None:
    return None if outputs is None else check_whole(outputs, "outputs", owner, LARGEST_SIZE)


def _finite(values: FloatArray, arguments: str) -> FloatArray:
    """Return values, or an error if one of them overflows."""
    if not _core.linalg.all_finite(values):
        raise ValueError(f"values of the operator-valued kernel overflow: scale {arguments} down.")
    return values


def _float64(value: Any, name: str) -> FloatArray:
    return check_matrix(value, name).astype(np.float64, copy=False)
