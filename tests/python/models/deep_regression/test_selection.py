# SPDX-License-Identifier: BSD-3-Clause
"""Penalties of a concatenated regression by cross-validation: the table, its folds, and jobs."""

from __future__ import annotations

from contextlib import contextmanager

import joblib
import numpy as np
import pytest
from distributed import Client
from gramian import DeepKernelRegressor
from gramian.kernels import Gaussian, Linear
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneGroupOut,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
)

KERNELS = [Linear(), Gaussian(gamma=1.0)]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(60, 2))
    return X, np.sin(3 * X[:, 0]) + 0.3 * rng.normal(size=60)


def model(**options):
    grids = {"alphas": [1e-4, 1e-1, 10.0], "inner_alphas": [1e-3, 1e-1], "n_init": 4, "tol": 1e-3, "random_state": 0}
    return DeepKernelRegressor(KERNELS, **{**grids, **options})


def test_the_pair_with_the_smallest_loss_is_taken(data):
    fitted = model().fit(*data)
    table = fitted.cv_results_
    assert list(dict.fromkeys(table["param_alpha"])) == [1e-4, 1e-1, 10.0] and len(table["params"]) == 6
    best = table["params"][table["mean_test_score"].argmax()]
    assert (fitted.alpha_, fitted.inner_alpha_.tolist()) == (best["alpha"], [best["inner_alpha"]])
    assert table["rank_test_score"][table["mean_test_score"].argmax()] == 1
    splits = [table[f"split{k}_test_score"] for k in range(5)]
    np.testing.assert_allclose(np.mean(splits, axis=0), table["mean_test_score"], rtol=1e-12)
    np.testing.assert_allclose(np.std(splits, axis=0), table["std_test_score"], rtol=1e-9)
    given = model(alpha=fitted.alpha_, inner_alpha=fitted.inner_alpha_[0]).fit(*data)
    assert given.predict(data[0]).tobytes() == fitted.predict(data[0]).tobytes()


def test_losses_are_those_of_fits_without_the_fold(data):
    X, y = data
    cv = KFold(4)
    fitted = model(cv=cv, inner_alpha=1e-2, alphas=[1e-1, 1.0]).fit(X, y)
    for k, candidate in enumerate(fitted.cv_results_["params"]):
        single = DeepKernelRegressor(KERNELS, alpha=candidate["alpha"], inner_alpha=1e-2, n_init=4, random_state=0)
        scores = cross_val_score(single, X, y, cv=cv, scoring="neg_mean_squared_error")
        assert fitted.cv_results_["mean_test_score"][k] == pytest.approx(scores.mean(), rel=1e-3)
        ours = [fitted.cv_results_[f"split{split}_test_score"][k] for split in range(4)]
        np.testing.assert_allclose(ours, scores, rtol=1e-2)


def test_what_is_given_is_not_chosen(data):
    fitted = model(alpha=0.5).fit(*data)
    assert fitted.alpha_ == 0.5 and len(fitted.cv_results_["params"]) == 2
    assert model(alpha=0.5, inner_alpha=[0.2]).fit(*data).cv_results_ is None


@contextmanager
def jobs_on(backend):
    """Two jobs at once; those of dask on threads of a cluster within this process."""
    if backend != "dask":
        with joblib.parallel_config(backend, n_jobs=2):
            yield
        return
    options = {"processes": False, "n_workers": 1, "threads_per_worker": 2, "dashboard_address": None}
    with Client(**options), joblib.parallel_config("dask"):
        yield


@pytest.mark.parametrize("backend", ["loky", "threading", "dask"])
def test_jobs_of_joblib_have_the_same_bits(backend, data):
    alone, again = model().fit(*data), model(n_jobs=2, cv=KFold(3)).fit(*data)
    with jobs_on(backend):
        jobs = model(n_jobs=2).fit(*data)
        split = model(n_jobs=2, cv=KFold(3)).fit(*data)
    np.testing.assert_allclose(jobs.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"], rtol=1e-13)
    assert jobs.predict(data[0]).tobytes() == alone.predict(data[0]).tobytes()
    assert split.cv_results_["mean_test_score"].tobytes() == again.cv_results_["mean_test_score"].tobytes()


@pytest.mark.parametrize("backend", ["loky", "threading", "dask"])
def test_searches_of_scikit_learn_run_on_joblibs_backends(backend, data):
    given = model(inner_alpha=0.1, n_init=1, alpha=0.1)
    search = GridSearchCV(given, {"alpha": [0.01, 1.0]}, cv=3, n_jobs=2)
    alone = GridSearchCV(given, {"alpha": [0.01, 1.0]}, cv=3).fit(*data)
    with jobs_on(backend):
        search.fit(*data)
    assert search.cv_results_["mean_test_score"].tobytes() == alone.cv_results_["mean_test_score"].tobytes()


def test_any_splitter_and_weights(data):
    X, y = data
    weights = np.random.default_rng(1).integers(0, 3, size=60)
    for cv in (ShuffleSplit(3, train_size=20, test_size=10, random_state=0), TimeSeriesSplit(3)):
        for options in ({}, {"landmarks": 15}, {"landmarks": np.arange(0, 60, 2)}):
            kept = np.ones(60) if "landmarks" in options else weights
            assert np.isfinite(model(cv=cv, **options).fit(X, y, kept).cv_results_["mean_test_score"]).all()
    groups = np.repeat([0, 1, 2], 20)
    splits = list(LeaveOneGroupOut().split(X, groups=groups))
    first = model(cv=splits).fit(X, y, weights)
    rows = np.repeat(np.arange(60), weights)
    second = model(cv=list(LeaveOneGroupOut().split(X[rows], groups=groups[rows]))).fit(X[rows], y[rows])
    assert first.cv_results_["mean_test_score"].tobytes() == second.cv_results_["mean_test_score"].tobytes()
    with pytest.raises(ValueError, match="a split without samples of sample_weight above 0"):
        model(cv=splits).fit(X, y, (groups > 0).astype(float))


def test_a_choice_is_made_on_a_part_of_many_samples():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(1200, 3))
    y = np.sin(5 * X[:, 0])
    options = {"landmarks": 30, "n_init": 1, "alphas": [1e-2, 1e3], "inner_alpha": 1e-2, "random_state": 0}
    fitted = model(**options).fit(X, y)
    assert fitted.alpha_ == 1e-2 and len(fitted.supports_[0]) == 30
    whole = model(**options, cv=KFold(5, shuffle=True, random_state=0)).fit(X, y)
    assert fitted.cv_results_["mean_test_score"].tolist() != whole.cv_results_["mean_test_score"].tolist()
    np.testing.assert_allclose(fitted.cv_results_["mean_test_score"][1], -0.5, atol=0.2)
