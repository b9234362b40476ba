# SPDX-License-Identifier: BSD-3-Clause
"""Advice on memory: each call is refused below a limit, the message says what to do, and under that limit it works."""

from __future__ import annotations

import warnings

import gramian
import numpy as np
import pytest
from advice import follow, names_of_cpp
from gramian import features, layers, models
from gramian.kernels import Gaussian
from gramian.operators import Separable

RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(300, 3)), RNG.normal(size=(400, 3))
LABELS, NUMBERS = (X[:, 0] > 0).astype(int), np.sin(X[:, 0])
K = Gaussian(gamma=0.3)
FEW = slice(0, 40)
TWO = {"max_iter": 2}
RIDGES = {"alpha": 0.1, "inner_alpha": 0.1}


def autoencoder(rows=slice(None), **options):
    return gramian.KernelAutoencoder(**TWO, **options).fit(X[rows])


def in_feature_space(rows=slice(None), **options):
    return gramian.K2Autoencoder(input_kernel=K, **TWO, **options).fit(X[rows])


def regressor(rows=slice(None), **options):
    return gramian.DeepKernelRegressor(**TWO, **RIDGES, **options).fit(X[rows], NUMBERS[rows])


def deep_classifier(rows=slice(None), **options):
    return gramian.DeepKernelClassifier(**TWO, **RIDGES, **options).fit(X[rows], LABELS[rows])


def interpolator(rows=slice(None), **options):
    return gramian.DeepKernelInterpolator(**TWO, **options).fit(X[rows], NUMBERS[rows])


def classifier(rows=slice(None), **options):
    return gramian.EmbeddingClassifier(**{"kernel": K, **TWO, **options}).fit(X[rows], LABELS[rows])


def on_features(*widths, rows=FEW):
    network = features.Network([(width, "relu") for width in widths])
    return classifier(rows, kernel=None, features=network, learn="rademacher")


def embedding(rows=slice(None), **options):
    return gramian.ConditionalMeanEmbedding(**options).fit(X[rows], NUMBERS[rows])


def dependency(rows=slice(None), **options):
    return gramian.DependencyRegressor(**options).fit(X[rows], X[rows])


def ridge(rows=slice(None), **options):
    return gramian.OperatorKernelRidge(**options).fit(X[rows], NUMBERS[rows])


def deep_pca(rows=slice(None), **options):
    return gramian.DeepKernelPCA((3, 2), **{"max_iter": 2, **options}).fit(X[rows])


def maps(rows=slice(None), units=200):
    forward, back = (features.Network([(units, "tanh"), (outputs, "identity")]) for outputs in (5, 3))
    return gramian.ParametricDeepKernelPCA(forward, back, n_rounds=1, **TWO).fit(X[rows])


def ridge_output(rows=slice(None)):
    output = layers.RidgeOutput(layers.Layer(K, 3, penalty=0.1), X[rows], 3)
    return output.value_and_gradient(X[rows])


def composed(rows=slice(None)):
    composition = layers.Composition(X[rows], [layers.Layer(K, 20)])
    return composition.forward(np.ones(composition.coefficient_count))


def objective(rows=slice(None), **options):
    found = models.DeepPCAObjective(X[rows], (3, 2), **options)
    return found.value(np.ones(found.size))


OPERATOR = Separable(K)
GRAM = K(X)
FITTED = gramian.EmbeddingClassifier(K, learn=None).fit(X, LABELS)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    RIDGE_PCA = gramian.DeepKernelPCA((3, 2), max_iter=2, inverse="ridge").fit(X)
    FEW_PCA = gramian.DeepKernelPCA((3, 2), max_iter=2, inverse="ridge", landmarks=100).fit(X)
CODES = RIDGE_PCA.hidden_features_[1]


def back(model, inverse="ridge"):
    return model.set_params(inverse=inverse).inverse_transform(CODES[:5])


