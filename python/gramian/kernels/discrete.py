# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that only tell whether points are equal."""

from gramian.kernels.base import Kernel
from gramian.kernels.lowering import Lowered, lower_leaf


class Delta(Kernel):
    r"""
    The Kronecker delta, :math:`k(x, y) = 1` if :math:`x = y`, else 0.

    Examples
    --------
    >>> from gramian.kernels import Delta
    >>> Delta()([1.0, 2.0], [1.0, 2.0])
    1.0
    """

    def __init__(self) -> None:
        self._store()

    def _lower(self, dimension: int | None) -> Lowered:
        return lower_leaf("delta")
