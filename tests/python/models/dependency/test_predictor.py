# SPDX-License-Identifier: BSD-3-Clause
"""The engine's values of structured outputs follow the attributes, and refuse those that do not fit together."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse
from gramian import DependencyRegressor, OperatorKernelRidge
from gramian.kernels import Gaussian
from gramian.operators import Separable

rng = np.random.default_rng(0)
X, Y = rng.normal(size=(30, 3)), rng.normal(size=(30, 2))
FRESH, OTHER = rng.normal(size=(7, 3)), rng.normal(size=(9, 2))
K, L = Gaussian(gamma=0.5), Gaussian(gamma=0.8)
A = np.array([[1.0, 0.3], [0.3, 2.0]])


def overlap(a, b):
    return float(len(set(a) & set(b)))


WORDS = ["".join(rng.choice(list("abcdef"), 4)) for _ in range(30)]
SPARSE = scipy.sparse.csr_matrix(np.where(rng.uniform(size=(30, 5)) < 0.5, 1.0, 0.0))


def fitted(*kernels, X=X, y=Y, **options):
    return DependencyRegressor(*kernels, random_state=0, **options).fit(X, y)


MODELS = {
    "points": (fitted(K, L), FRESH),
    "ranks": (fitted(K, L, rank=(12, 8)), FRESH),
    "components": (fitted(K, L, n_output_components=4, operator="identity", center_components=True), FRESH),
    "candidates": (fitted(K, L, preimage="candidates", candidates=OTHER), FRESH),
    "linear": (fitted(K, preimage="linear", rank=12), FRESH),
    "fixed points": (fitted(K, L, preimage="gaussian"), FRESH),
    "sequences": (fitted(overlap, X=WORDS, y=[word[::-1] for word in WORDS], preimage="sequence"), WORDS[:4]),
    "objects": (fitted(overlap, overlap, X=WORDS, y=WORDS[::-1], rank=20), WORDS[:4]),
    "Gram matrices": (fitted("precomputed", "precomputed", X=K(X), y=L(Y), rank=12), K(FRESH, X)),
    "sparse": (fitted(K, X=SPARSE, y=SPARSE), SPARSE[:5]),
    "operator": (fitted(operator=Separable(K, A=A)), FRESH),
    "operator on a span": (fitted(None, L, operator=Separable(K)), FRESH),
}


def plain(found):
    return found.toarray() if scipy.sparse.issparse(found) else np.asarray(found)


def answers(model, fresh):
    return [plain(ask(fresh)) for ask in (model.weights, model.scores, model.nearest, model.predict)]


def twin(kind):
    model, fresh = MODELS[kind]
    return pickle.loads(pickle.dumps(model)), fresh


@pytest.mark.parametrize("kind", MODELS)
def test_a_pickle_has_the_same_bits(kind):
    model, fresh = twin(kind)
    for before, after in zip(answers(*MODELS[kind]), answers(model, fresh), strict=True):
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("kind", MODELS)
def test_threads_share_a_model(kind):
    model, fresh = twin(kind)  # all threads begin without the engine's value
    expected = answers(*MODELS[kind])
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: answers(model, fresh), range(8)):
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("kind", ["points", "candidates", "Gram matrices", "objects", "operator", "operator on a span"])
def test_the_best_candidate_has_the_largest_score(kind):
    model, fresh = MODELS[kind]
    scores = model.scores(fresh)
    assert np.array_equal(model.nearest(fresh), scores.argmax(axis=1))
    assert np.array_equal(model.nearest(fresh, k=3), np.argsort(-scores, axis=1, kind="stable")[:, :3])


def test_scores_are_those_of_the_formula():
    model, fresh = MODELS["points"]
    expected = 2 * model.weights(fresh) @ L(Y, OTHER) - 1
    np.testing.assert_allclose(model.scores(fresh, OTHER), expected, rtol=1e-10, atol=1e-12)
    chosen = MODELS["candidates"][0]
    np.testing.assert_array_equal(chosen.scores(fresh), chosen.scores(fresh, OTHER))
    np.testing.assert_array_equal(chosen.predict(fresh), OTHER[chosen.nearest(fresh)])


def test_float32_inputs_are_those_of_float64():
    model, rounded = MODELS["points"][0], FRESH.astype(np.float32)
    np.testing.assert_array_equal(model.scores(rounded), model.scores(rounded.astype(np.float64)))


EVERYWHERE = {
    "fewer rows of coefficients": ("coefficients_", lambda m: m.coefficients_[:5]),
    "fewer columns of coefficients": ("coefficients_", lambda m: m.coefficients_[:, :1].copy()),
    "coefficients that are not finite": ("coefficients_", lambda m: m.coefficients_ * np.nan),
    "coefficients of one dimension": ("coefficients_", lambda m: m.coefficients_[0]),
    "coefficients that are words": ("coefficients_", lambda m: m.coefficients_.astype(str)),
    "no coefficients": ("coefficients_", lambda m: np.empty((0, 0))),
}
OF_POINTS = {
    "fewer inputs": ("X_fit_", lambda m: m.X_fit_[:5]),
    "inputs of fewer features": ("X_fit_", lambda m: m.X_fit_[:, :2].copy()),
    "inputs that are not finite": ("X_fit_", lambda m: m.X_fit_ + np.inf),
    "no inputs": ("X_fit_", lambda m: None),
    "outputs that are not finite": ("Y_fit_", lambda m: m.Y_fit_ * np.nan),
    "kernel values for points": ("kernel_", lambda m: "precomputed"),
}
FEWER_OUTPUTS = {"fewer outputs": ("Y_fit_", lambda m: m.Y_fit_[:5])}
OF_RANKS = {
    "a smaller input factor": ("input_factor_", lambda m: m.input_factor_[:5, :5].copy()),
    "no input factor": ("input_factor_", lambda m: None),
    "an output factor of zeros": ("output_factor_", lambda m: m.output_factor_ * 0),
    "an output factor that is not finite": ("output_factor_", lambda m: m.output_factor_ * np.nan),
    "output supports out of range": ("output_supports_", lambda m: m.output_supports_ + 30),
    "negative output supports": ("output_supports_", lambda m: m.output_supports_ - 31),
    "fewer output supports": ("output_supports_", lambda m: m.output_supports_[:3]),
    "output supports that are no integers": ("output_supports_", lambda m: m.output_supports_ + 0.5),
}
OF_GRAMS = {
    "input supports out of range": ("input_supports_", lambda m: m.input_supports_ + 30),
    "negative input supports": ("input_supports_", lambda m: m.input_supports_ - 31),
    "fewer input supports": ("input_supports_", lambda m: m.input_supports_[:3]),
    "fewer columns of outputs": ("output_cross_", lambda m: m.output_cross_[:, :2].copy()),
    "outputs that are not finite": ("output_cross_", lambda m: m.output_cross_ * np.nan),
    "fewer squares": ("output_squares_", lambda m: m.output_squares_[:3]),
    "no squares": ("output_squares_", lambda m: None),
}
OF_COMPONENTS = {
    "fewer rows of components": ("components_", lambda m: m.components_[:5]),
    "components that are not finite": ("components_", lambda m: m.components_ * np.nan),
    "no components": ("components_", lambda m: None),
    "fewer coordinates of the mean": ("mean_", lambda m: m.mean_[:1]),
    "a mean that is not finite": ("mean_", lambda m: m.mean_ * np.nan),
}
OF_SPANS = {
    "fewer rows of the span": ("span_", lambda m: m.span_[:5]),
    "fewer columns of the span": ("span_", lambda m: m.span_[:, :1].copy()),
}
OF_SEQUENCES = {
    "fewer symbols": ("symbols_", lambda m: m.symbols_[:-1]),
    "no symbols": ("symbols_", lambda m: []),
    "fewer features": ("features_", lambda m: m.features_[:, :-1].copy()),
}
OF_CANDIDATES = {"candidates of fewer features": ("candidates", lambda m: OTHER[:, :1])}
SPOILED = {
    "points": {**EVERYWHERE, **OF_POINTS, **FEWER_OUTPUTS},
    "ranks": {**EVERYWHERE, **OF_POINTS, **OF_RANKS},
    "components": {**EVERYWHERE, **OF_POINTS, **FEWER_OUTPUTS, **OF_COMPONENTS},
    "candidates": OF_CANDIDATES,
    "sequences": OF_SEQUENCES,
    "Gram matrices": {**EVERYWHERE, **OF_RANKS, **OF_GRAMS},
    "operator": {**EVERYWHERE, **OF_POINTS},
    "operator on a span": {**EVERYWHERE, **OF_SPANS, **FEWER_OUTPUTS},
}
UNHARMED = {("operator", "kernel values for points")}  # it has no kernel_
CASES = [(kind, how) for kind, cases in SPOILED.items() for how in cases if (kind, how) not in UNHARMED]


@pytest.mark.parametrize(("kind", "how"), CASES)
def test_attributes_that_do_not_fit_together_are_refused(kind, how):
    model, fresh = twin(kind)
    name, spoil = SPOILED[kind][how]
    setattr(model, name, spoil(model))
    for ask in (model.predict, model.scores, model.nearest):
        with pytest.raises((ValueError, TypeError)):
            ask(fresh)


RIDGE = OperatorKernelRidge(Separable(K, A=A), alpha=0.1).fit(X, Y)


def test_a_ridge_is_a_sum_over_its_inputs():
    np.testing.assert_array_equal(RIDGE.predict(FRESH), RIDGE.operator_.apply(FRESH, RIDGE.dual_coef_, RIDGE.X_fit_))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(RIDGE)).predict(FRESH), RIDGE.predict(FRESH))
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: RIDGE.predict(FRESH), range(16)):
            np.testing.assert_array_equal(found, RIDGE.predict(FRESH))


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("dual_coef_", lambda m: m.dual_coef_[:5]),
        ("dual_coef_", lambda m: m.dual_coef_[:, :1].copy()),
        ("dual_coef_", lambda m: m.dual_coef_ * np.nan),
        ("dual_coef_", lambda m: None),
        ("X_fit_", lambda m: m.X_fit_[:5]),
        ("X_fit_", lambda m: m.X_fit_[:, :2].copy()),
        ("X_fit_", lambda m: m.X_fit_ * np.inf),
        ("operator_", lambda m: Separable(Gaussian(length_scale=[1.0, 2.0]))),
        ("operator_", lambda m: Separable(K, A=np.eye(3))),
    ],
)
def test_attributes_of_a_ridge_that_do_not_fit_are_refused(name, spoil):
    model = pickle.loads(pickle.dumps(RIDGE))
    setattr(model, name, spoil(model))
    with pytest.raises((ValueError, TypeError)):
        model.predict(FRESH)
