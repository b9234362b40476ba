# SPDX-License-Identifier: BSD-3-Clause
"""
[DKL] Sec. 4.2.2, Fig. 4: regression with a Gaussian of width 0.1, which is too narrow for one layer.

Penalties come from the printed grid by five folds. One layer has, as in the paper, the penalty with the smallest error
on the grid, which nobody can know, and in a row of its own the one of five folds.
"""

from __future__ import annotations

from typing import Any

import gramian
import numpy as np

from bench.paper.common.outcome import Outcome, Settings, Table
from bench.paper.dkl import functions
from bench.paper.dkl.functions import FUNCTIONS, NARROW, Fit

DRAWS = 10
GRID = tuple(2.0 ** (1 - 2 * t) for t in range(1, 11))
SINGLE = "one layer, best lambda"
CHOSEN = "one layer, five folds"
DEGREES = {"two layers, p = 1": 1, "two layers, p = 2": 2}
SMALLEST = "two layers, p = 2, smallest lambda, mu"
"""The pair with the smallest value of (Reg), as printed: always this one."""


def run(settings: Settings) -> Outcome:
    """Tables for both functions, and the figure."""
    outcome = Outcome("dkl_regression", facts={"grid": GRID})
    seeds = range(1 if settings.quick else DRAWS)
    grid = GRID[::4] if settings.quick else GRID
    shown = {}
    for name in FUNCTIONS:
        fits = _fits(name, seeds, grid, functions.restarts(settings))
        title = f"{name}, regression with a Gaussian of width 0.1, {len(seeds)} draws of {functions.SAMPLES}"
        outcome.tables += [functions.table_of(title, fits, SINGLE), chosen(name, fits)]
        shown[name] = [fits[method][0] for method in (SINGLE, *DEGREES)]
    outcome.pictures.append(picture(settings, "dkl_regression", shown, [SINGLE, *DEGREES]))
    return outcome


def two_layers(kernels: list[Any], grid: Any, restarts: int, hidden: int = 2) -> Any:
    """(Reg) with penalties from a grid by five folds; the folds have a quarter of the starts."""
    return gramian.DeepKernelRegressor(
        kernels, hidden=[hidden], alphas=grid, inner_alphas=grid, n_init=restarts, random_state=0
    )


def best_single(outer: Any, name: str, seed: int, grid: Any) -> Fit:
    """(5) with the penalty that has the smallest error on the grid."""
    data = functions.sample(name, seed)
    tried = (gramian.DeepKernelRegressor([outer], hidden=(), alpha=alpha) for alpha in grid)
    return min((functions.fitted(model, name, *data) for model in tried), key=lambda fit: fit.errors.rmse)


def _fits(name: str, seeds: range, grid: Any, restarts: int) -> dict[str, list[Fit]]:
    fits: dict[str, list[Fit]] = {SINGLE: [best_single(NARROW, name, seed, grid) for seed in seeds]}
    fits[CHOSEN] = [_fit(gramian.DeepKernelRegressor([NARROW], hidden=(), alphas=grid), name, seed) for seed in seeds]
    for method, degree in DEGREES.items():
        kernels = [functions.inner(degree), NARROW]
        fits[method] = [_fit(two_layers(kernels, grid, restarts), name, seed) for seed in seeds]
    smallest = [min(grid)]
    kernels = [functions.inner(2), NARROW]
    fits[SMALLEST] = [_fit(two_layers(kernels, smallest, restarts), name, seed) for seed in seeds]
    return fits


def _fit(model: Any, name: str, seed: int) -> Fit:
    return functions.fitted(model.set_params(random_state=0), name, *functions.sample(name, seed))


def chosen(name: str, fits: dict[str, list[Fit]]) -> Table:
    """What the folds took, draw by draw."""
    table = Table(f"{name}: penalties", ["method", "lambda, median", "mu, median", "lambda, draw 0", "mu, draw 0"])
    for method, own in fits.items():
        alphas = [fit.model.alpha_ for fit in own]
        inner = [fit.model.inner_alpha_[0] for fit in own if len(fit.model.inner_alpha_)]
        inner_alpha = [float(np.median(inner)), inner[0]] if inner else [None, None]
        table.rows.append([method, float(np.median(alphas)), inner_alpha[0], alphas[0], inner_alpha[1]])
    return table


def picture(settings: Settings, stem: str, shown: dict[str, list[Fit]], titles: list[str]) -> Any:
    """Pointwise errors of the first draw."""
    from bench.paper.dkl import pictures

    points = {name: functions.sample(name, 0)[0] for name in shown}
    return pictures.errors_of(settings.output / f"{stem}.png", shown, titles, points)
