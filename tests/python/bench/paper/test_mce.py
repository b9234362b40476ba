# SPDX-License-Identifier: BSD-3-Clause
"""The pieces of the repeated experiments on conditional embeddings do what they say. No test here looks at who wins."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from bench.paper.__main__ import EXPERIMENTS
from bench.paper.common import mnist
from bench.paper.common.outcome import Outcome
from bench.paper.mce import digits, iris, methods, pixels, uci
from bench.peers import embedding as peers
from bench.rows import embedding


def test_figures_of_the_paper_are_those_of_its_table():
    assert uci.PAPER["GMCE"]["wine"] == (97.2, 3.7) and uci.PAPER["GMCE-SGD"]["yeast"] == (60.3, 4.4)
    assert uci.PAPER["CEN-1"]["robot"] == (82.3, 7.1) and uci.PAPER["CEN-2"]["segment"] == (96.7, 1.1)
    assert {name for row in uci.PAPER.values() for name in row} == set(uci.SETS)
    assert set(uci.PAPER) <= set(methods.methods())


def test_training_samples_fill_the_unit_range(rng):
    X, new = rng.normal(size=(20, 3)), rng.normal(size=(5, 3))
    X[:, 1] = new[:, 1] = 7.0
    known, other = methods.scaled(X, new)
    np.testing.assert_array_equal(known.min(axis=0), [0, 0, 0])
    np.testing.assert_array_equal(known.max(axis=0), [1, 0, 1])
    np.testing.assert_allclose((other - known[0])[:, 0] * np.ptp(X[:, 0]), (new - X[0])[:, 0])


def test_estimators_are_the_papers(rng):
    X = rng.random((60, 4))
    made = {name: build(X) for name, build in methods.methods(epochs=7).items()}
    assert {made[name].learn for name in ("GMCE", "GMCE-SGD", "CEN-1", "CEN-2")} == {"rademacher"}
    assert [made[name].learn for name in ("ERM", "CV", "MED")] == ["erm", "cv", "median"]
    assert made["GMCE-SGD"].batch_size == 6 and made["GMCE-SGD"].tau == pytest.approx(40 * np.e)
    assert made["GMCE-SGD"].max_iter == 7 and made["GMCE-SGD, ten batches an epoch"].max_iter == 70
    assert made["GMCE"].risk == "sum" and made["GMCE, objective as printed"].risk == "mean"
    assert [units for units, _ in made["CEN-1"].features.layers] == [16, 32, 8]
    assert all(made[name].penalty == 1.0 and made[name].learning_rate == 0.1 for name in uci.PAPER)


def test_a_fold_that_takes_too_long_is_stopped(monkeypatch):
    worker = uci.Worker()
    try:
        assert worker.ask("wine", "MED", 0, 5)[0] > 30
        monkeypatch.setattr(uci, "FOLD_SECONDS", 0.05)
        assert worker.ask("wine", "SVC, grid of 25", 0, 5) is None
        monkeypatch.setattr(uci, "FOLD_SECONDS", 600.0)
        assert worker.ask("wine", "MED", 0, 5) is not None
    finally:
        worker.stop()


def fold(accuracy, number=0, method="GMCE", elapsed=1.0):
    return uci.Fold("wine", method, number, accuracy, 0.5, elapsed)


class Answers:
    """In place of a worker."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def ask(self, *of):
        self.asked.append(of[2])
        return self.answers.pop(0)


def test_a_cell_goes_on_where_it_stopped():
    kept = [fold(90.0, 0), fold(50.0, 0, "ERM")]
    worker = Answers(*[(80.0, 0.1)] * 9)
    found = list(uci._cell(worker, "wine", "GMCE", False, kept))
    assert worker.asked == list(range(1, 10)) and {one.accuracy for one in found} == {80.0}
    assert not list(uci._cell(worker, "wine", "GMCE", False, kept + found))
    worker = Answers((80.0, 0.1), None)
    assert [one.accuracy for one in uci._cell(worker, "wine", "GMCE", False, kept)] == [80.0, None]
    slow = [fold(90.0, elapsed=2 * uci.CELL_SECONDS)]
    assert not list(uci._cell(Answers(), "wine", "GMCE", False, slow))


