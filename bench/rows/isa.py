# SPDX-License-Identifier: BSD-3-Clause
"""How fast are the hot loops for processors that are older than this one?"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from bench import registry, threads
from bench.measure import REPETITIONS
from bench.registry import OURS, Contest, figure
from bench.runner import timed_entries

PEERS = ("scikit-learn", "torch")
VARIABLE = "GRAMIAN_ISA"
GRAM_SIZES = [{"isa": isa, "n": 4000, "d": d} for isa in ("v3", "v2") for d in (8, 64)]
PRODUCT_SIZES = [{"isa": isa, "n": 8000, "d": 8, "m": 10} for isa in ("v3", "v2")]


@figure("isa-gram-gaussian", "times ours", GRAM_SIZES)
def isa_gram_gaussian(isa: str, **size: int) -> dict[str, float | str]:
    """`gram-gaussian` with an older instruction set, while the peers keep theirs."""
    return ratios("gram-gaussian", isa, size)


@figure("isa-product-gaussian", "times ours", PRODUCT_SIZES)
def isa_product_gaussian(isa: str, **size: int) -> dict[str, float | str]:
    """`product-gaussian`, the same way."""
    return ratios("product-gaussian", isa, size)


def ratios(row: str, isa: str, size: dict[str, int]) -> dict[str, float | str]:
    """How many times longer than gramian each peer takes, in a process that was started with that instruction set."""
    from gramian import _core

    count = _core.base.thread_report().threads
    with _variable(isa), ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_race, row, isa, size, count).result()


def _race(
    row: str, isa: str, size: dict[str, int], count: int, repetitions: int = REPETITIONS
) -> dict[str, float | str]:
    from gramian import _core

    used = _core.base.build_report().isa
    if used != isa:
        return {OURS: f"runs {used}"}
    registry.load()
    with threads.limited(count):
        contest = registry.ROWS[row].build(**size)
        chosen = {name: c for name, c in contest.contestants.items() if name == OURS or name in PEERS}
        entries = timed_entries(Contest(chosen, contest.error_of, contest.tolerance), REPETITIONS)
    return {OURS: 1.0} | {name: _ratio(entry) for name, entry in entries.items() if name != OURS}


def _ratio(entry: dict[str, Any]) -> float | str:
    return entry["ratio"] if "ratio" in entry else str(entry["note"])


@contextmanager
def _variable(value: str) -> Iterator[None]:
    """Children inherit the variable; this process has read it already."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
