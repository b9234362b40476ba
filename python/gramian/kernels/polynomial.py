# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that are polynomials of the inner product."""

from gramian._validation import check_whole
from gramian.kernels.base import Kernel
from gramian.kernels.lowering import Lowered, Slot, lower_leaf, real_slot

_LARGEST_DEGREE = 1_000_000  # the engine's


class Linear(Kernel):
    r"""
    The linear kernel, :math:`k(x, y) = \langle x, y \rangle`.

    Examples
    --------
    >>> from gramian.kernels import Linear
    >>> Linear()([1.0, 2.0], [3.0, 4.0])
    11.0
    """

    def __init__(self) -> None:
        self._store()

    def _lower(self, dimension: int | None) -> Lowered:
        return lower_leaf("linear")


class Polynomial(Kernel):
    r"""
    The polynomial kernel, :math:`k(x, y) = (\gamma \langle x, y \rangle + c_0)^p`.

    Parameters
    ----------
    degree : int, default=3
        The power p, at least 1.
    gamma : float, default=1.0
        The factor of the inner product, above 0.
    coef0 : float, default=1.0
        What is added to it, at least 0: with a negative one the Gram matrix is not positive semidefinite.

    Examples
    --------
    >>> from gramian.kernels import Polynomial
    >>> Polynomial(degree=2)([1.0, 2.0], [3.0, 4.0])
    144.0
    """

    degree: int
    gamma: float
    coef0: float

    def __init__(self, degree: int = 3, gamma: float = 1.0, coef0: float = 1.0) -> None:
        self._store(degree=degree, gamma=gamma, coef0=coef0)

    def _lower(self, dimension: int | None) -> Lowered:
        degree = check_whole(self.degree, "degree", "Polynomial", _LARGEST_DEGREE)
        gamma = real_slot(self.gamma, "gamma", "Polynomial")
        coef0 = real_slot(self.coef0, "coef0", "Polynomial", inclusive=True)
        return lower_leaf("polynomial", [Slot(degree), gamma, coef0])
