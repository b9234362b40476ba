# SPDX-License-Identifier: BSD-3-Clause
"""Learned classifiers made small: what is left is a ridge regression on what is left, and the more the better."""

from __future__ import annotations

import pickle
import runpy
from pathlib import Path
from types import SimpleNamespace

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import ConditionalMeanEmbedding, EmbeddingClassifier
from gramian.features import Features, Network, RandomFourierFeatures
from gramian.kernels import Delta, Gaussian, Laplacian, Linear, Matern, Tanimoto
from gramian.models import CompressedClassifier, compress
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import StandardScaler

PENALTY = 1e-3
KERNEL = Gaussian(gamma=0.2)


@pytest.fixture(scope="module")
def data():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), np.array(["setosa", "versicolor", "virginica"])[y]


@pytest.fixture(scope="module")
def fitted(data):
    return ConditionalMeanEmbedding(KERNEL, Delta(), penalty=PENALTY).fit(data[0][::2], data[1][::2])


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    model = ConditionalMeanEmbedding(Gaussian(length_scale=20.0), Delta(), penalty=1e-6).fit(X[:1000], y[:1000])
    return model, X[1000:], y[1000:]


def fitted_on(data):
    return ConditionalMeanEmbedding(KERNEL, Delta(), penalty=PENALTY).fit(*data)


def test_what_is_left_is_a_ridge_regression_on_few_samples(fitted, data):
    X, y, new = data[0][::2], data[1][::2], data[0][1::2]
    small = compress(fitted, 20)
    S = small.supports
    K_XS, K_SS, one_hot = KERNEL(X, S), KERNEL(S), (y[:, None] == np.unique(y)).astype(float)
    system = K_XS.T @ K_XS + len(X) * PENALTY * K_SS
    expected = KERNEL(new, S) @ np.linalg.solve(system, K_XS.T @ one_hot)
    np.testing.assert_allclose(small.embedding(new), expected, atol=1e-7)
    assert S.shape == (20, 4) and len(np.unique(S, axis=0)) == 20
    assert all((row == X).all(axis=1).any() for row in S)


@pytest.mark.parametrize("method", ["herding", "random_features"])
@pytest.mark.parametrize("by_class", [None, {"setosa": 7.0, "versicolor": 0.5}, "balanced"], ids=str)
def test_weights_count_in_what_is_left(data, method, by_class):
    X, y, new = data[0][::2], data[1][::2], data[0][1::2]
    own = 1.0 + np.arange(75) % 4
    model = EmbeddingClassifier(KERNEL, learn=None, penalty=PENALTY, class_weight=by_class).fit(X, y, sample_weight=own)
    factors = dict.fromkeys(np.unique(y), 1.0) | (by_class if isinstance(by_class, dict) else {})
    if by_class == "balanced":
        factors = {name: own.sum() / 3 / own[y == name].sum() for name in factors}
    w = own * [factors[name] for name in y]
    small = compress(model, 20, method, random_state=0)
    Y = (y[:, None] == np.unique(y)).astype(float)
    if method == "herding":
        S = small.supports
        F, penalty, fresh = KERNEL(X, S), KERNEL(S), KERNEL(new, S)
    else:
        features = gramian.features.RandomFourierFeatures(KERNEL, n_features=20, seed=small.seed)
        F, fresh = features.transform(X), features.transform(new)
        penalty = np.eye(20)
    wanted = fresh @ np.linalg.solve(F.T @ (w[:, None] * F) + w.sum() * PENALTY * penalty, F.T @ (w[:, None] * Y))
    np.testing.assert_allclose(small.embedding(new), wanted, atol=1e-7)
    if method == "herding":
        whole = compress(model, len(model.X_fit_))
        np.testing.assert_allclose(whole.embedding(new), model.embedding(new), atol=1e-6)


def test_a_repeated_sample_is_one_that_weighs_more(data):
    X, y = data[0][::2], data[1][::2]
    times = 1 + np.arange(75) % 4
    often = EmbeddingClassifier(KERNEL, learn=None, penalty=PENALTY).fit(
        np.repeat(X, times, axis=0), np.repeat(y, times)
    )
    small = compress(often, 30)
    S, Y = small.supports, (y[:, None] == np.unique(y)).astype(float)
    F = KERNEL(X, S)
    system = F.T @ (times[:, None] * F) + times.sum() * PENALTY * KERNEL(S)
    wanted = KERNEL(data[0], S) @ np.linalg.solve(system, F.T @ (times[:, None] * Y))
    np.testing.assert_allclose(small.embedding(data[0]), wanted, atol=1e-7)


def test_heavy_classes_keep_more_samples(data):
    X, y = data
    model = EmbeddingClassifier(KERNEL, learn=None, class_weight={"virginica": 20.0}).fit(X, y)
    kept = compress(model, 30).supports
    assert sum((row == X[y == "virginica"]).all(axis=1).any() for row in kept) > 20


