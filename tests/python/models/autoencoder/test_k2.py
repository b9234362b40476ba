# SPDX-License-Identifier: BSD-3-Clause
"""K2Autoencoder: autoencoders in feature spaces, on vectors, sparse counts, and precomputed Gram matrices."""

from __future__ import annotations

import warnings

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import K2Autoencoder, KernelAutoencoder
from gramian.kernels import Cosine, Gaussian, Laplacian, Linear, Tanimoto
from scikit_checks import tags_of
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.preprocessing import StandardScaler
from structured_data import fingerprints, graph_gram, random_graphs, random_words

FIXED = {"kernels": [Gaussian(gamma=0.4), Gaussian(gamma=0.7)], "penalty": 1e-3, "tol": 1e-4}


@pytest.fixture(scope="module")
def data():
    return StandardScaler().fit_transform(load_iris().data[::3])


@pytest.fixture(scope="module")
def X(data):
    return data[::2]


@pytest.fixture(scope="module")
def new(data):
    return data[1::2]


@pytest.fixture(scope="module")
def fitted(X):
    return K2Autoencoder(input_kernel=Gaussian(gamma=0.2), **FIXED).fit(X)


def naive_distortion(model, K, cross, squares, codes, new_codes):
    """[KAE] App. B.7 by the formula."""
    n, (kernel, penalty) = len(K), (model.kernels_[-1], model.penalties_[-1])
    weights = kernel(new_codes, codes) @ np.linalg.inv(kernel(codes) + n * penalty * np.eye(n))
    return squares - 2 * (weights * cross).sum(axis=1) + ((weights @ K) * weights).sum(axis=1)


def test_a_linear_input_kernel_is_the_autoencoder_on_vectors(X, new):
    options = {**FIXED, "max_iter": 40, "tol": 1e-12}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = K2Autoencoder(input_kernel="linear", **options).fit(X)
        theirs = KernelAutoencoder(**options).fit(X)
    assert ours.objective_ == pytest.approx(theirs.objective_, rel=1e-6)
    np.testing.assert_allclose(ours.embedding_, theirs.embedding_, atol=1e-4)
    np.testing.assert_allclose(ours.transform(new), theirs.transform(new), atol=1e-4)
    np.testing.assert_allclose(ours.reconstruction_error(new), theirs.reconstruction_error(new), atol=1e-3)
    np.testing.assert_allclose(
        ours.inverse_transform(ours.embedding_), theirs.inverse_transform(theirs.embedding_), atol=1e-3
    )


def test_errors_are_those_of_the_formula(fitted, X, new):
    kernel = fitted.input_kernel_
    expected = naive_distortion(
        fitted, kernel(X), kernel(new, X), kernel.diag(new), fitted.embedding_, fitted.transform(new)
    )
    np.testing.assert_allclose(fitted.reconstruction_error(new), expected, atol=1e-8)
    assert fitted.score(new) == pytest.approx(-expected.mean(), abs=1e-8)
    assert fitted.score(X) == pytest.approx(-fitted.distortion_, rel=1e-5)
    np.testing.assert_allclose(fitted.factor_ @ fitted.factor_.T, kernel(X), atol=1e-9)
    np.testing.assert_allclose(fitted.transform(X), fitted.embedding_, atol=1e-9)


def test_precomputed_is_the_kernel_itself(fitted, X, new):
    kernel = fitted.input_kernel_
    model = K2Autoencoder(input_kernel="precomputed", **FIXED).fit(kernel(X))
    np.testing.assert_array_equal(model.embedding_, fitted.embedding_)
    np.testing.assert_allclose(model.transform(kernel(X)), model.embedding_, atol=1e-12)
    np.testing.assert_array_equal(model.transform(kernel(new, X)), fitted.transform(new))
    np.testing.assert_array_equal(model.transform(kernel(new, X), diag=np.ones(len(new))), fitted.transform(new))
    np.testing.assert_array_equal(model.reconstruction_error(kernel(new, X)), fitted.reconstruction_error(new))
    assert model.score(kernel(new, X)) == fitted.score(new)
    np.testing.assert_array_equal(model.nearest(model.embedding_), fitted.nearest(fitted.embedding_))
    assert model.X_fit_ is None and model.n_features_in_ == len(X)
    with pytest.raises(ValueError, match="nearest"):
        model.inverse_transform(model.embedding_)


