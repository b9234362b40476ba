# SPDX-License-Identifier: BSD-3-Clause
"""EmbeddingClassifier: linear kernels and wide features, networks, searches that get nowhere."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse
from gramian import EmbeddingClassifier
from gramian.features import Features, Network, RandomFourierFeatures
from gramian.kernels import Gaussian, Linear, Polynomial
from iris import halves
from sklearn.exceptions import ConvergenceWarning


@pytest.fixture(scope="module")
def data():
    return halves()[0]


@pytest.fixture(scope="module")
def new():
    return halves()[1]


@pytest.mark.parametrize("learn", ["validation", "cv", "median", "rademacher", None])
def test_of_one_distinct_sample_nothing_is_learned(learn, data):
    X, y = data
    same = EmbeddingClassifier(learn=learn, penalty=0.02).fit(np.full((10, 4), 3.0), np.zeros(10))
    square = same.sensitivity_**2  # k(x, x)
    assert same.embedding(np.full((1, 4), 3.0)) == pytest.approx(square / (square + same.penalty_))
    assert learn == "rademacher" or (same.penalty_ == 0.02 and same.n_iter_ == 0)
    for kernel, points in ((None, X), ("precomputed", Gaussian(gamma=1e-3)(X))):
        alone = EmbeddingClassifier(kernel, learn=learn, max_iter=100).fit(points, y, sample_weight=np.eye(len(y))[3])
        assert set(alone.predict(points)) == {y[3]}


@pytest.mark.filterwarnings("ignore:.*did not converge:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("kernel", [Linear(), 1.7 * Linear()], ids=repr)
@pytest.mark.parametrize("learn", ["rademacher", "validation", None])
def test_a_linear_kernel_has_systems_of_as_many_rows_as_features(kernel, learn, data, new):
    X, y = data
    options = {"learn": learn, "max_iter": 30, "tol": 0.0, "random_state": 0}
    ours = EmbeddingClassifier(kernel, **options).fit(X, y)
    assert ours.dual_coef_.shape == (4, 3) and (ours.X_fit_ == np.eye(4)).all()
    # The same by the formulas, n x n, at what was learned.
    K, Y = ours.kernel_(X), (y[:, None] == ours.classes_).astype(float)
    V = np.linalg.solve(K + len(y) * ours.penalty_ * np.eye(len(y)), Y)
    np.testing.assert_allclose(ours.embedding(new[0]), ours.kernel_(new[0], X) @ V, atol=1e-8)
    assert ours.complexity_ == pytest.approx(np.sqrt(np.diagonal(K).max() * np.trace(V.T @ K @ V)), rel=1e-8)
    assert ours.risk_ == pytest.approx(-np.log(np.clip((K @ V)[Y == 1], 1e-15, 1)).mean(), rel=1e-8)


@pytest.mark.parametrize("learn", ["validation", "cv"])
def test_a_linear_kernel_takes_any_number_of_samples(learn):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60000, 8))
    y = X[:, 0] + 0.1 * rng.normal(size=len(X)) > 0
    model = EmbeddingClassifier("linear", learn=learn, random_state=0).fit(X, y)  # the Gram matrix would be 29 GB
    assert model.score(X, y) > 0.95 and model.X_fit_.shape == (8, 8)


def test_more_features_than_samples_take_no_system_of_features(data):
    X, y = data
    features = RandomFourierFeatures(Gaussian(gamma=0.3), n_features=30000)  # p x p would be 7 GB
    model = EmbeddingClassifier(features=features, learn=None).fit(X, y)
    exact = EmbeddingClassifier(Gaussian(gamma=0.3), learn=None).fit(X, y)
    assert np.abs(model.embedding(X) - exact.embedding(X)).max() < 0.05


@pytest.mark.parametrize("options", [{"learn": "erm"}, {}], ids=repr)
def test_a_search_that_can_take_no_step_says_so(options, data):
    with pytest.warns(ConvergenceWarning, match="without a value: lower learning_rate"):
        model = EmbeddingClassifier(learning_rate=1e6, patience=5, **options).fit(*data)
    assert model.stop_reason_ == "line_search" and model.n_iter_ >= 1
    history = model.history_
    assert (history["failures"][1:] == 11).all() and history["failures"][0] == 0
    assert {len(column) for column in history.values()} == {model.n_iter_ + 1}
    assert model.penalty_ == pytest.approx(1e-2)
    assert model.predict(data[0]).tolist() == EmbeddingClassifier(learn=None).fit(*data).predict(data[0]).tolist()


def test_steps_that_are_shortened_are_counted(data):
    polynomial = Polynomial(degree=2)
    model = EmbeddingClassifier(polynomial, learn="erm", penalty=0.1, learning_rate=40.0, max_iter=30)
    with pytest.warns(ConvergenceWarning):
        model.fit(data[0][:, :2], data[1])
    assert model.history_["failures"].sum() > 0 and np.isfinite(model.history_["value"]).all()


def test_a_linear_kernel_with_several_labels_at_one_point(data):
    X, y = data
    often = np.r_[X, X, X[:20]], np.r_[y, np.roll(y, 30), y[:20]]
    model = EmbeddingClassifier("linear", random_state=0, max_iter=20).fit(*often)
    K, Y = model.kernel_(often[0]), (often[1][:, None] == model.classes_).astype(float)
    V = np.linalg.solve(K + len(K) * model.penalty_ * np.eye(len(K)), Y)
    np.testing.assert_allclose(model.embedding(X), model.kernel_(X, often[0]) @ V, atol=1e-8)


@pytest.mark.parametrize("learn", ["rademacher", "validation", None])
def test_a_constant_classifier_is_told(learn, data):
    X, y = data
    X = np.vstack([X, X[:1]])
    y = np.append(np.where(np.arange(len(y)) % 25 == 0, "rare", "common"), "common")
    flat = {"kernel": Gaussian(gamma=1e-6), "learn": learn, "learning_rate": 1e-3, "max_iter": 3, "penalty": 10.0}
    with warnings.catch_warnings(), pytest.warns(ConvergenceWarning, match="constant classifier.* 2 classes"):
        warnings.filterwarnings("ignore", message=".*did not converge")
        model = EmbeddingClassifier(**flat).fit(X, y)
    assert set(model.predict(X)) == {"common"}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*did not converge")
        # Where no other is to be had: one class, or one point.
        EmbeddingClassifier(**flat).fit(X, np.full(len(y), "common"))
        EmbeddingClassifier(**flat).fit(X, y, sample_weight=(y == "common").astype(float))
        EmbeddingClassifier(**flat).fit(np.ones((4, 2)), [0, 0, 0, 1])
        EmbeddingClassifier(**flat).fit(scipy.sparse.csr_matrix(np.ones((4, 2))), [0, 0, 0, 1])


@pytest.mark.parametrize("learn", ["rademacher", "validation"])
def test_networks_of_sigmoids_learn(learn, data, new):
    low, high = data[0].min(axis=0), data[0].max(axis=0)
    unit = (data[0] - low) / (high - low), data[1]
    layers = [(16, "sigmoid"), (32, "sigmoid"), (8, "sigmoid")]
    model = EmbeddingClassifier(features=Network(layers), learn=learn, learning_rate=0.02, random_state=0)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*did not converge")
        # A constant classifier has a third, and would be told.
        least = {"validation": 0.85, "rademacher": 0.6}[learn]
        assert model.fit(*unit).score((new[0] - low) / (high - low), new[1]) > least
        # From weights that all samples look the same through nothing is learned, which is told.
        model.set_params(features=Network(layers, weight_deviation=0.1))
        if learn == "rademacher":
            with pytest.warns(ConvergenceWarning, match="constant classifier"):
                model.fit(*unit)


class OwnLayer(Features):
    """tanh(W x + b), of a user."""

    inputs, outputs, parameter_count = 4, 5, 25

    def start(self, seed):
        return Network([(5, "tanh")], weight_deviation=0.0).initial_parameters(4, seed=seed)

    def forward(self, theta, X, *, training, seed, step):
        self.X, self.Z = X, np.tanh(X @ theta[:20].reshape(5, 4).T + theta[20:])
        return self.Z

    def reverse(self, Zbar):
        inner = Zbar * (1 - self.Z**2)
        return np.concatenate([(inner.T @ self.X).ravel(), inner.sum(axis=0)])


@pytest.mark.filterwarnings("ignore:.*did not converge:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("learn", ["rademacher", "validation"])
@pytest.mark.parametrize("kernel", [None, Gaussian(gamma=0.3)], ids=repr)
def test_own_features_are_learned_as_those_of_the_engine(kernel, learn, data):
    options = {"kernel": kernel, "learn": learn, "sensitivity": 1.0, "max_iter": 25, "tol": 0.0, "random_state": 0}
    ours = EmbeddingClassifier(features=OwnLayer(), **options).fit(*data)
    theirs = EmbeddingClassifier(features=Network([(5, "tanh")], weight_deviation=0.0), **options).fit(*data)
    start = EmbeddingClassifier(features=OwnLayer(), **{**options, "learn": None}).fit(*data).theta_
    assert np.abs(ours.theta_ - start).max() > 0.3 and ours.score(*data) > 0.8
    np.testing.assert_allclose(ours.theta_, theirs.theta_, atol=1e-7)
    np.testing.assert_allclose(ours.embedding(data[0]), theirs.embedding(data[0]), atol=1e-7)
