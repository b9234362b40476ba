# SPDX-License-Identifier: BSD-3-Clause
"""Which solver a kernel ridge regression takes, and what is learned by it."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from gramian import _core
from gramian._validation import FLOAT64, check_whole, is_sparse, refused
from gramian._warning import warn
from gramian.kernels import Kernel
from gramian.models._shared.landmarks import (
    CHOICES,
    IndexArray,
    Switch,
    automatic_count,
    given_rows,
    is_automatic,
    is_count,
)
from gramian.models._shared.parts import in_rows
from gramian.models._shared.progress import end_of_solver
from gramian.models._shared.samples import kept, source
from gramian.models._shared.sums import some_rows
from gramian.models._shared.training import dual_start_of
from gramian.models._shared.words import ridge_called
from gramian.models.kernel_ridge.data import Problem, tries_path
from gramian.models.kernel_ridge.duration import tell_of_exact, tell_of_landmarks
from gramian.models.kernel_ridge.held_out import hold_out, refuse_early_stopping
from gramian.models.kernel_ridge.path import solve_path
from gramian.points import SourcePoints

SOLVERS = (*_core.kernel_ridge.Solver.__members__, "landmarks")
SWITCH = Switch(most_exact=50_000, per_root=10)
"""When solver="auto" leaves the exact solution."""
_TOLERANCES = {"cg": 1e-10, "landmarks": 1e-7}
_TOLERANCE_OF_FLOAT32 = 1e-5


def solve(model: Any, problem: Problem, alphas: list[float]) -> dict[str, Any]:
    """Return what is learned, by the names of the attributes."""
    solver = _check_solver(model, problem, alphas)
    refuse_early_stopping(model, problem, alphas)
    if solver != "landmarks" and isinstance(problem.X, SourcePoints):
        problem = problem._replace(X=problem.X.crossing(FLOAT64))
    if solver != "landmarks":
        tell_of_exact(model, problem)
    if tries_path(model):
        found = {**solve_path(problem, alphas), **ended("tol", 1, {}, 0.0)}
        return {**found, "X_fit_": _inputs(model, problem), "landmarks_": None}
    learned = _by_landmarks(model, problem, alphas) if solver == "landmarks" else _exactly(model, problem, alphas)
    return {
        **learned,
        "alpha_": alphas[0] if len(alphas) == 1 else np.array(alphas),
        "leave_one_out_": None,
        "cv_results_": None,
    }


def _check_solver(model: Any, problem: Problem, alphas: list[float]) -> str:
    """Return "landmarks", or which of the exact solvers the engine is asked for."""
    solver, owner = str(model._checked("solver")), model._owner
    wanted = solver == "landmarks" or (solver == "auto" and model.landmarks is not None)
    if model.landmarks is not None and not wanted:
        raise ValueError(f"landmarks of {owner} are for solver='auto' or 'landmarks': set landmarks=None.")
    vectors = isinstance(problem.kernel, Kernel)
    if wanted and not vectors:
        raise ValueError(
            f"The 'landmarks' solver of {owner} needs samples that are vectors, and a kernel of gramian.kernels: use "
            f"solver='auto' and landmarks=None."
        )
    if tries_path(model):
        if wanted or solver == "cg":
            raise ValueError(f"alphas of {owner} are for solver='auto' or 'cholesky', without landmarks.")
        return solver
    if wanted and min(alphas) == 0:
        raise ValueError(f"The 'alpha' parameter of {owner} must be above 0 with landmarks.")
    free = solver == "auto" and vectors and min(alphas) > 0
    return "landmarks" if wanted or (free and SWITCH.landmarks_of(len(problem.y)) is not None) else solver


def _exactly(model: Any, problem: Problem, alphas: list[float]) -> dict[str, Any]:
    held_out = None
    if model.early_stopping:
        problem, held_out = hold_out(model, problem)
    options = _core.kernel_ridge.Options(
        alphas=alphas,
        solver=_core.kernel_ridge.Solver[model.solver],
        weights=problem.engine_weights(),
        tolerance=_tolerance(model, "cg"),
        max_iterations=model._checked("max_iter"),
        precision=_core.kernel_ridge.Precision[model._checked("dtype")],
    )
    iterates = model.solver == "cg" or (len(problem.y) > options.largest_cholesky and min(alphas) > 0)
    start = dual_start_of(model, problem.columns, iterates and model.solver != "cholesky")
    with ridge_called("alpha"):
        found = _core.kernel_ridge.fit(
            source(problem.kernel, problem.X), problem.columns, options, model._watch.observer, held_out, start
        )
    if found.least_squares:
        warn(f"The system of {model._owner} is singular: its solution is that of least squares. Raise alpha.")
    return {
        **(_end(model, found) if held_out is None else _early_end(model, found)),
        "dual_coef_": problem.shaped(found.coefficients),
        "solver_": "least_squares" if found.least_squares else found.solver.name,
        "objective_": found.objective,
        "X_fit_": _inputs(model, problem),
        "landmarks_": None,
    }


def _by_landmarks(model: Any, problem: Problem, alphas: list[float]) -> dict[str, Any]:
    rows = landmark_rows(model, len(problem.y), model._seed)
    tell_of_landmarks(model, problem, len(rows))
    centres = some_rows(problem.X, rows)
    options = _core.kernel_ridge.LandmarkOptions(
        alphas=alphas,
        weights=problem.engine_weights(),
        tolerance=_tolerance(model, "landmarks"),
        max_iterations=model._checked("max_iter"),
    )
    kernel, landmarks = source(problem.kernel, _rounded(model, centres))
    by_blocks = isinstance(problem.X, SourcePoints)
    points = problem.X if by_blocks else in_rows(source(problem.kernel, _rounded(model, problem.X))[1])
    found = _core.kernel_ridge.fit_landmarks(
        kernel, points, in_rows(landmarks), problem.columns, options, model._watch.observer
    )
    return {**spanned(model, problem, found), "X_fit_": centres, "landmarks_": rows}


def spanned(model: Any, problem: Problem, found: _core.kernel_ridge.LandmarkFit) -> dict[str, Any]:
    """Return what is learned in the span of landmarks, beside these."""
    return {
        **_end(model, found),
        "dual_coef_": problem.shaped(found.coefficients),
        "solver_": "landmarks",
        "objective_": found.objective,
    }


def landmark_rows(model: Any, n: int, seed: Callable[[], int]) -> IndexArray:
    """Return the rows of the landmarks, in ascending order; seed: called if they are drawn."""
    given = model.landmarks
    if given is None or is_automatic(given):
        count = cast(int, automatic_count(n, 0, SWITCH.per_root))
    elif isinstance(given, str):
        raise refused("landmarks", model._owner, CHOICES, given)
    elif is_count(given):
        count = check_whole(given, "landmarks", model._owner, n)
    else:
        return given_rows(given, n, model._owner)
    return np.sort(np.random.default_rng(seed()).choice(n, count, replace=False)).astype(np.int64)


def _rounded(model: Any, X: Any) -> Any:
    """Return samples in the type that the kernel is evaluated in."""
    if model._checked("dtype") == "float64":
        return X
    if is_sparse(X):
        raise ValueError(f"dtype='float32' of {model._owner} is for dense samples: use dtype='float64'.")
    return X.astype(np.float32)


def _tolerance(model: Any, solver: str) -> float:
    if model.tol is not None:
        return float(model._checked("tol"))
    return _TOLERANCE_OF_FLOAT32 if model.dtype == "float32" else _TOLERANCES[solver]


def _inputs(model: Any, problem: Problem) -> Any:
    return None if model._precomputed else kept(problem.X, None)


def _early_end(model: Any, found: _core.kernel_ridge.Fit) -> dict[str, Any]:
    """Return how iterations that scores may end have ended, and the residual of the best iterate."""
    found_end = {"stop_reason_": "validation"} if found.ended_by_scores else _end(model, found)
    residual, scores = max(found.residuals, default=0.0), np.array(found.scores)
    history = {**found.history, "validation_score": scores}
    return {
        **ended("validation", max(1, found.iterations), history, residual),
        "stop_reason_": found_end["stop_reason_"],
        "converged_": residual <= _tolerance(model, "cg"),
        "best_validation_score_": float(np.nanmax(scores)),
    }


def _end(model: Any, found: Any) -> dict[str, Any]:
    """Return how the iterations ended, and warn if they did not converge."""
    residual = max(found.residuals, default=0.0)
    wider = ", or use dtype='float64'" if model.dtype == "float32" else ""
    reason = end_of_solver(model._owner, found, residual, model._watch, instead=wider)
    return ended(reason, max(1, found.iterations), found.history, residual)


def solve_system(
    kernel: Kernel,
    landmarks: tuple[Any, IndexArray],
    system: _core.gram.NormalSystem,
    alphas: list[float],
    vector: bool,
) -> dict[str, Any]:
    """
    Return what is learned from normal equations, by the names of the attributes.

    landmarks: samples, and their rows; vector: whether the targets are one column.
    """
    samples, rows = landmarks
    spec, points = source(kernel, samples)
    found = _core.kernel_ridge.fit_system(spec, in_rows(points), system, alphas)
    return {
        **ended("tol", 1, found.history, max(found.residuals)),
        "dual_coef_": found.coefficients[:, 0].copy() if vector else found.coefficients,
        "solver_": "landmarks",
        "objective_": found.objective,
        "kernel_": kernel,
        "alpha_": alphas[0] if len(alphas) == 1 else np.array(alphas),
        "X_fit_": samples,
        "landmarks_": rows,
        "leave_one_out_": None,
        "cv_results_": None,
    }


def ended(reason: str, iterations: int, history: dict[str, Any], residual: float) -> dict[str, Any]:
    """Return how a solver ended, by the names of the attributes."""
    return {
        "stop_reason_": reason,
        "converged_": reason == "tol",
        "n_iter_": iterations,
        "history_": history,
        "residual_": residual,
        "best_validation_score_": None,
    }
