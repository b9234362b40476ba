# SPDX-License-Identifier: BSD-3-Clause
"""Autoencoders on vectors and on feature spaces."""

from __future__ import annotations

import gramian
import numpy as np
from gramian.kernels import Cosine, Gaussian, Laplacian, Linear, Matern, Polynomial, Tanimoto
from gramian.losses import EpsilonInsensitive, Huber, Logistic, Loss

from cases.data import counts, points
from cases.registry import add, case, course, learned

LEARNED = (
    "coefficients_",
    "supports_",
    "penalties_",
    "embedding_",
    "objective_",
    "distortion_",
    "squared_norms_",
    "stationarity_",
    "init_objectives_",
    "multipliers_",
    "landmarks_",
)
KERNELS = [Gaussian(gamma=0.5), Gaussian(gamma=1.0)]
A = [[1.0, 0.3], [0.3, 0.5]]


class Quartic(Loss):
    """A loss that is written in Python."""

    def evaluate(self, target, output):
        r = output - target
        return float((r**2 + 0.1 * r**4).sum()), 2.0 * r + 0.4 * r**3


def autoencoder(rows=36, **options):
    X = points(rows)
    given = {"kernels": KERNELS, "penalty": 1e-3, "max_iter": 8, "random_state": 0, **options}
    model = gramian.KernelAutoencoder(**given).fit(X)
    fresh = points(11, seed=1)
    codes = model.transform(fresh)
    found = {**learned(model, *LEARNED), **course(model), "codes": codes, "decoded": model.inverse_transform(codes)}
    found["error"] = model.reconstruction_error(fresh)
    if rows < 50 and model.landmarks_ is None:
        found["jacobian"] = model.jacobian(1, 3)
    return found


JOINT = {"last_layer": "joint"}
VARIANTS = {
    "by default": {"kernels": None, "penalty": 1e-2},
    "beyond one tile": {"rows": 230, "max_iter": 5},
    "joint beyond one tile": {**JOINT, "rows": 230, "max_iter": 5},
    "adam": {"solver": "adam"},
    "gd": {"solver": "gd"},
    "alternating": {"solver": "alternating", "inner_steps": 2},
    "joint": JOINT,
    "joint adam": {**JOINT, "solver": "adam"},
    "joint adam in batches": {**JOINT, "solver": "adam", "batch_size": 9},
    "joint sgd": {**JOINT, "solver": "sgd", "batch_size": 9, "learning_rate": 1e-3},
    "joint gd": {**JOINT, "solver": "gd"},
    "norms bounded": {"solver": "gd", "max_norm": [1.0, 2.0], "penalty": 0.0},
    "three layers": {"hidden": (3, 1), "kernels": [*KERNELS, Laplacian(gamma=0.3)], "code_layer": 2},
    "landmarks": {"landmarks": 12},
    "landmarks by row": {"landmarks": [1, 5, 7, 20, 30], **JOINT},
    "random starts": {"n_init": 3, "init": "random"},
    "operators": {"A": [A, [1.0, 0.5, 2.0]]},
    "sums of kernels": {"kernels": [[(Gaussian(gamma=0.5), None), (Linear(), A)], Matern(nu=2.5)]},
    "huber": {**JOINT, "loss": Huber(0.5)},
    "epsilon": {**JOINT, "loss": EpsilonInsensitive(0.1)},
    "epsilon squared": {**JOINT, "loss": EpsilonInsensitive(0.1, squared=True)},
    "own loss": {**JOINT, "loss": Quartic()},
    "little memory": {"memory_budget": 1},
}
for name, options in VARIANTS.items():
    add(f"autoencoder {name}", autoencoder, **options)


@case
def autoencoder_of_bits():
    X = (points(30, 7) > 0).astype(float)
    model = gramian.KernelAutoencoder(
        (2,), KERNELS, penalty=1e-3, loss=Logistic(), last_layer="joint", max_iter=8, random_state=0
    ).fit(X)
    return {**learned(model, *LEARNED), **course(model), "codes": model.transform(points(9, 7, seed=1))}


@case
def autoencoder_warm_start():
    X = points(36)
    model = gramian.KernelAutoencoder((2,), penalty=1e-3, max_iter=4, warm_start=True).fit(X).fit(X)
    return {**learned(model, *LEARNED), **course(model)}


def feature_space(X, fresh, diag=None, **options):
    given = {"kernels": KERNELS, "penalty": 1e-3, "max_iter": 8, "random_state": 0, **options}
    model = gramian.K2Autoencoder(**given).fit(X)
    codes = model.transform(fresh, diag)
    found = {**learned(model, *LEARNED[:1], *LEARNED[2:]), **course(model), "codes": codes}
    found |= {"diagonal": model.diagonal_, "factor": model.factor_, "error": model.reconstruction_error(fresh, diag)}
    found |= {"weights": model.reconstruction_weights(codes), "nearest": model.nearest(codes)}
    if model.X_fit_ is not None:
        back = model.inverse_transform(codes)
        found["decoded"] = back if isinstance(back, np.ndarray) else back.toarray()
    return found


FEATURE_SPACES = {
    "by default": {"kernels": None},
    "beyond one tile": {"rows": 230, "max_iter": 5},
    "linear": {"input_kernel": "linear"},
    "laplacian": {"input_kernel": Laplacian(gamma=0.5)},
    "adam": {"input_kernel": Gaussian(gamma=0.3), "solver": "adam"},
    "gd": {"input_kernel": Gaussian(gamma=0.3), "solver": "gd"},
    "alternating": {"input_kernel": Gaussian(gamma=0.3), "solver": "alternating", "inner_steps": 2},
    "landmarks": {"input_kernel": Gaussian(gamma=0.3), "landmarks": 12},
    "random starts": {"input_kernel": Matern(nu=1.5), "n_init": 2, "init": "random"},
    "three layers": {"input_kernel": Polynomial(degree=2), "hidden": (3, 2), "kernels": KERNELS[0]},
    "operator": {"input_kernel": Gaussian(gamma=0.3), "A": [A, None]},
}


def on_vectors(rows=36, **options):
    return feature_space(points(rows), points(11, seed=1), **options)


for name, options in FEATURE_SPACES.items():
    add(f"feature space {name}", on_vectors, **options)


@case
def feature_space_precomputed():
    kernel, samples, fresh = Gaussian(gamma=0.3), points(36), points(11, seed=1)
    return feature_space(kernel(samples), kernel(fresh, samples), np.ones(11), input_kernel="precomputed")


@case
def feature_space_of_counts():
    return {
        f"{kernel!r} {name}": value
        for kernel in (Cosine(), Tanimoto())
        for name, value in feature_space(counts(30), counts(8, seed=1), input_kernel=kernel, max_iter=4).items()
    }
