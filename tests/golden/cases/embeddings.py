# SPDX-License-Identifier: BSD-3-Clause
"""Embedding classifiers, what makes them small, and conditional mean embeddings."""

from __future__ import annotations

import gramian
import numpy as np
from gramian.features import Network, RandomFourierFeatures
from gramian.kernels import Delta, Gaussian, Laplacian, Linear, Matern, Tanimoto
from gramian.models import compress

from cases.data import common_pairs, counts, labels, outputs, points, weights, words
from cases.registry import add, case, learned

LEARNED = ("penalty_", "sensitivity_", "complexity_", "risk_", "objective_", "dual_coef_", "theta_", "classes_")
NETWORK = Network([(5, "tanh"), (3, "identity")], weight_deviation=0.0)
DROPPING = Network([(6, "sigmoid"), (4, "relu")], dropout=[0.3, 0.0])
HISTORY = ("value", "risk", "complexity", "accuracy", "gradient_norm")


def of_classifier(model, fresh):
    found = learned(model, *LEARNED)
    found |= {f"history {name}": model.history_[name] for name in HISTORY if name in model.history_}
    found |= {"embedding": model.embedding(fresh), "decision": model.decision_function(fresh)}
    found |= {"labels": model.predict(fresh), "probabilities": model.predict_proba(fresh)}
    found |= {"entropy": model.entropy(fresh), "expected entropy": model.entropy(fresh, "expected")}
    if hasattr(model.kernel_, "_lower"):
        found["gram of the learned kernel"] = gramian.gram(model.kernel_, points(9, 3, seed=2))
    return found


def classifier(rows=60, sample_weight=None, classes=3, **options):
    X = points(rows)
    model = gramian.EmbeddingClassifier(**{"max_iter": 12, "random_state": 0, **options})
    model.fit(X, labels(X, classes), sample_weight=sample_weight)
    found = of_classifier(model, points(13, seed=1))
    if model.features is None:
        found["bound"] = model.risk_bound()
    elif model.kernel is not None:
        del found["theta_"]  # a shift of all features changes nothing: its gradient is rounding, which Adam makes large
    return found


GAUSSIAN = Gaussian(length_scale=[1.0, 1.0, 1.0])
CLASSIFIERS = {
    "by default": {},
    "beyond one tile": {"rows": 230, "learn": "rademacher", "max_iter": 6},
    "validation by lbfgs": {"solver": "lbfgs"},
    "validation in batches": {"batch_size": 20},
    "rademacher": {"learn": "rademacher"},
    "rademacher by lbfgs": {"learn": "rademacher", "solver": "lbfgs"},
    "erm": {"learn": "erm", "kernel": 2.0 * Gaussian(gamma=0.5)},
    "erm in batches": {"learn": "erm", "batch_size": 15},
    "grid": {"learn": "cv", "cv": 3, "penalties": [1e-3, 1e-1], "length_scale_factors": [0.5, 1.0, 2.0]},
    "median": {"learn": "median"},
    "as it is": {"learn": None, "kernel": Matern(nu=1.5), "penalty": 1e-3},
    "mean of risks": {"risk": "mean", "tau": 0.5, "sensitivity": 2.0, "clip": 1e-3},
    "two classes": {"classes": 2},
    "balanced": {"class_weight": "balanced"},
    "weighted": {"sample_weight": weights(60)},
    "landmarks": {"landmarks": 15, "batch_size": 20},
    "sum": {"kernel": Gaussian(gamma=0.5) + 0.5 * Laplacian(gamma=1.0)},
    "linear": {"kernel": "linear", "learn": "rademacher"},
    "network": {"features": NETWORK, "learning_rate": 0.03},
    "network below a kernel": {"features": NETWORK, "kernel": Gaussian(), "learn": "rademacher", "learning_rate": 0.03},
    "network that drops": {"features": DROPPING, "batch_size": 20, "learning_rate": 0.03},
    "random features": {"features": RandomFourierFeatures(Gaussian(gamma=0.5), n_features=16, seed=1)},
}
for name, options in CLASSIFIERS.items():
    add(f"embedding {name}", classifier, **options)


@case
def embedding_precomputed():
    X, fresh, kernel = points(60), points(13, seed=1), Gaussian(gamma=0.7)
    model = gramian.EmbeddingClassifier("precomputed", max_iter=12, random_state=0).fit(kernel(X), labels(X))
    return of_classifier(model, kernel(fresh, X))


@case
def embedding_of_counts():
    model = gramian.EmbeddingClassifier(max_iter=12, random_state=0).fit(counts(40), labels(points(40)))
    found = of_classifier(model, counts(9, seed=1))
    del found["gram of the learned kernel"]
    return found


