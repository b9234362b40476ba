# SPDX-License-Identifier: BSD-3-Clause
"""Points in the line and in the plane, with the cluster that each belongs to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Toy(NamedTuple):
    """Points and their clusters."""

    X: NDArray[np.float64]
    cluster: NDArray[np.intp]


def circles(n: int = 300, noise: float = 0.1, seed: int = 0) -> Toy:
    """Three concentric circles of radius 1, 2 and 3, [KAE] Sec. 5.1."""
    rng = np.random.default_rng(seed)
    cluster = np.arange(n) % 3
    angle = rng.uniform(0, 2 * np.pi, n)
    X = (1 + cluster)[:, None] * np.c_[np.cos(angle), np.sin(angle)] + noise * rng.standard_normal((n, 2))
    return Toy(X, cluster)


def two_heaps(n: int = 100, seed: int = 0) -> Toy:
    """Two Gaussian clusters in the line, at 0 and 2 with standard deviation 0.1, [KAE] App. C.1."""
    rng = np.random.default_rng(seed)
    cluster = np.arange(n) % 2
    return Toy(2.0 * cluster[:, None] + 0.1 * rng.standard_normal((n, 1)), cluster)


def gaussian_clusters(n: int = 200, clusters: int = 2, seed: int = 0) -> Toy:
    """Round Gaussian clusters in the plane, their centres on a circle, [KAE] App. C.1."""
    rng = np.random.default_rng(seed)
    cluster = np.arange(n) % clusters
    angle = 2 * np.pi * cluster / clusters + 0.3
    return Toy(1.5 * np.c_[np.cos(angle), np.sin(angle)] + 0.4 * rng.standard_normal((n, 2)), cluster)


def moons(n: int = 200, noise: float = 0.08, seed: int = 0) -> Toy:
    """Two interleaved half circles, [KAE] App. C.1."""
    rng = np.random.default_rng(seed)
    cluster = np.arange(n) % 2
    angle = rng.uniform(0, np.pi, n)
    upper = np.c_[np.cos(angle), np.sin(angle)]
    lower = np.c_[1 - np.cos(angle), 0.5 - np.sin(angle)]
    return Toy(np.where(cluster[:, None] == 0, upper, lower) + noise * rng.standard_normal((n, 2)), cluster)


def neighbour_accuracy(codes: NDArray[np.float64], cluster: NDArray[np.intp]) -> float:
    """How many points have their nearest neighbour among the codes in their own cluster."""
    distance = ((codes[:, None] - codes) ** 2).sum(-1)
    np.fill_diagonal(distance, np.inf)
    return float(np.mean(cluster[distance.argmin(axis=1)] == cluster))


def between_share(codes: NDArray[np.float64], cluster: NDArray[np.intp]) -> float:
    """The part of the variance of the codes that lies between the clusters."""
    means = np.array([codes[cluster == one].mean(axis=0) for one in np.unique(cluster)])[cluster]
    return float(((means - codes.mean(axis=0)) ** 2).sum() / ((codes - codes.mean(axis=0)) ** 2).sum())
