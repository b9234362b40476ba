# SPDX-License-Identifier: BSD-3-Clause
"""The comparison of untuned classifiers scores, splits and reports correctly. No test looks at a time."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA

from bench.quality import __main__ as command
from bench.quality import codes, measure, report, scores, sets, ways


def record(way, number, **facts):
    common = {"set": "iris", "way": way, "split": number, "samples": 105, "tested": 45, "features": 4, "classes": 3}
    return {**common, "accuracy": 0.9, "log_loss": 0.2, "ece": 0.05, "zeros": 0.0, "seconds": 1.0, **facts}


def test_scores_are_their_formulas():
    P = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.0, 1.0]])
    found = scores.scores(P, np.array([0, 1, 1, 0]))
    assert found["accuracy"] == 0.5 and found["zeros"] == 0.25
    assert found["log_loss"] == pytest.approx(-np.log([0.9, 0.4, 0.8, 1e-15]).mean())
    # One sample in each of three bins, and two of them in the last one.
    assert found["ece"] == pytest.approx((abs(0.9 + 1.0 - 1) + 0.6 + 0.2) / 4)


def test_true_probabilities_are_calibrated():
    rng = np.random.default_rng(0)
    p = rng.random(200_000)
    P, y = np.column_stack([1 - p, p]), (rng.random(len(p)) < p).astype(np.int64)
    assert scores.calibration_error(P, y) < 0.005
    assert scores.calibration_error(np.eye(2)[P.argmax(axis=1)], y) > 0.2


def test_ratios_are_geometric():
    assert scores.ratio([1.0, 4.0], [2.0, 2.0]) == {"mean": pytest.approx(1.0), "worst": 2.0}


def test_splits_have_an_equal_share_of_each_class():
    X, y = load_iris(return_X_y=True)
    keep = np.r_[0:147]  # the last class has three fewer
    first, again, other = (sets.split(X[keep], y[keep], number) for number in (0, 0, 1))
    np.testing.assert_array_equal(first.X, again.X)
    assert not np.array_equal(first.X, other.X)
    assert len(first.y) + len(first.y_test) == 147 and len(first.y_test) == pytest.approx(44, abs=2)
    assert np.abs(np.bincount(first.y) / len(first.y) - np.bincount(y[keep]) / 147).max() < 0.02
    assert len(np.unique(np.r_[first.X, first.X_test], axis=0)) == len(np.unique(X[keep], axis=0))


def test_rare_classes_are_left_out():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [40, 4, 30])
    part = sets.split(rng.normal(size=(74, 2)), y, 0)
    assert part.classes == 2 and len(part.y) + len(part.y_test) == 70


def test_the_lists_share_no_set():
    assert len(sets.FIRST) >= 6 and len(sets.SECOND) >= 6 and not set(sets.FIRST) & set(sets.SECOND)


def test_sets_are_in_the_same_rows_each_time(nothing):
    X, y = sets.load("iris")
    again, _ = sets.load("iris")
    np.testing.assert_array_equal(X, again)
    assert X.shape == (150, 4) and set(y) == {0, 1, 2}
    assert sets.is_there("iris") and not sets.is_there("covtype")
    assert len(sets.load("digits", quick=True)[0]) == sets.QUICK_ROWS


@pytest.mark.parametrize("way", ways.WAYS)
def test_each_way_has_probabilities(way, nothing):
    part = sets.split(*sets.load("iris"), 0)
    found = measure.run_way(way, part, 0, quick=True)
    assert 0.3 <= found["accuracy"] <= 1.0 and found["log_loss"] < 3 and found["samples"] == len(part.y)


def test_the_process_is_for_few_samples():
    assert ways.applies("process", 300) and not ways.applies("process", 301) and ways.applies("trees", 10**6)


def test_a_quick_run_writes_tables(nothing, tmp_path, capsys):
    arguments = [
        "classification",
        "iris",
        "covtype",
        "--quick",
        "--ways",
        "embedding,svc_grid",
        "--output",
        str(tmp_path),
    ]
    assert command.main(arguments) == 0
    said = capsys.readouterr().out
    assert "covtype is left out" in said and "| **EmbeddingClassifier** | 1 |" in said and "first list" in said
    assert {one["way"] for one in json.loads((tmp_path / "classification" / "iris.json").read_text())["records"]} == {
        "embedding",
        "svc_grid",
    }
    assert command.main(["classification", "--report", "--output", str(tmp_path)]) == 0
    assert command.main(["classification", "nowhere"]) == 2
    assert command.main(["classification", "--ways", "guess"]) == 2
    assert command.main(["classification", "--report", "--output", str(tmp_path / "none")]) == 1


def test_runs_are_added_to_those_that_are_there(tmp_path):
    report.write(tmp_path, "iris", [record("svc_grid", 0), record("embedding", 0)])
    report.write(tmp_path, "iris", [record("embedding", 0, log_loss=0.1)])
    found, _ = report.read(tmp_path)
    assert [(one["way"], one["log_loss"]) for one in found["iris"]] == [("svc_grid", 0.2), ("embedding", 0.1)]


def test_the_page_has_room_for_the_tables(tmp_path):
    page = tmp_path / "page.md"
    for task in command.TASKS:
        begin, end = report.BEGIN.format(task=task), report.END.format(task=task)
        assert report.PAGE.read_text(encoding="utf-8").count(begin) == 1
        page.write_text(f"before\n{begin}\nold\n{end}\nafter\n", encoding="utf-8")
        report.put_into(page, task, "new")
        assert page.read_text(encoding="utf-8") == f"before\n{begin}\n\nnew\n\n{end}\nafter\n"
    page.write_text("no markers", encoding="utf-8")
    with pytest.raises(ValueError, match="needs one line"):
        report.put_into(page, "codes", "new")


def test_codes_of_tables_are_compared(nothing, tmp_path, capsys):
    arguments = ["codes", "iris", "covtype", "--quick", "--output", str(tmp_path)]
    assert command.main(arguments) == 0
    said = capsys.readouterr().out
    assert "covtype is left out" in said and "| PCA | 1 | 1.00 | 1.00 |" in said and "| iris 2 |" in said
    assert command.main(["codes", "--report", "--output", str(tmp_path)]) == 0


def test_what_codes_lose_is_a_part_of_the_variance(nothing):
    parts = codes.load("iris", 0, quick=False)
    np.testing.assert_allclose(parts.learn.std(axis=0), 1.0)
    assert len(parts.learn) == 100 and len(parts.new) == 50
    pca = PCA(2).fit(parts.learn)
    missed = parts.new - pca.inverse_transform(pca.transform(parts.new))
    found = codes.run_way("pca", 2, parts, 0, quick=False)["error"]
    assert found == pytest.approx((missed**2).sum() / (parts.new**2).sum())


def test_a_table_has_means_over_sets_and_ratios(tmp_path):
    records = {
        "iris": [record("embedding", 0, log_loss=0.1), record("svc_grid", 0)],
        "digits": [record("embedding", n, log_loss=0.4 + 0.2 * n, samples=900) for n in (0, 1)]
        + [record("svc_grid", n, log_loss=0.5, samples=900) for n in (0, 1)],
    }
    text = report.markdown(records, {**_machine(), "load": 0.0})
    row = next(line for line in text.splitlines() if line.startswith("| **EmbeddingClassifier** | 2"))
    assert [cell.strip() for cell in row.split("|")[3:8]] == ["0.9000", "0.300", "0.71", "1.00", "0.050"]
    assert "0.500 ± 0.100" in text


def _machine():
    return {
        "cpu": "a processor",
        "cores": 2,
        "gramian": "1.2.3",
        "threads": 1,
        "isa": "v3",
        "compiler": "gcc",
        "commit": None,
        "python": "3.11",
        "libraries": {},
        "date": "2026-01-01",
    }
