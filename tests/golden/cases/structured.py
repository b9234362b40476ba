# SPDX-License-Identifier: BSD-3-Clause
"""Structured outputs, and ridge regression with operator-valued kernels."""

from __future__ import annotations

import gramian
import numpy as np
from gramian.kernels import Gaussian, Laplacian, Linear, Matern
from gramian.operators import (
    DiagonalRegularization,
    Pointwise,
    Separable,
    conditional_covariance,
    covariance,
    span_coordinates,
)

from cases.data import common_pairs, counts, outputs, points, words
from cases.registry import add, case, learned

LEARNED = (
    "penalty_",
    "cv_results_",
    "coefficients_",
    "span_",
    "input_factor_",
    "output_factor_",
    "input_residual_",
    "output_residual_",
    "components_",
    "mean_",
)
K, L = Gaussian(gamma=0.5), Gaussian(gamma=0.8)
A = [[1.0, 0.5], [0.5, 2.0]]


def of_regressor(model, fresh):
    found = {**learned(model, *LEARNED), "weights": model.weights(fresh)}
    if model.preimage == "nearest":
        found |= {"decision": -model.scores(fresh), "nearest": model.nearest(fresh, k=3)}
    return found


def regressor(rows=45, **options):
    X, fresh = points(rows), points(8, seed=1)
    y = outputs(X)
    model = gramian.DependencyRegressor(**{"kernel": K, "output_kernel": L, "random_state": 0, **options}).fit(X, y)
    found = {**of_regressor(model, fresh), "predicted": model.predict(fresh), "score": -model.loss(fresh, y[:8])}
    return {**found, "among others": model.predict(fresh, candidates=y[::5])}


PENALTIES = [1e-4, 1e-2, 1.0]
IDENTITY = {"operator": "identity", "penalty": 1e-2 / 45}
OPERATOR = {"kernel": None, "penalty": 0.1 / 45}
REGRESSORS = {
    "by default": {"kernel": None, "output_kernel": None},
    "conditional": {},
    "beyond one tile": {"rows": 230, "penalties": PENALTIES},
    "low rank beyond one tile": {"rows": 230, "rank": 20},
    "covariance": {"operator": "covariance"},
    "identity": IDENTITY,
    "low rank": {"rank": (15, 10)},
    "low rank by trace": {"rank": 0.05, "operator": "covariance"},
    "low rank greedy": {**IDENTITY, "rank": 12, "pivoting": "greedy"},
    "low rank gain": {"rank": (12, 9), "pivoting": "gain"},
    "grid": {"penalties": PENALTIES},
    "grid of covariance": {"penalties": PENALTIES, "operator": "covariance"},
    "grid of identity": {"penalties": [p / 45 for p in PENALTIES], "operator": "identity"},
    "grid, held out": {"penalties": PENALTIES, "validation": 0.25},
    "grid, low rank": {"penalties": PENALTIES, "rank": 12},
    "grid, low rank, held out": {
        "penalties": [p / 45 for p in PENALTIES],
        "rank": 12,
        "validation": 0.25,
        "operator": "identity",
    },
    "components": {"n_output_components": 6},
    "centred components": {**IDENTITY, "n_output_components": 6, "center_components": True},
    "grid of components": {"n_output_components": 6, "penalties": PENALTIES, "operator": "covariance"},
    "linear preimage": {"output_kernel": "linear", "preimage": "linear"},
    "linear preimage, low rank": {"output_kernel": "linear", "preimage": "linear", "rank": (12, 1)},
    "fixed point": {"preimage": "gaussian"},
    "fixed point, low rank": {"preimage": "gaussian", "rank": 12},
    "candidates": {"preimage": "candidates", "candidates": outputs(points(10, seed=7))},
    "separable": {**OPERATOR, "output_kernel": None, "operator": Separable(K, A=A)},
    "separable on a span": {**OPERATOR, "output_kernel": Laplacian(), "operator": Separable(K)},
}
for name, options in REGRESSORS.items():
    add(f"dependency {name}", regressor, **options)


