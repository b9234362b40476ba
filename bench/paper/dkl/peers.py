# SPDX-License-Identifier: BSD-3-Clause
"""Regression on tables: concatenated kernels of depth one to three, and what else one would take, each one tuned."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import gramian
import numpy as np
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bench.paper.dkl.functions import Array

EXACT = 5000  # the most samples that a method of n^3 operations gets
SEARCHED = 500  # the most that parameters of kernels are chosen on, by any method
LANDMARKS = 500
DEEP = {"alphas": (1e-3, 1e-2, 1e-1, 1.0), "inner_alphas": (1e-2, 1e-1, 1.0), "n_init": 2, "max_iter": 200}
"""Three layers take many steps: a coarser grid, fewer starts, and an end."""
RIDGE_ALPHAS = np.logspace(-4, 1, 6)
RIDGE_GAMMAS = np.logspace(-2.5, 0.5, 7)
TREES = [{"learning_rate": rate, "max_leaf_nodes": leaves} for rate in (0.05, 0.15) for leaves in (15, 31)]
WEIGHTS = (1e-3, 1e-1, 1.0, 10.0)
SIZES = (64, 64)
PATIENCE = 20

Predict = Callable[[Array], Array]
Learn = Callable[[Array, Array], Predict]


def methods(quick: bool = False) -> dict[str, Learn]:
    """By their names: functions of training samples that give functions of test samples."""
    less = {"alphas": (1e-2, 1.0), "inner_alphas": (1e-1, 10.0), "n_init": 1, "max_iter": 30} if quick else {}
    coarse = {"alphas": RIDGE_ALPHAS[::3], "gammas": RIDGE_GAMMAS[::3]} if quick else {}
    return {
        "one layer": lambda X, y: deep(X, y, 1),
        "two layers": lambda X, y: deep(X, y, 2, **less),
        "three layers": lambda X, y: deep(X, y, 3, **{**DEEP, **less}),
        "kernel ridge, Gaussian": lambda X, y: ridge(X, y, **coarse),
        "Gaussian process": process,
        "gradient boosting": boosting,
        "network": lambda X, y: network(X, y, WEIGHTS[2:3] if quick else WEIGHTS),
    }


def deep(X: Array, y: Array, depth: int, **options: Any) -> Predict:
    """The class as it comes; for more than EXACT samples landmarks, and penalties that SEARCHED of them have chosen."""
    model = gramian.DeepKernelRegressor(hidden=(X.shape[1],) * (depth - 1), random_state=0, **options)
    if len(X) <= EXACT:
        return _fitted(model, X, y)
    some = _first(X, SEARCHED)
    _fitted(model, X[some], y[some])
    inner_alpha = float(model.inner_alpha_[0]) if depth > 1 else None
    chosen = {"alpha": model.alpha_, "inner_alpha": inner_alpha, "landmarks": LANDMARKS, "n_init": 1}
    return _fitted(clone(model).set_params(**chosen), X, y)


def ridge(X: Array, y: Array, alphas: Array = RIDGE_ALPHAS, gammas: Array = RIDGE_GAMMAS) -> Predict:
    """Parameters by five folds of SEARCHED samples, then EXACT of them."""
    some, more = _first(X, SEARCHED), _first(X, EXACT)
    grid = {"kernelridge__alpha": alphas, "kernelridge__gamma": gammas / X.shape[1]}
    search = GridSearchCV(make_pipeline(StandardScaler(), KernelRidge(kernel="rbf")), grid, cv=5)
    mean = y[more].mean()
    best = search.fit(X[some], y[some] - mean).best_estimator_
    best.fit(X[more], y[more] - mean)
    return lambda new: best.predict(new) + mean


def process(X: Array, y: Array) -> Predict:
    """A length scale for each feature, amplitude and noise from SEARCHED samples, then EXACT of them."""
    scaler = StandardScaler().fit(X)
    start = ConstantKernel(1.0) * RBF(np.full(X.shape[1], np.sqrt(X.shape[1])), (1e-2, 1e4)) + WhiteKernel(0.1)
    some, more = _first(X, SEARCHED), _first(X, EXACT)
    model = GaussianProcessRegressor(start, normalize_y=True, copy_X_train=False)
    _fitted(model, scaler.transform(X[some]), y[some])
    if len(X) > SEARCHED:
        model = GaussianProcessRegressor(model.kernel_, optimizer=None, normalize_y=True)
        model.fit(scaler.transform(X[more]), y[more])
    return lambda new: model.predict(scaler.transform(new))


def boosting(X: Array, y: Array) -> Predict:
    """Rate and leaves by three folds for few samples; for many by a tenth left out, which also says when to stop."""
    if len(X) <= SEARCHED:
        grid = {"learning_rate": (0.05, 0.15), "min_samples_leaf": (5, 20)}
        return _fitted(GridSearchCV(HistGradientBoostingRegressor(max_iter=200, random_state=0), grid, cv=3), X, y)
    shared = {"early_stopping": True, "n_iter_no_change": PATIENCE, "max_iter": 1000, "random_state": 0}
    tried = [HistGradientBoostingRegressor(**options, **shared).fit(X, y) for options in TREES]
    return max(tried, key=lambda model: max(model.validation_score_)).predict


def network(X: Array, y: Array, weights: Sequence[float] = WEIGHTS) -> Predict:
    """Two layers of rectified units: L-BFGS and three folds for few samples, Adam and a tenth left out for many."""
    if len(X) <= SEARCHED:
        net = MLPRegressor(hidden_layer_sizes=SIZES, solver="lbfgs", max_iter=500, random_state=0)
        model = TransformedTargetRegressor(make_pipeline(StandardScaler(), net), transformer=StandardScaler())
        return _fitted(GridSearchCV(model, {"regressor__mlpregressor__alpha": weights}, cv=3), X, y)
    inputs, outputs = StandardScaler().fit(X), StandardScaler().fit(y[:, None])
    shared = {"early_stopping": True, "n_iter_no_change": PATIENCE, "max_iter": 300, "random_state": 0}
    tried = [MLPRegressor(hidden_layer_sizes=SIZES, alpha=weight, **shared) for weight in weights[:2]]
    for net in tried:
        _fitted(net, inputs.transform(X), outputs.transform(y[:, None])[:, 0])
    best = max(tried, key=lambda net: net.best_validation_score_)
    return lambda new: outputs.inverse_transform(best.predict(inputs.transform(new))[:, None])[:, 0]


def _first(X: Array, most: int) -> slice:
    """Training samples are in drawn order."""
    return slice(0, min(most, len(X)))


def _fitted(model: Any, X: Array, y: Array) -> Predict:
    """Without the warning that there were more steps to go."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    return model.predict
