# SPDX-License-Identifier: BSD-3-Clause
"""One call of the engine's training, and what is said about its end."""

from typing import Any

import numpy as np

from gramian import _core
from gramian._validation import FloatArray
from gramian._warning import warn
from gramian.exceptions import NumericalError
from gramian.models._shared.layers import LayerPlan
from gramian.models._shared.parameters import OneOf, Real, Table, Whole
from gramian.models._shared.progress import tell_of_end, watcher

# The value's own tolerance: a fall of the objective by less is rounding long before the gradient is.
_VALUE_TOLERANCE = 1e-3
# Of the objective: what the diagonal had to have added may cost so much before it is told.
_NEGLIGIBLE_COST = 1e-4

TRAINING: Table = {
    "solver": OneOf(("lbfgs", "adam", "gd", "sgd", "alternating"), engine="solver"),
    "init": OneOf(("principal", "random"), engine="start"),
    "n_restarts": Whole(engine="restarts"),
    "max_iter": Whole(engine="max_iterations"),
    "tol": Real(engine="gradient_tolerance", zero=True),
    "learning_rate": Real(engine="step"),
    "inner_steps": Whole(engine="inner_steps"),
    "memory_budget": Whole(engine="memory_budget", optional=True),
}
"""The parameters that all autoencoders have."""


def training_options(estimator: Any, landmarks: Any, seed: int) -> dict[str, Any]:
    """Return the engine's options from the parameters of an estimator, after checking their kinds."""
    options: dict[str, Any] = estimator._options()
    return {
        **options,
        "landmarks": [] if landmarks is None else landmarks.tolist(),
        "seed": seed,
        "value_tolerance": _VALUE_TOLERANCE * options["gradient_tolerance"],
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
    watch = watcher(estimator)
    found: dict[str, Any] = _core.autoencoder.fit(points, targets, layers, options, loss, start, watch)
    if not all(np.isfinite(part).all() for part in found["coefficients"]):
        raise NumericalError("The coefficients have left the finite numbers: lower learning_rate.")
    return found


def tell(estimator: Any, found: dict[str, Any], landmarks: bool = False) -> None:
    """Warn of a training that did not converge, or that had to change the system it solves.

    landmarks: the system is that of their Gram matrix, which no penalty makes regular. What was added is then a penalty
    on coefficients, and nothing is said of one that costs nothing.
    """
    owner = type(estimator).__name__
    tell_of_end(owner, found)
    cost = found["jitter"] * (found["coefficients"][-1] ** 2).sum() if landmarks else np.inf
    if found["jitter"] > 0 and cost > _NEGLIGIBLE_COST * abs(found["objective"]):
        advice = "ask for fewer landmarks" if landmarks else "raise the last alpha"
        warn(
            f"The system of {owner}'s last layer was singular up to rounding, and {found['jitter']:.3g} was added to "
            f"its diagonal: {advice}."
        )
