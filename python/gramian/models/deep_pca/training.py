# SPDX-License-Identifier: BSD-3-Clause
"""The training of levels on samples that differ, and what it says of all of them."""

from typing import Any, NamedTuple, cast

import numpy as np

from gramian import _core
from gramian._validation import FloatArray
from gramian.models._shared.duration import fewer_supports, layer_operations, tell_of_duration
from gramian.models._shared.landmarks import IndexArray
from gramian.models._shared.training import warm_start_of
from gramian.models._shared.weighted import Distinct, distinct
from gramian.models.deep_pca.counted import Counted
from gramian.models.deep_pca.fit import (
    Level,
    LevelKernel,
    crossing,
    engine_options,
    tell,
    tell_of_nothing,
    tell_of_trap,
    training_points,
    with_kernels,
)

Spread = tuple[Distinct, FloatArray | None]
"""Which samples differ, and the weights of all that were trained on."""


_EVALUATIONS = 300
"""Of a start, as a rule."""


class Trained(NamedTuple):
    """Levels, and the samples that they were trained on."""

    levels: list[Level]
    samples: Any
    found: _core.deep_pca.Fit
    spread: Spread | None


def train_levels(
    estimator: Any, levels: list[Level], samples: Any, came: Counted, rows: IndexArray | None, seed: int, exact: bool
) -> Trained:
    """Return what some of the samples that came, or all, have taught; exact: whether no landmarks were chosen."""
    some = samples if rows is None else _some(estimator, samples, rows)
    estimator._check_sizes(levels, some.shape[0])
    weights = came.some(rows)
    once = _merged(estimator, some, weights, max(level.components for level in levels))
    own, counts = (some, weights) if once is None else (_some(estimator, some, once.rows), once.weights)
    levels = with_kernels(levels, own, counts, came.total(rows))
    start = _start(estimator, levels, some.shape[0], once)
    found = _train(estimator, levels, own, engine_options(estimator, seed, counts), start, exact)
    tell(estimator._watch, found, estimator.n_init)
    tell_of_trap(estimator, found)
    tell_of_nothing(estimator._owner, found)
    return Trained(levels, some, found, None if once is None else (once, weights))


def spread_over_copies(spread: Spread, learned: dict[str, Any]) -> dict[str, Any]:
    """Return what was learned of samples that differ for all of them."""
    once, weights = spread
    inputs = learned["_inputs"]
    return {
        "hidden_features_": [H[once.place] for H in learned["hidden_features_"]],
        "_inputs": inputs[once.place] if len(inputs) else inputs,
        "_weights": weights,
    }


def _merged(estimator: Any, samples: Any, weights: FloatArray | None, least: int) -> Distinct | None:
    """
    Return samples that differ, with the sum of their weights; None if all do, and weigh 1.

    Weights of two and samples that are there twice are one problem then, to the last bit, however long the training is.
    Where they are no more than `least`, the components, all samples are returned, in an order that is always the same.
    """
    found = distinct(samples, weights, _is_gram(estimator))
    if found.as_they_came or len(found.rows) > least:
        return None if found.as_they_came else found
    keys = np.ones(len(found.place)) if weights is None else weights
    order = np.lexsort((keys, found.place))
    return Distinct(order, None if weights is None else weights[order], np.argsort(order), keys)


def _some(estimator: Any, samples: Any, rows: Any) -> Any:
    """Return some samples, or their part of a Gram matrix."""
    return samples[np.ix_(rows, rows)] if _is_gram(estimator) else samples[rows]


def _is_gram(estimator: Any) -> bool:
    return bool(estimator._precomputed or estimator._has_function)


def _start(estimator: Any, levels: list[Level], rows: int, once: Distinct | None) -> FloatArray | None:
    """Return where the last fit ended, if it is where this one begins; once: the samples that differ, or all."""
    if not estimator._continues():
        return None
    features = estimator.hidden_features_
    start = warm_start_of(features, [(rows, level.components) for level in levels], "features")
    return start if once is None else np.concatenate([H[once.rows].ravel() for H in features])


def _train(
    estimator: Any,
    levels: list[Level],
    samples: Any,
    options: _core.deep_pca.Options,
    start: FloatArray | None,
    exact: bool,
) -> _core.deep_pca.Fit:
    """Call the engine; start: features where the last fit ended, or None; exact: whether these are all samples."""
    points = training_points(cast(LevelKernel, levels[0].kernel), samples)
    _tell_of_duration(estimator, levels, samples, exact)
    return _core.deep_pca.fit(points, crossing(levels, samples.shape[1]), options, start, estimator._watch.observer)


def _tell_of_duration(estimator: Any, levels: list[Level], samples: Any, exact: bool) -> None:
    """Warn of a long training."""
    n, widths = samples.shape[0], [min(samples.shape[1], 100), *(level.components for level in levels)]
    work = _EVALUATIONS * estimator._checked("n_init") * layer_operations(n, n, widths, solved=False)
    tell_of_duration(estimator, n, work, fewer_supports(estimator, exact))
