# SPDX-License-Identifier: BSD-3-Clause
"""DeepKernelPCA: the equations it solves, what it captures, and what new samples get."""

from __future__ import annotations

import warnings
from typing import get_args

import gramian
import numpy as np
import pytest
import scipy.linalg
import scipy.sparse
from gramian import DeepKernelPCA, _core
from gramian.kernels import Gaussian, Laplacian, Matern
from gramian.landmarks import Method
from gramian.models import DeepPCAObjective
from scikit_checks import tags_of
from sklearn.datasets import load_iris
from sklearn.decomposition import KernelPCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

FIRST, UPPER = Gaussian(gamma=0.3), Gaussian(gamma=0.8)


@pytest.fixture(scope="module")
def X():
    return StandardScaler().fit_transform(load_iris().data[::3])


@pytest.fixture(scope="module")
def fitted(X):
    return DeepKernelPCA((3, 2), [FIRST, UPPER], eta=[1.0, 0.7], tol=1e-8, max_iter=3000).fit(X)


def centring(n):
    return np.eye(n) - 1.0 / n


def naive_equations(model, X):
    """The left sides of [DKPCA] (6) and what they should be, by loops over pairs; Gaussian upper kernels."""
    H, n = model.hidden_features_, len(X)
    C = centring(n) if model.center else np.eye(n)
    inputs = [X, *H]
    sides = []
    for j, (kernel, eta) in enumerate(zip(model.kernels_, model.eta_, strict=True)):
        A = C @ kernel(inputs[j]) @ C @ H[j] / eta
        if j + 1 < len(H):
            gamma, up = model.kernels_[j + 1].gamma, C @ H[j + 1]
            for i in range(n):
                for k in range(n):
                    difference = H[j][i] - H[j][k]
                    value = np.exp(-gamma * difference @ difference)
                    A[i] += -2.0 * gamma * value * difference * (up[i] @ up[k]) / model.eta_[j + 1]
        sides.append((A, H[j] * model.eigenvalues_[j]))
    return sides


def test_it_solves_the_papers_equations(fitted, X):
    assert fitted.objective_ < 1e-12 and fitted.stop_reason_ == "tol"
    for left, right in naive_equations(fitted, X):
        np.testing.assert_allclose(left, right, atol=2e-6)
    for H in fitted.hidden_features_:
        np.testing.assert_allclose(H.T @ H, np.eye(H.shape[1]), atol=1e-12)
    wrong = DeepKernelPCA((3, 2), [FIRST, UPPER], solver="levelwise").fit(X)  # without the way back they don't hold
    assert max(np.abs(left - right).max() for left, right in naive_equations(wrong, X)) > 1e-3


def test_j_is_half_the_squared_residuals(X):
    model = DeepKernelPCA((3, 2), [FIRST, UPPER], max_iter=3, center=True)
    with pytest.warns(ConvergenceWarning, match="did not converge in 3 iterations: J is"):
        model.fit(X)
    parts = [0.5 * ((left - right) ** 2).sum() for left, right in naive_equations(model, X)]
    np.testing.assert_allclose(model.residuals_, parts, rtol=1e-9)
    assert model.objective_ == pytest.approx(sum(parts), rel=1e-9)
    assert len(model.history_["value"]) == model.n_iter_ + 1 == 4


def test_facts_of_a_fit(fitted, X):
    K = [FIRST(X), UPPER(fitted.hidden_features_[0])]
    captured = [np.trace(H.T @ k @ H) for H, k in zip(fitted.hidden_features_, K, strict=True)]
    np.testing.assert_allclose(fitted.captured_trace_, [c / np.trace(k) for c, k in zip(captured, K, strict=True)])
    assert fitted.energy_ == pytest.approx(captured[0] / 2.0 + captured[1] / 1.4)
    traces = sum(values.sum() for values in fitted.eigenvalues_)
    assert fitted.primal_objective() == pytest.approx(traces / 2.0 - fitted.energy_)
    J = fitted.primal_objective()
    assert fitted.primal_objective(c=3.0) == pytest.approx(J + 1.5 * J * J)
    assert all(np.all(np.diff(values) <= 0) for values in fitted.eigenvalues_)
    last = fitted.explained_variance_ratio_[1]
    np.testing.assert_allclose(last, fitted.eigenvalues_[1] / (np.trace(K[1]) / 0.7))


