# SPDX-License-Identifier: BSD-3-Clause
"""K2Autoencoder in the span of landmarks is the fit on the whole Gram matrix, without that matrix."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian import K2Autoencoder
from gramian.kernels import Cosine, Gaussian, Laplacian, Linear, Polynomial
from gramian.models._shared.landmarks import Switch
from gramian.models.autoencoder.base import BaseAutoencoder
from gramian.models.autoencoder.spanned import span
from gramian.points import InnerProducts
from scipy.sparse import csr_matrix

# Few iterations: each of them multiplies the rounding of the ones before.
FIXED = {"kernels": [Gaussian(gamma=0.4), Gaussian(gamma=0.7)], "penalty": 1e-3, "max_iter": 4, "random_state": 0}
KERNELS = {"gaussian": Gaussian(gamma=0.2), "cosine": Cosine(), "polynomial": Polynomial(degree=2, gamma=0.2)}
ROWS = [1, 5, 7, 20, 30, 33, 41, 42, 50, 55]

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(60, 3)) + 0.5


@pytest.fixture
def few(monkeypatch):
    """Landmarks take the place of the Gram matrix beyond 20 samples."""
    monkeypatch.setattr(K2Autoencoder, "_switch", Switch(20, 2, 15))


def autoencoder(kernel, **options):
    return K2Autoencoder(input_kernel=kernel, **{**FIXED, **options})


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_it_is_the_training_on_the_gram_matrix_with_these_landmarks(name, weighted, X, few, monkeypatch):
    kernel, original = KERNELS[name], BaseAutoencoder._train
    weights = np.random.default_rng(1).uniform(0.5, 2.0, 60) if weighted else None
    found = autoencoder(kernel, landmarks=ROWS).fit(X, sample_weight=weights)

    def on_gram(self, points, dimension, targets, came, *rest):
        inner = InnerProducts(kernel(X[came.rows])).crossing(np.dtype(np.float64))
        return original(self, inner, None, targets, came, *rest)

    monkeypatch.setattr(BaseAutoencoder, "_train", on_gram)
    wanted = autoencoder(kernel, landmarks=ROWS).fit(X, sample_weight=weights)
    np.testing.assert_allclose(found.embedding_, wanted.embedding_, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(found.objective_, wanted.objective_, rtol=1e-8)
    np.testing.assert_allclose(found.history_["value"], wanted.history_["value"], rtol=1e-9)
    np.testing.assert_allclose(found.history_["value"][0], wanted.history_["value"][0], rtol=1e-13)


def test_landmarks_that_span_the_feature_space_have_the_answers_of_the_exact_targets(X, monkeypatch):
    kernel, new = KERNELS["polynomial"], np.random.default_rng(2).normal(size=(7, 3))
    exact = autoencoder(kernel, landmarks=ROWS).fit(X)  # ten rows, for ten monomials
    monkeypatch.setattr(K2Autoencoder, "_switch", Switch(20, 2, 15))
    found = autoencoder(kernel, landmarks=ROWS).fit(X)
    assert found.landmarks_.tolist() == exact.landmarks_.tolist() == ROWS
    for name in ("objective_", "distortion_", "embedding_"):
        np.testing.assert_allclose(getattr(found, name), getattr(exact, name), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(found.transform(new), exact.transform(new), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(found.reconstruction_error(new), exact.reconstruction_error(new), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(found.score(X), exact.score(X), rtol=1e-8)


@pytest.mark.parametrize("name", KERNELS)
def test_reconstructions_are_the_projections_of_those_of_all_samples(name, X, few):
    model, kernel = autoencoder(KERNELS[name], landmarks=ROWS).fit(X), KERNELS[name]
    codes, S, own = model.embedding_, model.supports_[1], model.kernels_[1]
    C, ridge = own(codes, S), 60 * float(model.penalties_[-1])
    of_all = np.linalg.solve(C.T @ C + ridge * own(S), own(codes, S).T).T @ C.T
    kept = model.landmarks_
    projected = np.linalg.solve(kernel(X[kept]), kernel(X[kept], X) @ of_all.T).T
    weights = model.reconstruction_weights(codes)
    np.testing.assert_allclose(weights[:, kept] @ kernel(X[kept], X), projected @ kernel(X[kept], X), atol=1e-7)
    assert not np.delete(weights, kept, axis=1).any()
    errors = kernel.diag(X) + (weights * (weights @ kernel(X) - 2 * kernel(X))).sum(axis=1)
    np.testing.assert_allclose(model.reconstruction_error(X), errors, atol=1e-8)
    np.testing.assert_allclose(model.distortion_, errors.mean(), rtol=1e-8)


@pytest.mark.parametrize("name", KERNELS)
def test_what_was_learned_is_what_is_applied(name, X, few, tmp_path):
    model = autoencoder(KERNELS[name], landmarks=12).fit(X)
    np.testing.assert_allclose(model.transform(X), model.embedding_, atol=1e-10)
    assert np.isin(model.nearest(model.embedding_), model.landmarks_).all()
    np.testing.assert_array_equal(model.X_fit_, X[model.landmarks_])
    model.save(tmp_path / "model")
    loaded = gramian.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.transform(X), model.transform(X))
    np.testing.assert_array_equal(loaded.inverse_transform(model.embedding_), model.inverse_transform(model.embedding_))


def test_repeated_samples_and_weights_are_the_same(X, few):
    repeated = np.vstack([X, X[:25]])
    weights = np.append(np.full(25, 2.0), np.ones(35))
    one = autoencoder(KERNELS["gaussian"], landmarks=ROWS).fit(repeated)
    other = autoencoder(KERNELS["gaussian"], landmarks=ROWS).fit(X, sample_weight=weights)
    assert one.landmarks_.tolist() == other.landmarks_.tolist() == ROWS
    np.testing.assert_allclose(one.embedding_[:60], other.embedding_, atol=1e-8)
    without = autoencoder(KERNELS["gaussian"], landmarks=ROWS[:4]).fit(X, sample_weight=np.repeat([1.0, 0.0], 30))
    np.testing.assert_allclose(without.embedding_, without.transform(X), atol=1e-10)


def test_landmarks_are_drawn_in_the_feature_space(X, monkeypatch):
    exact = autoencoder(Gaussian(gamma=0.2), landmarks=12).fit(X)
    monkeypatch.setattr(K2Autoencoder, "_switch", Switch(20, 2, 15))
    assert autoencoder(Gaussian(gamma=0.2), landmarks=12).fit(X).landmarks_.tolist() == exact.landmarks_.tolist()
    assert len(autoencoder(Gaussian(gamma=0.2)).fit(X).landmarks_) == 15


def test_landmarks_that_depend_on_each_other_are_left_out(X, few):
    assert len(autoencoder(Linear(), landmarks=30).fit(X).landmarks_) == 3
    near = X.copy()
    near[6] = near[5] + 1e-7
    seen = span(Gaussian(gamma=0.2), near, np.arange(60), np.array([5, 6, 9]), 0)
    assert len(seen.rows) == 2 and 9 in seen.rows
    with pytest.raises(ValueError, match="X is zero in the feature space"):
        autoencoder(Linear(), landmarks=5).fit(np.vstack([np.zeros((1, 3)), np.full((40, 3), 0.0)]) + 0.0)


def test_sparse_and_dense_are_the_same(X, few):
    counts = np.maximum(X, 0.0) + np.eye(60, 3)
    dense, sparse = (autoencoder(Cosine(), landmarks=[5, 20, 33]).fit(rows) for rows in (counts, csr_matrix(counts)))
    np.testing.assert_allclose(sparse.embedding_, dense.embedding_, atol=1e-8)
    np.testing.assert_allclose(sparse.transform(csr_matrix(counts)), dense.transform(counts), atol=1e-8)


def test_a_first_kernel_that_is_not_of_inner_products_is_refused(X, monkeypatch):
    model = autoencoder(Gaussian(gamma=0.2), landmarks=10, kernels=[Laplacian(gamma=1.0), Gaussian(gamma=0.7)])
    for switch in (K2Autoencoder._switch, Switch(20, 2, 15)):
        monkeypatch.setattr(K2Autoencoder, "_switch", switch)
        with pytest.raises((TypeError, ValueError), match="needs the coordinates of dense points"):
            model.fit(X)


def test_matrices_and_functions_are_exact(X, few):
    assert autoencoder("precomputed").fit(X @ X.T + np.eye(60)).landmarks_ is None
    assert autoencoder(lambda a, b: float(a @ b)).fit(X).landmarks_ is None
    assert autoencoder(Gaussian(gamma=0.2), solver="alternating").fit(X).landmarks_ is None


def test_what_is_advised_against_too_little_memory_helps(X):
    rows = np.vstack([X + shift for shift in range(5)])
    K = rows @ rows.T + np.eye(300)
    gramian.set_memory_limit(500_000)
    try:
        for kernel, data, few, message in (
            (Gaussian(gamma=0.2), rows, {"landmarks": 20}, "use fewer landmarks, or fewer samples$"),
            ("precomputed", K, {"landmarks": None}, "use fewer samples$"),
        ):
            with pytest.raises(MemoryError, match=message):
                autoencoder(kernel, landmarks=100).fit(data)
            some = data[:60] if kernel != "precomputed" else data[:60, :60]
            autoencoder(kernel, **few).fit(some)
        autoencoder(Gaussian(gamma=0.2), landmarks=20).fit(rows)
    finally:
        gramian.set_memory_limit(None)


def test_there_is_no_gram_matrix_of_all_samples():
    X = np.random.default_rng(0).normal(size=(5000, 3))
    gramian.set_memory_limit(60_000_000)  # a Gram matrix takes 200 MB
    try:
        model = autoencoder(Gaussian(gamma=0.2), landmarks=20, max_iter=2).fit(X)
        assert model.transform(X).shape == (5000, 2) and model.score(X[:50]) < 0
        with pytest.raises(MemoryError, match="use fewer landmarks, or fewer samples"):
            autoencoder(Gaussian(gamma=0.2), landmarks=400, max_iter=2).fit(X)
    finally:
        gramian.set_memory_limit(None)
