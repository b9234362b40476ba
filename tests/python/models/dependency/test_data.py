# SPDX-License-Identifier: BSD-3-Clause
"""DependencyRegressor on anything: Gram matrices, functions of objects, sparse counts, sequences; and bad input."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from gramian import DependencyRegressor
from gramian.kernels import Cosine, Gaussian, Linear, Tanimoto
from gramian.operators import Separable
from sklearn.datasets import make_multilabel_classification
from sklearn.model_selection import GridSearchCV, KFold
from structured_data import graph_gram, random_graphs

WORDS = ["abba", "baba", "cab", "abc", "bca", "cc", "acb", "bab", "aab", "bbc", "ca", "acca"]


def shared_pairs(a, b):
    """Common neighbours of two strings, by place: any k(a, b) that is an inner product."""
    left, right = ({word[i : i + 2] for i in range(len(word))} for word in (a, b))
    return float(len(left & right))


@pytest.fixture
def data(rng):
    X, W = rng.normal(size=(45, 4)), rng.normal(size=(4, 6))
    return X[:30], np.tanh(X[:30] @ W), X[30:], np.tanh(X[30:] @ W)


@pytest.mark.parametrize("operator", ["identity", "covariance", "conditional"])
@pytest.mark.parametrize("rank", [None, 12])
def test_precomputed_is_the_kernel_itself(data, operator, rank):
    X, Y, new, truth = data
    k, out = Gaussian(gamma=0.2), Gaussian(gamma=0.3)
    options = {"operator": operator, "rank": rank, "random_state": 0, "penalty": 1e-3}
    plain = DependencyRegressor(k, out, **options).fit(X, Y)
    model = DependencyRegressor("precomputed", "precomputed", **options).fit(k(X), out(Y))
    crossed = k(new, X)
    close = {"atol": 1e-10}
    np.testing.assert_array_equal(model.predict(crossed), plain.nearest(new))
    np.testing.assert_array_equal(model.predict(crossed, k=4), plain.nearest(new, k=4))
    np.testing.assert_allclose(model.scores(crossed), plain.scores(new), **close)
    for diag in (None, np.ones(15)):
        scores = model.scores(crossed, out(truth, Y), diag=diag)
        np.testing.assert_allclose(scores, plain.scores(new, truth), **close)
        np.testing.assert_array_equal(model.predict(crossed, out(truth, Y), diag=diag), plain.nearest(new, truth))
        assert model.loss(crossed, out(truth, Y), diag=diag) == pytest.approx(plain.loss(new, truth), abs=1e-12)
    assert model.X_fit_ is None and model.Y_fit_ is None and model.n_features_in_ == 30


def test_functions_are_their_gram_matrices(data):
    X, Y, new, truth = data
    k, out = Gaussian(gamma=0.2), Gaussian(gamma=0.3)
    for rank in (None, 12):
        plain = DependencyRegressor(k, out, rank=rank, random_state=0).fit(X, Y)
        model = DependencyRegressor(lambda a, b: k(a, b), lambda a, b: out(a, b), rank=rank, random_state=0).fit(
            X, list(Y)
        )
        np.testing.assert_allclose(model.scores(new), plain.scores(new), atol=1e-10)
        np.testing.assert_allclose(model.scores(list(new), list(truth)), plain.scores(new, truth), atol=1e-10)
        predicted = model.predict(new)
        assert isinstance(predicted, list)
        np.testing.assert_array_equal(predicted, plain.predict(new))
        assert model.loss(new, list(truth)) == pytest.approx(plain.loss(new, truth), abs=1e-12)
        best = model.predict(new[:2], list(truth), k=3)
        np.testing.assert_array_equal(best, plain.predict(new[:2], truth, k=3))


def test_graphs_lead_to_strings(rng):
    graphs, rings = random_graphs(40, rng)
    names = [("ring" if ring else "tree") + str(len(graph) // 4) for graph, ring in zip(graphs, rings, strict=True)]
    K = graph_gram(graphs, graphs)
    model = DependencyRegressor("precomputed", shared_pairs, penalty=1e-4).fit(K[:30, :30], names[:30])
    predicted = model.predict(K[30:, :30])
    assert np.mean([a[:4] == b[:4] for a, b in zip(predicted, names[30:], strict=True)]) > 0.9
    assert model.score(K[:30, :30], names[:30]) > -1.0


def test_sparse_and_dense_are_the_same(data):
    X, Y, new, truth = (np.where(np.abs(part) > 0.4, part, 0.0) for part in data)
    sparse = [scipy.sparse.csr_matrix(X), scipy.sparse.csr_array(Y), scipy.sparse.csc_matrix(new)]
    for options in ({"rank": 9}, {"preimage": "linear"}, {}):
        plain = DependencyRegressor(Gaussian(gamma=0.3), penalty=1e-3, random_state=0, **options).fit(X, Y)
        model = DependencyRegressor(Gaussian(gamma=0.3), penalty=1e-3, random_state=0, **options).fit(*sparse[:2])
        for q in (new, sparse[2]):
            np.testing.assert_allclose(model.scores(q), plain.scores(q), atol=1e-9)
            found = model.predict(q)
            found = found.toarray() if scipy.sparse.issparse(found) else found
            np.testing.assert_allclose(found, plain.predict(q), atol=1e-9)
        given = scipy.sparse.csr_matrix(truth)
        np.testing.assert_array_equal(model.nearest(new, given), plain.nearest(new, truth))
        best = model.predict(new, given, k=2)
        assert len(best) == 15 and best[3].shape == (2, 6)
        np.testing.assert_array_equal(best[3].toarray(), plain.predict(new, truth, k=2)[3])
        assert model.score(new, given) == pytest.approx(plain.score(new, truth), rel=1e-9)
        assert model.loss(new, given) == pytest.approx(plain.loss(new, truth), rel=1e-9)


def test_sequences_are_read_symbol_by_symbol():
    targets = [word[::-1] for word in WORDS]
    model = DependencyRegressor(shared_pairs, preimage="sequence", penalty=1e-8).fit(WORDS, targets)
    assert model.symbols_ == ["a", "b", "c"]
    assert model.predict(WORDS) == targets
    assert model.score(WORDS, targets) == 0.0
    assert [len(word) for word in model.predict(WORDS[:3], lengths=[1, 4, 0])] == [1, 4, 0]
    assert model.predict(["abba"], candidates=["abba", "cc"]) == ["abba"]
    assert model.predict(["abba"], candidates=["cc", "cac", "abba"], k=2)[0][0] == "abba"
    features = np.zeros((12, 4, 3))
    for row, word in enumerate(targets):
        for place, symbol in enumerate(word):
            features[row, place, "abc".index(symbol)] = 1.0
    np.testing.assert_array_equal(model.features_, features.reshape(12, 12))
    images = DependencyRegressor(shared_pairs, preimage="linear", penalty=1e-8).fit(WORDS, model.features_)
    np.testing.assert_allclose(images.weights(WORDS), model.weights(WORDS), atol=1e-12)


def test_losses_of_sequences_are_distances_of_their_features():
    model = DependencyRegressor(shared_pairs, preimage="sequence", penalty=1e-8).fit(WORDS, WORDS)
    # Two of a wrong symbol, one of a missing one; symbols that are new are wrong.
    for truth, loss in (("abba", 0.0), ("abbb", 2.0), ("abb", 1.0), ("zbbaz", 3.0), ("", 4.0)):
        assert model.score(["abba"], [truth]) == -loss


def test_sequences_may_be_anything_with_symbols():
    pairs = [((1, "x"), (2, "y")), ((2, "y"),), ((1, "x"),), ((2, "y"), (1, "x"))]
    model = DependencyRegressor(shared_pairs, preimage="sequence", penalty=1e-9).fit(["ab", "b", "a", "ba"], pairs)
    assert model.predict(["ab", "b"]) == pairs[:2]
    numbers = DependencyRegressor(shared_pairs, preimage="sequence", penalty=1e-9).fit(WORDS, [[len(w)] for w in WORDS])
    assert numbers.predict(WORDS[:2]) == [[4], [4]]
    unordered = DependencyRegressor(shared_pairs, preimage="sequence", penalty=1e-9).fit(
        ["a", "b"], [[1, "a"], ["a", 1]]
    )
    assert unordered.predict(["b"]) == [["a", 1]]


def test_labels_keep_their_type():
    X, Y = make_multilabel_classification(120, 8, n_classes=5, random_state=0)
    model = DependencyRegressor(Gaussian(gamma=0.02), Tanimoto(), penalty=1e-3).fit(X[:90], Y[:90])
    predicted = model.predict(X[90:])
    assert predicted.dtype == Y.dtype and set(np.unique(predicted)) <= {0, 1}
    baseline = np.tile(Y[:90].mean(axis=0) > 0.5, (30, 1))
    assert (predicted != Y[90:]).mean() < (baseline != Y[90:]).mean()
    kinds = np.array(["red", "green", "blue"])[Y[:, 0] + Y[:, 1]]
    model = DependencyRegressor(Gaussian(gamma=0.02), lambda a, b: float(a == b)).fit(X[:90], kinds[:90])
    assert model.predict(X[90:]).dtype == kinds.dtype
    assert -2.0 * np.mean(model.predict(X[90:]) != kinds[90:]) == pytest.approx(model.score(X[90:], kinds[90:]))


def test_gram_matrices_of_inputs_are_cut_in_a_search(data):
    X, Y, _, _ = data
    k = Gaussian(gamma=0.2)
    cut = KFold(3)
    grid = {"penalty": [1e-4, 1e-2], "operator": ["identity", "covariance"]}
    plain = GridSearchCV(DependencyRegressor(k, Gaussian()), grid, cv=cut).fit(X, Y)
    ours = GridSearchCV(DependencyRegressor("precomputed", Gaussian()), grid, cv=cut).fit(k(X), Y)
    np.testing.assert_allclose(plain.cv_results_["mean_test_score"], ours.cv_results_["mean_test_score"], atol=1e-9)
    # Outputs that are known by a Gram matrix go through a search as rows of it.
    gram = Gaussian()(Y)
    options = {"cv": cut, "scoring": lambda model, X, y: -model.loss(X, y)}  # R^2 is that of regressors only
    plain = GridSearchCV(DependencyRegressor(k, Gaussian()), grid, **options).fit(X, Y)
    rows = GridSearchCV(DependencyRegressor(k, lambda a, b: gram[a, b]), grid, **options).fit(X, np.arange(30))
    np.testing.assert_allclose(plain.cv_results_["mean_test_score"], rows.cv_results_["mean_test_score"], atol=1e-9)


def no_number(a, b):
    return "3"[2:]


X, Y = np.arange(12.0).reshape(6, 2) ** 0.5, np.arange(18.0).reshape(6, 3) % 5.0
GRAM = Y @ Y.T
OWN = Separable(Gaussian())

BAD_FITS = [
    ({"epsilon": 0}, X, Y, ValueError, "'epsilon' .* greater than 0"),
    ({"penalty": 0.0}, X, Y, ValueError, "'penalty' .* greater than 0"),
    ({"penalty": "1"}, X, Y, TypeError, "'penalty'"),
    ({"penalties": []}, X, Y, ValueError, "'penalties'"),
    ({"penalties": [1.0, -1.0]}, X, Y, ValueError, r"penalties\[1\]"),
    ({"penalties": [1.0], "validation": 1.0}, X, Y, ValueError, "'validation'"),
    ({"penalties": [1.0], "validation": 0.99}, X, Y, ValueError, "leaves none"),
    ({"operator": "full"}, X, Y, ValueError, "'operator'"),
    ({"kernel": "rfb"}, X, Y, ValueError, "'kernel'"),
    ({"kernel": Gaussian}, X, Y, TypeError, "'kernel'"),
    ({"output_kernel": 3}, X, Y, TypeError, "'output_kernel'"),
    ({"rank": 0}, X, Y, ValueError, "'rank'"),
    ({"rank": 1.5}, X, Y, ValueError, "'rank'"),
    ({"rank": (1, 2, 3)}, X, Y, ValueError, "'rank'"),
    ({"rank": 3, "pivoting": "best"}, X, Y, ValueError, "'pivoting'"),
    ({"rank": 3, "n_output_components": 2}, X, Y, ValueError, "exclude each other"),
    ({"n_output_components": 7}, X, Y, ValueError, "'n_output_components'"),
    ({"center_components": True}, X, Y, ValueError, "n_output_components"),
    ({"preimage": "best"}, X, Y, ValueError, "'preimage'"),
    ({"preimage": "gaussian"}, X, Y, ValueError, "Gaussian output kernel"),
    ({"preimage": "linear", "output_kernel": Gaussian()}, X, Y, ValueError, "linear output kernel"),
    ({"preimage": "sequence"}, X, Y[:, 0], TypeError, "sequences of symbols"),
    ({"preimage": "sequence"}, X, [""] * 6, ValueError, "nothing to learn"),
    ({}, X, None, ValueError, "requires y"),
    ({}, X, [1.0, "a"] * 3, TypeError, "real numbers"),
    ({}, X, [1.0, None] * 3, TypeError, "real numbers"),
    ({}, X, ["a", "b"] * 3, TypeError, "function of two"),
    ({}, X, Y * np.nan, ValueError, "NaN"),
    ({}, X, Y[:5], ValueError, "inconsistent"),
    ({}, X, 3.0, TypeError, "(?i)scalar|singleton"),
    ({}, X[:1], Y[:1], ValueError, "minimum of 2"),
    ({"output_kernel": shared_pairs}, X, ["a", 3] * 3, TypeError, "str at 0 and int at 1"),
    ({"output_kernel": shared_pairs}, X, "abcdef", TypeError, "sequence"),
    ({"output_kernel": shared_pairs}, X, 3, TypeError, "sequence"),
    ({"kernel": shared_pairs}, [], Y, ValueError, "0 sample"),
    ({"kernel": no_number}, X, Y, ValueError, "returned ''"),
    ({"kernel": lambda a, b: np.nan}, X, Y, ValueError, "finite"),
    ({"kernel": lambda a, b: -float(a @ b)}, X, Y, ValueError, "positive semidefinite"),
    ({"output_kernel": "precomputed"}, X, Y, ValueError, "square"),
    ({"output_kernel": "precomputed"}, X, np.triu(GRAM), ValueError, "symmetric"),
    ({"output_kernel": "precomputed"}, X, -GRAM, ValueError, "positive semidefinite"),
    ({"kernel": "precomputed"}, X, Y, ValueError, "square"),
    ({"operator": OWN, "kernel": Gaussian()}, X, Y, ValueError, "kernel must be None"),
    ({"operator": OWN, "output_kernel": "precomputed"}, X, -GRAM, ValueError, "semidefinite"),
    ({"operator": OWN, "output_kernel": "precomputed"}, X, np.zeros((6, 6)), ValueError, "nothing to learn"),
    ({"operator": OWN, "rank": 3}, X, Y, ValueError, "rank must be None"),
]


@pytest.mark.parametrize(("options", "inputs", "outputs", "error", "message"), BAD_FITS)
def test_bad_fits_are_refused(options, inputs, outputs, error, message):
    model = DependencyRegressor(**options)
    with pytest.raises(error, match=message):
        model.fit(inputs, outputs)
    assert not any(name.endswith("_") for name in vars(model))


def test_bad_candidates_are_refused():
    model = DependencyRegressor().fit(X, Y)
    for empty in ([], np.zeros((0, 3)), scipy.sparse.csr_matrix((0, 3))):
        with pytest.raises(ValueError, match="candidates is empty"):
            model.predict(X, candidates=empty)
    with pytest.raises(ValueError, match="2 features"):
        model.predict(X, candidates=X)
    for k in (0, 7):
        with pytest.raises(ValueError, match=r"'k' .* \[1, 6\]"):
            model.predict(X, k=k)
    with pytest.raises(ValueError, match=r"\[1, 2\]"):
        model.nearest(X, candidates=scipy.sparse.csr_matrix(Y[:2]), k=3)
    with pytest.raises(ValueError, match="diag"):
        model.predict(X, candidates=Y, diag=np.ones(6))
    with pytest.raises(ValueError, match="diag"):
        model.predict(X, diag=np.ones(6))
    with pytest.raises(ValueError, match="lengths"):
        model.predict(X, lengths=[1] * 6)
    with pytest.raises(ValueError, match="k and diag"):
        DependencyRegressor(preimage="linear").fit(X, Y).predict(X, k=2)


def test_bad_inner_products_of_candidates_are_refused():
    model = DependencyRegressor(output_kernel="precomputed").fit(X, GRAM)
    assert model.predict(X, candidates=GRAM, diag=np.diagonal(GRAM)).shape == (6,)
    with pytest.raises(ValueError, match="diag is needed"):
        model.predict(X, candidates=GRAM)
    with pytest.raises(ValueError, match="diag must have shape"):
        model.predict(X, candidates=GRAM, diag=[1.0])
    with pytest.raises(ValueError, match="all 6 training outputs"):
        model.predict(X, candidates=GRAM[:, :3], diag=np.diagonal(GRAM))
    with pytest.raises(ValueError, match="candidates is empty"):
        model.predict(X, candidates=GRAM[:0])
    with pytest.raises(ValueError, match="'nearest'"):
        DependencyRegressor(output_kernel="precomputed", preimage=lambda w, rows: rows).fit(X, GRAM).score(X, GRAM)


def test_bad_sequences_are_refused():
    model = DependencyRegressor(preimage="sequence").fit(X, ["ab", "", "b", "ba", "a", "aa"])
    for candidates, message in ((["abc"], "longest"), (["c"], "no training output"), ([], "empty"), ([3], "sequences")):
        with pytest.raises((ValueError, TypeError), match=message):
            model.predict(X, candidates=candidates)
    for lengths in ([3] * 6, [1] * 5, [-1] * 6, [1.0] * 6):
        with pytest.raises(ValueError, match="lengths"):
            model.predict(X, lengths=lengths)


def test_constant_outputs_are_no_problem():
    """Of equal samples too: singular Gram matrices on both sides."""
    for operator in ("identity", "covariance", "conditional"):
        for rank in (None, 4):
            for inputs in (X, np.repeat(X[:3], 2, axis=0)):
                model = DependencyRegressor(Linear(), operator=operator, rank=rank, random_state=0, penalty=1e-9).fit(
                    inputs, np.ones(6)
                )
                np.testing.assert_array_equal(model.predict(X), 1.0)
    for zero in (np.zeros((6, 3)), np.zeros(6)):
        np.testing.assert_array_equal(DependencyRegressor(preimage="linear", rank=3).fit(X, zero).predict(X), zero)
    # The same input with three outputs: g is their mean there, less what the penalty takes.
    counts = scipy.sparse.csr_matrix(np.repeat(Y[:2], 3, axis=0))
    model = DependencyRegressor(Cosine(), operator="identity", preimage="linear", penalty=1e-9).fit(counts, Y)
    means = np.repeat([Y[:3].mean(axis=0), Y[3:].mean(axis=0)], 3, axis=0)
    np.testing.assert_allclose(model.predict(counts), means, atol=1e-6)
