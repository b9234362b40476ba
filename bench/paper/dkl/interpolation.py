# SPDX-License-Identifier: BSD-3-Clause
"""
[DKL] Sec. 4.2.1, Sec. 4.3, Fig. 3, Fig. 6: one layer and two interpolate, and the inner function's image of the square.

The paper has one draw of 100 samples; here are twenty, the first of which is shown.
"""

from __future__ import annotations

from typing import Any

import gramian
import numpy as np
from scipy.stats import spearmanr

from bench.paper.common.outcome import Outcome, Settings, Table, spread
from bench.paper.dkl import functions
from bench.paper.dkl.functions import FUNCTIONS, MATERN, Fit

DRAWS = 20
SINGLE = "one layer"
DEGREES = {"two layers, p = 1": 1, "two layers, p = 2": 2}


def run(settings: Settings) -> Outcome:
    """Tables for both functions, and the two figures."""
    outcome = Outcome("dkl_interpolation")
    seeds = range(2 if settings.quick else DRAWS)
    found = {name: _fits(name, seeds, settings) for name in FUNCTIONS}
    for name, fits in found.items():
        title = f"{name}, interpolation with the tensor Matérn kernel, {len(seeds)} draws of {functions.SAMPLES}"
        outcome.tables.append(functions.table_of(title, fits, SINGLE))
    outcome.tables.append(_alignment(found))
    outcome.facts = {"rmse": {name: _rmse(fits) for name, fits in found.items()}}
    shown = {name: [own[0] for own in fits.values()] for name, fits in found.items()}
    outcome.pictures = [_errors(settings, shown), _transformation(settings, shown)]
    return outcome


def interpolator(degree: int, restarts: int, **options: Any) -> Any:
    """(Int) with the printed kernels, for degree 0 (1)."""
    if degree == 0:
        return gramian.DeepKernelInterpolator([MATERN], hidden=())
    kernels = [functions.inner(degree), MATERN]
    return gramian.DeepKernelInterpolator(kernels, n_init=restarts, **{"random_state": 0, **options})


def _fits(name: str, seeds: range, settings: Settings) -> dict[str, list[Fit]]:
    found: dict[str, list[Fit]] = {}
    for method, degree in {SINGLE: 0, **DEGREES}.items():
        models = (interpolator(degree, functions.restarts(settings)) for _ in seeds)
        own = zip(seeds, models, strict=True)
        found[method] = [functions.fitted(model, name, *functions.sample(name, seed)) for seed, model in own]
    return found


def _rmse(fits: dict[str, list[Fit]]) -> dict[str, list[float]]:
    return {method: [fit.errors.rmse for fit in own] for method, own in fits.items()}


ARGUMENTS = {"h1": lambda X: X[:, 0] - X[:, 1], "h2": lambda X: X[:, 0] * X[:, 1]}
"""What the functions depend on."""


def order(model: Any, name: str) -> float:
    """Rank correlation of an image coordinate, the better one, with what the function depends on."""
    points = functions.grid(41)
    images = points if model is None else model.transform(points)
    return float(max(abs(spearmanr(column, ARGUMENTS[name](points)).statistic) for column in images.T))


def narrowness(model: Any) -> float:
    """The length of the image of the kink, the diagonal of the square, over that of the other diagonal."""
    line = np.linspace(-1, 1, 401)
    lengths = []
    for direction in (1.0, -1.0):
        images = model.transform(np.c_[line, direction * line])
        lengths.append(np.linalg.norm(np.diff(images, axis=0), axis=1).sum())
    return float(lengths[0] / lengths[1])


def _alignment(found: dict[str, dict[str, list[Fit]]]) -> Table:
    """4.3: whether one coordinate alone tells where the kink is, and the jump."""
    title = "inner functions: rank correlation of a coordinate with x - y, x y; length of the kink over that across it"
    table = Table(title, ["inner function", "h1: correlation", "h1: length ratio", "h2: correlation"])
    table.rows.append(["none", order(None, "h1"), 1.0, order(None, "h2")])
    for method in DEGREES:
        orders = {name: [order(fit.model, name) for fit in found[name][method]] for name in FUNCTIONS}
        ratios = [narrowness(fit.model) for fit in found["h1"][method]]
        table.rows.append([method, spread(orders["h1"]), spread(ratios), spread(orders["h2"])])
    return table


def _errors(settings: Settings, shown: dict[str, list[Fit]]) -> Any:
    from bench.paper.dkl import pictures

    points = {name: functions.sample(name, 0)[0] for name in shown}
    return pictures.errors_of(settings.output / "dkl_interpolation.png", shown, [SINGLE, *DEGREES], points)


def _transformation(settings: Settings, shown: dict[str, list[Fit]]) -> Any:
    """Figure 6: the grid, and its images; a colour bar for each function."""
    from bench.paper.common import draw
    from bench.paper.dkl import pictures

    figure, axes = draw.panels(2, 3, width=3.5, height=3.1)
    points = functions.grid(61)
    for line, (name, fits) in zip(axes, shown.items(), strict=True):
        values = FUNCTIONS[name](points)
        images = [points, *[fit.model.transform(points) for fit in fits[1:]]]
        for ax, title, where in zip(line, ["the grid", *DEGREES], images, strict=True):
            dots = pictures.transformed(ax, where, values, float(values.max()))
            ax.set_title(f"{name}: {title}", fontsize=10)
            ax.set(xlabel="first coordinate", ylabel="second coordinate")
        figure.colorbar(dots, ax=line).set_label(name)
    return draw.save(figure, settings.output / "dkl_transformation.png")