@pytest.mark.parametrize("center", [False, True])
def test_one_level_is_kernel_pca(X, center):
    model = DeepKernelPCA(3, FIRST, center=center).fit(X)
    assert model.solver_ == "closed_form"
    C = centring(len(X)) if center else np.eye(len(X))
    values, vectors = scipy.linalg.eigh(C @ FIRST(X) @ C)
    np.testing.assert_allclose(model.eigenvalues_[0], values[:-4:-1], rtol=1e-10)
    overlap = np.abs(np.diag(vectors[:, :-4:-1].T @ model.hidden_features_[0]))
    np.testing.assert_allclose(overlap, 1.0, atol=1e-9)
    if center:
        peer = KernelPCA(3, kernel="rbf", gamma=0.3).fit(X)
        fresh = X[:7] + 0.1
        ours = model.transform(fresh) * np.sqrt(model.eigenvalues_[0])
        np.testing.assert_allclose(np.abs(ours), np.abs(peer.transform(fresh)), atol=1e-9)


def test_a_linear_second_level_has_a_closed_form(X):
    model = DeepKernelPCA((4, 2), [FIRST, "linear"], eta=[1.0, -0.25]).fit(X)
    assert model.solver_ == "closed_form" and model.objective_ < 1e-20 and model.n_iter_ == 0
    values = scipy.linalg.eigh(FIRST(X), eigvals_only=True)[::-1]
    expected = np.sort(np.concatenate([values[:2] - 4.0, values[2:4]]))[::-1]
    np.testing.assert_allclose(model.eigenvalues_[0], expected, atol=1e-9)
    np.testing.assert_allclose(model.eigenvalues_[1], [-4.0, -4.0], atol=1e-12)
    for solver in ("self_consistent", "riemannian_lbfgs"):
        other = DeepKernelPCA((4, 2), [FIRST, "linear"], eta=[1.0, -0.25], solver=solver, tol=1e-7).fit(X)
        np.testing.assert_allclose(other.eigenvalues_[0], expected, atol=1e-5)


def test_bounds_hold_and_are_of_two_levels(X):
    model = DeepKernelPCA((4, 2), [FIRST, "linear"], eta=[1.0, 0.8]).fit(X)
    bounds = model.approximation_bounds()
    H = model.hidden_features_[0]
    error = np.linalg.norm(FIRST(X) - H * model.eigenvalues_[0] @ H.T)
    assert bounds["error"] == pytest.approx(error)
    assert 0.0 < bounds["lower"] <= error <= bounds["upper"]
    gram = DeepKernelPCA((4, 2), ["precomputed", "linear"], eta=[1.0, 0.8]).fit(FIRST(X))
    assert gram.approximation_bounds(FIRST(X)) == pytest.approx(bounds)
    with pytest.raises(ValueError, match="pass it as X"):
        gram.approximation_bounds()
    with pytest.raises(ValueError, match="two levels with a linear"):
        DeepKernelPCA(2, FIRST).fit(X).approximation_bounds()


def test_negative_eta_makes_ratios_larger_and_nothing_else(X):
    """[DKPCA] Lemma 4.2, corrected: with all components the gain is (n - N S_n / tr K) / (eta_2 tr K + N)."""
    some, N = X[:12], 12
    K = FIRST(some) + 0.5 * np.eye(N)
    values, vectors = scipy.linalg.eigh(K)
    values, eta = values[::-1], -1.5 / values[0]
    model = DeepKernelPCA((N, N), ["precomputed", "linear"], eta=[1.0, eta]).fit(K)
    ratios, trace = np.cumsum(model.explained_variance_ratio_[0]), values.sum()
    shallow = np.cumsum(values) / trace
    n = np.arange(1, N + 1)
    np.testing.assert_allclose(ratios - shallow, (n - N * shallow) / (eta * trace + N), atol=1e-12)
    assert np.all(ratios[:-1] > shallow[:-1])
    overlap = np.abs(vectors[:, ::-1].T @ model.hidden_features_[0])
    np.testing.assert_allclose(overlap, np.eye(N), atol=1e-6)


