# SPDX-License-Identifier: BSD-3-Clause
"""The pieces of the repeated experiments on deep kernel PCA do what they say. No test here looks at who wins."""

from __future__ import annotations

import json

import gramian
import numpy as np
import pytest
from sklearn.preprocessing import FunctionTransformer

from bench.paper.__main__ import EXPERIMENTS
from bench.paper.common import data as files
from bench.paper.common.outcome import Outcome
from bench.paper.dkpca import data, levels, methods, solvers, synth, uci
from bench.paper.dkpca.methods import Choice, Group

TABLES = ("synth", "levels", "solvers", "uci")
PICTURES = ("factors", "traversals")


def test_synthetic_sets_are_what_they_are_called():
    outline = data.square(100, noise=0.0)
    np.testing.assert_allclose(np.abs(outline).max(axis=1), 1)
    assert [int(np.isclose(outline[:, axis], side).sum()) for axis in (0, 1) for side in (-1, 1)] == [26] * 4
    X, part = data.scene(102)
    assert X.shape == (102, 2) and np.bincount(part).tolist() == [26, 26, 25, 25]
    ring = X[part == 3] - X[part == 3].mean(axis=0)
    assert np.linalg.norm(ring, axis=1) == pytest.approx(np.full(25, 2.8), abs=0.5)
    train, test = data.normal(20, 30)
    again, none = data.normal(50, 0)
    np.testing.assert_array_equal(np.vstack([train, test]), again)
    assert none.shape == (0, 140)


def test_tasks_have_their_targets_and_no_constant_feature(nothing, monkeypatch):
    heart = np.random.default_rng(0).standard_normal((20, 13))
    heart[3, 7] = np.nan
    heart[:, 2] = 5.0
    found = type("Found", (), {"X": heart, "y": np.arange(20) % 5})
    monkeypatch.setattr(files, "load", lambda name, download: found)
    one = data.task("cholesterol", nothing, Outcome("x"))
    np.testing.assert_array_equal(one.y, heart[:, 4])
    assert one.X.shape == (20, 12) and not one.classes and np.isfinite(one.X).all()
    np.testing.assert_array_equal(one.X[:, -1], found.y)


def test_parts_are_sixty_twenty_twenty_and_disjoint(nothing):
    one = data.task("liver", nothing, Outcome("x"))
    rows = uci.parts(one, 0)
    assert [len(some) for some in rows] == [72, 24, 24]
    assert sorted(np.concatenate(rows)) == list(range(120))
    assert not np.array_equal(rows[2], uci.parts(one, 1)[2])


def test_the_choice_with_the_best_validation_score_is_judged_on_the_test_part(rng):
    value = rng.standard_normal(150)
    one = data.Task("made-up yacht", np.c_[value, rng.standard_normal(150)], 3 * value + 1, False)

    def build(choice):
        return FunctionTransformer(lambda X: X[:, [int(choice.width)]])

    group = Group(build, [Choice(1.0), Choice(0.0), Choice(1.0)], {"column": None})
    (best,) = uci.best_of(group, one, 0)
    assert best.width == 0.0 and best.score < 1e-12 and best.method == "column"


def test_scores_are_percents_or_root_mean_squares(rng):
    X = rng.standard_normal((60, 3))
    y = (X[:, 0] > 0).astype(int)
    parts = [X[:40], X[40:]]
    (right,) = methods.judged(True, parts, [y[:40], 1 - y[40:]])
    (straight,) = methods.judged(True, parts, [y[:40], y[40:]])
    assert right + straight == pytest.approx(100) and straight > 80
    (error,) = methods.judged(False, parts, [X[:40, 0], X[40:, 0] + 2])
    assert error == pytest.approx(2)


def test_no_directions_hold_more_than_those_of_kernel_pca(rng):
    A = rng.standard_normal((12, 12))
    K = A @ A.T
    values, vectors = np.linalg.eigh(K)
    most = methods.spectrum(K)
    np.testing.assert_allclose(methods.shares(K, vectors[:, ::-1][:, :4]), most[:4])
    H = np.linalg.qr(rng.standard_normal((12, 4)))[0]
    assert (np.cumsum(methods.shares(K, H)) < np.cumsum(most[:4])).all()
    assert methods.feasibility([H]) < 1e-28
    assert methods.feasibility([2 * H]) == pytest.approx(36)


