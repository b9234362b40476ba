# SPDX-License-Identifier: BSD-3-Clause
"""Objects that are their class and their parameters as they were given, as scikit-learn's searches know them."""

import inspect
from collections.abc import Hashable
from typing import Any

import numpy as np

from gramian._parametrised import Parametrised

_MOST_NUMBERS = 8
"""That are written one by one."""


class Value(Parametrised):
    """
    A class and its parameters, those of its ``__init__``, kept as attributes of the same names.

    It can be compared, hashed, copied, pickled and cloned. Its hash is that of its parameters: do not call `set_params`
    on one that is a key of a dict.
    """

    def _key(self) -> tuple[Hashable, ...]:
        """Return what equals that of an equal object."""
        return tuple(_hashable(value) for value in self.get_params(deep=False).values())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value) or type(self) is not type(other):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self), self._key()))

    def __repr__(self) -> str:
        defaults = {name: parameter.default for name, parameter in inspect.signature(type(self)).parameters.items()}
        own = {name: plain(value) for name, value in self.get_params(deep=False).items()}
        given = [f"{name}={_shown(value)}" for name, value in own.items() if not _same(value, defaults[name])]
        return f"{type(self).__name__}({', '.join(given)})"


class FrozenValue(Value):
    """A value that changes through `set_params` alone."""

    def _store(self, **params: Any) -> None:
        vars(self).update(params)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is a value: make a new one, or use set_params({name}=...).")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is a value: its attributes cannot be deleted.")


def plain(value: Any) -> Any:
    """Return numbers and lists in place of NumPy's, whose representations cannot be evaluated everywhere."""
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


def _shown(value: Any) -> str:
    """Return the value as it is written; of many numbers a few, as one cannot read hundreds of length scales."""
    if isinstance(value, list | tuple) and len(value) > _MOST_NUMBERS and all(isinstance(x, float) for x in value):
        first, last = ", ".join(f"{x:.4g}" for x in value[:3]), f"{value[-1]:.4g}"
        return f"[{first}, ..., {last}]"
    return repr(value)


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))


def _hashable(value: Any) -> Hashable:
    value = plain(value)
    return tuple(_hashable(item) for item in value) if isinstance(value, list | tuple) else value
