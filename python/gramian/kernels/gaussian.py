# SPDX-License-Identifier: BSD-3-Clause
"""The Gaussian kernel."""

import numpy.typing as npt

from gramian.kernels.base import Kernel
from gramian.kernels.lowering import (
    Lowered,
    gamma_of_length_scale,
    identity,
    length_scale_of_gamma,
    lower_leaf,
    width_slots,
)


class Gaussian(Kernel):
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

    gamma: npt.ArrayLike | None
    length_scale: npt.ArrayLike | None

    def __init__(self, gamma: npt.ArrayLike | None = None, length_scale: npt.ArrayLike | None = None) -> None:
        self._store(gamma=gamma, length_scale=length_scale)

    def _lower(self, dimension: int | None) -> Lowered:
        if self.gamma is not None and self.length_scale is not None:
            raise ValueError(
                f"Only one of 'gamma' and 'length_scale' of Gaussian may be given. "
                f"Got gamma={self.gamma!r} and length_scale={self.length_scale!r}."
            )
        if self.gamma is not None:
            gamma, scales = width_slots(
                self.gamma, "gamma", "Gaussian", dimension, identity, unit=0.5, each=length_scale_of_gamma
            )
        else:
            length_scale = 1.0 if self.length_scale is None else self.length_scale
            gamma, scales = width_slots(
                length_scale, "length_scale", "Gaussian", dimension, gamma_of_length_scale, unit=0.5, each=identity
            )
        return lower_leaf("gaussian", [gamma], scales)
