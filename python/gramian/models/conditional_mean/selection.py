# SPDX-License-Identifier: BSD-3-Clause
"""The penalty, and the widths of the input kernel, by cross-validation of an embedding."""

import numbers
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from sklearn.model_selection import KFold, check_cv

from gramian import _core
from gramian._random import seed_of
from gramian._validation import FloatArray, check_reals, refused
from gramian.functional import gram
from gramian.kernels import Kernel
from gramian.models._shared.counted import scaled_gram
from gramian.models._shared.landmarks import IndexArray, is_count
from gramian.models._shared.samples import SideKernel, count_of, rows_of, source
from gramian.models._shared.search import search_results, with_kernels
from gramian.models._shared.words import ridge_called
from gramian.models.conditional_mean.outputs import Outputs

_GRID = _core.conditional_mean.Grid()
"""The engine's candidates; the docstring has them as numbers."""


class Selection(NamedTuple):
    """What was chosen, and out of what."""

    kernel: SideKernel
    penalty: float
    table: dict[str, Any] | None = None

    def attributes(self) -> dict[str, Any]:
        """Return it by the names of an estimator's attributes."""
        return {
            "kernel_": self.kernel,
            "penalty_": self.penalty,
            "cv_results_": self.table,
        }


def check_learn(learn: Any, owner: str) -> None:
    """Refuse what is neither None nor the name of a search."""
    if learn is not None and not (isinstance(learn, str) and learn in ("cv", "loo")):
        raise refused("learn", owner, "None, 'cv' or 'loo'", learn)


def check_regularised(estimator: Any) -> bool:
    """Return whether the loss has the term of the operator's norm, which samples left out one at a time have not."""
    regularised = bool(estimator._checked("regularised"))
    if regularised and estimator.learn == "loo":
        raise ValueError(f"regularised=True of {estimator._owner} is for learn='cv': set it, or regularised=False.")
    return regularised


class Search(NamedTuple):
    """How much there is to compare."""

    widths: int
    penalties: int
    splits: int
    """Of the samples; 0 if they are left out one at a time."""


def search_of(estimator: Any, kernel: SideKernel) -> Search:
    """Return how much a search compares."""
    owner, cv = type(estimator).__name__, estimator.cv
    widths = _check_factors(estimator.length_scale_factors, kernel, owner)
    penalties = _grid(estimator.penalties, "penalties", owner, _GRID.lambdas)
    splits = 0 if estimator.learn == "loo" else int(cv) if is_count(cv) else _GRID.folds
    return Search(len(widths), len(penalties), splits)


def select(estimator: Any, kernel: SideKernel, X: Any, outputs: Outputs, roots: FloatArray | None = None) -> Selection:
    """Return the pair with the smallest mean loss over held-out samples, of equals the first."""
    owner = type(estimator).__name__
    penalties = _grid(estimator.penalties, "penalties", owner, _GRID.lambdas)
    factors = _check_factors(estimator.length_scale_factors, kernel, owner)
    grid = _core.conditional_mean.Grid(lambdas=penalties.tolist(), regularised=check_regularised(estimator))
    splits = _splits(estimator, X)
    L = _gram(outputs.kernel, outputs.points(outputs.samples)) if outputs.gram is None else outputs.gram
    losses, held_out = [], None
    for factor in factors:
        K = _gram(cast(Kernel, kernel)._stretched(factor) if factor != 1.0 else kernel, X)
        if splits is None:
            weights = None if roots is None else (roots**2)[:, None]
            losses.append(_core.conditional_mean.leave_one_out_losses(K, L, weights, grid)[0])
        else:
            each, held_out = _split_losses(K, L, splits, grid, roots)
            losses.append(np.transpose(each))
    return _best(kernel, factors, penalties, losses, held_out)


def select_on_landmarks(
    estimator: Any, kernel: Kernel, X: Any, outputs: Outputs, rows: IndexArray, weights: FloatArray | None
) -> Selection:
    """Return the same of embeddings in the span of landmarks."""
    owner = type(estimator).__name__
    penalties = _grid(estimator.penalties, "penalties", owner, _GRID.lambdas)
    factors = _check_factors(estimator.length_scale_factors, kernel, owner)
    grid = _core.conditional_mean.Grid(lambdas=penalties.tolist(), regularised=check_regularised(estimator))
    splits = _splits(estimator, X)
    ones = np.ones(count_of(X)) if weights is None else weights / weights[weights > 0].mean()
    if not all(ones[part].sum() > 0 for split in splits or [] for part in split):
        raise ValueError("cv has a split without samples of sample_weight above 0 on one of its sides.")
    Y = outputs.points(outputs.samples)
    spec_y, points_y = source(outputs.kernel, Y)
    output_landmarks = source(outputs.kernel, rows_of(Y, rows))[1]
    losses = []
    for factor in factors:
        spec, points = source(kernel._stretched(factor) if factor != 1.0 else kernel, X)
        landmarks = source(kernel, rows_of(X, rows))[1]
        column = None if weights is None else ones[:, None]
        sides = (spec, points, landmarks, spec_y, points_y, output_landmarks, column)
        if splits is None:
            losses.append(_core.conditional_mean.landmark_leave_one_out_losses(*sides, grid)[0])
        else:
            losses.append(np.transpose(_core.conditional_mean.landmark_losses(*sides, splits, grid)))
    held_out = None if splits is None else [float(ones[held].sum()) for _, held in splits]
    return _best(kernel, factors, penalties, losses, held_out)


