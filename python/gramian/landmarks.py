# SPDX-License-Identifier: BSD-3-Clause
"""Some rows that stand for all of them."""

from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._operands import Operands
from gramian._random import seed_of
from gramian._validation import FLOAT64, check_choice, check_integer
from gramian.kernels import Kernel, KernelName
from gramian.kernels.lowering import Spec
from gramian.points import PointsLike, SourcePoints

__all__ = ["landmark_rows"]


def __dir__() -> list[str]:
    return list(__all__)


Method = Literal["random", "spread", "pivoted", "leverage", "renyi"]
_DENSE = ("random", "spread", "pivoted", "leverage", "renyi")
_TAKES = {"sparse points": ("random", "spread"), "inner products": ("random", "spread"), "rows": ("random", "pivoted")}
"""The methods for each kind of points that is not dense."""


def landmark_rows(
    kernel: Kernel | KernelName,
    X: PointsLike,
    count: int,
    *,
    method: Method = "spread",
    random_state: Any = None,
) -> npt.NDArray[np.intp]:
    r"""
    Choose rows of X as landmarks. Every estimator takes them as ``landmarks=``.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel or str
        The kernel that the landmarks are for, or its name: then X chooses its width, by the median rule.
    X : array-like or sparse matrix of shape (n, d), gramian.InnerProducts, or source of rows
        Points in rows. Sparse points and inner products can be drawn by ``"random"`` and ``"spread"``, memory maps and
        what `gramian.rows` returns by ``"random"`` and ``"pivoted"``.
    count : int
        How many rows, at most n.
    method : {"random", "spread", "pivoted", "leverage", "renyi"}
        ``"random"``: each row as likely as the others, in O(n). ``"spread"``: one after the other in proportion to the
        squared distance from those before, as k-means++ begins, in O(n d count). ``"pivoted"``: the pivots of
        `incomplete_cholesky` that take most off the trace of the Gram matrix, in O(n count (d + count)).
        ``"leverage"``: in proportion to approximate ridge leverage scores, in O(n count (d + count)). ``"renyi"``:
        so that the quadratic Rényi entropy is large, by swaps, in O(n d count).
    random_state : int, numpy Generator, RandomState or None, default=None
        Of what is drawn.

    Returns
    -------
    ndarray of int
        Different rows, ascending, the same for any number of threads. ``"pivoted"`` returns fewer than `count` where
        all others are combinations of those up to rounding.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range; the message names it.

    Examples
    --------
    >>> import gramian
    >>> X = [[0.0], [0.0], [0.0], [9.0]]
    >>> gramian.landmark_rows(gramian.kernels.Gaussian(), X, 2, method="pivoted", random_state=0)[1]
    3
    """
    check_choice(method, "method", "landmark_rows", get_args(Method))
    operands = Operands(kernel, X, None)
    check_integer(count, "count", 1, operands.rows)
    _check_kind(operands, method)
    seed = seed_of(random_state)
    points = operands.x if isinstance(operands.x, SourcePoints) else operands.x.crossing(FLOAT64)
    return chosen_rows(operands.spec, points, operands.rows, count, method, seed).astype(np.intp, copy=False)


def _check_kind(operands: Operands, method: Method) -> None:
    """Refuse a method that needs more than these points offer."""
    kind = "rows" if isinstance(operands.x, SourcePoints) else operands.x.kind
    takes = _TAKES.get(kind, _DENSE)
    if method not in takes:
        known = " or ".join(map(repr, takes))
        what = "rows that are read" if kind == "rows" else kind
        raise ValueError(f"The 'method' parameter of landmark_rows must be {known} for {what}, got {method!r}.")


def chosen_rows(spec: Spec, points: Any, n: int, count: int, method: Method, seed: int) -> npt.NDArray[np.int64]:
    """Return the rows that `landmark_rows` chooses; points: what the binding takes, n of them."""
    if method == "random":
        return random_rows(n, count, seed)
    if method == "spread":
        return _core.gram.spread_rows(points, np.random.default_rng(seed).random(count))
    if method == "pivoted":
        options = _core.gram.IncompleteCholeskyOptions(
            max_rank=count, tolerance=0.0, pivoting=_core.gram.Pivoting.gain, seed=seed
        )
        return np.sort(_core.gram.incomplete_cholesky(spec, points, options).pivots)
    return _core.gram.choose_subset(spec, points, count, _core.gram.SubsetMethod[method], seed)


def random_rows(n: int, count: int, seed: int) -> npt.NDArray[np.int64]:
    """Return rows of which each is as likely as the others, ascending."""
    return np.sort(np.random.default_rng(seed).permutation(n)[:count])
