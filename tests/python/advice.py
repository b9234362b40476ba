# SPDX-License-Identifier: BSD-3-Clause
"""Advice of errors on memory: it is followed, and it names what Python has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gramian
import pytest

ONLY_IN_CPP = ("TileStorage", "JointTraining", "LastLayer", "recompute")

Case = tuple[float, str, Callable[[], Any], Iterable[Callable[[], Any]]]
"""A limit of memory, the message, the call that is refused, and calls that do what the message says."""


def follow(case: Case) -> None:
    """See a call refused, and what is advised succeed."""
    limit, message, call, remedies = case
    gramian.set_memory_limit(int(limit))
    with pytest.raises(MemoryError, match=message):
        call()
    for remedy in remedies:
        remedy()


def names_of_cpp(cases: Iterable[Case]) -> list[str]:
    """Return the names in messages that Python does not have."""
    return [name for name in ONLY_IN_CPP if any(name in message for _, message, _, _ in cases)]
