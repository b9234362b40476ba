# SPDX-License-Identifier: BSD-3-Clause
"""Classifiers of the comparison: ours as they come, peers as they come and with a grid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gramian
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

MOST_OF_A_PROCESS = 300
"""Training samples of the Gaussian process, which takes their cube for each class and step."""
REFERENCE = "svc_grid"
"""What ours are compared with."""


def _embedding(seed: int, quick: bool) -> Any:
    return gramian.EmbeddingClassifier(random_state=seed, **({"max_iter": 5} if quick else {}))


def _deep(seed: int, quick: bool) -> Any:
    return gramian.DeepKernelClassifier(random_state=seed, **({"max_iter": 5, "n_init": 1, "cv": 2} if quick else {}))


def _svc(seed: int, quick: bool) -> Any:
    return _Platt(make_pipeline(StandardScaler(), SVC()), seed)


def _svc_grid(seed: int, quick: bool) -> Any:
    grid = {"svc__C": np.logspace(-1, 3, 5), "svc__gamma": np.logspace(-4, 0, 5)}
    return _Platt(_search(make_pipeline(StandardScaler(), SVC()), grid, seed, quick), seed)


def _trees(seed: int, quick: bool) -> Any:
    return HistGradientBoostingClassifier(random_state=seed, max_iter=5 if quick else 100)


def _trees_grid(seed: int, quick: bool) -> Any:
    grid = {"learning_rate": [0.03, 0.1], "max_leaf_nodes": [7, 31]}
    return _search(_trees(seed, quick), grid, seed, quick, scoring="neg_log_loss", folds=3)


def _forest(seed: int, quick: bool) -> Any:
    return RandomForestClassifier(10 if quick else 300, random_state=seed)


def _forest_grid(seed: int, quick: bool) -> Any:
    grid = {"max_features": ["sqrt", 0.6], "min_samples_leaf": [1, 3]}
    return _search(_forest(seed, quick), grid, seed, quick, scoring="neg_log_loss", folds=3)


def _network(seed: int, quick: bool) -> Any:
    return make_pipeline(StandardScaler(), MLPClassifier(max_iter=5 if quick else 200, random_state=seed))


def _network_grid(seed: int, quick: bool) -> Any:
    grid = {"mlpclassifier__alpha": [1e-4, 1e-2, 1.0], "mlpclassifier__hidden_layer_sizes": [(100,)]}
    return _search(_network(seed, quick), grid, seed, quick, scoring="neg_log_loss", folds=3)


def _process(seed: int, quick: bool) -> Any:
    kernel = ConstantKernel(1.0) * RBF(3.0)
    return make_pipeline(StandardScaler(), GaussianProcessClassifier(kernel, random_state=seed))


def _search(model: Any, grid: dict[str, Any], seed: int, quick: bool, scoring: str = "accuracy", folds: int = 5) -> Any:
    if quick:
        grid = {name: values[:2] for name, values in grid.items()}
    return GridSearchCV(model, grid, scoring=scoring, cv=_folds(2 if quick else folds, seed))


class _Platt:
    """The best pair of a grid, fitted with the probabilities of LIBSVM: Platt scaling of pairs of classes."""

    def __init__(self, model: Any, seed: int) -> None:
        self.model, self.seed = model, seed

    def fit(self, X: Any, y: Any) -> _Platt:
        best = self.model
        if isinstance(best, GridSearchCV):
            best.refit = False
            best.fit(X, y)
            best = best.estimator.set_params(**best.best_params_)
        self.fitted = best.set_params(svc__probability=True, svc__random_state=self.seed).fit(X, y)
        return self

    def predict_proba(self, X: Any) -> Any:
        return self.fitted.predict_proba(X)


def _folds(count: int, seed: int) -> StratifiedKFold:
    return StratifiedKFold(count, shuffle=True, random_state=seed)


WAYS: dict[str, tuple[str, Callable[[int, bool], Any]]] = {
    "embedding": ("**EmbeddingClassifier**", _embedding),
    "deep": ("**DeepKernelClassifier**", _deep),
    "svc": ("SVC, Platt", _svc),
    REFERENCE: ("SVC, grid, Platt", _svc_grid),
    "trees": ("HistGradientBoosting", _trees),
    "trees_grid": ("HistGradientBoosting, grid", _trees_grid),
    "forest": ("RandomForest", _forest),
    "forest_grid": ("RandomForest, grid", _forest_grid),
    "network": ("MLP", _network),
    "network_grid": ("MLP, grid", _network_grid),
    "process": ("GaussianProcess", _process),
}
"""By name: what the table calls it, and a function of seed and haste."""


def applies(way: str, samples: int) -> bool:
    """Whether the way takes a reasonable time for a number of training samples."""
    return way != "process" or samples <= MOST_OF_A_PROCESS
