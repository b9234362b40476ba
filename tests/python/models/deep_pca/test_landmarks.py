# SPDX-License-Identifier: BSD-3-Clause
"""Kernel PCA of one level in the span of landmarks: against all samples, scikit-learn, and files."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import DeepKernelPCA
from gramian.kernels import Gaussian
from gramian.models._shared.landmarks import Switch
from sklearn.base import clone
from sklearn.decomposition import PCA, KernelPCA
from sklearn.kernel_approximation import Nystroem

N, GAMMA = 200, 0.3
KERNEL = Gaussian(gamma=GAMMA)


@pytest.fixture(scope="module")
def X():
    return np.random.default_rng(0).normal(size=(N, 4))


@pytest.fixture(scope="module")
def new():
    return np.random.default_rng(1).normal(size=(9, 4))


def model(landmarks, **options):
    return DeepKernelPCA(3, KERNEL, **{"landmarks": landmarks, "random_state": 0, **options})


@pytest.mark.parametrize("center", [False, True])
def test_all_rows_for_landmarks_are_the_exact_fit(X, new, center):
    exact, spanned = model(None, center=center).fit(X), model(np.arange(N), center=center).fit(X)
    np.testing.assert_allclose(spanned.transform(new), exact.transform(new), atol=1e-9)
    np.testing.assert_allclose(spanned.eigenvalues_[0], exact.eigenvalues_[0], rtol=1e-9)
    np.testing.assert_allclose(spanned.captured_trace_, exact.captured_trace_, rtol=1e-9)
    np.testing.assert_allclose(spanned.hidden_features_[0], exact.hidden_features_[0], atol=1e-9)
    for inverse in ("fixed_point", "ridge"):
        answers = [one.set_params(inverse=inverse).inverse_transform(exact.transform(new)) for one in (exact, spanned)]
        np.testing.assert_allclose(*answers, atol=1e-7)
    assert spanned.score(new) == pytest.approx(exact.score(new), abs=1e-7)


def test_it_is_the_kernel_pca_of_scikit_learn(X, new):
    spanned = model(np.arange(N), center=True).fit(X)
    theirs = KernelPCA(3, kernel="rbf", gamma=GAMMA).fit(X)
    np.testing.assert_allclose(spanned.eigenvalues_[0], theirs.eigenvalues_, rtol=1e-9)
    scores = spanned.transform(new) * np.sqrt(theirs.eigenvalues_)
    np.testing.assert_allclose(np.abs(scores), np.abs(theirs.transform(new)), atol=1e-8)


def test_some_landmarks_are_nystroem_and_pca(X, new):
    spanned = model(40, center=True).fit(X)
    features = Nystroem(kernel="rbf", gamma=GAMMA, n_components=40).fit(X[spanned.landmarks_])
    theirs = PCA(3).fit(features.transform(X))
    np.testing.assert_allclose(spanned.eigenvalues_[0], theirs.singular_values_**2, rtol=1e-8)
    scores = spanned.transform(new) * theirs.singular_values_
    np.testing.assert_allclose(np.abs(scores), np.abs(theirs.transform(features.transform(new))), atol=1e-7)
    np.testing.assert_array_equal(spanned.X_fit_, X[spanned.landmarks_])
    np.testing.assert_allclose(spanned.transform(spanned.X_fit_), spanned.hidden_features_[0], atol=1e-10)
    H = spanned.transform(X)
    np.testing.assert_allclose(H.T @ H, np.eye(3), atol=1e-9)


def test_it_holds_more_than_the_landmarks_alone(X):
    spanned = model(40).fit(X)
    alone = model(None).fit(X[spanned.landmarks_])
    trace = float(N)

    def held(fitted):  # of all samples, by the directions that were found
        Q = np.linalg.qr(fitted.transform(X))[0]
        return np.trace(Q.T @ KERNEL(X, X) @ Q) / trace

    exact = model(None).fit(X).captured_trace_[0]
    assert held(alone) < held(spanned) <= exact
    assert spanned.captured_trace_[0] == pytest.approx(exact, rel=0.02)


def test_sparse_rows_and_rows_that_are_read(X, new, tmp_path):
    rows = np.arange(0, N, 4)
    X = np.where(X > 0, X, 0.0)
    dense, sparse = model(rows).fit(X), model(rows).fit(scipy.sparse.csr_array(X))
    np.testing.assert_allclose(sparse.transform(new), dense.transform(new), atol=1e-9)
    np.save(tmp_path / "X.npy", X)
    read = model(rows).fit(np.load(tmp_path / "X.npy", mmap_mode="r"))
    np.testing.assert_array_equal(read.transform(new), dense.transform(new))
    whole = model(None).fit(gramian.rows(tmp_path / "X.npy"))
    np.testing.assert_array_equal(whole.transform(new), model(None).fit(X).transform(new))
    with pytest.raises(ValueError, match="rows that are read"):
        model(20, landmark_method="renyi").fit(np.load(tmp_path / "X.npy", mmap_mode="r"))
    model(20, landmark_method="renyi").fit(X)


@pytest.mark.parametrize("center", [False, True])
def test_files_have_the_same_bits(X, new, center, tmp_path):
    fitted = model(40, center=center).fit(X)
    fitted.save(tmp_path / "model.gramian")
    loaded = gramian.load(tmp_path / "model.gramian")
    np.testing.assert_array_equal(loaded.transform(new), fitted.transform(new))
    codes = fitted.transform(new)
    np.testing.assert_array_equal(loaded.inverse_transform(codes), fitted.inverse_transform(codes))
    assert loaded.captured_trace_ == fitted.captured_trace_


def test_auto_is_all_rows_up_to_the_switch(X, new, monkeypatch):
    exact = model("auto").fit(X)
    assert exact.landmarks_ is None
    np.testing.assert_array_equal(exact.transform(new), model(None).fit(X).transform(new))
    monkeypatch.setattr(DeepKernelPCA, "_switch", Switch(most_exact=100, per_root=3))
    spanned = model("auto").fit(X)
    assert len(spanned.landmarks_) == 43  # 3 sqrt(200)
    np.testing.assert_array_equal(spanned.transform(new), model(43).fit(X).transform(new))
    K = KERNEL(X, X)
    assert DeepKernelPCA(3, "precomputed").fit(K).landmarks_ is None


def test_several_levels_are_trained_on_the_landmarks(X, new):
    rows = np.arange(0, N, 4)
    levels = DeepKernelPCA((3, 2), KERNEL, landmarks=rows, max_iter=5)
    with pytest.warns(Warning):
        np.testing.assert_array_equal(
            clone(levels).fit(X).transform(new), clone(levels).set_params(landmarks=None).fit(X[rows]).transform(new)
        )


def test_the_smoother_is_the_mean_of_the_features_of_landmarks(X, new):
    smooth = model(40, extension="smoother").fit(X)
    weights = KERNEL(new, smooth.X_fit_)
    expected = weights @ smooth.hidden_features_[0] / weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(smooth.transform(new), expected, rtol=1e-10)


def test_no_more_components_than_landmarks(X):
    with pytest.raises(ValueError, match="can't have more components"):
        model([0, 1]).fit(X)
