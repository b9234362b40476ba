# SPDX-License-Identifier: BSD-3-Clause
"""Deep kernel PCA."""

from __future__ import annotations

import gramian
import numpy as np
from gramian.features import Network
from gramian.kernels import Gaussian, Laplacian, Linear, Matern, Polynomial
from gramian.models import DeepPCAObjective, select_components
from gramian.optim import minimize_stiefel

from cases.data import counts, points
from cases.registry import add, case, course, learned

LEARNED = (
    "hidden_features_",
    "eigenvalues_",
    "explained_variance_ratio_",
    "captured_trace_",
    "objective_",
    "residuals_",
    "energy_",
    "init_objectives_",
    "init_captured_traces_",
    "landmarks_",
)
VANISHING = {"objective_", "residuals_", "init_objectives_", "history", "primal", "stabilised"}
TINY = 1e-12  # What vanishes in exact arithmetic is left out where it does.
SAME = 1e-9  # Eigenvalues that are the same but for rounding.
CLOSED = [Gaussian(gamma=0.5), Linear()]
KERNELS = [Gaussian(gamma=0.5), Gaussian(gamma=2.0)]


def determined(features, eigenvalues):
    """Features, or where all eigenvalues are the same, so that any basis is as good, their inner products."""
    same = len(eigenvalues) > 1 and np.ptp(eigenvalues) < SAME * np.abs(eigenvalues).max()
    return (features[:, None] * features[None]).sum(axis=2) if same else features


def of_levels(model, fresh):
    codes = [model.transform(fresh, level + 1) for level in range(len(model.eigenvalues_))]
    found = {**learned(model, *LEARNED), **course(model), "weights": model.weights(codes[0])}
    for name, features in {"hidden_features_": model.hidden_features_, "codes": codes}.items():
        found[name] = [determined(*each) for each in zip(features, model.eigenvalues_, strict=True)]
    found |= {"primal": model.primal_objective(), "stabilised": model.primal_objective(0.5)}
    return {name: value for name, value in found.items() if name not in VANISHING or np.max(np.abs(value)) > TINY}


def levels(rows=40, bounds=False, **options):
    X, fresh = points(rows), points(7, seed=1)
    given = {
        "n_components": (3, 2),
        "max_iter": 8,
        "random_state": 0,
        "inverse_alpha": 1e-6 * options.get("landmarks", rows),
        **options,
    }
    model = gramian.DeepKernelPCA(**given).fit(X)
    found = of_levels(model, fresh)
    if bounds:
        found["bounds"] = list(model.approximation_bounds().values())
    found["decoded"] = model.inverse_transform(found["codes"][0], level=1)
    found["sampled"] = model.sample(3, level=1, random_state=0)
    found["traversed"] = model.traverse(1, 0, [-0.1, 0.0, 0.1])
    return found


GENERAL = {"kernels": KERNELS}
LEVELS = {
    "by default": {},
    "beyond one tile": {**GENERAL, "rows": 230, "max_iter": 5},
    "closed form beyond one tile": {"kernels": CLOSED, "rows": 230},
    "closed form": {"kernels": CLOSED, "bounds": True},
    "self-consistent": {"kernels": CLOSED, "solver": "self_consistent", "bounds": True},
    "one level": {"n_components": 3, "kernels": Laplacian(gamma=0.5)},
    "linear": {"kernels": "linear", "n_components": (2, 2)},
    "lbfgs": {**GENERAL, "solver": "riemannian_lbfgs"},
    "adam": {**GENERAL, "solver": "riemannian_adam"},
    "projected gradient": {**GENERAL, "solver": "projected_gradient"},
    "levelwise": {**GENERAL, "solver": "levelwise"},
    "joint eigenvalues": {**GENERAL, "eigenvalues": "joint"},
    "projected gradient, joint": {**GENERAL, "solver": "projected_gradient", "eigenvalues": "joint"},
    "centred": {**GENERAL, "center": True},
    "centred closed form": {"kernels": CLOSED, "center": True},
    "random starts": {**GENERAL, "n_init": 2, "init": "random", "max_iter": 5},
    "three levels": {"n_components": (3, 2, 2), "kernels": [*KERNELS, Polynomial(degree=2)], "eta": [1.0, 2.0, 4.0]},
    "negative eta": {"kernels": CLOSED, "eta": [1.0, -5.0]},
    "landmarks": {**GENERAL, "landmarks": 25},
    "landmarks by leverage": {**GENERAL, "landmarks": 25, "landmark_method": "leverage"},
    "landmarks by entropy": {**GENERAL, "landmarks": 25, "landmark_method": "renyi"},
    "smoother": {**GENERAL, "extension": "smoother", "inverse": "ridge", "inverse_alpha": 40e-3},
    "equations": {"kernels": CLOSED, "extension": "equations", "inverse": "fixed_point"},
    "matern": {"kernels": [Matern(nu=2.5), Linear()], "inverse": "ridge", "inverse_alpha": 40e-3},
    "little memory": {**GENERAL, "memory_budget": 1},
}
for name, options in LEVELS.items():
    add(f"deep pca {name}", levels, **options)


