# SPDX-License-Identifier: BSD-3-Clause
"""Structured outputs of dask arrays, within this process."""

from __future__ import annotations

import pickle

import dask
import dask.array as da
import dask.dataframe as dd
import gramian
import gramian.dask
import numpy as np
import pandas as pd
import pytest
from gramian.kernels import Delta, Gaussian, Laplacian, Linear
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

N, CHUNKS = 203, (40, 63, 1, 99)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 3))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]]) + 0.1 * RNG.normal(size=(N, 2))
WEIGHTS = np.where(np.arange(N) % 7 == 0, 0.0, RNG.random(N) + 0.1)
NEW = RNG.normal(size=(9, 3))


@pytest.fixture(autouse=True)
def in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def rows_of(array, chunks=CHUNKS):
    return da.from_array(array, chunks=((chunks,) if isinstance(chunks, tuple) else (chunks,)) + array.shape[1:])


def regressor(**options):
    given = {"kernel": Gaussian(gamma=0.3), "output_kernel": Laplacian(gamma=0.5), "rank": 25, "random_state": 0}
    return gramian.dask.DependencyRegressor(**{**given, **options})


def in_memory(model, **options):
    """The estimator of gramian with the same parameters, not fitted."""
    params = {name: value for name, value in model.get_params(deep=False).items() if name != "sample_rows"}
    return gramian.DependencyRegressor(**{**params, **options})


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"operator": "covariance", "rank": (30, 10)},
        {"operator": "identity", "pivoting": "greedy"},
        {"kernel": None, "output_kernel": "rbf", "preimage": "gaussian"},
        {"output_kernel": None, "preimage": "linear", "penalty": 1e-4},
        {"penalties": [1e-4, 1e-3, 1e-2, 1.0]},
        {"penalties": [1e-4, 1e-2], "validation": 0.2},
        {"rank": 0.01, "epsilon": 1e-4},
        {"rank": (None, 0.05), "kernel": Linear()},
        {"preimage": "candidates", "candidates": Y[:11]},
    ],
    ids=str,
)
@pytest.mark.parametrize("outputs", [Y, Y[:, 0]], ids=["two outputs", "one output"])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["without weights", "weights"])
def test_of_few_rows_it_is_the_estimator_in_memory(options, outputs, weights):
    if weights is not None and "validation" in options:
        options = {**options, "validation": "loo"}
    if outputs.ndim == 1 and "candidates" in options:
        options = {**options, "candidates": Y[:11, 0]}
    model = regressor(**options).fit(rows_of(X), rows_of(outputs), None if weights is None else rows_of(weights))
    expected, fitted = in_memory(model).fit(X, outputs, weights), model.to_estimator()
    assert sorted(fitted.input_supports_) == sorted(expected.input_supports_)
    assert sorted(fitted.output_supports_) == sorted(expected.output_supports_)
    assert fitted.kernel_ == expected.kernel_ and fitted.penalty_ == expected.penalty_
    scores = expected.scores(NEW, outputs)
    np.testing.assert_allclose(fitted.scores(NEW, outputs), scores, rtol=0, atol=1e-8 * np.abs(scores).max())
    np.testing.assert_allclose(model.predict(rows_of(NEW, 4)).compute(), expected.predict(NEW), rtol=0, atol=1e-8)
    assert model.sample_.tolist() == np.flatnonzero(np.ones(N) if weights is None else weights).tolist()
    np.testing.assert_array_equal(model.X_fit_, X[model.sample_[model.input_supports_]])
    np.testing.assert_array_equal(fitted.weights(NEW).shape, expected.weights(NEW).shape)
    assert fitted.input_residual_ == pytest.approx(expected.input_residual_, abs=1e-10)
    assert fitted.output_residual_ == pytest.approx(expected.output_residual_, abs=1e-10)
    assert set(vars(fitted)) == set(vars(expected))
    for name, value in in_memory(model).get_params(deep=False).items():
        assert getattr(fitted, name) is value


@pytest.mark.parametrize("gamma", [0.05, 0.01])
def test_pivots_that_nearly_depend_on_each_other_cost_no_digits(gamma):
    model = regressor(kernel=Gaussian(gamma=gamma), output_kernel=None, preimage="linear", rank=(150, 2), penalty=1e-6)
    model.fit(rows_of(X), rows_of(Y))
    expected = in_memory(model).fit(X, Y)
    assert len(model.X_fit_) == len(expected.X_fit_)
    assert np.linalg.cond(gramian.gram(model.kernel_, model.X_fit_)) > 1e11
    np.testing.assert_allclose(model.predict(X), expected.predict(X), rtol=0, atol=1e-8)
    # Far from the samples the pivots' own system decides.
    np.testing.assert_allclose(model.predict(NEW), expected.predict(NEW), rtol=0, atol=1e-6)


