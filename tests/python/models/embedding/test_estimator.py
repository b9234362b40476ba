# SPDX-License-Identifier: BSD-3-Clause
"""EmbeddingClassifier: its formulas, each way to learn, weights, and what supports it."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian import EmbeddingClassifier
from gramian.features import Network, RandomFourierFeatures
from gramian.kernels import Gaussian, Laplacian, Linear, Matern, Polynomial, RationalQuadratic
from iris import halves
from sklearn.datasets import load_digits, load_iris, make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

GIVEN = {"kernel": 1.3 * Gaussian(gamma=0.4), "learn": None, "penalty": 0.02}


@pytest.fixture(scope="module")
def data():
    return halves()[0]


@pytest.fixture(scope="module")
def new():
    return halves()[1]


def naive(X, y, new, weights=None):
    """f(x) and r of the kernel above, by the formulas."""
    w = np.ones(len(y)) if weights is None else weights
    kernel, Y = GIVEN["kernel"], (y[:, None] == np.unique(y)).astype(float)
    K, D = kernel(X), np.diag(np.sqrt(w))
    V = D @ np.linalg.solve(D @ K @ D + w.sum() * GIVEN["penalty"] * np.eye(len(y)), D @ Y)
    return kernel(new, X) @ V, np.sqrt(1.3 * np.trace(V.T @ K @ V)), (K @ V)[Y == 1]


def test_everything_is_its_formula(data, new):
    model = EmbeddingClassifier(**GIVEN, probabilities="clip").fit(*data)
    f, r, own = naive(*data, new[0])
    np.testing.assert_allclose(model.embedding(new[0]), f, atol=1e-12)
    np.testing.assert_allclose(model.decision_function(new[0]), f, atol=1e-12)
    clipped = np.maximum(f, 0)
    P = clipped / clipped.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(new[0]), P, atol=1e-12)
    np.testing.assert_array_equal(model.predict(new[0]), np.unique(data[1])[f.argmax(axis=1)])
    with np.errstate(divide="ignore", invalid="ignore"):
        np.testing.assert_allclose(model.entropy(new[0]), -np.nansum(P * np.log(P), axis=1), atol=1e-10)
        expected = -np.where(f > 0, f * np.log(f), 0.0).sum(axis=1)
    np.testing.assert_allclose(model.entropy(new[0], method="expected"), expected, atol=1e-10)
    assert model.complexity_ == pytest.approx(r, rel=1e-9)
    assert model.sensitivity_ == pytest.approx(np.sqrt(1.3))
    assert model.risk_ == pytest.approx(-np.log(np.clip(own, 1e-15, 1)).mean(), rel=1e-9)
    bound = model.risk_ + 4 * np.e * r + np.sqrt(8 / len(data[1]) * np.log(2 / 0.1))
    assert model.risk_bound(0.1) == pytest.approx(bound)
    assert model.kernel_ == GIVEN["kernel"] and model.penalty_ == 0.02
    assert model.jitter_ == 0.0 and model.X_fit_.shape[0] == len(model.dual_coef_)


def test_logarithms_of_probabilities(data):
    model = EmbeddingClassifier(**GIVEN, probabilities="clip").fit(*data)
    P, logarithms = model.predict_proba(data[0]), model.predict_log_proba(data[0])  # a warning would be an error
    assert (P == 0).any() and (np.isneginf(logarithms) == (P == 0)).all()
    np.testing.assert_allclose(np.exp(logarithms), P, rtol=1e-12)
    assert np.isfinite(cross_val_score(model, *data, scoring="neg_log_loss")).all()


def test_relevances_are_inverse_length_scales(data):
    X, y = data
    lengths = np.array([0.5, 1.0, 2.0, 4.0])
    model = EmbeddingClassifier(2.0 * Gaussian(length_scale=lengths) + Linear(), learn=None).fit(X, y)
    np.testing.assert_allclose(model.relevances_, 1 / lengths)
    learned = EmbeddingClassifier(max_iter=20, random_state=0).fit(X, y)
    np.testing.assert_allclose(learned.relevances_, 1 / learned.kernel_.kernel.length_scale)
    network = Network([(4, "tanh")])
    for options in (
        {"kernel": Gaussian(gamma=0.3)},
        {"kernel": "linear"},
        {"features": network},
        {"kernel": Gaussian(length_scale=lengths), "features": network},  # widths of what the network gives
    ):
        assert EmbeddingClassifier(**options, learn=None).fit(X, y).relevances_ is None
    assert EmbeddingClassifier("precomputed", learn=None).fit(Gaussian(0.3)(X), y).relevances_ is None


def test_two_classes_have_one_decision(data, new):
    two, later = data[1] != "setosa", new[1] != "setosa"
    model = EmbeddingClassifier(random_state=0, probabilities="clip").fit(data[0][two], data[1][two])
    f, decision = model.embedding(new[0][later]), model.decision_function(new[0][later])
    P = model.predict_proba(new[0][later])
    np.testing.assert_allclose(decision, P[:, 1] - P[:, 0], atol=1e-300)
    np.testing.assert_array_equal(model.predict(new[0][later]), model.classes_[(decision > 0).astype(int)])
    np.testing.assert_array_equal(decision > 0, f[:, 1] > f[:, 0])
    far = 1e3 * np.random.default_rng(0).normal(size=(50, 4))  # where nothing is known
    decision = model.decision_function(far)
    np.testing.assert_array_equal(model.predict(far), model.classes_[(decision > 0).astype(int)])


def assert_same_in_another_order(ours, theirs, new):
    """All that was learned has the same bits; predictions are sums in another order."""
    assert ours.risk_bound() == theirs.risk_bound() and ours.objective_ == theirs.objective_
    assert ours.kernel_ == theirs.kernel_ and np.array_equal(ours.theta_, theirs.theta_)
    np.testing.assert_array_equal(np.unique(ours.dual_coef_, axis=0), np.unique(theirs.dual_coef_, axis=0))
    np.testing.assert_allclose(ours.embedding(new), theirs.embedding(new), rtol=0, atol=1e-12)


def test_the_expansion_is_in_the_order_of_the_samples(data, new, rng):
    X, y = data
    rows = rng.permutation(np.r_[np.arange(len(y)), :20])
    weights = np.where(rng.uniform(size=len(rows)) < 0.1, 0.0, 1.0)
    kept = np.flatnonzero(weights)
    _, first = np.unique(
        np.column_stack([X, np.unique(y, return_inverse=True)[1]])[rows[kept]], axis=0, return_index=True
    )
    first = kept[np.sort(first)]
    for options in ({}, {"landmarks": first[5:25]}, {"landmarks": 15}, {"learn": "cv"}):
        model = EmbeddingClassifier(**{**GIVEN, **options}, random_state=0).fit(X[rows], y[rows], sample_weight=weights)
        np.testing.assert_allclose(
            model.kernel_(new[0], model.X_fit_) @ model.dual_coef_, model.embedding(new[0]), atol=1e-12
        )
        places = [next(i for i in first if (X[rows[i]] == x).all()) for x in model.X_fit_]
        assert places == sorted(places)
    plain = EmbeddingClassifier(**GIVEN).fit(*data)
    np.testing.assert_array_equal(plain.X_fit_, X[np.sort(np.unique(X, axis=0, return_index=True)[1])])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("learn", ["validation", "rademacher", "erm", "cv", "median", None])
def test_weights_are_repetitions(data, new, rng, learn):
    X, y = data
    weights = rng.integers(0, 4, len(y)).astype(float)
    repeated = np.repeat(np.arange(len(y)), weights.astype(int))
    options = {"learn": learn, "random_state": 3, "max_iter": 40, "tol": 0.1}
    ours = EmbeddingClassifier(**options).fit(X, y, sample_weight=weights)
    theirs = EmbeddingClassifier(**options).fit(X[repeated], y[repeated])
    assert ours.embedding(new[0]).tobytes() == theirs.embedding(new[0]).tobytes()
    shuffled = rng.permutation(repeated)
    assert_same_in_another_order(ours, EmbeddingClassifier(**options).fit(X[shuffled], y[shuffled]), new[0])
    assert ours.embedding(new[0]).tobytes() != EmbeddingClassifier(**options).fit(X, y).embedding(new[0]).tobytes()


@pytest.mark.parametrize("learn", ["validation", "cv"])
def test_weights_are_repetitions_where_labels_differ_at_a_point(rng, learn):
    X = np.repeat(rng.normal(size=(12, 2)), 3, axis=0)
    y = np.tile([0, 1, 2], 12)
    weights = rng.integers(0, 9, 36).astype(float)
    weights[[3, 9, 21]] = 4.0
    shuffled = rng.permutation(np.repeat(np.arange(36), weights.astype(int)))
    new = rng.normal(size=(20, 2))
    for options in ({}, {"landmarks": [3, 9, 21]}, {"features": Network([(6, "tanh")], weight_deviation=0.0)}):
        if learn == "cv" and "features" in options:
            continue
        options = {"learn": learn, "random_state": 3, "max_iter": 20, **options}
        ours = EmbeddingClassifier(**options).fit(X, y, sample_weight=weights)
        rows = [int(np.flatnonzero(shuffled == row)[0]) for row in options.pop("landmarks", [])]
        theirs = EmbeddingClassifier(landmarks=rows or None, **options).fit(X[shuffled], y[shuffled])
        assert_same_in_another_order(ours, theirs, new)
        if ours.X_fit_ is not None:
            np.testing.assert_allclose(ours.embedding(new), ours.kernel_(new, ours.X_fit_) @ ours.dual_coef_, atol=1e-8)
            assert rows or len(ours.X_fit_) == len(np.unique(np.column_stack([X, y])[weights > 0], axis=0))


def test_weights_are_those_of_the_formula(data, new, rng):
    weights = rng.uniform(0, 3, len(data[1]))
    model = EmbeddingClassifier(**GIVEN).fit(*data, sample_weight=weights)
    np.testing.assert_allclose(model.embedding(new[0]), naive(*data, new[0], weights)[0], atol=1e-11)


def test_weights_of_classes_are_weights_of_samples(data, new):
    X, y = data[0][10:], data[1][10:]
    factors = {"setosa": 2.0, "versicolor": 0.5, "virginica": 1.0}
    ours = EmbeddingClassifier(class_weight=factors, **GIVEN).fit(X, y)
    theirs = EmbeddingClassifier(**GIVEN).fit(X, y, sample_weight=np.array([factors[label] for label in y]))
    assert ours.embedding(new[0]).tobytes() == theirs.embedding(new[0]).tobytes()
    counts = {label: (y == label).sum() for label in factors}
    factors = {label: len(y) / (3 * count) for label, count in counts.items()}
    balanced = EmbeddingClassifier(class_weight="balanced", **GIVEN).fit(X, y)
    theirs = EmbeddingClassifier(class_weight=factors, **GIVEN).fit(X, y)
    np.testing.assert_allclose(balanced.embedding(new[0]), theirs.embedding(new[0]), rtol=1e-12)
    # Of samples that count differently, classes are balanced by what they count.
    weights = np.arange(len(y)) % 3
    repeated = np.repeat(np.arange(len(y)), weights)
    ours = EmbeddingClassifier(class_weight="balanced", **GIVEN).fit(X, y, sample_weight=weights)
    theirs = EmbeddingClassifier(class_weight="balanced", **GIVEN).fit(X[repeated], y[repeated])
    np.testing.assert_allclose(ours.embedding(new[0]), theirs.embedding(new[0]), rtol=1e-12)


def test_labels_of_any_type(data):
    X, y = data
    names, numbers = np.unique(y, return_inverse=True)
    by_name = EmbeddingClassifier(**GIVEN).fit(X, y)
    for labels in (numbers, numbers - 7.0, y.astype(object), numbers > 0, list(y)):
        model = EmbeddingClassifier(**GIVEN).fit(X, labels)
        np.testing.assert_array_equal(np.unique(model.predict(X)), np.unique(np.asarray(labels)))
    assert list(by_name.classes_) == list(names)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "kernel",
    [
        Gaussian(),
        Gaussian(gamma=[0.1, 0.2, 0.3, 0.4]),
        2.0 * Gaussian(length_scale=[1.0, 2.0, 3.0, 4.0]) + 0.5 * Linear(),
        Matern(nu=1.5, length_scale=[1.0, 1.0, 2.0, 2.0]),
        Laplacian(gamma=[0.5, 0.5, 1.0, 1.0]),
        RationalQuadratic(),
        Polynomial(degree=2) * Gaussian(),
    ],
    ids=repr,
)
def test_the_learned_kernel_is_that_of_the_engine(data, new, kernel):
    model = EmbeddingClassifier(kernel, learn="rademacher", max_iter=20).fit(*data)
    f = model.kernel_(new[0], model.X_fit_) @ model.dual_coef_
    np.testing.assert_allclose(model.embedding(new[0]), f, atol=1e-9)
    assert model.kernel_ != kernel and type(model.kernel_) is type(kernel)
    # Of no other kernel are these the coefficients.
    K, labels = model.kernel_(model.X_fit_), model.predict(model.X_fit_)
    Y = K @ model.dual_coef_ + len(K) * model.penalty_ * model.dual_coef_
    np.testing.assert_allclose(Y.sum(axis=1), 1.0, atol=1e-6)
    assert np.mean(labels == model.classes_[Y.argmax(axis=1)]) > 0.6
    assert model.objective_ <= model.history_["value"][0]


def test_the_history_tells_of_every_step(data):
    seen = []
    model = EmbeddingClassifier(random_state=0, max_iter=12, tol=0, callback=seen.append).fit(*data)
    history = model.history_
    assert [it.number for it in seen] == list(range(1, 13)) == list(history["iteration"][1:])
    assert [it.value for it in seen] == list(history["value"][1:])
    np.testing.assert_allclose(history["value"], history["risk"] + 0.3 * history["complexity"], rtol=1e-12)
    assert (history["failures"] == 0).all() and ((history["accuracy"] >= 0) & (history["accuracy"] <= 1)).all()
    assert model.n_iter_ == 12 and model.stop_reason_ == "max_iter"
    stopped = EmbeddingClassifier(random_state=0, callback=lambda it: it.number >= 3).fit(*data)
    assert stopped.n_iter_ == 3 and stopped.stop_reason_ == "callback"


def test_the_whole_objective_is_followed_to_its_end(data):
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        EmbeddingClassifier(learn="rademacher", max_iter=3).fit(*data)
    adam = EmbeddingClassifier(learn="rademacher", max_iter=3000).fit(*data)
    lbfgs = EmbeddingClassifier(learn="rademacher", solver="lbfgs", tol=1e-10).fit(*data)
    assert lbfgs.objective_ == pytest.approx(adam.objective_, rel=1e-3)
    assert adam.history_["value"].min() == pytest.approx(adam.objective_, rel=1e-9)


def test_the_mean_risk_leaves_a_constant_classifier(data):
    model = EmbeddingClassifier(learn="rademacher", risk="mean", max_iter=1000, tol=1e-4).fit(*data)
    total = EmbeddingClassifier(learn="rademacher", max_iter=1000, tol=1e-4).fit(*data)
    assert model.complexity_ < 0.2 * total.complexity_
    assert total.score(*data) > 0.9


def test_precomputed_is_the_kernel_itself(data, new):
    kernel = Gaussian(gamma=0.3)
    K, cross = kernel(data[0]), kernel(new[0], data[0])
    options = {"learn": None, "penalty": 0.01}
    model = EmbeddingClassifier("precomputed", **options).fit(K, data[1])
    theirs = EmbeddingClassifier(kernel, **options).fit(*data)
    np.testing.assert_allclose(model.embedding(cross), theirs.embedding(new[0]), atol=1e-8)
    learned = EmbeddingClassifier("precomputed", random_state=0).fit(K, data[1])
    assert learned.penalty_ != 0.01 and learned.score(cross, new[1]) > 0.9


def test_networks_and_random_features(data, new):
    network = Network([(12, "tanh"), (6, "tanh")], weight_deviation=0.0)
    for kernel in (None, "linear", Gaussian()):
        model = EmbeddingClassifier(kernel, features=network, learning_rate=0.03, random_state=0).fit(*data)
        assert model.score(*new) > 0.9
        assert model.theta_.shape == (network.sizes(4).parameters,)
        Z = network.transform(new[0], model.theta_)
        if kernel == Gaussian():
            f = model.kernel_(Z, network.transform(model.X_fit_, model.theta_)) @ model.dual_coef_
        else:
            assert model.kernel_ is None and model.X_fit_ is None and model.dual_coef_.shape == (6, 3)
            f = Z @ model.dual_coef_
        np.testing.assert_allclose(model.embedding(new[0]), f, atol=1e-10)
    fourier = RandomFourierFeatures(Gaussian(gamma=0.3), n_features=400)
    ours = EmbeddingClassifier(features=fourier, learn=None).fit(*data)
    theirs = EmbeddingClassifier(Gaussian(gamma=0.3), learn=None).fit(*data)
    np.testing.assert_allclose(ours.embedding(new[0]), theirs.embedding(new[0]), atol=0.15)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("learn", ["rademacher", "validation"])
def test_networks_without_bound_are_learned_from_a_nearly_constant_start(data, new, learn):
    """The samples' own sensitivity would grow with the weights; what is left then is a constant classifier."""
    options = {"learn": learn, "penalty": 1.0, "max_iter": 100, "random_state": 0}
    network = Network([(16, "relu"), (32, "relu"), (8, "relu")])
    model = EmbeddingClassifier(features=network, **options).fit(*data)
    assert model.score(*new) > 0.9
    given = EmbeddingClassifier(features=network, sensitivity=1.0, **options).fit(*data)
    assert given.embedding(new[0]).tobytes() == model.embedding(new[0]).tobytes()
    assert given.objective_ == pytest.approx(model.objective_) and given.sensitivity_ == 1.0
    # What is reported is a bound all the same.
    largest = np.linalg.norm(network.transform(data[0], model.theta_), axis=1).max()
    assert model.sensitivity_ == pytest.approx(largest) and largest > 1
    assert model.complexity_ == pytest.approx(largest * np.linalg.norm(model.dual_coef_))
    # Features that have a bound of their own keep it, and so do those below a kernel that has one.
    for other in ({"features": Network([(8, "tanh")])}, {"features": network, "kernel": Gaussian()}):
        own, one = (EmbeddingClassifier(sensitivity=s, **other, **options).fit(*data) for s in (None, 2.0))
        assert own.embedding(new[0]).tobytes() != one.embedding(new[0]).tobytes()
    own = EmbeddingClassifier(features=Network([(8, "tanh")]), **options).fit(*data)
    tau = 0.3 if learn == "validation" else 4 * np.e
    assert own.objective_ == pytest.approx(len(data[1]) * own.risk_ + tau * own.complexity_)


