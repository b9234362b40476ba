# SPDX-License-Identifier: BSD-3-Clause
"""gamma="auto" of KernelRidge: the width, and alpha, with the smallest error on held-out rows."""

from __future__ import annotations

import numpy as np
import pytest
from gramian import KernelRidge
from gramian.kernels import Gaussian, Laplacian
from gramian.models.kernel_ridge import width
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

RNG = np.random.default_rng(0)
X = RNG.normal(size=(600, 3))
NARROW = np.sin(6 * X[:, 0]) + np.cos(4 * X[:, 1]) + 0.1 * RNG.normal(size=600)
WIDE = X @ [1.0, -0.5, 0.2] + 0.05 * X[:, 0] ** 2
NEW = RNG.normal(size=(300, 3))
ALPHAS = [1e-6, 1e-3, 1.0]


def auto(**options):
    return KernelRidge(**{"kernel": "rbf", "gamma": "auto", "alphas": ALPHAS, "random_state": 0, **options})


def naive_errors(model, y, weights=None):
    """One fit of scikit-learn's system for each candidate, to the rows that the search draws."""
    n = len(y)
    counts = np.arange(n) if weights is None else np.flatnonzero(weights)
    drawn = np.random.default_rng([model.random_state, n]).permutation(counts)
    held = int(0.25 * len(counts))
    test, train = np.sort(drawn[:held]), np.sort(drawn[held:])
    w = np.ones(n) if weights is None else weights
    share = w[train].sum() / w.sum()
    errors = []
    for one in model.cv_results_["params"]:
        K = one["kernel"](X[train]) * w[train]
        c = np.linalg.solve(K + share * one["alpha"] * np.eye(len(train)), y[train])
        found = one["kernel"](X[test], X[train]) @ (w[train] * c)
        errors.append(np.average((found - y[test]) ** 2, weights=w[test]))
    return np.array(errors)


@pytest.mark.parametrize("weighted", [False, True])
def test_errors_are_those_of_a_fit_for_each_candidate(weighted):
    weights = RNG.integers(0, 3, size=600).astype(float) if weighted else None
    model = auto(alphas=[1e-3, 1.0]).fit(X, NARROW, weights)
    expected = naive_errors(model, NARROW, weights)
    np.testing.assert_allclose(-model.cv_results_["mean_test_score"], expected, rtol=1e-2)
    best = int(np.argmax(model.cv_results_["mean_test_score"]))
    assert model.cv_results_["params"][best] == {"kernel": model.kernel_, "alpha": model.alpha_}
    assert expected[best] <= 1.01 * expected.min()
    assert len(expected) == 2 * (len(width.COARSE) + 2)


def test_a_candidate_can_be_fitted_by_itself():
    model = auto().fit(X, NARROW)
    best = model.cv_results_["params"][int(np.argmax(model.cv_results_["mean_test_score"]))]
    twin = auto().set_params(gamma=None, alphas=None).set_params(**best).fit(X, NARROW)
    np.testing.assert_array_equal(twin.dual_coef_, model.dual_coef_)
    assert model.leave_one_out_ is None and model.solver_ == "cholesky"


def test_narrow_and_wide_functions_have_narrow_and_wide_kernels():
    narrow, wide = auto().fit(X, NARROW), auto().fit(X, WIDE)
    usual = KernelRidge(kernel="rbf", alphas=ALPHAS).fit(X, NARROW)
    assert narrow.kernel_.gamma > usual.kernel_.gamma > wide.kernel_.gamma
    truth = np.sin(6 * NEW[:, 0]) + np.cos(4 * NEW[:, 1])
    assert np.mean((narrow.predict(NEW) - truth) ** 2) < 0.5 * np.mean((usual.predict(NEW) - truth) ** 2)


@pytest.mark.parametrize(
    "options",
    [
        {"solver": "cg"},
        {"landmarks": 80},
        {"landmarks": [3, 4, 5, 90]},
        {"landmarks": "auto", "dtype": "float32"},
        {"solver": "cholesky"},
        {"alphas": None, "alpha": 0.1},
        {"kernel": Laplacian(gamma=1.0)},
        {"kernel": "matern"},
        {"kernel": "poly", "degree": 2},
        {"kernel": Gaussian(length_scale=[1.0, 2.0, 3.0])},
    ],
    ids=str,
)
def test_every_solver_and_kernel(options):
    model = auto(**options).fit(X, NARROW)
    assert model.kernel_._has_width and np.isfinite(model.predict(NEW)).all()
    again = clone(model).fit(X, NARROW)
    np.testing.assert_array_equal(again.dual_coef_, model.dual_coef_)
    names = set(model.cv_results_["params"][0])
    assert names == ({"kernel"} if model.alphas is None else {"kernel", "alpha"})


