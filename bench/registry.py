# SPDX-License-Identifier: BSD-3-Clause
"""The registry of rows. A row is one small function with its sizes; every file of `bench/rows` is found by itself."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from typing import Any

from bench.measure import Call, Contestant

OURS = "gramian"

Size = Mapping[str, Any]


@dataclass(frozen=True)
class Contest:
    """Who runs (ours under the name OURS) and how an answer is judged: `error_of(answer) <= tolerance`."""

    contestants: Mapping[str, Contestant | Call]
    error_of: Callable[[Any], float]
    tolerance: float

    def entries(self) -> dict[str, Contestant]:
        """The contestants, bare callables wrapped."""
        return {name: c if isinstance(c, Contestant) else Contestant(c) for name, c in self.contestants.items()}


@dataclass(frozen=True)
class Row:
    """A question that is asked at several sizes. `unit` is "ms" for a race, else the unit of the figures returned."""

    name: str
    build: Callable[..., Any]
    sizes: Sequence[Size] = field(default_factory=lambda: [{}])
    quick_n: int = 2000
    unit: str = "ms"

    @property
    def timed(self) -> bool:
        """Whether `build` returns a Contest (else a mapping of names to figures)."""
        return self.unit == "ms"

    def sizes_to_run(self, quick: bool) -> list[Size]:
        """All sizes, or those of a quick run."""
        return [size for size in self.sizes if not quick or size.get("n", 0) <= self.quick_n]


ROWS: dict[str, Row] = {}


def row(name: str, sizes: Sequence[Size], quick_n: int = 2000) -> Callable[[Callable], Callable]:
    """Register a race: the function gets one size as keyword arguments and returns a Contest."""
    return _register(name, sizes, quick_n, "ms")


def figure(name: str, unit: str, sizes: Sequence[Size] = ({},), quick_n: int = 2000) -> Callable[[Callable], Callable]:
    """Register figures that are not times of a call: the function returns {name: number or why there is none}."""
    if unit == "ms":
        raise ValueError("the unit 'ms' belongs to races; give import times in 's'")
    return _register(name, sizes, quick_n, unit)


def geometric(first: int, last: int) -> list[int]:
    """first, 2 first, 4 first, ... up to last."""
    values = [first]
    while values[-1] * 2 <= last:
        values.append(values[-1] * 2)
    return values


def matching(pattern: str) -> list[Row]:
    """The registered rows whose name fits a shell pattern or contains it as a word."""
    load()
    return [r for r in ROWS.values() if fnmatch(r.name, pattern) or pattern in r.name]


def load() -> None:
    """Import every file of bench/rows."""
    package = importlib.import_module("bench.rows")
    for module in sorted(found.name for found in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"bench.rows.{module}")


def _register(name: str, sizes: Sequence[Size], quick_n: int, unit: str) -> Callable[[Callable], Callable]:
    def decorate(build: Callable) -> Callable:
        if name in ROWS:
            raise ValueError(f"two rows are named {name!r}")
        ROWS[name] = Row(name, build, tuple(sizes), quick_n, unit)
        return build

    return decorate
