# SPDX-License-Identifier: BSD-3-Clause
"""Points that nearly coincide, and points that are nearly zero: the errors that docs/kernels.md states."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian.kernels import Cosine, Gaussian, Laplacian, Matern, Tanimoto

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 3))
DISTANCES = [0.0, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-3]


def of_neighbours(kernel, distance):
    """Values of pairs that are so far apart, in a batch with others, and their true distances."""
    others = X + distance * RNG.normal(size=X.shape)
    return np.diag(gramian.gram(kernel, X, others)), np.linalg.norm(X - others, axis=1)


@pytest.mark.parametrize("distance", DISTANCES)
def test_kernels_with_a_kink(distance):
    for kernel in (Matern(nu=0.5), Laplacian(norm="l2")):
        found, apart = of_neighbours(kernel, distance)
        assert np.abs(found - np.exp(-apart)).max() <= (1e-6 if distance else 0)


@pytest.mark.parametrize("distance", DISTANCES)
def test_smooth_kernels(distance):
    found, apart = of_neighbours(Gaussian(gamma=0.5), distance)
    assert np.abs(found - np.exp(-0.5 * apart**2)).max() <= 1e-14
    found, apart = of_neighbours(Matern(nu=1.5), distance)
    assert np.abs(found - (1 + np.sqrt(3) * apart) * np.exp(-np.sqrt(3) * apart)).max() <= 1e-12


@pytest.mark.parametrize("kernel", [Cosine(), Tanimoto()])
def test_kernels_of_directions(kernel):
    rows = np.abs(X[:20])
    expected = gramian.gram(kernel, rows)
    for scale in (1e-147, 1e-50, 1e50, 1e140):
        assert np.abs(gramian.gram(kernel, rows * scale) - expected).max() <= 1e-14
    assert np.abs(gramian.gram(kernel, rows * 1e-160) - expected).max() <= 1e-2
