# SPDX-License-Identifier: BSD-3-Clause
"""
Layers of kernel functions, their reverse mode and their last layer in closed form.

This is what models are made of, for those who put their own together, and for inspection. `Composition` and
`RidgeOutput` hold workspace of the engine: they can't be pickled or copied. Estimators hold none of them.
"""

from gramian.layers._composition import Composition, Forward, forward_jacobian, jacobian_gradient
from gramian.layers._layer import Layer
from gramian.layers._ridge_output import RidgeOutput

__all__ = ["Composition", "Forward", "Layer", "RidgeOutput", "forward_jacobian", "jacobian_gradient"]


def __dir__() -> list[str]:
    return list(__all__)