def test_a_diagonal_that_is_unknown_is_asked_for(X, new):
    K = X @ X.T + 1.0
    model = K2Autoencoder(input_kernel="precomputed", **FIXED).fit(K)
    with pytest.raises(ValueError, match="diag"):
        model.transform(new @ X.T + 1.0)
    with pytest.raises(ValueError, match="diag"):
        model.score(new @ X.T + 1.0)
    squares = (new**2).sum(axis=1) + 1.0
    assert np.isfinite(model.score(new @ X.T + 1.0, diag=squares))
    np.testing.assert_allclose(model.transform(K, diag=np.diagonal(K)), model.embedding_, atol=1e-9)
    for wrong in (squares[:-1], -squares, squares * np.nan):
        with pytest.raises(ValueError, match="diag"):
            model.transform(new @ X.T + 1.0, diag=wrong)


def test_sparse_and_dense_are_the_same(X, new):
    sparse = scipy.sparse.csr_matrix(np.where(np.abs(X) > 0.5, X, 0.0))
    later = scipy.sparse.csr_array(np.where(np.abs(new) > 0.5, new, 0.0))
    for kernel in (Gaussian(gamma=0.3), "linear", None):
        ours = K2Autoencoder(input_kernel=kernel, **FIXED).fit(sparse)
        theirs = K2Autoencoder(input_kernel=kernel, **FIXED).fit(sparse.toarray())
        assert ours.objective_ == pytest.approx(theirs.objective_, rel=1e-2)
        np.testing.assert_allclose(ours.transform(later), ours.transform(later.toarray()), atol=1e-9)
        np.testing.assert_allclose(theirs.transform(later), theirs.transform(later.toarray()), atol=1e-9)
        assert np.isfinite(ours.score(later))
        assert ours.nearest(ours.embedding_, candidates=later).max() < len(new)


