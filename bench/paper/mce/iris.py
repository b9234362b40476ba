# SPDX-License-Identifier: BSD-3-Clause
"""
[MCE] Sec. 5, Fig. 1: two attributes of iris, learned from a start that over-fits and from one that under-fits.

The paper doesn't say what its starts are, nor which split it has; here are ten splits.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import gramian
import numpy as np
from gramian.kernels import Gaussian
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split

from bench.paper.common import data
from bench.paper.common.outcome import Outcome, Settings, Table, spread
from bench.paper.mce.methods import embedding

STEPS = 500
RATE = 0.01
SPLITS = 10
SHOWN = np.unique(np.r_[0:20:5, 20:100:20, 100:501:50])  # after how many steps the test samples are looked at
BOUNDS = (-0.5, 1.05, -0.5, 1.05)


class Start(NamedTuple):
    """Where learning begins."""

    length: float
    penalty: float


STARTS = {"over-fitted": Start(0.01, 1e-6), "under-fitted": Start(10.0, 10.0), "all 1": Start(1.0, 1.0)}
OBJECTIVES = {"sum of the losses": "sum", "mean of the losses, as printed": "mean"}


def run(settings: Settings) -> Outcome:
    """Accuracies before and after, curves and maps of the first split."""
    outcome = Outcome("mce_iris")
    found = data.load("iris")
    low, high = found.X[:, :2].min(axis=0), found.X[:, :2].max(axis=0)
    X, y = (found.X[:, :2] - low) / (high - low), found.y
    seeds = range(2 if settings.quick else SPLITS)
    splits = [train_test_split(np.arange(len(y)), test_size=0.2, random_state=seed) for seed in seeds]
    for title, risk in OBJECTIVES.items():
        outcome.tables.append(_table(title, risk, X, y, splits))
    outcome.pictures = [_picture(settings, X, y, splits[0])]
    outcome.facts = {"rate": RATE, "steps": STEPS, "starts": {name: start._asdict() for name, start in STARTS.items()}}
    return outcome


def _table(title: str, risk: str, X: Any, y: Any, splits: Any) -> Table:
    table = Table(
        f"{title}: accuracy in percent on {len(splits)} splits",
        ["start", "before", "after", "training samples", "complexity before", "complexity after"],
    )
    for name, start in STARTS.items():
        first = [fitted(start, 0, X[train], y[train], risk) for train, _ in splits]
        last = [fitted(start, STEPS, X[train], y[train], risk) for train, _ in splits]

        def scores(models: Any, part: int) -> str:
            return spread([100 * m.score(X[s[part]], y[s[part]]) for m, s in zip(models, splits, strict=True)])

        complexity = [spread([model.complexity_ for model in models]) for models in (first, last)]
        table.rows.append([name, scores(first, 1), scores(last, 1), scores(last, 0), *complexity])
    return table


def fitted(start: Start, steps: int, X: Any, y: Any, risk: str = "sum") -> Any:
    """After so many steps."""
    kernel = 1.0 * Gaussian(length_scale=start.length)
    learning = {"learn": None} if steps == 0 else {"learning_rate": RATE, "tol": 0.0}
    model = embedding(max(1, steps), kernel=kernel, risk=risk, **{"penalty": start.penalty, **learning})
    return quietly(model, X, y)


def quietly(model: Any, X: Any, y: Any) -> Any:
    """Without the warning that so many steps are not the end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


def _picture(settings: Settings, X: Any, y: Any, split: Any) -> Any:
    """Row by row a start: accuracy and complexity step by step, the map before, the map after."""
    from bench.paper.common import draw

    train, test = split
    names = list(STARTS)[:2]
    figure, axes = draw.panels(len(names), 3, width=3.9, height=3.1)
    for row, name in zip(axes, names, strict=True):
        steps = SHOWN[::8] if settings.quick else SHOWN
        models = [fitted(STARTS[name], int(count), X[train], y[train]) for count in steps]
        _curves(row[0], name, steps, models, (X[train], y[train]), (X[test], y[test]))
        for ax, model, when in zip(row[1:], (models[0], models[-1]), ("before", "after"), strict=True):
            shown = {"bounds": BOUNDS, "colors": np.eye(3), "aspect": "equal"}
            gramian.DecisionProbabilityDisplay.from_estimator(model, X[test], y=y[test], ax=ax, **shown)
            ax.get_legend().remove()
            ax.set_title(f"{name}: {when}, {100 * model.score(X[test], y[test]):.1f} %", fontsize=10)
            ax.set(xlabel="sepal length", ylabel="sepal width")
    return draw.save(figure, settings.output / "mce_iris.png")


def _curves(ax: Any, name: str, steps: Any, models: Any, known: Any, new: Any) -> None:
    from bench.paper.common import draw

    for (X, y), label, colour in (
        (known, "training samples", draw.CLUSTERS[0]),
        (new, "test samples", draw.CLUSTERS[1]),
    ):
        ax.plot(steps, [100 * model.score(X, y) for model in models], color=colour, label=label)
    ax.set_title(f"{name} start", fontsize=10)
    ax.set(xlabel="step", ylabel="accuracy, %", ylim=(0, 105))
    ax.plot([], [], color="black", linestyle="--", label="complexity r, right")
    beside = ax.twinx()
    beside.semilogy(steps, [model.complexity_ for model in models], color="black", linestyle="--")
    if name == next(iter(STARTS)):
        ax.legend(fontsize=8, loc="lower left")
