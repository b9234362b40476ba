# SPDX-License-Identifier: BSD-3-Clause
"""The width of a kernel, and alpha with it, by the errors on rows that are held out: gamma="auto"."""

from typing import Any, NamedTuple

import numpy as np

from gramian import _core
from gramian._validation import FloatArray, is_sparse
from gramian.kernels import Kernel
from gramian.models._shared.landmarks import IndexArray, is_automatic, is_count
from gramian.models._shared.parts import in_rows
from gramian.models._shared.samples import source
from gramian.models._shared.search import search_results, with_kernels
from gramian.models._shared.sums import some_rows
from gramian.models.kernel_ridge.data import Problem, compiled

COARSE = tuple(2.0**power for power in range(-4, 3))
"""Factors of the length scales that are tried first; then those between the best one and its neighbours."""
MOST_ROWS, MOST_HELD_OUT = 5000, 5000
"""Rows that candidates learn from, and rows that they are judged on."""
MOST_LANDMARKS = 1500
_SHARE_HELD_OUT = 0.25
_TOLERANCE, _ITERATIONS = 1e-4, 200


class Chosen(NamedTuple):
    """What a search has found."""

    kernel: Kernel
    alphas: list[float]
    """One, or one for each target."""
    table: dict[str, Any]


class _Parts(NamedTuple):
    """Rows to learn from, and rows that are held out."""

    learned: Problem
    centres: Any
    held_out: Problem
    share: float
    """Of all weights, that of the rows to learn from."""


def choose_width(model: Any, problem: Problem, alphas: list[float]) -> Chosen:
    """Return the kernel with the width, and the alpha, of the smallest error; alphas: as `check_alphas` has them."""
    kernel = problem.kernel
    if not isinstance(kernel, Kernel) or not kernel._has_width:
        raise ValueError(
            f"gamma='auto' of {model._owner} is for kernels of gramian.kernels that have a width: set gamma=None."
        )
    if min(alphas) == 0:
        raise ValueError(f"The 'alpha' parameter of {model._owner} must be above 0 with gamma='auto'.")
    candidates = [alphas] if model.alphas is None else [[alpha] for alpha in alphas]
    parts = _split(model, problem)
    tried = {factor: _errors(model, parts, kernel._stretched(factor), candidates) for factor in COARSE}
    best = min(tried, key=lambda factor: tried[factor].min())
    for factor in (best / np.sqrt(2.0), best * np.sqrt(2.0)):
        tried[factor] = _errors(model, parts, kernel._stretched(factor), candidates)
    factors = sorted(tried)
    errors = np.array([tried[factor] for factor in factors])
    row, column = np.unravel_index(np.argmin(errors), errors.shape)
    axes = {} if model.alphas is None else {"alpha": alphas}
    table = search_results({"length_scale_factor": factors, **axes}, None, means=errors)
    return Chosen(kernel._stretched(factors[row]), candidates[column], with_kernels(table, kernel))


def _split(model: Any, problem: Problem) -> _Parts:
    n = len(problem.y)
    counts = np.arange(n) if problem.weights is None else np.flatnonzero(problem.weights)
    if len(counts) < 2:
        raise ValueError(f"gamma='auto' of {model._owner} holds out samples: X must have at least two that count.")
    drawn = np.random.default_rng([model._seed(), n]).permutation(counts)
    held = max(1, min(MOST_HELD_OUT, int(_SHARE_HELD_OUT * len(counts))))
    learned = np.sort(drawn[held : held + MOST_ROWS])
    of_learned = problem.some(learned)
    total = float(n) if problem.weights is None else float(problem.weights.sum())
    own = float(len(learned)) if of_learned.weights is None else float(of_learned.weights.sum())
    centres = some_rows(of_learned.X, _centres(model, len(learned), n))
    return _Parts(of_learned, centres, problem.some(np.sort(drawn[:held])), own / total)


def _centres(model: Any, rows: int, n: int) -> IndexArray:
    """Return rows, spread evenly, as many as the fit has landmarks or as are worth their time."""
    given = model.landmarks
    asked = n if given is None or is_automatic(given) else int(given) if is_count(given) else np.size(given)
    count = max(1, min(rows, asked, MOST_LANDMARKS))
    return np.unique(np.linspace(0, rows - 1, count).astype(np.int64))


def _errors(model: Any, parts: _Parts, kernel: Kernel, candidates: list[list[float]]) -> FloatArray:
    """Return the mean squared error of each alpha, or list of them: kernel values and landmarks serve all."""
    learned, held_out = parts.learned, parts.held_out
    columns = learned.columns
    targets = columns.shape[1]
    spread = [alpha * parts.share for one in candidates for alpha in (one * targets if len(one) == 1 else one)]
    options = _core.kernel_ridge.LandmarkOptions(
        alphas=spread, weights=learned.engine_weights(), tolerance=_TOLERANCE, max_iterations=_ITERATIONS
    )
    spec, landmarks = source(kernel, _rounded(model, parts.centres))
    watch = model._watch
    found = _core.kernel_ridge.fit_landmarks(
        spec,
        in_rows(source(kernel, _rounded(model, learned.X))[1]),
        in_rows(landmarks),
        np.ascontiguousarray(np.tile(columns, len(candidates))),
        options,
        None if watch.max_time is None else watch.seconds_left,
    )
    predictor = compiled(kernel, parts.centres, found.coefficients)
    predicted = predictor.apply(_core.serving.Verb.predict, in_rows(source(kernel, held_out.X)[1]))
    squares = (predicted - np.tile(held_out.columns, len(candidates))) ** 2
    errors = np.average(squares, axis=0, weights=held_out.weights).reshape(len(candidates), targets)
    of_candidates: FloatArray = errors.mean(axis=1)
    return of_candidates


def _rounded(model: Any, X: Any) -> Any:
    """Return samples in the type that the fit itself evaluates the kernel in, where it has a choice."""
    return X if model._checked("dtype") == "float64" or is_sparse(X) else X.astype(np.float32)
