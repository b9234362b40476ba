# SPDX-License-Identifier: BSD-3-Clause
"""Estimators with the scikit-learn API, one package for each family."""

from gramian.models._shared.stored.files import load
from gramian.models._shared.stored.predictor import Predictor
from gramian.models.autoencoder import K2Autoencoder, KernelAutoencoder
from gramian.models.conditional_mean import ConditionalMeanEmbedding
from gramian.models.deep_pca import (
    ComponentSelection,
    DeepKernelPCA,
    DeepPCAObjective,
    DeepPCAState,
    ParametricDeepKernelPCA,
    select_components,
)
from gramian.models.deep_regression import DeepKernelClassifier, DeepKernelInterpolator, DeepKernelRegressor
from gramian.models.dependency import DependencyRegressor, OperatorKernelRidge
from gramian.models.embedding import CompressedClassifier, EmbeddingClassifier, compress
from gramian.models.kernel_ridge import KernelRidge

__all__ = [
    "ComponentSelection",
    "CompressedClassifier",
    "ConditionalMeanEmbedding",
    "DeepKernelClassifier",
    "DeepKernelInterpolator",
    "DeepKernelPCA",
    "DeepKernelRegressor",
    "DeepPCAObjective",
    "DeepPCAState",
    "DependencyRegressor",
    "EmbeddingClassifier",
    "K2Autoencoder",
    "KernelAutoencoder",
    "KernelRidge",
    "OperatorKernelRidge",
    "ParametricDeepKernelPCA",
    "Predictor",
    "compress",
    "load",
    "select_components",
]


def __dir__() -> list[str]:
    return list(__all__)
