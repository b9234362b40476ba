# SPDX-License-Identifier: BSD-3-Clause
"""Results of fitted estimators for rows that need not be in memory: a block of rows at a time."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from gramian import _core
from gramian.points import SourcePoints, is_row_source

MethodT = TypeVar("MethodT", bound=Callable[..., Any])

METHODS = ("predict", "predict_proba", "predict_log_proba", "decision_function", "transform")
"""Each row of their results depends on its own row of X only."""


def by_blocks(method: MethodT) -> MethodT:
    """Decorate a method of X so that memory maps and other sources of rows are read a block at a time."""
    if hasattr(method, "_by_blocks"):
        return method

    @functools.wraps(method)
    def call(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_row_source(X) or not all(map(_is_of_all_rows, (*args, *kwargs.values()))):
            return method(self, X, *args, **kwargs)
        return _joined(SourcePoints(X, "X"), lambda block: method(self, block, *args, **kwargs))

    call._by_blocks = True  # type: ignore[attr-defined]
    return cast(MethodT, call)


def _is_of_all_rows(argument: Any) -> bool:
    """Tell whether an argument says the same about each row."""
    return argument is None or isinstance(argument, bool | int | float | str)


def _joined(source: SourcePoints, compute: Callable[[Any], Any]) -> Any:
    out: Any = None
    for part, block in source.blocks(source.dtype):
        found = compute(block)
        if not isinstance(found, np.ndarray) or len(found) != len(block):
            return compute(source.crossing(source.dtype))  # a result that is no array of rows
        if out is None:
            out = _room(source.rows, found)
        out[part] = found
    return out


def _room(rows: int, first: Any) -> Any:
    """Return an array for all rows, of which the first ones are there."""
    shape = (rows, *first.shape[1:])
    size = int(np.prod(shape)) * int(first.dtype.itemsize)
    _core.base.require_memory(size, "the result", "pass fewer samples at a time")
    return np.empty(shape, first.dtype)
