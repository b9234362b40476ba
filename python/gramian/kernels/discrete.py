# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that only tell whether points are equal."""

from gramian.kernels.leaf import Leaf


class Delta(Leaf):
    r"""
    The Kronecker delta, :math:`k(x, y) = 1` if :math:`x = y`, else 0.

    Examples
    --------
    >>> from gramian.kernels import Delta
    >>> Delta()([1.0, 2.0], [1.0, 2.0])
    1.0
    """

    _engine = "delta"

    def __init__(self) -> None:
        self._store()
