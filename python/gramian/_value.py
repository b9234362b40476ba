# SPDX-License-Identifier: BSD-3-Clause
"""Objects that are their class and their parameters as they were given, as scikit-learn's searches know them."""

import copy
import inspect
from collections.abc import Hashable
from typing import Any, TypeVar

import numpy as np

ValueT = TypeVar("ValueT", bound="Value")


class Value:
    """
    A class and its parameters, those of its ``__init__``, kept as attributes of the same names.

    It can be compared, hashed, copied, pickled and cloned. Its hash is that of its parameters: do not call `set_params`
    on one that is a key of a dict.
    """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """
        Return the parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            Also return the parameters of parameters that have some, as ``name__inner``.

        Returns
        -------
        dict
            Names and values, as they were given.
        """
        own = {name: vars(self)[name] for name in inspect.signature(type(self)).parameters}
        if not deep:
            return own
        nested = {
            f"{name}__{inner}": inner_value
            for name, value in own.items()
            if hasattr(value, "get_params")
            for inner, inner_value in value.get_params().items()
        }
        return {**own, **nested}

    def set_params(self: ValueT, **params: Any) -> ValueT:
        """
        Change parameters in place.

        Parameters
        ----------
        **params
            Names and values; ``name__inner`` reaches into a parameter that has parameters.

        Returns
        -------
        Value
            The object itself.

        Raises
        ------
        ValueError
            If there is no parameter of that name; nothing is changed then.
        """
        changed, inner = self.get_params(deep=False), dict[str, dict[str, Any]]()
        for name, value in params.items():
            owner, _, rest = name.partition("__")
            if owner not in changed or (rest and not hasattr(params.get(owner, changed[owner]), "set_params")):
                valid = sorted(self.get_params())
                raise ValueError(f"Invalid parameter {name!r} for {self!r}. Valid parameters are: {valid!r}.")
            if rest:
                inner.setdefault(owner, {})[rest] = value
            else:
                changed[owner] = value
        for owner, rest_params in inner.items():
            # The part may be a part of something else too, which must not change.
            changed[owner] = copy.copy(changed[owner]).set_params(**rest_params)
        vars(self).update(changed)
        return self

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
        given = [f"{name}={value!r}" for name, value in own.items() if not _same(value, defaults[name])]
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


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))


def _hashable(value: Any) -> Hashable:
    value = plain(value)
    return tuple(_hashable(item) for item in value) if isinstance(value, list | tuple) else value
