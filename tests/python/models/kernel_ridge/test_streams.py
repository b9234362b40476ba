# SPDX-License-Identifier: BSD-3-Clause
"""KernelRidge on samples that arrive one after the other, or are read a block at a time."""

from __future__ import annotations

import copy
import pickle

import gramian
import numpy as np
import pytest
from gramian import KernelRidge
from gramian.kernels import Laplacian
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

RNG = np.random.default_rng(0)
N = 3000
X, NEW = RNG.normal(size=(N, 3)), RNG.normal(size=(20, 3))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]])
K = Laplacian(gamma=0.5)
WEIGHTS = np.where(np.arange(N) % 10 == 0, 0.0, RNG.random(N) + 0.1)
FIRST = 200


def added(steps, y=Y, weights=None, **options):
    """A model of all samples, in steps; its landmarks are among the first 200."""
    model = KernelRidge(**{"kernel": K, "alpha": 0.2, "landmarks": 50, "random_state": 0, **options})
    for first, last in zip([0, *steps], [*steps, N], strict=True):
        model.partial_fit(X[first:last], y[first:last], None if weights is None else weights[first:last])
    return model


@pytest.mark.parametrize("y", [Y, Y[:, 0]], ids=["two targets", "a vector"])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_steps_have_the_answers_of_a_fit(y, weights):
    model = added([FIRST, 1000, 1002], y, weights)
    whole = KernelRidge(kernel=K, alpha=0.2, landmarks=model.landmarks_).fit(X, y, weights)
    np.testing.assert_array_equal(model.X_fit_, whole.X_fit_)
    np.testing.assert_array_equal(model.dual_coef_, whole.dual_coef_)
    np.testing.assert_array_equal(model.predict(NEW), whole.predict(NEW))
    assert model.objective_ == pytest.approx(whole.objective_, rel=1e-12)


def test_the_steps_do_not_matter():
    one, other = added([FIRST, 1500]), added([FIRST, 201, 777, 2999])
    np.testing.assert_array_equal(one.dual_coef_, other.dual_coef_)


def test_pickles_continue_and_files_do_not(tmp_path):
    half = KernelRidge(kernel=K, alpha=0.2, landmarks=50, random_state=0).partial_fit(X[:1500], Y[:1500])
    for twin in (pickle.loads(pickle.dumps(half)), copy.deepcopy(half)):
        twin.partial_fit(X[1500:], Y[1500:])
        np.testing.assert_array_equal(
            twin.dual_coef_, clone(half).partial_fit(X[:1500], Y[:1500]).partial_fit(X[1500:], Y[1500:]).dual_coef_
        )
    half.save(tmp_path / "half.gramian")
    loaded = gramian.load(tmp_path / "half.gramian")
    np.testing.assert_array_equal(loaded.predict(NEW), half.predict(NEW))
    with pytest.raises(ValueError, match="use sklearn.base.clone of it"):
        loaded.partial_fit(X, Y)
    clone(loaded).partial_fit(X, Y)


def test_a_fit_is_forgotten():
    options = {"kernel": K, "landmarks": 50, "random_state": 0}
    fitted, plain = KernelRidge(**options).fit(X[:99], Y[:99]), KernelRidge(**options)
    np.testing.assert_array_equal(fitted.partial_fit(X, Y).dual_coef_, plain.partial_fit(X, Y).dual_coef_)


def test_a_step_that_fails_changes_nothing():
    model = added([FIRST])
    before = model.dual_coef_.copy()
    bad = X[:5000].copy()
    bad[2500, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit(bad, Y)
    np.testing.assert_array_equal(model.dual_coef_, before)
    again = copy.deepcopy(model).partial_fit(X, Y)
    np.testing.assert_array_equal(again.dual_coef_, model.partial_fit(X, Y).dual_coef_)


def test_what_does_not_fit_is_refused():
    model = added([FIRST])
    with pytest.raises(ValueError, match="X has 2 features"):
        model.partial_fit(X[:, :2], Y)
    with pytest.raises(ValueError, match="targets of the first call"):
        model.partial_fit(X, Y[:, 0])
    for options in ({"kernel": "chi2"}, {"solver": "cg"}, {"alphas": [1.0]}, {"kernel": "precomputed"}):
        assert not hasattr(KernelRidge(**options), "partial_fit")
    with pytest.raises(NotFittedError):
        KernelRidge(kernel=K).predict(NEW)


@pytest.fixture
def mapped(tmp_path):
    """The samples as a memory map of whole numbers, and the same numbers in memory."""
    numbers = (100 * X).astype(np.int16)
    path = tmp_path / "samples.npy"
    np.save(path, numbers)
    return np.load(path, mmap_mode="r"), numbers.astype(np.float64)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kernel", [Laplacian(gamma=0.01), "rbf"], ids=str)
def test_rows_that_are_read_give_the_same_bits(mapped, dtype, kernel):
    source, numbers = mapped
    model = KernelRidge(kernel=kernel, gamma=1e-5, landmarks=80, random_state=0, dtype=dtype, tol=1e-4, max_iter=50)
    read, stored = (clone(model).fit(samples, Y) for samples in (source, numbers))
    np.testing.assert_array_equal(read.dual_coef_, stored.dual_coef_)
    np.testing.assert_array_equal(read.predict(source[:30]), stored.predict(numbers[:30]))
    assert read.n_features_in_ == 3
    parts = KernelRidge(kernel=Laplacian(gamma=0.01), landmarks=30, random_state=0)
    np.testing.assert_array_equal(
        clone(parts).partial_fit(source, Y).dual_coef_, clone(parts).partial_fit(numbers, Y).dual_coef_
    )


def test_exact_solvers_take_them_too(mapped):
    source, numbers = mapped
    few = slice(0, 300)
    for solver in ("auto", "cholesky", "cg"):
        model = KernelRidge(kernel=Laplacian(gamma=0.01), solver=solver)
        read, stored = (clone(model).fit(samples[few], Y[few]) for samples in (source, numbers))
        np.testing.assert_array_equal(read.dual_coef_, stored.dual_coef_)


def test_a_file_of_samples_is_a_source(mapped, tmp_path):
    model = KernelRidge(kernel=Laplacian(gamma=0.01), landmarks=30, random_state=0)
    read = clone(model).fit(tmp_path / "samples.npy", Y)
    np.testing.assert_array_equal(read.dual_coef_, model.fit(mapped[1], Y).dual_coef_)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(tmp_path / "samples.npy", Y[:10])
