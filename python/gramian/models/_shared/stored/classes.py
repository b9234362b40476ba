# SPDX-License-Identifier: BSD-3-Clause
"""The classes of values that files may name: no file can have anything else made."""

import functools
import importlib
from collections.abc import Iterator
from typing import Any, TypeVar

from gramian._value import Value
from gramian.exceptions import ModelFileError
from gramian.operators import OperatorKernel

TupleT = TypeVar("TupleT")

named_tuples: dict[str, type] = {}
"""Classes of tuples that files may name; each is added where it is declared."""


def stored_tuple(cls: type[TupleT]) -> type[TupleT]:
    """Let files have tuples of this class, by its name."""
    named_tuples[cls.__name__] = cls
    return cls


def name_of(cls: type) -> str:
    """Return the name of a class in files: its topic and its own name, as in "kernels.Gaussian"."""
    return f"{cls.__module__.split('.')[1]}.{cls.__qualname__}"


@functools.cache
def value_classes() -> dict[str, type]:
    """Return the package's own classes of values, by their names in files."""
    for topic in ("features", "kernels", "losses", "models"):  # classes are known once they are imported
        importlib.import_module(f"gramian.{topic}")
    bases: tuple[type, ...] = (Value, OperatorKernel)
    found = [cls for base in bases for cls in _below(base)]
    # Modules of PyTorch are left to PyTorch.
    own = [cls for cls in found if cls.__module__.startswith("gramian.") and cls.__name__ != "TorchFeatures"]
    return {name_of(cls): cls for cls in own}


def value_class(name: Any) -> type:
    """Return the class of this name."""
    known = value_classes()
    if not isinstance(name, str) or name not in known:
        raise ModelFileError(f"There is no class {name!r} of values: known are {', '.join(sorted(known))}.")
    return known[name]


def _below(base: type) -> Iterator[type]:
    cls: type
    for cls in base.__subclasses__():
        yield cls
        yield from _below(cls)
