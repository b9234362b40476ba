# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian import _core
from scipy.special import ndtri

SEEDS = [(0, 0), (1, 0), (0, 1), (12345, 678), (2**64 - 1, 2**63)]


def philox(seed: int, stream: int, count: int) -> np.ndarray:
    """The same stream from NumPy, which counts up before it draws."""
    before_zero = np.full(4, 2**64 - 1, dtype=np.uint64)
    key = np.array([seed, stream], dtype=np.uint64)
    return np.random.Philox(counter=before_zero, key=key).random_raw(count)


@pytest.mark.parametrize(("seed", "stream"), SEEDS)
def test_bits_are_those_of_numpys_philox(seed, stream):
    np.testing.assert_array_equal(_core.random.bits(seed, stream, 7, 13).ravel(), philox(seed, stream, 91))


@pytest.mark.parametrize(("seed", "stream"), SEEDS)
def test_uniforms_are_the_upper_53_bits(seed, stream):
    expected = (philox(seed, stream, 91) >> np.uint64(11)) * 2.0**-53
    np.testing.assert_array_equal(_core.random.uniform(seed, stream, 7, 13).ravel(), expected)


@pytest.mark.parametrize(("seed", "stream"), SEEDS)
def test_normals_are_scipys_quantiles(seed, stream):
    middle = ((philox(seed, stream, 20_000) >> np.uint64(12)) + 0.5) * 2.0**-52
    normals = _core.random.normal(seed, stream, 2000, 10).ravel()
    np.testing.assert_allclose(normals, ndtri(middle), rtol=2e-14, atol=1e-16)


def test_normals_have_the_moments():
    normals = _core.random.normal(7, 0, 1000, 1000)
    for power, moment, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        assert abs((normals**power).mean() - moment) < 5 * (variance / normals.size) ** 0.5


def test_threads_and_shapes_do_not_change_the_numbers():
    expected = _core.random.normal(3, 4, 1000, 300)
    for threads in (1, 2, 7):
        gramian.set_num_threads(threads)
        np.testing.assert_array_equal(_core.random.normal(3, 4, 1000, 300), expected)
    np.testing.assert_array_equal(_core.random.normal(3, 4, 300, 1000).ravel(), expected.ravel())


@pytest.mark.parametrize("size", [1, 2, 1000])
def test_permutations_are_permutations(size):
    order = _core.random.permutation(5, 0, size)
    np.testing.assert_array_equal(np.sort(order[0]), np.arange(size))
    np.testing.assert_array_equal(order, _core.random.permutation(5, 0, size))


def test_sizes_are_checked():
    with pytest.raises(ValueError):
        _core.random.normal(0, 0, -1, 2)
    for rows, cols in ((10**7, 10**7), (2**62, 2**62)):
        with pytest.raises(MemoryError):
            _core.random.normal(0, 0, rows, cols)
