# SPDX-License-Identifier: BSD-3-Clause
"""Results as a text table and as a JSON file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.runner import Result, size_text

RULES = (
    "Best times in ms; in brackets how many times longer than gramian. Answers are checked before anything is timed.\n"
    "Best of at least {repetitions} repetitions (3 where a call takes more than 5 s). Contestants share one process\n"
    "and run in alternating blocks with a rest between them: two OpenMP runtimes that alternate call by call spin\n"
    "against each other."
)


def table(results: Sequence[Result]) -> str:
    """One line a result: row, size, every contestant, the check."""
    names = list(dict.fromkeys(name for result in results for name in result["entries"]))
    lines = [["row", "size", *names, "unit", "check"]]
    for result in results:
        cells = [cell(result["entries"].get(name)) for name in names]
        lines.append([result["row"], size_text(result["size"]), *cells, result["unit"], check(result)])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    rendered = [_line(line, widths, numbers=range(2, 2 + len(names))) for line in lines]
    return "\n".join([rendered[0], "-" * max(map(len, rendered)), *rendered[1:]])


def cell(entry: dict[str, Any] | None) -> str:
    """`13.60 (7.2x)`, or why there is no number."""
    if entry is None:
        return "-"
    if "value" not in entry:
        return str(entry.get("note", "-"))
    ratio = f" ({entry['ratio']:.1f}x)" if "ratio" in entry else ""
    return number(entry["value"]) + ratio


def number(value: float) -> str:
    """Three significant digits without an exponent."""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:.{digits}f}"


def check(result: Result) -> str:
    """The largest error of a contestant, or the refusal."""
    if result["status"] != "ok":
        return str(result["status"])
    errors = [entry["error"] for entry in result["entries"].values() if "error" in entry]
    return f"ok, error {max(errors):.0e}" if errors else ""


def variants(results: Sequence[Result]) -> list[str]:
    """Which variant of a peer ran, where there was a choice."""
    chosen: dict[str, list[str]] = {}
    for result in results:
        for name, entry in result["entries"].items():
            if "value" in entry and "note" in entry:
                chosen.setdefault(f"{result['row']}, {name}, {entry['note']}", []).append(size_text(result["size"]))
    lines = [f"  {what}: {'; '.join(sizes)}" for what, sizes in chosen.items()]
    return ["", "Fastest variants, the ones that ran:", *lines] if lines else []


def write_json(path: Path, machine: dict[str, Any], cleaning: str, results: Sequence[Result]) -> None:
    """{"machine": ..., "environment": ..., "results": [...]}"""
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {"machine": machine, "environment": cleaning, "results": list(results)}
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def _line(cells: Sequence[str], widths: Sequence[int], numbers: range) -> str:
    aligned = [c.rjust(w) if i in numbers else c.ljust(w) for i, (c, w) in enumerate(zip(cells, widths, strict=True))]
    return "  ".join(aligned).rstrip()
