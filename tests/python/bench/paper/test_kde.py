# SPDX-License-Identifier: BSD-3-Clause
"""The pieces of the repeated experiments on structured outputs do what they say. No test here looks at who wins."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian.kernels import Linear

from bench.paper.__main__ import EXPERIMENTS
from bench.paper.common.outcome import Outcome
from bench.paper.kde import data, digits, faces, labels, patches
from bench.paper.kde import words as kde_words
from bench.paper.kde.methods import (
    COMPONENTS,
    CONDITIONAL,
    EPSILONS,
    IDENTITY,
    METHODS,
    candidates,
    commonest,
    regressor,
    select,
)
from bench.peers import dependency as peers
from bench.rows import dependency


@pytest.fixture
def words(nothing):
    return data.words(nothing, Outcome("x"))


def test_the_loss_is_a_distance_between_features():
    truth, guess = np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([[3.0, 4.0], [1.0, 1.0]])
    kernel = gramian.kernels.Gaussian(length_scale=5.0)
    by_kernel = kernel(truth[0], truth[0]) + kernel(guess[0], guess[0]) - 2 * kernel(truth[0], guess[0])
    assert digits.rbf_loss(truth[:1], guess[:1], 5.0) == pytest.approx(by_kernel)
    assert digits.rbf_loss(truth, guess, 5.0) == pytest.approx(by_kernel / 2)
    assert digits.distance_of(by_kernel, 5.0) == pytest.approx(25.0)


def test_choices_are_all_combinations_and_the_best_is_taken():
    choices = candidates(CONDITIONAL, alpha=(1.0, 2.0), width=(3.0,))
    assert len(choices) == 2 * len(EPSILONS) and {choice["width"] for choice in choices} == {3.0}
    assert "components" in candidates(COMPONENTS)[0] and "epsilon" not in candidates(IDENTITY)[0]
    asked = []

    def error(choice, train, check):
        asked.append((choice["alpha"], train, check))
        return abs(choice["alpha"] - 2) + abs(choice["epsilon"] - 0.1) + check

    best = select(choices, error, [(0, 1), (1, 0)])
    assert best == {"alpha": 2.0, "epsilon": 0.1, "width": 3.0}
    assert len(asked) == 2 * len(choices)
    assert commonest([best, choices[0], best]) == "alpha 2, epsilon 0.1, width 3 (2 of 3)"


@pytest.mark.parametrize("method", METHODS)
def test_estimators_are_those_of_the_choice(method):
    choice = candidates(method, width=(2.0,), output_width=(3.0,))[0]
    model = regressor(method, choice, 20)
    assert model.operator == (IDENTITY if method == COMPONENTS else method)
    assert model.penalty == choice["alpha"] / (20 if model.operator == IDENTITY else 1)
    assert (model.n_output_components is not None) == (method == COMPONENTS)
    assert model.kernel.length_scale == 2.0 and model.output_kernel.length_scale == 3.0
    assert regressor(method, candidates(method)[0], 20, kernel="precomputed").output_kernel == Linear()


def test_patches_cover_a_picture_and_groups_part_it():
    assert patches.starts(32) == [0, 5, 10, 15, 20, 22] and patches.starts(25) == [0, 5, 10, 15]
    parts = patches.patches((12, 17))
    assert {len(part) for part in parts} == {100}
    found = list(patches.groups(parts, 12 * 17))
    outputs = np.concatenate([some for _, some in found])
    assert sorted(outputs) == list(range(12 * 17))
    for some, members in found:
        assert all(set(members) <= set(parts[part]) for part in some)
        assert not any(set(members) & set(part) for number, part in enumerate(parts) if number not in some)


def test_the_kernel_of_patches_is_the_operator_valued_one(rng):
    """One system with all outputs, K(x, x') = sum_p k_p(x, x') diag(patch p), against group by group."""
    shape, n, q = (11, 10), 4, 110
    X, Y, new = rng.random((n, q)), rng.random((n, q)), rng.random((2, q))
    parts = patches.patches(shape)

    def block(a, b):
        K = np.zeros(q)
        for part in parts:
            K[part] += np.exp(-((a[part] - b[part]) ** 2).sum() / (2 * 3.0**2))
        return np.diag(K)

    system = np.block([[block(a, b) for b in X] for a in X])
    psi = np.linalg.solve(system + 0.1 * np.eye(n * q), Y.ravel())
    expected = np.array([np.hstack([block(a, b) for b in X]) @ psi for a in new])
    np.testing.assert_allclose(patches.patchwise(X, Y, new, shape, 3.0, 0.1), expected, rtol=1e-10)


def naive_features(words, train, word):
    """Of one word, letter after letter of the training words: [KDE] Sec. 6.2."""
    features = []
    for other in train:
        for position in range(words.lengths[other]):
            if position >= words.lengths[word]:
                features.append(0.0)
                continue
            c, d = (np.append(1, words.pixels[words.begin[w] + position]) for w in (other, word))
            features.append(float(c @ d / np.sqrt((c @ c) * (d @ d))) ** 3)
    return np.array(features)


def test_the_feature_map_of_words_is_that_of_the_paper(words):
    train, test = np.arange(6, 15), np.arange(6)
    assert words.lengths[test].max() > words.lengths[train].max()  # a word that is longer than all that are known
    learnt, read = (np.array([naive_features(words, train, word) for word in some]) for some in (train, test))
    K, cross = kde_words.word_grams(words, train, test)
    np.testing.assert_allclose(K, learnt @ learnt.T, rtol=1e-11)
    np.testing.assert_allclose(cross, read @ learnt.T, rtol=1e-11)
    images = np.zeros((len(train), 9, 26))
    for row, word in enumerate(train):
        letters = words.letters[words.rows([word])]
        images[row, np.arange(len(letters)), letters] = 1
    predicted = np.tensordot(cross @ np.linalg.inv(K + 0.01 * np.eye(len(train))), images, 1).argmax(axis=2)
    grams = kde_words.WordGrams(words)
    found = kde_words._dependency(words, IDENTITY, grams)({"alpha": 0.01}, train, test)
    assert grams(train, test)[0] is grams(train, test)[0]
    longest, start = words.lengths[train].max(), 0
    for row, length in enumerate(words.lengths[test]):
        reached = min(length, longest)
        np.testing.assert_array_equal(found[start : start + reached], predicted[row, :reached])
        np.testing.assert_array_equal(found[start + reached : start + length], -1)
        start += length


@pytest.mark.parametrize("build", [kde_words._by_position, kde_words._letter_ridge, kde_words._letter_svm])
def test_letters_are_read_word_after_word(words, build):
    """Learned from all words, the training words themselves are read."""
    train = np.arange(60)
    found = build(words)({"alpha": 1e-6, "C": 1e4}, train, train[::-1])
    np.testing.assert_array_equal(found, words.letters[words.rows(train[::-1])])


def test_pairs_are_two_halves_and_nobody_is_on_both_sides(nothing):
    people = data.face_halves(nothing, Outcome("x"))
    whole = np.concatenate([people.X.reshape(-1, 64, 32), people.Y.reshape(-1, 64, 32)[:, :, ::-1]], axis=2)
    np.testing.assert_array_equal(whole, data._blobs(120, 64, 12)[0])
    for train, test in faces.splits(people, faces.Protocol(20, 20, 3), alone=True):
        assert len(train) == len(test) == 20
        assert not set(people.group[train]) & set(people.group[test])
    small = data.coarser(people)
    np.testing.assert_array_equal(small.X.reshape(-1, 32, 16), people.X.reshape(-1, 64, 32)[:, ::2, ::2])
    halves = data.digit_halves(nothing, Outcome("x"))
    assert halves.X.shape == halves.Y.shape == (200, 128)


def test_views_are_paired_with_the_frontal_one_of_their_object(nothing):
    views = data.object_views(nothing, Outcome("x"))
    for one in np.unique(views.group):
        assert len(np.unique(views.Y[views.group == one], axis=0)) == 1
    for train, test in faces.splits(views, faces.Protocol(150, 50, 2), alone=False):
        assert len(train) == 150 and len(test) == 50 and not set(train) & set(test)


def test_labels_are_split_once_and_scaled_by_the_training_part(nothing):
    found = data.labels("yeast", 3, nothing, Outcome("x"))
    assert set(np.unique(found.Y)) == {0.0, 1.0} and [test.sum() for test in found.tests] == [50] * 3
    assert not np.array_equal(found.tests[0], found.tests[1])
    train = ~found.tests[0]
    X = labels.scaled(np.hstack([found.X, np.ones((len(found.X), 1))]), train)
    np.testing.assert_allclose(X[train].mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(X[train].std(axis=0), [1] * 8 + [0])
    assert labels.hamming(np.array([[1, 0], [0, 0]]), np.array([[1, 1], [0, 0]])) == 0.25


def test_kernel_ridge_and_the_identity_are_one(nothing):
    found = data.labels("yeast", 1, nothing, Outcome("x"))
    choice, test = {"alpha": 0.1, "width": 2.0}, found.tests[0]
    parts = found.X[~test], found.Y[~test], found.X[test]
    np.testing.assert_array_equal(labels._linear(IDENTITY, choice, *parts), labels._kernel_ridge(choice, *parts))


def test_what_is_missing_is_said(nothing):
    outcome = Outcome("x")
    assert data.words(nothing, outcome).name == "made-up words"
    assert "ocr_letters.npz" in outcome.sentences[0]


@pytest.mark.parametrize("operator", dependency.OPERATORS)
def test_contestants_of_the_bench_agree(operator):
    problem = peers.Problem(20, operator)
    error = peers.exact_error(problem)
    answers = [build(problem)() for build in (peers.gramian_exact, peers.numpy_exact, peers.kronecker)]
    for answer in answers:
        assert error(answer) < 1e-11
        np.testing.assert_allclose(answer, answers[0], rtol=1e-7, atol=1e-9)
    assert error(answers[0] * (1 + 1e-6)) > 1e-8


@pytest.mark.parametrize("operator", dependency.OPERATORS)
def test_low_rank_contestants_solve_their_small_system(operator):
    problem = peers.Problem(80, operator)
    error = peers.low_rank_error(problem, 15)
    for fit in (
        peers.gramian_low_rank(problem, 15),
        peers.numpy_low_rank(problem, 15),
        peers.numpy_low_rank(problem, 15, "uniform"),
    ):
        answer = fit()
        assert error(answer) < 1e-7
        assert error(answer._replace(G=answer.G * 1.001)) > 1e-5
    greedy = [peers.numpy_low_rank(problem, 15)(), peers.gramian_low_rank(problem, 15, pivoting="greedy")()]
    np.testing.assert_array_equal(greedy[0].inputs, greedy[1].inputs)
    np.testing.assert_allclose(greedy[0].G, greedy[1].G, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("operator", dependency.OPERATORS)
def test_low_rank_and_printed_formula_are_exact_at_full_rank(operator):
    problem = peers.Problem(25, operator, penalty=1e-2)
    X = peers.points(7, peers.INPUTS, seed=8)
    Y = problem.outputs(X, seed=9)
    C = peers.kronecker(problem)()
    exact = peers.gaussian(X, problem.X, problem.gammas[0]) @ C.T @ peers.gaussian(problem.Y, Y, problem.gammas[1])
    low_rank = peers.inner_products(problem, peers.numpy_low_rank(problem, 25)(), X, Y)
    np.testing.assert_allclose(low_rank, exact, atol=1e-7)
    np.testing.assert_allclose(peers.printed_inner_products(problem, 25, X, Y), exact, atol=1e-7)


def test_the_best_candidates_are_found_by_everybody():
    ranking = peers.Ranking(60, training=40)
    error = dependency._top_error(ranking)
    found = [peers.gramian_top(ranking)(), peers.numpy_top_in_blocks(ranking, 17)()]
    assert all(error(answer) < 1e-12 for answer in found)
    assert error(found[0][:, ::-1]) > 1e-6
    np.testing.assert_allclose(
        ranking.scores(ranking.X, ranking.candidates),
        -ranking.model.scores(ranking.X, ranking.candidates),
        rtol=1e-9,
    )


def test_figures_of_the_paper_are_those_of_its_tables():
    assert [row.loss for row in digits.PAPER.values()] == [0.9247, 0.8145, 0.7550, 0.6276]
    assert [row.width for row in digits.PAPER.values()] == [0.1, 0.07, 1, 1]
    assert {key: value for key, (_, value) in faces.PAPER.items() if value} == {
        "identity": 0.1773,
        "covariance": 0.1570,
        "conditional": 0.1130,
        faces.PATCHES: 0.1257,
    }


@pytest.mark.parametrize("name", EXPERIMENTS["kde"])
def test_every_experiment_runs_without_data(name, quick_run, capsys):
    quick_run("kde", name)
    assert "made-up" in capsys.readouterr().out
