# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import gramian
import numpy as np
import pytest
import scipy.linalg
from gramian import _core
from gramian.kernels import Gaussian, Linear, TensorMatern


@pytest.fixture
def X():
    return np.random.default_rng(0).standard_normal((400, 3))


@pytest.mark.parametrize("pivoting", ["random", "greedy", "gain"])
@pytest.mark.parametrize(
    "kernel", [Gaussian(gamma=0.1), 2.0 * Gaussian(gamma=0.05) + Linear(), TensorMatern(s=3, gamma=0.1)]
)
def test_the_factor_is_that_of_the_gram(X, kernel, pivoting):
    low_rank = gramian.incomplete_cholesky(kernel, X, tol=1e-6, pivoting=pivoting, random_state=0)
    K = gramian.gram(kernel, X)
    error = K - low_rank.factor @ low_rank.factor.T
    assert low_rank.stop_reason == "tolerance"
    np.testing.assert_allclose(low_rank.trace, np.trace(K), rtol=1e-12)
    np.testing.assert_allclose(low_rank.residual_trace, np.trace(error), atol=1e-11 * low_rank.trace)
    assert np.abs(error).max() <= low_rank.residual_trace + 1e-11
    np.testing.assert_allclose(error[low_rank.pivots], 0, atol=1e-9)


def test_new_points_get_rows_of_the_same_factor(X):
    kernel = Gaussian(gamma=0.1)
    low_rank = gramian.incomplete_cholesky(kernel, X, rank=40, random_state=0)
    at_pivots = low_rank.factor[low_rank.pivots]
    rows = scipy.linalg.solve_triangular(at_pivots, gramian.gram(kernel, X[low_rank.pivots], X), lower=True).T
    np.testing.assert_allclose(rows, low_rank.factor, atol=1e-6)


def test_rank_seed_and_exhaustion(X):
    kernel = Gaussian(gamma=0.1)
    first, again, other = (gramian.incomplete_cholesky(kernel, X, rank=10, random_state=seed) for seed in (1, 1, 2))
    assert first.factor.shape == (400, 10)
    assert first.stop_reason == "rank"
    np.testing.assert_array_equal(first.factor, again.factor)
    assert list(first.pivots) != list(other.pivots)
    whole = gramian.incomplete_cholesky(Linear(), X, tol=0, random_state=0)
    assert whole.stop_reason == "exhausted"
    assert whole.factor.shape == (400, 3)


def test_the_gain_rule_leaves_less_than_random_pivots():
    X = np.random.default_rng(1).standard_normal((3000, 8))
    left = {
        rule: [
            gramian.incomplete_cholesky(Gaussian(gamma=1 / 16), X, rank=100, pivoting=rule, random_state=s)[3]
            for s in range(5)
        ]
        for rule in ("random", "gain")
    }
    assert max(left["gain"]) < min(left["random"])


def test_the_factor_is_the_callers_own(X):
    full = gramian.incomplete_cholesky(Gaussian(gamma=0.1), X, rank=20, random_state=0)
    short = gramian.incomplete_cholesky(Linear(), X, rank=20, random_state=0)  # it stops at 3 columns of room for 20
    for low_rank, columns in ((full, 20), (short, 3)):
        assert low_rank.factor.shape == (400, columns)
        assert low_rank.factor.flags.c_contiguous and low_rank.factor.flags.writeable
        kept = low_rank.factor.copy()
        part = low_rank.factor[:5]
        del low_rank
        gramian.release_memory()
        np.testing.assert_array_equal(part, kept[:5])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rank": 0}, ValueError, "rank"),
        ({"rank": 401}, ValueError, "rank"),
        ({"rank": 2.5}, TypeError, "rank"),
        ({"tol": -1.0}, ValueError, "tol"),
        ({"pivoting": "best"}, ValueError, "pivoting"),
    ],
)
def test_bad_arguments_are_named(X, arguments, error, message):
    with pytest.raises(error, match=message):
        gramian.incomplete_cholesky(Gaussian(), X, **arguments)
    with pytest.raises(ValueError, match="X contains NaN"):
        gramian.incomplete_cholesky(Gaussian(), np.full((3, 2), np.nan))


def test_a_subset_has_a_method_that_exists(X):
    kernel = Gaussian(gamma=0.1)._lower(3).spec
    for method in _core.gram.SubsetMethod:
        assert len(_core.gram.choose_subset(kernel, X, 7, method, 0)) == 7
    with pytest.raises(TypeError, match="incompatible function arguments"):
        _core.gram.choose_subset(kernel, X, 7, "leverage", 0)


def test_options_of_a_factorization_are_the_engines(X):
    kernel, rules = Gaussian(gamma=0.1)._lower(3).spec, _core.gram.Pivoting
    options = _core.gram.IncompleteCholeskyOptions(max_rank=4, pivoting=rules.greedy)
    assert (options.max_rank, options.pivoting, options.tolerance, options.seed) == (4, rules.greedy, 1e-10, 0)
    found = _core.gram.incomplete_cholesky(kernel, X, options)
    assert found.stop_reason is _core.gram.IncompleteStop.rank
    assert found.factor.shape == (len(X), 4) and found.pivots.dtype == np.int64
    np.testing.assert_allclose(found.trace - found.residual_trace, np.square(found.factor).sum())
    with pytest.raises(TypeError, match="has no option 'rank'"):
        _core.gram.IncompleteCholeskyOptions(rank=4)
    with pytest.raises(TypeError, match="pivoting must be a member of its enumeration, got"):
        _core.gram.IncompleteCholeskyOptions(pivoting="greedy")