def test_entropies_are_those_of_the_classifier(data):
    X, y = data
    model = EmbeddingClassifier(KERNEL, learn=None).fit(X, y)
    small = compress(model, len(model.X_fit_))
    for method in ("clip", "expected"):
        np.testing.assert_allclose(small.entropy(X, method), model.entropy(X, method), atol=1e-5)
    with pytest.raises(ValueError, match="method"):
        small.entropy(X, "plain")


def test_a_linear_kernel_is_small_already(data):
    X, y = data
    model = EmbeddingClassifier("linear", learn=None).fit(X, y)
    np.testing.assert_array_equal(compress(model, 4).embedding(X), model.embedding(X))
    with pytest.raises(ValueError, match="size of at least 4"):
        compress(model, 3)


def test_with_all_samples_nothing_changes(fitted, data):
    new = data[0][1::2]
    small = compress(fitted, 75)
    np.testing.assert_allclose(small.embedding(new), fitted.evaluate(new, small.classes), atol=1e-6)


def test_probabilities_are_clipped_and_normalised(fitted, data):
    small = compress(fitted, 20)
    new = np.vstack([data[0][1::2], np.full((1, 4), 1e6)])
    decision, found = small.embedding(new), small.predict_proba(new)
    clipped = np.maximum(decision[:-1], 0)
    np.testing.assert_allclose(found[:-1], clipped / clipped.sum(axis=1, keepdims=True), rtol=1e-14)
    np.testing.assert_array_equal(found[-1], 1 / 3)
    np.testing.assert_array_equal(small.predict(new), small.classes[decision.argmax(axis=1)])
    np.testing.assert_array_equal(small.classes_[found[:-1].argmax(axis=1)], small.predict(new)[:-1])
    assert set(small.predict(new)) == {"setosa", "versicolor", "virginica"}
    assert small.score(data[0][1::2], data[1][1::2]) > 0.9


@pytest.mark.parametrize("method", ["herding", "random_features"])
def test_larger_ones_come_closer(digits, method):
    model, X, y = digits
    exact = model.evaluate(X, np.arange(10))
    errors, scores = [], []
    for size in (20, 100, 500):
        small = compress(model, size, method, random_state=0)
        assert small.coefficients.shape == (size, 10)
        errors.append(np.sqrt(np.mean((small.embedding(X) - exact) ** 2)))
        scores.append(small.score(X, y))
    assert errors == sorted(errors, reverse=True)
    assert scores == sorted(scores)


@pytest.mark.parametrize(
    "kernel",
    [Matern(nu=1.5, length_scale=2.0), Laplacian(gamma=0.2), 2.0 * Gaussian(length_scale=[1.0, 1.0, 2.0, 2.0])],
    ids=repr,
)
def test_random_features_of_other_kernels(data, kernel):
    X, y = data
    model = ConditionalMeanEmbedding(kernel, Delta(), penalty=PENALTY).fit(X[::2], y[::2])
    small = compress(model, 2000, "random_features", random_state=0)
    exact = model.evaluate(X, small.classes)
    tiny = np.linalg.norm(compress(model, 20, "random_features", random_state=0).embedding(X) - exact)
    # Their error falls with the root of their number: by 10 here, were it not for the ridge.
    assert np.linalg.norm(small.embedding(X) - exact) < tiny / 3
    twin, other = (
        compress(model, 2000, "random_features", random_state=0),
        compress(model, 2000, "random_features", random_state=1),
    )
    np.testing.assert_array_equal(twin.coefficients, small.coefficients)
    assert (other.coefficients != small.coefficients).any()
    assert small.supports is None


def test_any_kernel_and_sparse_data(rng):
    X = (rng.random((80, 30)) < 0.3).astype(float)
    y = (X[:, :5].sum(axis=1) > 1).astype(int)
    model = ConditionalMeanEmbedding(Tanimoto(), Delta(), penalty=1e-2).fit(scipy.sparse.csr_matrix(X), y)
    small = compress(model, 40)
    dense = compress(ConditionalMeanEmbedding(Tanimoto(), Delta(), penalty=1e-2).fit(X, y), 40)
    assert scipy.sparse.issparse(small.supports)
    np.testing.assert_allclose(small.embedding(X), dense.embedding(X), atol=1e-9)
    np.testing.assert_allclose(small.embedding(scipy.sparse.csr_matrix(X)), dense.embedding(X), atol=1e-9)