def test_a_random_start_is_a_trap(X):
    """A small J says little: from a random start the components are those that hold next to nothing."""
    good = DeepKernelPCA((3, 2), [FIRST, UPPER], random_state=0).fit(X)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        bad = DeepKernelPCA((3, 2), [FIRST, UPPER], init="random", max_iter=3000, random_state=0).fit(X)
    assert sum("ended at small eigenvalues, as random starts do" in str(one.message) for one in told) == 1
    assert good.objective_ < 1e-6 and bad.objective_ < 1e-2
    assert good.captured_trace_[0] > 0.7 and bad.captured_trace_[0] < 0.01
    assert bad.init_captured_traces_[0] == pytest.approx(bad.captured_trace_[0])


def test_the_best_start_is_kept(X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = DeepKernelPCA((3, 2), [FIRST, UPPER], n_init=3, max_iter=30, random_state=0).fit(X)
    assert len(model.init_objectives_) == len(model.init_captured_traces_) == 3
    assert model.objective_ == pytest.approx(model.init_objectives_.min(), rel=1e-6)


@pytest.mark.parametrize("solver", ["riemannian_adam", "projected_gradient"])
@pytest.mark.parametrize("eigenvalues", ["eliminated", "joint"])
def test_all_solvers_lower_j(X, solver, eigenvalues):
    levelwise = DeepKernelPCA((3, 2), [FIRST, UPPER], solver="levelwise").fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = DeepKernelPCA((3, 2), [FIRST, UPPER], solver=solver, eigenvalues=eigenvalues, max_iter=500).fit(X)
    x = np.concatenate([H.ravel() for H in levelwise.hidden_features_])
    begin = DeepPCAObjective(X, (3, 2), [FIRST, UPPER]).value(x)
    assert model.objective_ < 0.2 * begin
    assert model.captured_trace_[0] > 0.7


@pytest.mark.parametrize("sizes", [(5, 5), (5, 3), (4, 6)])
def test_centred_closed_forms_of_low_rank_are_exact(sizes):
    model = DeepKernelPCA(sizes, "linear", center=True).fit(load_iris().data)
    assert model.objective_ < 1e-16
    for H in model.hidden_features_:
        assert np.abs(H.sum(axis=0)).max() < 1e-9
    with pytest.warns(ConvergenceWarning, match="did not find the eigenvectors of its closed form: J is inf"):
        DeepKernelPCA((3, 2), "linear").fit(1e150 * load_iris().data)


@pytest.mark.parametrize("eta", [[1.0, -0.1], [1.0, -1.0], [-1.0, -1.0], [1.0, -1.0, 1.0]])
def test_eigenproblems_in_turn_converge_for_either_sign(X, eta):
    sizes, kernels = (5, 4, 3)[: len(eta)], [FIRST, *["linear"] * (len(eta) - 1)]
    known = DeepKernelPCA(sizes, kernels, eta).fit(X)
    for seed in range(2):
        model = DeepKernelPCA(sizes, kernels, eta, solver="self_consistent", init="random", random_state=seed)
        model.set_params(tol=1e-8).fit(X)
        assert model.stop_reason_ == "tol" and model.objective_ < 1e-10
        np.testing.assert_allclose(model.captured_trace_, known.captured_trace_, rtol=1e-6)
        for ours, theirs in zip(model.eigenvalues_, known.eigenvalues_, strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_a_long_first_step_is_no_convergence(X):
    for learning_rate in (1e3, 1e5):
        model = DeepKernelPCA((3, 2), [FIRST, UPPER], solver="projected_gradient", learning_rate=learning_rate)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X)
        assert model.n_iter_ > 0 and model.objective_ < 0.1 * model.history_["value"][0]


def test_levelwise_models_have_no_primal(X):
    model = DeepKernelPCA((3, 2), [FIRST, UPPER], eta=[2.0, 0.5], solver="levelwise").fit(X)
    assert model.primal_objective() == pytest.approx(0.0, abs=1e-9)
    assert model.energy_ > 1.0


def test_levels_without_variance_are_told_of():
    with pytest.warns(ConvergenceWarning, match="the Gram matrix of level 1 is 0, or too large"):
        model = DeepKernelPCA((2, 1), "linear").fit(np.zeros((9, 3)))
    assert np.isnan(model.captured_trace_[0])


def test_nothing_to_choose_landmarks_by(X):
    model = DeepKernelPCA((2, 2), "linear", landmarks=10, landmark_method="leverage")
    with pytest.warns(ConvergenceWarning, match="level 1 is 0"):
        assert len(set(model.fit(np.zeros((30, 2))).landmarks_.tolist())) == 10


def test_scalars_come_in_any_form(X):
    model = DeepKernelPCA(np.array(3), FIRST, np.array(0.5)).fit(X)
    assert len(model.hidden_features_) == 1 and model.eta_.tolist() == [0.5]


def test_a_gram_matrix_is_as_good_as_its_points(fitted, X):
    K = FIRST(X)
    model = DeepKernelPCA((3, 2), ["precomputed", UPPER], eta=[1.0, 0.7], tol=1e-8, max_iter=3000).fit(K)
    np.testing.assert_allclose(model.eigenvalues_[0], fitted.eigenvalues_[0], rtol=1e-7)
    fresh = X[:6] + 0.1
    ours, theirs = model.transform(FIRST(fresh, X)), fitted.transform(fresh)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-5)
    assert model.X_fit_ is None and tags_of(model).pairwise
    half = DeepKernelPCA((3, 2), "precomputed", landmarks=25, random_state=0).fit(K)
    assert half.transform(FIRST(fresh, X)).shape == (6, 5) and len(half.hidden_features_[0]) == 25


