# SPDX-License-Identifier: BSD-3-Clause
"""Gram matrices of low rank, from the kernel and the points."""

import os
from typing import Any, Literal, NamedTuple, cast, get_args

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._operands import Operands
from gramian._random import seed_of
from gramian._validation import check_choice, check_count, check_matrix, check_real
from gramian.kernels import Kernel, KernelName
from gramian.points import RowSource, SourcePoints, is_row_source

__all__ = ["LowRank", "incomplete_cholesky"]


def __dir__() -> list[str]:
    return list(__all__)


Pivoting = Literal["random", "greedy", "gain"]
_DEFAULTS = _core.gram.IncompleteCholeskyOptions()
_PIVOTING = cast(Pivoting, _DEFAULTS.pivoting.name)
StopReason = Literal["tolerance", "rank", "exhausted"]


class LowRank(NamedTuple):
    """What `incomplete_cholesky` returns: ``K ≈ factor @ factor.T``, exact in the rows of the pivots."""

    factor: npt.NDArray[np.float64]
    """Of shape (n, rank)."""
    pivots: npt.NDArray[np.intp]
    """The rows of X that were chosen, in the order of the columns."""
    trace: float
    """The trace of K."""
    residual_trace: float
    """The trace of what the factor misses: the nuclear norm of the error."""
    stop_reason: StopReason
    """``"exhausted"``: what is left is rounding."""


def incomplete_cholesky(
    kernel: Kernel | KernelName,
    X: npt.ArrayLike | RowSource | os.PathLike[str],
    rank: int | None = None,
    *,
    tol: float = _DEFAULTS.tolerance,
    pivoting: Pivoting = _PIVOTING,
    random_state: Any = None,
) -> LowRank:
    """
    Factorize ``K(X, X)`` as ``F F^T`` of low rank by pivoted incomplete Cholesky, without forming it.

    Takes O(n m (m + d)) time and O(n m) memory for rank m. For new points x, the rows
    ``scipy.linalg.solve_triangular(F[pivots], K(pivots, x), lower=True).T`` are what they would have had for rows of F.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel or str
        The kernel, or its name: then X chooses its width, by the median rule.
    X : array-like of shape (n, d), or source of rows
        Points in rows. Memory maps, and what `gramian.rows` returns, are read once for each block of pivots, a block of
        rows at a time, with the same bits.
    rank : int, optional
        Columns at most; as many as there are points if None.
    tol : float
        Stop when the trace of what is left is below this part of the trace of K.
    pivoting : {"random", "greedy", "gain"}
        Pivots drawn with probability proportional to what is left of the diagonal, in blocks; or the largest one each
        time, the classical algorithm; or of three times as many random candidates those that take most off the trace,
        as judged on 256 random rows, which leaves a smaller error at the same rank.
    random_state : int, numpy Generator, RandomState or None, default=None
        Of random pivots; greedy ones draw nothing.

    Returns
    -------
    LowRank

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range; the message names it.

    Examples
    --------
    >>> import gramian
    >>> low_rank = gramian.incomplete_cholesky(gramian.kernels.Linear(), [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    >>> low_rank.factor.shape, low_rank.stop_reason
    ((3, 1), 'exhausted')
    """
    points = X if is_row_source(X) else check_matrix(X, "X").astype(np.float64, copy=False)
    operands = Operands(kernel, points, None)
    columns = 0 if rank is None else check_count(rank, "rank", operands.rows)
    options = _core.gram.IncompleteCholeskyOptions(
        max_rank=columns,
        tolerance=check_real(tol, "tol", "incomplete_cholesky", inclusive=True),
        pivoting=_core.gram.Pivoting[check_choice(pivoting, "pivoting", "incomplete_cholesky", get_args(Pivoting))],
        seed=seed_of(random_state, pivoting != "greedy"),
    )
    rows = operands.x if isinstance(operands.x, SourcePoints) else points
    found = _core.gram.incomplete_cholesky(operands.spec, rows, options)
    reason = cast(StopReason, found.stop_reason.name)
    pivots = found.pivots.astype(np.intp, copy=False)
    return LowRank(found.factor, pivots, found.trace, found.residual_trace, reason)