def compressed(model, size, method):
    small, fresh = compress(model, size, method, random_state=0), points(13, seed=1)
    found = {"coefficients": small.coefficients, "supports": small.supports, "embedding": small.embedding(fresh)}
    found |= {"decision": small.decision_function(fresh), "probabilities": small.predict_proba(fresh)}
    return {**found, "labels": small.predict(fresh), "entropy": small.entropy(fresh)}


def compressed_classifier(method, size=10, sample_weight=None, **options):
    X = points(60)
    model = gramian.EmbeddingClassifier(**{"max_iter": 6, "random_state": 0, **options})
    found = compressed(model.fit(X, labels(X), sample_weight=sample_weight), size, method)
    if model.features is not None and method == "random_features":
        del found["coefficients"]  # they follow a shift of all features, see `classifier`
    return found


add("compress by herding", compressed_classifier, "herding")
add("compress to random features", compressed_classifier, "random_features")
add("compress with weights", compressed_classifier, "herding", sample_weight=weights(60) + 0.1)
add(
    "compress below a kernel", compressed_classifier, "herding", kernel=Gaussian(), features=NETWORK, learning_rate=0.03
)
add("compress to features below", compressed_classifier, "random_features", kernel=Gaussian(), features=NETWORK)
add("compress a network", compressed_classifier, "herding", features=NETWORK, learning_rate=0.03)
add("compress linear", compressed_classifier, "herding", kernel=Linear(), learn=None)


@case
def compress_conditional_mean():
    X = points(60)
    return compressed(gramian.ConditionalMeanEmbedding(Matern(), Delta()).fit(X, labels(X)), 9, "herding")


def of_mean(model, fresh, others):
    found = learned(model, "penalty_", "cv_results_", "factor_", "dual_coef_")
    found |= {"weights": model.weights(fresh), "distance": model.distance(fresh, others)}
    found["expectation"] = model.expectation(points(len(model.factor_), 2, seed=5), fresh)
    found["samples"] = model.sample(fresh, 5, return_indices=True)
    return found


def conditional_mean(rows=50, **options):
    X, fresh = points(rows), points(9, seed=1)
    y = outputs(X)
    model = gramian.ConditionalMeanEmbedding(**options).fit(X, y)
    found = of_mean(model, fresh, points(9, seed=2))
    other = gramian.ConditionalMeanEmbedding(Laplacian(), model.output_kernel_, penalty=0.1).fit(X + 0.5, y)
    found |= {"predicted": model.predict(fresh), "evaluated": model.evaluate(fresh, y[:5])}
    return {
        **found,
        "loss": model.loss(fresh, outputs(fresh)),
        "distance to another": model.distance(fresh, fresh, other),
    }


GRID = {"learn": "cv", "cv": 3, "random_state": 0, "penalties": [1e-4, 1e-2, 1.0]}
MEANS = {
    "by default": {},
    "beyond one tile": {"rows": 230},
    "given": {"kernel": Matern(nu=1.5), "output_kernel": Gaussian(gamma=0.5), "penalty": 1e-2},
    "linear": {"kernel": "linear", "output_kernel": "linear"},
    "grid": {**GRID, "length_scale_factors": [0.5, 1.0, 2.0]},
    "grid, regularised": {**GRID, "kernel": Gaussian(), "regularised": True},
    "grid of a linear kernel": {**GRID, "kernel": "linear"},
}
for name, options in MEANS.items():
    add(f"conditional mean {name}", conditional_mean, **options)


@case
def conditional_mean_of_labels():
    X, fresh = points(50), points(9, seed=1)
    model = gramian.ConditionalMeanEmbedding(Gaussian(gamma=0.5), Delta(), **GRID)
    model.fit(X, np.array(["a", "b", "c"])[labels(X)])
    return {**of_mean(model, fresh, points(9, seed=2)), "evaluated": model.evaluate(fresh, ["a", "b", "c"])}


@case
def conditional_mean_precomputed():
    kernel, other, X = Gaussian(gamma=0.5), Laplacian(), points(50)
    model = gramian.ConditionalMeanEmbedding("precomputed", "precomputed", **GRID).fit(kernel(X), other(outputs(X)))
    return of_mean(model, kernel(points(9, seed=1), X), kernel(points(9, seed=2), X))


@case
def conditional_mean_of_counts():
    model = gramian.ConditionalMeanEmbedding(Tanimoto(), Linear()).fit(counts(40), counts(40, 5, seed=3))
    found = of_mean(model, counts(7, seed=1), counts(7, seed=2))
    predicted = model.predict(counts(7, seed=1))
    return {**found, "predicted": predicted}


@case
def conditional_mean_of_words():
    model = gramian.ConditionalMeanEmbedding(common_pairs, Gaussian(), penalty=0.1).fit(words(), points(24, 2))
    return {**of_mean(model, words(5, seed=1), words(5, seed=2)), "predicted": model.predict(words(5, seed=1))}
