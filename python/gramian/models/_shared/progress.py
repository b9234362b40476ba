# SPDX-License-Identifier: BSD-3-Clause
"""What is said of the end of a fit."""

from typing import Any, NamedTuple

from gramian._warning import warn
from gramian.models._shared.watch import Watch


class End(NamedTuple):
    """How a training ended."""

    reason: str
    """By the names of the parameters."""
    iterations: int
    history: Any
    starts: int = 1
    """That were begun."""


def tell_of_end(
    watch: Watch,
    end: End,
    n_init: int = 1,
    advice: str = "raise max_iter or tol, or scale the data.",
    ridge: str = "",
) -> None:
    """
    Warn of a training that did not converge; ridge: what the estimator calls the weight of its squared norms.

    A line search that finds nothing lower has converged as far as rounding allows; not so one that met points without a
    value, as those where a system can't be factorized.
    """
    owner, message = watch.owner, None
    if end.reason in ("max_iter", "max_evaluations"):
        message = f"{owner} did not converge in {end.iterations} iterations: {advice}"
    elif end.reason == "max_time":
        message = (
            f"{owner} did not converge in max_time={watch.max_time:g} seconds, which were over after "
            f"{end.iterations} iterations: raise max_time or tol, or scale the data."
        )
    elif end.reason == "line_search" and _failed_at_the_end(end.history):
        message = (
            f"{owner} stopped after {end.iterations} iterations where every step, however short, leads to points "
            f"without a value: lower learning_rate, {f'raise {ridge}, ' if ridge else ''}or scale the data."
        )
    elif end.reason == "not_finite":
        message = f"{owner} stopped where the objective is not finite: lower learning_rate."
    elif watch.max_time is not None and end.iterations and end.starts < n_init and watch.stopped_by != "callback":
        message = (
            f"{owner} began {end.starts} of {n_init} starts in max_time={watch.max_time:g} seconds: raise max_time, or "
            f"lower n_init."
        )
    if message is not None:
        warn(message)


def _failed_at_the_end(history: Any) -> bool:
    return isinstance(history, dict) and "failures" in history and int(history["failures"][-1]) > 0


def end_of_solver(
    owner: str, found: Any, residual: float, watch: Watch | None, ridge: str = "alpha", instead: str = ""
) -> str:
    """
    Return why an iterative solver ended, by the names of the parameters, and warn if it did not converge.

    found: the engine's result; watch: None if nobody may end it; ridge: as in `tell_of_end`; instead: the rest of the
    advice.
    """
    reason = {"tolerance": "tol", "max_iterations": "max_iter"}.get(found.stop_reason, str(found.stop_reason))
    if reason == "observer" and watch is not None:
        reason = watch.reason(reason)
    if reason == "max_time" and watch is not None:
        tell_of_end(watch, End(reason, found.iterations, found.history))
    elif reason == "max_iter":
        after = f"after {found.iterations} iterations"
        warn(f"{owner} ended at a residual of {residual:.2g} {after}: raise {ridge}, tol or max_iter{instead}.")
    elif reason == "stagnation":
        warn(f"{owner} ended at a residual of {residual:.2g}, where rounding keeps it: raise {ridge} or tol{instead}.")
    return reason


def tell_of_jitter(owner: str, jitter: float) -> None:
    """Warn of a system that had to be changed to be solved."""
    if jitter > 0:
        warn(
            f"The system of {owner} was singular up to rounding: {jitter:.3g} was added to its diagonal. Raise penalty."
        )
