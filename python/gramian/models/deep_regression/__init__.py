# SPDX-License-Identifier: BSD-3-Clause
"""Compositions of kernel layers fitted to targets."""

from gramian.models.deep_regression.classifier import DeepKernelClassifier
from gramian.models.deep_regression.estimator import DeepKernelRegressor
from gramian.models.deep_regression.interpolator import DeepKernelInterpolator

__all__ = ["DeepKernelClassifier", "DeepKernelInterpolator", "DeepKernelRegressor"]


def __dir__() -> list[str]:
    return list(__all__)