def test_sparse_data(fitted, X):
    sparse = scipy.sparse.csr_matrix(X)
    model = DeepKernelPCA((3, 2), [FIRST, UPPER], eta=[1.0, 0.7], tol=1e-8, max_iter=3000).fit(sparse)
    np.testing.assert_allclose(model.eigenvalues_[0], fitted.eigenvalues_[0], rtol=1e-7)
    np.testing.assert_allclose(model.transform(sparse), model.transform(X), atol=1e-9)
    assert model.inverse_transform(model.transform(X[:3]), level=1).shape == (3, 4)


@pytest.mark.parametrize("method", get_args(Method))
def test_landmarks_are_trained_on(X, method):
    model = DeepKernelPCA((3, 2), landmarks=20, landmark_method=method, random_state=1).fit(X)
    assert len(model.landmarks_) == 20 and np.all(np.diff(model.landmarks_) > 0)
    np.testing.assert_array_equal(model.X_fit_, X[model.landmarks_])
    twin = DeepKernelPCA((3, 2), model.kernels_).fit(X[model.landmarks_])
    np.testing.assert_allclose(twin.eigenvalues_[0], model.eigenvalues_[0], rtol=1e-9)
    assert model.transform(X).shape == (len(X), 5)
    assert DeepKernelPCA((3, 2), landmarks=len(X), landmark_method=method).fit(X).landmarks_ is None


def test_landmarks_may_be_rows(X):
    rows = [30, 4, 4, 17, 9, 21]
    model = DeepKernelPCA((3, 2), landmarks=rows).fit(X)
    assert model.landmarks_.tolist() == sorted(set(rows))
    np.testing.assert_array_equal(model.X_fit_, X[model.landmarks_])
    with pytest.raises(ValueError, match="'landmarks' parameter .* outside of the"):
        DeepKernelPCA((3, 2), landmarks=[0, 1, 2, len(X)]).fit(X)


def test_entropy_spreads_landmarks(X):
    def entropy(method):
        rows = DeepKernelPCA(2, FIRST, landmarks=15, landmark_method=method, random_state=0).fit(X).X_fit_
        return -np.log(FIRST(rows).sum())

    assert entropy("renyi") > entropy("random")


def test_default_kernels(X):
    model = DeepKernelPCA((3, 2)).fit(X)
    assert model.kernels_[0] == Gaussian(gamma=_core.gram.median_gamma(X))
    assert model.kernels_[1] == Gaussian(gamma=len(X) / 60.0)
    rows = model.hidden_features_[0]
    assert 0.85 < model.kernels_[1](rows).mean() < 0.95  # neither constant nor nothing but a diagonal
    assert model.kernels_[0](rows).mean() > 0.98  # as the width of the data would have it


