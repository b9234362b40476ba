# SPDX-License-Identifier: BSD-3-Clause
"""
What cases are computed on.

Uniform numbers, sums and products of these alone: they are the same bits on every processor, which no sine is.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse

# What record.py sets to see what rounding of the data, and so anything like it in between, does to a result.
flip_last_bits = False


def flipped(array):
    """The array, or in a run that says so each number with its last bit turned: equal ones stay equal."""
    if not flip_last_bits:
        return array
    bits = np.ascontiguousarray(array, dtype=np.float64).view(np.int64)
    return np.where(bits == 0, bits, bits ^ 1).view(np.float64)


def points(rows=40, columns=3, seed=0):
    """Points in a cube."""
    return flipped(np.random.default_rng(seed).uniform(-1.0, 1.0, size=(rows, columns)))


def outputs(X):
    """Two smooth-by-parts functions of points of three features, and what a little noise adds."""
    noise = np.random.default_rng(len(X)).uniform(-0.05, 0.05, size=(len(X), 2))
    first = np.abs(X[:, 0] - X[:, 1]) + X[:, 2] * X[:, 0]
    second = X[:, 0] * X[:, 1] - np.abs(X[:, 2])
    return np.stack([first, second], axis=1) + noise


def labels(X, classes=3):
    """The number of a class: half-spaces, a few labels wrong."""
    found = (X[:, 0] + 0.5 * X[:, 1] > -0.3).astype(int)
    if classes == 3:
        found += X[:, 0] - X[:, 2] > 0.4
    found[::11] = 0
    return found


def counts(rows=40, columns=12, seed=0):
    """Sparse counts."""
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 4, size=(rows, columns)) * (rng.random((rows, columns)) < 0.4)
    dense[:, 0] += 1  # no row is empty
    return scipy.sparse.csr_matrix(dense.astype(float))


def weights(rows=40):
    """Weights of samples, of which a few are 0."""
    found = np.random.default_rng(rows).uniform(0.5, 2.0, size=rows)
    found[::9] = 0.0
    return found


def words(count=24, seed=0):
    """Words of a few letters."""
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list("abcde"), size=rng.integers(3, 7))) for _ in range(count)]


def common_pairs(a, b):
    """A kernel of words: how many pairs of neighbouring letters two have in common."""
    return float(len({a[i : i + 2] for i in range(len(a) - 1)} & {b[i : i + 2] for i in range(len(b) - 1)}))
