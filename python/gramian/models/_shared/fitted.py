# SPDX-License-Identifier: BSD-3-Clause
"""The end of a fit: what was learned becomes the estimator's, and what has to be told is told."""

import functools
import inspect
import warnings
from typing import Any, TypeVar

from sklearn.exceptions import ConvergenceWarning

Estimator = TypeVar("Estimator")

_OF_THE_INPUT = ("n_features_in_", "feature_names_in_")


def probe_of(estimator: Any) -> Any:
    """Return an estimator that may learn names and numbers of features while this one is not yet fitted."""
    kind: Any = type(estimator)
    return kind(**{name: getattr(estimator, name) for name in _parameters(kind)})


@functools.cache
def _parameters(kind: type) -> tuple[str, ...]:
    """Return what `get_params` finds out at each call."""
    return tuple(inspect.signature(kind).parameters)


def become_fitted(estimator: Estimator, probe: Any, learned: dict[str, Any]) -> Estimator:
    """Give an estimator all that was learned at once, and the features that `probe` has seen; return it."""
    for name in _OF_THE_INPUT:
        if name in vars(estimator):
            delattr(estimator, name)
        if hasattr(probe, name):
            setattr(estimator, name, getattr(probe, name))
    for name, value in learned.items():
        setattr(estimator, name, value)
    return estimator


def tell_of_end(
    owner: str, found: dict[str, Any], stacklevel: int, advice: str = "raise max_iter or tol, or scale the data."
) -> None:
    """
    Warn of a training that did not converge; `stacklevel` counts from here.

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
            f"without a value: lower learning_rate, raise alpha, or scale the data."
        )
    elif reason == "not_finite":
        message = f"{owner} stopped where the objective is not finite: lower learning_rate."
    if message is not None:
        warnings.warn(message, ConvergenceWarning, stacklevel=stacklevel)


def _failed_at_the_end(history: Any) -> bool:
    return isinstance(history, dict) and "failures" in history and int(history["failures"][-1]) > 0


def tell_of_jitter(owner: str, jitter: float) -> None:
    """Warn of a system that had to be changed to be solved; to be called from `fit` itself."""
    if jitter > 0:
        warnings.warn(
            f"The system of {owner} was singular up to rounding: {jitter:.3g} was added to its diagonal. Raise alpha.",
            ConvergenceWarning,
            stacklevel=3,
        )
