# SPDX-License-Identifier: BSD-3-Clause
"""
Operator-valued kernels on R^q: K(x, x') is a q x q matrix, [KDE] Def. 1.

They are values in the shape of scikit-learn's estimators: `get_params`, `set_params` and `sklearn.base.clone` know
them, so that a grid search reaches ``operator__kernel__gamma``. Sums and multiples are written ``0.5 * K1 + K2``.
"""

from gramian.operators._base import OperatorKernel, Scaled, Sum
from gramian.operators._covariance import conditional_covariance, covariance, span_coordinates
from gramian.operators._kinds import DiagonalRegularization, Pointwise, Separable

__all__ = [
    "DiagonalRegularization",
    "OperatorKernel",
    "Pointwise",
    "Scaled",
    "Separable",
    "Sum",
    "conditional_covariance",
    "covariance",
    "span_coordinates",
]


def __dir__() -> list[str]:
    return list(__all__)
