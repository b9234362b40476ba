# SPDX-License-Identifier: BSD-3-Clause
"""The Laplacian kernels."""

import numpy.typing as npt

from gramian.kernels.leaf import Leaf


class Laplacian(Leaf):
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

    _engine = "norm", {"l1": "laplacian_l1", "l2": "laplacian"}

    gamma: npt.ArrayLike
    norm: str

    def __init__(self, gamma: npt.ArrayLike = 1.0, norm: str = "l1") -> None:
        self._store(gamma=gamma, norm=norm)
