# SPDX-License-Identifier: BSD-3-Clause
"""Kernel ridge regression, exact and for many samples."""

from gramian.models.kernel_ridge.estimator import KernelRidge

__all__ = ["KernelRidge"]


def __dir__() -> list[str]:
    return list(__all__)
