# SPDX-License-Identifier: BSD-3-Clause
"""
What a kernel is to the engine.

The engine takes a nested tuple and gives gradients as one vector. A slot says, for one entry of this vector, which
parameter of the Python object it belongs to, and how the engine's number changes with it.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian._validation import check_real, check_widths

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


class Lowered(NamedTuple):
    """A kernel as the engine takes it, and its parameters in the engine's order."""

    spec: Spec
    slots: tuple[Slot, ...]


Map: TypeAlias = Callable[[float], tuple[float, float]]
"""From a parameter to the engine's number and its derivative."""


def identity(p: float) -> tuple[float, float]:
    """Return p."""
    return p, 1.0


def reciprocal(p: float) -> tuple[float, float]:
    """Return 1 / p: from inverse widths to widths, and back."""
    return 1.0 / p, -1.0 / p / p


def gamma_of_length_scale(p: float) -> tuple[float, float]:
    """Return 1 / (2 p^2): gamma of a Gaussian kernel from its length scale."""
    gamma = 0.5 / p / p
    return gamma, -2.0 * gamma / p


def length_scale_of_gamma(p: float) -> tuple[float, float]:
    """Return 1 / sqrt(2 p)."""
    scale = math.sqrt(0.5 / p)
    return scale, -0.5 * scale / p


def lower_leaf(name: str, parameters: Iterable[Slot] = (), scales: Iterable[Slot] = ()) -> Lowered:
    """Return a kernel of the engine's registry."""
    own, widths = tuple(parameters), tuple(scales)
    spec = name, tuple(slot.engine for slot in own), tuple(slot.engine for slot in widths)
    return Lowered(spec, own + widths)


def real_slot(value: Any, name: str, owner: str, inclusive: bool = False) -> Slot:
    """Return a parameter that is a number above 0 (or equal to it, if `inclusive`) and the engine's own."""
    number = check_real(value, name, owner, inclusive=inclusive)
    return Slot(number, name, number)


def width_slots(
    value: Any, name: str, owner: str, dimension: int | None, one: Map, unit: float, each: Map
) -> tuple[Slot, list[Slot]]:
    """
    Return the engine's width and its length scales from a parameter that is a number or one number for each feature.

    A number goes through `one` and becomes the width, without length scales. Numbers for each feature go through `each`
    and become length scales, with the width fixed at `unit`.
    """
    widths = check_widths(value, name, owner, dimension)
    if isinstance(widths, float):
        return _mapped(widths, name, owner, one, None), []
    return Slot(unit), [_mapped(width, name, owner, each, index) for index, width in enumerate(widths)]


def prefixed(slots: Sequence[Slot], owner: str) -> tuple[Slot, ...]:
    """Return the slots of a kernel that is the parameter `owner` of another one."""
    names = {slot.name: slot.name and f"{owner}__{slot.name}" for slot in slots}
    return tuple(Slot(slot.engine, names[slot.name], *slot[2:]) for slot in slots)  # _replace takes four times as long


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


def _mapped(value: float, name: str, owner: str, to_engine: Map, index: int | None) -> Slot:
    try:
        engine, chain = to_engine(value)
    except (ZeroDivisionError, OverflowError):
        engine, chain = math.inf, math.inf
    if not 0 < engine < math.inf:
        raise ValueError(f"The {name!r} parameter of {owner} is beyond what float64 can square: {value!r}.")
    return Slot(engine, name, value, chain, index)
