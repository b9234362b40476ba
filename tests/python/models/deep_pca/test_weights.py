# SPDX-License-Identifier: BSD-3-Clause
"""A weight of 2 is a sample that is there twice, in deep kernel PCA and between learned maps."""

from __future__ import annotations

from typing import get_args

import gramian
import numpy as np
import pytest
from gramian import DeepKernelPCA, ParametricDeepKernelPCA
from gramian.features import Network
from gramian.kernels import Gaussian, Linear
from gramian.landmarks import Method
from scipy import sparse

N = 40
GENERATOR = np.random.default_rng(0)
X = GENERATOR.normal(size=(N, 3)) * [2.0, 1.0, 0.7]
FRESH = GENERATOR.normal(size=(7, 3))
COUNTS = GENERATOR.integers(0, 4, size=N)
KEPT = COUNTS > 0
REPEATED = X.repeat(COUNTS, axis=0)
FIRST = np.flatnonzero(np.r_[True, (np.diff(REPEATED, axis=0) != 0).any(axis=1)])
"""Where the first copy of each sample is."""

MODELS = {
    "one level": DeepKernelPCA(3),
    "one level, centred": DeepKernelPCA(3, center=True),
    "a polynomial of one level": DeepKernelPCA(2, "poly", eta=2.0),
    "linear above": DeepKernelPCA((3, 2), [None, "linear"], eta=[1.0, -0.7]),
    "linear above, centred": DeepKernelPCA((3, 2), [None, "linear"], center=True),
    "linear": DeepKernelPCA((2, 2), "linear"),
    "in turn": DeepKernelPCA((3, 2), [None, "linear"], solver="self_consistent", tol=1e-9),
    "two levels": DeepKernelPCA((3, 2), tol=1e-7),
    "two levels, centred": DeepKernelPCA((3, 2), center=True, tol=1e-7),
    "three levels": DeepKernelPCA((3, 2, 2), [None, None, "linear"], tol=1e-7),
    "levelwise": DeepKernelPCA((3, 2), solver="levelwise"),
    "adam": DeepKernelPCA((3, 2), solver="riemannian_adam", max_iter=20),
    "the paper's": DeepKernelPCA((3, 2), solver="projected_gradient", max_iter=20),
    "eigenvalues of their own": DeepKernelPCA((3, 2), eigenvalues="joint", max_iter=20),
}

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def pair(model, weights=COUNTS):
    """Return it fitted to weighted samples, and to repeated ones."""
    return model.fit(X, sample_weight=weights), DeepKernelPCA(**model.get_params(deep=False)).fit(REPEATED)


@pytest.fixture(params=list(MODELS))
def model(request):
    return DeepKernelPCA(**MODELS[request.param].get_params(deep=False))


