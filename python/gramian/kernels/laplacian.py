# SPDX-License-Identifier: BSD-3-Clause
"""The Laplacian kernels."""

import numpy.typing as npt

from gramian._validation import check_choice
from gramian.kernels.base import Kernel
from gramian.kernels.lowering import Lowered, identity, lower_leaf, reciprocal, width_slots

_ENGINE_NAMES = {"l1": "laplacian_l1", "l2": "laplacian"}


class Laplacian(Kernel):
    r"""
    The Laplacian kernel, :math:`k(x, y) = \exp(-\gamma \|x - y\|)`.

    Parameters
    ----------
    gamma : float or array-like of shape (d,), default=1.0
        The factor of the distance, above 0; or one factor for the differences in each feature.
    norm : {"l1", "l2"}, default="l1"
        The distance: the sum of the coordinates' distances, as in scikit-learn's ``laplacian_kernel``, or the Euclidean
        one, which makes it the Matérn kernel of smoothness 1/2.

    Examples
    --------
    >>> from gramian.kernels import Laplacian
    >>> Laplacian(gamma=0.5)([1.0, 0.0], [1.0, 0.0])
    1.0
    """

    gamma: npt.ArrayLike
    norm: str

    def __init__(self, gamma: npt.ArrayLike = 1.0, norm: str = "l1") -> None:
        self._store(gamma=gamma, norm=norm)

    def _lower(self, dimension: int | None) -> Lowered:
        name = _ENGINE_NAMES[check_choice(self.norm, "norm", "Laplacian", _ENGINE_NAMES)]
        gamma, scales = width_slots(self.gamma, "gamma", "Laplacian", dimension, identity, unit=1.0, each=reciprocal)
        return lower_leaf(name, [gamma], scales)