ADVICE = {
    # name: bytes, what the message says, the call, and what it says to do
    "KernelAutoencoder": (
        7e5,
        r"use landmarks, or fewer samples$",
        lambda: autoencoder(landmarks=None),
        [lambda: autoencoder(landmarks=40), lambda: autoencoder(FEW, landmarks=None)],
    ),
    "KernelAutoencoder, landmarks": (
        1.5e5,
        r"use fewer landmarks, or fewer samples$",
        lambda: autoencoder(landmarks=150),
        [lambda: autoencoder(landmarks=10), lambda: autoencoder(FEW, landmarks=10)],
    ),
    "KernelAutoencoder, joint": (
        5.5e5,
        r"use landmarks, or fewer samples$",
        lambda: autoencoder(last_layer="joint", landmarks=None),
        [lambda: autoencoder(last_layer="joint", landmarks=40), lambda: autoencoder(FEW, last_layer="joint")],
    ),
    "K2Autoencoder": (
        5e5,
        r"use landmarks, or fewer samples$",
        lambda: in_feature_space(landmarks=None),
        [lambda: in_feature_space(landmarks=20), lambda: in_feature_space(FEW, landmarks=None)],
    ),
    "DeepKernelRegressor": (
        5e5,
        r"use landmarks, or fewer samples$",
        lambda: regressor(landmarks=None),
        [lambda: regressor(landmarks=40), lambda: regressor(FEW, landmarks=None)],
    ),
    "DeepKernelClassifier": (
        5e5,
        r"use landmarks, or fewer samples$",
        lambda: deep_classifier(landmarks=None),
        [lambda: deep_classifier(landmarks=40), lambda: deep_classifier(FEW, landmarks=None)],
    ),
    "DeepKernelInterpolator": (
        5e5,
        r"use fewer samples, or DeepKernelRegressor with landmarks$",
        interpolator,
        [lambda: interpolator(FEW), lambda: regressor(landmarks=40)],
    ),
    "EmbeddingClassifier": (
        5e5,
        r"use landmarks, or fewer samples$",
        lambda: classifier(learn=None, landmarks=None),
        [lambda: classifier(learn=None, landmarks=20), lambda: classifier(FEW, learn=None, landmarks=None)],
    ),
    "EmbeddingClassifier, batches": (
        5e5,
        r"use a smaller batch_size$",
        lambda: classifier(landmarks=20),
        [lambda: classifier(landmarks=20, batch_size=50)],
    ),
    "EmbeddingClassifier, cv": (
        5e5,
        r"use learn='validation' with a batch_size$",
        lambda: classifier(learn="cv", landmarks=20),
        [lambda: classifier(learn="validation", batch_size=50, landmarks=20)],
    ),
    "EmbeddingClassifier, features": (
        3e4,
        r"use fewer features$",
        lambda: on_features(200, 100),
        [lambda: on_features(5, 5)],
    ),
    "EmbeddingClassifier, precomputed": (
        5e5,
        r"use fewer samples$",
        lambda: gramian.EmbeddingClassifier("precomputed", learn=None).fit(GRAM, LABELS),
        [lambda: gramian.EmbeddingClassifier("precomputed", learn=None).fit(GRAM[FEW, FEW], LABELS[FEW])],
    ),
    "ConditionalMeanEmbedding": (
        5e5,
        r"use landmarks, or fewer samples$",
        lambda: embedding(landmarks=None),
        [lambda: embedding(landmarks=10), lambda: embedding(FEW, landmarks=None)],
    ),
    "DependencyRegressor": (
        5e5,
        r"use rank, or fewer samples$",
        lambda: dependency(rank=None),
        [lambda: dependency(rank=20), lambda: dependency(FEW, rank=None)],
    ),
    "DependencyRegressor, rank": (
        2e5,
        r"use a lower rank, or fewer samples$",
        lambda: dependency(rank=100),
        [lambda: dependency(rank=10), lambda: dependency(FEW, rank=20)],
    ),
    "DependencyRegressor, operator": (
        5e5,
        r"use fewer samples$",
        lambda: dependency(operator=OPERATOR, output_kernel=K),
        [lambda: dependency(slice(0, 8), operator=OPERATOR, output_kernel=K)],
    ),
    "OperatorKernelRidge": (
        5e5,
        r"use solver='cg', or fewer samples$",
        ridge,
        [lambda: ridge(solver="cg"), lambda: ridge(FEW)],
    ),
    "OperatorKernelRidge, cg": (
        1.1e4,
        r"use fewer samples$",
        lambda: ridge(solver="cg"),
        [lambda: ridge(slice(0, 8), solver="cg")],
    ),
    "KernelRidge": (
        5e5,
        r"use solver='cg' or solver='landmarks'$",
        lambda: gramian.KernelRidge(kernel=K).fit(X, NUMBERS),
        [lambda: gramian.KernelRidge(kernel=K, solver="cg").fit(X, NUMBERS)],
    ),
    "DeepKernelPCA": (
        3e5,
        r"use landmarks, or fewer samples$",
        lambda: deep_pca(landmarks=None),
        [lambda: deep_pca(landmarks=40), lambda: deep_pca(FEW, landmarks=None)],
    ),
    "DeepKernelPCA, leverage": (
        2.1e5,
        r"use landmark_method='random', or fewer samples$",
        lambda: deep_pca(landmarks=150, landmark_method="leverage", init="random"),
        [
            lambda: deep_pca(landmarks=150, init="random"),
            lambda: deep_pca(FEW, landmarks=20, landmark_method="leverage"),
        ],
    ),
    "DeepKernelPCA.inverse_transform": (
        3e5,
        r"use inverse='fixed_point' with Gaussian kernels, or fit with fewer landmarks$",
        lambda: back(RIDGE_PCA),
        [lambda: back(RIDGE_PCA, "fixed_point"), lambda: back(FEW_PCA)],
    ),
    "ParametricDeepKernelPCA": (
        8e5,
        r"use fewer samples, or maps with fewer units$",
        maps,
        [lambda: maps(FEW), lambda: maps(units=4)],
    ),
    "compress": (
        3e5,
        r"use a smaller size$",
        lambda: models.compress(FITTED, 100),
        [lambda: models.compress(FITTED, 10)],
    ),
    "compress to features": (
        3e5,
        r"use a smaller size$",
        lambda: models.compress(FITTED, 200, "random_features"),
        [lambda: models.compress(FITTED, 10, "random_features")],
    ),
    "RidgeOutput": (5e5, r"use fewer samples$", ridge_output, [lambda: ridge_output(FEW)]),
    "Composition": (3e4, r"use fewer samples$", composed, [lambda: composed(FEW)]),
    "DeepPCAObjective": (
        5e5,
        r"use a smaller memory_budget, or fewer samples$",
        objective,
        [lambda: objective(memory_budget=1), lambda: objective(FEW)],
    ),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", ADVICE)
def test_what_is_advised_against_too_little_memory_helps(name):
    follow(ADVICE[name])


def test_no_message_names_what_only_cpp_has():
    assert names_of_cpp(list(ADVICE.values())) == []


def test_every_estimator_has_advice():
    public = {name for name in gramian.__all__ if hasattr(getattr(gramian, name), "fit")}
    assert public <= {name.partition(",")[0] for name in ADVICE}