def _best(
    kernel: SideKernel,
    factors: FloatArray,
    penalties: FloatArray,
    losses: Sequence[FloatArray],
    held_out: list[float] | None,
) -> Selection:
    """Return the pair with the smallest mean loss; held_out: of each split, or None if losses are means already."""
    axes = {"length_scale_factor": factors, "penalty": penalties}
    if held_out is None:
        table = search_results(axes, None, means=np.concatenate(losses))
    else:
        table = search_results(axes, losses, held_out)
    best = table["params"][int(np.argmax(table["mean_test_score"]))]
    factor = best["length_scale_factor"]
    chosen = kernel if factor == 1.0 else cast(Kernel, kernel)._stretched(factor)
    return Selection(chosen, best["penalty"], with_kernels(table, kernel))


def _split_losses(
    K: FloatArray, L: FloatArray, splits: Any, grid: _core.conditional_mean.Grid, roots: FloatArray | None
) -> tuple[FloatArray, list[float]]:
    """Return the mean loss over the samples that each split holds out, and how many these are: the sum of weights."""
    engine = _core.conditional_mean.cross_validation_losses
    if roots is None:
        return engine(K, L, splits, grid), [float(len(held)) for _, held in splits]
    # A sample whose features are multiplied by a root has a loss that is multiplied by the weight.
    K, L, weights = scaled_gram(K, roots), scaled_gram(L, roots), roots**2
    each, totals = [], []
    for training, held in splits:
        of_training, of_held = weights[training].mean(), weights[held].mean()
        if not (of_training > 0 and of_held > 0):
            raise ValueError("cv has a split without samples of sample_weight above 0 on one of its sides.")
        scaled = [of_training * penalty for penalty in grid.lambdas]
        plain, regularised = (
            engine(K, L, [(training, held)], _core.conditional_mean.Grid(lambdas=scaled, regularised=both))[0]
            for both in (False, grid.regularised)
        )
        each.append(plain / of_held + (regularised - plain) / of_training)
        totals.append(float(of_held * len(held)))
    return np.array(each), totals


def embed(found: Selection, X: Any, roots: FloatArray | None = None) -> _core.conditional_mean.Fit:
    """Return the Cholesky factor of the system, and the jitter."""
    options = _core.conditional_mean.Options(lambda_=found.penalty)
    training = source(found.kernel, X) if roots is None else scaled_gram(_gram(found.kernel, X), roots)
    with ridge_called("penalty"):
        return _core.conditional_mean.fit(training, options)


def _gram(kernel: SideKernel, samples: Any) -> FloatArray:
    if isinstance(kernel, Kernel):
        return cast(FloatArray, gram(kernel, samples).astype(np.float64, copy=False))
    return cast(FloatArray, source(kernel, samples))


def _grid(values: Any, name: str, owner: str, default: Sequence[float]) -> FloatArray:
    return np.array(default if values is None else check_reals(values, name, owner))


def _check_factors(factors: Any, kernel: SideKernel, owner: str) -> FloatArray:
    has_width = isinstance(kernel, Kernel) and kernel._has_width
    found = _grid(factors, "length_scale_factors", owner, _GRID.scale_factors if has_width else (1.0,))
    if not has_width and not (found == 1.0).all():
        raise ValueError(
            f"The 'length_scale_factors' parameter of {owner} is about the widths of the kernel, and {kernel!r} has "
            f"none. Leave it None."
        )
    return found


def _splits(estimator: Any, X: Any) -> list[tuple[list[int], list[int]]] | None:
    """Return the rows of both parts of each split; None if samples are left out one at a time."""
    cv = estimator.cv
    if estimator.learn == "loo":
        return None
    if isinstance(cv, numbers.Integral) and not isinstance(cv, bool):
        state = estimator.random_state
        given = isinstance(state, numbers.Integral | np.random.RandomState)
        cv = KFold(int(cv), shuffle=True, random_state=state if given else seed_of(state) % 2**32)
    places = np.arange(count_of(X))  # objects need not be indexable by arrays
    return [(training.tolist(), held_out.tolist()) for training, held_out in check_cv(cv).split(places)]
