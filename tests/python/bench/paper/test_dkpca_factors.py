# SPDX-License-Identifier: BSD-3-Clause
"""The pieces of the experiments on pictures with known factors do what they say. No test here looks at who wins."""

from __future__ import annotations

import numpy as np
import pytest

from bench.paper.common.outcome import Settings
from bench.paper.dkpca import codes as dkpca_codes
from bench.paper.dkpca import factors as dkpca_factors
from bench.paper.dkpca import shapes, traversals

SQUARE = (((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)),)


def test_a_square_covers_its_pixels():
    picture = shapes.draw(SQUARE, 2.0, 0.0, (5.0, 4.0), 10)
    expected = np.zeros((10, 10))
    expected[2:6, 3:7] = 1.0
    np.testing.assert_allclose(picture, expected, atol=1e-12)
    half = shapes.draw(SQUARE, 2.0, 0.0, (5.5, 4.0), 10)
    np.testing.assert_allclose(half[3], [0, 0, 0, 0.5, 1, 1, 1, 0.5, 0, 0], atol=1e-12)


@pytest.mark.parametrize("parts", shapes.SHAPES)
def test_shapes_move_and_turn(parts):
    here = shapes.draw(parts, 6.0, 0.3, (14.0, 16.0), 32)
    there = shapes.draw(parts, 6.0, 0.3, (17.0, 14.0), 32)
    np.testing.assert_allclose(np.roll(here, (-2, 3), axis=(0, 1)), there, atol=1e-12)
    upright = shapes.draw(parts, 6.0, 0.0, (16.0, 16.0), 32)
    turned = shapes.draw(parts, 6.0, np.pi / 2, (16.0, 16.0), 32)
    np.testing.assert_allclose(np.rot90(upright, 1), turned, atol=1e-9)
    for quarter in (1, 2, 3):
        assert np.abs(np.rot90(upright, quarter) - upright).max() > 0.5
    assert 0 < np.count_nonzero((here > 0.05) & (here < 0.95)) < np.count_nonzero(here > 0)


def test_every_combination_is_drawn_once_and_whole():
    known = shapes.shapes(shapes.Grid((3, 2, 4, 2, 2)))
    assert len(np.unique(known.factors, axis=0)) == len(known.X) == 96
    assert len(np.unique(known.X.round(6), axis=0)) == 96
    pictures = known.X.reshape(-1, *known.shape)
    border = [pictures[:, 0], pictures[:, -1], pictures[:, :, 0], pictures[:, :, -1]]
    assert np.max(border) == 0.0 and pictures.max() == 1.0


def test_size_scales_the_area():
    areas = [shapes.draw(SQUARE, size, 0.7, (16.0, 16.0), 32).sum() for size in (4.0, 8.0)]
    assert areas == pytest.approx([64.0, 256.0], rel=0.02)


def test_every_method_finds_codes_of_new_pictures():
    known = shapes.shapes(shapes.SMALL)
    X, other = known.X[::4], known.X[1::4]
    choice = dkpca_codes.choose(X, other, 2)
    assert choice.gamma * dkpca_codes.median(X) in [pytest.approx(width) for width in dkpca_codes.WIDTHS]
    for name in dkpca_codes.KERNELS:
        codes = dkpca_codes.find(name, X, 2, choice, 0)
        assert codes.known.shape == (len(X), 4) and codes.encode(other).shape == (len(other), 4)
        if codes.decode is not None:
            error = np.mean((codes.decode(codes.encode(other)) - other) ** 2)
            assert error < np.mean((X.mean(axis=0) - other) ** 2), name
    with pytest.raises(ValueError, match="no method"):
        dkpca_codes.find("autoencoder", X, 2, choice, 0)


def test_the_chosen_width_is_the_best_one():
    known = shapes.shapes(shapes.SMALL)
    X, other = known.X[::2], known.X[1::2]
    chosen = dkpca_codes.choose(X, other, 3)

    def error(choice):
        model = dkpca_codes.deep(3, choice)
        return dkpca_codes.quietly(
            lambda: np.mean((model.inverse_transform(model.fit(X).transform(other), level=1) - other) ** 2)
        )

    for width in dkpca_codes.WIDTHS:
        for way in dkpca_codes.WAYS:
            assert error(chosen) <= error(dkpca_codes.Choice(width / dkpca_codes.median(X), *way)) * (1 + 1e-9)


def test_random_numbers_look_good_where_values_are_many():
    few, many = (dkpca_factors.chance((count,), 200, 0) for count in (2, 180))
    assert few < 0.5 and many > 0.8
    assert [row[0] for row in dkpca_factors.chances(2).rows] == list(dkpca_factors.COUNTS)


def test_scores_are_put_into_rows():
    Score = dkpca_factors.Score
    scores = [
        Score("a", "PCA", 0, "some", "some", 0.5, 0.1, 0.02, 1.0),
        Score("a", "PCA", 1, "some", "some", 0.7, 0.1, 0.04, 3.0),
        Score("a", "PCA", 0, "some", "all", 0.4, 0.2, 0.02, 1.0),
    ]
    (row,) = dkpca_factors.table("a", scores).rows
    assert row == ["PCA", "0.6 ± 0.14", "0.4", None, "0.2", None, "0.02", pytest.approx(5 / 3)]


def test_a_run_goes_on_where_it_stopped(tmp_path, monkeypatch):
    known = shapes.shapes(shapes.SMALL)
    monkeypatch.setattr(dkpca_factors, "PICTURES", 30)
    monkeypatch.setattr(dkpca_factors, "DRAWS", 1)
    monkeypatch.setattr(dkpca_codes, "KERNELS", ("PCA", "DKPCA, linear"))
    monkeypatch.setattr(dkpca_factors, "networks_are_there", lambda settings: False)
    settings = Settings(tmp_path)
    first = dkpca_factors.measured(settings, [known])
    path = tmp_path / "dkpca_factors.jsonl"
    lines = path.read_text().splitlines()
    assert len(lines) == len(first)
    path.write_text("\n".join(line for line in lines if '"PCA"' not in line) + "\n")
    again = dkpca_factors.measured(settings, [known])
    strip = [[score._replace(seconds=0.0) for score in run] for run in (first, again)]
    assert sorted(strip[0], key=str) == sorted(strip[1], key=str)


def test_shares_are_those_of_an_analysis_of_variance(rng):
    factors = np.stack(np.unravel_index(np.arange(12), (3, 4)), axis=1)
    codes = np.c_[factors[:, 0] ** 2, 2.0 * factors[:, 1] - 1, factors[:, 0] + factors[:, 1], np.ones(12)]
    found = traversals.shares(codes.astype(float), factors)
    np.testing.assert_allclose(found[:2], np.eye(2), atol=1e-12)
    variances = np.var([0, 1, 2]), np.var([0, 1, 2, 3])
    np.testing.assert_allclose(found[2], np.array(variances) / sum(variances))
    np.testing.assert_array_equal(found[3], [0, 0])
