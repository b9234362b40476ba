# SPDX-License-Identifier: BSD-3-Clause
"""What an experiment gives: tables, sentences, facts for the JSON file, and pictures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

Cell = str | float | None


@dataclass(frozen=True)
class Settings:
    """How an experiment is to run."""

    output: Path
    """The folder that pictures and the JSON file go to."""
    quick: bool = False
    """A few seconds, to see that it runs: figures of a quick run mean nothing."""


@dataclass
class Table:
    """Rows of cells under columns; numbers are shown with four digits."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[Cell]] = field(default_factory=list)

    def text(self) -> str:
        """Return it with aligned columns."""
        lines = [list(self.columns), *[[_shown(cell) for cell in row] for row in self.rows]]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self.columns))]
        aligned = [
            "  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True)))
            for line in lines
        ]
        return "\n".join([self.title, aligned[0], "-" * max(map(len, aligned)), *aligned[1:]])


@dataclass
class Outcome:
    """Everything that came out of one experiment."""

    name: str
    tables: list[Table] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    pictures: list[Path] = field(default_factory=list)

    def text(self) -> str:
        """Return what is printed."""
        return "\n\n".join([*[table.text() for table in self.tables], *self.sentences])


def write_json(path: Path, machine: dict[str, Any], quick: bool, outcomes: Sequence[Outcome]) -> None:
    """{"machine": ..., "quick": ..., "outcomes": {name: ...}}"""
    found = {}
    for outcome in outcomes:
        found[outcome.name] = asdict(outcome) | {"pictures": [picture.name for picture in outcome.pictures]}
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {"machine": machine, "quick": quick, "outcomes": found}
    path.write_text(json.dumps(document, indent=1, default=float) + "\n", encoding="utf-8")


def spread(values: Sequence[float]) -> str:
    """`mean ± standard deviation` of at least two values."""
    mean = sum(values) / len(values)
    deviation = (sum((value - mean) ** 2 for value in values) / (len(values) - 1)) ** 0.5
    return f"{mean:.4g} ± {deviation:.2g}"


def _shown(cell: Cell) -> str:
    if cell is None:
        return "-"
    return cell if isinstance(cell, str) else f"{cell:.4g}"
