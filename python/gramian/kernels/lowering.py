# SPDX-License-Identifier: BSD-3-Clause
"""
What a kernel is to the engine.

The engine takes a nested tuple and gives gradients as one vector. A slot says, for one entry of this vector, which
parameter of the Python object it belongs to, and how the engine's number changes with it.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian._validation import check_real

Spec: TypeAlias = tuple[Any, ...]
Values: TypeAlias = float | npt.NDArray[np.float64]


class Slot(NamedTuple):
    """One parameter of the engine."""

    engine: float
    """Its value there."""
    name: str | None = None
    """The parameter that it comes from; None if it is fixed."""
    value: float = math.nan
    """The value of that parameter."""
    chain: float = 1.0
    """The derivative of the engine's number in that parameter."""
    place: int | None = None
    """The place in that parameter, if it is an array."""

    def given(self, number: float) -> float:
        """Return the value of the parameter for a number of the engine, which is a multiple of a power of it."""
        if self.name is None or number == self.engine:
            return self.value
        power = self.chain * self.value / self.engine
        return float(self.value * (number / self.engine) ** (1.0 / power))


class Lowered(NamedTuple):
    """A kernel as the engine takes it, and its parameters in the engine's order."""

    spec: Spec
    slots: tuple[Slot, ...]


def real_slot(value: Any, name: str, owner: str) -> Slot:
    """Return a parameter that is a number above 0 and the engine's own."""
    number = check_real(value, name, owner)
    return Slot(number, name, number)


def prefixed(slots: Sequence[Slot], owner: str) -> tuple[Slot, ...]:
    """Return the slots of a kernel that is the parameter `owner` of another one."""
    names = {slot.name: slot.name and f"{owner}__{slot.name}" for slot in slots}
    return tuple(Slot(slot.engine, names[slot.name], *slot[2:]) for slot in slots)  # _replace takes four times as long


def relevances(spec: Spec) -> npt.NDArray[np.float64] | None:
    """Return the inverse length scale of each feature, of the first part that has them; None if no part has."""
    scales = _first_scales(spec)
    return 1.0 / np.array(scales) if scales else None


def _first_scales(spec: Spec) -> tuple[float, ...]:
    kind, first, second = spec
    if kind in ("sum", "product"):
        return _first_scales(first) or _first_scales(second)
    return _first_scales(second) if kind in ("multiple", "images") else tuple(second)


def by_name(slots: Sequence[Slot], numbers: Iterable[float], add: bool) -> dict[str, Values]:
    """Collect numbers, one for each slot, under the slots' names: the last one of each, or their sums."""
    found: dict[str, dict[int | None, float]] = {}
    for slot, number in zip(slots, numbers, strict=True):
        if slot.name is not None:
            entries = found.setdefault(slot.name, {})
            entries[slot.place] = number + (entries.get(slot.place, 0.0) if add else 0.0)
    return {
        name: entries[None] if None in entries else np.array(list(entries.values())) for name, entries in found.items()
    }
