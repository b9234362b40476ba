# SPDX-License-Identifier: BSD-3-Clause
"""The Matérn kernels."""

import numpy.typing as npt

from gramian.kernels.leaf import Leaf


class Matern(Leaf):
    r"""
    The Matérn kernel of a smoothness for which it has a closed form.

    With :math:`u = \sqrt{2\nu} \, \|x - y\| / \ell` it is :math:`e^{-u}`, :math:`(1 + u) e^{-u}` or
    :math:`(1 + u + u^2/3) e^{-u}`.

    Parameters
    ----------
    nu : {0.5, 1.5, 2.5}, default=1.5
        The smoothness.
    length_scale : float or array-like of shape (d,), default=1.0
        The distance over which the kernel decays, above 0; or one for each feature.

    Examples
    --------
    >>> from gramian.kernels import Matern
    >>> Matern(nu=2.5, length_scale=[1.0, 3.0])([1.0, 0.0], [1.0, 0.0])
    1.0
    """

    _engine = "nu", {0.5: "laplacian", 1.5: "matern32", 2.5: "matern52"}

    nu: float
    length_scale: npt.ArrayLike

    def __init__(self, nu: float = 1.5, length_scale: npt.ArrayLike = 1.0) -> None:
        self._store(nu=nu, length_scale=length_scale)
