# SPDX-License-Identifier: BSD-3-Clause
"""The methods of [MCE] Table 1 as the experiments use them, and what one would use today."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import gramian
import numpy as np
from gramian.features import Network
from gramian.kernels import Gaussian
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

EPOCHS = 1000
BATCHES = 10  # of a tenth of the samples each: an epoch, if every sample is to be seen once in it
NETWORKS = {"CEN-1": (16, 32, 8), "CEN-2": (96, 32)}
PENALTIES = (0.1, 1.0, 10.0, 100.0, 1000.0)
INVERSE_WIDTHS = (0.01, 0.1, 1.0, 10.0, 100.0)

Build = Callable[[Any], Any]
"""From the training samples to an estimator."""


def methods(epochs: int = EPOCHS) -> Mapping[str, Build]:
    """By the names of the table, in its order."""
    return {
        "GMCE": lambda X: gaussian(X, epochs),
        "GMCE-SGD": lambda X: in_batches(X, epochs),
        "GMCE-SGD, ten batches an epoch": lambda X: in_batches(X, BATCHES * epochs),
        "GMCE-SGD, objective of GMCE": lambda X: gaussian(X, epochs, batch_size=tenth(X)),
        **{name: _network_of(name, epochs) for name in NETWORKS},
        "ERM": lambda X: gaussian(X, epochs, learn="erm"),
        "CV": lambda X: gaussian(X, epochs, learn="cv"),
        "MED": lambda X: gaussian(X, epochs, learn="median"),
        "GMCE, objective as printed": lambda X: gaussian(X, epochs, risk="mean"),
        "EmbeddingClassifier, its defaults": lambda X: gramian.EmbeddingClassifier(random_state=0),
        "SVC, grid of 25": lambda X: support_vectors(),
        "Gaussian process": lambda X: GaussianProcessClassifier(1.0 * RBF(1.0), random_state=0),
        "gradient boosting": lambda X: HistGradientBoostingClassifier(random_state=0),
    }


def gaussian(X: Any, steps: int, **options: Any) -> Any:
    """A Gaussian with a length scale for each feature: all parameters are 1 at the start, and learned as printed."""
    return embedding(steps, kernel=1.0 * Gaussian(length_scale=np.ones(X.shape[1])), **options)


def in_batches(X: Any, steps: int) -> Any:
    """
    The sum of a batch's losses and 4e times its complexity: what the paper's program minimises. It is no estimate of
    the objective on all samples: that has the losses of all of them, and so the complexity counts for less.
    """
    return gaussian(X, steps, batch_size=tenth(X), tau=4 * math.e * len(X) / tenth(X))


def embedding(steps: int, **options: Any) -> Any:
    """
    The paper's classifier: Adam with rate 0.1 from lambda = 1.

    A search on all samples ends before its last step where 100 steps have not brought a millionth.
    """
    printed = {"learn": "rademacher", "penalty": 1.0, "batch_size": None, "learning_rate": 0.1, "random_state": 0}
    end = {"tol": 0.0} if options.get("batch_size") else {"tol": 1e-6, "patience": 100}
    return gramian.EmbeddingClassifier(**{**printed, **end, "max_iter": steps, **options})


def network(layers: tuple[int, ...], steps: int) -> Any:
    """A linear kernel on layers of rectified units. With [MCE]'s sup k(x, x) for 1 a constant classifier is learned."""
    return embedding(steps, sensitivity=1.0, features=Network([(units, "relu") for units in layers]))


def support_vectors() -> Any:
    """Width and penalty chosen on five folds of the training samples."""
    return GridSearchCV(SVC(), {"C": PENALTIES, "gamma": INVERSE_WIDTHS})


def tenth(X: Any) -> int:
    """The size of a batch."""
    return max(2, len(X) // BATCHES)


def scaled(X: Any, new: Any) -> tuple[Any, Any]:
    """Features so that the training samples fill [0, 1]."""
    low, width = X.min(axis=0), np.ptp(X, axis=0)
    width = np.where(width > 0, width, 1.0)
    return (X - low) / width, (new - low) / width


def accuracy(build: Build, X: Any, y: Any, new: Any, truth: Any) -> float:
    """Of an estimator on new samples."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # so many steps are what the paper has
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)  # ecoli: two samples of a class
        model = build(X).fit(X, y)
    return float(np.mean(model.predict(new) == truth))


def _network_of(name: str, epochs: int) -> Build:
    return lambda X: network(NETWORKS[name], epochs)
