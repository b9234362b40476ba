# SPDX-License-Identifier: BSD-3-Clause
"""[KAE] App. C.1, Fig. 5 to Fig. 7: codes of points in the line, of Gaussian clusters and of two moons."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.paper.common.outcome import Outcome, Settings, Table
from bench.paper.kae import toys
from bench.paper.kae.models import FromUniformWeights, autoencoder

GAMMAS, ALPHA = (1.0, 1.0), 1e-3
SNAPSHOTS = (0, 1, 2, 4, 8, 16, 200)


def run(settings: Settings) -> Outcome:
    """Fit and draw all three."""
    n = 40 if settings.quick else 100
    most = 20 if settings.quick else 300
    outcome = Outcome(
        "kae_codes", [Table("Codes of toy data", ["data", "code", "error", "nearest neighbour in own cluster"])]
    )
    for figure in (_line, _gaussians, _two_moons):
        outcome.pictures.append(figure(settings, n, most, outcome.tables[0]))
    return outcome


def _fit(table: Table, name: str, toy: toys.Toy, size: int, iterations: int) -> Any:
    """From uniform weights for one number; for two these would be the same number twice."""
    if size == 1:
        model: Any = FromUniformWeights(toy.X, GAMMAS, ALPHA, iterations)
    else:
        model = autoencoder(toy.X, size, GAMMAS, ALPHA, iterations)
    own = toys.neighbour_accuracy(model.embedding_, toy.cluster)
    table.rows.append([name, f"{size}-D", model.distortion_, own])
    return model


def _line(settings: Settings, n: int, most: int, table: Table) -> Any:
    """Figure 5: encoder and decoder over the iterations, and codes of one and of two numbers."""
    from bench.paper.common import draw

    toy = toys.two_heaps(n)
    steps = [step for step in SNAPSHOTS if step <= most]
    models = [FromUniformWeights(toy.X, GAMMAS, ALPHA, step) for step in steps]
    figure, axes = draw.panels(2, 2, width=4.4)
    grid = np.linspace(-0.6, 2.6, 300)[:, None]
    labels = [str(step) for step in steps]
    draw.evolution(axes[0, 0], grid, [model.transform(grid) for model in models], labels)
    axes[0, 0].plot(toy.X, np.full(n, axes[0, 0].get_ylim()[0]), "|", color="grey")
    axes[0, 0].set(title="(a) encoder", xlabel="point", ylabel="code")
    axes[0, 0].legend(title="iterations", fontsize=7, title_fontsize=7, frameon=False)
    codes = np.linspace(*_range([model.embedding_ for model in models]), 600)[:, None]
    draw.evolution(axes[0, 1], codes, [_where_codes_are(model, codes) for model in models], labels)
    axes[0, 1].set(title="(b) decoder", xlabel="code", ylabel="reconstruction")
    for ax, size in ((axes[1, 0], 1), (axes[1, 1], 2)):
        model = _fit(table, "two heaps in the line", toy, size, most)
        shown = np.c_[toy.X, model.embedding_] if size == 1 else model.embedding_
        draw.clusters(ax, shown, toy.cluster)
    axes[1, 0].set(title="(c) codes of one number", xlabel="point", ylabel="code")
    axes[1, 1].set(title="(d) codes of two numbers", xlabel="first", ylabel="second")
    return draw.save(figure, settings.output / "kae_line.png")


def _range(codes: Any) -> tuple[float, float]:
    """From the least to the largest code, and a little beyond."""
    low, high = np.min(codes), np.max(codes)
    return float(low - 0.1 * (high - low)), float(high + 0.1 * (high - low))


def _where_codes_are(model: Any, codes: Any) -> Any:
    """The decoder between the codes of its own samples: beyond these it falls to zero."""
    low, high = _range(model.embedding_)
    return np.where((codes >= low) & (codes <= high), model.inverse_transform(codes), np.nan)


def _gaussians(settings: Settings, n: int, most: int, table: Table) -> Any:
    """Figure 6: two and three clusters, coloured by their code of one number."""
    from bench.paper.common import draw

    figure, axes = draw.panels(2, 2, width=4.4)
    for row, clusters in enumerate((2, 3)):
        toy = toys.gaussian_clusters(n, clusters)
        model = _fit(table, f"{clusters} Gaussian clusters", toy, 1, most)
        _coloured(axes[row, 0], toy.X, model.embedding_[:, 0], f"{clusters} clusters, coloured by their code")
        draw.strip(axes[row, 1], model.embedding_, toy.cluster)
    return draw.save(figure, settings.output / "kae_gaussians.png")


def _two_moons(settings: Settings, n: int, most: int, table: Table) -> Any:
    """Figure 7: two moons through one number and through two."""
    from bench.paper.common import draw

    toy = toys.moons(2 * n)
    figure, axes = draw.panels(2, 2, width=4.4)
    line = _fit(table, "two moons", toy, 1, most)
    plane = _fit(table, "two moons", toy, 2, most)
    _coloured(axes[0, 0], toy.X, line.embedding_[:, 0], "two moons, coloured by their code")
    draw.strip(axes[0, 1], line.embedding_, toy.cluster)
    _coloured(axes[1, 0], toy.X, plane.embedding_[:, 0], "coloured by the first of two numbers")
    draw.clusters(axes[1, 1], plane.embedding_, toy.cluster)
    draw.plain(axes[1, 1], "codes of two numbers")
    return draw.save(figure, settings.output / "kae_moons.png")


def _coloured(ax: Any, X: Any, code: Any, title: str) -> None:
    from bench.paper.common import draw

    shades = ax.scatter(*X.T, c=code, s=16, cmap="coolwarm", edgecolors="grey", linewidths=0.3)
    ax.figure.colorbar(shades, ax=ax, shrink=0.8)
    draw.plain(ax, title)
