# SPDX-License-Identifier: BSD-3-Clause
"""How long a fit may take, said before it begins if that is long."""

import functools
import time
from collections.abc import Sequence

import numpy as np

from gramian._parametrised import parameter_names
from gramian._warning import warn
from gramian.linalg import cholesky
from gramian.models._shared.estimator import Estimator

LONG = 600.0
"""Seconds: what is estimated to take longer is announced."""
LEAST_RATE = 1e9
"""Operations a second that every machine reaches: shorter work is not worth a measurement."""
OF_EIGENVECTORS = 14
"""Of an eigendecomposition of n x n numbers, times n^3: a factorization takes a third."""
_SIZE = 1000
# Of a kernel value and its derivatives, and for each column of what a layer sees and returns.
_OF_A_PAIR, _OF_A_COLUMN = 300, 8


@functools.cache
def operations_per_second() -> float:
    """Return floating-point operations a second of a factorization on the engine's threads, measured once."""
    A = np.eye(_SIZE) + 0.5 / _SIZE
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        cholesky(A)
        seconds.append(time.perf_counter() - begin)
    return _SIZE**3 / 3 / min(seconds)


def layer_operations(n: int, m: int, widths: Sequence[int], solved: bool) -> float:
    """
    Return the operations of one evaluation of layers and its gradient.

    n: samples; m: supports; widths: columns of the input and of each layer; solved: whether the last layer has a closed
    form.
    """
    columns = sum(
        _OF_A_PAIR + _OF_A_COLUMN * (before + after) for before, after in zip(widths, widths[1:], strict=False)
    )
    system = n * m * m if m < n else n**3 / 3
    return float(n) * m * columns + (float(system) if solved else 0.0)


def tell_of_duration(estimator: Estimator, n: int, operations: float, instead: str, in_steps: bool = True) -> None:
    """
    Warn of a fit of n samples whose estimate is long, unless its time is bounded.

    instead: what would be faster; in_steps: whether `max_time` can end it.
    """
    if operations <= LONG * LEAST_RATE or (in_steps and estimator._watch.max_time is not None):
        return
    seconds = operations / operations_per_second()
    if seconds <= LONG:
        return
    bounded = ", or set max_time" if in_steps and "max_time" in parameter_names(type(estimator)) else ""
    warn(f"{estimator._owner} may take {_spelled(seconds)} for {n} samples: {instead}{bounded}.", UserWarning)


def fewer_supports(estimator: Estimator, exact: bool) -> str:
    """Return what makes a fit with supports faster; exact: whether all samples are supports."""
    if not exact:
        return "use fewer landmarks"
    return "use landmarks" if vars(estimator)["landmarks"] is None else "use fewer samples"


def _spelled(seconds: float) -> str:
    for unit, size, fewest in (("days", 86_400, 3), ("hours", 3600, 3)):
        if seconds >= fewest * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds / 60:.0f} minutes"