def test_weights_are_repetitions(model):
    once, twice = pair(model)
    np.testing.assert_allclose(once.objective_, twice.objective_, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(once.captured_trace_, twice.captured_trace_, rtol=1e-8)
    for j, values in enumerate(twice.eigenvalues_):
        np.testing.assert_allclose(once.eigenvalues_[j], values, rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(once.explained_variance_ratio_[j], twice.explained_variance_ratio_[j], rtol=1e-8)
        np.testing.assert_allclose(once.hidden_features_[j], twice.hidden_features_[j][FIRST], atol=1e-8)
    np.testing.assert_allclose(once.transform(FRESH), twice.transform(FRESH), atol=1e-8)


def test_features_are_orthonormal_over_all_copies(model):
    fitted = model.fit(X, sample_weight=COUNTS)
    for H in fitted.hidden_features_:
        np.testing.assert_allclose(H.T @ (COUNTS[KEPT, None] * H), np.eye(H.shape[1]), atol=1e-10)


def test_weights_of_one_change_no_bit(model):
    plain, ones = (model.fit(X, sample_weight=w).transform(FRESH) for w in (None, np.ones(N)))
    assert plain.tobytes() == ones.tobytes()


def test_samples_of_weight_0_are_left_out(model):
    weights = np.where(np.arange(N) % 3 == 0, 0.0, 1.0)
    left = model.fit(X, sample_weight=weights)
    assert left.landmarks_.tolist() == np.flatnonzero(weights).tolist() and len(left.X_fit_) == len(left.landmarks_)
    found = left.transform(FRESH)
    assert found.tobytes() == model.fit(X[weights > 0]).transform(FRESH).tobytes()


@pytest.mark.parametrize("extension", ["equations", "smoother"])
@pytest.mark.parametrize("inverse", ["auto", "ridge"])
def test_the_way_back_is_that_of_repeated_samples(extension, inverse):
    for kernels in (None, "linear", [Gaussian(gamma=0.3), "linear"]):
        model = DeepKernelPCA((3, 2), kernels, center=True, tol=1e-7, extension=extension, inverse=inverse)
        once, twice = pair(model)
        np.testing.assert_allclose(once.transform(FRESH), twice.transform(FRESH), atol=1e-8)
        codes = once.hidden_features_[0][:5]
        found, expected = (one.inverse_transform(codes, level=1) for one in (once, twice))
        np.testing.assert_allclose(found, expected, atol=1e-6)
        weights = twice.weights(codes)
        np.testing.assert_allclose(once.weights(codes), np.add.reduceat(weights, FIRST, axis=1), atol=1e-8)
        np.testing.assert_allclose(once.traverse(1, 0), twice.traverse(1, 0), atol=1e-6)


def test_drawn_samples_have_the_weighted_moments():
    once, twice = (one.sample(20000, level=1, random_state=0) for one in pair(DeepKernelPCA(3, Linear(), center=True)))
    np.testing.assert_allclose(once.mean(axis=0), twice.mean(axis=0), atol=0.1)
    np.testing.assert_allclose(np.cov(once.T), np.cov(twice.T), atol=0.15)


def test_a_gram_matrix_is_weighted_as_its_samples():
    kernel = Gaussian(gamma=0.3)
    K, cross = kernel(X), kernel(FRESH, X)
    for kernels in (kernel, [kernel, "linear"], [kernel, None]):
        size = 3 if kernels is kernel else (3, 2)
        first = "precomputed" if kernels is kernel else ["precomputed", *kernels[1:]]
        points = DeepKernelPCA(size, kernels, center=True, max_iter=20).fit(X, sample_weight=COUNTS)
        gram = DeepKernelPCA(size, first, center=True, max_iter=20).fit(K, sample_weight=COUNTS)
        np.testing.assert_allclose(gram.transform(cross), points.transform(FRESH), atol=1e-8)
        assert gram.landmarks_.tolist() == np.flatnonzero(KEPT).tolist()
    called = DeepKernelPCA(3, _value, center=True).fit(X, sample_weight=COUNTS)
    points = DeepKernelPCA(3, kernel, center=True).fit(X, sample_weight=COUNTS)
    np.testing.assert_allclose(called.transform(FRESH), points.transform(FRESH), atol=1e-8)


def _value(a, b):
    return float(np.exp(-0.3 * np.sum((a - b) ** 2)))


def test_scores_in_the_feature_space_are_those_of_repeated_samples():
    kernel = Gaussian(gamma=0.3)
    for center in (False, True):
        model = DeepKernelPCA(3, "precomputed", center=center)
        once = model.fit(kernel(X), sample_weight=COUNTS).score(kernel(FRESH, X))
        twice = model.fit(kernel(REPEATED)).score(kernel(FRESH, REPEATED))
        np.testing.assert_allclose(once, twice, rtol=1e-8)


def test_sparse_samples_are_weighted_as_dense_ones():
    rows = np.where(X > 0, X, 0.0)
    for model in (DeepKernelPCA(3, Gaussian(gamma=0.3)), DeepKernelPCA((3, 2), Gaussian(gamma=0.3), max_iter=20)):
        dense = model.fit(rows, sample_weight=COUNTS).transform(FRESH)
        found = model.fit(sparse.csr_matrix(rows), sample_weight=COUNTS).transform(sparse.csr_matrix(FRESH))
        np.testing.assert_allclose(found, dense, atol=1e-7)


@pytest.mark.parametrize("center", [False, True])
def test_one_level_on_landmarks_counts_all_samples(center):
    rows = np.flatnonzero(KEPT)[::2]
    once = DeepKernelPCA(3, Gaussian(gamma=0.3), center=center, landmarks=rows).fit(X, sample_weight=COUNTS)
    twice = DeepKernelPCA(3, Gaussian(gamma=0.3), center=center, landmarks=FIRST[::2]).fit(REPEATED)
    np.testing.assert_allclose(once.transform(FRESH), twice.transform(FRESH), atol=1e-8)
    np.testing.assert_allclose(once.eigenvalues_[0], twice.eigenvalues_[0], rtol=1e-8)
    np.testing.assert_allclose(once.captured_trace_, twice.captured_trace_, rtol=1e-8)
    assert once.landmarks_.tolist() == rows.tolist()


def test_levels_on_landmarks_count_these():
    rows = np.flatnonzero(KEPT)[::2]
    model = DeepKernelPCA((3, 2), Gaussian(gamma=0.3), landmarks=rows, tol=1e-7)
    some = DeepKernelPCA((3, 2), Gaussian(gamma=0.3), tol=1e-7).fit(X[rows], sample_weight=COUNTS[rows])
    assert model.fit(X, sample_weight=COUNTS).transform(FRESH).tobytes() == some.transform(FRESH).tobytes()


def test_fewer_samples_that_differ_than_components_have_an_order_of_their_own():
    rows = np.repeat([[1.0, 3.0], [2.0, 1.0], [3.0, 3.0], [4.0, 1.0]], 4, axis=0)
    some = np.random.default_rng(0).permutation(np.repeat([True, False], 16))
    mixed = np.zeros((32, 2))
    mixed[some], mixed[~some] = np.random.default_rng(1).permutation(rows), 7.0
    once, left = DeepKernelPCA(max_iter=30).fit(rows), DeepKernelPCA(max_iter=30).fit(mixed, sample_weight=some)
    np.testing.assert_allclose(left.transform(rows), once.transform(rows), rtol=1e-7, atol=1e-9)


def test_landmarks_are_rows_that_are_there():
    with pytest.raises(ValueError, match="'landmarks' parameter of DeepKernelPCA has rows whose sample_weight is 0"):
        DeepKernelPCA(2, landmarks=[int(np.flatnonzero(~KEPT)[0]), 1, 2, 3]).fit(X, sample_weight=COUNTS)
    for count in (10, 20):
        for method in get_args(Method):
            model = DeepKernelPCA(2, landmarks=count, landmark_method=method, random_state=0)
            assert KEPT[model.fit(X, sample_weight=COUNTS).landmarks_].all()


def test_rows_that_are_read_are_weighted(tmp_path):
    np.save(tmp_path / "X.npy", X)
    read = np.load(tmp_path / "X.npy", mmap_mode="r")
    for size in (3, (3, 2)):
        model = DeepKernelPCA(size, Gaussian(gamma=0.3), landmarks=15, random_state=0)
        found = model.fit(read, sample_weight=COUNTS).transform(FRESH)
        assert found.tobytes() == model.fit(X, sample_weight=COUNTS).transform(FRESH).tobytes()


def test_a_common_factor_of_weights_is_one_of_eigenvalues():
    """Where upper levels have the width that nobody has chosen, all of them grow alike."""
    for size in (3, (3, 2)):
        once, scaled = (
            DeepKernelPCA(size, [Gaussian(gamma=0.3), None][: np.size(size)], max_iter=20).fit(X, sample_weight=weights)
            for weights in (COUNTS + 1.0, 2.5 * (COUNTS + 1.0))
        )
        for j, values in enumerate(once.eigenvalues_):
            np.testing.assert_allclose(scaled.eigenvalues_[j], 2.5 * values, rtol=1e-8)
            np.testing.assert_allclose(
                scaled.hidden_features_[j] * np.sqrt(2.5), once.hidden_features_[j], rtol=0, atol=1e-8
            )
        np.testing.assert_allclose(scaled.captured_trace_, once.captured_trace_, rtol=1e-8)


def test_weights_that_are_no_counts_are_those_of_the_formula():
    weights = np.random.default_rng(3).uniform(0.1, 2.0, size=N)
    S = np.diag(np.sqrt(weights))
    C = np.eye(N) - np.sqrt(np.outer(weights, weights)) / weights.sum()
    K = S @ Gaussian(gamma=0.3)(X) @ S
    for center in (False, True):
        values = np.linalg.eigvalsh(C @ K @ C if center else K)[::-1][:3]
        model = DeepKernelPCA(3, Gaussian(gamma=0.3), center=center).fit(X, sample_weight=weights)
        np.testing.assert_allclose(model.eigenvalues_[0], values, rtol=1e-10)


def test_a_warm_start_goes_on_where_the_fit_ended():
    model = DeepKernelPCA((3, 2), tol=1e-7, warm_start=True).fit(X, sample_weight=COUNTS)
    value = model.objective_
    again = model.set_params(tol=1e-5).fit(X, sample_weight=COUNTS)
    assert again.n_iter_ == 0
    np.testing.assert_allclose(again.objective_, value, rtol=1e-6, atol=1e-14)


def test_files_and_bounds(tmp_path):
    model = DeepKernelPCA((3, 2), [Gaussian(gamma=0.3), "linear"]).fit(X, sample_weight=COUNTS)
    twice = DeepKernelPCA((3, 2), [Gaussian(gamma=0.3), "linear"]).fit(REPEATED)
    model.save(tmp_path / "model")
    restored = gramian.load(tmp_path / "model")
    assert restored.transform(FRESH).tobytes() == model.transform(FRESH).tobytes()
    assert restored.sample(3, random_state=0).tobytes() == model.sample(3, random_state=0).tobytes()
    bounds, expected = model.approximation_bounds(), twice.approximation_bounds()
    np.testing.assert_allclose([bounds[key] for key in bounds], [expected[key] for key in bounds], atol=1e-7)


def test_maps_are_learned_of_weighted_samples():
    maps = [Network([(5, "tanh"), (units, "identity")], weight_deviation=0.0) for units in (4, 3)]
    model = ParametricDeepKernelPCA(*maps, DeepKernelPCA((2, 2), "linear"), n_rounds=2, max_iter=5, random_state=0)
    once = ParametricDeepKernelPCA(**model.get_params(deep=False)).fit(X, sample_weight=COUNTS)
    twice = model.fit(REPEATED)
    np.testing.assert_allclose(once.theta_, twice.theta_, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(once.objectives_, twice.objectives_, rtol=1e-8)
    np.testing.assert_allclose(once.reconstruction_errors_, twice.reconstruction_errors_, rtol=1e-8)
    np.testing.assert_allclose(once.transform(FRESH), twice.transform(FRESH), atol=1e-6)
    ones = ParametricDeepKernelPCA(**model.get_params(deep=False)).fit(REPEATED, sample_weight=np.ones(len(REPEATED)))
    assert ones.theta_.tobytes() == twice.theta_.tobytes()


def test_displays_count_samples():
    pytest.importorskip("matplotlib").use("Agg")
    once, twice = pair(DeepKernelPCA((3, 2), [Gaussian(gamma=0.3), "linear"]))
    for display, name in ((gramian.LevelTopologyDisplay, "overlaps"), (gramian.ExplainedVarianceDisplay, "shallow")):
        found, expected = (getattr(display.from_estimator(one), name) for one in (once, twice))
        np.testing.assert_allclose(np.array(found[0]), np.array(expected[0]), atol=1e-8)


@pytest.mark.parametrize("wrong", [-np.ones(N), np.zeros(N), np.ones(N - 1), np.full(N, np.nan)])
@pytest.mark.parametrize("cls", [DeepKernelPCA, ParametricDeepKernelPCA])
def test_weights_are_checked(cls, wrong):
    with pytest.raises(ValueError, match=r"(?i)weight"):
        cls().fit(X, sample_weight=wrong)


def test_components_are_at_most_the_samples_that_are_there():
    weights = np.where(np.arange(N) < 4, 10.0, 0.0)
    with pytest.raises(ValueError, match=r"n_components\[0\] of DeepKernelPCA is 5, and there are 4 samples"):
        DeepKernelPCA(5).fit(X, sample_weight=weights)