def test_any_subspace_of_the_first_level_solves_the_linear_equations(rng):
    X = data.square(30)
    H1, H2, values = synth.turned(X, 6, 2, rng)
    assert methods.feasibility([H1, H2]) < 1e-25
    assert synth.objective(X, H1, H2, values) < 1e-25
    outside = np.linalg.qr(rng.standard_normal((30, 2)))[0]
    assert synth.objective(X, H1, outside, values) > 1e-6


def test_reconstructions_are_those_of_pca(rng):
    train, test = rng.standard_normal((15, 8)) * np.arange(1, 9), rng.standard_normal((9, 8))
    V = np.linalg.svd(train)[2][:3].T
    pca = np.mean((test - test @ V @ V.T) ** 2)
    assert synth.error(synth.levels(3, 5, train), test) == pytest.approx(pca, rel=1e-9)
    assert synth.error(synth.levels(5, 3, train), test) == pytest.approx(pca, rel=1e-9)
    assert synth.shrunk(train, test, 1) == pytest.approx(np.mean((test - test @ V[:, :1] @ V[:, :1].T) ** 2))
    assert synth.shrunk(train, test, 3) > pca


def test_the_lemma_shifts_eigenvalues_and_keeps_components():
    table, (shallow, deep) = levels.shifted(data.normal(20, 0)[0])
    assert (deep[:-1] > shallow[:-1]).all() and deep[-1] == pytest.approx(100)
    assert all(row[-1] < 1e-9 for row in table.rows)


def test_methods_are_what_they_are_called():
    groups = methods.groups()
    named = {name for group in groups for name in group.readings}
    assert named == {*uci.METHODS, *methods.LEVELS.values()}
    built = {name: group.build(Choice(2.0, -1.0)) for group in groups for name in group.readings}
    assert built[methods.SHALLOW].n_components == (5,)
    assert built[methods.LEVELWISE].solver == "levelwise"
    assert built[methods.RANDOM].init == "random" and built[methods.UNTRAINED].max_iter == 1
    assert built[methods.SMOOTHED].eta == [1.0, -1.0]
    assert [len(built[name].n_components) for name in methods.LEVELS.values()] == [3, 4]
    shared, own = built[methods.SMOOTHED].kernels, built[methods.OWN].kernels
    assert shared == [gramian.kernels.Gaussian(gamma=0.25)] * 2 and own[1] is None
    widths = [choice.width for group in groups for choice in group.choices if group.readings.keys() != {"PCA"}]
    assert max(widths) == pytest.approx(np.exp(7)) and min(widths) == pytest.approx(np.exp(-2))


def test_the_paper_is_ahead_by_one_test_sample():
    for name, samples in uci.TEST_SAMPLES.items():
        percents = uci.PAPER[name][0]
        sizes = uci.sizes_of(percents[:1] + percents[2:] if name == "diabetes" else percents)
        assert sizes[0] == samples and all(size % samples == 0 for size in sizes)
        *others, best = percents
        assert round((best - max(others)) * samples / 100) == 1
    assert uci.sizes_of((50.0, 33.33)) == list(range(54, 400, 6))


def test_what_was_measured_is_kept(nothing):
    path = nothing.output / "kept.jsonl"
    split = uci.Split("yacht", 0, "PCA", 8.0, 0.1, 0.2, None, None, 1.0, 1.0, 0.01)
    uci.keep(path, [split])
    uci.keep(path, [split._replace(split=1)])
    kept = [uci.Split(**json.loads(line)) for line in path.read_text().splitlines()]
    assert kept == [split, split._replace(split=1)]
    assert uci.values(kept[::-1], "yacht", "PCA", "split") == [0, 1]


def test_both_starts_are_compared(rng):
    X = rng.standard_normal((30, 4))
    table = solvers.compared("x", X, quick=True)
    assert [row[0] for row in table.rows] == ["random"] * 3 + ["kpca"] * 3
    assert table.rows[1][-1] == 0.172 and table.rows[-1][-1] is None


@pytest.mark.parametrize("name", TABLES)
def test_every_table_comes_without_data(name, quick_run, capsys):
    quick_run("dkpca", name)
    assert "made-up" in capsys.readouterr().out


def test_no_experiment_is_left_out():
    assert {*TABLES, *PICTURES} == set(EXPERIMENTS["dkpca"])


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_come_without_data(name, quick_run):
    assert quick_run("dkpca", name)["pictures"]
