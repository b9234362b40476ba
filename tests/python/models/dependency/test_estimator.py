# SPDX-License-Identifier: BSD-3-Clause
"""DependencyRegressor: [KDE] by its formulas, ranks, components, selection of penalty, ways back."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian import DependencyRegressor
from gramian.kernels import Gaussian, Laplacian, Linear, Polynomial
from sklearn.datasets import load_digits
from sklearn.decomposition import KernelPCA
from sklearn.exceptions import ConvergenceWarning

OPERATORS = ["identity", "covariance", "conditional"]
K, L = Gaussian(length_scale=1.2), Gaussian(length_scale=1.5)


@pytest.fixture(scope="module")
def halves():
    images = load_digits().data / 16.0
    return images[:, :32], images[:, 32:]


@pytest.fixture(scope="module")
def train(halves):
    return halves[0][:36], halves[1][:36]


@pytest.fixture(scope="module")
def new(halves):
    return halves[0][200:217], halves[1][200:217]


def coefficients(k, outputs, operator, penalty, epsilon):
    """C of [KDE] Prop. 1 as n^2 equations."""
    n = len(k)
    eye = np.eye(n)
    if operator == "identity":
        return np.linalg.inv(k + n * penalty * eye)
    T = outputs if operator == "covariance" else outputs - np.linalg.solve(k + n * epsilon * eye, k @ outputs)
    A = np.linalg.solve(np.kron(k, T) + n * penalty * np.eye(n * n), eye.ravel(order="F"))
    return T @ A.reshape(n, n, order="F")


def naive_scores(train, new, candidates, operator, penalty, epsilon, k=K, outputs=L):
    C = coefficients(k(train[0]), outputs(train[1]), operator, penalty, epsilon)
    g = k(new, train[0]) @ C.T
    return 2.0 * g @ outputs(train[1], candidates) - outputs.diag(candidates)[None]


@pytest.mark.parametrize("operator", OPERATORS)
def test_scores_are_those_of_the_kronecker_system(train, new, operator):
    model = DependencyRegressor(K, L, operator=operator, penalty=3e-3, epsilon=5e-2).fit(*train)
    for candidates in (None, new[1]):
        given = train[1] if candidates is None else candidates
        expected = naive_scores(train, new[0], given, operator, 3e-3, 5e-2)
        scores = model.scores(new[0], candidates)
        np.testing.assert_allclose(scores, expected, atol=1e-10)
        np.testing.assert_array_equal(model.nearest(new[0], candidates), expected.argmax(axis=1))
        np.testing.assert_array_equal(model.predict(new[0], candidates), given[expected.argmax(axis=1)])
        best = np.argsort(-expected, axis=1, kind="stable")[:, :5]
        np.testing.assert_array_equal(model.nearest(new[0], candidates, k=5), best)
        np.testing.assert_array_equal(model.predict(new[0], candidates, k=5), given[best])
    assert model.predict(new[0], k=1).shape == (17, 1, 32)
    weights = model.weights(new[0])
    np.testing.assert_allclose(2.0 * weights @ L(train[1]) - 1.0, model.scores(new[0]), atol=1e-12)


def test_operators_differ(train, new):
    scores = [DependencyRegressor(K, L, operator=name).fit(*train).scores(new[0]) for name in OPERATORS]
    assert min(np.abs(a - b).max() for a in scores for b in scores if a is not b) > 1e-2


def test_the_identity_is_kernel_ridge(train, new):
    from sklearn.kernel_ridge import KernelRidge

    model = DependencyRegressor(K, operator="identity", penalty=0.2, preimage="linear").fit(*train)
    theirs = KernelRidge(alpha=len(train[0]) * 0.2, kernel="precomputed").fit(K(train[0]), train[1])
    np.testing.assert_allclose(model.predict(new[0]), theirs.predict(K(new[0], train[0])), atol=1e-10)


def test_loss_is_that_of_the_output_kernel(train, new):
    model = DependencyRegressor(K, L).fit(*train)
    predicted = model.predict(new[0])
    rbf = 2.0 - 2.0 * np.exp(-((new[1] - predicted) ** 2).sum(axis=1) / (2 * 1.5**2))
    assert model.loss(*new) == pytest.approx(rbf.mean(), abs=1e-12)
    weights = np.arange(1.0, 18.0)
    assert model.loss(*new, sample_weight=weights) == pytest.approx(np.average(rbf, weights=weights), abs=1e-12)
    linear = DependencyRegressor(K, "linear").fit(*train)
    squared = ((new[1] - linear.predict(new[0])) ** 2).sum(axis=1)
    assert linear.loss(*new) == pytest.approx(squared.mean(), rel=1e-12)
    assert linear.output_kernel_ == Linear() == DependencyRegressor(K).fit(*train).output_kernel_


def test_the_median_rule(train):
    model = DependencyRegressor().fit(*train)
    X = train[0]
    distances = ((X[:, None] - X[None]) ** 2).sum(axis=2)[np.triu_indices(len(X), 1)]
    assert model.kernel_.gamma == pytest.approx(1 / np.sort(distances)[len(distances) // 2], rel=1e-9)


@pytest.mark.parametrize("operator", OPERATORS)
def test_full_ranks_are_exact(train, new, operator):
    exact = DependencyRegressor(K, L, operator=operator).fit(*train)
    for rank in (36, (36, None), 1e-14):
        model = DependencyRegressor(K, L, operator=operator, rank=rank, random_state=0).fit(*train)
        np.testing.assert_allclose(model.scores(new[0]), exact.scores(new[0]), atol=1e-9)
        assert model.input_residual_ < 1e-9 and model.output_residual_ < 1e-9
    assert exact.input_supports_ is None and exact.input_residual_ == 0.0


def test_ranks_leave_few_supports(halves):
    train, new = (halves[0][:300], halves[1][:300]), (halves[0][300:400], halves[1][300:400])
    exact = DependencyRegressor(K, L).fit(*train)
    model = DependencyRegressor(K, L, rank=(60, 40), random_state=0).fit(*train)
    assert model.X_fit_.shape == (60, 32) and len(model.output_supports_) == 40 and len(model.Y_fit_) == 300
    np.testing.assert_array_equal(model.X_fit_, train[0][model.input_supports_])
    assert 0 < model.input_residual_ < 0.2 and 0 < model.output_residual_ < 0.3
    assert model.loss(*new) < exact.loss(*new) + 0.2
    tolerance = DependencyRegressor(K, L, rank=(0.05, 0.2), random_state=0).fit(*train)
    assert tolerance.input_residual_ <= 0.05 and tolerance.output_residual_ <= 0.2
    assert len(tolerance.input_supports_) < 300
    greedy = DependencyRegressor(K, L, rank=60, pivoting="greedy").fit(*train)
    assert not np.array_equal(
        greedy.input_supports_, DependencyRegressor(K, L, rank=60, random_state=0).fit(*train).input_supports_
    )
    seeds = [DependencyRegressor(K, L, rank=20, random_state=s).fit(*train).input_supports_ for s in (0, 0, 1)]
    assert np.array_equal(seeds[0], seeds[1]) and not np.array_equal(seeds[0], seeds[2])


def test_components_are_kernel_principal_components(train, new):
    """Weston et al.: ridge regression to each coordinate, and the candidate that is nearest in these."""
    for centred in (False, True):
        model = DependencyRegressor(
            K, L, operator="identity", penalty=0.1, n_output_components=5, center_components=centred
        ).fit(*train)
        gram = L(train[1])
        n = len(gram)
        H = np.eye(n) - centred * np.full((n, n), 1.0 / n)
        values, vectors = np.linalg.eigh(H @ gram @ H)
        axes = H @ (vectors[:, -5:] / np.sqrt(values[-5:]))
        mean = centred * gram.mean(axis=0) @ axes

        def coordinates(points, axes=axes, mean=mean):
            return L(points, train[1]) @ axes - mean

        g = K(new[0], train[0]) @ np.linalg.solve(K(train[0]) + n * 0.1 * np.eye(n), coordinates(train[1]))
        distances = ((g[:, None] - coordinates(new[1])[None]) ** 2).sum(axis=2)
        scores = model.scores(new[0], new[1])
        np.testing.assert_array_equal(model.nearest(new[0], new[1]), distances.argmin(axis=1))
        np.testing.assert_allclose(scores - scores[:, :1], distances[:, :1] - distances, atol=1e-9)
    theirs = KernelPCA(5, kernel="precomputed").fit(L(train[1])).eigenvalues_
    np.testing.assert_allclose(theirs, values[:-6:-1], rtol=1e-9)


def errors_of(model):
    return -model.cv_results_["mean_test_score"]


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("rank", [None, 8])
def test_penalties_are_compared_by_leave_one_out(train, operator, rank):
    penalties, X, Y = [1e-4, 1e-2, 1.0], train[0][:8], train[1][:8]
    model = DependencyRegressor(
        K, L, operator=operator, penalties=penalties, rank=rank, random_state=0, penalty=123.0
    ).fit(X, Y)
    k, outputs, n = K(X), L(Y), len(X)
    T = {"identity": np.eye(n), "covariance": outputs}.get(operator)
    if T is None:
        T = outputs - np.linalg.solve(k + n * 1e-2 * np.eye(n), k @ outputs)
    for penalty, criterion in zip(penalties, errors_of(model), strict=True):
        errors = []
        for i in range(n):  # the operator, and n lambda, are those of all samples
            rest = np.delete(np.arange(n), i)
            # psi of the others lie in the span of all images: T between these, so that C_YY does not change.
            left = np.kron(k[np.ix_(rest, rest)], T) + n * penalty * np.eye(n * (n - 1))
            psi = np.linalg.solve(left, np.eye(n)[rest].ravel()).reshape(n - 1, n)
            g = T @ (k[i, rest] @ psi)
            errors.append(outputs[i, i] - 2 * outputs[i] @ g + g @ outputs @ g)
        assert criterion == pytest.approx(np.mean(errors), rel=1e-6)
    assert model.penalty_ == penalties[int(np.argmin(errors_of(model)))]
    plain = DependencyRegressor(K, L, operator=operator, penalty=model.penalty_, rank=rank, random_state=0).fit(X, Y)
    np.testing.assert_allclose(model.scores(X), plain.scores(X), atol=1e-9)


@pytest.mark.parametrize("rank", [None, 25])
def test_penalties_are_compared_on_samples_that_are_held_out(train, rank):
    X, Y = train
    options = {"penalties": [1e-4, 1e-2, 1.0], "validation": 0.25, "rank": rank, "random_state": 3}
    model = DependencyRegressor(K, L, **options).fit(X, Y)
    held = np.sort(np.random.default_rng(3).permutation(len(X))[:9])
    rest = np.setdiff1d(np.arange(len(X)), held)
    for penalty, criterion in zip(options["penalties"], errors_of(model), strict=True):
        part = DependencyRegressor(K, L, penalty=penalty, rank=rank, random_state=3).fit(X[rest], Y[rest])
        weights = part.weights(X[held])
        support = Y[rest] if rank is None else Y[rest][part.output_supports_]
        squares = ((weights @ L(support)) * weights).sum(axis=1)
        inner = (weights * L(Y[held], support)).sum(axis=1)
        assert criterion == pytest.approx(np.mean(1.0 - 2.0 * inner + squares), rel=1e-8)
    whole = DependencyRegressor(K, L, penalty=model.penalty_, rank=rank, random_state=3).fit(X, Y)
    np.testing.assert_array_equal(model.scores(X), whole.scores(X))
    again = DependencyRegressor(lambda a, b: K(a, b), "precomputed", **{**options, "rank": None}).fit(X, L(Y))
    if rank is None:
        np.testing.assert_allclose(errors_of(again), errors_of(model), rtol=1e-9)


def test_the_linear_preimage_is_the_image_itself(train, new):
    model = DependencyRegressor(K, preimage="linear", penalty=1e-4).fit(*train)
    g = model.predict(new[0])
    np.testing.assert_allclose(g, model.weights(new[0]) @ train[1], atol=1e-12)
    scores = model.scores(new[0], new[1])
    expected = 2.0 * g @ new[1].T - (new[1] ** 2).sum(axis=1)[None]
    np.testing.assert_allclose(scores, expected, atol=1e-10)
    np.testing.assert_array_equal(model.predict(new[0], candidates=new[1]), new[1][expected.argmax(axis=1)])
    one = DependencyRegressor(K, preimage="linear", penalty=1e-4).fit(train[0], train[1][:, 5])
    assert one.predict(new[0]).shape == (17,)


def test_the_gaussian_preimage_is_a_maximum(train, new):
    widths = np.full(32, 1.5)
    widths[::2] = 2.0
    for kernel in (L, Gaussian(length_scale=widths)):
        model = DependencyRegressor(K, kernel, preimage="gaussian").fit(*train)
        found, weights = model.predict(new[0]), model.weights(new[0])
        response = (weights * kernel(found, train[1])).sum(axis=1)
        nearest = train[1][model.nearest(new[0])]
        assert (response >= (weights * kernel(nearest, train[1])).sum(axis=1) - 1e-9).all()
        for axis in (0, 9, 31):
            for step in (1e-3, -1e-3):
                moved = found.copy()
                moved[:, axis] += step
                assert ((weights * kernel(moved, train[1])).sum(axis=1) <= response + 1e-9).all()
        ranked = DependencyRegressor(K, kernel, preimage="gaussian", rank=20, random_state=0).fit(*train)
        assert ranked.predict(new[0]).shape == found.shape


def test_a_preimage_that_leads_nowhere_is_told(train):
    model = DependencyRegressor(K, L, preimage="gaussian").fit(*train)
    with pytest.warns(ConvergenceWarning, match="pre-images did not converge"):
        model.predict(np.full((1, 32), 1e6))  # the kernel underflows: no response at all


def test_a_function_leads_back(train, new):
    seen = []

    def mode(weights, outputs):
        seen.append(outputs)
        return outputs[weights.argmax(axis=1)]

    model = DependencyRegressor(K, L, preimage=mode).fit(*train)
    np.testing.assert_array_equal(model.predict(new[0]), train[1][model.weights(new[0]).argmax(axis=1)])
    ranked = DependencyRegressor(K, L, preimage=mode, rank=9, random_state=0).fit(*train)
    ranked.predict(new[0])
    np.testing.assert_array_equal(seen[-1], train[1][ranked.output_supports_])
    rows = DependencyRegressor("precomputed", "precomputed", preimage=mode, rank=9, random_state=0).fit(
        K(train[0]), L(train[1])
    )
    assert set(rows.predict(K(new[0], train[0]))) <= set(rows.output_supports_)


def test_candidates_can_be_parameters(train, new):
    model = DependencyRegressor(K, L, preimage="candidates", candidates=new[1]).fit(*train)
    plain = DependencyRegressor(K, L).fit(*train)
    np.testing.assert_array_equal(model.predict(new[0]), plain.predict(new[0], candidates=new[1]))
    np.testing.assert_array_equal(model.predict(new[0], candidates=train[1]), plain.predict(new[0]))
    assert model.loss(*new) < plain.loss(*new)
    with pytest.raises(ValueError, match="candidates="):
        DependencyRegressor(K, L, preimage="candidates").fit(*train).predict(new[0])


@pytest.mark.parametrize("kernel", [Laplacian(gamma=0.2), Polynomial(degree=2), Linear()], ids=repr)
def test_other_kernels(train, new, kernel):
    model = DependencyRegressor(kernel, kernel).fit(*train)
    expected = naive_scores(train, new[0], new[1], "conditional", 1e-2, 1e-2, kernel, kernel)
    np.testing.assert_allclose(model.scores(*new), expected, rtol=1e-7, atol=1e-7 * np.abs(expected).max())


def test_any_number_of_threads_gives_the_same_bits(halves, new):
    X, Y = halves[0][:200], halves[1][:200]

    def bits():
        models = [
            DependencyRegressor(K, L, rank=rank, random_state=0, penalties=[1e-3, 1e-1]).fit(X, Y)
            for rank in (50, None)
        ]
        found = [(model.scores(new[0]), model.nearest(new[0], k=3), errors_of(model)) for model in models]
        return tuple(array.tobytes() for arrays in found for array in arrays)

    found = set()
    for threads in (1, 2, 7):
        gramian.set_num_threads(threads)
        found.add(bits())
    assert len(found) == 1