def test_the_median_rule(X):
    model = K2Autoencoder(max_iter=3, tol=1.0).fit(X)
    distances = ((X[:, None] - X[None]) ** 2).sum(axis=2)[np.triu_indices(len(X), 1)]
    assert model.input_kernel_.gamma == pytest.approx(1 / np.sort(distances)[len(distances) // 2], rel=1e-9)
    assert model.input_kernel_ == KernelAutoencoder(kernels="rbf", max_iter=3, tol=1.0).fit(X).kernels_[0]


def test_codes_lead_back_to_their_samples(X):
    model = K2Autoencoder(hidden=(4,), input_kernel=Gaussian(gamma=0.2), penalty=[1e-6, 1e-7], tol=1e-4).fit(X)
    rows = model.nearest(model.embedding_)
    same = [(X[i] == X[row]).all() for i, row in enumerate(rows)]
    assert np.mean(same) > 0.9
    np.testing.assert_array_equal(model.nearest(model.embedding_, candidates=X), rows)
    weights = model.reconstruction_weights(model.embedding_)
    assert weights.shape == (len(X), len(X))
    distances = 1.0 - 2.0 * weights @ model.input_kernel_(X)
    np.testing.assert_array_equal(np.argmin(distances, axis=1), rows)
    back = model.inverse_transform(model.embedding_)
    assert back.shape == X.shape
    assert ((back - X) ** 2).sum() < 0.1 * ((X - X.mean(axis=0)) ** 2).sum()


@pytest.mark.parametrize("kernel", [Gaussian(gamma=[0.2, 0.1, 0.3, 0.2]), Gaussian(length_scale=1.6)], ids=repr)
def test_preimages_follow_the_widths(X, kernel):
    model = K2Autoencoder(hidden=(3,), input_kernel=kernel, penalty=1e-5).fit(X)
    found = model.inverse_transform(model.embedding_)
    nearest = X[model.nearest(model.embedding_)]
    weights = model.reconstruction_weights(model.embedding_)
    response = (weights * kernel(found, X)).sum(axis=1)
    assert (response >= (weights * kernel(nearest, X)).sum(axis=1) - 1e-9).all()
    for step in (1e-3, -1e-3):
        for axis in range(X.shape[1]):
            moved = found.copy()
            moved[:, axis] += step
            assert ((weights * kernel(moved, X)).sum(axis=1) <= response + 1e-9).all()


def test_other_kernels_lead_back_to_the_nearest_sample(X):
    model = K2Autoencoder(input_kernel=Laplacian(gamma=0.2), **FIXED).fit(X)
    np.testing.assert_array_equal(model.inverse_transform(model.embedding_), X[model.nearest(model.embedding_)])


def test_deeper_ones_have_codes_in_the_middle(X, new):
    model = K2Autoencoder(hidden=(3, 1, 2), input_kernel=Gaussian(gamma=0.2), penalty=1e-4, tol=1e-3).fit(X)
    assert model.transform(new).shape == (len(new), 1)
    assert model.score(X) == pytest.approx(-model.distortion_, rel=1e-4)


def test_landmarks(X, new, fitted):
    whole = K2Autoencoder(input_kernel=Gaussian(gamma=0.2), landmarks=len(X), **FIXED).fit(X)
    assert whole.objective_ == pytest.approx(fitted.objective_, rel=1e-2)
    model = K2Autoencoder(input_kernel=Gaussian(gamma=0.2), landmarks=12, random_state=0, **FIXED).fit(X)
    assert len(model.landmarks_) == 12 and model.embedding_.shape == (len(X), 2)
    np.testing.assert_allclose(model.transform(X), model.embedding_, atol=1e-9)
    assert model.score(X) == pytest.approx(-model.distortion_, rel=1e-4)
    assert fitted.objective_ - 1e-6 <= model.objective_
    assert (model.nearest(model.embedding_) < len(X)).all()
    K = model.input_kernel_(X)
    again = K2Autoencoder(input_kernel="precomputed", landmarks=model.landmarks_, **FIXED).fit(K)
    np.testing.assert_allclose(again.transform(K), model.embedding_, atol=1e-9)


@pytest.mark.parametrize("solver", ["adam", "gd", "alternating"])
def test_other_solvers_come_close(X, fitted, solver):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = K2Autoencoder(
            input_kernel=Gaussian(gamma=0.2), solver=solver, learning_rate=0.02, inner_steps=5, max_iter=1000, **FIXED
        ).fit(X)
    assert model.objective_ < 1.2 * fitted.objective_


def test_a_warm_start_continues(X):
    model = K2Autoencoder(max_iter=4, tol=1e-9, warm_start=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = model.fit(X).objective_
        assert model.fit(X).objective_ <= first
    assert model.history_["value"][0] == pytest.approx(first, rel=1e-6)


@pytest.mark.filterwarnings("ignore:The codes of .* have collapsed")  # with the largest penalty
def test_cross_validation_cuts_the_gram(X):
    search = GridSearchCV(
        K2Autoencoder(input_kernel="precomputed", kernels=Gaussian(), tol=1e-2),
        {"penalty": [1e-4, 1e2], "kernels__gamma": [0.5]},
        cv=KFold(3, shuffle=True, random_state=0),
    ).fit(Gaussian(gamma=0.2)(X))
    assert search.best_params_["penalty"] == 1e-4


def test_words(rng):
    words = random_words(60, rng)
    counts = CountVectorizer(analyzer="char", ngram_range=(1, 2)).fit_transform(words).astype(float)
    model = K2Autoencoder(hidden=(2,), input_kernel=Cosine(), penalty=1e-4, tol=1e-3).fit(counts[:40])
    codes, language = model.transform(counts), np.arange(60) % 2
    assert LogisticRegression().fit(codes[:40], language[:40]).score(codes[40:], language[40:]) > 0.8
    assert scipy.sparse.issparse(model.inverse_transform(codes[:3]))


def test_graphs(rng):
    graphs, ring = random_graphs(50, rng)
    train, test = graphs[:36], graphs[36:]
    model = K2Autoencoder(input_kernel="precomputed", penalty=1e-4, tol=1e-3).fit(graph_gram(train, train))
    codes = model.transform(graph_gram(test, train))
    assert LogisticRegression().fit(model.embedding_, ring[:36]).score(codes, ring[36:]) > 0.8
    found = model.nearest(codes, candidates=graph_gram(test, train))
    assert np.mean(ring[36:][found] == ring[36:]) > 0.8


def test_fingerprints(rng):
    X, kinds = fingerprints(80, rng)
    model = K2Autoencoder(input_kernel=Tanimoto(), hidden=(3,), penalty=1e-4, tol=1e-3).fit(X[:60])
    centres = np.array([model.embedding_[kinds[:60] == kind].mean(axis=0) for kind in range(4)])
    codes = model.transform(X[60:])
    nearest = ((codes[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    assert np.mean(nearest == kinds[60:]) > 0.9


@pytest.mark.parametrize(
    ("options", "K", "error", "message"),
    [
        ({}, np.ones((3, 4)), ValueError, "square"),
        ({}, np.array([[1.0, 0.5], [0.4, 1.0]]), ValueError, "symmetric"),
        ({}, np.array([[1.0, 2.0], [2.0, 1.0]]), ValueError, "semidefinite"),
        ({}, np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.9], [0.0, 0.9, 1.0]]), ValueError, "semidefinite"),
        ({}, np.array([[-1.0, 0.0], [0.0, 1.0]]), ValueError, "at least 0"),
        ({}, np.zeros((3, 3)), ValueError, "zero"),
        ({}, np.full((3, 3), np.nan), ValueError, "NaN"),
        ({}, np.ones((1, 1)), ValueError, "minimum of 2"),
        ({"penalty": 0.0}, np.eye(3), ValueError, "penalty"),
        ({"penalty": [1.0, 0.0]}, np.eye(3), ValueError, r"penalty\[1\]"),
        (
            {"kernels": [Gaussian(gamma=[1.0, 2.0]), None]},
            np.eye(3),
            (TypeError, ValueError),
            "gamma|coordinates|features",
        ),
        ({"input_kernel": "rfb"}, np.eye(3), ValueError, "input_kernel"),
        ({"solver": "sgd"}, np.eye(3), ValueError, "solver"),
    ],
    ids=repr,
)
def test_bad_input_is_named(options, K, error, message):
    with pytest.raises(error, match=message):
        K2Autoencoder(**{"input_kernel": "precomputed", **options}).fit(K)


def test_more_bad_input_is_named(fitted, X):
    with pytest.raises(NotFittedError):
        clone(fitted).transform(X)
    with pytest.raises(ValueError, match="features"):
        fitted.transform(X[:, :2])
    with pytest.raises(ValueError, match="diag"):
        fitted.transform(X, diag=np.ones(len(X)))
    with pytest.raises(ValueError, match="codes"):
        fitted.nearest(X)
    with pytest.raises(ValueError, match="A"):
        K2Autoencoder(A=[None, [1.0]], **FIXED).fit(X)
    with pytest.raises(TypeError, match="[Ss]parse"):
        K2Autoencoder(input_kernel="precomputed").fit(scipy.sparse.csr_matrix(np.eye(4)))


def test_tags():
    assert tags_of(K2Autoencoder(input_kernel="precomputed")).pairwise
    assert not tags_of(K2Autoencoder()).pairwise
    assert tags_of(K2Autoencoder()).sparse
    assert not tags_of(KernelAutoencoder()).sparse
    assert gramian.K2Autoencoder is K2Autoencoder
    assert K2Autoencoder(input_kernel=Linear()).input_kernel == Linear()
