# SPDX-License-Identifier: BSD-3-Clause
"""Fair timing: check first, then run the contestants in alternating blocks and keep the best time of each."""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

REPETITIONS = 5
SLOW_REPETITIONS = 3  # for calls above SLOW_SECONDS; never fewer
SLOW_SECONDS = 5.0
FAST_SECONDS = 0.1  # calls below this get a warm-up at the start of each block and more repetitions
FAST_TOTAL_SECONDS = 0.3
MOST_REPETITIONS = 60
BLOCK = 2
REST_SECONDS = 0.02  # OpenMP threads of the last contestant stop spinning within this time

Call = Callable[[], object]


@dataclass(frozen=True)
class Contestant:
    """Something to time. `call` is None if the peer is absent; `note` says which variant ran or why none did."""

    call: Call | None
    note: str = ""


@dataclass(frozen=True)
class Timing:
    """Seconds of one contestant."""

    best: float
    median: float
    repetitions: int


class WrongAnswer(Exception):
    """A contestant disagrees with the reference: its time means nothing."""


def check_answers(calls: Mapping[str, Call], error_of: Callable[[object], float], tolerance: float) -> dict[str, float]:
    """Run every contestant once and return its error; WrongAnswer if one is above the tolerance or not a number."""
    errors = {}
    for name, call in calls.items():
        error = float(error_of(call()))
        if not error <= tolerance:
            raise WrongAnswer(f"{name}: error {error:.1e}, allowed {tolerance:.0e}")
        errors[name] = error
    return errors


def best_seconds(call: Call, repetitions: int = 7) -> float:
    """Return the best time of one contestant that runs alone: at least three calls, for five seconds at most."""
    call()
    found: list[float] = []
    while len(found) < repetitions and (len(found) < 3 or sum(found) < SLOW_SECONDS):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return min(found)


def race(calls: Mapping[str, Call], repetitions: int = REPETITIONS) -> dict[str, Timing]:
    """Time every contestant: best of at least `repetitions`, or of three if one call takes more than five seconds.

    Two OpenMP runtimes in one process (each peer ships its own) keep spinning for a while after a parallel region and
    take the cores from each other. So one contestant runs a few times in a row, then rests, then the next one runs; the
    blocks alternate, forwards and backwards, so that a disturbance of the machine meets everybody.
    """
    with _no_garbage_collection():
        first = {name: _block(call, 1, warm_up=False)[0] for name, call in calls.items()}
        wanted = {name: repetitions_for(seconds, repetitions) for name, seconds in first.items()}
        times: dict[str, list[float]] = {name: [] for name in calls}
        order = list(calls)
        while any(len(times[name]) < wanted[name] for name in order):
            for name in order:
                missing = wanted[name] - len(times[name])
                if missing > 0:
                    size = min(missing, max(BLOCK, wanted[name] // 5))
                    times[name] += _block(calls[name], size, warm_up=first[name] < FAST_SECONDS)
            order.reverse()
    return {name: Timing(min(t), statistics.median(t), len(t)) for name, t in times.items()}


def repetitions_for(seconds: float, repetitions: int = REPETITIONS) -> int:
    """How often a call of this length is repeated."""
    if seconds > SLOW_SECONDS:
        return SLOW_REPETITIONS
    if seconds < FAST_SECONDS:
        return max(repetitions, min(MOST_REPETITIONS, math.ceil(FAST_TOTAL_SECONDS / max(seconds, 1e-9))))
    return repetitions


def optional(build: Callable[..., Call | Contestant], *arguments: Any) -> Contestant:
    """Build a peer, or report that its library is not installed."""
    try:
        peer = build(*arguments)
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("gramian"):
            raise
        return Contestant(None, "not installed")
    return peer if isinstance(peer, Contestant) else Contestant(peer)


def fastest_variant(variants: Mapping[str, Call]) -> Contestant:
    """Time every variant of a peer once, after one warm-up call, and enter the fastest one."""
    next(iter(variants.values()))()
    with _no_garbage_collection():
        seconds = {name: _block(call, 1, warm_up=False)[0] for name, call in variants.items()}
    best = min(seconds, key=seconds.__getitem__)
    return Contestant(variants[best], best)


def _block(call: Call, size: int, warm_up: bool) -> list[float]:
    time.sleep(REST_SECONDS)
    if warm_up:
        call()
    times = []
    for _ in range(size):
        start = time.perf_counter()
        answer = call()
        times.append(time.perf_counter() - start)
        del answer  # freeing a large answer is outside the clock, for everybody
    return times


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
