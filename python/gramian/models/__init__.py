# SPDX-License-Identifier: BSD-3-Clause
"""Estimators in the shape of scikit-learn's."""

from gramian.models.autoencoder import KernelAutoencoder
from gramian.models.k2_autoencoder import K2Autoencoder

__all__ = ["K2Autoencoder", "KernelAutoencoder"]
