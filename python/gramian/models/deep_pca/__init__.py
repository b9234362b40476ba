# SPDX-License-Identifier: BSD-3-Clause
"""Deep kernel principal component analysis."""

from gramian.models.deep_pca.estimator import DeepKernelPCA
from gramian.models.deep_pca.networks import ParametricDeepKernelPCA
from gramian.models.deep_pca.objective import DeepPCAObjective, DeepPCAState
from gramian.models.deep_pca.selection import ComponentSelection, select_components

__all__ = [
    "ComponentSelection",
    "DeepKernelPCA",
    "DeepPCAObjective",
    "DeepPCAState",
    "ParametricDeepKernelPCA",
    "select_components",
]


def __dir__() -> list[str]:
    return list(__all__)
