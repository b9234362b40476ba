# SPDX-License-Identifier: BSD-3-Clause
"""Small fits of all estimators, for tests that change one thing."""

from __future__ import annotations

import gramian
import numpy as np
from gramian import operators
from gramian.kernels import Gaussian
from sklearn.datasets import load_iris

X, LABELS = (part[::3] for part in load_iris(return_X_y=True))
NUMBERS = X[:, 0] + np.sin(X[:, 2])
POINTS, TARGETS = np.random.default_rng(0).normal(size=(2, 60, 2))
K = Gaussian(gamma=0.3)
GRAM = K(X)
RIDGES = {"alpha": 0.1, "inner_alpha": 0.1}


def autoencoder(X=X, **options):
    return gramian.KernelAutoencoder(**options).fit(X)


def in_feature_space(X=X, **options):
    return gramian.K2Autoencoder(**options).fit(X)


def regressor(X=X, y=NUMBERS, **options):
    return gramian.DeepKernelRegressor(**{"random_state": 0, **RIDGES, **options}).fit(X, y)


def deep_classifier(**options):
    return gramian.DeepKernelClassifier(**{"random_state": 0, **RIDGES, **options}).fit(X, LABELS)


def interpolator(X=X, y=NUMBERS, **options):
    return gramian.DeepKernelInterpolator(random_state=0, **options).fit(X, y)


def classifier(X=X, y=LABELS, **options):
    return gramian.EmbeddingClassifier(**{"random_state": 0, **options}).fit(X, y)


def embedding(X=X, y=NUMBERS, **options):
    return gramian.ConditionalMeanEmbedding(**options).fit(X, y)


def dependency(X=X, y=X, **options):
    return gramian.DependencyRegressor(**options).fit(X, y)


def ridge(X=POINTS, y=TARGETS, **options):
    return gramian.OperatorKernelRidge(operators.Separable(K), **options).fit(X, y)


def deep_pca(X=X, kernels=None, **options):
    return gramian.DeepKernelPCA((3, 2), kernels, **options).fit(X)
