# SPDX-License-Identifier: BSD-3-Clause
"""A weight of 2 is a sample that is there twice, up to rounding, in models that are solved for."""

from __future__ import annotations

from typing import Any

import gramian
import numpy as np
import pytest
from gramian.kernels import Delta, Gaussian, Matern
from gramian.operators import Separable
from sklearn.base import clone

N = 30
GENERATOR = np.random.default_rng(0)
X = GENERATOR.normal(size=(N, 3))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]])
FRESH = GENERATOR.normal(size=(7, 3))
COUNTS = GENERATOR.integers(0, 4, size=N)
MIXED = Separable(Gaussian(gamma=0.4), A=[[1.0, 0.5], [0.5, 2.0]])

MODELS: dict[str, Any] = {
    "mean": gramian.ConditionalMeanEmbedding(penalty=0.01),
    "mean, kernels given": gramian.ConditionalMeanEmbedding(Matern(nu=1.5), Gaussian(gamma=0.2)),
    "conditional": gramian.DependencyRegressor(preimage="linear"),
    "covariance": gramian.DependencyRegressor(operator="covariance", preimage="linear"),
    "identity": gramian.DependencyRegressor(operator="identity", preimage="linear"),
    "components": gramian.DependencyRegressor(Gaussian(gamma=0.3), n_output_components=1, preimage="linear"),
    "operator": gramian.DependencyRegressor(operator=MIXED, preimage="linear"),
    "ridge": gramian.OperatorKernelRidge(alpha=0.1),
    "ridge, mixed": gramian.OperatorKernelRidge(MIXED, alpha=0.1, solver="cholesky"),
    "kernel ridge": gramian.KernelRidge(kernel="rbf", alpha=0.1),
    "kernel ridge, cg": gramian.KernelRidge(kernel="rbf", alpha=0.1, solver="cg", tol=1e-13),
    "ridge, cg": gramian.OperatorKernelRidge(MIXED, alpha=0.1, solver="cg", tol=1e-13),
}


@pytest.fixture(params=list(MODELS))
def model(request: pytest.FixtureRequest) -> Any:
    """Each of them, not fitted."""
    return clone(MODELS[request.param])


def predicted(model: Any, *data: Any, **weights: Any) -> Any:
    return model.fit(*data, **weights).predict(FRESH)


def test_weights_are_repetitions(model):
    repeated = predicted(model, X.repeat(COUNTS, axis=0), Y.repeat(COUNTS, axis=0))
    np.testing.assert_allclose(predicted(model, X, Y, sample_weight=COUNTS), repeated, rtol=1e-7, atol=1e-9)
    order = np.random.default_rng(1).permutation(N)
    shuffled = predicted(model, X[order], Y[order], sample_weight=COUNTS[order].astype(float))
    np.testing.assert_allclose(shuffled, repeated, rtol=1e-7, atol=1e-9)


def test_weights_of_one_change_nothing(model):
    np.testing.assert_array_equal(predicted(model, X, Y, sample_weight=np.ones(N)), predicted(model, X, Y))


@pytest.mark.parametrize("name", ["mean", "conditional", "ridge"])
def test_the_width_of_samples_that_are_nearly_equal_is_that_without_weights(name):
    near = X[:16].copy()
    near[:12] = near[0] + 1e-9 * np.arange(12)[:, None]
    repeated = predicted(clone(MODELS[name]), near.repeat(2, axis=0), Y[:16].repeat(2, axis=0))
    weighted = predicted(clone(MODELS[name]), near, Y[:16], sample_weight=np.full(16, 2))
    np.testing.assert_allclose(weighted, repeated, rtol=1e-6, atol=1e-6)


def test_weights_that_are_no_counts_matter(model):
    light, heavy = (np.where(np.arange(N) < 15, weight, 1.0) for weight in (0.01, 100.0))
    errors = [np.square(model.fit(X, Y, sample_weight=w).predict(X)[:15] - Y[:15]).mean() for w in (light, heavy)]
    assert errors[1] < errors[0]


@pytest.mark.parametrize("wrong", [-np.ones(N), np.zeros(N), np.ones(N - 1), np.full(N, np.nan)])
def test_weights_are_checked(model, wrong):
    with pytest.raises(ValueError, match=r"(?i)weight"):
        model.fit(X, Y, sample_weight=wrong)


@pytest.mark.parametrize("regularised", [False, True])
def test_a_search_counts_samples(regularised):
    counts = np.maximum(COUNTS, 1)
    weighted = np.arange(N) % 3
    folds = [
        [(np.flatnonzero(groups != k), np.flatnonzero(groups == k)) for k in range(3)]
        for groups in (weighted, np.repeat(weighted, counts))
    ]
    searches = [
        gramian.ConditionalMeanEmbedding(
            Gaussian(gamma=0.3), Gaussian(gamma=0.5), learn="cv", cv=cv, regularised=regularised
        )
        for cv in folds
    ]
    once = searches[0].fit(X, Y, sample_weight=counts)
    twice = searches[1].fit(X.repeat(counts, axis=0), Y.repeat(counts, axis=0))
    np.testing.assert_allclose(once.predict(FRESH), twice.predict(FRESH), rtol=1e-7, atol=1e-9)
    assert once.penalty_ == twice.penalty_


