# SPDX-License-Identifier: BSD-3-Clause
"""
What the parameters of an estimator may be, and what the engine calls them.

An estimator has a table of them, as scikit-learn's `_parameter_constraints`; words of errors, and what becomes of a
value on its way to the engine, are those of `gramian._validation`.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gramian._validation import LARGEST, check_choice, check_real, check_whole


@dataclass(frozen=True, kw_only=True)
class Parameter(ABC):
    """One of them."""

    engine: str = ""
    """Its name among the engine's options; none if more than the value decides what the engine is given."""
    optional: bool = False
    """Whether it may be None, which leaves the engine its default."""

    @abstractmethod
    def check(self, value: Any, name: str, owner: str) -> Any:
        """Return the value as the engine takes it, or raise an error that names the parameter and its owner."""


@dataclass(frozen=True, kw_only=True)
class Real(Parameter):
    """A finite number above 0."""

    zero: bool = False
    """Whether it may be 0."""
    most: float = math.inf
    below: float = math.inf

    def check(self, value: Any, name: str, owner: str) -> float:
        """Return a float."""
        return check_real(value, name, owner, self.zero, most=self.most, below=self.below)


@dataclass(frozen=True, kw_only=True)
class Whole(Parameter):
    """A count of at least 1."""

    largest: int = LARGEST

    def check(self, value: Any, name: str, owner: str) -> int:
        """Return an int."""
        return check_whole(value, name, owner, self.largest)


@dataclass(frozen=True)
class OneOf(Parameter):
    """One of a few values."""

    values: tuple[Any, ...]

    def check(self, value: Any, name: str, owner: str) -> Any:
        """Return the one that it equals."""
        return check_choice(value, name, owner, self.values)


def literal(name: str) -> Any:
    """Return a default of the engine's as one of the options that the type of a parameter lists; a test compares."""
    return name


Table: TypeAlias = Mapping[str, Parameter]
"""By the names that the parameters have in Python."""