@case
def dependency_diagonal():
    X = points(40, 2)
    operator = DiagonalRegularization(K, weight=0.3)
    model = gramian.DependencyRegressor(operator=operator, penalty=0.1 / 40).fit(X, X**2)
    return {**of_regressor(model, points(8, 2, seed=1)), "predicted": model.predict(points(8, 2, seed=1))}


@case
def dependency_precomputed():
    X, fresh = points(45), points(8, seed=1)
    found = {}
    for rank in (None, 12):
        model = gramian.DependencyRegressor(
            "precomputed", "precomputed", rank=rank, penalties=PENALTIES, random_state=0
        )
        model.fit(K(X), L(outputs(X)))
        found |= {f"{name}, rank {rank}": value for name, value in of_regressor(model, K(fresh, X)).items()}
    return found


@case
def dependency_of_counts():
    model = gramian.DependencyRegressor(Gaussian(gamma=0.1), "linear", penalty=0.1).fit(
        counts(30), counts(30, 6, seed=2)
    )
    fresh = counts(7, seed=1)
    return {**of_regressor(model, fresh), "predicted": model.predict(fresh).toarray()}


@case
def dependency_of_words():
    upper = [word.upper() for word in words()]
    model = gramian.DependencyRegressor(common_pairs, preimage="sequence", penalty=1e-3).fit(words(), upper)
    fresh = words(6, seed=1)
    found = {**of_regressor(model, fresh), "features": model.features_, "predicted": model.predict(fresh)}
    return {**found, "of given lengths": model.predict(fresh, lengths=[len(word) for word in fresh])}


def ridge(operator=None, rows=40, **options):
    X, fresh = points(rows), points(8, seed=1)
    model = gramian.OperatorKernelRidge(operator, **options).fit(X, outputs(X))
    return {**learned(model, "dual_coef_"), "predicted": model.predict(fresh)}


RIDGES = {
    "by default": {},
    "separable": {"operator": Separable(K, A=A)},
    "diagonal A": {"operator": Separable(Matern(), A=[0.5, 0.0])},
    "sum": {"operator": Separable(K, A=A) + 0.5 * Separable(Laplacian())},
    "conjugate gradients": {"operator": Separable(K, A=A) + Separable(Linear()), "solver": "cg", "alpha": 0.1},
    "cholesky": {"operator": Separable(K), "solver": "cholesky"},
    "beyond one tile": {"operator": Separable(K, A=A) + Separable(Linear()), "rows": 230, "solver": "cg"},
}
for name, options in RIDGES.items():
    add(f"operator ridge {name}", ridge, **options)


@case
def operator_ridge_of_each_kind():
    X, fresh, found = points(30, 2), points(8, 2, seed=1), {}
    for operator in (Pointwise(), DiagonalRegularization(K, weight=0.3)):
        model = gramian.OperatorKernelRidge(operator, alpha=0.1).fit(X, X**2)
        name = type(operator).__name__
        found |= {f"{name} coefficients": model.dual_coef_, f"{name} predicted": model.predict(fresh)}
    sparse = gramian.OperatorKernelRidge(Separable(K), alpha=0.1).fit(counts(30), X)
    return {**found, "of counts": sparse.predict(counts(8, seed=1))}


@case
def operators():
    X, Z, V, found = points(20, 2), points(9, 2, seed=1), points(9, 2, seed=2), {}
    F = points(20, 2, seed=3)
    kinds = {
        "separable": Separable(K, A=A),
        "pointwise": Pointwise(),
        "diagonal": DiagonalRegularization(Laplacian(), weight=0.3),
        "sum": 2.0 * Separable(K) + Pointwise(),
        "covariance": covariance(K, F),
        "conditional covariance": conditional_covariance(K, F, X, epsilon=0.1),
    }
    for name, operator in kinds.items():
        found |= {
            f"{name} block": operator.block(X[0], Z[0], outputs=2),
            f"{name} matrix": operator.matrix(X, outputs=2),
        }
        found |= {f"{name} apply": operator.apply(X, V, Z), f"{name} joint": operator.joint(X, F, Z, V)}
    span = span_coordinates(L(X[:8]))
    return {**found, "span": np.abs(span @ span.T)}
