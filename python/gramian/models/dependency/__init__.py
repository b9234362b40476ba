# SPDX-License-Identifier: BSD-3-Clause
"""Structured outputs with operator-valued kernels."""

from gramian.models.dependency.estimator import DependencyRegressor
from gramian.models.dependency.operator_ridge import OperatorKernelRidge

__all__ = ["DependencyRegressor", "OperatorKernelRidge"]


def __dir__() -> list[str]:
    return list(__all__)
