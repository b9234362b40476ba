# SPDX-License-Identifier: BSD-3-Clause
"""The rational quadratic kernel."""

import numpy.typing as npt

from gramian.kernels.leaf import Leaf


class RationalQuadratic(Leaf):
    r"""
    The rational quadratic kernel, :math:`k(x, y) = (1 + \|x - y\|^2 / (2 \alpha \ell^2))^{-\alpha}`.

    Parameters
    ----------
    alpha : float, default=1.0
        The mixture of scales, above 0: towards infinity the kernel is the Gaussian.
    length_scale : float or array-like of shape (d,), default=1.0
        The distance over which the kernel decays, above 0; or one for each feature.

    Examples
    --------
    >>> from gramian.kernels import RationalQuadratic
    >>> RationalQuadratic(alpha=1.0)([0.0], [2.0])
    0.3333333333333333
    """

    _engine = "rational_quadratic"

    alpha: float
    length_scale: npt.ArrayLike

    def __init__(self, alpha: float = 1.0, length_scale: npt.ArrayLike = 1.0) -> None:
        self._store(alpha=alpha, length_scale=length_scale)
