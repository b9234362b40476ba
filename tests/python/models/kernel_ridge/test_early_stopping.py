# SPDX-License-Identifier: BSD-3-Clause
"""KernelRidge that stops where the score of held-out samples no longer rises."""

from __future__ import annotations

import warnings

import gramian
import numpy as np
import pytest
from gramian import KernelRidge
from gramian.kernels import Gaussian, Laplacian
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import r2_score

RNG = np.random.default_rng(0)
N = 2600
X = RNG.normal(size=(N, 2))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1]]) + 0.3 * RNG.normal(size=(N, 2))
NEW = RNG.normal(size=(20, 2))
OPTIONS = {"kernel": Laplacian(gamma=0.5), "solver": "cg", "alpha": 1e-3, "random_state": 3, "validation_fraction": 0.1}


def fitted(targets=Y, weights=None, **options):
    return KernelRidge(**{**OPTIONS, "early_stopping": True, **options}).fit(X, targets, weights)


@pytest.fixture(scope="module")
def model():
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        return fitted()


def test_it_stops_early_and_says_so(model):
    assert model.stop_reason_ == "validation" and not model.converged_ and model.residual_ > 1e-10
    full = KernelRidge(**OPTIONS).fit(model.X_fit_, rows_of(Y, model))
    assert full.converged_ and model.n_iter_ < full.n_iter_ / 2


def rows_of(targets, model, held=False):
    """The targets of the samples that were trained on, or of the others."""
    place = {tuple(row): index for index, row in enumerate(X)}
    rows = [place[tuple(row)] for row in model.X_fit_]
    return targets[np.setdiff1d(np.arange(N), rows)] if held else targets[rows]


def others(model):
    place = {tuple(row) for row in model.X_fit_}
    return X[[tuple(row) not in place for row in X]]


def test_scores_are_those_of_the_iterates(model):
    scores = model.history_["validation_score"]
    assert len(scores) == len(model.history_["value"]) == model.n_iter_ + 1
    scored = np.flatnonzero(np.isfinite(scores))
    assert np.all((scored % 5 == 0) | (scored == model.n_iter_))
    best = int(np.nanargmax(scores))
    assert model.best_validation_score_ == scores[best]
    held, targets = others(model), rows_of(Y, model, held=True)
    assert len(held) == np.ceil(0.1 * N)
    assert r2_score(targets, model.predict(held)) == pytest.approx(model.best_validation_score_, abs=1e-9)
    with pytest.warns(ConvergenceWarning):
        loop = KernelRidge(**{**OPTIONS, "max_iter": best}).fit(model.X_fit_, rows_of(Y, model))
    np.testing.assert_array_equal(model.dual_coef_, loop.dual_coef_)
    np.testing.assert_array_equal(model.predict(NEW), loop.predict(NEW))
    assert model.residual_ == pytest.approx(loop.residual_, rel=1e-9)
    assert model.objective_ == pytest.approx(loop.objective_, rel=1e-12)


def test_the_split_is_drawn_from_random_state(model):
    np.testing.assert_array_equal(fitted().dual_coef_, model.dual_coef_)
    assert not np.array_equal(fitted(random_state=4).X_fit_, model.X_fit_)


@pytest.mark.parametrize("patience", [1, 20])
def test_n_iter_no_change_is_the_patience(patience):
    found = fitted(n_iter_no_change=patience)
    scores = found.history_["validation_score"]
    gains = [0]
    best = scores[0]
    for number in np.flatnonzero(np.isfinite(scores))[1:]:
        if scores[number] >= best + 1e-4:
            gains.append(int(number))
        best = max(best, scores[number])
    assert found.n_iter_ - gains[-1] >= patience and found.stop_reason_ == "validation"
    assert found.n_iter_ - gains[-1] < patience + 5


def test_what_converges_before_has_converged():
    found = fitted(Y[:, 0], alpha=100.0)
    assert found.stop_reason_ == "tol" and found.dual_coef_.shape == found.X_fit_.shape[:1]
    assert found.converged_ == (found.residual_ <= 1e-10)


def test_weights_count_in_both_parts(model):
    weights = RNG.random(N) + 0.1
    found = fitted(weights=weights)
    held = r2_score(
        rows_of(Y, found, held=True), found.predict(others(found)), sample_weight=rows_of(weights, found, True)
    )
    assert held == pytest.approx(found.best_validation_score_, abs=1e-9)


def test_sparse_samples_and_float32(model):
    from scipy.sparse import csr_matrix

    options = {**OPTIONS, "kernel": Gaussian(gamma=2.0), "early_stopping": True}
    dense, sparse = (KernelRidge(**options).fit(samples, Y) for samples in (X, csr_matrix(X)))
    np.testing.assert_allclose(sparse.predict(csr_matrix(NEW)), dense.predict(NEW), rtol=0, atol=1e-6)
    narrow = fitted(dtype="float32")
    assert narrow.best_validation_score_ == pytest.approx(model.best_validation_score_, abs=1e-2)


def test_a_callback_and_the_clock_may_end_it_too():
    found = fitted(callback=lambda iteration: iteration.number == 2)
    assert found.stop_reason_ == "callback" and found.n_iter_ == 2 and not found.converged_
    with pytest.warns(ConvergenceWarning, match="max_time"):
        assert fitted(max_time=1e-9).stop_reason_ == "max_time"


def test_without_it_nothing_is_held_out():
    plain = KernelRidge(kernel=Laplacian(gamma=2.0)).fit(X[:50], Y[:50])
    assert len(plain.X_fit_) == 50 and plain.best_validation_score_ is None
    assert "validation_score" not in plain.history_


def test_it_is_kept_in_files(model, tmp_path):
    model.save(tmp_path / "model.gramian")
    back = gramian.load(tmp_path / "model.gramian")
    assert back.stop_reason_ == "validation" and back.early_stopping
    assert back.best_validation_score_ == model.best_validation_score_
    np.testing.assert_array_equal(back.history_["validation_score"], model.history_["validation_score"])
    np.testing.assert_array_equal(back.predict(NEW), model.predict(NEW))


def small(**options):
    return KernelRidge(**{"kernel": Laplacian(gamma=2.0), "early_stopping": True, **options}).fit(X[:60], Y[:60])


REFUSED = {
    "solver": ({}, "set solver='cg', or early_stopping=False", {"solver": "cg"}),
    "start": (
        {"solver": "cg", "warm_start": True},
        "set warm_start=False, or early_stopping=False",
        {"warm_start": False},
    ),
    "kernel": (
        {"solver": "cg", "kernel": lambda a, b: float(np.exp(-((a - b) ** 2).sum()))},
        "needs samples that are vectors",
        {"kernel": Laplacian(gamma=2.0)},
    ),
    "alphas": ({"solver": "cg", "alpha": [1.0, 2.0]}, "needs one alpha for all targets", {"alpha": 1.0}),
    "checkpoint": ({"solver": "cg", "checkpoint": "fit"}, "set checkpoint=None", {"checkpoint": None}),
    "fraction": (
        {"solver": "cg", "validation_fraction": 0.999},
        "add samples or lower validation_fraction",
        {"validation_fraction": 0.2},
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_it_is_not_for_is_refused_and_advice_helps(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options, message, remedy = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        small(**options)
    for instead in (remedy, {"early_stopping": False} if case != "fraction" else remedy):
        assert small(**{**options, **instead}).solver_


@pytest.mark.parametrize("name", ["early_stopping", "validation_fraction", "n_iter_no_change"])
def test_parameters_of_another_kind_are_refused(name):
    with pytest.raises((TypeError, ValueError), match=name):
        small(solver="cg", **{name: "some"})
