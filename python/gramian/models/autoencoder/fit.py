# SPDX-License-Identifier: BSD-3-Clause
"""One call of the engine's training of an autoencoder."""

from typing import Any

import numpy as np

from gramian import _core
from gramian._validation import FloatArray
from gramian.exceptions import NumericalError
from gramian.models._shared.layers import LayerPlan
from gramian.models._shared.parameters import OneOf, Real, Table, Whole
from gramian.models._shared.training import STOCHASTIC, limits_of, solver_options, value_tolerance
from gramian.models._shared.words import ridge_called

DEFAULTS, LIMITS = _core.autoencoder.Options(), _core.autoencoder.limits()
LAYERS = _core.autoencoder.LayerDefaults()
HIDDEN = tuple(LAYERS.hidden)
INNER_STEPS = _core.autoencoder.AlternatingOptions().inner_steps

TRAINING: Table = {
    "solver": OneOf(("lbfgs", "adam", "gd", "sgd", "alternating"), engine="solver"),
    "init": OneOf(tuple(_core.autoencoder.LayerStart.__members__), engine="start"),
    "n_init": Whole(engine="restarts"),
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


def part_of_options(options: dict[str, Any], rows: Any) -> dict[str, Any]:
    """Return the options of a training on some rows, which have all landmarks among them."""
    weights = [options["weights"][row] for row in rows] if options["weights"] else []
    return {**options, "weights": weights, "landmarks": np.searchsorted(rows, options["landmarks"]).tolist()}


def engine_options(owner: str, options: dict[str, Any], loss: Any, last_penalty: float) -> _core.autoencoder.Options:
    """Return the engine's options of an autoencoder; raise an error for those that contradict each other."""
    left = dict(options)
    name, limits = left.pop("solver"), limits_of(left)
    solver = _solver(name, limits, left)
    last, bounds, batch = left.pop("last_layer", "eliminated"), left.pop("max_norm", []), left.pop("batch_size", 0)
    if bounds and name != "gd":
        raise ValueError(f"The 'max_norm' parameter of {owner} needs solver='gd'. Got solver={name!r}.")
    if batch and name not in STOCHASTIC:
        raise ValueError(f"The 'batch_size' parameter of {owner} needs solver='adam' or 'sgd'. Got solver={name!r}.")
    # A last layer without a penalty, or under a bound, can't be solved for.
    joint = last == "joint" or bounds or not last_penalty
    if joint and name == "alternating":
        raise ValueError(
            f"{owner} with solver='alternating' solves for the last layer: it needs last_layer='eliminated' and a last "
            f"penalty above 0."
        )
    asked = {"solver='sgd'": name == "sgd", "batch_size": batch, "a loss that is not squared": not is_squared(loss)}
    for what in (what for what, wanted in asked.items() if wanted and not joint):
        raise ValueError(f"{owner} needs last_layer='joint' for {what}: the last layer has no closed form there.")
    training: Any
    if bounds:
        training = _core.autoencoder.ConstrainedTraining(max_norm=bounds, solver=solver, loss=loss)
    elif joint:
        training = _core.autoencoder.JointTraining(solver=solver, loss=loss, batch_size=batch)
    else:
        training = _core.autoencoder.EliminatedTraining(solver=solver)
    del left["inner_steps"]
    start = _core.autoencoder.LayerStart[left.pop("start")]
    return _core.autoencoder.Options(training=training, start=start, **left)


def _solver(name: str, limits: dict[str, Any], options: dict[str, Any]) -> Any:
    if name == "alternating":
        return _core.autoencoder.AlternatingOptions(inner_steps=options["inner_steps"], **limits)
    return solver_options(name, limits, options["seed"])


def is_squared(loss: Any) -> bool:
    """Tell whether a loss is the squared one, by its name or as an object."""
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
    search: bool = False,
) -> _core.layered.Fit:
    """
    Train the layers; `dimensions` are the numbers of features that each of them sees.

    search: nobody hears of this training, but the clock may end it.
    """
    layers = [plan.crossing(dimension) for plan, dimension in zip(plans, dimensions, strict=True)]
    made = engine_options(type(estimator).__name__, options, loss, plans[-1].penalty)
    with ridge_called("penalty"):
        watch = estimator._watch
        observer = watch.deadline if search else watch.observer
        found = _core.autoencoder.fit(points, targets, layers, made, start, observer)
    if not all(np.isfinite(part).all() for part in found.coefficients):
        raise NumericalError("The coefficients have left the finite numbers: lower learning_rate.")
    return found
