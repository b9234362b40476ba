# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that are polynomials of the inner product."""

import numpy.typing as npt

from gramian.kernels.leaf import Leaf


class Linear(Leaf):
    r"""
    The linear kernel, :math:`k(x, y) = \langle x, y \rangle`.

    Examples
    --------
    >>> from gramian.kernels import Linear
    >>> Linear()([1.0, 2.0], [3.0, 4.0])
    11.0
    """

    _engine = "linear"

    def __init__(self) -> None:
        self._store()


class Polynomial(Leaf):
    r"""
    The polynomial kernel, :math:`k(x, y) = (\gamma \langle x, y \rangle + c_0)^p`.

    Parameters
    ----------
    degree : int, default=3
        The power p, at least 1.
    gamma : float or array-like of shape (d,), default=1.0
        The factor of the inner product, above 0; or one factor for the products of each feature.
    coef0 : float, default=1.0
        What is added to it, at least 0: with a negative one the Gram matrix is not positive semidefinite.

    Examples
    --------
    >>> from gramian.kernels import Polynomial
    >>> Polynomial(degree=2)([1.0, 2.0], [3.0, 4.0])
    144.0
    """

    _engine = "polynomial"

    degree: int
    gamma: npt.ArrayLike
    coef0: float

    def __init__(self, degree: int = 3, gamma: npt.ArrayLike = 1.0, coef0: float = 1.0) -> None:
        self._store(degree=degree, gamma=gamma, coef0=coef0)
