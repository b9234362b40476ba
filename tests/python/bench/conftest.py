# SPDX-License-Identifier: BSD-3-Clause
"""What tests of the bench need: the checkout on the path, as the bench is not installed, and quick runs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

QuickRun = Callable[[str, str], dict[str, Any]]


@pytest.fixture
def nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A quick run without a folder of data: it takes what scikit-learn has, or makes its own."""
    from bench.paper.common import data
    from bench.paper.common.outcome import Settings

    (tmp_path / "empty").mkdir()
    monkeypatch.setenv(data.VARIABLE, str(tmp_path / "empty"))
    return Settings(tmp_path, quick=True)


@pytest.fixture
def quick_run(nothing: Any) -> QuickRun:
    """Run an experiment of a paper by the command, look for its files, and return what its JSON file says."""
    from bench.paper import __main__ as command

    def run(paper: str, name: str) -> dict[str, Any]:
        full = f"{paper}_{name}"
        assert command.main([paper, "--quick", "--only", full, "--output", str(nothing.output)]) == 0
        document = json.loads((nothing.output / f"{full}.json").read_text())
        outcome = document["outcomes"][full]
        assert document["quick"] is True and outcome["tables"]
        assert all((nothing.output / picture).stat().st_size > 5000 for picture in outcome["pictures"])
        return outcome

    return run
