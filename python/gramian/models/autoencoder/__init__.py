# SPDX-License-Identifier: BSD-3-Clause
"""Kernel autoencoders."""

from gramian.models.autoencoder.estimator import KernelAutoencoder
from gramian.models.autoencoder.k2 import K2Autoencoder

__all__ = ["K2Autoencoder", "KernelAutoencoder"]


def __dir__() -> list[str]:
    return list(__all__)
