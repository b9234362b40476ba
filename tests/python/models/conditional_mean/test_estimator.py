# SPDX-License-Identifier: BSD-3-Clause
"""ConditionalMeanEmbedding: weights, expectations, distances and samples against NumPy; outputs of every kind."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import ConditionalMeanEmbedding
from gramian.kernels import Cosine, Delta, Gaussian, Laplacian, Linear
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.kernel_ridge import KernelRidge
from structured_data import graph_gram, random_graphs, random_words

PENALTY = 1e-2
INPUT, OUTPUT = Gaussian(gamma=0.4), Gaussian(gamma=0.7)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    return X, np.c_[np.sin(X[:, 0]), X[:, 1] * X[:, 2]] + 0.1 * rng.normal(size=(60, 2))


@pytest.fixture(scope="module")
def new():
    return np.random.default_rng(1).normal(size=(9, 3))


@pytest.fixture(scope="module")
def fitted(data):
    return ConditionalMeanEmbedding(INPUT, OUTPUT, penalty=PENALTY).fit(*data)


def naive_weights(K, cross, penalty=PENALTY):
    return np.linalg.solve(K + len(K) * penalty * np.eye(len(K)), cross.T).T


def greedy(L, cross, weights, count):
    """Candidates that bring the mean of the chosen ones closest to the embedding, by trying all of them."""
    chosen = []
    for _ in range(count):
        errors = []
        for c in range(len(L)):
            rows = [*chosen, c]
            errors.append(L[np.ix_(rows, rows)].mean() - 2 * (cross[rows] @ weights).mean())
        chosen.append(int(np.argmin(errors)))
    return chosen


def squared_error(L, cross, own, weights, rows):
    """Between the embedding and the mean of the chosen ones."""
    return weights @ own @ weights - 2 * (cross[rows] @ weights).mean() + L[np.ix_(rows, rows)].mean()


def test_weights_and_expectations_are_those_of_the_formula(fitted, data, new):
    X, Y = data
    expected = naive_weights(INPUT(X), INPUT(new, X))
    np.testing.assert_allclose(fitted.weights(new), expected, atol=1e-11)
    np.testing.assert_allclose(fitted.expectation(Y[:, 0], new), expected @ Y[:, 0], atol=1e-11)
    np.testing.assert_allclose(fitted.expectation(lambda y: y**2, new), expected @ Y**2, atol=1e-11)
    np.testing.assert_allclose(fitted.expectation(lambda y: y[:, 0] > 0, new), expected @ (Y[:, 0] > 0), atol=1e-11)
    np.testing.assert_allclose(fitted.evaluate(new, Y[:5]), expected @ OUTPUT(Y, Y[:5]), atol=1e-11)


def test_predictions_are_those_of_kernel_ridge_regression(data, new):
    X, Y = data
    for target in (Y, Y[:, 0]):
        ours = ConditionalMeanEmbedding(INPUT, penalty=PENALTY).fit(X, target)
        theirs = KernelRidge(alpha=len(X) * PENALTY, kernel="rbf", gamma=0.4).fit(X, target)
        assert ours.predict(new).shape == theirs.predict(new).shape
        np.testing.assert_allclose(ours.predict(new), theirs.predict(new), atol=1e-11)
        np.testing.assert_allclose(ours.predict(new), ours.expectation(lambda y: y, new), atol=1e-11)
        assert ours.score(X, target) == pytest.approx(theirs.score(X, target), abs=1e-10)


def test_distances_are_those_of_the_formula(fitted, data, new):
    difference = fitted.weights(new[:4]) - fitted.weights(new[4:8])
    expected = np.einsum("qi,ij,qj->q", difference, OUTPUT(data[1]), difference)
    np.testing.assert_allclose(fitted.distance(new[:4], new[4:8]), expected, rtol=1e-10)
    np.testing.assert_array_equal(fitted.distance(new, new), 0.0)
    one = fitted.weights(new) - fitted.weights(new[:1])
    expected = np.einsum("qi,ij,qj->q", one, OUTPUT(data[1]), one)
    np.testing.assert_allclose(fitted.distance(new, new[:1]), expected, rtol=1e-10)
    np.testing.assert_array_equal(fitted.distance(new, new[:1]), fitted.distance(new[:1], new))


def test_distances_to_another_embedding(fitted, data, new):
    X, Y = data
    other = ConditionalMeanEmbedding(Laplacian(), OUTPUT, penalty=0.1).fit(X[:40] + 1.0, Y[:40])
    a, b = fitted.weights(new), other.weights(new)
    expected = (
        np.einsum("qi,ij,qj->q", a, OUTPUT(Y), a)
        - 2 * np.einsum("qi,ij,qj->q", a, OUTPUT(Y, Y[:40]), b)
        + np.einsum("qi,ij,qj->q", b, OUTPUT(Y[:40]), b)
    )
    np.testing.assert_allclose(fitted.distance(new, new, other), expected, rtol=1e-9)
    np.testing.assert_allclose(other.distance(new, new, fitted), expected, rtol=1e-9)
    assert fitted.distance(new, new, fitted).max() < 1e-14
    with pytest.raises(ValueError, match="different output kernels"):
        fitted.distance(new, new, ConditionalMeanEmbedding(INPUT).fit(X, Y))
    with pytest.raises(ValueError, match="columns"):
        fitted.distance(new, new, ConditionalMeanEmbedding(INPUT, OUTPUT).fit(X, Y[:, :1]))


@pytest.mark.parametrize("output", [OUTPUT, Linear()], ids=repr)
def test_samples_are_those_of_the_greedy_loop(data, new, output):
    X, Y = data
    model = ConditionalMeanEmbedding(INPUT, output, penalty=PENALTY).fit(X, Y)
    weights = model.weights(new)
    weights /= weights.sum(axis=1, keepdims=True)
    rows = model.sample(new, 8, return_indices=True)
    L = output(Y)
    assert rows.tolist() == [greedy(L, L, one, 8) for one in weights]
    np.testing.assert_array_equal(model.sample(new, 8), Y[rows])
    candidates = np.random.default_rng(2).normal(size=(25, 2))
    rows = model.sample(new, 8, candidates, return_indices=True)
    assert rows.tolist() == [greedy(output(candidates), output(candidates, Y), one, 8) for one in weights]
    np.testing.assert_array_equal(model.sample(new, 8, candidates), candidates[rows])


def test_more_samples_stand_for_the_embedding_better(fitted, data, new):
    L = OUTPUT(data[1])
    weights = fitted.weights(new)
    weights /= weights.sum(axis=1, keepdims=True)
    rows = fitted.sample(new, 256, return_indices=True)
    for own, chosen in zip(weights, rows, strict=True):
        errors = [squared_error(L, L, L, own, chosen[:count]) for count in (1, 4, 16, 64, 256)]
        assert errors == sorted(errors, reverse=True)
        # The mean of one function is within its norm times this.
        centre = data[1][:1]
        function = OUTPUT(data[1], centre)[:, 0]
        assert abs(function[chosen].mean() - function @ own) <= np.sqrt(errors[-1]) + 1e-12


def test_the_loss_is_that_of_the_formula(fitted, data, new):
    fresh = np.random.default_rng(3).normal(size=(9, 2))
    weights = fitted.weights(new)
    inner, norms = (
        (weights * OUTPUT(fresh, data[1])).sum(axis=1),
        np.einsum("qi,ij,qj->q", weights, OUTPUT(data[1]), weights),
    )
    assert fitted.loss(new, fresh) == pytest.approx((1.0 - 2.0 * inner + norms).mean(), rel=1e-12)


@pytest.mark.parametrize("labels", [["red", "green", "blue"], [3, 1, 2], [True, False, True]], ids=str)
def test_labels(data, new, labels):
    """[MCE] (5), Lemma 8: with l = delta the embedding at a class is the decision function of that class."""
    X, _ = data
    y = np.array(labels, dtype=object if isinstance(labels[0], str) else None)[np.digitize(X[:, 0], [-0.5, 0.5])]
    model = ConditionalMeanEmbedding(INPUT, Delta(), penalty=PENALTY).fit(X, y)
    classes = np.unique(y)
    one_hot = (y[:, None] == classes).astype(float)
    decision = naive_weights(INPUT(X), INPUT(new, X)) @ one_hot
    np.testing.assert_allclose(model.evaluate(new, classes), decision, atol=1e-12)
    np.testing.assert_allclose(model.expectation(lambda y: y[:, None] == classes, new), decision, atol=1e-12)
    ours = model.distance(new[:4], new[4:8])
    np.testing.assert_allclose(ours, ((decision[:4] - decision[4:8]) ** 2).sum(axis=1), rtol=1e-9)
    drawn = model.sample(new, 200)
    assert drawn.shape == (9, 200)
    shares = (drawn[:, :, None] == classes).mean(axis=1)
    likely = decision / decision.sum(axis=1, keepdims=True)
    inside = (likely >= 0).all(axis=1)
    assert inside.any()
    np.testing.assert_allclose(shares[inside], likely[inside], atol=0.02)


def test_a_multiple_of_a_kernel_of_labels_is_one(data, new):
    X, _ = data
    y = np.where(X[:, 0] > 0, "yes", "no")
    kernels = Delta(), 2.0 * Delta()
    once, twice = (ConditionalMeanEmbedding(INPUT, kernel, penalty=PENALTY).fit(X, y) for kernel in kernels)
    np.testing.assert_allclose(twice.evaluate(new, ["yes"]), 2.0 * once.evaluate(new, ["yes"]), rtol=1e-12)
    with pytest.raises(TypeError, match="y must hold real numbers"):
        ConditionalMeanEmbedding(INPUT, Delta() + Gaussian(), penalty=PENALTY).fit(X, y)


def test_labels_that_were_never_seen_have_no_probability(data, new):
    X, _ = data
    y = np.where(X[:, 0] > 0, "yes", "no")
    model = ConditionalMeanEmbedding(INPUT, Delta(), penalty=PENALTY).fit(X, y)
    assert list(model.classes_) == ["no", "yes"]
    values = model.evaluate(new, ["maybe", "yes", "never"])
    np.testing.assert_array_equal(values[:, [0, 2]], 0.0)
    np.testing.assert_array_equal(values[:, 1], model.evaluate(new, ["yes"])[:, 0])
    assert set(model.sample(new, 5, ["maybe", "yes", "no"]).ravel()) <= {"yes", "no"}
    assert model.loss(X, y) < 1.0
    other = ConditionalMeanEmbedding(INPUT, Delta(), penalty=PENALTY).fit(X, np.where(X[:, 0] > 0, "yes", "perhaps"))
    a, b = model.evaluate(new, ["no", "yes"]), other.evaluate(new, ["perhaps", "yes"])
    expected = a[:, 0] ** 2 + b[:, 0] ** 2 + (a[:, 1] - b[:, 1]) ** 2
    np.testing.assert_allclose(model.distance(new, new, other), expected, rtol=1e-9)
    with pytest.raises(ValueError, match="no numbers"):
        model.predict(new)


def test_precomputed_is_the_kernel_itself(fitted, data, new):
    X, Y = data
    model = ConditionalMeanEmbedding("precomputed", "precomputed", penalty=PENALTY).fit(INPUT(X), OUTPUT(Y))
    cross = INPUT(new, X)
    np.testing.assert_allclose(model.weights(cross), fitted.weights(new), atol=1e-12)
    np.testing.assert_allclose(model.distance(cross[:4], cross[4:8]), fitted.distance(new[:4], new[4:8]), rtol=1e-9)
    np.testing.assert_array_equal(model.sample(cross, 6), fitted.sample(new, 6, return_indices=True))
    np.testing.assert_allclose(model.expectation(Y, cross), fitted.predict(new), atol=1e-12)
    np.testing.assert_allclose(model.evaluate(cross, OUTPUT(Y[:3], Y)), fitted.evaluate(new, Y[:3]), atol=1e-12)
    assert model.X_fit_ is None and model.Y_fit_ is None
    for call, message in (
        (lambda: model.expectation(np.sum, cross), "pass its values"),
        (lambda: model.predict(cross), "no numbers"),
        (lambda: model.sample(cross, 2, Y), "leave it None"),
        (lambda: model.loss(cross, Y), "squared norms"),
        (lambda: model.evaluate(cross, Y), "60 training outputs"),
        (lambda: model.distance(cross, cross, model), "inner products between"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_sparse_on_both_sides(rng):
    counts = CountVectorizer(analyzer="char", ngram_range=(1, 2)).fit_transform(random_words(60, rng)).astype(float)
    kernels = Cosine(), Gaussian(gamma=0.1)
    ours = ConditionalMeanEmbedding(*kernels, penalty=PENALTY).fit(counts[:40], counts[:40])
    theirs = ConditionalMeanEmbedding(*kernels, penalty=PENALTY).fit(counts[:40].toarray(), counts[:40].toarray())
    later = counts[40:]
    for X in (later, later.toarray()):
        np.testing.assert_allclose(ours.weights(X), theirs.weights(X), atol=1e-12)
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-11)
        np.testing.assert_allclose(ours.evaluate(X, later), theirs.evaluate(X, later.toarray()), atol=1e-12)
    drawn = ours.sample(later, 3)
    assert len(drawn) == 20 and scipy.sparse.issparse(drawn[0])
    np.testing.assert_array_equal(drawn[0].toarray(), theirs.sample(later.toarray(), 3)[0])
    assert ours.loss(later, later) == pytest.approx(theirs.loss(later.toarray(), later.toarray()), rel=1e-12)
    np.testing.assert_allclose(ours.distance(later, later, theirs), 0.0, atol=1e-12)


def test_objects_with_a_function_of_two(rng):
    def alike(a, b):
        return float(np.exp(-abs(len(a) - len(b))) * (1.0 + (a[0] == b[0])))

    words = random_words(50, rng)
    lengths = np.array([[len(word)] for word in words], dtype=float)
    forward = ConditionalMeanEmbedding(Gaussian(), alike, penalty=PENALTY).fit(lengths[:40], words[:40])
    L = np.array([[alike(a, b) for b in words[:40]] for a in words[:40]])
    np.testing.assert_array_equal(forward.output_gram_, L)
    weights = forward.weights(lengths[40:])
    cross = np.array([[alike(a, b) for b in words[:40]] for a in words[40:]])
    np.testing.assert_allclose(forward.evaluate(lengths[40:], words[40:]), weights @ cross.T, atol=1e-12)
    normal = weights / weights.sum(axis=1, keepdims=True)
    rows = forward.sample(lengths[40:], 4, return_indices=True)
    assert rows.tolist() == [greedy(L, L, one, 4) for one in normal]
    assert forward.sample(lengths[40:], 4)[0] == [words[row] for row in rows[0]]
    assert forward.sample(lengths[40:], 2, words[40:])[0][0] in words[40:]
    sizes = forward.expectation(lambda some: [len(word) for word in some], lengths[40:])
    np.testing.assert_allclose(sizes, weights @ lengths[:40, 0], atol=1e-11)
    squares = np.array([alike(word, word) for word in words[40:]])
    expected = squares - 2 * (weights * cross).sum(axis=1) + ((weights @ L) * weights).sum(axis=1)
    assert forward.loss(lengths[40:], words[40:]) == pytest.approx(expected.mean(), rel=1e-12)
    assert forward.distance(lengths[40:], lengths[40:], forward).max() < 1e-12
    back = ConditionalMeanEmbedding(alike, penalty=PENALTY).fit(words[:40], lengths[:40, 0])
    np.testing.assert_allclose(back.predict(words[40:]), naive_weights(L, cross) @ lengths[:40, 0], atol=1e-10)


def test_graphs(rng):
    graphs, ring = random_graphs(50, rng)
    train, test = graphs[:36], graphs[36:]
    model = ConditionalMeanEmbedding("precomputed", Delta(), penalty=1e-3).fit(graph_gram(train, train), ring[:36])
    decision = model.evaluate(graph_gram(test, train), np.array([False, True]))
    assert np.mean(decision.argmax(axis=1) == ring[36:]) > 0.8


def test_any_number_of_threads_gives_the_same_bits(data, new):
    results = []
    for threads in (1, 2, 7):
        gramian.set_num_threads(threads)
        model = ConditionalMeanEmbedding(penalty=PENALTY).fit(*data)
        results.append(
            (model.predict(new).tobytes(), model.distance(new, new[:1]).tobytes(), model.sample(new, 9).tobytes())
        )
    assert len(set(results)) == 1


def test_a_singular_system_is_told(data):
    X = np.repeat(data[0][:2], 20, axis=0)
    with pytest.warns(UserWarning, match="Raise penalty"):
        model = ConditionalMeanEmbedding(INPUT, penalty=1e-300).fit(X, X)
    assert model.jitter_ > 0
    with pytest.raises(gramian.NumericalError, match="penalty"):
        ConditionalMeanEmbedding("precomputed").fit(-np.eye(4), np.arange(4.0))


@pytest.mark.parametrize(
    ("options", "y", "error", "message"),
    [
        ({"kernel": "rfb"}, None, ValueError, "'kernel'"),
        ({"output_kernel": 3}, None, TypeError, "'output_kernel'"),
        ({"penalty": 0.0}, None, ValueError, "'penalty'"),
        ({"penalty": "much"}, None, TypeError, "'penalty'"),
        ({"learn": "erm"}, None, ValueError, "'learn'"),
        ({"learn": "cv", "penalties": []}, None, ValueError, "'penalties'"),
        ({"learn": "cv", "penalties": [1.0, -1.0]}, None, ValueError, r"penalties\[1\]"),
        ({"learn": "cv", "regularised": 1}, None, ValueError, "'regularised'"),
        ({"learn": "cv", "cv": 1}, None, ValueError, "n_splits"),
        ({"learn": "cv", "cv": 100}, None, ValueError, "n_splits"),
        ({"learn": "cv", "kernel": Linear(), "length_scale_factors": [2.0]}, None, ValueError, "has none"),
        ({"output_kernel": "precomputed"}, np.eye(5), ValueError, "inconsistent"),
        ({"output_kernel": "precomputed"}, np.ones((60, 3)), ValueError, "square"),
        ({"output_kernel": "precomputed"}, np.eye(60) + np.eye(60, k=1), ValueError, "no Gram matrix.*symmetric"),
        ({"output_kernel": "precomputed"}, -np.eye(60), ValueError, "no Gram matrix"),
        ({"kernel": "precomputed"}, None, ValueError, "square"),
        ({"output_kernel": Delta()}, np.array([["a"], ["b"]]), ValueError, "label for each"),
        ({}, np.array(["a"] * 60), (TypeError, ValueError), "numbers"),
        ({}, np.ones(59), ValueError, "inconsistent"),
        ({}, np.full(60, np.nan), ValueError, "NaN"),
    ],
    ids=str,
)
def test_bad_input_is_named(data, options, y, error, message):
    with pytest.raises(error, match=message):
        ConditionalMeanEmbedding(**options).fit(data[0], data[1] if y is None else y)


def test_more_bad_input_is_named(fitted, data, new):
    with pytest.raises(NotFittedError):
        clone(fitted).sample(new)
    for call in (fitted.weights, fitted.predict, fitted.sample):
        with pytest.raises(ValueError, match="features"):
            call(new[:, :2])
    for count, error in ((0, ValueError), (1.5, TypeError)):
        with pytest.raises(error, match="n_samples"):
            fitted.sample(new, count)
    with pytest.raises(ValueError, match="as many"):
        fitted.distance(new[:2], new[:3])
    with pytest.raises(ValueError, match="g has 3 rows"):
        fitted.expectation([1.0, 2.0, 3.0], new)
    with pytest.raises(ValueError, match="columns"):
        fitted.evaluate(new, new)
    with pytest.raises(ValueError, match="inconsistent"):
        fitted.loss(new, data[1])
