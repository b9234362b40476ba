# SPDX-License-Identifier: BSD-3-Clause
"""The large runs load, choose, measure and report correctly. No test here looks at how long something took."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from bench.large import __main__ as command
from bench.large import choose, growth, picture, plan, process, report, sets, ways

LENGTH, PENALTY = 0.5, 1e-4


@pytest.fixture
def task():
    return sets.task_of("synthetic", sets.synthetic(400, features=3))


def record(way, seconds, **facts):
    common = {"set": "skin", "way": way, "options": {}, "learned_rows": 80, "features": 3, "classes": True}
    measured = {"cpu_seconds": seconds, "wall_seconds": seconds, "error": 0.25, "extra_bytes": 2e6}
    return {**common, **measured, **facts}


def test_training_rows_are_scaled_and_test_rows_with_them(task):
    assert (len(task.y), len(task.y_test)) == (320, 80)
    np.testing.assert_allclose(task.X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose([*task.X.std(axis=0), task.y.std()], 1)
    assert abs(task.y_test.mean()) > 1e-6 and task.error(task.y_test) == 0
    assert task.error(task.y_test + 2) == pytest.approx(2)


def test_choices_see_no_test_row(task):
    part = task.held_out(200, 50)
    assert (len(part.y), len(part.y_test)) == (200, 50)
    np.testing.assert_array_equal(part.y_test, task.y[-50:])
    shared = {tuple(row) for row in part.X_test} & {tuple(row) for row in np.r_[part.X, task.X_test]}
    assert not shared
    assert len(task.held_out(1000, 1000).y) == 240  # a quarter is for the check


def test_forest_cover_keeps_its_categories():
    n, rng = 50, np.random.default_rng(0)
    found = SimpleNamespace(
        X_num=rng.integers(0, 3000, (n, 10)),
        wilderness=rng.integers(0, 4, n),
        soil=rng.integers(0, 40, n),
        y=np.arange(n) % 7,
    )
    task = sets.task_of("covtype", found)
    assert task.X.shape == (40, 54) and task.classes and set(task.y) == {-1.0, 1.0}
    assert set(np.unique(task.X[:, 10:])) == {0.0, 1.0} and np.all(task.X[:, 10:].sum(axis=1) == 2)
    assert (np.r_[task.y, task.y_test] > 0).sum() == np.sum(found.y == 1)


def test_flights_are_told_without_their_delays():
    n, rng = 60, np.random.default_rng(0)
    X = rng.integers(0, 300, (n, 11)).astype(np.int16)
    X[:, 8:] %= 3
    X[:3, 8:] = 2
    task = sets.task_of("nyc_flights", SimpleNamespace(X=X, y=rng.integers(-50, 200, n)))
    assert task.X.shape == (48, 6 + 3 * 3) and not task.classes
    assert not any(abs(np.corrcoef(task.X[:, i], X[:48, 7])[0, 1]) > 0.99 for i in range(6))


def test_digits_keep_their_test_part():
    n, rng = 40, np.random.default_rng(0)
    found = SimpleNamespace(
        X_train=rng.integers(0, 255, (n, 28, 28)),
        y_train=np.arange(n) % 10,
        X_test=np.zeros((10, 28, 28)),
        y_test=np.arange(10),
    )
    task = sets.task_of("mnist", found)
    assert task.X.shape == (n, 784) and task.y.shape == (n, 10) and not task.X_test.any()
    np.testing.assert_array_equal(task.y_test.argmax(axis=1), np.arange(10))
    assert task.error(task.y_test) == 0 and task.error(-task.y_test) == 1


def test_skin_is_a_task_of_two_classes():
    rng = np.random.default_rng(0)
    task = sets.task_of("skin", SimpleNamespace(X=rng.integers(0, 255, (50, 3)), y=np.arange(50) % 2))
    assert set(task.y) == {-1.0, 1.0} and task.error(-task.y_test) == 1


def test_ways_that_solve_the_same_system_agree(task):
    ours = ways.exact(task, LENGTH, PENALTY, dtype="float64").predict(task.X_test)
    theirs = ways.sklearn_exact(task, LENGTH, PENALTY).predict(task.X_test)
    np.testing.assert_allclose(ours, theirs, atol=1e-2 * np.abs(theirs).max())
    every = len(task.y)
    for fitted in (
        ways.landmarks(task, LENGTH, PENALTY, every, "float64"),
        ways.nystroem(task, LENGTH, PENALTY, every),
    ):
        np.testing.assert_allclose(fitted.predict(task.X_test), theirs, atol=1e-2 * np.abs(theirs).max())


@pytest.mark.parametrize("classes", [2, 3])
def test_trees_learn_classes(classes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    kinds = np.digitize(X[:, 0], [0] if classes == 2 else [-0.5, 0.5])
    y = 2.0 * kinds - 1 if classes == 2 else 2.0 * np.eye(3)[kinds] - 1
    task = sets.Task("made", X[:240], y[:240], X[240:], y[240:], True)
    fitted = ways.trees(task, seconds=0.2)
    assert task.error(fitted.predict(task.X_test)) < 0.2
    assert fitted.facts["settings_tried"] >= 1 and fitted.facts["iterations"] >= 1


def test_the_walk_ends_where_no_neighbour_is_better():
    def bowl(place):
        return (place[0] - 5) ** 2 + (place[1] - 1) ** 2

    assert choose.walk(bowl, (2, 3), (7, 6)) == (5, 1)
    assert choose.walk(bowl, (2, 3), (4, 6)) == (3, 1)  # the edge of the grid


def test_the_choice_is_that_of_the_smallest_validation_error(task):
    chosen = choose.choose(task, "landmarks", m=60)
    part = task.held_out(choose.ROWS["landmarks"], choose.CHECKED)
    again = ways.landmarks(part, chosen["length"], chosen["penalty"], 60)
    assert part.error(again.predict(part.X_test)) == chosen["validation_error"]
    assert chosen["rows"] == 240 and chosen["checked"] == 80 and chosen["available"] == 320


def test_a_library_that_is_missing_is_one_line():
    found = process.run(process.Job("synthetic", "falkon", {"length": 1.0, "penalty": 1e-3, "m": 10}, 50, True))
    assert "torch" in found["refused"] if "refused" in found else found["error"] > 0


def test_nystroem_doubles_until_the_next_would_be_too_slow():
    asked = []

    def run(job):
        asked.append((job.way, job.options.get("m")))
        seconds = {"landmarks": 10.0, "nystroem": job.options.get("m", 0) / 500}.get(job.way, 1.0)
        chosen = {"length": 0.25, "penalty": 1e-6, "rows": 800, "checked": 200, "available": 50_000}
        return {**record(job.way, seconds, learned_rows=50_000), **(chosen if job.way == process.CHOICE else {})}

    told = []
    records = plan.run_set("skin", plan.Plan(), told.append, run)
    assert records == told and len(asked) == len(records)
    assert [m for way, m in asked if way == "nystroem"] == [500, 1000, 2000]  # 4 s, and the next one may take 10
    assert [way for way, _ in asked if way == "landmarks"] == ["landmarks"] * 2
    budget = next(job for job in asked if job[0] == "trees")
    assert budget == ("trees", None)


def test_the_table_shows_the_peer_that_took_as_long():
    records = [
        record("landmarks", 10.0, options={"m": 100, "length": 0.25, "penalty": 1e-6}, residual=1e-5, iterations=7),
        *(
            record("nystroem", seconds, options={"m": m, "length": 0.25, "penalty": 1e-6})
            for seconds, m in ((4, 50), (20, 90))
        ),
        {"set": "skin", "way": "falkon", "options": {"m": 100}, "refused": "No module named 'torch'"},
    ]
    assert [one["options"]["m"] for one in report.shown(records)] == [100, 50, 100]
    machine = {"cpu": "c", "cores": 2, "gramian": "0", "threads": 1, "isa": "v4", "compiler": "g++", "commit": None}
    machine |= {"python": "3", "libraries": {}, "date": "today", "load": 3.0}
    text = report.markdown(records, [], machine)
    assert "| **100 landmarks** | 80 | 0.2500 | 10.0 | 10.0 | 2 | 7 | 1e-05 | 0.25 √d, 1e-06 |" in text
    assert "Falkon in torch, 100: No module named 'torch'." in text and "BUSY MACHINE: load 3.0" in text


def test_a_page_keeps_what_is_around_its_markers(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n")
    report.put_into(page, "new")
    assert page.read_text() == f"before\n{report.BEGIN}\nnew\n{report.END}\nafter\n"
    page.write_text("nothing")
    with pytest.raises(ValueError, match="needs one line"):
        report.put_into(page, "new")
    assert report.PAGE.read_text().count(report.BEGIN) == 1


def test_exponents_are_slopes():
    assert growth.slope((10, 20, 40, 80), [3 * n**1.5 for n in (10, 20, 40, 80)]) == pytest.approx(1.5)


def test_a_quick_run_writes_everything(tmp_path, capsys, monkeypatch):
    from bench.paper.common import data

    monkeypatch.setenv(data.VARIABLE, "")
    monkeypatch.setattr(
        process, "run", lambda job: process.answer(job, lambda: process.measure(job))
    )  # in this process
    (tmp_path / "data").mkdir()
    options = ["--quick", "--data", str(tmp_path / "data"), "--output", str(tmp_path), "--threads", "1"]
    assert command.main([*options, "skin", "synthetic", "growth"]) == 0
    said = capsys.readouterr().out
    assert "skin is left out. Not found in" in said and "all rows, cg" in said and "Exponent" in said
    document = json.loads((tmp_path / "synthetic.json").read_text())
    assert {one["way"] for one in document["records"]} == {*ways.WAYS, process.CHOICE}
    fitted = [one for one in document["records"] if "error" in one]
    assert all(one["extra_bytes"] >= 0 and one["cpu_seconds"] > 0 for one in fitted)
    assert not (tmp_path / "skin.json").exists() and (tmp_path / "large.png").stat().st_size > 5000
    assert len(json.loads((tmp_path / "growth.json").read_text())["records"]) == 3
    assert command.main([*options, "--report"]) == 0 and "all rows, cg" in capsys.readouterr().out


def test_names_and_empty_results(tmp_path, capsys):
    assert command.main(["nothing"]) == 2 and "no set 'nothing'" in capsys.readouterr().out
    assert command.main(["--report", "--output", str(tmp_path)]) == 1
    assert not picture.write_picture(tmp_path / "none.png", [])
