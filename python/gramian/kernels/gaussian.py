# SPDX-License-Identifier: BSD-3-Clause
"""The Gaussian kernel."""

import numpy.typing as npt

from gramian.kernels.leaf import Leaf


class Gaussian(Leaf):
    r"""
    The Gaussian kernel, :math:`k(x, y) = \exp(-\gamma \|x - y\|^2)`.

    Parameters
    ----------
    gamma : float or array-like of shape (d,), optional
        The factor of the squared distance, above 0; or one factor for each feature.
    length_scale : float or array-like of shape (d,), optional
        The same in the units of the points, above 0: ``gamma = 1 / (2 * length_scale**2)``. Only one of the two may be
        given; 1 if neither is.

    Examples
    --------
    >>> from gramian.kernels import Gaussian
    >>> Gaussian(gamma=0.5)([0.0, 0.0], [0.0, 0.0])
    1.0
    """

    _engine = "gaussian"

    gamma: npt.ArrayLike | None
    length_scale: npt.ArrayLike | None

    def __init__(self, gamma: npt.ArrayLike | None = None, length_scale: npt.ArrayLike | None = None) -> None:
        self._store(gamma=gamma, length_scale=length_scale)
