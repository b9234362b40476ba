# SPDX-License-Identifier: BSD-3-Clause
"""Operator-valued kernels one by one."""

from typing import Any

import numpy as np

from gramian import _core
from gramian._validation import LARGEST_SIZE, as_array, check_entries, check_real, check_whole
from gramian.operators._base import OperatorKernel, kernel_spec, known_outputs


class Separable(OperatorKernel):
    r"""
    A separable kernel, :math:`K(x, x') = k(x, x')\,A`.

    With the identity for A the joint kernel of two pairs is :math:`k(x, x') \langle \Phi(y), \Phi(y') \rangle`, the
    tensor product of [KDE] Sec. 5.2. With the covariance of outputs for A, or the conditional one, it is (5), or (7).

    Parameters
    ----------
    kernel : gramian.kernels.Kernel or str
        k, or its name; then the samples of an estimator choose its width, by the median rule.
    A : array-like of shape (q,) or (q, q), optional
        A diagonal of numbers of at least 0, or a symmetric positive semidefinite matrix; the identity of whatever
        size if None.

    Examples
    --------
    >>> from gramian.kernels import Linear
    >>> from gramian.operators import Separable
    >>> Separable(Linear(), A=[1.0, 3.0]).block([2.0], [5.0])
    array([[10.,  0.],
           [ 0., 30.]])
    """

    def __init__(self, kernel: Any, A: Any = None) -> None:
        self.kernel = kernel
        self.A = A

    def _lower(self, dimension: int | None, outputs: int | None) -> _core.operators.Kernel:
        size = known_outputs(self._outputs(dimension), outputs, "Separable")
        A = size if self.A is None else self._matrix()
        return _core.operators.Kernel.separable(kernel_spec(self.kernel, dimension, "Separable"), A)

    def _outputs(self, dimension: int | None) -> int | None:
        return None if self.A is None else int(self._matrix().shape[1])

    def _matrix(self) -> Any:
        array = as_array(self.A, "A")
        if array.ndim not in (1, 2) or not array.size or (array.ndim == 2 and array.shape[0] != array.shape[1]):
            raise ValueError(
                f"A must be None, have shape (q,) for a diagonal, or (q, q). Got shape {array.shape} instead."
            )
        return np.atleast_2d(check_entries(array, "A").astype(np.float64, copy=False))


class Pointwise(OperatorKernel):
    r"""
    The kernel :math:`K(x, x') = \operatorname{diag}(x \circ x')`, for points with a feature for each output.

    Parameters
    ----------
    size : int, optional
        q; the number of features if None.

    Examples
    --------
    >>> from gramian.operators import Pointwise
    >>> Pointwise().block([1.0, 2.0], [3.0, 4.0])
    array([[3., 0.],
           [0., 8.]])
    """

    def __init__(self, size: int | None = None) -> None:
        self.size = size

    def _lower(self, dimension: int | None, outputs: int | None) -> _core.operators.Kernel:
        return _core.operators.Kernel.pointwise(known_outputs(self._outputs(dimension), outputs, "Pointwise"))

    def _outputs(self, dimension: int | None) -> int | None:
        return _size_or(dimension, self.size, "Pointwise")


class DiagonalRegularization(OperatorKernel):
    r"""
    The kernel :math:`(1 - \lambda)\,k(x, x') I + \lambda \operatorname{diag}(x \circ x')`, [KDE] Sec. 5.2.

    Its joint kernel is diagonal regularization: outputs are compared as they are, and position by position with inputs.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel or str
        k, or its name; then the samples of an estimator choose its width, by the median rule.
    weight : float, default=0.5
        :math:`\lambda`, from 0 to 1.
    size : int, optional
        q; the number of features if None.

    Examples
    --------
    >>> from gramian.kernels import Linear
    >>> from gramian.operators import DiagonalRegularization
    >>> DiagonalRegularization(Linear(), weight=0.5).block([1.0, 2.0], [3.0, 4.0])
    array([[7. , 0. ],
           [0. , 9.5]])
    """

    def __init__(self, kernel: Any, weight: float = 0.5, size: int | None = None) -> None:
        self.kernel = kernel
        self.weight = weight
        self.size = size

    def _lower(self, dimension: int | None, outputs: int | None) -> _core.operators.Kernel:
        weight = check_real(self.weight, "weight", "DiagonalRegularization", inclusive=True, most=1)
        size = known_outputs(self._outputs(dimension), outputs, "DiagonalRegularization")
        spec = kernel_spec(self.kernel, dimension, "DiagonalRegularization")
        return _core.operators.Kernel.diagonal(spec, weight, size)

    def _outputs(self, dimension: int | None) -> int | None:
        return (
            dimension if self.size is None else check_whole(self.size, "size", "DiagonalRegularization", LARGEST_SIZE)
        )


def _size_or(dimension: int | None, size: Any, owner: str) -> int | None:
    return dimension if size is None else check_whole(size, "size", owner, LARGEST_SIZE)
