# SPDX-License-Identifier: BSD-3-Clause
"""Peak memory of a call, measured in a process of its own."""

from __future__ import annotations

import contextlib
import multiprocessing
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from bench.measure import Contestant


def extra_bytes(build: Callable[..., Contestant], name: str, n: int, *shape: int) -> float | str:
    """High-water mark of `build(name, n, *shape).call()` above the memory in use before it, or why there is none."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_measure, build, name, n, *shape).result()


def _measure(build: Callable[..., Contestant], name: str, n: int, *shape: int) -> float | str:
    small = build(name, min(n, 500), *shape)  # starts thread pools and fills the caches of the libraries
    if small.call is None:
        return small.note
    small.call()
    contestant = build(name, n, *shape)
    assert contestant.call is not None
    before = reset_high_water()
    answer: Any = contestant.call()
    after = high_water()
    del answer
    return float(after - before)


def reset_high_water() -> int:
    """Let the mark fall to what is resident now, where the system can, and return it in bytes."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # Linux: the mark falls to what is resident now
    return high_water()


def high_water() -> int:
    """The most bytes that were resident."""
    # Linux hands ru_maxrss of the parent down to a child, VmHWM starts afresh: so the kernel's own line comes first.
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    import resource  # not on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