def test_any_classifier_that_is_a_sum_over_samples(fitted, data):
    one_hot = (fitted.Y_fit_[:, None] == np.unique(fitted.Y_fit_)).astype(float)
    system = KERNEL(fitted.X_fit_) + 75 * PENALTY * np.eye(75)

    class Other(BaseEstimator):
        def fit(self, X, y):
            return self

    other = Other()
    other.kernel_, other.X_fit_, other.penalty_ = KERNEL, fitted.X_fit_, PENALTY
    other.dual_coef_, other.classes_ = np.linalg.solve(system, one_hot), np.unique(fitted.Y_fit_)
    np.testing.assert_allclose(
        compress(other, 20).embedding(data[0]), compress(fitted, 20).embedding(data[0]), atol=1e-8
    )


@pytest.mark.parametrize("method", ["herding", "random_features"])
def test_it_is_its_parameters(fitted, data, method):
    small = compress(fitted, 20, method, random_state=0)
    before = small.predict_proba(data[0]).tobytes()
    for twin in (clone(small), pickle.loads(pickle.dumps(small))):
        assert twin.predict_proba(data[0]).tobytes() == before
    assert is_classifier(small) and small.n_features_in_ == 4
    assert isinstance(small, CompressedClassifier)
    for threads in (1, 2, 7):
        gramian.set_num_threads(threads)
        assert compress(fitted, 20, method, random_state=0).predict_proba(data[0]).tobytes() == before


def test_two_classes_have_one_decision(data):
    X, y = data[0][:100], data[1][:100]
    small = compress(ConditionalMeanEmbedding(KERNEL, Delta(), penalty=PENALTY).fit(X, y), 10)
    P = small.predict_proba(X)
    np.testing.assert_allclose(small.decision_function(X), P[:, 1] - P[:, 0], rtol=0, atol=1e-15)
    np.testing.assert_array_equal(small.predict(X) == small.classes_[1], small.decision_function(X) > 0)
    assert compress(fitted_on(data), 10).decision_function(X).shape == (100, 3)


def test_the_decision_of_two_classes_is_that_of_the_original(data):
    """The estimates do not add up to 1 where little is known: their difference is another number."""
    X, y = data[0][:100], data[1][:100]
    for way in ("calibrated", "clip"):
        model = gramian.EmbeddingClassifier(KERNEL, learn=None, penalty=PENALTY, probabilities=way).fit(X[::2], y[::2])
        whole, away = compress(model, len(model.X_fit_)), X + 1.0
        decision = model.decision_function(away)
        np.testing.assert_allclose(whole.decision_function(away), decision, atol=1e-5)
        f = model.embedding(away)
        assert (np.abs(decision - (f[:, 1] - f[:, 0])).max() > 0.01) == (way == "clip")


def test_logarithms_of_probabilities(data):
    small = compress(fitted_on(data), 10)
    P, logarithms = small.predict_proba(data[0]), small.predict_log_proba(data[0])
    assert (P == 0).any() and (np.isneginf(logarithms) == (P == 0)).all()
    np.testing.assert_allclose(np.exp(logarithms), P, rtol=1e-12)


@pytest.mark.parametrize("learn", ["validation", "median"])
def test_embedding_classifiers(data, learn):
    X, y = data
    model = gramian.EmbeddingClassifier(learn=learn, max_iter=20, random_state=0).fit(X[::2], y[::2])
    whole = compress(model, len(model.X_fit_))
    np.testing.assert_allclose(whole.embedding(X), model.embedding(X), atol=1e-5)
    np.testing.assert_allclose(whole.decision_function(X), model.decision_function(X), atol=1e-5)
    np.testing.assert_allclose(whole.predict_proba(X), model.predict_proba(X), atol=1e-4)
    small = compress(model, 20)
    assert small.score(X[1::2], y[1::2]) > model.score(X[1::2], y[1::2]) - 0.05
    assert small.kernel == model.kernel_


NETWORK = Network([(12, "tanh"), (6, "tanh")], weight_deviation=0.0)


@pytest.fixture(scope="module")
def on_network(data):
    options = {"learning_rate": 0.03, "max_iter": 60, "random_state": 0}
    return EmbeddingClassifier(Gaussian(), features=NETWORK, **options).fit(data[0][::2], data[1][::2])


@pytest.mark.parametrize("method", ["herding", "random_features"])
def test_a_kernel_on_features_is_compressed_on_what_it_sees(on_network, data, method):
    X, new = on_network.X_fit_, data[0][1::2]
    Z, Z_new = NETWORK.transform(X, on_network.theta_), NETWORK.transform(new, on_network.theta_)
    plain = EmbeddingClassifier(on_network.kernel_, learn=None, penalty=on_network.penalty_).fit(
        Z, on_network.predict(X)
    )
    plain.X_fit_, plain.dual_coef_, plain.classes_ = Z, on_network.dual_coef_, on_network.classes_
    small, expected = compress(on_network, 20, method, random_state=0), compress(plain, 20, method, random_state=0)
    np.testing.assert_allclose(small.embedding(new), expected.embedding(Z_new), atol=1e-9)
    np.testing.assert_allclose(small.coefficients, expected.coefficients, rtol=1e-9)
    assert small.score(new, data[1][1::2]) > 0.9
    assert small.features == NETWORK and small.n_features_in_ == 4
    # Without the network it is another function.
    small.set_params(theta=NETWORK.initial_parameters(4, seed=1))
    assert np.abs(small.embedding(new) - expected.embedding(Z_new)).max() > 0.1


