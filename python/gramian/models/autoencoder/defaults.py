# SPDX-License-Identifier: BSD-3-Clause
"""What autoencoders do where their users choose nothing: kernels, and a penalty by the loss on held-out samples."""

from typing import Any, NamedTuple

import numpy as np

from gramian import _core
from gramian._validation import FloatArray, IntArray, refused
from gramian.kernels import Gaussian, Kernel, Linear
from gramian.kernels.choice import OpenKernel
from gramian.models._shared.layers import LayerPlan, contiguous, learned_kernel, trained_layers
from gramian.models._shared.search import search_results
from gramian.models.autoencoder.fit import LAYERS, part_of_options, train

PENALTIES = tuple(10.0**-power for power in range(1, 7))
"""Tried from the left, each from where the one before it ended, until the loss on held-out samples rises."""
STEPS = 30
"""Iterations for each penalty: more of them chose the same one on all sets that were tried."""
MOST_ROWS = 2000
"""Samples of a search: with more of them it chooses the same, and takes longer."""
LEAST_ROWS = 10
"""With fewer samples there is no search."""
_PARTS = 5
"""One part of so many is held out."""
_ENOUGH_ROWS = 500
"""With fewer samples one part does not tell enough: more of them are held out in turn, at n samples 500 / n of them."""
_WITH_LINEAR = Gaussian(gamma=1.0) + 1.0 * Linear()


class Chosen(NamedTuple):
    """The penalty of all layers, and how it was found."""

    penalty: float
    results: dict[str, Any] | None
    """`cv_results_`; None without a search."""


def default_kernel(layer: int, outputs: list[int]) -> Kernel | OpenKernel:
    """Return the kernel of a layer, counted from 0: a Gaussian and the inner product."""
    if layer == 0:
        return OpenKernel(_WITH_LINEAR)
    return _WITH_LINEAR._with_numbers(_core.autoencoder.code_kernel(outputs[layer - 1]))


def is_left_open(penalty: Any, owner: str) -> bool:
    """Tell whether a parameter leaves the penalty to `choose_penalty`; refuse any other word."""
    if isinstance(penalty, str) and penalty != "auto":
        raise refused("penalty", owner, "'auto', a number of at least 0, or a list with one for each layer", penalty)
    return isinstance(penalty, str)


def choose_penalty(
    estimator: Any, points: FloatArray, targets: FloatArray, plans: list[LayerPlan], options: dict[str, Any], loss: Any
) -> Chosen:
    """
    Return the penalty with the least loss on held-out samples, after short trainings on the others.

    points, targets, options: of the distinct samples; plans: of any penalty.
    """
    n = len(targets)
    if n < LEAST_ROWS:
        return Chosen(LAYERS.penalty, None)
    rows = np.linspace(0, n - 1, min(n, MOST_ROWS)).astype(np.int64)
    splits = [rows[first::_PARTS] for first in range(min(_PARTS, -(-_ENOUGH_ROWS // len(rows))))]
    paths = [_Path(estimator, points, targets, plans, options, loss, rows, held) for held in splits]
    shares = [path.share for path in paths]
    losses: list[list[float]] = []
    means: list[float] = []
    for penalty in PENALTIES:
        losses.append([path.loss_of(penalty) for path in paths])
        means.append(float(np.average(losses[-1], weights=shares)))
        if means[-1] > min(means) or estimator._watch.deadline == 0.0:
            break
    tried = PENALTIES[: len(losses)]
    return Chosen(tried[int(np.argmin(means))], search_results({"penalty": tried}, losses, shares))


class _Path:
    """Short trainings without the same held-out samples, each from where the one before it has ended."""

    def __init__(
        self,
        estimator: Any,
        points: FloatArray,
        targets: FloatArray,
        plans: list[LayerPlan],
        options: dict[str, Any],
        loss: Any,
        rows: IntArray,
        held: IntArray,
    ) -> None:
        landmarks = np.setdiff1d(np.array(options["landmarks"], dtype=np.int64), held)
        kept = np.union1d(np.setdiff1d(rows, held), landmarks)
        seen = part_of_options({**options, "landmarks": landmarks if len(landmarks) > 1 else []}, kept)
        self._options = {**seen, "solver": "lbfgs", "restarts": 1, "max_iterations": STEPS, "batch_size": 0}
        self._estimator, self._plans, self._loss = estimator, plans, loss
        self._points, self._targets = points[kept], targets[kept]
        self._new_points, self._new_targets = points[held], targets[held]
        self._weights = [options["weights"][row] for row in held] if options["weights"] else None
        self._start: FloatArray | None = None

    @property
    def share(self) -> float:
        """How much its held-out samples weigh."""
        return float(sum(self._weights) if self._weights else len(self._new_targets))

    def loss_of(self, penalty: float) -> float:
        """Train with a penalty; return the mean loss on the held-out samples."""
        plans = [plan._replace(penalty=penalty) for plan in self._plans]
        dimensions = [self._points.shape[1], *[plan.outputs for plan in plans[:-1]]]
        found = train(
            self._estimator,
            self._points,
            self._targets,
            plans,
            dimensions,
            self._options,
            self._loss,
            self._start,
            search=True,
        )
        self._plans = [plan.learned(own) for plan, own in zip(plans, found.kernel_parameters, strict=True)]
        self._start = np.concatenate([own.ravel() for own in found.coefficients])
        supports = self._points[self._options["landmarks"] or slice(None)]
        outputs = _outputs(self._plans, found, supports, self._new_points)
        return _mean_loss(self._loss, self._new_targets, outputs, self._weights)


def _outputs(plans: list[LayerPlan], found: _core.layered.Fit, supports: FloatArray, points: FloatArray) -> FloatArray:
    """Return what trained layers make of new points."""
    operators = [plan.terms[0][1] if len(plan.terms) == 1 else None for plan in plans]
    layers = trained_layers(
        [learned_kernel(plan) for plan in plans], operators, found.coefficients, [supports, *found.supports]
    )
    model = _core.layers.CompositionMap(layers, [], [])
    return model.apply(contiguous(points))


def _mean_loss(loss: Any, targets: FloatArray, outputs: FloatArray, weights: list[float] | None) -> float:
    """Return the mean of the losses; infinity if it is none of the finite numbers."""
    if isinstance(loss, str):
        each = ((targets - outputs) ** 2).sum(axis=1)
    else:
        each = np.array([loss.evaluate(targets[i : i + 1], outputs[i : i + 1])[0] for i in range(len(targets))])
    mean = float(np.average(each, weights=weights))
    return mean if np.isfinite(mean) else np.inf
