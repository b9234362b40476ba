# SPDX-License-Identifier: BSD-3-Clause
"""Kernels to test with: every class, with every engine kernel that it leads to."""

from __future__ import annotations

from gramian.kernels import (
    ArcCosine,
    Cosine,
    Delta,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    RationalQuadratic,
    Tanimoto,
    TensorMatern,
)

LEAVES: list[Kernel] = [
    Linear(),
    Polynomial(degree=3, gamma=0.2, coef0=1.5),
    Polynomial(degree=1, coef0=0),
    Gaussian(gamma=0.3),
    Gaussian(length_scale=1.7),
    Gaussian(),
    Laplacian(gamma=0.4),
    Laplacian(gamma=0.4, norm="l2"),
    Matern(nu=0.5, length_scale=1.3),
    Matern(nu=1.5, length_scale=1.3),
    Matern(nu=2.5, length_scale=1.3),
    TensorMatern(s=1, gamma=0.7),
    TensorMatern(s=2, gamma=0.7),
    TensorMatern(s=3, gamma=0.7),
    TensorMatern(s=3, gamma=0.7, normalized=False),
    RationalQuadratic(alpha=0.8, length_scale=1.4),
    ArcCosine(order=0),
    ArcCosine(order=1),
    ArcCosine(order=2),
    Tanimoto(),
    Cosine(),
    Delta(),
]

WIDTHS = [0.8, 1.3, 2.1]  # one for each of three features
ANISOTROPIC: list[Kernel] = [
    Gaussian(length_scale=WIDTHS),
    Gaussian(gamma=WIDTHS),
    Laplacian(gamma=WIDTHS),
    Laplacian(gamma=WIDTHS, norm="l2"),
    Matern(nu=0.5, length_scale=WIDTHS),
    Matern(nu=1.5, length_scale=WIDTHS),
    Matern(nu=2.5, length_scale=WIDTHS),
    TensorMatern(s=2, gamma=WIDTHS),
    TensorMatern(s=3, gamma=WIDTHS, normalized=False),
    RationalQuadratic(alpha=0.8, length_scale=WIDTHS),
]

COMPOSITES: list[Kernel] = [
    2.0 * Gaussian(gamma=0.3),
    Gaussian(gamma=0.3) + Linear(),
    Gaussian(gamma=0.3) * Polynomial(degree=2),
    Matern(nu=2.5) ** 3,
    (0.5 * Gaussian(length_scale=2.0) + RationalQuadratic()) * (Linear() + 0.1 * Delta()),
    (Gaussian() + 0.3 * ArcCosine()) ** 2 + Tanimoto() * (Cosine() + Laplacian(norm="l2")),
]
