# SPDX-License-Identifier: BSD-3-Clause
"""Kernels, each by every function of the engine that takes one."""

from __future__ import annotations

import gramian
import numpy as np
from gramian.kernels import (
    ArcCosine,
    Cosine,
    Delta,
    Gaussian,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    RationalQuadratic,
    Tanimoto,
    TensorMatern,
)

from cases.data import counts, points
from cases.registry import add, case

WIDTHS = [0.8, 1.3, 2.1]

KERNELS = {
    "linear": Linear(),
    "polynomial": Polynomial(degree=3, gamma=0.2, coef0=1.5),
    "gaussian": Gaussian(gamma=0.3),
    "gaussian by length": Gaussian(length_scale=1.7),
    "laplacian l1": Laplacian(gamma=0.4),
    "laplacian l2": Laplacian(gamma=0.4, norm="l2"),
    "matern 1/2": Matern(nu=0.5, length_scale=1.3),
    "matern 3/2": Matern(nu=1.5, length_scale=1.3),
    "matern 5/2": Matern(nu=2.5, length_scale=1.3),
    "tensor matern 1": TensorMatern(s=1, gamma=0.7),
    "tensor matern 2": TensorMatern(s=2, gamma=0.7),
    "tensor matern 3": TensorMatern(s=3, gamma=0.7),
    "tensor matern 3 as it is": TensorMatern(s=3, gamma=0.7, normalized=False),
    "rational quadratic": RationalQuadratic(alpha=0.8, length_scale=1.4),
    "arc cosine 0": ArcCosine(order=0),
    "arc cosine 1": ArcCosine(order=1),
    "arc cosine 2": ArcCosine(order=2),
    "tanimoto": Tanimoto(),
    "cosine": Cosine(),
    "delta": Delta(),
    "stretched gaussian": Gaussian(length_scale=WIDTHS),
    "stretched gaussian by gamma": Gaussian(gamma=WIDTHS),
    "stretched laplacian l1": Laplacian(gamma=WIDTHS),
    "stretched laplacian l2": Laplacian(gamma=WIDTHS, norm="l2"),
    "stretched matern 1/2": Matern(nu=0.5, length_scale=WIDTHS),
    "stretched matern 3/2": Matern(nu=1.5, length_scale=WIDTHS),
    "stretched matern 5/2": Matern(nu=2.5, length_scale=WIDTHS),
    "stretched tensor matern": TensorMatern(s=2, gamma=WIDTHS),
    "stretched rational quadratic": RationalQuadratic(alpha=0.8, length_scale=WIDTHS),
    "scaled": 2.0 * Gaussian(gamma=0.3),
    "sum": Gaussian(gamma=0.3) + Linear(),
    "product": Gaussian(gamma=0.3) * Polynomial(degree=2),
    "power": Matern(nu=2.5) ** 3,
    "nested": (0.5 * Gaussian(length_scale=2.0) + RationalQuadratic()) * (Linear() + 0.1 * Delta()),
    "nested with a stretched part": (Gaussian(length_scale=WIDTHS) + 0.3 * ArcCosine()) ** 2 + Tanimoto() * Cosine(),
}


def on_points(kernel):
    X, Y, P, Q = points(37), points(21, seed=1), points(37, 2, seed=2), points(21, 2, seed=3)
    along = points(37, seed=4)
    single = [part.astype(np.float32) for part in (X, Y, Q)]
    one, two = gramian.adjoint(kernel, X, Kbar=points(37, 37, seed=5)), gramian.adjoint(kernel, X, P, Q, Y)
    moved = gramian.hessian_vector(kernel, X, P, Q, along, P[::-1], Q[::-1], Y, points(21, seed=6))
    low_rank = gramian.incomplete_cholesky(kernel, X, 3, random_state=0)
    return {
        "gram": gramian.gram(kernel, X),
        "gram of two": gramian.gram(kernel, X, Y),
        "gram in float32": gramian.gram(kernel, *single[:2]),
        "diagonal": gramian.diagonal(kernel, X),
        "product": gramian.product(kernel, X, P),
        "product of two": gramian.product(kernel, X, Q, Y),
        "product in float32": gramian.product(kernel, single[0], single[2], single[1]),
        "adjoint": [one.X, one.parameter_vector],
        "adjoint of two": [two.X, two.Y, two.parameter_vector],
        "hessian_vector": gramian.hessian_vector(kernel, X, P, P, along),
        "hessian_vector of two": moved,
        "incomplete_cholesky": low_rank.factor,
        "pivots": low_rank.pivots,
    }


for name, kernel in KERNELS.items():
    add(f"kernel {name}", on_points, kernel)


@case
def kernels_on_sparse_points():
    X, Y, P = counts(30), counts(14, seed=1), points(30, 2)
    found = {}
    for name in (
        "linear",
        "polynomial",
        "gaussian",
        "matern 3/2",
        "rational quadratic",
        "arc cosine 1",
        "tanimoto",
        "sum",
    ):
        kernel = KERNELS[name]
        found[f"gram {name}"] = gramian.gram(kernel, X, Y)
        found[f"product {name}"] = gramian.product(kernel, X, P)
        found[f"adjoint {name}"] = gramian.adjoint(kernel, X, P, P).parameter_vector
    return found


@case
def kernels_on_inner_products():
    K = gramian.gram(Gaussian(gamma=0.3), points(30))
    found = {}
    for name in ("linear", "polynomial", "gaussian", "matern 5/2", "rational quadratic", "arc cosine 1"):
        seen = gramian.InnerProducts(K)
        found[f"gram {name}"] = gramian.gram(KERNELS[name], seen)
        found[f"product {name}"] = gramian.product(KERNELS[name], seen, points(30, 2, seed=1))
        found[f"adjoint {name}"] = gramian.adjoint(KERNELS[name], seen, Kbar=points(30, 30, seed=2)).X
    return found


@case
def kernels_beyond_one_tile():
    X, V = points(430, 5), points(430, 3, seed=1)
    found = {}
    for name in ("gaussian", "laplacian l1", "polynomial"):
        found[f"product {name}"] = gramian.product(KERNELS[name], X, V)
        found[f"adjoint {name}"] = gramian.adjoint(KERNELS[name], X, V, V).X
    return found


@case
def incomplete_cholesky_of_each_pivoting():
    X, found = points(60), {}
    for pivoting in ("random", "greedy", "gain"):
        low_rank = gramian.incomplete_cholesky(Gaussian(gamma=0.3), X, 12, pivoting=pivoting, random_state=3)
        found |= {f"{pivoting} factor": low_rank.factor, f"{pivoting} pivots": low_rank.pivots}
        found[f"{pivoting} left"] = low_rank.residual_trace
    return found