def test_the_callback_sees_iterations_and_stops(X):
    seen = []

    def watch(iteration):
        seen.append(iteration.number)
        return len(seen) >= 4

    model = DeepKernelPCA((3, 2), [FIRST, UPPER], callback=watch, tol=0.0).fit(X)
    assert seen == [1, 2, 3, 4] and model.stop_reason_ == "callback"


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"n_components": ()}, ValueError, "'n_components' parameter of DeepKernelPCA must have an entry"),
        ({"n_components": (3, 0)}, ValueError, r"n_components\[1\]"),
        ({"n_components": None}, TypeError, r"n_components\[0\].* must be an integer"),
        ({"n_components": {3: 1}}, TypeError, r"n_components\[0\].* must be an integer"),
        ({"n_components": (99, 2)}, ValueError, r"n_components\[0\] of DeepKernelPCA is 99, and there are 50 samples"),
        ({"kernels": [FIRST]}, ValueError, "has 1 entries for 2 levels"),
        ({"kernels": [FIRST, "precomputed"]}, ValueError, r"kernels\[1\].* Only kernels\[0\] may be"),
        ({"kernels": 3}, TypeError, "must be one of gramian.kernels"),
        ({"eta": 0.0}, ValueError, r"eta\[0\] .* not 0"),
        ({"eta": [1.0, "a"]}, TypeError, r"eta\[1\] "),
        ({"eta": [1e-300, 1.0]}, ValueError, r"eta\[0\] .* of a magnitude in"),
        ({"inverse": "foo"}, ValueError, "'inverse' parameter"),
        ({"inverse_alpha": -1.0}, ValueError, "'inverse_alpha' parameter"),
        ({"kernels": [FIRST, Laplacian()]}, ValueError, "kernels: that of level 2 has no gradient"),
        ({"kernels": [FIRST, FIRST + Matern(nu=0.5)]}, ValueError, "kernels: that of level 2 has no gradient"),
        ({"solver": "newton"}, ValueError, "'solver' parameter of DeepKernelPCA must be one of 'auto'"),
        ({"solver": "closed_form"}, ValueError, "closed_form is for one level, or linear kernels"),
        ({"init": "zeros"}, ValueError, "'init' parameter"),
        ({"center": 2}, ValueError, "'center' parameter"),
        ({"landmarks": 5, "landmark_method": "best"}, ValueError, "'landmark_method' parameter"),
        ({"landmarks": 2.5}, TypeError, "'landmarks' parameter"),
        ({"extension": "linear"}, ValueError, "'extension' parameter"),
        ({"tol": -1.0}, ValueError, "'tol' parameter"),
        ({"learning_rate": 0.0}, ValueError, "'learning_rate' parameter"),
        ({"callback": 3}, TypeError, "'callback' parameter"),
    ],
)
def test_errors_name_the_parameter(X, parameters, error, message):
    with pytest.raises(error, match=message):
        DeepKernelPCA(**{"n_components": (3, 2), **parameters}).fit(X)


def test_gram_matrices_are_called_x(X):
    with pytest.raises(ValueError, match=r"X\[0, 0\] is a squared norm and must be at least 0. Got -1"):
        DeepKernelPCA((3, 2), "precomputed").fit(-FIRST(X))
    with pytest.raises(ValueError, match=r"X\[0, 0\] is a squared norm"):
        DeepPCAObjective(-FIRST(X), (3, 2), ["precomputed", None])


def test_subsets_by_looks_need_dense_samples(X):
    model = DeepKernelPCA((3, 2), landmarks=9, landmark_method="renyi")
    with pytest.raises(ValueError, match="must be 'random' for precomputed or sparse data"):
        model.fit(scipy.sparse.csr_matrix(X))


def test_levels_are_counted_from_one(fitted, X):
    with pytest.raises(ValueError, match=r"'level' parameter of DeepKernelPCA must be an integer in \[1, 2\]"):
        fitted.transform(X, level=0)
    assert gramian.DeepKernelPCA is DeepKernelPCA
