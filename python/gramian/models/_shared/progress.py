# SPDX-License-Identifier: BSD-3-Clause
"""What is said during a fit, and of its end."""

import logging
import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from gramian._validation import refused
from gramian._warning import warn
from gramian.optim import Iteration

_logger = logging.getLogger("gramian")


def watcher(estimator: Any) -> Callable[..., bool] | None:
    """Return what the engine calls after each iteration, or None if nobody wants to know."""
    callback, verbose = estimator.callback, estimator.verbose
    owner = type(estimator).__name__
    if callback is not None and not callable(callback):
        raise refused("callback", owner, "callable or None", callback, TypeError)
    if not isinstance(verbose, numbers.Integral | np.bool_) or verbose < 0:
        raise refused("verbose", owner, "an integer of at least 0", verbose)
    if callback is None and not verbose:
        return None

    def watch(*facts: Any) -> bool:
        iteration = Iteration(*facts)
        if verbose and iteration.number % int(verbose) == 0:
            _logger.info("%s: iteration %d, objective %.9g, gradient %.3g", owner, *facts[:3])
        answer = None if callback is None else callback(iteration)
        return not (isinstance(answer, bool | np.bool_) and not answer)

    return watch


def tell_of_end(
    owner: str, found: dict[str, Any], advice: str = "raise max_iter or tol, or scale the data.", ridge: str = ""
) -> None:
    """
    Warn of a training that did not converge; ridge: what the estimator calls the weight of its squared norms.

    A line search that finds nothing lower has converged as far as rounding allows; not so one that met points without a
    value, as those where a system can't be factorized.
    """
    reason = found["stop_reason"]
    message = None
    if reason in ("max_iterations", "max_evaluations"):
        message = f"{owner} did not converge in {found['iterations']} iterations: {advice}"
    elif reason == "line_search" and _failed_at_the_end(found["history"]):
        message = (
            f"{owner} stopped after {found['iterations']} iterations where every step, however short, leads to points "
            f"without a value: lower learning_rate, {f'raise {ridge}, ' if ridge else ''}or scale the data."
        )
    elif reason == "not_finite":
        message = f"{owner} stopped where the objective is not finite: lower learning_rate."
    if message is not None:
        warn(message)


def _failed_at_the_end(history: Any) -> bool:
    return isinstance(history, dict) and "failures" in history and int(history["failures"][-1]) > 0


def tell_of_jitter(owner: str, jitter: float) -> None:
    """Warn of a system that had to be changed to be solved."""
    if jitter > 0:
        warn(
            f"The system of {owner} was singular up to rounding: {jitter:.3g} was added to its diagonal. Raise penalty."
        )
