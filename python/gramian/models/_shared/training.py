# SPDX-License-Identifier: BSD-3-Clause
"""One call of the engine's training, and what is said about its end."""

import logging
import numbers
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from gramian import _core
from gramian._validation import check_choice, check_real, check_whole
from gramian.exceptions import NumericalError
from gramian.models._shared.fitted import tell_of_end
from gramian.models._shared.layers import FloatArray, LayerPlan, check_hidden, check_max_norm
from gramian.optim import Iteration

_SOLVERS = ("lbfgs", "adam", "gd", "sgd", "alternating")
_LARGEST = 2**62
# The value's own tolerance: a fall of the objective by less is rounding long before the gradient is.
_VALUE_TOLERANCE = 1e-3
# Of the objective: what the diagonal had to have added may cost so much before it is told.
_NEGLIGIBLE_COST = 1e-4

_logger = logging.getLogger("gramian")


def training_options(estimator: Any, n: int, landmarks: Any, seed: int) -> dict[str, Any]:
    """Return the engine's options from the parameters of an estimator, after checking their kinds."""
    owner = type(estimator).__name__

    def whole(name: str, largest: int = _LARGEST) -> int:
        return check_whole(getattr(estimator, name), name, owner, largest)

    tol = check_real(estimator.tol, "tol", owner, inclusive=True)
    options = {
        "solver": check_choice(estimator.solver, "solver", owner, _SOLVERS),
        "start": check_choice(estimator.init, "init", owner, ("principal", "random")),
        "landmarks": [] if landmarks is None else landmarks.tolist(),
        "restarts": whole("n_restarts"),
        "seed": seed,
        "max_iterations": whole("max_iter"),
        "gradient_tolerance": tol,
        "value_tolerance": _VALUE_TOLERANCE * tol,
        "step": check_real(estimator.learning_rate, "learning_rate", owner),
        "inner_steps": whole("inner_steps"),
    }
    if estimator.memory_budget is not None:
        options["memory_budget"] = whole("memory_budget")
    return options


def vector_options(estimator: Any, n: int) -> dict[str, Any]:
    """Return those of `KernelAutoencoder` alone."""
    owner = type(estimator).__name__
    depth = len(check_hidden(estimator.hidden, owner)) + 1
    fraction = check_real(estimator.coefficient_fraction, "coefficient_fraction", owner)
    if fraction > 1:
        raise ValueError(
            f"The 'coefficient_fraction' parameter of {owner} must be in (0, 1]. Got {fraction!r} instead."
        )
    batch = estimator.batch_size
    return {
        "last_layer": check_choice(estimator.last_layer, "last_layer", owner, ("eliminated", "joint")),
        "max_norm": check_max_norm(estimator.max_norm, depth, owner),
        "coefficient_fraction": fraction,
        "batch_size": 0 if batch is None else min(check_whole(batch, "batch_size", owner, _LARGEST), n),
    }


def train(
    estimator: Any,
    points: Any,
    targets: FloatArray,
    plans: list[LayerPlan],
    dimensions: list[int | None],
    options: dict[str, Any],
    loss: Any,
    start: FloatArray | None,
) -> dict[str, Any]:
    """Train the layers; `dimensions` are the numbers of features that each of them sees."""
    layers = [plan.crossing(dimension) for plan, dimension in zip(plans, dimensions, strict=True)]
    watch = _watcher(estimator)
    found: dict[str, Any] = _core.autoencoder.fit(points, targets, layers, options, loss, start, watch)
    if not all(np.isfinite(part).all() for part in found["coefficients"]):
        raise NumericalError("The coefficients have left the finite numbers: lower learning_rate.")
    return found


def tell(estimator: Any, found: dict[str, Any], stacklevel: int = 4, landmarks: bool = False) -> None:
    """Warn of a training that did not converge, or that had to change the system it solves.

    landmarks: the system is that of their Gram matrix, which no penalty makes regular. What was added is then a penalty
    on coefficients, and nothing is said of one that costs nothing.
    """
    owner = type(estimator).__name__
    tell_of_end(owner, found, stacklevel + 1)
    cost = found["jitter"] * (found["coefficients"][-1] ** 2).sum() if landmarks else np.inf
    if found["jitter"] > 0 and cost > _NEGLIGIBLE_COST * abs(found["objective"]):
        advice = "ask for fewer landmarks" if landmarks else "raise the last alpha"
        warnings.warn(
            f"The system of {owner}'s last layer was singular up to rounding, and {found['jitter']:.3g} was added to "
            f"its diagonal: {advice}.",
            ConvergenceWarning,
            stacklevel=stacklevel,
        )


def _watcher(estimator: Any) -> Callable[..., bool] | None:
    callback, verbose = estimator.callback, estimator.verbose
    owner = type(estimator).__name__
    if callback is not None and not callable(callback):
        raise TypeError(f"The 'callback' parameter of {owner} must be callable or None. Got {callback!r} instead.")
    if not isinstance(verbose, numbers.Integral | np.bool_) or verbose < 0:
        raise ValueError(
            f"The 'verbose' parameter of {owner} must be an integer of at least 0. Got {verbose!r} instead."
        )
    if callback is None and not verbose:
        return None

    def watch(*facts: Any) -> bool:
        iteration = Iteration(*facts)
        if verbose and iteration.number % int(verbose) == 0:
            _logger.info("%s: iteration %d, objective %.9g, gradient %.3g", owner, *facts[:3])
        answer = None if callback is None else callback(iteration)
        return not (isinstance(answer, bool | np.bool_) and not answer)

    return watch
