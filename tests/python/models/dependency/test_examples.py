# SPDX-License-Identifier: BSD-3-Clause
"""Examples and documentation of structured outputs run, and say what they are said to say."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]


def example(name):
    return runpy.run_path(str(ROOT / "examples" / "python" / f"structured_{name}.py"))


def table(heading):
    """Rows of the table that follows this name of a file in the documentation: cells by the first one."""
    text = (ROOT / "docs" / "structured_outputs.md").read_text(encoding="utf-8")
    lines = text.partition(f"structured_{heading}.py")[2].split("\n\n")[1].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {first: rest for first, *rest in cells}


def test_images(tmp_path):
    names = example("images")
    found = {row["method"]: row for row in names["rows"]()}
    for method, (penalty, loss) in table("images").items():
        assert found[method]["penalty"] == pytest.approx(float(penalty), rel=0.02)
        assert found[method]["loss"] == pytest.approx(float(loss), abs=1e-4)
    assert all(row["loss"] < 0.65 for row in found.values())
    pytest.importorskip("matplotlib").use("agg")
    names["picture"](tmp_path / "halves.png", list(found.values()))
    assert (tmp_path / "halves.png").stat().st_size > 5000


def test_strings():
    found = {row["method"]: row for row in example("strings")["rows"]()}
    for method, (symbols, words) in table("strings").items():
        assert found[method]["symbols"] == pytest.approx(float(symbols[:-1]) / 100, abs=6e-4)
        assert found[method]["words"] == pytest.approx(float(words[:-1]) / 100, abs=6e-4)
    chosen = found.pop("one of the training outputs")
    assert all(row["symbols"] > chosen["symbols"] + 0.2 for row in found.values())


def test_labels():
    found = {row["model"]: row for row in example("labels")["rows"]()}
    for model, (hamming, right) in table("labels").items():
        assert found[model]["hamming"] == pytest.approx(float(hamming), abs=2e-3)
        assert found[model]["all right"] == pytest.approx(float(right[:-1]) / 100, abs=1e-2)
    structured = [row["all right"] for name, row in found.items() if "on sets" in name]
    single = [row["all right"] for name, row in found.items() if "each label" in name]
    assert min(structured) > max(single) + 0.1


def test_the_documentation_runs():
    text = (ROOT / "docs" / "structured_outputs.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    names: dict[str, object] = {}
    exec(compile(code, "docs/structured_outputs.md", "exec"), names)
    assert names["best"].shape == (10, 5, 32)
    assert names["known"].predict(names["K"]).tolist() == list(range(6))
