# SPDX-License-Identifier: BSD-3-Clause
"""Products of Matérn kernels over the coordinates."""

import math

import numpy.typing as npt

from gramian._validation import check_choice
from gramian.kernels.leaf import Leaf
from gramian.kernels.lowering import Lowered, Slot

_FACTORS = {1: 1.0, 2: 1.0, 3: 3.0}  # of each coordinate, beside sqrt(pi / 2)


class TensorMatern(Leaf):
    r"""
    The tensor Matérn kernel, [DKL] Sec. 4.1: :math:`k(x, y) = \prod_i \kappa_s(r_i)`, :math:`r_i = \gamma |x_i - y_i|`.

    :math:`\kappa_1(r) = e^{-r}`, :math:`\kappa_2(r) = (1 + r) e^{-r}`, :math:`\kappa_3(r) = (1 + r + r^2/3) e^{-r}`.

    Parameters
    ----------
    s : {1, 2, 3}, default=2
        The order of smoothness in each coordinate.
    gamma : float or array-like of shape (d,), default=1.0
        The inverse width, above 0; or one for each coordinate.
    normalized : bool, default=True
        Whether :math:`k(x, x) = 1`. If not, the kernel is as printed in the paper, with the factor
        :math:`\sqrt{\pi/2} \cdot \{1, 1, 3\}` in every coordinate.

    Examples
    --------
    >>> from gramian.kernels import TensorMatern
    >>> TensorMatern(s=3)([1.0, 0.0], [1.0, 0.0])
    1.0
    """

    _engine = "s", {1: "laplacian_l1", 2: "tensor_matern2", 3: "tensor_matern3"}

    s: int
    gamma: npt.ArrayLike
    normalized: bool

    def __init__(self, s: int = 2, gamma: npt.ArrayLike = 1.0, normalized: bool = True) -> None:
        self._store(s=s, gamma=gamma, normalized=normalized)

    def _lower(self, dimension: int | None) -> Lowered:
        normalized = check_choice(self.normalized, "normalized", "TensorMatern", (True, False))
        spec, slots = super()._lower(dimension)
        if normalized:
            return Lowered(spec, slots)
        factor = _factor(self.s, dimension or 1)
        return Lowered(("multiple", factor, spec), (Slot(factor), *slots))


def _factor(s: int, dimension: int) -> float:
    try:
        return math.pow(math.sqrt(math.pi / 2) * _FACTORS[s], dimension)
    except OverflowError:
        raise ValueError(
            f"TensorMatern(s={s}, normalized=False) overflows at {dimension} features. Use normalized=True."
        ) from None
