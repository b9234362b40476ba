# SPDX-License-Identifier: BSD-3-Clause
"""
[DKL] Sec. 4.2.3, Fig. 5: five hidden outputs with five kernels, below a linear outer kernel and below a nonlinear one.

With the linear one it is multiple kernel learning, RLS2. One layer has, as in the paper, the penalty with the smallest
error on the grid; so that two layers can be compared with it they have it too, beside the penalties of five folds.
"""

from __future__ import annotations

import itertools
from typing import Any

import gramian
import numpy as np
from gramian.kernels import Gaussian, Polynomial

from bench.paper.common.outcome import Outcome, Settings
from bench.paper.dkl import functions
from bench.paper.dkl.functions import FUNCTIONS, MATERN, Fit
from bench.paper.dkl.regression import best_single, chosen, picture, two_layers

DRAWS = 5
BEST_DRAWS = 2  # of which the best pair is looked for, among 36 fits
STARTS_OF_A_PAIR = 8
GRID = tuple(10.0 ** (1 - 2 * t) for t in range(1, 7))
WIDTHS = (0.1, 1.0, 10.0)
SINGLE = "one layer, best lambda"
OUTER = {"(1) linear outer kernel": Polynomial(degree=1), "(2) Matérn outer kernel": MATERN}


def run(settings: Settings) -> Outcome:
    """Tables for both functions, and the figure."""
    outcome = Outcome("dkl_mixture", facts={"grid": GRID, "widths": WIDTHS})
    seeds = range(1 if settings.quick else DRAWS)
    grid = GRID[::3] if settings.quick else GRID
    shown = {}
    for name in FUNCTIONS:
        fits = _fits(name, seeds, grid, functions.restarts(settings))
        title = f"{name}, regression with a mixture of five inner kernels, {len(seeds)} draws of {functions.SAMPLES}"
        outcome.tables += [functions.table_of(title, fits, SINGLE), chosen(name, fits)]
        outcome.facts[name] = {method: [fit.errors.rmse for fit in own] for method, own in fits.items()}
        shown[name] = [fits[method][0] for method in (SINGLE, *OUTER)]
    outcome.pictures.append(picture(settings, "dkl_mixture", shown, [SINGLE, *OUTER]))
    return outcome


def mixture() -> list[tuple[Any, list[float]]]:
    """A kernel for each of the five outputs."""
    kernels = [*(Gaussian(length_scale=width) for width in WIDTHS), functions.inner(1), functions.inner(2)]
    return [(kernel, row.tolist()) for kernel, row in zip(kernels, np.eye(len(kernels)), strict=True)]


def _fits(name: str, seeds: range, grid: Any, restarts: int) -> dict[str, list[Fit]]:
    fits: dict[str, list[Fit]] = {SINGLE: [best_single(MATERN, name, seed, grid) for seed in seeds]}
    for method, outer in OUTER.items():
        models = (two_layers([mixture(), outer], grid, restarts, hidden=5) for _ in seeds)
        own = zip(seeds, models, strict=True)
        fits[method] = [functions.fitted(model, name, *functions.sample(name, seed)) for seed, model in own]
        fits[f"{method}, best penalties"] = [_best(outer, name, seed, grid) for seed in seeds[:BEST_DRAWS]]
    return fits


def _best(outer: Any, name: str, seed: int, grid: Any) -> Fit:
    """With the pair that has the smallest error on the grid, which nobody can know."""
    shared = {"hidden": [5], "n_init": STARTS_OF_A_PAIR, "random_state": 0}
    models = [
        gramian.DeepKernelRegressor([mixture(), outer], alpha=alpha, inner_alpha=inner_alpha, **shared)
        for alpha, inner_alpha in itertools.product(grid, grid)
    ]
    data = functions.sample(name, seed)
    return min((functions.fitted(model, name, *data) for model in models), key=lambda fit: fit.errors.rmse)