def test_all_that_is_asked_of_an_embedding_is_weighted():
    kernels = Gaussian(gamma=0.3), Gaussian(gamma=0.5)
    once = gramian.ConditionalMeanEmbedding(*kernels).fit(X, Y, sample_weight=COUNTS)
    twice = gramian.ConditionalMeanEmbedding(*kernels).fit(X.repeat(COUNTS, axis=0), Y.repeat(COUNTS, axis=0))
    for ask in (
        lambda m: m.expectation(lambda y: y[:, 0] ** 2, FRESH),
        lambda m: m.evaluate(FRESH, Y[:4]),
        lambda m: m.distance(FRESH[:3], FRESH[4:]),
        lambda m: m.sample(FRESH, 3),
        lambda m: m.loss(FRESH, Y[:7]),
    ):
        np.testing.assert_allclose(ask(once), ask(twice), rtol=1e-7, atol=1e-9)
    assert len(once.X_fit_) == np.count_nonzero(COUNTS)
    np.testing.assert_allclose(
        twice.weights(FRESH).sum(axis=1), once.weights(FRESH).sum(axis=1), rtol=1e-7, err_msg="sums of copies"
    )


def test_precomputed_kernels_are_weighted():
    K, L = gramian.gram(Gaussian(gamma=0.3), X), gramian.gram(Gaussian(gamma=0.5), Y)
    cross = gramian.gram(Gaussian(gamma=0.3), FRESH, X)
    known = gramian.ConditionalMeanEmbedding(Gaussian(gamma=0.3), Gaussian(gamma=0.5)).fit(X, Y, sample_weight=COUNTS)
    found = gramian.ConditionalMeanEmbedding("precomputed", "precomputed").fit(K, L, sample_weight=COUNTS)
    weights = found.weights(cross)
    assert not weights[:, COUNTS == 0].any()
    np.testing.assert_allclose(weights[:, COUNTS > 0], known.weights(FRESH), rtol=1e-8, atol=1e-12)
    kept = np.maximum(COUNTS, 1)
    gram = gramian.DependencyRegressor("precomputed", "precomputed").fit(K, L, sample_weight=kept)
    points = gramian.DependencyRegressor(Gaussian(gamma=0.3), Gaussian(gamma=0.5)).fit(X, Y, sample_weight=kept)
    np.testing.assert_allclose(gram.weights(cross), points.weights(FRESH), rtol=1e-7, atol=1e-10)
    with pytest.raises(ValueError, match="must be above 0: leave these samples out"):
        gramian.DependencyRegressor("precomputed", "precomputed").fit(K, L, sample_weight=COUNTS)


def test_samples_of_weight_0_are_no_candidates():
    words, upper = ["aa", "ab", "bb", "cc"], ["AA", "AB", "BB", "CC"]

    def same(a: str, b: str) -> float:
        return float(sum(p == q for p, q in zip(a, b, strict=True)))

    model = gramian.DependencyRegressor(same, same, penalty=1e-6).fit(words, upper, sample_weight=[1, 0, 2, 1])
    assert model.predict(["aa", "bb"]) == ["AA", "BB"] and model.Y_fit_ == ["AA", "BB", "CC"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_output_components": 1, "center_components": True}, "takes no sample_weight with center_components=True"),
        ({"penalties": [0.1, 1.0], "validation": 0.3}, "needs validation='loo'"),
    ],
)
def test_what_has_no_weighted_form_is_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        gramian.DependencyRegressor(**parameters).fit(X, Y, sample_weight=COUNTS)


@pytest.mark.parametrize(
    "model",
    [
        gramian.KernelAutoencoder(max_iter=5),
        gramian.K2Autoencoder(max_iter=5),
        gramian.DeepKernelPCA((3, 2), max_iter=50),
        gramian.ParametricDeepKernelPCA(n_rounds=1, max_iter=5),
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scores_of_transformers_count_samples(model):
    fitted = clone(model).fit(X)
    weighted, repeated = fitted.score(X, sample_weight=COUNTS), fitted.score(X.repeat(COUNTS, axis=0))
    np.testing.assert_allclose(weighted, repeated, rtol=1e-9)
    assert fitted.score(X, sample_weight=np.ones(N)) == fitted.score(X)
    with pytest.raises(ValueError, match="sample_weight"):
        fitted.score(X, sample_weight=-np.ones(N))


@pytest.mark.parametrize("operator", ["conditional", "covariance", "identity"])
def test_a_factor_of_full_rank_is_weighted_as_the_model_itself(operator):
    model = gramian.DependencyRegressor(Gaussian(gamma=1.0), Gaussian(gamma=1.0), operator=operator, penalty=0.01)
    exact = model.fit(X, Y, sample_weight=COUNTS).scores(FRESH)
    ranked = model.set_params(rank=1e-15).fit(X, Y, sample_weight=COUNTS)
    assert ranked.input_supports_ is not None
    np.testing.assert_allclose(ranked.scores(FRESH), exact, atol=1e-6)


def test_a_weighted_embedding_of_labels_can_be_compressed():
    labels = (X[:, 0] > 0).astype(int)
    counts = np.maximum(COUNTS, 1)
    model = gramian.ConditionalMeanEmbedding(Gaussian(gamma=0.5), Delta(), penalty=1e-4)
    small = gramian.models.compress(model.fit(X, labels, sample_weight=counts), N)
    np.testing.assert_allclose(small.embedding(FRESH), model.evaluate(FRESH, small.classes_), atol=1e-6)