def test_tables_and_verdicts():
    assert uci.reached([fold(90.0), fold(92.0, 1)]) == "91 ± 1.4"
    assert uci.reached([fold(None)]) == uci.STOPPED and uci.reached([fold(90.0), fold(None)]) == "90"
    table = uci.table("wine", [fold(90.0), fold(95.0, 0, "gradient boosting")])
    assert table.rows == [["GMCE", "90", "97.2 ± 3.7", 0.5, 1.0], ["gradient boosting", "95", None, 0.5, 1.0]]
    assert "GMCE on wine (90.0 against 97.2 ± 3.7)" in uci.verdict([fold(90.0)])
    assert "of 1: none" in uci.verdict([fold(94.0)])


def test_starts_differ_and_learning_moves_them():
    X = np.random.default_rng(0).random((40, 2))
    y = (X[:, 0] > 0.5).astype(int)
    over, under = (iris.fitted(iris.STARTS[name], 0, X, y) for name in ("over-fitted", "under-fitted"))
    assert over.complexity_ > 10 * under.complexity_ and over.penalty_ == 1e-6
    learned = iris.fitted(iris.STARTS["under-fitted"], 30, X, y)
    assert learned.n_iter_ == 30 and learned.complexity_ > under.complexity_


def test_pictures_are_drawn_without_repetition(nothing):
    found = mnist.pictures(nothing, Outcome("x"))
    X, y = found.draw(50, seed=1, among=(3, 8))
    assert set(y) == {3, 8} and len(np.unique(X, axis=0)) == 50 and X.max() <= 1.0
    assert found.X.shape[1] == np.prod(found.shape)


def test_half_of_the_relevance():
    assert pixels.half(np.ones((4, 4))) == 8
    assert pixels.half(np.array([[10.0, 1.0], [1.0, 1.0]])) == 1


def test_the_reference_gradient_is_that_of_its_value():
    problem = peers.Problem(25, 3, 4)
    theta = np.array([0.3, -0.2, 0.1, 0.4, -2.0])
    _, gradient, _ = peers.objective(problem, theta)
    h = 1e-3
    for entry, expected in enumerate(gradient):
        step = h * np.eye(len(theta))[entry]
        value = [peers.objective(problem, theta + k * step)[0] for k in (-2, -1, 1, 2)]
        assert (value[0] - 8 * value[1] + 8 * value[2] - value[3]) / (12 * h) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize(("d", "steps"), [(2, 0), (2, 30), (3, 5)])
def test_contestants_of_the_bench_take_the_same_course(d, steps):
    problem = peers.Problem(40, d, 3, max(1, steps))
    expected = peers.reference_course(problem)
    error = peers.course_error(expected)
    found = peers.gramian_course(problem)()
    assert error(found) < 1e-10
    assert error(found._replace(parameters=found.parameters + 1e-6)) > 1e-7
    assert error(found._replace(values=found.values * (1 + 1e-6))) > 1e-7
    assert error(found._replace(values=found.values[:-1])) == np.inf


def test_predictions_and_memory_are_measured():
    found = embedding.embedding_predict(n=60, rows=200)
    assert set(found) >= {"gramian", embedding.GPC, embedding.SVM} and min(found.values()) > 0


def test_every_kind_of_learning_has_pictures_of_its_own():
    made = digits.builders(5)
    X = np.zeros((3, 2))
    assert [made[name](X).learn for name in (digits.WITH, digits.WITHOUT)] == ["rademacher", "erm"]


@pytest.mark.parametrize("name", EXPERIMENTS["mce"])
def test_every_experiment_runs_without_data(name, quick_run):
    outcome = quick_run("mce", name)
    ran = name != "network" or importlib.util.find_spec("torch") is not None
    assert [table["title"] == "not run" for table in outcome["tables"]] == [not ran] * len(outcome["tables"])
    if name == "network":
        assert bool(outcome["pictures"]) == ran
        assert any("PyTorch is not installed" in sentence for sentence in outcome["sentences"]) == (not ran)
