# SPDX-License-Identifier: BSD-3-Clause
"""From rows to results: plain dictionaries that the table, the JSON file and the picture are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bench.measure import REPETITIONS, WrongAnswer, check_answers, race
from bench.registry import OURS, Contest, Row, Size

Result = dict[str, Any]


def run_rows(
    rows: Sequence[Row],
    quick: bool = False,
    repetitions: int = REPETITIONS,
    say: Callable[[str], None] = lambda line: None,
) -> list[Result]:
    """Run every row at every size."""
    results = []
    for row in rows:
        for size in row.sizes_to_run(quick):
            result = run_one(row, size, repetitions)
            say(f"{row.name} {size_text(size)}: {result['status']}")
            results.append(result)
    return results


def run_one(row: Row, size: Size, repetitions: int = REPETITIONS) -> Result:
    """Run a row at one size. A wrong answer leaves a result without times."""
    result: Result = {"row": row.name, "size": dict(size), "unit": row.unit, "status": "ok", "entries": {}}
    try:
        built = row.build(**size)
        if row.timed:
            result["entries"] = timed_entries(built, repetitions)
        else:
            result["entries"] = {
                name: {"note": value} if isinstance(value, str) else {"value": value} for name, value in built.items()
            }
    except WrongAnswer as wrong:
        result["status"] = f"WRONG ANSWER: {wrong}"
    return result


def timed_entries(contest: Contest, repetitions: int) -> dict[str, dict[str, Any]]:
    """Check, race, and put times, errors and ratios (peer / ours) together."""
    entries = contest.entries()
    calls = {name: c.call for name, c in entries.items() if c.call is not None}
    errors = check_answers(calls, contest.error_of, contest.tolerance)
    timings = race(calls, repetitions)
    table: dict[str, dict[str, Any]] = {}
    for name, contestant in entries.items():
        table[name] = {"note": contestant.note} if contestant.note else {}
        if name in timings:
            t = timings[name]
            table[name] |= {"value": t.best * 1e3, "median": t.median * 1e3, "repetitions": t.repetitions}
            table[name] |= {"error": errors[name], "tolerance": contest.tolerance}
            if name != OURS and OURS in timings:
                table[name]["ratio"] = t.best / timings[OURS].best
    return table


def size_text(size: Size) -> str:
    """n=2000 d=8"""
    return " ".join(f"{key}={value}" for key, value in size.items())


def all_correct(results: Sequence[Result]) -> bool:
    """Whether no row was refused."""
    return all(result["status"] == "ok" for result in results)
