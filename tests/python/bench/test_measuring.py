# SPDX-License-Identifier: BSD-3-Clause
"""The bench judges, counts and reports correctly. No test here looks at how long something took."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

from bench import data, measure, picture, report, run, runner
from bench import registry as rows
from bench.environment import OPENBLAS_OVERRIDES, Cleaning, remove_openblas_overrides
from bench.rows import isa


@pytest.fixture
def registry(monkeypatch):
    """An empty registry that finds no files."""
    monkeypatch.setattr(rows, "ROWS", {})
    monkeypatch.setattr(rows, "load", lambda: None)
    return rows.ROWS


@pytest.fixture
def no_rest(monkeypatch):
    monkeypatch.setattr(measure, "REST_SECONDS", 0.0)
    monkeypatch.setattr(measure, "FAST_TOTAL_SECONDS", 0.0)


def contest(ours=lambda: 1.0, peer=lambda: 1.0):
    contestants = {rows.OURS: ours, "peer": peer, "absent": measure.Contestant(None, "not installed")}
    return rows.Contest(contestants, error_of=lambda answer: abs(answer - 1.0), tolerance=1e-9)


def test_the_errors_of_right_answers_are_returned():
    errors = measure.check_answers({"a": lambda: 1.0, "b": lambda: 1.25}, lambda answer: answer - 1.0, tolerance=0.5)
    assert errors == {"a": 0.0, "b": 0.25}


@pytest.mark.parametrize("wrong", [1.1, float("nan"), float("inf")])
def test_a_wrong_answer_is_refused_before_anything_is_timed(registry, monkeypatch, wrong):
    monkeypatch.setattr(runner, "race", lambda *_: pytest.fail("timed in spite of a wrong answer"))
    rows.row("fake", [{"n": 10}])(lambda n: contest(peer=lambda: wrong))
    result = runner.run_one(rows.ROWS["fake"], {"n": 10})
    assert result["status"].startswith("WRONG ANSWER: peer")
    assert result["entries"] == {}
    assert not runner.all_correct([result])
    assert "WRONG ANSWER" in report.table([result])


def test_contestants_run_in_alternating_blocks(no_rest, monkeypatch):
    monkeypatch.setattr(measure, "FAST_SECONDS", 0.0)
    calls = []
    timings = measure.race({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, repetitions=5)
    assert "".join(calls) == "ab" + "aabb" + "bbaa" + "ab"
    assert {name: t.repetitions for name, t in timings.items()} == {"a": 5, "b": 5}
    assert all(0.0 <= t.best <= t.median for t in timings.values())


def test_repetitions_are_never_below_three():
    assert measure.repetitions_for(10.0, repetitions=5) == 3
    assert measure.repetitions_for(1.0, repetitions=5) == 5
    assert 5 < measure.repetitions_for(0.01, repetitions=5) <= measure.MOST_REPETITIONS
    with pytest.raises(SystemExit):
        run.parse(["--repeat", "2"])


def test_garbage_collection_is_restored_after_an_exception(no_rest):
    import gc

    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError):
        measure.race({"a": lambda: 1 / 0})
    assert gc.isenabled()


def test_one_of_the_variants_is_chosen(no_rest):
    chosen = measure.fastest_variant({"chunks of 1 rows": lambda: 1, "chunks of 2 rows": lambda: 2})
    assert chosen.note in {"chunks of 1 rows", "chunks of 2 rows"}
    assert chosen.call() == int(chosen.note.split()[2])


def test_registry_refuses_a_second_row_of_the_same_name(registry):
    rows.row("fake", [{"n": 10}])(contest)
    with pytest.raises(ValueError, match="two rows are named 'fake'"):
        rows.row("fake", [{"n": 20}])(contest)


def test_rows_are_found_by_pattern_and_quick_leaves_large_sizes_out(registry):
    rows.row("gram-fake", [{"n": 10}, {"n": 5000}])(contest)
    rows.figure("fake-size", "MB")(lambda: {rows.OURS: 1.5})
    assert [r.name for r in rows.matching("gram")] == ["gram-fake"]
    assert [r.name for r in rows.matching("*")] == ["gram-fake", "fake-size"]
    assert rows.ROWS["gram-fake"].sizes_to_run(quick=True) == [{"n": 10}]
    assert rows.ROWS["fake-size"].sizes_to_run(quick=True) == [{}]


def test_the_rows_of_the_bench_are_registered():
    assert {"gram-gaussian", "product-gaussian", "import-time", "wheel-size"} <= {r.name for r in rows.matching("*")}
    assert rows.geometric(500, 8000) == [500, 1000, 2000, 4000, 8000]


def test_table_shows_ratio_absence_and_figure(registry, no_rest):
    rows.row("fake", [{"n": 10}])(lambda n: contest())
    rows.figure("fake-size", "MB")(lambda: {rows.OURS: 1.5, "peer": "no wheel"})
    results = runner.run_rows(rows.matching("*"))
    results[0]["entries"]["peer"].update(value=7.25, ratio=14.5)
    head, _, timed, sized = report.table(results).splitlines()
    assert head.split() == ["row", "size", "gramian", "peer", "absent", "unit", "check"]
    assert "7.25 (14.5x)" in timed and "not installed" in timed and "ok, error 0e+00" in timed
    assert "1.50" in sized and "no wheel" in sized and "MB" in sized


def test_an_older_instruction_set_races_in_a_process_of_its_own(monkeypatch):
    monkeypatch.setenv(isa.VARIABLE, "v4")
    found = isa.ratios("gram-gaussian", "v2", {"n": 200, "d": 3})
    assert os.environ[isa.VARIABLE] == "v4"
    assert set(found) <= {rows.OURS, *isa.PEERS}
    assert found[rows.OURS] == 1.0 and found["scikit-learn"] > 0 or found[rows.OURS].startswith("runs ")
    nowhere = isa.ratios("gram-gaussian", "v0", {"n": 200, "d": 3})
    assert list(nowhere) == [rows.OURS] and nowhere[rows.OURS].startswith("runs ")


def test_a_figure_with_a_wrong_answer_is_refused_too(registry):
    def build():
        raise measure.WrongAnswer("peer: error 1.0e+00, allowed 1e-12")

    rows.figure("fake-isa", "times ours")(build)
    result = runner.run_one(rows.ROWS["fake-isa"], {})
    assert result["status"].startswith("WRONG ANSWER: peer") and not runner.all_correct([result])


def test_command_writes_json_and_returns_one_for_a_wrong_answer(registry, no_rest, tmp_path, capsys):
    out = tmp_path / "deep" / "latest.json"
    rows.row("right", [{"n": 10}])(lambda n: contest())
    assert run.main(["--json", str(out)]) == 0
    rows.row("wrong", [{"n": 10}])(lambda n: contest(ours=lambda: 2.0))
    assert run.main(["--json", str(out)]) == 1
    assert "OPENBLAS_CORETYPE" in capsys.readouterr().out
    document = json.loads(out.read_text())
    assert set(document) == {"machine", "environment", "results"}
    assert {"cpu", "cores", "threads", "isa", "compiler", "libraries", "commit", "date"} <= set(document["machine"])
    entry = document["results"][0]["entries"]["peer"]
    assert {"value", "median", "repetitions", "error", "tolerance", "ratio"} <= set(entry)
    assert document["results"][0]["entries"]["absent"] == {"note": "not installed"}
    assert run.main(["--rows", "unheard-of"]) == 2


def test_picture_groups_by_everything_but_n(tmp_path):
    def result(n, d):
        entries = {rows.OURS: {"value": 1.0}, "numpy": {"value": 3.0, "ratio": 3.0}}
        return {"row": "fake", "size": {"n": n, "d": d}, "unit": "ms", "status": "ok", "entries": entries}

    results = [result(n, 8) for n in (100, 200, 400)] + [result(400, 64)]
    assert picture.series(results) == {"fake (d = 8)": {"numpy": [(100, 3.0), (200, 3.0), (400, 3.0)]}}
    assert picture.write_picture(tmp_path / "ratios.png", results)
    assert not picture.write_picture(tmp_path / "none.png", results[:1])
    assert (tmp_path / "ratios.png").stat().st_size > 1000 and not (tmp_path / "none.png").exists()


def test_overrides_of_openblas_are_removed_and_named(monkeypatch):
    for name in OPENBLAS_OVERRIDES:
        monkeypatch.setenv(name, "Haswell")
    cleaning = remove_openblas_overrides()
    assert not set(OPENBLAS_OVERRIDES) & set(os.environ)
    assert cleaning == Cleaning(OPENBLAS_OVERRIDES, in_time=False)  # numpy is loaded here
    assert "may still act" in cleaning.sentence()
    assert "are removed before" in Cleaning(OPENBLAS_OVERRIDES, in_time=True).sentence()


def test_references_accept_the_naive_answer_and_refuse_one_wrong_entry():
    X, V, gamma = data.points(60, 3), data.points(60, 2, seed=1), 0.3
    K = np.array([[np.exp(-gamma * ((x - y) ** 2).sum()) for y in X] for x in X])
    assert data.gram_error(X, gamma)(K) < 1e-15
    assert data.product_error(X, V, gamma)(K @ V) < 1e-14
    assert data.gram_error(X, gamma)(K.astype(np.float32)) == float("inf")
    assert data.gram_error(X, gamma)(K[:-1]) == float("inf")
    K[17, 23] += 1e-3
    assert data.gram_error(X, gamma)(K) > 9e-4
    assert data.product_error(X, V, gamma)(K @ V) > 1e-6
