# SPDX-License-Identifier: BSD-3-Clause
"""Estimators in the shape of scikit-learn's."""

from gramian.models.autoencoder import KernelAutoencoder
from gramian.models.compression import CompressedClassifier, compress
from gramian.models.conditional_mean import ConditionalMeanEmbedding
from gramian.models.deep_classification import DeepKernelClassifier
from gramian.models.deep_interpolation import DeepKernelInterpolator
from gramian.models.deep_pca import DeepKernelPCA
from gramian.models.deep_pca_networks import ParametricDeepKernelPCA
from gramian.models.deep_pca_objective import DeepPCAObjective, DeepPCAState
from gramian.models.deep_pca_selection import ComponentSelection, select_components
from gramian.models.deep_regression import DeepKernelRegressor
from gramian.models.dependency import DependencyRegressor
from gramian.models.embedding import EmbeddingClassifier
from gramian.models.k2_autoencoder import K2Autoencoder
from gramian.models.operator_ridge import OperatorKernelRidge

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
    "OperatorKernelRidge",
    "ParametricDeepKernelPCA",
    "compress",
    "select_components",
]
