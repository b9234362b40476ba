# SPDX-License-Identifier: BSD-3-Clause
"""
Explicit features with parameters that are learned: networks, random Fourier features, PyTorch modules, your own.

Features here are their class and their parameters as they were given, and nothing else: what is learned, theta, stays
with whoever learns it. They can be copied, hashed, pickled and cloned by scikit-learn; parameters are checked when they
are used.
"""

from gramian.features._base import Features, Sizes
from gramian.features._network import Network
from gramian.features._random import RandomFourierFeatures
from gramian.features._torch import TorchFeatures

__all__ = ["Features", "Network", "RandomFourierFeatures", "Sizes", "TorchFeatures"]


def __dir__() -> list[str]:
    return list(__all__)
