# SPDX-License-Identifier: BSD-3-Clause
"""The engine's value of an embedding follows the attributes, and refuses those that do not fit together."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse
from gramian import ConditionalMeanEmbedding
from gramian.kernels import Delta, Gaussian, Laplacian

rng = np.random.default_rng(0)
X, Y = rng.normal(size=(30, 3)), rng.normal(size=(30, 2))
FRESH, OTHER = rng.normal(size=(7, 3)), rng.normal(size=(9, 2))
WEIGHTS = rng.uniform(0.5, 2.0, size=30)
K, L = Gaussian(gamma=0.5), Laplacian()


def overlap(a, b):
    return float(len(set(a) & set(b)))


WORDS = ["".join(rng.choice(list("abcdef"), 4)) for _ in range(30)]
GRAMS = ConditionalMeanEmbedding("precomputed", "precomputed").fit(K(X), L(Y))
MODELS = {
    "points": (ConditionalMeanEmbedding(K, L).fit(X, Y), FRESH, OTHER),
    "one output": (ConditionalMeanEmbedding(K, L).fit(X, Y[:, 0]), FRESH, OTHER[:, 0]),
    "weighted": (ConditionalMeanEmbedding(K, L).fit(X, Y, WEIGHTS), FRESH, OTHER),
    "labels": (
        ConditionalMeanEmbedding(K, Delta()).fit(X, np.array(list("abc"))[np.arange(30) % 3]),
        FRESH,
        ["b", "x"],
    ),
    "objects": (ConditionalMeanEmbedding(overlap, overlap).fit(WORDS, WORDS[::-1]), WORDS[:4], ["abc", "fed"]),
    "Gram matrices": (GRAMS, K(FRESH, X), L(OTHER, Y)),
    "sparse": (
        ConditionalMeanEmbedding(K, K).fit(scipy.sparse.csr_matrix(X), scipy.sparse.csr_matrix(Y)),
        scipy.sparse.csr_matrix(FRESH),
        scipy.sparse.csr_matrix(OTHER),
    ),
}


def answers(model, fresh, others):
    found = [model.weights(fresh), model.expectation(np.arange(60.0).reshape(30, 2), fresh)]
    found += [
        model.evaluate(fresh, others),
        model.distance(fresh, fresh[:1]),
        model.sample(fresh, 3, return_indices=True),
    ]
    return found + ([model.predict(fresh)] if model._outputs.numeric else [])


@pytest.mark.parametrize("kind", MODELS)
def test_answers_are_those_of_the_formulas(kind):
    model, fresh, others = MODELS[kind]
    weights, expected, values, distances, rows, *predicted = answers(model, fresh, others)
    at_others = {
        "labels": lambda: (np.asarray(model.Y_fit_)[:, None] == np.asarray(others)).astype(float),
        "objects": lambda: np.array([[overlap(a, b) for b in others] for a in model.Y_fit_]),
        "Gram matrices": lambda: others.T,
    }.get(
        kind,
        lambda: model.output_kernel_(
            *(np.reshape(part, (len(part), -1)) for part in (dense(model.Y_fit_), dense(others)))
        ),
    )()
    np.testing.assert_allclose(expected, weights @ np.arange(60.0).reshape(30, 2), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(values, weights @ at_others, rtol=1e-9, atol=1e-9)
    assert distances[0] == 0 and (distances[1:] > 0).all()
    assert rows.shape == (len(weights), 3)
    if predicted:
        np.testing.assert_allclose(predicted[0], weights @ dense(model.Y_fit_), rtol=1e-9, atol=1e-9)


def dense(A):
    return A.toarray() if scipy.sparse.issparse(A) else A


def test_weights_count():
    model, fresh, _ = MODELS["weighted"]
    roots = np.sqrt(WEIGHTS / WEIGHTS.mean())
    system = roots[:, None] * K(X) * roots + 30 * model.penalty_ * np.eye(30)
    expected = np.linalg.solve(system, roots[:, None] * K(X, fresh)).T * roots
    np.testing.assert_allclose(model.weights(fresh), expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("kind", MODELS)
def test_a_pickle_has_the_same_bits(kind):
    model, fresh, others = MODELS[kind]
    for before, after in zip(
        answers(model, fresh, others), answers(pickle.loads(pickle.dumps(model)), fresh, others), strict=True
    ):
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("kind", MODELS)
def test_threads_share_a_model(kind):
    model, fresh, others = MODELS[kind]
    model = pickle.loads(pickle.dumps(model))  # all threads begin without the engine's value
    expected = answers(MODELS[kind][0], fresh, others)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: answers(model, fresh, others), range(12)):
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_array_equal(one, other)


def test_float32_inputs_are_those_of_float64():
    model = MODELS["points"][0]
    rounded = FRESH.astype(np.float32)
    np.testing.assert_array_equal(model.predict(rounded), model.predict(rounded.astype(np.float64)))


SPOILED = {
    "a factor of fewer rows": ("factor_", lambda m: m.factor_[:7]),
    "a smaller factor": ("factor_", lambda m: m.factor_[:7, :7].copy()),
    "a factor that is not finite": ("factor_", lambda m: m.factor_ * np.nan),
    "a factor of zeros": ("factor_", lambda m: m.factor_ * 0),
    "a factor of one dimension": ("factor_", lambda m: m.factor_[0]),
    "a factor of words": ("factor_", lambda m: m.factor_.astype(str)),
    "no factor": ("factor_", lambda m: np.empty((0, 0))),
    "roots of fewer samples": ("_roots", lambda m: np.ones(7)),
    "negative roots": ("_roots", lambda m: -np.ones(30)),
    "roots that are not finite": ("_roots", lambda m: np.full(30, np.inf)),
}
OF_POINTS = {
    "fewer coefficients": ("dual_coef_", lambda m: m.dual_coef_[:7]),
    "coefficients for other outputs": ("dual_coef_", lambda m: m.dual_coef_[:, :1].copy()),
    "coefficients that are not finite": ("dual_coef_", lambda m: m.dual_coef_ + np.inf),
    "fewer inputs": ("X_fit_", lambda m: m.X_fit_[:7]),
    "inputs of fewer features": ("X_fit_", lambda m: m.X_fit_[:, :2].copy()),
    "inputs that are not finite": ("X_fit_", lambda m: m.X_fit_ * np.nan),
    "no inputs": ("X_fit_", lambda m: None),
    "fewer outputs": ("Y_fit_", lambda m: m.Y_fit_[:7]),
    "outputs that are not finite": ("Y_fit_", lambda m: m.Y_fit_ * np.nan),
    "a kernel with other widths": ("kernel_", lambda m: Gaussian(length_scale=[1.0, 2.0])),
    "values in the place of a kernel": ("kernel_", lambda m: "precomputed"),
}
OF_GRAMS = {
    "a smaller Gram matrix": ("output_gram_", lambda m: m.output_gram_[:7, :7].copy()),
    "a Gram matrix that is not symmetric": ("output_gram_", lambda m: m.output_gram_ + np.arange(30.0)),
    "a Gram matrix that is not finite": ("output_gram_", lambda m: m.output_gram_ * np.nan),
    "no Gram matrix": ("output_gram_", lambda m: None),
}
CASES = [(kind, how) for kind in ("points", "Gram matrices") for how in SPOILED]
CASES += [("points", how) for how in OF_POINTS] + [("Gram matrices", how) for how in OF_GRAMS]


@pytest.mark.parametrize(("kind", "how"), CASES)
def test_attributes_that_do_not_fit_together_are_refused(kind, how):
    model, fresh, _ = MODELS[kind]
    model = pickle.loads(pickle.dumps(model))
    name, spoil = {**SPOILED, **OF_POINTS, **OF_GRAMS}[how]
    setattr(model, name, spoil(model))
    for ask in (
        model.weights,
        model.sample,
        lambda A: model.distance(A, A),
        lambda A: model.expectation(np.ones(30), A),
    ):
        with pytest.raises((ValueError, TypeError)):
            ask(fresh)


def test_labels_without_their_classes_are_refused():
    model = pickle.loads(pickle.dumps(MODELS["labels"][0]))
    model.classes_ = model.classes_[:2]
    with pytest.raises(ValueError, match="numbers of the labels"):
        model.weights(FRESH)