def test_on_features_with_all_samples_nothing_changes(on_network, data):
    whole = compress(on_network, len(on_network.X_fit_))
    np.testing.assert_allclose(whole.embedding(data[0]), on_network.embedding(data[0]), atol=1e-5)
    np.testing.assert_array_equal(whole.supports, on_network.X_fit_)
    many = np.tile(data[0][:3], (1500, 1))  # more than are looked at together
    few, small = data[0][:3], compress(on_network, 200, "random_features", random_state=0)
    np.testing.assert_allclose(small.embedding(many), np.tile(small.embedding(few), (1500, 1)), rtol=1e-12)
    assert np.abs(small.embedding(few) - on_network.embedding(few)).max() < 0.1


class Products(Features):
    """Features of one's own: nothing to learn."""

    inputs, outputs, parameter_count = 4, 10, 0

    def start(self, seed):
        return np.zeros(0)

    def forward(self, theta, X, *, training, seed, step):
        rows, columns = np.triu_indices(4)
        return X[:, rows] * X[:, columns]

    def reverse(self, Zbar):
        return np.zeros(0)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "features",
    [NETWORK, RandomFourierFeatures(Gaussian(gamma=0.3), n_features=30), Products()],
    ids=lambda f: repr(f)[:8],
)
def test_features_alone_are_small_already(data, features):
    X, y = data
    model = EmbeddingClassifier(features=features, learning_rate=0.03, max_iter=20, random_state=0).fit(X[::2], y[::2])
    count = len(model.dual_coef_)
    small = compress(model, count)
    for method in ("embedding", "predict_proba", "decision_function", "predict"):
        np.testing.assert_array_equal(getattr(small, method)(X), getattr(model, method)(X))
    assert small.kernel is None and small.supports is None and small.coefficients.shape == (count, 3)
    for twin in (clone(small), pickle.loads(pickle.dumps(small))):
        assert twin.predict_proba(X).tobytes() == small.predict_proba(X).tobytes()
    with pytest.raises(ValueError, match=f"size of at least {count}"):
        compress(model, count - 1)


def test_bad_input_is_named(fitted, data):
    X, y = data
    for size, error in ((0, ValueError), (76, ValueError), (2.5, TypeError)):
        with pytest.raises(error, match="size"):
            compress(fitted, size)
    with pytest.raises(ValueError, match="method"):
        compress(fitted, 10, "pruning")
    with pytest.raises(ValueError, match="even"):
        compress(fitted, 11, "random_features", random_state=0)
    with pytest.raises(ValueError, match="spectrum"):
        compress(ConditionalMeanEmbedding(Linear(), Delta()).fit(X, y), 10, "random_features")
    with pytest.raises(NotFittedError):
        compress(ConditionalMeanEmbedding(KERNEL, Delta()), 10)
    with pytest.raises(TypeError, match="Delta"):
        compress(ConditionalMeanEmbedding(KERNEL).fit(X, X[:, 0]), 10)
    with pytest.raises(TypeError, match="ConditionalMeanEmbedding can't be compressed"):
        compress(ConditionalMeanEmbedding("precomputed", Delta()).fit(KERNEL(X), y), 10)
    with pytest.raises(TypeError):
        compress(SimpleNamespace(), 10)
    other = ConditionalMeanEmbedding(KERNEL, Delta()).fit(X, y)
    other.features = NETWORK
    with pytest.raises(TypeError, match="features"):
        compress(other, 10)
    small = compress(fitted, 10)
    with pytest.raises(ValueError, match="features"):
        small.predict(X[:, :2])
    with pytest.raises(TypeError, match="[Ss]parse"):
        compress(fitted, 10, "random_features", random_state=0).predict(scipy.sparse.csr_matrix(X))


def test_the_example_compares_both_methods(digits):
    example = runpy.run_path(str(Path(__file__).parents[4] / "examples" / "python" / "compression_table.py"))
    small, large = example["rows"](*digits, sizes=(20, 100))
    for method in ("herding", "random_features"):
        assert small[method][0] < large[method][0] and small[method][1] > large[method][1]
    # What the table is there to show.
    assert large["herding"][0] > large["random_features"][0]