def test_several_targets_may_have_an_alpha_each():
    Y = np.column_stack([NARROW, WIDE])
    model = auto(alphas=None, alpha=[1e-3, 1e-1]).fit(X, Y)
    np.testing.assert_array_equal(model.alpha_, [1e-3, 1e-1])
    one = auto(alphas=None, alpha=1e-2).fit(X, Y)
    assert one.alpha_ == 1e-2 and one.dual_coef_.shape == (600, 2)
    both = auto().fit(X, Y)
    assert both.alpha_ in ALPHAS


def test_sparse_samples_and_rows_of_a_file_are_searched_alike(tmp_path):
    dense = auto(landmarks=50).fit(X, NARROW)
    assert auto(landmarks=50).fit(csr_matrix(X), NARROW).kernel_ == dense.kernel_
    np.save(tmp_path / "rows.npy", X)
    assert auto(landmarks=50).fit(np.load(tmp_path / "rows.npy", mmap_mode="r"), NARROW).kernel_ == dense.kernel_


def test_large_samples_are_searched_on_a_part(monkeypatch):
    monkeypatch.setattr(width, "MOST_ROWS", 200)
    monkeypatch.setattr(width, "MOST_HELD_OUT", 100)
    monkeypatch.setattr(width, "MOST_LANDMARKS", 60)
    sizes = []
    fit = width._core.kernel_ridge.fit_landmarks

    def counted(kernel, points, landmarks, *others):
        sizes.append((len(points), len(landmarks), others[0].shape[1]))
        return fit(kernel, points, landmarks, *others)

    monkeypatch.setattr(width._core.kernel_ridge, "fit_landmarks", counted)
    auto().fit(X, NARROW)
    assert set(sizes) == {(200, 60, len(ALPHAS))} and len(sizes) == len(width.COARSE) + 2


def test_time_is_bounded():
    with pytest.warns(ConvergenceWarning, match="max_time"):
        model = auto(solver="cg", max_time=1e-9).fit(X, NARROW)
    assert model.stop_reason_ == "max_time"


def test_checkpoints_of_a_searched_fit_go_on(tmp_path):
    options = {"solver": "cg", "alphas": [1e-3], "tol": 1e-12}
    whole = auto(**options, random_state=np.random.RandomState(3)).fit(X, NARROW)
    path = tmp_path / "fit.checkpoint"
    auto(
        **options,
        random_state=np.random.RandomState(3),
        checkpoint=path,
        checkpoint_every=1,
        callback=lambda it: it.number == 3,
    ).fit(X, NARROW)
    assert path.exists()
    resumed = auto(**options, random_state=np.random.RandomState(3), checkpoint=path).fit(X, NARROW)
    np.testing.assert_array_equal(resumed.dual_coef_, whole.dual_coef_)


def test_what_is_refused_and_what_is_advised():
    for kernel in ("linear", "chi2", lambda a, b: float(a @ b)):
        model = auto(kernel=kernel)
        with pytest.raises(ValueError, match=r"gamma='auto' of KernelRidge is for kernels .* set gamma=None"):
            model.fit(np.abs(X), NARROW)
        model.set_params(gamma=None, alphas=None).fit(np.abs(X[:40]), NARROW[:40])
    with pytest.raises(ValueError, match="'alpha' parameter of KernelRidge must be above 0 with gamma='auto'"):
        auto(alphas=None, alpha=0.0).fit(X, NARROW)
    with pytest.raises(ValueError, match="None, a number of at least 0, or 'auto'"):
        auto(gamma="scale").fit(X, NARROW)
    with pytest.raises(ValueError, match="at least two that count"):
        auto().fit(X[:1], NARROW[:1])
    assert not hasattr(auto(alphas=None), "partial_fit") and hasattr(auto(alphas=None, gamma=None), "partial_fit")
