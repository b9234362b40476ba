# SPDX-License-Identifier: BSD-3-Clause
"""
[DKL] Sec. 3.3.1, Fig. 2: two layers with one hidden output, as a network with one hidden layer, and its drawing.

Inputs are the kernel values of a sample; each hidden neuron has a cluster of neurons beside it that are always on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import gramian
import numpy as np
from gramian.kernels import Gaussian, Matern

from bench.paper.common.outcome import Outcome, Settings, Table
from bench.paper.dkl import functions
from bench.paper.dkl.functions import Array

INNER, LENGTH = Gaussian(gamma=1.5), 0.8  # the outer kernel is a(|z - z'|), a(r) = exp(-r / LENGTH)
COUNT = 60
DRAWN = 3


class Network(NamedTuple):
    """Weights of inputs and of always-on clusters, c and -c, of the output, and the samples behind the neurons."""

    c: Array
    output: Array
    samples: Array

    def __call__(self, X: Array) -> Array:
        """Run it: hidden neuron i sees sum_j c_j K(x_j, x) and, from its own cluster, -sum_j c_j K(x_i, x_j)."""
        signal, always_on = INNER(X, self.samples), INNER(self.samples)
        into = (signal @ self.c)[:, None] - (always_on @ self.c)[None]
        return np.asarray(np.exp(-np.abs(into) / LENGTH) @ self.output)


def fitted(count: int = COUNT) -> Any:
    """A regression whose only hidden output is one number, as in the figure."""
    X, y = functions.sample("h1", 0, count)
    return gramian.DeepKernelRegressor(
        [INNER, Matern(nu=0.5, length_scale=LENGTH)], hidden=1, alpha=1e-2, inner_alpha=1e-3, n_init=2, random_state=0
    ).fit(X, y)


def network_of(model: Any) -> Network:
    """Read it off the coefficients."""
    return Network(model.coefficients_[0][:, 0], model.coefficients_[1][:, 0], model.supports_[0])


def run(settings: Settings) -> Outcome:
    """Compare both, and draw."""
    model, points = fitted(), functions.grid()
    network = network_of(model)
    values = model.predict(points)
    table = Table("the network and the two layers on the grid", ["neurons", "largest value", "largest difference"])
    table.rows = [[len(network.c), float(np.abs(values).max()), float(np.abs(network(points) - values).max())]]
    outcome = Outcome("dkl_network", facts={"samples": COUNT})
    outcome.tables.append(table)
    outcome.pictures.append(_picture(settings))
    return outcome


def _picture(settings: Settings) -> Any:
    from bench.paper.common import draw

    figure, ((ax,),) = draw.panels(1, 1, width=7.0, height=4.6)
    names = ["1", "2", "N"]
    rows = {name: 2.0 * (DRAWN - 1 - k) for k, name in enumerate(names)}
    for name, y in rows.items():
        for other in rows.values():
            _line(ax, (0, y), (4, other), draw.CLUSTERS[0], f"$c_{name}$" if y == other else "")
        _line(ax, (4, y + 0.95), (4, y), draw.CLUSTERS[1], "$-c_j$")
        _node(ax, (4, y + 0.95), f"$k_1(x_{name}, x_j)$, always on", draw.CLUSTERS[1], 0.15, left=False)
        _line(ax, (4, y), (6.6, 2.0), draw.CLUSTERS[2], f"$\\alpha_{name}$")
        _node(ax, (0, y), f"$k_1(x_{name}, x)$", draw.CLUSTERS[0], 0.22, left=True)
        _node(ax, (4, y), "$a(|\\cdot|)$", draw.CLUSTERS[2], 0.3)
    _node(ax, (6.6, 2.0), "$f(x)$", "black", 0.22, left=False)
    ax.set(xlim=(-1.4, 7.6), ylim=(-0.6, 5.3), aspect="equal")
    ax.axis("off")
    return draw.save(figure, settings.output / "dkl_network.png")


def _line(ax: Any, start: tuple[float, float], end: tuple[float, float], color: str, label: str) -> None:
    ax.plot(*zip(start, end, strict=True), color=color, alpha=0.7, linewidth=1.0, zorder=1)
    if label:
        at = 0.3 * np.array(start) + 0.7 * np.array(end)
        ax.text(at[0] + 0.08, at[1] + 0.08, label, ha="left", va="bottom", fontsize=9, color=color)


def _node(ax: Any, at: tuple[float, float], text: str, color: str, radius: float, left: bool | None = None) -> None:
    from matplotlib.patches import Circle

    ax.add_patch(Circle(at, radius, facecolor="white", edgecolor=color, linewidth=1.5, zorder=3))
    if left is None:
        ax.text(*at, text, ha="center", va="center", fontsize=8, zorder=4)
    else:
        ax.text(at[0] + (-0.3 if left else 0.3), at[1], text, ha="right" if left else "left", va="center", fontsize=10)


__all__ = ["Network", "fitted", "network_of", "run"]