def test_landmarks(data, new):
    exact = EmbeddingClassifier(**GIVEN).fit(*data)
    every = EmbeddingClassifier(landmarks=np.arange(len(data[1])), **GIVEN).fit(*data)
    np.testing.assert_allclose(every.embedding(new[0]), exact.embedding(new[0]), atol=1e-6)
    rows = [0, 30, 31, 60]
    some = EmbeddingClassifier(landmarks=rows, **GIVEN).fit(*data)
    np.testing.assert_array_equal(np.unique(some.X_fit_, axis=0), np.unique(data[0][rows], axis=0))
    drawn = EmbeddingClassifier(landmarks=20, batch_size=40, random_state=0).fit(*data)
    assert drawn.X_fit_.shape == (20, 4) and drawn.dual_coef_.shape == (20, 3)
    assert drawn.score(*new) > 0.9
    # What is exact would not fit; with these two it does.
    EmbeddingClassifier(landmarks=20, batch_size=30, memory_budget=20_000, max_iter=3).fit(*data)


def test_compression_takes_it(data, new):
    model = EmbeddingClassifier(random_state=0).fit(*data)
    small = gramian.models.compress(model, 30)
    assert small.score(*new) > 0.85


def test_few_samples_that_differ_are_enough_for_folds(data):
    X, y = np.repeat(data[0][[0, 30, 60]], 20, axis=0), np.repeat(data[1][[0, 30, 60]], 20)
    assert EmbeddingClassifier(learn="cv").fit(X, y).score(X, y) == 1.0


def test_one_class_is_no_question(data):
    model = EmbeddingClassifier(random_state=0).fit(data[0][:20], np.full(20, "only"))
    assert set(model.predict(data[0])) == {"only"}
    np.testing.assert_array_equal(model.predict_proba(data[0][:5]), np.ones((5, 1)))


def sets():
    digits = load_digits(return_X_y=True)
    yield "iris", load_iris(return_X_y=True), 0.9
    yield "moons", make_moons(300, noise=0.3, random_state=0), 0.87
    yield "digits", (digits[0][:500], digits[1][:500]), 0.95


@pytest.mark.parametrize(
    ("name", "data", "least"), list(sets()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_untuned_it_is_close_to_a_tuned_support_vector_machine(name, data, least):
    X, new, y, truth = train_test_split(*data, test_size=0.3, random_state=1, stratify=data[1])
    ours = EmbeddingClassifier(random_state=0).fit(X, y).score(new, truth)
    grid = {"svc__C": [0.1, 1, 10, 100], "svc__gamma": [0.01, 0.1, 1.0]}
    theirs = GridSearchCV(make_pipeline(StandardScaler(), SVC()), grid, cv=3).fit(X, y).score(new, truth)
    assert ours >= max(least, theirs - 0.03)
