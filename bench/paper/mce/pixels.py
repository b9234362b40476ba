# SPDX-License-Identifier: BSD-3-Clause
"""
[MCE] Sec. 5, Fig. 2, bottom: which pixels tell digits apart, by their learned length scales; batches of 1200 pictures.

The paper's groups of digits are not readable in its text; here are pairs, a triple and all ten.
"""

from __future__ import annotations

from typing import Any

import gramian
import numpy as np

from bench.paper.common import mnist
from bench.paper.common.outcome import Outcome, Settings, Table
from bench.paper.mce.methods import accuracy, gaussian

GROUPS = ((0, 1), (3, 8), (4, 9), (5, 6, 8), tuple(range(10)))
PICTURES, BATCH, STEPS = 3000, 1200, 100
"""[MCE] has all training pictures of a group; these many support the classifier at the end, which takes their cube."""


def run(settings: Settings) -> Outcome:
    """An image of the relevance of each pixel, for each group."""
    from bench.paper.common import draw

    outcome = Outcome("mce_pixels")
    found = mnist.pictures(settings, outcome)
    steps, batch = (10, 100) if settings.quick else (STEPS, BATCH)
    table = Table(f"{found.name}: accuracy in percent", ["digits", "accuracy", "pixels for half of the relevance"])
    figure, axes = draw.panels(1, len(GROUPS), width=2.2, height=2.5)
    for ax, group in zip(axes[0], GROUPS, strict=True):
        X, y = found.draw(300 if settings.quick else PICTURES, seed=0, among=group)
        there = np.isin(found.y_test, group)
        models: list[Any] = []

        def build(X: Any, models: list[Any] = models) -> Any:
            models.append(gaussian(X, steps, batch_size=batch, tau=4 * np.e * len(X) / batch))
            return models[-1]

        reached = accuracy(build, X, y, found.X_test[there], found.y_test[there])
        display = weighed(models[-1], X, found.shape).plot(ax=ax)
        ax.set_title("all" if len(group) == 10 else ", ".join(map(str, group)), fontsize=10)
        table.rows.append(["".join(map(str, group)), 100 * reached, float(half(display.relevance))])
    outcome.tables.append(table)
    outcome.facts = {"pictures": PICTURES, "batch": batch, "steps": steps}
    outcome.pictures.append(draw.save(figure, settings.output / "mce_pixels.png"))
    return outcome


def weighed(model: Any, X: Any, shape: tuple[int, int]) -> gramian.RelevanceDisplay:
    """Inverse length scales times the deviation of each pixel: one that is always white has no say, and learns none."""
    relevance = (model.relevances_ * X.std(axis=0)).reshape(shape)
    return gramian.RelevanceDisplay(relevance / relevance.max())


def half(relevance: Any) -> int:
    """How many pixels have half of the sum of squares together."""
    squares = np.sort(relevance.ravel() ** 2)[::-1]
    return int(np.searchsorted(squares.cumsum(), 0.5 * squares.sum())) + 1
