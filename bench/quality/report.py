# SPDX-License-Identifier: BSD-3-Clause
"""Records in a JSON file for each set, and tables of them as Markdown, in the console and in a page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.machine import describe, headline
from bench.quality.measure import Record
from bench.quality.scores import ratio
from bench.quality.sets import LISTS
from bench.quality.ways import REFERENCE, WAYS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "quality.md"
BEGIN, END = "<!-- begin: python -m bench.quality {task} -->", "<!-- end: python -m bench.quality {task} -->"
SCORES = ("accuracy", "log_loss", "ece")
LEAST = 500
"""Samples of a set whose calibration error says much."""


def write(folder: Path, name: str, records: Sequence[Record]) -> None:
    """One file for each set; what it has of other ways and splits is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    new = {_key(one) for one in records}
    kept = [one for one in _records(folder / f"{name}.json") if _key(one) not in new]
    document = {"machine": describe(), "records": [*kept, *records]}
    (folder / f"{name}.json").write_text(json.dumps(document, indent=1, default=float) + "\n", encoding="utf-8")


def read(folder: Path) -> tuple[dict[str, list[Record]], dict[str, Any]]:
    """Return the records of each set, and the machine of the last run."""
    names = [name for names in LISTS.values() for name in names if (folder / f"{name}.json").is_file()]
    machines = [json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["machine"] for name in names]
    machine = max(machines, key=lambda one: one["date"], default={})
    return {name: _records(folder / f"{name}.json") for name in names}, machine


def markdown(found: dict[str, list[Record]], machine: dict[str, Any]) -> str:
    """Return a summary and a table of sets for each list."""
    parts = []
    for title, names in LISTS.items():
        own = {name: found[name] for name in names if name in found}
        if own:
            parts += [f"## Sets of the {title} list", _summary(own), _of_sets(own)]
    said = headline(machine).replace(f"gramian {machine['gramian']}, ", "gramian, ")  # the commit tells it
    return "\n\n".join([*parts, "Machine: " + " ".join(said.split("\n"))])


def means(records: Sequence[Record], way: str, score: str) -> tuple[float, float]:
    """Return mean and deviation over splits; NaN without a record."""
    values = [one[score] for one in records if one["way"] == way]
    return (float(np.mean(values)), float(np.std(values))) if values else (float("nan"), float("nan"))


def put_into(page: Path, task: str, text: str) -> None:
    """Replace what is between the markers of a page."""
    old, begin, end = page.read_text(encoding="utf-8"), BEGIN.format(task=task), END.format(task=task)
    if old.count(begin) != 1 or old.count(end) != 1:
        raise ValueError(f"{page} needs one line {begin!r} and one line {end!r}")
    before, rest = old.split(begin)
    page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{rest.split(end)[1]}", encoding="utf-8")


def _summary(found: dict[str, list[Record]]) -> str:
    """Means over the sets that a way has, and ratios of log losses set by set."""
    head = ("Classifier", "sets", "accuracy", "log loss", "log loss / SVC's", "worst", "ECE", "worst, n ≥ 500", "CPU s")
    lines = [row(head), row(["---"] * len(head))]
    for way in WAYS:
        sets = [name for name, records in found.items() if any(one["way"] == way for one in records)]
        compared = [name for name in sets if any(one["way"] == REFERENCE for one in found[name])]
        if not sets:
            continue
        of_sets = {score: [means(found[name], way, score)[0] for name in sets] for score in (*SCORES, "seconds")}
        ours, theirs = ([means(found[name], one, "log_loss")[0] for name in compared] for one in (way, REFERENCE))
        against = ratio(ours, theirs) if compared else {"mean": float("nan"), "worst": float("nan")}
        large = [means(found[name], way, "ece")[0] for name in sets if _samples(found[name]) >= LEAST]
        cells = [
            WAYS[way][0],
            str(len(sets)),
            f"{np.mean(of_sets['accuracy']):.4f}",
            f"{np.mean(of_sets['log_loss']):.3f}",
        ]
        cells += [f"{against['mean']:.2f}", f"{against['worst']:.2f}", f"{np.mean(of_sets['ece']):.3f}"]
        lines.append(row([*cells, f"{max(large, default=float('nan')):.3f}", f"{np.mean(of_sets['seconds']):.1f}"]))
    return "\n".join(lines)


def _of_sets(found: dict[str, list[Record]]) -> str:
    """A row for each set and each score, with deviations over the splits."""
    ways = [way for way in WAYS if any(one["way"] == way for records in found.values() for one in records)]
    lines = [row(("Set", "score", *(WAYS[way][0] for way in ways))), row(["---"] * (2 + len(ways)))]
    for name, records in found.items():
        for score in SCORES:
            cells = ["{:.3f} ± {:.3f}".format(*means(records, way, score)) for way in ways]
            said = f"{name}, n = {_samples(records)}" if score == SCORES[0] else ""
            lines.append(row((said, score.replace("_", " "), *("" if "nan" in cell else cell for cell in cells))))
    return "\n".join(lines)


def _samples(records: Sequence[Record]) -> int:
    return int(records[0]["samples"] + records[0]["tested"])


def _key(one: Record) -> tuple[Any, ...]:
    return one["set"], one["way"], one["split"]


def _records(path: Path) -> list[Record]:
    records: list[Record] = json.loads(path.read_text(encoding="utf-8"))["records"] if path.is_file() else []
    return records


def row(cells: Any) -> str:
    """Return a row of a table."""
    return "| " + " | ".join(cells) + " |"
