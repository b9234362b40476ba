# SPDX-License-Identifier: BSD-3-Clause
"""
[KDE] Sec. 6.3, Fig. 2: error and time of the conditional covariance with ranks m1 = m2 = n, and of ridge on n pairs.

The large protocol on views of objects: all pairs train the low-rank model, n of them the other one.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from bench.paper.common.outcome import Outcome, Settings, Table
from bench.paper.kde import data
from bench.paper.kde.faces import MOST_TO_CHOOSE_ON, SCALES, Protocol, splits
from bench.paper.kde.methods import CONDITIONAL, IDENTITY, METHODS, Choice, regressor, select

RANKS = (10, 30, 100, 200, 300)
REPETITIONS = 3
ALPHAS = {IDENTITY: (1e-4, 1e-3, 1e-2), CONDITIONAL: (1e-4, 1e-3, 1e-2)}
EPSILONS = (1e-2, 1.0)


def run(settings: Settings) -> Outcome:
    """Parameters are chosen on some of the training pairs, without ranks, and are kept for all ranks."""
    outcome = Outcome("kde_ranks")
    pairs = data.object_views(settings, outcome)
    protocol = Protocol(150, 50, 1) if settings.quick else Protocol(1200, len(pairs.X) - 1200, 1)
    train, test = next(splits(pairs, protocol, alone=False))
    ranks = RANKS[:2] if settings.quick else RANKS
    columns = ["n", f"{METHODS[CONDITIONAL]}, rank n", "seconds", f"{METHODS[IDENTITY]}, n pairs", "seconds"]
    title = f"{pairs.name}, {protocol.train} + {protocol.test} pairs: mean squared error a pixel, time of fit"
    table = Table(title, columns)
    curves: dict[str, list[tuple[int, float, float]]] = {CONDITIONAL: [], IDENTITY: []}
    best = {method: _choice(pairs, method, train[:MOST_TO_CHOOSE_ON]) for method in curves}
    for n in (*ranks, len(train)):
        rank = None if n == len(train) else n
        curves[CONDITIONAL].append((n, *_measured(pairs, CONDITIONAL, best[CONDITIONAL], train, test, rank)))
        curves[IDENTITY].append((n, *_measured(pairs, IDENTITY, best[IDENTITY], train[:n], test, None)))
        last = [curves[method][-1][1:] for method in curves]
        table.rows.append([str(n) if rank else f"{n}, exact", *last[0], *last[1]])
    outcome.tables.append(table)
    outcome.facts = {"curves": curves, "chosen": best}
    outcome.pictures.append(_picture(settings, curves))
    return outcome


def _choice(pairs: data.Pairs, method: str, some: Any) -> Choice:
    from scipy.spatial.distance import pdist

    median = float(np.median(pdist(pairs.X[some])))
    held = len(some) // 4
    choices = [
        {"alpha": alpha, "epsilon": epsilon, "width": scale * median}
        for alpha in ALPHAS[method]
        for epsilon in (EPSILONS if method == CONDITIONAL else EPSILONS[:1])
        for scale in SCALES
    ]

    def error(choice: Choice, a: Any, b: Any) -> float:
        return _fit_and_error(pairs, method, choice, a, b, None)[0]

    return select(choices, error, [(some[held:], some[:held])])


def _fit_and_error(
    pairs: data.Pairs, method: str, choice: Choice, train: Any, test: Any, rank: int | None
) -> tuple[float, float]:
    """Mean squared error, and seconds of the fit."""
    model = regressor(method, choice, len(pairs.X[train]), preimage="linear", rank=rank)
    start = time.perf_counter()
    model.fit(pairs.X[train], pairs.Y[train])
    seconds = time.perf_counter() - start
    return float(np.mean((pairs.Y[test] - model.predict(pairs.X[test])) ** 2)), seconds


def _measured(
    pairs: data.Pairs, method: str, choice: Choice, train: Any, test: Any, rank: int | None
) -> tuple[float, float]:
    runs = [_fit_and_error(pairs, method, choice, train, test, rank) for _ in range(REPETITIONS)]
    return runs[0][0], min(seconds for _, seconds in runs)


def _picture(settings: Settings, curves: dict[str, list[tuple[int, float, float]]]) -> Any:
    from bench.paper.common import draw

    figure, axes = draw.panels(1, 2, width=4.4)
    labels = {CONDITIONAL: "conditional covariance, rank n of all pairs", IDENTITY: "identity, n pairs"}
    for number, (method, points) in enumerate(curves.items()):
        n, error, seconds = (np.array(column) for column in zip(*points, strict=True))
        style = {"color": draw.CLUSTERS[number], "marker": draw.MARKERS[number], "label": labels[method]}
        axes[0, 0].loglog(n, error, **style)
        axes[0, 1].loglog(n, seconds, **style)
    axes[0, 0].set(xlabel="n; the last one: all pairs, exact", ylabel="mean squared error a pixel")
    axes[0, 1].set(xlabel="n; the last one: all pairs, exact", ylabel="seconds of the fit")
    axes[0, 0].legend(frameon=False, fontsize=8)
    return draw.save(figure, settings.output / "kde_ranks.png")
