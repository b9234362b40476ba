# SPDX-License-Identifier: BSD-3-Clause
"""[KAE] Sec. 5.1, Fig. 3: three noisy concentric circles through a code of one number, and through one of two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from bench.paper.common.outcome import Outcome, Settings, Table
from bench.paper.kae import networks, toys
from bench.paper.kae.models import FromUniformWeights, autoencoder

GAMMAS, ALPHA = (3.0, 1.0), 1e-3
GAMMAS_OF_PLANE = (1.0, 1.0)
SNAPSHOTS = (0, 1, 3, 10, 30, 100, 300)


def run(settings: Settings) -> Outcome:
    """Fit, compare, draw."""
    toy = toys.circles(90 if settings.quick else 300)
    iterations = SNAPSHOTS[:4] if settings.quick else SNAPSHOTS
    starts = 1 if settings.quick else 5
    uniform = {k: FromUniformWeights(toy.X, GAMMAS, ALPHA, k) for k in iterations}
    most = max(iterations)
    line = autoencoder(toy.X, 1, GAMMAS, ALPHA, most, n_init=starts, random_state=0)
    plane = autoencoder(toy.X, 2, GAMMAS_OF_PLANE, ALPHA, most)
    shallow, deep = _networks(toy.X, 50 if settings.quick else 3000, starts)
    networks_of = {"2-1-2": shallow, "2-32-1-32-2": deep}
    named = {f"uniform weights, {k} iterations": model for k, model in uniform.items()}
    named |= {f"best of {starts} starts, {most} iterations": line, "code of 2": plane}
    outcome = Outcome(
        "kae_circles", [_reconstruction(toy, uniform[most], line, networks_of, starts), _codes(toy, named)]
    )
    outcome.facts = {name: model.distortion_ for name, model in named.items()}
    outcome.facts |= {name: network.error(toy.X) for name, network in networks_of.items()}
    outcome.pictures = [_draw(settings, toy, uniform, plane, networks_of)]
    return outcome


def _networks(X: Any, epochs: int, starts: int) -> list[networks.Network]:
    def candidates(hidden: tuple[int, ...]) -> list[dict[str, Any]]:
        same = {"hidden": hidden, "activation": "tanh", "epochs": epochs, "rate": 1e-2, "batch": len(X)}
        return [same | {"seed": seed} for seed in range(starts)]

    return [networks.best_of(X, candidates(hidden)) for hidden in ((1,), (32, 1, 32))]


def _reconstruction(toy: toys.Toy, uniform: Any, line: Any, neural: dict[str, networks.Network], starts: int) -> Table:
    table = Table("Three circles through one number: mean |x - reconstruction|^2", ["model", "error"])
    table.rows = [
        ["kernel autoencoder 2-1-2 from uniform weights", uniform.distortion_],
        [f"kernel autoencoder 2-1-2, best of {starts} starts", line.distortion_],
    ]
    for name, network in neural.items():
        table.rows.append(
            [f"neural autoencoder {name}, best of {starts} starts ({networks.library()})", network.error(toy.X)]
        )
    table.rows.append(["the mean of the data", float(toy.X.var(axis=0).sum())])
    return table


def _codes(toy: toys.Toy, models: dict[str, Any]) -> Table:
    columns = ["kernel autoencoder", "error", "variance between circles", "nearest neighbour in own circle"]
    table = Table("How far the codes tell the circles apart", columns)
    for name, model in models.items():
        codes = model.embedding_
        shares = toys.between_share(codes, toy.cluster), toys.neighbour_accuracy(codes, toy.cluster)
        table.rows.append([name, model.distortion_, *shares])
    return table


def _draw(
    settings: Settings, toy: toys.Toy, uniform: dict[int, Any], plane: Any, neural: dict[str, networks.Network]
) -> Path:
    from bench.paper.common import draw

    final = uniform[max(uniform)]
    figure, axes = draw.panels(2, 3)
    draw.clusters(axes[0, 0], toy.X, toy.cluster)
    draw.plain(axes[0, 0], "three noisy circles")
    for ax, (name, network) in zip((axes[0, 1], axes[1, 2]), neural.items(), strict=True):
        _draw_curve(ax, toy, network.reconstruct(toy.X))
        draw.plain(ax, f"neural autoencoder {name}: error {network.error(toy.X):.2f}")
    _draw_curve(axes[0, 2], toy, final.inverse_transform(final.embedding_), final)
    draw.plain(axes[0, 2], f"kernel autoencoder 2-1-2: error {final.distortion_:.2f}")
    for column, model in enumerate(uniform.values()):
        draw.column(axes[1, 0], column, model.embedding_, toy.cluster)
    axes[1, 0].set_xticks(range(len(uniform)), [str(k) for k in uniform])
    axes[1, 0].set(xlabel="iterations", ylabel="code")
    axes[1, 0].set_title("codes of one number", fontsize=10)
    draw.clusters(axes[1, 1], plane.embedding_, toy.cluster)
    draw.plain(axes[1, 1], f"codes of two numbers: error {plane.distortion_:.3f}")
    return draw.save(figure, settings.output / "kae_circles.png")


def _draw_curve(ax: Any, toy: toys.Toy, reconstruction: Any, model: Any = None) -> None:
    from bench.paper.common import draw

    ax.scatter(*toy.X.T, s=8, c=draw.GREY)
    if model is not None:  # the whole curve that codes may lead to
        codes = model.embedding_
        ax.plot(*model.inverse_transform(np.linspace(codes.min(), codes.max(), 2000)[:, None]).T, c="black", lw=0.8)
    draw.clusters(ax, reconstruction, toy.cluster)
