# SPDX-License-Identifier: BSD-3-Clause
"""Kernels of the engine's registry: their parameters are checked and mapped by what the registry says of them."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gramian import _core
from gramian._validation import check_choice, check_real, check_whole, check_widths
from gramian.kernels.base import Kernel
from gramian.kernels.lowering import Lowered, Slot


class Leaf(Kernel):
    """
    What kernels of the registry have in common.

    A class has the parameters of its kernel, by the engine's names. One that is a width may also be called
    ``length_scale``, and may be an array with one number for each feature.
    """

    _engine: ClassVar[str | tuple[str, Mapping[Any, str]]]
    """The engine's name for the kernel; or a parameter that has a choice, and the name for each of its values."""

    def _entry(self) -> "Entry":
        engine = self._engine
        if isinstance(engine, str):
            return entries()[engine]
        name, kernels = engine
        return entries()[kernels[check_choice(vars(self)[name], name, type(self).__name__, kernels)]]

    def _lower(self, dimension: int | None) -> Lowered:
        entry = self._entry()
        if not entry.parameters:
            return Lowered((entry.name, (), ()), ())
        own, owner = vars(self), type(self).__name__
        slots: list[Slot] = []
        scales: list[Slot] = []
        for name, inclusive, largest in entry.parameters:
            if name == entry.width:
                slot, scales = self._width_slots(entry, dimension)
            elif largest:
                slot = Slot(check_whole(own[name], name, owner, largest))
            else:
                number = check_real(own[name], name, owner, inclusive)
                slot = Slot(number, name, number)
            slots.append(slot)
        lengths = tuple([scale.engine for scale in scales]) if scales else ()
        return Lowered((entry.name, tuple([slot.engine for slot in slots]), lengths), (*slots, *scales))

    def _width_slots(self, entry: "Entry", dimension: int | None) -> tuple[Slot, list[Slot]]:
        """Return the engine's width, and its length scales: none for one width, and the width fixed for several."""
        name, value = self._given_width(entry.width)
        own, owner = name == entry.width, type(self).__name__
        widths = check_widths(value, name, owner, dimension)
        factor, power = entry.factor, entry.power
        if isinstance(widths, float):
            return Slot(widths, name, widths) if own else _power(widths, name, owner, factor, power, None), []
        # For length 1 the parameter is the factor.
        factor, power = (factor ** (-1.0 / power), 1.0 / power) if own else (1.0, 1.0)
        return Slot(entry.factor), [_power(each, name, owner, factor, power, i) for i, each in enumerate(widths)]

    def _given_width(self, name: str) -> tuple[str, Any]:
        """Return the parameter that the width is given by, and its value: length 1 if there are two, and neither is."""
        params = vars(self)
        if name == "length_scale" or "length_scale" not in params:
            return name, params[name]
        length_scale = params["length_scale"]
        if name not in params:
            return "length_scale", length_scale
        value = params[name]
        if value is None:
            return "length_scale", 1.0 if length_scale is None else length_scale
        if length_scale is not None:
            raise ValueError(
                f"Only one of {name!r} and 'length_scale' of {type(self).__name__} may be given. "
                f"Got {name}={value!r} and length_scale={length_scale!r}."
            )
        return name, value

    def _stretched(self, factor: float) -> Kernel:
        entry = self._entry()
        if not entry.width:
            return self
        name, value = self._given_width(entry.width)
        power = entry.power if name == entry.width else 1.0
        scaled = np.asarray(value, dtype=np.float64) * factor**power
        return type(self)(**{**self.get_params(deep=False), name: float(scaled) if scaled.ndim == 0 else scaled})


class Entry(NamedTuple):
    """What lowering a kernel needs of the registry, where Python reads it fastest."""

    name: str
    parameters: tuple[tuple[str, bool, int], ...]
    """Name, whether the lower bound is a value, and the largest whole number: 0 for one that is not whole."""
    width: str
    """The parameter that is factor * length**power; empty if there is none."""
    factor: float
    power: float


@lru_cache(maxsize=1)
def entries() -> dict[str, Entry]:
    """Return the registry by its names."""
    found = {}
    for info in _core.kernels.registry():
        own = tuple((p.name, p.inclusive, int(p.upper) if p.whole else 0) for p in info.parameters)
        width = ("", 1.0, 1.0)
        if info.width is not None:
            width = own[info.width.parameter][0], info.width.factor, info.width.power
        found[info.name] = Entry(info.name, own, *width)
    return found


def _power(value: float, name: str, owner: str, factor: float, exponent: float, place: int | None) -> Slot:
    """Return factor * value**exponent with its derivative."""
    if exponent == 1.0:
        return Slot(factor * value, name, value, factor, place)
    try:
        engine = factor * value**exponent
        chain = exponent * engine / value
    except OverflowError:
        engine = chain = math.inf
    if not 0 < engine < math.inf:
        raise ValueError(f"The {name!r} parameter of {owner} is beyond what float64 can square: {value!r}.")
    return Slot(engine, name, value, chain, place)
