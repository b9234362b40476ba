# SPDX-License-Identifier: BSD-3-Clause
"""Functions on the square: values, pointwise errors, transformed grids. One scale for all panels of a kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np

from bench.paper.dkl.functions import FUNCTIONS, SHOWN, Array, grid, relative

VALUES = "viridis"
ERRORS = "YlOrRd"  # its lightness falls all the way, so that it reads without colours
ABOVE = "#1a1a1a"
SIDE = 101


def values_map(ax: Any, values: Array, top: float) -> Any:
    """A function on the grid."""
    levels = np.linspace(0, top, 21)
    ticks = np.linspace(-1, 1, SIDE)
    shown = ax.contourf(ticks, ticks, values.reshape(SIDE, SIDE), levels, cmap=VALUES, extend="both")
    _square(ax)
    return shown


def error_map(ax: Any, truth: Array, values: Array) -> Any:
    """Its error: ten steps up to a tenth of the largest value, and what is above in black."""
    percent = 100 * relative(truth, values).reshape(SIDE, SIDE)
    ticks = np.linspace(-1, 1, SIDE)
    colours = matplotlib.colormaps[ERRORS].with_extremes(over=ABOVE)
    shown = ax.contourf(ticks, ticks, percent, np.arange(0, 100 * SHOWN + 1), cmap=colours, extend="max")
    _square(ax)
    return shown


def samples(ax: Any, X: Array) -> None:
    """The points that were learned from."""
    ax.scatter(*X.T, s=6, c="white", edgecolors="black", linewidths=0.4)


def errors_of(path: Any, rows: dict[str, Sequence[Any]], columns: Sequence[str], points: dict[str, Array]) -> Any:
    """Figures 3, 4 and 5: a row for each function, a column for each method, one colour bar."""
    from bench.paper.common import draw

    figure, axes = draw.panels(len(rows), len(columns), width=3.3, height=3.25)
    where = grid(SIDE)
    for line, (name, fits) in zip(axes, rows.items(), strict=True):
        truth = FUNCTIONS[name](where)
        for ax, title, fit in zip(line, columns, fits, strict=True):
            shown = error_map(ax, truth, fit.model.predict(where))
            samples(ax, points[name])
            rmse, _, area = (100 * part for part in fit.errors)
            ax.set_title(f"{name}: {title}\nRMSE {rmse:.1f} %, above 10 % on {area:.0f} %", fontsize=10)
    bar = figure.colorbar(shown, ax=axes, shrink=0.6, ticks=np.arange(0, 11, 2))
    bar.set_label(f"error, % of the largest value; black: above {100 * SHOWN:.0f} %")
    return draw.save(figure, path)


def transformed(ax: Any, images: Array, values: Array, top: float) -> Any:
    """Points where the inner function has put them, in the colours of the values at their origin."""
    order = np.argsort(values, kind="stable")  # the kink, or the jump, on top
    shown = ax.scatter(*images[order].T, s=5, c=values[order], cmap=VALUES, vmin=0, vmax=top, linewidths=0)
    ax.tick_params(labelsize=8)
    return shown


def _square(ax: Any) -> None:
    ax.set_aspect("equal")
    ax.set_xticks([-1, 0, 1])
    ax.set_yticks([-1, 0, 1])
    ax.tick_params(labelsize=8)
