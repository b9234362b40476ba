# SPDX-License-Identifier: BSD-3-Clause
"""Disentanglement: cases whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from gramian.metrics import irs, mig, windin


@pytest.fixture(scope="module")
def factors():
    """A full grid of three factors with 3, 4 and 5 values."""
    grid = np.meshgrid(np.arange(3.0), np.arange(4.0), np.arange(5.0), indexing="ij")
    return np.stack([axis.ravel() for axis in grid], axis=1)


def test_components_that_are_the_factors_are_perfect(factors):
    found = irs(factors[:, [2, 0, 1]], factors)
    assert found.score == 1.0
    assert found.parents.tolist() == [2, 0, 1]
    np.testing.assert_array_equal(found.components, 1.0)
    assert mig(factors, factors) == pytest.approx(1.0, abs=1e-12)
    bent = np.exp(factors)  # one to one is all that counts
    assert irs(bent, factors).score == 1.0


def test_a_sum_of_two_factors_strays_by_half_of_its_range():
    a, b = (axis.ravel() for axis in np.meshgrid([-1.0, 1.0], [-1.0, 1.0]))
    codes, both = (a + b)[:, None], np.stack([a, b], axis=1)
    # Where a is fixed the sum strays by 1 from its mean, and by 2 over all samples.
    found = irs(codes, both, quantile=1.0)
    np.testing.assert_allclose(found.matrix, [[0.5, 0.5]], atol=1e-15)
    assert found.score == pytest.approx(0.5)


def test_weights_of_irs_are_ranges():
    a, b = (axis.ravel() for axis in np.meshgrid([-1.0, 1.0], [-1.0, 1.0]))
    codes, both = np.stack([a + b, 6.0 * a, np.full(4, 7.0)], axis=1), np.stack([a, b], axis=1)
    found = irs(codes, both, quantile=1.0)
    assert found.score == pytest.approx((2.0 * 0.5 + 6.0 * 1.0) / 8.0)
    assert found.components[2] == 1.0
    assert irs(np.ones((4, 1)), both).score == 0.0


def test_irs_agrees_with_its_definition_in_a_loop():
    rng = np.random.default_rng(3)
    Z, G = rng.normal(size=(90, 4)), rng.integers(0, 3, size=(90, 2))
    Z[:, 1] += 3.0 * G[:, 0]
    expected, weights = np.empty((4, 2)), np.empty(4)
    for i in range(4):
        weights[i] = max(abs(z - Z[:, i].mean()) for z in Z[:, i])
        for j in range(2):
            groups = [Z[G[:, j] == value, i] for value in range(3)]
            strays = [np.quantile([abs(z - group.mean()) for z in group], 0.8) for group in groups]
            expected[i, j] = 1.0 - np.mean(strays) / weights[i]
    found = irs(Z, G, quantile=0.8)
    np.testing.assert_allclose(found.matrix, expected, rtol=1e-12)
    assert found.score == pytest.approx(weights @ expected.max(axis=1) / weights.sum())
    assert found.parents[1] == 0


def test_the_quantile_forgives_outliers():
    labels = np.repeat([0, 1], 200)
    codes = labels[:, None].astype(float)
    codes[3] = 5.0
    assert irs(codes, labels, quantile=0.99).score > irs(codes, labels, quantile=1.0).score + 0.2


def test_unrelated_codes_score_low():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, size=(5000, 2))
    codes = rng.uniform(size=(5000, 3))
    assert irs(codes, labels).score < 0.05
    assert mig(codes, labels) < 0.01


def test_mig_is_the_gap_of_the_best_two(factors):
    twice = np.column_stack([factors[:, 0], factors[:, 0], factors[:, 1], factors[:, 2]])
    assert mig(twice, factors) == pytest.approx(2.0 / 3.0)
    # A component that tells the parity of a fair die with four faces knows half of its entropy.
    die = np.arange(4.0)[:, None]
    assert mig(die % 2, die) == pytest.approx(0.5)
    assert mig(np.array(["a", "b"])[:, None] == "a", np.array([["a"], ["b"]])) == pytest.approx(1.0)


def test_windin_of_a_grid_is_known(factors):
    """With little noise I(x, z_i | others) is the logarithm of the number of values of factor i."""
    own = np.log([3.0, 4.0, 5.0])
    assert windin(factors, noise=1e-3) == pytest.approx(own @ own / own.sum(), abs=1e-12)
    scaled = factors * [1e3, 1.0, 1e-3] + 5.0
    assert windin(scaled, noise=1e-3) == pytest.approx(windin(factors, noise=1e-3), abs=1e-9)


def test_windin_counts_what_the_others_do_not_say(factors):
    doubled = np.column_stack([factors[:, 0], factors[:, 0]])
    assert windin(doubled, noise=1e-3) == pytest.approx(0.0, abs=1e-12)
    assert windin(np.column_stack([doubled, np.ones(60)]), noise=1e-3) == pytest.approx(0.0, abs=1e-12)
    assert windin(np.ones((5, 2))) == 0.0


def test_windin_is_information_less_what_the_others_say():
    """Two fair bits a, b as codes a and a + b: entropies are 1, 3/2 and together 2 bits."""
    a, b = (axis.ravel().astype(float) for axis in np.meshgrid([0, 1], [0, 1]))
    one, two, both = np.log(2), 1.5 * np.log(2), 2 * np.log(2)
    shared = one + two - both  # I(z_1, z_2)
    expected = (one * (one - shared) + two * (two - shared)) / (one + two)
    assert windin(np.column_stack([a, a + b]), noise=1e-3) == pytest.approx(expected, abs=1e-12)


def test_windin_bounds_the_information_of_a_mixture_from_above():
    """One component alone: I(x, z), the entropy of a mixture of normal densities less that of one, by quadrature."""
    for noise in (0.3, 1.0, 3.0):
        z = np.array([-1.0, 1.0, 0.2, 0.9])
        units = z / (noise * z.std())
        grid = np.linspace(units.min() - 9, units.max() + 9, 20001)
        density = np.mean(np.exp(-0.5 * (grid - units[:, None]) ** 2), axis=0) / np.sqrt(2 * np.pi)
        information = -np.sum(density * np.log(density)) * (grid[1] - grid[0]) - 0.5 * np.log(2 * np.pi * np.e)
        assert information <= windin(z[:, None], noise=noise) <= np.log(4)
    assert windin(z[:, None], noise=1e-3) == pytest.approx(np.log(4))


def test_windin_agrees_with_the_formula_in_a_loop():
    Z = np.random.default_rng(1).normal(size=(300, 3))  # more rows than are taken at a time
    U = Z / (0.3 * Z.std(axis=0))

    def information(columns):
        total = 0.0
        for z in U[:, columns]:
            total -= np.log(np.mean(np.exp(-0.5 * ((z - U[:, columns]) ** 2).sum(axis=1))))
        return total / len(U)

    alone = np.array([information([i]) for i in range(3)])
    extra = np.array([information([0, 1, 2]) - information([j for j in range(3) if j != i]) for i in range(3)])
    assert windin(Z, noise=0.3) == pytest.approx(alone @ extra / alone.sum(), rel=1e-12)


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_units_do_not_matter(scale):
    Z = np.random.default_rng(5).normal(size=(30, 3))
    assert windin(scale * Z) == pytest.approx(windin(Z), rel=1e-9) and windin(Z) > 0.05


def test_without_noise_a_component_tells_everything():
    Z = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    for noise in (1e-3, 1e-300):
        assert windin(Z, noise=noise) == pytest.approx(np.log(2.0))


def test_entangled_codes_score_less_than_their_sources():
    rng = np.random.default_rng(2)
    sources = rng.integers(0, 4, size=(400, 2)).astype(float)
    mixed = np.column_stack([sources[:, 0], sources[:, 0] + 0.1 * sources[:, 1]])
    assert windin(mixed) < windin(sources)
    assert irs(mixed, sources).score < irs(sources, sources).score


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: irs([[1.0], [2.0]], [[1], [2], [3]]), "factors must have a row for each of the 2 samples"),
        (lambda: irs([[1.0], [2.0]], [1, 2], quantile=1.5), "'quantile' parameter of irs must be in"),
        (lambda: mig([[1.0], [2.0]], [[1, 3], [2, 3]]), r"factors\[:, 1\] has one value only"),
        (lambda: mig([[1.0], [2.0]], [1, 2], bins=0), "'bins' parameter of mig"),
        (lambda: windin([[1.0], [np.nan]]), "codes contains NaN"),
        (lambda: irs([[1.0], [2.0]], [1.0, np.nan]), "factors must have a value for each sample: it contains NaN"),
        (lambda: mig([[1.0], [2.0]], np.array([1, np.nan], dtype=object)), "factors must have a value for each sample"),
        (lambda: windin([[1.0], [2.0]], noise=0.0), "'noise' parameter of windin"),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call()
