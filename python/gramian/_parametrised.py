# SPDX-License-Identifier: BSD-3-Clause
"""Objects with parameters, and the parameters of these: ``kernel__gamma``, and ``kernels__0__gamma`` in a list."""

import copy
import functools
import inspect
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, ClassVar, TypeVar, cast

ParametrisedT = TypeVar("ParametrisedT", bound="Parametrised")


def parameter_names(cls: type) -> tuple[str, ...]:
    """Return the names of the parameters of a constructor, in its order."""
    return _names(cast(Hashable, cls))


@functools.cache  # scikit-learn asks for them at each call
def _names(cls: Any) -> tuple[str, ...]:
    return tuple(inspect.signature(cls).parameters)


class Parametrised:
    """A class whose instances keep the arguments of ``__init__`` as attributes of the same names."""

    _copied: ClassVar[bool] = True
    """Whether another object that has this one as a parameter changes a copy of it."""

    def _keep(self, given: dict[str, Any]) -> None:
        """Store what the constructor was given, and nothing else."""
        self.__dict__.update((name, value) for name, value in given.items() if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """
        Return the parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            Also return the parameters of parameters, as ``name__inner``, and the entries of lists that have
            parameters, as ``name__0``.

        Returns
        -------
        dict
            Names and values, as they were given.
        """
        own = {name: vars(self)[name] for name in parameter_names(type(self))}
        return own if not deep else {**own, **_inner(own.items())}

    def set_params(self: ParametrisedT, **params: Any) -> ParametrisedT:
        """
        Change parameters in place.

        Kernels, features and lists are copied before a part of them changes: whoever else has them sees no change.

        Parameters
        ----------
        **params
            Names and values; ``name__inner`` is a parameter of a parameter, ``name__0`` an entry of a list.

        Returns
        -------
        object
            The object itself.

        Raises
        ------
        ValueError
            If there is no parameter of that name; nothing is changed then.
        """
        own = self.get_params(deep=False)
        for name in params:
            if name.partition("__")[0] not in own:
                valid = sorted(self.get_params())
                raise ValueError(f"Invalid parameter {name!r} for {self!r}. Valid parameters are: {valid!r}.")
        vars(self).update(self._changed(own, params, ""))
        return self

    def _changed(self, before: Mapping[str, Any], params: Mapping[str, Any], path: str) -> dict[str, Any]:
        """Return the values by name after some have changed: whole ones first, then parts of them."""
        after, parts = dict(before), dict[str, dict[str, Any]]()
        for name, value in params.items():
            first, _, rest = name.partition("__")
            if first not in before:
                owner = path.removesuffix("__")
                raise ValueError(
                    f"Invalid parameter {path + first!r} for {self!r}: {owner} has entries 0 to {len(before) - 1}."
                )
            if rest:
                parts.setdefault(first, {})[rest] = value
            else:
                after[first] = value
        for first, inner in parts.items():
            after[first] = self._with(after[first], inner, path + first)
        return after

    def _with(self, value: Any, params: Mapping[str, Any], path: str) -> Any:
        """Return the value of a parameter after a change of its own parameters, or of its entries."""
        if type(value) in (list, tuple):
            before = {str(place): entry for place, entry in enumerate(value)}
            return type(value)(self._changed(before, params, f"{path}__").values())
        if not _has_params(value):
            rest = next(iter(params))
            raise ValueError(
                f"{path}__{rest} of {type(self).__name__} can't be set: {path} is {value!r}, which has no parameters. "
                f"{self._instead(path, value, rest)}"
            )
        part = copy.copy(value) if getattr(value, "_copied", False) else value
        return part.set_params(**params)

    def _instead(self, path: str, value: Any, inner: str) -> str:
        """Return what the user should write, where a value has no parameter of the name `inner`."""
        from gramian.kernels.choice import kernel_classes, suggestion  # kernels import this module

        named = value is None or (isinstance(value, str) and ("kernel" in path or value in kernel_classes()))
        if not named or not ("kernel" in path or path == "operator"):
            return f"Set {path} to an object that has them, then {path}__{inner}."
        place, _, parameter = inner.rpartition("__")
        kernel = suggestion(value, parameter)
        return f"Write {path}={f'[{kernel}, ...]' if place else kernel} instead."


def _inner(items: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
    """Return the parameters of values, with the names of these before their own."""
    return {f"{name}__{own}": part for name, value in items for own, part in _parts(value).items()}


def _parts(value: Any) -> dict[str, Any]:
    """Return the parameters of a value; of a list its entries and their parameters, if these are no plain values."""
    if type(value) not in (list, tuple):
        return value.get_params() if _has_params(value) else {}
    below = _inner(enumerate(value))
    listed = below or any(map(_has_params, value))
    return {str(place): entry for place, entry in enumerate(value)} | below if listed else {}


def _has_params(value: Any) -> bool:
    return hasattr(value, "get_params") and hasattr(value, "set_params") and not isinstance(value, type)
