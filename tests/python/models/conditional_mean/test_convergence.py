# SPDX-License-Identifier: BSD-3-Clause
r"""
Embeddings of known conditional distributions: the error falls as [MCE] Thm. 1 says.

On a finite set of inputs the theorem's assumption holds, and its constant can be written down. For a kernel with
k(x, x) = 1, weights w = w(x), C the empirical covariance operator, n_x samples at x, and p in the space of k,

    bias   |<p, lambda (C + lambda)^-1 k_x>| <= |p| sqrt(lambda <k_x, (C + lambda)^-1 k_x>) <= |p| sqrt(lambda n / n_x),

as C >= n_x / n k_x k_x^T; and, as s / (s + n lambda)^2 <= 1 / (4 n lambda), |w| <= (n lambda)^-1/2 / 2, so that by
Hoeffding's inequality, for T estimates at once but with probability delta,

    noise  |sum_i w_i (1_c(y_i) - p(x_i))| <= |w| sqrt(log(2 T / delta) / 2).

Nothing in it is fitted to the outcome; with lambda = n^-1/2 both terms are O(n^-1/4).
"""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
from gramian import ConditionalMeanEmbedding, EmbeddingClassifier
from gramian.kernels import Delta, Gaussian, Matern

PLACES = np.arange(6.0)[:, None]
TABLE = np.array([[0.8, 0.1, 0.1], [0.6, 0.3, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6], [0.0, 0.1, 0.9], [0.4, 0.3, 0.3]])
DELTA = 1e-9
SIZES = (100, 400, 1600)


def draw(n, seed):
    rng = np.random.default_rng(seed)
    places = rng.integers(len(PLACES), size=n)
    labels = (rng.random(n)[:, None] > TABLE[places].cumsum(axis=1)[:, :-1]).sum(axis=1)
    return places, labels


def bound(kernel, places, penalty):
    """For each place and class."""
    n = len(places)
    norms = np.sqrt(np.einsum("ic,ij,jc->c", TABLE, np.linalg.inv(kernel(PLACES)), TABLE))
    counts = np.bincount(places, minlength=len(PLACES))
    noise = np.sqrt(np.log(2 * TABLE.size / DELTA) / 2) / (2 * np.sqrt(n * penalty))
    return norms * np.sqrt(penalty * n / counts)[:, None] + noise


def estimate(kernel, places, labels, penalty):
    model = ConditionalMeanEmbedding(kernel, Delta(), penalty=penalty).fit(PLACES[places], labels)
    return model, model.evaluate(PLACES, np.arange(3))


@pytest.mark.parametrize("kernel", [Gaussian(gamma=0.5), Matern(nu=1.5)], ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_the_error_of_decision_probabilities_falls_as_the_theorem_says(kernel, seed):
    errors, stuck = [], []
    for n in SIZES:
        places, labels = draw(n, seed)
        error = np.abs(estimate(kernel, places, labels, n**-0.5)[1] - TABLE)
        assert (error <= bound(kernel, places, n**-0.5)).all()
        errors.append(error.max())
        stuck.append(np.abs(estimate(kernel, places, labels, 0.5)[1] - TABLE).max())
        # Far too large a lambda, and the bound of the right one does not hold.
        far = np.abs(estimate(kernel, places, labels, n**0.5)[1] - TABLE)
        assert n < SIZES[-1] or (far > bound(kernel, places, n**-0.5)).any()
    # The bound falls by 2 from the first size to the last. With a lambda that stays the error stays, too.
    assert errors[-1] < errors[0] / 2
    assert stuck[-1] > stuck[0] / 2


@pytest.mark.parametrize("learn", ["validation", "cv"])
def test_a_kernel_that_is_learned_finds_the_probabilities(learn):
    """Labels differ at each place: held out all at once, one of them would seem not to occur there."""
    errors = []
    for n in SIZES:
        places, labels = draw(n, 0)
        f = EmbeddingClassifier(learn=learn, random_state=0).fit(PLACES[places], labels).embedding(PLACES)
        counts = np.bincount(places, minlength=len(PLACES))[:, None]
        # Hoeffding's inequality for the frequencies in each place, which is all that can be known without a kernel.
        assert (np.abs(f - TABLE) <= np.sqrt(np.log(2 * TABLE.size / DELTA) / (2 * counts))).all()
        errors.append(np.abs(f - TABLE).max())
    assert errors[-1] < errors[0] / 2


def test_lemma_8_the_decision_function_is_the_inner_product_with_the_indicator():
    places, labels = draw(200, 7)
    kernel = Gaussian(gamma=0.5)
    model, found = estimate(kernel, places, labels, 0.01)
    X = PLACES[places]
    system = kernel(X) + 200 * 0.01 * np.eye(200)
    one_hot = np.eye(3)[labels]
    decision = kernel(PLACES, X) @ np.linalg.solve(system, one_hot)  # [MCE] (5): f(x)
    np.testing.assert_allclose(found, decision, atol=1e-12)
    np.testing.assert_allclose(model.expectation(one_hot, PLACES), decision, atol=1e-12)
    # The distance in the space of labels is that of the vectors of probabilities, [MCE] (31).
    distances = model.distance(PLACES[:3], PLACES[3:])
    np.testing.assert_allclose(distances, ((decision[:3] - decision[3:]) ** 2).sum(axis=1), rtol=1e-9)


def test_expectations_of_a_bimodal_conditional(rng):
    """Y = +-(1 + x) with even odds, and some noise: its mean says nothing, and the embedding all."""
    x = rng.uniform(0, 2, size=800)
    sign = np.where(rng.random(800) < 0.5, -1.0, 1.0)
    y = sign * (1 + x) + 0.1 * rng.normal(size=800)
    model = ConditionalMeanEmbedding(Gaussian(length_scale=0.3), Gaussian(length_scale=0.3), penalty=1e-4).fit(
        x[:, None], y
    )
    at = np.array([[0.5], [1.0], [1.5]])
    # The variance of an estimate is that of the function times the sum of squared weights.
    spread = np.linalg.norm(model.weights(at), axis=1)
    assert (np.abs(model.predict(at)) < 5 * (1 + at[:, 0]) * spread).all()
    squares = model.expectation(lambda y: y**2, at)
    np.testing.assert_allclose(squares, (1 + at[:, 0]) ** 2 + 0.01, rtol=0.1)
    drawn = model.sample(at, 100)
    assert (np.abs(np.abs(drawn).mean(axis=1) - 1 - at[:, 0]) < 0.2).all()
    assert (np.abs((drawn > 0).mean(axis=1) - 0.5) < 0.15).all()
    assert (np.abs(drawn) > 0.5).all()


def test_the_example_sees_both_branches():
    example = runpy.run_path(str(Path(__file__).parents[4] / "examples" / "python" / "conditional_samples.py"))
    model, at = example["embed"](400), np.array([0.8, 1.5, 2.2])
    _, upper, shares, true_share, mean, true_mean = example["table"](model, at).T
    np.testing.assert_allclose(upper, true_share, atol=0.15)
    np.testing.assert_allclose(shares, upper, atol=0.05)
    np.testing.assert_allclose(mean, true_mean, atol=0.6)
    assert (np.abs(model.sample(at[:, None], 30) - true_mean[:, None]) > 0.3).all()
