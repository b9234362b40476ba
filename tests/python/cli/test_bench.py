# SPDX-License-Identifier: BSD-3-Clause
"""`gramian bench` and `gramian demo` print what they promise."""

from __future__ import annotations

import gramian
import pytest
from gramian import cli
from gramian.cli import bench


@pytest.mark.parametrize("busy", [False, True])
def test_ratios_are_left_out_on_a_busy_machine(busy, monkeypatch, capsys):
    monkeypatch.setattr(bench, "_is_busy", lambda: busy)
    assert cli.main(["bench", "--samples", "40", "--seconds", "0"]) == 0
    text = capsys.readouterr().out
    assert ("ratio" in text.splitlines()[-5]) == (not busy)
    assert ("are busy" in text) == busy
    assert len(text.splitlines()) == 5 + busy


def test_wrong_answers_are_not_timed(monkeypatch, capsys):
    monkeypatch.setattr(gramian, "gram", lambda kernel, X: X @ X.T)
    assert cli.main(["bench", "--samples", "40", "--seconds", "0"]) == 1
    assert "the answers differ" in capsys.readouterr().err


def test_sizes_must_be_sizes(capsys):
    assert cli.main(["bench", "--samples", "0"]) == 1
    assert "must be at least 1" in capsys.readouterr().err


def test_the_demo_ends_with_a_line_for_each_model(capsys):
    assert cli.main(["demo"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 12
    assert sum(line.startswith("  gramian: ") for line in lines) == 4
