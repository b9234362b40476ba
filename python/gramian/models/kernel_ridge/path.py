# SPDX-License-Identifier: BSD-3-Clause
"""Kernel ridge regressions of several alphas, judged by leaving each sample out."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FloatArray
from gramian.models._shared.parts import new_points
from gramian.models._shared.samples import rows_of, source
from gramian.models._shared.search import search_results
from gramian.models.kernel_ridge.data import Problem, compiled


def solve_path(problem: Problem, alphas: list[float]) -> dict[str, Any]:
    """Return what is learned for the alpha with the smallest leave-one-out error."""
    kept = None if problem.weights is None else np.flatnonzero(problem.weights)
    if kept is None or len(kept) == len(problem.y):
        found = _path(problem, alphas)
        coefficients, predictions = found.coefficients, found.leave_one_out
    else:
        found, coefficients, predictions = _path_of_some(problem, alphas, kept)
    return {
        "alpha_": alphas[found.best],
        "dual_coef_": problem.shaped(coefficients),
        "solver_": "cholesky",
        "objective_": found.objective,
        "leave_one_out_": problem.shaped(predictions),
        "cv_results_": search_results({"alpha": alphas}, None, means=found.errors.mean(axis=1)),
    }


def _path(problem: Problem, alphas: list[float]) -> _core.kernel_ridge.Path:
    return _core.kernel_ridge.path(source(problem.kernel, problem.X), problem.columns, alphas, problem.engine_weights())


def _path_of_some(
    problem: Problem, alphas: list[float], kept: npt.NDArray[np.intp]
) -> tuple[_core.kernel_ridge.Path, FloatArray, FloatArray]:
    """Return the path of samples that count; leaving another one out changes nothing, so it is predicted as it is."""
    others = np.setdiff1d(np.arange(len(problem.y)), kept)
    if isinstance(problem.kernel, str):
        supports, samples, fresh = None, problem.X[np.ix_(kept, kept)], problem.X[np.ix_(others, kept)]
    else:
        supports = samples = rows_of(problem.X, kept)
        fresh = rows_of(problem.X, others)
    weights = None if problem.weights is None else problem.weights[kept]
    found = _path(
        Problem(
            problem.kernel, np.ascontiguousarray(samples) if supports is None else samples, problem.y[kept], weights
        ),
        alphas,
    )
    coefficients, predictions = np.zeros((2, *problem.columns.shape))
    coefficients[kept], predictions[kept] = found.coefficients, found.leave_one_out
    points = new_points(problem.kernel, fresh, supports)
    model = compiled(problem.kernel, supports, found.coefficients)
    predictions[others] = model.apply(_core.serving.Verb.predict, points)
    return found, coefficients, predictions
