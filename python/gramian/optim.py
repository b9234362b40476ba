# SPDX-License-Identifier: BSD-3-Clause
"""The engine's optimisers, for functions that are written in Python."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import LARGEST, FloatArray, as_array, check_choice, check_entries, check_whole, is_true

__all__ = ["Iteration", "Minimum", "minimize", "minimize_stiefel"]


def __dir__() -> list[str]:
    return list(__all__)


Function: TypeAlias = Callable[[FloatArray], tuple[float, npt.ArrayLike]]
Estimate: TypeAlias = Callable[[FloatArray, int], tuple[float, npt.ArrayLike]]


class Iteration(NamedTuple):
    """A point of the history of a minimisation."""

    number: int
    """0 for the start."""
    value: float
    """Of the function."""
    gradient_norm: float
    """The largest magnitude of an entry of the gradient; where there is a set, of ``x - project(x - gradient)``."""
    step: float
    """The length of the step that led here, as a multiple of the direction."""
    evaluations: int
    """So far, estimates included."""


class Minimum(NamedTuple):
    """What `minimize` returns."""

    x: FloatArray
    """The point of the lowest value in the history; when it stopped by its gradient, the point where it did."""
    value: float
    """Of the function at x."""
    gradient_norm: float
    """At x, as in `Iteration`."""
    stop_reason: str
    """``"gradient"`` or ``"value"``: converged. ``"max_iterations"`` or ``"max_evaluations"``: not yet.
    ``"line_search"``: no step lowers the value, as far as rounding shows, or the gradient is wrong. ``"not_finite"``:
    value or gradient were not finite at the start, or after a step of fixed length. ``"callback"``: the callback said
    stop."""
    n_iter: int
    """Iterations."""
    n_evaluations: int
    """Calls of the function and of its estimate."""
    history: list[Iteration]
    """The start, then each iteration; with estimates, those at which the function itself was evaluated."""

    @property
    def converged(self) -> bool:
        """Whether it stopped because it was done."""
        return self.stop_reason in ("gradient", "value")


def minimize(
    fun: Function,
    x0: npt.ArrayLike,
    solver: str = "lbfgs",
    *,
    sample: Estimate | None = None,
    project: Callable[[FloatArray], npt.ArrayLike] | None = None,
    callback: Callable[[Iteration, FloatArray], object] | None = None,
    **options: Any,
) -> Minimum:
    """
    Minimise a function whose gradient is known.

    Parameters
    ----------
    fun : callable
        ``fun(x) -> (value, gradient)``. NaN or infinity say that x is out of its domain; what it raises is raised.
    x0 : array-like of shape (n,)
        The start.
    solver : str, default="lbfgs"
        A name of the engine's list: ``"lbfgs"``; ``"bfgs"``, with the whole n x n matrix, for a few hundred variables;
        ``"gd"``, gradient descent; ``"adam"``; ``"sgd"``, stochastic gradient descent.
    sample : callable, optional
        ``sample(x, t) -> (value, gradient)``, an estimate without bias for step t = 0, 1, ... that depends on x and t
        alone. ``"sgd"`` needs it, ``"adam"`` follows it if it is there, and `fun` then decides when to stop.
    project : callable, optional
        With ``"gd"``: ``project(x)`` is the point nearest to x in a set that the minimum is sought in.
    callback : callable, optional
        ``callback(iteration, x)`` after each point of the history but the start; if it returns True, x is the last.
    **options
        By the names and with the defaults of the C++ structs. All solvers: ``max_iterations``, ``gradient_tolerance``,
        ``value_tolerance``. ``"bfgs"`` and ``"lbfgs"``: ``max_evaluations``, ``sufficient_decrease``, ``curvature``;
        ``"lbfgs"``: ``memory``.
        ``"gd"`` and ``"sgd"``: ``rule`` ("constant", "inverse_time", "inverse_root"; "backtracking" for ``"gd"``),
        ``step``, ``decay``, ``momentum``. ``"adam"``: ``step``, ``beta1``, ``beta2``, ``epsilon``. With `sample`:
        ``check_every``, the steps between two calls of `fun`.

    Returns
    -------
    Minimum

    Raises
    ------
    TypeError, ValueError
        If an argument, an option, or what a function returns is of the wrong kind, shape or range.
        Not to converge is no error.

    Examples
    --------
    >>> from gramian.optim import minimize
    >>> minimum = minimize(lambda x: (((x - 3.0) ** 2).sum(), 2.0 * (x - 3.0)), [0.0, 1.0])
    >>> minimum.stop_reason, minimum.x.round(6).tolist()
    ('gradient', [3.0, 3.0])
    """
    start = _start(x0)
    solvers = _core.optim.solvers()
    chosen = solvers[check_choice(solver, "solver", "minimize", tuple(solvers))]
    _check_functions(fun=fun, sample=sample, project=project, callback=callback)
    _check_use(chosen, solver, sample, project, options)
    return _minimum(_core.optim.minimize(chosen(**options), fun, start, sample, project, _watching(callback)))


def minimize_stiefel(
    fun: Function,
    x0: npt.ArrayLike,
    shapes: Sequence[tuple[int, int]],
    solver: str = "lbfgs",
    *,
    callback: Callable[[Iteration, FloatArray], object] | None = None,
    **options: Any,
) -> Minimum:
    r"""
    Minimise a function of matrices with orthonormal columns, and of numbers without a constraint.

    Every point that the function sees has :math:`|H^T H - I| \le 10^{-12}`. Takes O(n s^2) time in an iteration beside
    the function, for matrices of n rows and s columns.

    Parameters
    ----------
    fun : callable
        ``fun(x) -> (value, gradient)`` with the ordinary gradient, which is projected here. x has the matrices one
        behind the other, row by row, and then the numbers.
    x0 : array-like of shape (n,)
        The start; its matrices are projected.
    shapes : sequence of (int, int)
        Rows and columns of each matrix, not more columns than rows. What x0 has beyond these are the numbers.
    solver : {"lbfgs", "adam", "gd"}, default="lbfgs"
        Riemannian L-BFGS; Riemannian Adam, with moments carried along; projected gradient with backtracking,
        [DKPCA] Alg. 1.
    callback : callable, optional
        As in `minimize`.
    **options
        By the names and with the defaults of the C++ structs. All solvers: ``max_iterations``,
        ``gradient_tolerance`` (of ``"gd"`` on the last step over its length), ``value_tolerance``. ``"lbfgs"``:
        ``memory``, ``sufficient_decrease``. ``"adam"``: ``step``, ``beta1``, ``beta2``, ``epsilon``, ``anneal``,
        ``retraction`` ("polar", "qr"). ``"gd"``: ``step``.

    Returns
    -------
    Minimum
        Its gradient norms are largest entries of the Riemannian gradient.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.optim import minimize_stiefel
    >>> A = np.diag([3.0, 2.0, 1.0])
    >>> minimum = minimize_stiefel(lambda h: (-h @ A @ h / 2, -A @ h), [1.0, 1.0, 1.0], [(3, 1)])
    >>> minimum.stop_reason, round(minimum.value, 9)
    ('gradient', -1.5)
    """
    start = _start(x0)
    solvers = _core.optim.stiefel_solvers()
    chosen = solvers[check_choice(solver, "solver", "minimize_stiefel", tuple(solvers))]
    _check_functions(fun=fun, callback=callback)
    return _minimum(_core.optim.minimize_stiefel(chosen(**options), fun, start, _blocks(shapes), _watching(callback)))


def _iteration(point: _core.optim.Iteration) -> Iteration:
    return Iteration(point.number, point.value, point.gradient_norm, point.step, point.evaluations)


def _minimum(found: _core.optim.OptimResult) -> Minimum:
    history = [_iteration(point) for point in found.history]
    counts = found.iterations, found.evaluations
    reason = "callback" if found.stop_reason == "observer" else found.stop_reason
    return Minimum(found.x, found.value, found.gradient_norm, reason, *counts, history)


def _blocks(shapes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    def size(number: int, i: int) -> int:
        return check_whole(number, f"shapes[{i}]", "minimize_stiefel", LARGEST)

    return [(size(rows, i), size(cols, i)) for i, (rows, cols) in enumerate(shapes)]


def _check_functions(**functions: Any) -> None:
    for argument, value in functions.items():
        if not callable(value) and (value is not None or argument == "fun"):
            raise TypeError(f"{argument} must be callable, got {value!r}.")


def _check_use(chosen: Any, solver: str, sample: Any, project: Any, options: dict[str, Any]) -> None:
    if chosen.needs_estimates and sample is None:
        raise ValueError(f"Solver {solver!r} needs sample, which estimates the gradient.")
    if sample is not None and not chosen.follows_estimates:
        raise ValueError(f"Solver {solver!r} takes no sample: use 'sgd' or 'adam'.")
    if project is not None and not chosen.takes_set:
        raise ValueError(f"Solver {solver!r} takes no project: use 'gd'.")
    if sample is None and chosen.follows_estimates and "check_every" in options:
        raise TypeError(f"solver {solver!r} has no option 'check_every' without sample")


def _start(x0: npt.ArrayLike) -> FloatArray:
    array = as_array(x0, "x0")
    if array.ndim != 1:
        raise ValueError(f"x0 must have one dimension, got shape {array.shape}.")
    return np.ascontiguousarray(check_entries(array, "x0"), dtype=np.float64)


def _watching(callback: Callable[[Iteration, FloatArray], object] | None) -> Callable[[Any, FloatArray], bool] | None:
    # The engine asks whether to go on.
    return None if callback is None else lambda point, x: not is_true(callback(_iteration(point), x))
