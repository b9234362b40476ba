# SPDX-License-Identifier: BSD-3-Clause
"""Which ways run on a set, in which order, and how much time the peers get."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench.large.process import CHOICE, Job, Record


@dataclass(frozen=True)
class Plan:
    """Sizes of the runs."""

    landmarks: tuple[int, ...] = (1000, 4000)
    exact: int = 20_000
    """Rows of the exact solution, where there are more than `all_exact`."""
    all_exact: int = 40_000
    sklearn_exact: int = 8000
    nystroem: int = 500
    """Where the doubling begins."""
    most_bytes: float = 8e9
    """Of what Nystroem's features may take, with a copy."""
    quick: bool = False
    threads: int | None = None


QUICK = Plan((30, 60), 200, 300, 200, 20, quick=True)
"""Only to see that it runs."""

Run = Callable[[Job], Record]


def run_set(name: str, plan: Plan, tell: Callable[[Record], None], run: Run) -> list[Record]:
    """Run everything on one set; `tell` hears of each record at once."""
    records: list[Record] = []

    def go(way: str, options: dict[str, Any], rows: int | None = None) -> Record:
        record = run(Job(name, way, options, rows, plan.quick, plan.threads))
        records.append(record)
        tell(record)
        return record

    longest, chosen = _landmarks(plan, go)
    if longest is not None:
        _nystroem(plan, go, longest, chosen)
        go("falkon", {**_parameters(chosen), "m": plan.landmarks[-1]})
        go("trees", {"seconds": longest["cpu_seconds"] + chosen["cpu_seconds"]})
    _exact(plan, go)
    return records


def _landmarks(plan: Plan, go: Any) -> tuple[Record | None, Record]:
    """Each number of landmarks with its own choice; the last run, and its choice."""
    fitted: Record | None = None
    chosen: Record = {}
    for m in plan.landmarks:
        chosen = go(CHOICE, {"way": "landmarks", "m": m})
        if "refused" not in chosen:
            record = go("landmarks", {**_parameters(chosen), "m": m})
            fitted = record if "refused" not in record else fitted
    return fitted, chosen


def _nystroem(plan: Plan, go: Any, longest: Record, chosen: Record) -> None:
    """Twice as many landmarks again and again, as long as the next fit is expected within our time."""
    m = plan.nystroem
    while True:
        record = go("nystroem", {**_parameters(chosen), "m": m})
        within = "refused" not in record and 2.5 * record["cpu_seconds"] < longest["cpu_seconds"]
        m *= 2
        if not within or m > longest["learned_rows"] or 16 * m * longest["learned_rows"] > plan.most_bytes:
            return


def _exact(plan: Plan, go: Any) -> None:
    chosen = go(CHOICE, {"way": "exact"})
    if "refused" in chosen:
        return
    rows = plan.all_exact if chosen["available"] <= plan.all_exact else plan.exact
    go("exact", _parameters(chosen), rows)
    go("sklearn_exact", _parameters(chosen), plan.sklearn_exact)


def _parameters(chosen: Record) -> dict[str, Any]:
    return {"length": chosen["length"], "penalty": chosen["penalty"]}
