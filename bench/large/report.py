# SPDX-License-Identifier: BSD-3-Clause
"""The records as Markdown, in the console and between the markers of a page, and as a JSON file for each set."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.large.plan import Plan
from bench.large.process import CHOICE, Record
from bench.machine import describe, headline

PAGE = Path(__file__).resolve().parents[2] / "docs" / "large_n.md"
BEGIN, END = "<!-- begin: python -m bench.large -->", "<!-- end: python -m bench.large -->"
COLUMNS = ("Way", "Rows", "Error", "Fit, CPU s", "Wall s", "Memory, MB", "Iterations", "Residual", "Length, λ")
NAMES = {
    "landmarks": "**{m} landmarks**",
    "exact": "**all rows, cg**",
    "nystroem": "Nystroem {m} + Ridge",
    "sklearn_exact": "scikit-learn's KernelRidge",
    "trees": "HistGradientBoosting",
    "falkon": "Falkon in torch, {m}",
}


def markdown(records: Sequence[Record], growth: Sequence[Record], machine: dict[str, Any]) -> str:
    """Tables of all sets, of the exponents, and the machine."""
    parts = []
    for name in dict.fromkeys(record["set"] for record in records):
        parts.append(_of_set(name, [record for record in records if record["set"] == name]))
    if growth:
        parts.append(_of_growth(growth))
    return "\n\n".join([*parts, _line_of_machine(machine)])


def write(folder: Path, name: str, plan: Plan, records: Sequence[Record]) -> None:
    """One file for each set, so that a run can be continued with others."""
    folder.mkdir(parents=True, exist_ok=True)
    document = {"machine": describe(), "plan": asdict(plan), "records": list(records)}
    (folder / f"{name}.json").write_text(json.dumps(document, indent=1, default=float) + "\n", encoding="utf-8")


def read(folder: Path, sets: Sequence[str], growth: str) -> tuple[list[Record], list[Record], dict[str, Any]]:
    """Return the records of the sets, those of growth, and the machine of the last run; all empty without files."""
    documents = {
        name: json.loads(path.read_text(encoding="utf-8"))
        for name in (*sets, growth)
        if (path := folder / f"{name}.json").is_file()
    }
    machine = max((one["machine"] for one in documents.values()), key=lambda one: one["date"], default={})
    records = [record for name in sets if name in documents for record in documents[name]["records"]]
    return records, documents.get(growth, {}).get("records", []), machine


def put_into(page: Path, text: str) -> None:
    """Replace what is between the markers of a page."""
    old = page.read_text(encoding="utf-8")
    if old.count(BEGIN) != 1 or old.count(END) != 1:
        raise ValueError(f"{page} needs one line {BEGIN!r} and one line {END!r}")
    before, rest = old.split(BEGIN)
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}", encoding="utf-8")


def shown(records: Sequence[Record]) -> list[Record]:
    """All that was fitted; of Nystroem the largest one that took no longer than our longest fit, or the smallest."""
    ours = [one["cpu_seconds"] for one in records if one["way"] == "landmarks" and "error" in one]
    within = [
        one
        for one in records
        if one["way"] == "nystroem" and "error" in one and one["cpu_seconds"] <= max(ours, default=0.0)
    ]
    peers = within or [one for one in records if one["way"] == "nystroem"][:1]
    return [one for one in records if one["way"] not in (CHOICE, "nystroem") or one is (peers[-1:] or [None])[0]]


def described(records: Sequence[Record]) -> str:
    """One sentence on the data and on how width and penalty were chosen."""
    fitted = next((one for one in records if "error" in one), {})
    features = f"{fitted['features']} features" if fitted else ""
    error = "share of wrong classes" if fitted.get("classes") else "root mean square error in deviations of the targets"
    choices = [
        f"{one['cpu_seconds']:.0f} s for {_chooser(one)} on {one['rows']} rows"
        for one in records
        if one["way"] == CHOICE
    ]
    return f"{features}; error: {error}. Choosing length and λ took {', '.join(choices)}."


def _of_set(name: str, records: Sequence[Record]) -> str:
    lines = [f"**{name}**: {described(records)}", "", _row(COLUMNS), _row(["---"] * len(COLUMNS))]
    refused = [f"{_name(one)}: {one['refused']}." for one in records if "refused" in one]
    lines += [_row(_cells(one)) for one in shown(records) if "refused" not in one]
    return "\n".join([*lines, *(["", " ".join(refused)] if refused else [])])


def _of_growth(growth: Sequence[Record]) -> str:
    lines = [_row(("What grows", "Sizes", "CPU s", "Exponent")), _row(["---"] * 4)]
    for one in growth:
        seconds = ", ".join(f"{value:.3g}" for value in one["cpu_seconds"])
        lines.append(_row((one["what"], ", ".join(map(str, one["sizes"])), seconds, f"{one['exponent']:.2f}")))
    return "\n".join(lines)


def _cells(one: Record) -> list[str]:
    options = one["options"]
    choice = f"{options['length']:g} √d, {options['penalty']:.0e}" if "length" in options else ""
    return [
        _name(one),
        str(one["learned_rows"]),
        f"{one['error']:.4f}",
        f"{one['cpu_seconds']:.1f}",
        f"{one['wall_seconds']:.1f}",
        f"{one['extra_bytes'] / 1e6:.0f}",
        str(one.get("iterations", "")),
        f"{one['residual']:.0e}" if "residual" in one else "",
        choice,
    ]


def _name(one: Record) -> str:
    return NAMES.get(one["way"], "choice of length and λ").format(**one["options"])


def _chooser(one: Record) -> str:
    options = one["options"]
    return f"{options['m']} landmarks" if "m" in options else "all rows"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _line_of_machine(machine: dict[str, Any]) -> str:
    said = headline(machine).replace(f"gramian {machine['gramian']}, ", "gramian, ")  # the commit tells it
    return "Machine: " + " ".join(said.split("\n"))
