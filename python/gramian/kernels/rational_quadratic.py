# SPDX-License-Identifier: BSD-3-Clause
"""The rational quadratic kernel."""

import numpy.typing as npt

from gramian.kernels.base import Kernel
from gramian.kernels.lowering import Lowered, identity, lower_leaf, real_slot, width_slots


class RationalQuadratic(Kernel):
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

    alpha: float
    length_scale: npt.ArrayLike

    def __init__(self, alpha: float = 1.0, length_scale: npt.ArrayLike = 1.0) -> None:
        self._store(alpha=alpha, length_scale=length_scale)

    def _lower(self, dimension: int | None) -> Lowered:
        alpha = real_slot(self.alpha, "alpha", "RationalQuadratic")
        width, scales = width_slots(
            self.length_scale, "length_scale", "RationalQuadratic", dimension, identity, unit=1.0, each=identity
        )
        return lower_leaf("rational_quadratic", [alpha, width], scales)