def naive(model, operator, outputs, weights):
    """Inner products of predictions with outputs, [KDE] (8), for the factors with the columns of a model."""
    k, L = (gramian.gram(*pair) for pair in ((model.kernel_, model.X_fit_), (model.output_kernel_, outputs)))
    U = np.linalg.solve(np.linalg.cholesky(k), gramian.gram(model.kernel_, model.X_fit_, X))
    V = np.linalg.solve(np.linalg.cholesky(L), gramian.gram(model.output_kernel_, outputs, Y))
    u = np.linalg.solve(np.linalg.cholesky(k), gramian.gram(model.kernel_, model.X_fit_, NEW))
    W, n = np.diag(weights), weights.sum()
    A, B, C = U @ W @ U.T, V @ W @ U.T, V @ W @ V.T
    if operator == "identity":
        return u.T @ np.linalg.solve(A + n * model.penalty_ * np.eye(len(A)), B.T) @ V
    if operator == "conditional":
        C = C - B @ np.linalg.solve(A + n * model.epsilon * np.eye(len(A)), B.T)
    # G with C G A + n lambda G = C B, [KDE] (15)
    rank = len(A) * len(C)
    system = np.kron(C, A) + n * model.penalty_ * np.eye(rank)
    return u.T @ np.linalg.solve(system, (C @ B).ravel()).reshape(len(C), len(A)).T @ V


@pytest.mark.parametrize("operator", ["conditional", "covariance", "identity"])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["without weights", "weights"])
def test_of_more_rows_it_is_the_formula_for_all_of_them(operator, weights):
    model = regressor(operator=operator, rank=(12, 8), sample_rows=60)
    model.fit(rows_of(X), rows_of(Y), None if weights is None else rows_of(weights))
    fitted, counted = model.to_estimator(), np.ones(N) if weights is None else weights
    assert len(model.Y_fit_) == len(model.sample_) <= 60 and (counted[model.sample_] > 0).all()
    np.testing.assert_array_equal(model.Y_fit_, Y[model.sample_])
    expected = naive(model, operator, model.Y_fit_[model.output_supports_], counted)
    own = np.array([gramian.gram(model.output_kernel_, y[None], y[None])[0, 0] for y in Y])
    np.testing.assert_allclose(fitted.scores(NEW, Y), 2 * expected - own, rtol=0, atol=1e-8)
    found = model.predict(rows_of(NEW, 4)).compute()
    assert all((model.Y_fit_ == y).all(axis=1).any() for y in found)  # the nearest output of the sample


