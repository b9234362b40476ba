# SPDX-License-Identifier: BSD-3-Clause
"""
[DKL] Sec. 3, Fig. 1: a kink along an axis, along the diagonal, and along the diagonal after a rotation by 45 degrees.

Interpolation of 200 values in the space of the tensor Matérn kernel of order one; beside the paper's three interpolants
one whose linear inner function is learned.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import gramian
import numpy as np

from bench.paper.common.outcome import Outcome, Settings, Table
from bench.paper.dkl import functions
from bench.paper.dkl.functions import MATERN, Array, Errors

COUNT = 200
HALF = np.sqrt(0.5)
TURN = np.array([[HALF, -HALF], [HALF, HALF]])  # the diagonal becomes an axis
TOP = 10.0


class Panel(NamedTuple):
    """One interpolant."""

    title: str
    truth: Array
    values: Array
    errors: Errors
    squared_norm: float


def along_axis(X: Array) -> Array:
    """g_1 of section 3: h_1 turned, its kink perpendicular to the first axis."""
    return 1 / (0.1 + np.abs(X[:, 0]))


def run(settings: Settings) -> Outcome:
    """Four interpolants, errors, squared norms and the picture."""
    outcome = Outcome("dkl_kink", facts={"samples": COUNT})
    X = np.random.default_rng(0).uniform(-1, 1, size=(COUNT, 2))
    panels = [
        interpolant("(a) kink along an axis", along_axis, X),
        interpolant("(b) kink along the diagonal", functions.h1, X),
        interpolant("(c) the same, rotated first", functions.h1, X, turn=TURN),
        learned("(d) the same, linear map learned", X, functions.restarts(settings)),
    ]
    table = Table(
        f"tensor Matérn kernel, {COUNT} samples: errors as parts of the largest value, squared norm",
        ["interpolant", "rmse", "largest", "area above 10 %", "squared norm"],
    )
    table.rows = [[panel.title, *panel.errors, panel.squared_norm] for panel in panels]
    outcome.tables.append(table)
    outcome.pictures.append(_picture(settings, X, panels))
    return outcome


def interpolant(title: str, function: Any, X: Array, turn: Array | None = None) -> Panel:
    """The one of least norm, behind a rotation if there is one."""
    turn = np.eye(2) if turn is None else turn
    model = gramian.DeepKernelInterpolator([MATERN], hidden=()).fit(X @ turn.T, function(X))
    return _panel(title, function, model.predict(functions.grid() @ turn.T), model.squared_norms_[-1])


def learned(title: str, X: Array, restarts: int) -> Panel:
    """A polynomial of degree one as inner function."""
    model = gramian.DeepKernelInterpolator([functions.inner(1), MATERN], n_init=restarts, random_state=0)
    model.fit(X, functions.h1(X))
    return _panel(title, functions.h1, model.predict(functions.grid()), model.squared_norms_[-1])


def _panel(title: str, function: Any, values: Array, squared_norm: float) -> Panel:
    truth = function(functions.grid())
    return Panel(title, truth, values, functions.errors(truth, values), float(squared_norm))


def _picture(settings: Settings, X: Array, panels: list[Panel]) -> Any:
    """Interpolants above, errors below."""
    from bench.paper.common import draw
    from bench.paper.dkl import pictures

    figure, axes = draw.panels(2, len(panels), width=3.2, height=3.1)
    for above, below, panel in zip(*axes, panels, strict=True):
        values = pictures.values_map(above, panel.values, TOP)
        pictures.samples(above, X)
        above.set_title(panel.title, fontsize=10)
        wrong = pictures.error_map(below, panel.truth, panel.values)
        below.set_title(f"error: RMSE {100 * panel.errors.rmse:.1f} %", fontsize=10)
    figure.colorbar(values, ax=axes[0], ticks=np.arange(0, 11, 2)).set_label("interpolant")
    figure.colorbar(wrong, ax=axes[1], ticks=np.arange(0, 11, 2)).set_label("error, %; black: above 10")
    return draw.save(figure, settings.output / "dkl_kink.png")
