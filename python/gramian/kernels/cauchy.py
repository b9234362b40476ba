# SPDX-License-Identifier: BSD-3-Clause
"""The Cauchy kernel."""

import numpy.typing as npt

from gramian.kernels.leaf import Leaf


class Cauchy(Leaf):
    r"""
    The Cauchy kernel, :math:`k(x, y) = 1 / (1 + \gamma \|x - y\|^2)`, whose tails are longer than those of a Gaussian.

    Parameters
    ----------
    gamma : float or array-like of shape (d,), optional
        The factor of the squared distance, above 0; or one factor for each feature.
    length_scale : float or array-like of shape (d,), optional
        The same in the units of the points, above 0: ``gamma = 1 / (2 * length_scale**2)``. Only one of the two may be
        given; 1 if neither is. It is the rational quadratic kernel of this length scale with ``alpha=1``.

    Examples
    --------
    >>> from gramian.kernels import Cauchy
    >>> Cauchy(gamma=0.5)([0.0, 0.0], [1.0, 1.0])
    0.5
    """

    _engine = "cauchy"

    gamma: npt.ArrayLike | None
    length_scale: npt.ArrayLike | None

    def __init__(self, gamma: npt.ArrayLike | None = None, length_scale: npt.ArrayLike | None = None) -> None:
        self._store(gamma=gamma, length_scale=length_scale)
