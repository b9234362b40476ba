# SPDX-License-Identifier: BSD-3-Clause
"""One run in a process of its own: its processor and wall seconds, the most memory it took, and its error."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.large import sets
from bench.large.choose import choose
from bench.large.ways import WAYS
from bench.memory import high_water, reset_high_water
from bench.threads import limited

Record = dict[str, Any]

CHOICE = "choice"
"""The way that only chooses width and penalty."""


@dataclass(frozen=True)
class Job:
    """What one process does."""

    set: str
    way: str
    options: dict[str, Any] = field(default_factory=dict)
    rows: int | None = None
    """To learn from; None for all."""
    quick: bool = False
    threads: int | None = None


def run(job: Job) -> Record:
    """Return the job with what was measured, or with the reason why nothing was."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            return answer(job, lambda: pool.submit(measure, job).result())
        except BrokenProcessPool:
            return {**asdict(job), "refused": "the process was killed, most likely for want of memory"}


def answer(job: Job, measured: Callable[[], Record]) -> Record:
    """The job with what was measured, or with what was missing."""
    try:
        return {**asdict(job), **measured()}
    except (MemoryError, ModuleNotFoundError) as error:
        return {**asdict(job), "refused": str(error)}


def measure(job: Job) -> Record:
    """Load the data, which is not measured, then learn, then predict."""
    task = sets.load(job.set, job.quick).first(job.rows)
    import_libraries()
    with limited(job.threads):
        before = reset_high_water()
        wall, processor = time.perf_counter(), time.process_time()
        fitted = choose(task, **job.options) if job.way == CHOICE else WAYS[job.way](task, **job.options)
        found: Record = {
            "cpu_seconds": time.process_time() - processor,
            "wall_seconds": time.perf_counter() - wall,
            "learned_rows": len(task.y),
            "features": task.X.shape[1],
        }
        if isinstance(fitted, dict):
            return {**found, **fitted}
        processor = time.process_time()
        error = task.error(fitted.predict(task.X_test))
        found |= {"predict_cpu_seconds": time.process_time() - processor, "error": error, **fitted.facts}
        peak = high_water()
    return {**found, "peak_bytes": peak, "extra_bytes": peak - before, "classes": task.classes}


def import_libraries() -> None:
    """What the ways import, so that their clocks don't count it."""
    import gramian.models.kernel_ridge  # noqa: F401
    import sklearn.ensemble
    import sklearn.kernel_approximation
    import sklearn.kernel_ridge
    import sklearn.linear_model
    import sklearn.pipeline  # noqa: F401
