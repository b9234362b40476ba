# SPDX-License-Identifier: BSD-3-Clause
"""DependencyRegressor where data are extreme or wrong: scales, matrices of few digits, lengths, kinds of objects."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from gramian import ConditionalMeanEmbedding, DependencyRegressor
from gramian.kernels import Gaussian, Linear
from gramian.operators import Separable
from sklearn.datasets import load_digits

OPERATORS = ["identity", "covariance", "conditional"]
K = Gaussian(gamma=0.3)
WORDS = ["abba", "baba", "cab", "abc", "bca", "cc"] * 5


@pytest.fixture
def data(rng):
    X = rng.normal(size=(30, 3))
    return X, np.tanh(X @ rng.normal(size=(3, 4)))


def equal_words(a, b):
    return float(a == b)


@pytest.mark.parametrize("operator", ["covariance", "conditional"])
@pytest.mark.parametrize("scale", [16.0, 256.0, 1e5, 1e12])
def test_large_outputs_of_low_rank(operator, scale):
    """Many more samples than outputs: L is singular, and its scale is large against n penalty."""
    images = load_digits().data[:400] / 16.0
    X, Y, new = images[:300, :32], scale * images[:300, 32:], images[300:, :32]
    options = {"operator": operator, "preimage": "linear"}
    for penalty in (1e-2, 1e-6, 1e-12):
        one = DependencyRegressor(Gaussian(length_scale=1.0), penalty=penalty, **options).fit(X, Y).predict(new)
        path = DependencyRegressor(Gaussian(length_scale=1.0), penalties=[penalty], **options).fit(X, Y).predict(new)
        assert np.linalg.norm(one - path) <= 1e-9 * np.linalg.norm(path)


@pytest.mark.parametrize("operator", OPERATORS)
def test_outputs_whose_squares_are_no_numbers(data, operator):
    X, Y = data
    options = {"operator": operator, "preimage": "linear"}
    for scale in (1e-140, 1e-77, 1e77, 1e140):
        penalty = 1e-2 * (1.0 if operator == "identity" else scale**2)
        plain = DependencyRegressor(K, **options).fit(X, Y).predict(X)
        scaled = DependencyRegressor(K, penalty=penalty, **options).fit(X, scale * Y).predict(X)
        np.testing.assert_allclose(scaled / scale, plain, atol=1e-9)
    with pytest.raises(ValueError, match="^y has an entry of magnitude .* scale y"):
        DependencyRegressor(K, **options).fit(X, 1e155 * Y)


def test_a_conditional_covariance_of_nothing(data):
    X, Y = data
    for epsilon in (1e-300, 1e-150, 1e-50):
        model = DependencyRegressor(K, epsilon=epsilon, preimage="linear").fit(X, Y)
        assert np.abs(model.predict(X)).max() < 1e-10  # all is explained: nothing is left to predict in


@pytest.mark.parametrize("rank", [None, 25, 1e-9])
@pytest.mark.parametrize("operator", OPERATORS)
def test_gram_matrices_of_few_digits(data, operator, rank):
    X, Y = data
    options = {"operator": operator, "rank": rank, "random_state": 0, "penalty": 1.0, "epsilon": 1.0}
    exact = DependencyRegressor("precomputed", **options).fit(X @ X.T, Y).scores(X @ X.T)
    for rounded in ((X @ X.T).astype(np.float32), np.round(X @ X.T, 8)):
        found = DependencyRegressor("precomputed", **options).fit(rounded, Y).scores(rounded)
        np.testing.assert_allclose(found, exact, atol=1e-4 * np.abs(exact).max())
    exact = DependencyRegressor(K, "precomputed", **options).fit(X, Y @ Y.T).scores(X)
    for rounded in ((Y @ Y.T).astype(np.float32), np.round(Y @ Y.T, 8)):
        found = DependencyRegressor(K, "precomputed", **options).fit(X, rounded).scores(X)
        np.testing.assert_allclose(found, exact, atol=1e-4 * np.abs(exact).max())


@pytest.mark.parametrize("rank", [None, 3, 12, 1e-6])
@pytest.mark.parametrize("operator", OPERATORS)
def test_indefinite_gram_matrices_are_refused(data, operator, rank):
    X, Y = data
    k, L = K(X), Gaussian()(Y)
    options = {"operator": operator, "rank": rank, "random_state": 0, "penalty": 10.0}
    for wrong in (-L, L - 0.5 * np.eye(30), 2.0 * np.eye(30) - np.ones((30, 30))):
        with pytest.raises(ValueError, match=r"^L must be positive semidefinite, but .*-\d"):
            DependencyRegressor(K, "precomputed", **options).fit(X, wrong)
    with pytest.raises(ValueError, match=r"^k must be positive semidefinite, but .*-\d"):
        DependencyRegressor("precomputed", **options).fit(k - 0.5 * np.eye(30), Y)


def test_losses_want_an_output_and_a_weight_for_each_sample(data):
    X, Y = data
    new, gram = X[:5], K(X)
    sparse = scipy.sparse.csr_matrix
    cases = [
        (DependencyRegressor(K).fit(X, Y), new, Y),
        (DependencyRegressor(K).fit(X, sparse(Y)), new, sparse(Y)),
        (DependencyRegressor("precomputed", "precomputed").fit(gram, gram), gram[:5], gram),
        (DependencyRegressor(K, equal_words).fit(X, WORDS), new, WORDS),
        (DependencyRegressor(K, preimage="sequence").fit(X, WORDS), new, WORDS),
        (DependencyRegressor(operator=Separable(K)).fit(X, Y), new, Y),
        (DependencyRegressor(operator=Separable(K), output_kernel=equal_words).fit(X, WORDS), new, WORDS),
    ]
    for model, inputs, outputs in cases:
        each = [model.loss(inputs[i : i + 1], outputs[i : i + 1]) for i in range(5)]
        weights = [1.0, 0.0, 2.0, 0.5, 1.5]
        expected = np.average(each, weights=weights)
        assert model.loss(inputs, outputs[:5], sample_weight=weights) == pytest.approx(expected, rel=1e-9, abs=1e-12)
        for count in (1, 4, 6):
            with pytest.raises(ValueError, match="inconsistent numbers of samples"):
                model.loss(inputs, outputs[:count])
        for wrong in ([0.0] * 5, [1.0] * 4, [-1.0, 1.0, 1.0, 1.0, 1.0], [np.nan] * 5):
            with pytest.raises(ValueError, match="(?i)sample.weight"):
                model.loss(inputs, outputs[:5], sample_weight=wrong)


def test_components_of_constant_outputs_are_their_mean(data):
    X, _ = data
    for operator in OPERATORS:
        options = {"operator": operator, "n_output_components": 2, "preimage": "linear"}
        model = DependencyRegressor(K, center_components=True, **options).fit(X, np.full((30, 2), 7.0))
        np.testing.assert_allclose(model.predict(X), 7.0, rtol=1e-12)
        np.testing.assert_allclose(model.weights(X), 1.0 / 30.0)
    with pytest.raises(ValueError, match="'center_components'"):
        DependencyRegressor(K, n_output_components=2, center_components="no").fit(X, X)


def test_candidates_of_the_constructor_are_checked_by_fit(data):
    X, Y = data
    words = DependencyRegressor(K, equal_words, preimage="candidates")
    gram = DependencyRegressor(K, "precomputed", preimage="candidates")
    vectors = DependencyRegressor(K, preimage="candidates")
    operator = DependencyRegressor(operator=Separable(K), preimage="candidates")
    sparse = scipy.sparse.csr_matrix(Y)
    for model, outputs, candidates, message in (
        (vectors, Y, None, "candidates="),
        (vectors, Y, [], "empty"),
        (vectors, Y, X, "3 features"),
        (vectors, Y, Y * np.nan, "NaN"),
        (words, WORDS, [], "empty"),
        (words, WORDS, "ab", "sequence"),
        (gram, Y @ Y.T, Y, "all 30"),
        (operator, Y, sparse, "dense"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            model.set_params(candidates=candidates).fit(X, outputs)
        assert not any(name.endswith("_") for name in vars(model))
    with pytest.raises(ValueError, match="preimage='nearest'"):
        DependencyRegressor(K, candidates=Y).fit(X, Y)
    model = gram.set_params(candidates=Y[:7] @ Y.T).fit(X, Y @ Y.T)  # their diagonal may come with `predict`
    assert model.predict(X, diag=np.ones(7)).max() < 7


def test_bytes_are_sequences(data):
    X, _ = data
    targets = [word.encode() for word in WORDS]
    model = DependencyRegressor(lambda a, b: float(a == b), preimage="sequence", penalty=1e-9).fit(WORDS, targets)
    assert model.predict(WORDS[:6]) == targets[:6]


class Base:
    pass


class Left(Base):
    pass


class Right(Base):
    pass


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ([object(), None, "s"], "object at 0 and NoneType at 1"),
        (["s", object(), "s"], "str at 0 and object at 1"),
        ([Left(), Right(), Left()], "Left at 0 and Right at 1"),
        ({0: "a", 1: "b", 2: "c"}, "dict"),
        (scipy.sparse.csr_matrix(np.eye(3)), r"sparse.*toarray\(\)"),
    ],
)
def test_objects_of_one_kind(outputs, message):
    X = np.arange(6.0).reshape(3, 2)
    one = DependencyRegressor(K, lambda a, b: float(a is b))
    with pytest.raises(TypeError, match=message):
        one.fit(X, outputs)
    with pytest.raises(TypeError, match=message):
        DependencyRegressor(lambda a, b: 1.0).fit(outputs, X)
    for fine in ([Left(), Base(), Right()], [1, 2.5, True], [object(), object(), object()]):
        assert len(one.fit(X, fine).predict(X)) == 3


def test_sequences_are_of_symbols_that_can_be_told_apart():
    X = np.arange(6.0).reshape(3, 2)
    model = DependencyRegressor(K, preimage="sequence")
    for wrong, message in (
        ([{"a": 1}, {"b": 2}, {}], "sequences of symbols"),
        ([{"a"}, {"b"}, {"c"}], "sequences of symbols"),
        ([[[1], [2]], [[1]], []], "not hashable"),
    ):
        with pytest.raises(TypeError, match=message):
            model.fit(X, wrong)


def test_two_samples_at_least():
    for kernel, inputs in ((equal_words, ["a"]), (K, [[1.0]])):
        with pytest.raises(ValueError, match=r"1 sample.*minimum of 2"):
            DependencyRegressor(kernel).fit(inputs, [[1.0]])
        with pytest.raises(ValueError, match=r"1 sample.*minimum of 2"):
            ConditionalMeanEmbedding(kernel).fit(inputs, [[1.0]])
    assert DependencyRegressor(equal_words).fit(["a", "b"], [[1.0], [2.0]]).predict(["a"]).shape == (1, 1)


def test_a_preimage_that_moves_points_wants_dense_ones(data):
    X, Y = data
    with pytest.raises(TypeError, match=r"toarray\(\)"):
        DependencyRegressor(K, Gaussian(), preimage="gaussian").fit(X, scipy.sparse.csr_matrix(Y))


@pytest.mark.parametrize(
    "options", [{"validation": "bad"}, {"pivoting": "bad"}, {"epsilon": -1.0}, {"center_components": True}]
)
def test_parameters_that_an_operator_does_not_read_are_checked_all_the_same(data, options):
    with pytest.raises(ValueError, match=next(iter(options))):
        DependencyRegressor(operator=Separable(K), **options).fit(*data)


def test_equal_samples_count_twice():
    """Singular Gram matrices on both sides."""
    X, Y = np.arange(6.0).reshape(3, 2) ** 0.5, np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 1.0], [2.0, 2.0, 0.0]])
    twice = np.repeat(X, 2, axis=0), np.repeat(Y, 2, axis=0)
    for operator in OPERATORS:
        # Errors count twice, and so does n lambda; a covariance is a sum over samples beside it, and grows as well.
        once = DependencyRegressor(Linear(), operator=operator, penalty=1e-3).fit(X, Y).scores(X, Y)
        penalty = 1e-3 if operator == "identity" else 2e-3
        for rank in (None, 4):
            model = DependencyRegressor(Linear(), operator=operator, rank=rank, random_state=0, penalty=penalty).fit(
                *twice
            )
            np.testing.assert_allclose(model.scores(X, Y), once, atol=1e-9)
