# SPDX-License-Identifier: BSD-3-Clause
"""The table of docs/dask.md, of fits that take no time."""

from __future__ import annotations

import gramian
import gramian.dask
import pytest

from bench import dask_table

FEW = {"alpha": 1.0, "kernel": "rbf", "gamma": 0.03, "landmarks": 20, "random_state": 0}
QUICK = dask_table.Way(
    "ridge", lambda: gramian.KernelRidge(solver="landmarks", **FEW), lambda: gramian.dask.KernelRidge(**FEW), False
)


@pytest.mark.parametrize(("load", "columns"), [(0.0, 7), (5.0, 5)])
def test_a_row_for_each_fit_and_size(monkeypatch, capsys, load, columns):
    monkeypatch.setattr(dask_table, "WAYS", (QUICK,))
    monkeypatch.setattr(dask_table.os, "getloadavg", lambda: (load, load, load))
    lines = dask_table.table((1200,)).splitlines()
    assert [line.count("|") - 1 for line in lines[:3]] == [columns] * 3
    cells = [cell.strip() for cell in lines[2].split("|")[1:-1]]
    assert cells[:2] == ["ridge", "1 200"] and all(float(cell) >= 0 for cell in cells[2:])
    assert ("elapsed time says nothing" in " ".join(lines)) == (load > dask_table.BUSY)
    assert capsys.readouterr().out.strip() == lines[2]


def test_answers_that_differ_are_no_table(monkeypatch):
    worse = {**FEW, "alpha": 1e9}
    monkeypatch.setattr(dask_table, "WAYS", (QUICK._replace(spread=lambda: gramian.dask.KernelRidge(**worse)),))
    with pytest.raises(ValueError, match="scores are"):
        dask_table.table((1200,))


def test_every_way_has_both_kinds():
    for way in dask_table.WAYS:
        local, spread = way.local(), way.spread()
        assert type(local).__name__ == type(spread).__name__ and type(spread).__module__.startswith("gramian.dask")
