# SPDX-License-Identifier: BSD-3-Clause
"""What trainings of layers are told, and what is said about their end."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from gramian import _core
from gramian._validation import FloatArray
from gramian._warning import warn
from gramian.models._shared.progress import End, tell_of_end

STOCHASTIC = ("adam", "sgd")
"""The solvers that draw numbers."""
# Of the objective: what the diagonal had to have added may cost so much before it is told.
# A search has stopped by then: iterations that gain 1e-5 each are no longer made.
_NEGLIGIBLE_COST = 1e-3


def value_tolerance(tol: float, limits: _core.layered.Limits) -> float:
    """Return the value's own tolerance: a fall of the objective by less is rounding long before the gradient is."""
    return limits.value_tolerance * (tol / limits.gradient_tolerance)


def limits_of(options: dict[str, Any]) -> dict[str, Any]:
    """Return when a search ends; what says so is taken out of the options of a training."""
    return {name: options.pop(name) for name in ("max_iterations", "gradient_tolerance", "value_tolerance", "step")}


def solver_options(solver: str, limits: dict[str, Any], seed: int) -> Any:
    """Return the engine's options of a solver of this name."""
    make = getattr(_core.layered.Limits(**limits), solver)
    return make(seed) if solver in STOCHASTIC else make()


def warm_start_of(
    parts: Sequence[FloatArray], shapes: Sequence[tuple[int, ...]], what: str, sizes: str = "the size of a layer"
) -> FloatArray:
    """
    Return what the last fit has left, flat, for a fit to begin there.

    what: what these arrays are called; sizes: what may have changed beside the number of samples.
    """
    before = [part.shape for part in parts]
    if before != list(shapes):
        raise ValueError(
            f"warm_start=True needs {what} of shapes {shapes}, and the last fit left {before}: the number of samples, "
            f"or {sizes}, has changed. Use warm_start=False."
        )
    return cast(FloatArray, np.concatenate([part.ravel() for part in parts]))


def dual_start_of(estimator: Any, targets: FloatArray, iterates: bool) -> FloatArray:
    """Return the last fit's dual coefficients for iterations to begin with; nothing where none is asked for."""
    if not (iterates and estimator.warm_start and hasattr(estimator, "dual_coef_")):
        return np.empty((0, 0))
    last = np.asarray(estimator.dual_coef_, dtype=np.float64)
    start = warm_start_of([last.reshape(len(last), -1)], [targets.shape], "coefficients", "the number of targets")
    return start.reshape(targets.shape)


def tell(estimator: Any, search: _core.layered.Fit, found: _core.layered.Fit | None = None) -> None:
    """Warn of a training that did not converge, or that had to change the system it solves.

    search: what was trained on as many rows as the search saw; found: with landmarks what was trained on all rows. Then
    the system is that of the landmarks' Gram matrix, which no penalty makes regular. What was added is a penalty on
    coefficients, and nothing is said of one that costs nothing.
    """
    landmarks, found = found is not None, found or search
    owner, watch = type(estimator).__name__, estimator._watch
    end = End(watch.reason(search.stop_reason), search.iterations, search.history, len(search.restart_values))
    tell_of_end(watch, end, estimator.n_init, ridge=estimator._ridge)
    cost = found.jitter * (found.coefficients[-1] ** 2).sum() if landmarks else np.inf
    if found.jitter > 0 and cost > _NEGLIGIBLE_COST * abs(found.objective):
        advice = "ask for fewer landmarks" if landmarks else f"raise the last layer's {estimator._ridge}"
        warn(
            f"The system of {owner}'s last layer was singular up to rounding, and {found.jitter:.3g} was added to "
            f"its diagonal: {advice}."
        )