def test_ranks_and_samples():
    model = regressor(rank="auto", output_kernel=None, kernel=Laplacian(gamma=0.5), sample_rows=10)
    assert len(model.fit(rows_of(X), rows_of(Y)).X_fit_) == 143 == len(model.sample_)  # 10 sqrt(203)
    many, outputs = rows_of(RNG.normal(size=(4000, 2)), 1000), rows_of(RNG.normal(size=4000), 1000)
    drawn = [regressor(rank=5, sample_rows=400, random_state=seed).fit(many, outputs).sample_ for seed in (0, 0, 1)]
    assert drawn[0].tolist() == drawn[1].tolist() != drawn[2].tolist()
    assert len(drawn[0]) == 400 and (np.abs(np.bincount(drawn[0] // 1000) - 100) < 30).all()


def test_kernels_that_are_zero_predict_nothing():
    model = regressor(kernel=Linear()).fit(rows_of(0 * X), rows_of(Y))
    expected = in_memory(model).fit(0 * X, Y)
    np.testing.assert_array_equal(model.predict(NEW), expected.predict(NEW))


def test_predictions_are_lazy_and_have_the_blocks_of_the_samples():
    model = regressor(output_kernel=None, preimage="linear").fit(rows_of(X), rows_of(Y))
    found = model.predict(rows_of(X))
    assert found.chunks == (CHUNKS, (2,)) and found.dtype == np.float64
    starts = np.cumsum((0, *CHUNKS))
    blocks = [X[first:last] for first, last in zip(starts[:-1], starts[1:], strict=True)]
    np.testing.assert_array_equal(found.compute(), np.vstack([model.predict(block) for block in blocks]))
    np.testing.assert_allclose(model.predict(X), found.compute(), rtol=0, atol=1e-14)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["without weights", "weights"])
@pytest.mark.parametrize("outputs", [Y, Y[:, 0], np.sign(Y[:, 0])], ids=["two outputs", "one output", "labels"])
def test_scores_are_those_of_samples_in_memory(outputs, weights):
    kernel = Delta() if set(outputs.ravel()) == {-1.0, 1.0} else Laplacian(gamma=0.5)
    model = regressor(output_kernel=kernel).fit(rows_of(X), rows_of(outputs))
    expected = model.to_estimator().score(X, outputs, weights)
    given = None if weights is None else rows_of(weights)
    assert model.score(rows_of(X), rows_of(outputs), given) == pytest.approx(expected, rel=1e-10)
    assert model.score(X, outputs, weights) == expected


def test_dataframes_files_and_pickles(tmp_path):
    frame, outputs = pd.DataFrame(X, columns=["a", "b", "c"]), pd.DataFrame(Y)
    frames = dd.from_pandas(frame, npartitions=3), dd.from_pandas(outputs, npartitions=2)
    model = regressor().fit(*frames)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    expected = model.predict(frames[0]).compute()
    model.save(tmp_path / "model")
    loaded = gramian.load(tmp_path / "model")
    assert type(loaded) is gramian.DependencyRegressor
    np.testing.assert_array_equal(loaded.predict(frame), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(frame), expected)
    assert clone(model).get_params().keys() == model.get_params().keys() and not hasattr(clone(model), "X_fit_")
    empty = dd.concat([frames[0][frames[0].a > 100], frames[0]])  # its first partitions have no rows
    np.testing.assert_allclose(regressor().fit(empty, frames[1]).predict(frame), expected, rtol=0, atol=1e-8)


def test_schedulers_give_the_same_bits():
    bits = []
    for scheduler in ("synchronous", "threads"):
        with dask.config.set(scheduler=scheduler):
            bits.append(regressor(sample_rows=50).fit(rows_of(X), rows_of(Y)).to_estimator().scores(NEW))
    np.testing.assert_array_equal(*bits)


BROKEN = np.where(np.arange(N)[:, None] == 50, np.nan, X)
SEQUENCES = ["a", "b", "ab"]
REFUSED = [
    ("Partition 1: .*X", lambda: regressor().fit(rows_of(BROKEN), rows_of(Y))),
    ("Partition 1: .*X", lambda: regressor(rank=2, sample_rows=2).fit(rows_of(BROKEN), rows_of(Y))),
    ("Partition 1: .*y", lambda: regressor(rank=2, sample_rows=2).fit(rows_of(X), rows_of(BROKEN))),
    ("sample_weight", lambda: regressor().fit(rows_of(X), rows_of(Y), rows_of(-WEIGHTS))),
    ("non-zero", lambda: regressor().fit(rows_of(X), rows_of(Y), rows_of(0 * WEIGHTS))),
    ("'penalty' parameter", lambda: regressor(penalty=0.0).fit(rows_of(X), rows_of(Y))),
    ("'sample_rows' parameter", lambda: regressor(sample_rows=0).fit(rows_of(X), rows_of(Y))),
    ("'rank' parameter", lambda: regressor(rank=0).fit(rows_of(X), rows_of(Y))),
    ("'rank' parameter .* use rank='auto'", lambda: regressor(rank=None).fit(rows_of(X), rows_of(Y))),
    ("'kernel' parameter .*in memory", lambda: regressor(kernel="precomputed").fit(rows_of(X), rows_of(Y))),
    ("'output_kernel' parameter .*in memory", lambda: regressor(output_kernel=np.vdot).fit(rows_of(X), rows_of(Y))),
    ("'operator' parameter .*in memory", lambda: regressor(operator=3).fit(rows_of(X), rows_of(Y))),
    ("no sequences: .*in memory", lambda: regressor(preimage="sequence").fit(rows_of(X), rows_of(Y))),
    ("'preimage' parameter", lambda: regressor(preimage="last").fit(rows_of(X), rows_of(Y))),
    ("must be a dask array", lambda: regressor().fit(X, rows_of(Y))),
]


@pytest.mark.parametrize(("message", "refused"), REFUSED, ids=[message for message, _ in REFUSED])
def test_what_is_refused(message, refused):
    with pytest.raises((TypeError, ValueError), match=message):
        refused()


def test_the_advice_is_followed():
    regressor(rank="auto").fit(rows_of(X), rows_of(Y))
    gramian.DependencyRegressor("precomputed", np.vdot).fit(X @ X.T, list(Y))
    gramian.DependencyRegressor(operator=gramian.operators.Separable(Gaussian(), np.eye(2))).fit(X, Y)
    gramian.DependencyRegressor(preimage="sequence").fit(X[:3], SEQUENCES)
    with pytest.raises(NotFittedError):
        regressor().predict(rows_of(X))


def test_a_sample_of_rows_that_do_not_count_says_what_helps():
    few = (np.arange(N) >= N - 2).astype(float)
    given = rows_of(X), rows_of(Y), rows_of(few)
    with pytest.raises(
        ValueError, match="rows of the sample have the sample_weight 0: raise sample_rows, or leave out"
    ):
        regressor(rank=2, sample_rows=2).fit(*given)
    raised = regressor(rank=2, sample_rows=N).fit(*given)
    left = regressor(rank=2, sample_rows=2).fit(*(array[-2:] for array in given))
    np.testing.assert_allclose(raised.predict(NEW), left.predict(NEW), rtol=0, atol=1e-10)


def test_a_system_that_does_not_fit_is_refused_before_it_is_summed_up():
    gramian.set_memory_limit(12 * 8 * 100**2 - 1)
    with pytest.raises(MemoryError, match="the normal system.*use a lower rank"):
        regressor(rank=100).fit(rows_of(X), rows_of(Y))
    gramian.set_memory_limit(None)
    regressor(rank=10).fit(rows_of(X), rows_of(Y))
