# SPDX-License-Identifier: BSD-3-Clause
"""
[KDE] Sec. 6.1, Table 2 left: the lower half of a digit from its upper half.

Five folds of 200 digits; each is trained on, and the other four are the test. Once with the parameters that are
printed, once with those that do best on folds of the training digits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.model_selection import KFold

from bench.paper.common.outcome import Outcome, Settings, Table, spread
from bench.paper.kde import data
from bench.paper.kde.methods import (
    COMPONENTS,
    CONDITIONAL,
    COVARIANCE,
    EPSILONS,
    IDENTITY,
    METHODS,
    SIZES,
    Choice,
    candidates,
    commonest,
    regressor,
    select,
)

FOLDS = 5
WIDTHS = (1.0, 3.0, 5.0, 8.0)
OUTPUT_WIDTHS = (4.0, 8.0, 12.0, 24.0)
JUDGE = 10.0  # the width of the loss that methods with different output kernels are compared by
SHOWN = 12


class Printed(NamedTuple):
    """A row of Table 2."""

    alpha: float
    width: float
    output_width: float
    loss: float


PAPER = {
    IDENTITY: Printed(0.01, 0.1, 10, 0.9247),
    COMPONENTS: Printed(0.01, 0.07, 10, 0.8145),
    COVARIANCE: Printed(0.1, 1, 12, 0.7550),
    CONDITIONAL: Printed(0.1, 1, 12, 0.6276),
}


class Run(NamedTuple):
    """One method on all folds: chosen outputs and parameters of each fold."""

    outputs: list[Any]
    choices: list[Choice]


def rbf_loss(truth: Any, guess: Any, width: float) -> float:
    """Mean |Phi(y) - Phi(guess)|^2 for the Gaussian of this width."""
    return float(np.mean(2 - 2 * np.exp(-((truth - guess) ** 2).sum(axis=1) / (2 * width**2))))


def distance_of(loss: float, width: float) -> float:
    """The squared distance at which a pair has this loss."""
    return float(-2 * width**2 * np.log(1 - loss / 2))


def run(settings: Settings) -> Outcome:
    """Both ways, with a picture."""
    outcome = Outcome("kde_digits")
    pairs = data.digit_halves(settings, outcome)
    folds = list(KFold(FOLDS).split(pairs.X))
    parts = [(few, many) for many, few in folds]  # learn on the small part
    as_printed = {method: _run(pairs, parts, method, _held(method)) for method in METHODS}
    chosen = {method: _run(pairs, parts, method, _grid(method, settings.quick)) for method in METHODS}
    outcome.tables += [_table_printed(pairs, parts, as_printed), _table_chosen(pairs, parts, chosen)]
    outcome.facts = {"digits": len(pairs.X), "data": pairs.name}
    outcome.facts["chosen"] = {method: one.choices for method, one in chosen.items()}
    outcome.sentences += [f"{METHODS[method]}: {commonest(one.choices)}." for method, one in chosen.items()]
    outcome.pictures.append(_picture(settings, pairs, parts, as_printed, chosen))
    return outcome


def _held(method: str) -> list[Choice]:
    """The printed parameters; what is not printed is left to choose."""
    row = PAPER[method]
    own = {"epsilon": EPSILONS} if method == CONDITIONAL else {"components": SIZES} if method == COMPONENTS else {}
    held = {"alpha": [row.alpha], "width": [row.width], "output_width": [row.output_width]}
    return candidates(method, **own, **held)


def _grid(method: str, quick: bool) -> list[Choice]:
    widths, output_widths = (WIDTHS[2:3], OUTPUT_WIDTHS[1:2]) if quick else (WIDTHS, OUTPUT_WIDTHS)
    return candidates(method, width=widths, output_width=output_widths)


def _run(pairs: data.Pairs, parts: Any, method: str, choices: list[Choice]) -> Run:
    found = Run([], [])

    def outputs(choice: Choice, train: Any, test: Any) -> Any:
        small = dict(choice)
        if method == COMPONENTS:  # there are no more components than digits to learn from
            small["components"] = min(choice["components"], len(train))
        return regressor(method, small, len(train)).fit(pairs.X[train], pairs.Y[train]).predict(pairs.X[test])

    for train, test in parts:
        inner = [(train[few], train[rest]) for few, rest in KFold(FOLDS).split(train)]
        best = select(choices, lambda c, a, b: rbf_loss(pairs.Y[b], outputs(c, a, b), JUDGE), inner)
        found.choices.append(best)
        found.outputs.append(outputs(best, train, test))
    return found


def _losses(pairs: data.Pairs, parts: Any, outputs: list[Any], width: float) -> list[float]:
    return [rbf_loss(pairs.Y[test], guess, width) for (_, test), guess in zip(parts, outputs, strict=True)]


def _squared(pairs: data.Pairs, parts: Any, outputs: list[Any]) -> float:
    """Mean squared distance to the truth."""
    each = [((pairs.Y[test] - guess) ** 2).sum(axis=1).mean() for (_, test), guess in zip(parts, outputs, strict=True)]
    return float(np.mean(each))


def _table_printed(pairs: data.Pairs, parts: Any, runs: dict[str, Run]) -> Table:
    columns = ["method", "lambda", "sigma_k", "sigma_l", "loss", "squared distance", "paper: loss", "paper: distance"]
    table = Table(f"{pairs.name}, the parameters that are printed: RBF loss with the method's own sigma_l", columns)
    for method, one in runs.items():
        row = PAPER[method]
        losses = spread(_losses(pairs, parts, one.outputs, row.output_width))
        squared = _squared(pairs, parts, one.outputs)
        paper = [row.loss, distance_of(row.loss, row.output_width)]
        table.rows.append([METHODS[method], row.alpha, row.width, row.output_width, losses, squared, *paper])
    return table


def _table_chosen(pairs: data.Pairs, parts: Any, runs: dict[str, Run]) -> Table:
    title = f"{pairs.name}, parameters chosen on the training digits: RBF loss with sigma_l = {JUDGE:g} for everybody"
    table = Table(title, ["method", "loss", "squared distance"])
    named = {METHODS[method]: one.outputs for method, one in runs.items()} | _plain(pairs, parts)
    for name, outputs in named.items():
        losses = spread(_losses(pairs, parts, outputs, JUDGE))
        table.rows.append([name, losses, _squared(pairs, parts, outputs)])
    return table


def _plain(pairs: data.Pairs, parts: Any) -> dict[str, list[Any]]:
    """What needs no learning, and the best that a choice of a training output can be."""

    def nearest(A: Any, train: Any, test: Any) -> Any:
        return pairs.Y[train][cdist(A[test], A[train]).argmin(axis=1)]

    def any_one(train: Any, test: Any) -> Any:
        return pairs.Y[np.random.default_rng(0).choice(train, len(test))]

    return {
        "nearest upper half": [nearest(pairs.X, *part) for part in parts],
        "a training output at random": [any_one(*part) for part in parts],
        "the nearest training output to the truth": [nearest(pairs.Y, *part) for part in parts],
    }


def _picture(settings: Settings, pairs: data.Pairs, parts: Any, as_printed: Any, chosen: Any) -> Any:
    """Digits of the first test part in columns; the truth, then each method with chosen and with printed parameters."""
    from bench.paper.common import draw

    test = parts[0][1][: SHOWN * 5 : 5]
    rows = {"truth": pairs.Y[test]}
    rows |= {f"{method}\nchosen": run.outputs[0][: SHOWN * 5 : 5] for method, run in chosen.items()}
    rows |= {f"{method}\nas printed": run.outputs[0][: SHOWN * 5 : 5] for method, run in as_printed.items()}
    figure, axes = draw.panels(len(rows), 1, width=7.4, height=0.82)
    height, width = pairs.shape
    for ax, (name, lower) in zip(axes[:, 0], rows.items(), strict=True):
        halves = [half.reshape(-1, height, width) for half in (pairs.X[test], lower)]
        draw.strip_of_pictures(ax, name, np.concatenate(halves, axis=1), -1.0, cmap="Greys", interpolation="nearest")
        ax.axhline(height - 0.5, color=draw.CLUSTERS[1], linewidth=0.8)
    return draw.save(figure, settings.output / "kde_digits.png", bbox_inches="tight")
