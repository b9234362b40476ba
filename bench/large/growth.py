# SPDX-License-Identifier: BSD-3-Clause
"""How the time grows with the number of rows and of landmarks: exponents fitted at four sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.large.plan import Run
from bench.large.process import Job, Record

PARAMETERS = {"length": 0.5, "penalty": 1e-6}
SET = "synthetic"


@dataclass(frozen=True)
class Sizes:
    """At which sizes."""

    rows: tuple[int, ...] = (50_000, 100_000, 200_000, 400_000)
    landmarks: int = 1000
    counts: tuple[int, ...] = (500, 1000, 2000, 4000)
    rows_of_counts: int = 50_000
    exact: tuple[int, ...] = (8000, 16_000, 32_000, 64_000)
    steps: int = 8


QUICK = Sizes((100, 200, 300, 400), 20, (10, 20, 40, 80), 300, (100, 200, 300, 400), 4)


def measure(sizes: Sizes, quick: bool, threads: int | None, tell: Callable[[Record], None], run: Run) -> list[Record]:
    """One record for each exponent: what grows with what, the sizes, the seconds, and the slope of their logarithms."""

    def job(way: str, options: dict[str, Any], rows: int) -> Record:
        found = run(Job(SET, way, {**PARAMETERS, **options}, rows, quick, threads))
        if "refused" in found:
            raise RuntimeError(f"{way} with {rows} rows: {found['refused']}")
        return found

    m = sizes.landmarks
    runs = {
        f"a fit on {m} landmarks, with n": (sizes.rows, [job("landmarks", {"m": m}, n) for n in sizes.rows]),
        f"a fit of {sizes.rows_of_counts} rows, with the number of landmarks": (
            sizes.counts,
            [job("landmarks", {"m": count}, sizes.rows_of_counts) for count in sizes.counts],
        ),
        "an iteration of conjugate gradients on all rows, with n": (
            sizes.exact,
            [job("exact", {"most": sizes.steps}, n) for n in sizes.exact],
        ),
    }
    records = []
    for what, (numbers, found) in runs.items():
        seconds = [one.get("iteration_seconds" if "iteration" in what else "", one["cpu_seconds"]) for one in found]
        records.append(
            {"what": what, "sizes": list(numbers), "cpu_seconds": seconds, "exponent": slope(numbers, seconds)}
        )
        tell(records[-1])
    return records


def slope(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Of a line through the logarithms, by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(np.maximum(seconds, 1e-9)), 1)[0])