@case
def deep_pca_precomputed():
    X, kernel = points(40), Gaussian(gamma=0.5)
    model = gramian.DeepKernelPCA((3, 2), ["precomputed", Gaussian(gamma=2.0)], max_iter=8).fit(kernel(X))
    return of_levels(model, kernel(points(7, seed=1), X))


@case
def deep_pca_of_counts():
    model = gramian.DeepKernelPCA((3, 2), [Gaussian(gamma=0.05), Linear()], max_iter=8).fit(counts(30))
    return of_levels(model, counts(7, seed=1))


@case
def deep_pca_components():
    found = select_components(gramian.DeepKernelPCA(kernels="linear"), points(30, 4), [(1, 2), (1, 2)], max_error=0.4)
    return {"n_components": np.array(found.n_components), "errors": found.errors, "captured": found.captured}


@case
def deep_pca_objective():
    found = {}
    for eigenvalues in ("eliminated", "joint"):
        objective = DeepPCAObjective(points(30), (3, 2), KERNELS, (1.0, 2.0), eigenvalues=eigenvalues)
        start = points(objective.size, 1, seed=4)[:, 0]
        value, gradient = objective.value_and_gradient(start)
        state, minimum = (
            objective.state(start),
            minimize_stiefel(objective.value_and_gradient, start, objective.shapes, max_iterations=5),
        )
        mine = {"value": value, "gradient": gradient, "residuals": state.residuals, "energy": state.energy}
        mine |= {"primal": state.primal, "captured": state.captured_trace, "x": minimum.x, "minimum": minimum.value}
        mine |= {"energy gradient": objective.energy_gradient(start)}
        found |= {f"{eigenvalues} {name}": part for name, part in mine.items()}
    return found


def with_networks(**options):
    X = points(40)
    model = gramian.ParametricDeepKernelPCA(n_rounds=2, max_iter=5, **{"random_state": 0, **options}).fit(X)
    codes = model.transform(points(7, seed=1), level=1)
    found = learned(model, "theta_", "objectives_", "reconstruction_errors_")
    found |= {"codes": codes, "decoded": model.inverse_transform(codes, level=1)}
    found |= {"sampled": model.sample(3, level=1, random_state=0), "traversed": model.traverse(1, 0, [-0.1, 0.1])}
    return found


NETWORKS = {
    "feature_map": Network([(6, "sigmoid"), (4, "identity")], weight_deviation=0.0),
    "preimage_map": Network([(6, "tanh"), (3, "identity")], weight_deviation=0.0),
}
add("deep pca of networks", with_networks)
add("deep pca of given networks", with_networks, **NETWORKS, gamma=0.5, learning_rate=0.03, random_state=3)
add(
    "deep pca of networks, general",
    with_networks,
    **NETWORKS,
    pca=gramian.DeepKernelPCA((2, 2), ["linear", Gaussian(gamma=1.0)], max_iter=5),
)
