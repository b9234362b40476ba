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

DEFAULTS, LIMITS = _core.autoencoder.Options(), _core.autoencoder.limits()
INNER_STEPS = _core.autoencoder.AlternatingOptions().inner_steps
_STOCHASTIC = ("adam", "sgd")
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
        "value_tolerance": value_tolerance(options["gradient_tolerance"], LIMITS),
    }


def value_tolerance(tol: float, limits: _core.layered.Limits) -> float:
    """Return the value's own tolerance: a fall of the objective by less is rounding long before the gradient is."""
    return limits.value_tolerance * (tol / limits.gradient_tolerance)


def solver_options(options: dict[str, Any]) -> Any:
    """Return the engine's options of the solver; what they are made of is taken out of those of a training."""
    limits = _core.layered.Limits(
        **{name: options.pop(name) for name in ("max_iterations", "gradient_tolerance", "value_tolerance", "step")}
    )
    solver = options.pop("solver")
    if solver == "alternating":
        return _core.autoencoder.AlternatingOptions(limits, options["inner_steps"])
    make = getattr(limits, solver)
    return make(options["seed"]) if solver in _STOCHASTIC else make()


def engine_options(owner: str, options: dict[str, Any], loss: Any, last_penalty: float) -> _core.autoencoder.Options:
    """Return the engine's options of an autoencoder; raise an error for those that contradict each other."""
    left = dict(options)
    name, solver = left["solver"], solver_options(left)
    last, bounds, batch = left.pop("last_layer", "eliminated"), left.pop("max_norm", []), left.pop("batch_size", 0)
    if bounds and name != "gd":
        raise ValueError(f"The 'max_norm' parameter of {owner} needs solver='gd'. Got solver={name!r}.")
    if batch and name not in _STOCHASTIC:
        raise ValueError(f"The 'batch_size' parameter of {owner} needs solver='adam' or 'sgd'. Got solver={name!r}.")
    # A last layer without a penalty, or under a bound, can't be solved for.
    joint = last == "joint" or bounds or not last_penalty
    if joint and name == "alternating":
        raise ValueError(
            f"{owner} with solver='alternating' solves for the last layer: it needs last_layer='eliminated' and a last "
            f"alpha above 0."
        )
    asked = {"solver='sgd'": name == "sgd", "batch_size": batch, "a loss that is not squared": not _squared(loss)}
    for what in (what for what, wanted in asked.items() if wanted and not joint):
        raise ValueError(f"{owner} needs last_layer='joint' for {what}: the last layer has no closed form there.")
    made = _core.autoencoder.Options()
    if bounds:
        made.training = _core.autoencoder.ConstrainedTraining(bounds, solver, loss)
    elif joint:
        made.training = _core.autoencoder.JointTraining(solver, loss, batch)
    else:
        made.training = _core.autoencoder.EliminatedTraining(solver)
    made.start = getattr(_core.autoencoder.LayerStart, left.pop("start"))
    del left["inner_steps"]
    for field, value in left.items():
        setattr(made, field, value)
    return made


def _squared(loss: Any) -> bool:
    lower = getattr(loss, "_lower", None)
    return bool(loss == "squared" if lower is None else lower() == ("squared",))


def train(
    estimator: Any,
    points: Any,
    targets: FloatArray,
    plans: list[LayerPlan],
    dimensions: list[int | None],
    options: dict[str, Any],
    loss: Any,
    start: FloatArray | None,
) -> _core.autoencoder.Fit:
    """Train the layers; `dimensions` are the numbers of features that each of them sees."""
    layers = [plan.crossing(dimension) for plan, dimension in zip(plans, dimensions, strict=True)]
    made = engine_options(type(estimator).__name__, options, loss, plans[-1].penalty)
    found = _core.autoencoder.fit(points, targets, layers, made, start, watcher(estimator))
    if not all(np.isfinite(part).all() for part in found.coefficients):
        raise NumericalError("The coefficients have left the finite numbers: lower learning_rate.")
    return found


def tell(estimator: Any, found: _core.layered.TrainedResult, landmarks: bool = False) -> None:
    """Warn of a training that did not converge, or that had to change the system it solves.

    landmarks: the system is that of their Gram matrix, which no penalty makes regular. What was added is then a penalty
    on coefficients, and nothing is said of one that costs nothing.
    """
    owner = type(estimator).__name__
    end = {"stop_reason": found.stop_reason, "iterations": found.iterations, "history": found.history}
    tell_of_end(owner, end)
    cost = found.jitter * (found.coefficients[-1] ** 2).sum() if landmarks else np.inf
    if found.jitter > 0 and cost > _NEGLIGIBLE_COST * abs(found.objective):
        advice = "ask for fewer landmarks" if landmarks else "raise the last alpha"
        warn(
            f"The system of {owner}'s last layer was singular up to rounding, and {found.jitter:.3g} was added to "
            f"its diagonal: {advice}."
        )
