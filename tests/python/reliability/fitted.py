# SPDX-License-Identifier: BSD-3-Clause
"""All estimators, small enough to be fitted hundreds of times, and what they make of new samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import gramian
import numpy as np
from gramian import features, operators
from gramian.kernels import Gaussian

RNG = np.random.default_rng(0)
ROWS = 36
X = RNG.normal(size=(ROWS, 3))
NEW = RNG.normal(size=(7, 3))
NUMBERS = X[:, 0] + np.sin(X[:, 1])
LABELS = (NUMBERS > 0).astype(int)
POINTS = np.column_stack([NUMBERS, X[:, 2]])
K = Gaussian(gamma=0.3)
RIDGES = {"alpha": 0.1, "inner_alpha": 0.1}


class Case(NamedTuple):
    """An estimator with its targets."""

    make: Callable[..., Any]
    y: Any
    method: str
    """What is called with new samples."""

    def fit(self, X: Any = X, y: Any = "its own", **options: Any) -> Any:
        """Return a new one, fitted."""
        return self.make(**options).fit(X, self.y if isinstance(y, str) else y)

    def apply(self, model: Any, samples: Any = NEW) -> Any:
        """Return what a fitted one makes of samples."""
        return getattr(model, self.method)(samples)


def _with(cls: type, *first: Any, **own: Any) -> Callable[..., Any]:
    return lambda **options: cls(*first, **{**own, **options})


CASES = {
    "KernelAutoencoder": Case(_with(gramian.KernelAutoencoder, max_iter=5), None, "transform"),
    "K2Autoencoder": Case(_with(gramian.K2Autoencoder, max_iter=5), None, "transform"),
    "DeepKernelPCA": Case(_with(gramian.DeepKernelPCA, n_components=(2,)), None, "transform"),
    "ParametricDeepKernelPCA": Case(_with(gramian.ParametricDeepKernelPCA, max_iter=2), None, "transform"),
    "EmbeddingClassifier": Case(_with(gramian.EmbeddingClassifier, max_iter=5), LABELS, "predict"),
    "DeepKernelClassifier": Case(_with(gramian.DeepKernelClassifier, max_iter=5, **RIDGES), LABELS, "predict"),
    "DeepKernelRegressor": Case(_with(gramian.DeepKernelRegressor, max_iter=5, **RIDGES), NUMBERS, "predict"),
    "DeepKernelInterpolator": Case(_with(gramian.DeepKernelInterpolator, max_iter=5), NUMBERS, "predict"),
    "ConditionalMeanEmbedding": Case(_with(gramian.ConditionalMeanEmbedding), NUMBERS, "predict"),
    "DependencyRegressor": Case(_with(gramian.DependencyRegressor), POINTS, "predict"),
    "OperatorKernelRidge": Case(_with(gramian.OperatorKernelRidge, operators.Separable(K)), POINTS, "predict"),
    "KernelRidge": Case(_with(gramian.KernelRidge, kernel="rbf"), NUMBERS, "predict"),
}
_DENSE = ("KernelAutoencoder", "ParametricDeepKernelPCA", "DeepKernelInterpolator")
SPARSE = [name for name in CASES if name not in _DENSE]
"""Those that take sparse samples."""
NETWORK = features.Network([(4, "relu")])
