# SPDX-License-Identifier: BSD-3-Clause
"""Kernels of the angle between points, and of the overlap of sets."""

from gramian.kernels.leaf import Leaf


class ArcCosine(Leaf):
    r"""
    The arc-cosine kernel, :math:`k(x, y) = \|x\|^n \|y\|^n J_n(\theta) / \pi`, of an infinitely wide random layer.

    :math:`\theta` is the angle between x and y; :math:`J_0 = \pi - \theta`,
    :math:`J_1 = \sin\theta + (\pi - \theta)\cos\theta`,
    :math:`J_2 = 3 \sin\theta \cos\theta + (\pi - \theta)(1 + 2 \cos^2\theta)`. It is 0 where a point is 0.

    Parameters
    ----------
    order : {0, 1, 2}, default=1
        The power n of the layer's activation: steps, ramps or squared ramps.

    Examples
    --------
    >>> from gramian.kernels import ArcCosine
    >>> ArcCosine(order=0)([1.0, 0.0], [0.0, 1.0])
    0.5
    """

    _engine = "order", {0: "arc_cosine0", 1: "arc_cosine1", 2: "arc_cosine2"}

    order: int

    def __init__(self, order: int = 1) -> None:
        self._store(order=order)


class Cosine(Leaf):
    r"""
    The cosine of the angle, :math:`k(x, y) = \langle x, y \rangle / (\|x\| \|y\|)`, and 0 where a point is 0.

    Examples
    --------
    >>> from gramian.kernels import Cosine
    >>> Cosine()([3.0, 0.0], [0.0, 1.0])
    0.0
    """

    _engine = "cosine"

    def __init__(self) -> None:
        self._store()


class Tanimoto(Leaf):
    r"""
    The Tanimoto kernel, :math:`k(x, y) = \langle x, y \rangle / (\|x\|^2 + \|y\|^2 - \langle x, y \rangle)`.

    Of rows of zeros and ones it is the share of common elements of two sets. :math:`k(0, 0) = 1`.

    Examples
    --------
    >>> from gramian.kernels import Tanimoto
    >>> Tanimoto()([1.0, 1.0], [1.0, 0.0])
    0.5
    """

    _engine = "tanimoto"

    def __init__(self) -> None:
        self._store()
