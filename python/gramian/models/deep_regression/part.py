# SPDX-License-Identifier: BSD-3-Clause
"""The training of a concatenated regression of many samples, whose search sees a part of them."""

from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_classifier

from gramian import _core
from gramian._validation import FloatArray
from gramian.models._shared.duration import fewer_supports, layer_operations, tell_of_duration
from gramian.models._shared.search_part import FINISHING, searched_rows
from gramian.models.deep_regression.fit import Choice, Problem, train
from gramian.models.deep_regression.samples import Samples

_EVALUATIONS, _JOINT_EVALUATIONS = 30, 200
"""Of a start, as a rule: with a last layer in closed form, and without."""


class Trained(NamedTuple):
    """A training, and the search before it: the same one unless the search saw a part of the samples."""

    fit: _core.deep_regression.Fit
    search: _core.deep_regression.Fit


def train_by_search(
    estimator: Any, problem: Problem, choice: Choice, start: FloatArray | None, supports: Any
) -> Trained:
    """Train the layers; supports: rows of the samples, or None for all of them."""
    n, options = len(problem.samples.Y), problem.options
    rows = None
    if problem.depth > 1 and start is None and _same_search(estimator, problem):
        rows = searched_rows(estimator, supports, n, options["seed"])
    _tell_of_duration(estimator, problem, n if rows is None else len(rows), supports)
    if rows is None:
        found = train(estimator, problem, choice, start)
        return Trained(found, found)
    part = problem.samples.subset(rows)
    # The penalties are beside sums of losses.
    share = _total(part) / _total(problem.samples)
    few = Choice(choice.alpha * share, [share * own for own in choice.inner_alpha])
    landmarks = np.searchsorted(rows, supports).tolist()
    search = train(estimator, problem._replace(samples=part, options={**options, "landmarks": landmarks}), few, None)
    plans = [plan.learned(own) for plan, own in zip(problem.plans, search.kernel_parameters, strict=True)]
    iterations = min(FINISHING, options["max_iterations"])
    finishing = {**options, "restarts": 1, "max_iterations": iterations}
    found = train(estimator, problem._replace(plans=plans, options=finishing), choice, search.variables)
    return Trained(found, search)


def _tell_of_duration(estimator: Any, problem: Problem, searched: int, supports: Any) -> None:
    """Warn of a long training; searched: the rows that the search sees."""
    options, widths = problem.options, [problem.samples.X.shape[1], *(plan.outputs for plan in problem.plans)]
    solved = problem.loss is None and not options.get("joint", False)
    many = _EVALUATIONS if solved else _JOINT_EVALUATIONS
    evaluations = 1 if problem.depth == 1 and solved else min(options["max_iterations"], many) * options["restarts"]
    m = searched if supports is None else len(supports)
    work = evaluations * layer_operations(searched, m, widths, solved)
    few = fewer_supports(estimator, supports is None) if "landmarks" in vars(estimator) else "use fewer samples"
    tell_of_duration(estimator, len(problem.samples.Y), work, few)


def _same_search(estimator: Any, problem: Problem) -> bool:
    """Tell whether a part of the samples has the objective of all up to a factor, and is searched in one go."""
    return not problem.options["distance_penalty"] and (problem.loss is None or is_classifier(estimator))


def _total(samples: Samples) -> float:
    return float(len(samples.Y) if samples.weights is None else samples.weights.sum())
