# SPDX-License-Identifier: BSD-3-Clause
"""
[DKL] Sec. 4.2, "64 runs were sufficient": where searches of (Int) end: what is searched, by which method, from how far.

The paper searches N x D coefficients by BFGS, and doesn't say how its starts are drawn. A polynomial of degree one or
two has rank three or six in two dimensions, so that features say the same with fewer numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bench.paper.common.outcome import Outcome, Settings, Table
from bench.paper.dkl import functions
from bench.paper.dkl.functions import FUNCTIONS, Errors
from bench.paper.dkl.interpolation import interpolator

SEEDS = 10
SINGLE_STARTS = 400
TICKS = {"h1": (50, 100, 200, 400), "h2": (8, 16, 32, 64)}
RANDOM = {"init": "random", "refined_share": 0.0}
SEARCHES: dict[str, dict[str, Any]] = {
    "coefficients, BFGS, as in the paper": {"inner_parameters": "coefficients", "solver": "bfgs", **RANDOM},
    "coefficients, L-BFGS": {"inner_parameters": "coefficients", **RANDOM},
    "features, BFGS": {"solver": "bfgs", **RANDOM},
    "features, L-BFGS": RANDOM,
    "features, L-BFGS, starts three times as large": {"init_scale": 3.0, **RANDOM},
    "the class's own: a quarter near the best one": {},
}


class End(NamedTuple):
    """Where one search ended."""

    objective: float
    errors: Errors


def run(settings: Settings) -> Outcome:
    """Best ends by kinds of search, and a picture of 400 ends."""
    outcome = Outcome("dkl_starts", facts={"seeds": SEEDS})
    for name in FUNCTIONS:
        for degree in (1, 2):
            outcome.tables.append(_table(name, degree, settings))
    outcome.pictures.append(_picture(settings, outcome))
    return outcome


def _table(name: str, degree: int, settings: Settings) -> Table:
    X, y = functions.sample(name, 0)
    seeds, count = 1 if settings.quick else SEEDS, functions.restarts(settings)
    table = Table(
        f"{name}, p = {degree}: objective (Int) after {count} starts, {seeds} seeds",
        ["search", "best", "median best", "worst best", "median of all ends", "within 1 % of the best known, %"],
    )
    ends = {}
    for search, options in SEARCHES.items():
        models = [interpolator(degree, count, **{**options, "random_state": seed}) for seed in range(seeds)]
        ends[search] = np.array([functions.fitted(model, name, X, y).model.init_objectives_ for model in models])
    known = min(found.min() for found in ends.values())
    for search, found in ends.items():
        best = found.min(axis=1)
        near = 100 * float(np.mean(found <= 1.01 * known))
        row = [float(value) for value in (best.min(), np.median(best), best.max(), np.median(found))]
        table.rows.append([search, *row, near])
    return table


def ends(name: str, degree: int, count: int) -> list[End]:
    """Single searches from random starts, with the errors of each."""
    X, y = functions.sample(name, 0)
    found = []
    for seed in range(count):
        fit = functions.fitted(interpolator(degree, 1, init="random", random_state=seed), name, X, y)
        found.append(End(fit.objective, fit.errors))
    return found


def _picture(settings: Settings, outcome: Outcome) -> Any:
    """A smaller objective, a smaller error? A panel for each function."""
    from bench.paper.common import draw

    figure, axes = draw.panels(1, 2, width=4.6, height=3.6)
    count = 10 if settings.quick else SINGLE_STARTS
    for ax, name in zip(axes[0], FUNCTIONS, strict=True):
        for degree in (1, 2):
            found = ends(name, degree, count)
            objective = np.array([end.objective for end in found])
            rmse = np.array([100 * end.errors.rmse for end in found])
            style = {"c": draw.CLUSTERS[degree - 1], "marker": draw.MARKERS[degree - 1], "s": 16, "alpha": 0.5}
            ax.scatter(objective, rmse, label=f"p = {degree}", linewidths=0, **style)
            circle = {"s": 90, "facecolors": "none", "edgecolors": "black"}
            ax.scatter(
                objective.min(), rmse[objective.argmin()], label="smallest objective" if degree == 2 else None, **circle
            )
            outcome.facts[f"{name}, p = {degree}"] = [
                [float(a), float(b)] for a, b in zip(objective, rmse, strict=True)
            ]
        single = functions.fitted(interpolator(0, 1), name, *functions.sample(name, 0)).errors.rmse
        ax.axhline(100 * single, color="black", linestyle="--", linewidth=1, label="one layer")
        ax.set(xscale="log", xlabel="objective (Int) at the end of a search", ylabel="RMSE, %", ylim=(0, None))
        ax.set_title(f"{name}: {count} searches from random starts", fontsize=10)
        ax.set_xticks(TICKS[name], [str(tick) for tick in TICKS[name]])
        ax.set_xticks([], minor=True)
        ax.legend(frameon=False, fontsize=8)
    return draw.save(figure, settings.output / "dkl_starts.png")
