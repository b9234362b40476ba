# SPDX-License-Identifier: BSD-3-Clause
"""Concatenated kernel machines: regression, classification, interpolation."""

from __future__ import annotations

import gramian
import numpy as np
from gramian.kernels import Gaussian, Laplacian, Linear, Matern, Polynomial
from gramian.losses import ClippedCrossEntropy, EpsilonInsensitive, Huber, Loss

from cases.data import counts, labels, outputs, points, weights
from cases.registry import add, case, course, learned

LEARNED = (
    "coefficients_",
    "alpha_",
    "inner_alpha_",
    "objective_",
    "loss_",
    "squared_norms_",
    "layer_penalties_",
    "init_objectives_",
    "stationarity_",
    "inner_rank_",
    "merged_",
    "cv_results_",
    "input_scale_",
    "output_scale_",
)
KERNELS = [Gaussian(gamma=0.5), Matern(nu=2.5)]
GIVEN = {"hidden": 2, "alpha": 0.05, "inner_alpha": 0.1, "n_init": 2, "max_iter": 8, "random_state": 0}


class SquareRoot:
    """A penalty of the norm to the power of one and a half."""

    def value(self, s):
        return (1.0 + s) ** 0.75 - 1.0

    def slope(self, s):
        return 0.75 * (1.0 + s) ** -0.25


class Quartic(Loss):
    """A loss that is written in Python."""

    of_residual = True

    def evaluate(self, target, output):
        r = output - target
        return float((r**2 + 0.1 * r**4).sum()), 2.0 * r + 0.4 * r**3


def of_machine(model, fresh):
    found = {**learned(model, *LEARNED), **course(model), "predicted": model.predict(fresh)}
    found["gram of the learned kernel"] = gramian.gram(
        model.deep_kernel_, fresh if isinstance(fresh, np.ndarray) else fresh.toarray()
    )
    return found


def regression(rows=40, of_one=False, sample_weight=None, image_targets=None, **options):
    X = points(rows)
    y = outputs(X)[:, 0] if of_one else outputs(X)
    model = gramian.DeepKernelRegressor(**{**GIVEN, "kernels": KERNELS, **options})
    return of_machine(model.fit(X, y, sample_weight=sample_weight, image_targets=image_targets), points(9, seed=1))


LARGE = {"rows": 230, "kernels": [Matern(nu=0.5), Matern(nu=2.5)], "n_init": 1, "max_iter": 5}
SUM = [(Gaussian(gamma=0.5), None), (Laplacian(gamma=0.5), [1.0, 0.5])]
GRID = {
    "alpha": None,
    "inner_alpha": None,
    "alphas": [1e-2, 1.0],
    "inner_alphas": [0.1, 1.0],
    "cv": 2,
    "n_init": 1,
    "max_iter": 4,
}
REGRESSIONS = {
    "by default": {"kernels": None, "hidden": None},
    "beyond one tile": LARGE,
    "joint beyond one tile": {**LARGE, "loss": Huber(0.5)},
    "of one output": {"of_one": True},
    "one layer": {"kernels": [Gaussian(gamma=0.5)], "hidden": ()},
    "three layers": {"kernels": None, "hidden": (2, 2), "inner_alpha": [0.1, 0.2]},
    "bfgs": {"solver": "bfgs", "kernels": [Polynomial(degree=2), Matern()], "hidden": 2},
    "adam": {"solver": "adam"},
    "coefficients": {"kernels": [Linear(), Matern()], "inner_parameters": "coefficients"},
    "features": {"kernels": [Linear(), Matern()], "inner_parameters": "features"},
    "joint": {"last_layer": "joint"},
    "random starts": {"init": "random", "n_init": 4, "init_scale": 0.5, "refined_share": 0.5},
    "landmarks": {"landmarks": 12},
    "distance penalty": {"distance_penalty": 0.01},
    "norms": {"theta": ["norm", None]},
    "powers of norms": {"theta": [1.5, 0.75], "last_layer": "joint"},
    "own theta": {"theta": [SquareRoot(), None]},
    "operators": {"A": [[1.0, 0.5], [[1.0, 0.2], [0.2, 1.0]]]},
    "mixture": {"kernels": [SUM, Matern(nu=2.5)]},
    "huber": {"loss": Huber(0.5)},
    "epsilon": {"loss": EpsilonInsensitive(0.1), "max_iter": 5},
    "epsilon squared": {"loss": EpsilonInsensitive(0.1, squared=True)},
    "own loss": {"loss": Quartic()},
    "standardised": {"standardize": True},
    "weighted": {"sample_weight": weights(40)},
    "image targets": {"image_targets": {1: (points(40, 2, seed=8), 0.5, Huber(0.5))}},
    "grid": GRID,
    "grid of weights": {**GRID, "sample_weight": weights(40), "landmarks": 12},
    "grid of alphas": {**GRID, "inner_alpha": 0.1, "inner_alphas": None, "loss": Huber(0.5)},
}
for name, options in REGRESSIONS.items():
    add(f"deep regression {name}", regression, **options)


@case
def deep_regression_of_counts():
    model = gramian.DeepKernelRegressor([Gaussian(gamma=0.1), Matern()], **GIVEN).fit(counts(30), outputs(points(30)))
    return of_machine(model, counts(7, seed=1))


@case
def deep_regression_of_repeated_samples():
    rows = np.r_[:20, :10, :5]
    X = points(20)
    return of_machine(gramian.DeepKernelRegressor(KERNELS, **GIVEN).fit(X[rows], outputs(X)[rows]), points(9, seed=1))


def classification(rows=40, classes=3, sample_weight=None, **options):
    X, fresh = points(rows), points(9, seed=1)
    model = gramian.DeepKernelClassifier(**{**GIVEN, "kernels": KERNELS, **options})
    model.fit(X, labels(X, classes), sample_weight=sample_weight)
    found = {**of_machine(model, fresh), "decision": model.decision_function(fresh)}
    return {**found, "probabilities": model.predict_proba(fresh), "logarithms": model.predict_log_proba(fresh)}


CLASSIFICATIONS = {
    "by default": {"kernels": None, "hidden": None},
    "beyond one tile": LARGE,
    "two classes": {"classes": 2},
    "clipped": {"loss": "clipped"},
    "clipped, two classes": {"loss": ClippedCrossEntropy(1e-3), "classes": 2},
    "weighted": {"sample_weight": weights(40)},
    "grid": GRID,
    "adam": {"solver": "adam", "landmarks": 12},
}
for name, options in CLASSIFICATIONS.items():
    add(f"deep classification {name}", classification, **options)


def interpolation(rows=30, image_targets=None, **options):
    X = points(rows)
    given = {"inner_alpha": 0.5, "n_init": 2, "max_iter": 8, "random_state": 0, **options}
    model = gramian.DeepKernelInterpolator(**given).fit(X, outputs(X), image_targets=image_targets)
    return of_machine(model, points(9, seed=1))


INTERPOLATIONS = {
    "by default": {},
    "beyond one tile": {"rows": 210, "n_init": 1, "max_iter": 5},
    "given": {"kernels": [Gaussian(gamma=0.5), Matern(nu=1.5)], "hidden": 2},
    "bfgs": {"solver": "bfgs"},
    "three layers": {"hidden": (2, 3), "inner_alpha": [0.5, 1.0], "max_iter": 4},
    "distance penalty": {"distance_penalty": 0.01},
    "norms": {"theta": ["norm", None]},
    "image targets": {"image_targets": {1: (points(30, seed=8), 0.5)}},
}
for name, options in INTERPOLATIONS.items():
    add(f"deep interpolation {name}", interpolation, **options)
