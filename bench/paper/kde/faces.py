# SPDX-License-Identifier: BSD-3-Clause
"""
[KDE] Sec. 6.3, Table 3: pictures from pictures, with linear output kernels, against a patch-wise joint kernel.

The paper's heads (MPI) are not public. Here: the right half of a face from the left one, with nobody in both training
and test; and the frontal view of an object from another view. With 20 pairs to learn from and 80 for the test, and with
many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist, pdist
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit

from bench.paper.common.outcome import Outcome, Settings, Table, spread
from bench.paper.kde import data, patches
from bench.paper.kde.methods import (
    COMPONENTS,
    CONDITIONAL,
    COVARIANCE,
    EPSILONS,
    IDENTITY,
    METHODS,
    Choice,
    candidates,
    regressor,
    select,
)

SCALES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # of the median distance between inputs, or between patches of them
SIZES = (5, 10, 20, 40)
MOST_TO_CHOOSE_ON = 400  # of the training pairs
INNER = 4
PATCHES = "joint kernel of patches"
RIDGES = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
ALPHAS = {IDENTITY: RIDGES, COMPONENTS: RIDGES}  # products of pixels are larger than values of a Gaussian
ALPHAS |= {COVARIANCE: (*RIDGES, 10.0), CONDITIONAL: (*RIDGES, 10.0)}
PAPER: dict[str, tuple[Choice, float | None]] = {
    IDENTITY: ({"alpha": 0.1, "width": 1.0}, 0.1773),
    COMPONENTS: ({}, None),
    COVARIANCE: ({"alpha": 0.1, "width": 4.0}, 0.1570),
    CONDITIONAL: ({"alpha": 0.1, "width": 4.0}, 0.1130),
    PATCHES: ({}, 0.1257),
}
SHOWN = 8

Predict = Callable[[Choice, Any, Any], Any]


class Protocol(NamedTuple):
    """How many pairs are learned from, how many tested, and how often."""

    train: int
    test: int
    repeats: int


def protocols(pairs: data.Pairs, quick: bool) -> list[Protocol]:
    """The small one and the large one; a quarter of people or a sixth of pairs is for the test of the latter."""
    if quick:
        return [Protocol(16, 20, 2)]
    large = (300, 100) if len(pairs.X) <= 400 else (1200, len(pairs.X) - 1200)
    return [Protocol(20, 80, 10), Protocol(*large, 3)]


def run(settings: Settings) -> Outcome:
    """Both data sets, both protocols."""
    outcome = Outcome("kde_faces", facts={"chosen": {}})
    for load, alone in ((data.face_halves, True), (data.object_views, False)):
        pairs = load(settings, outcome)
        if settings.quick:  # every fourth pixel
            pairs = data.coarser(pairs)
        drawn = []
        for protocol in protocols(pairs, settings.quick):
            drawn = list(splits(pairs, protocol, alone))
            table, predictions = _table(pairs, protocol, drawn, alone, outcome)
            outcome.tables.append(table)
        outcome.pictures.append(_picture(settings, pairs, drawn[0][1], predictions, whole=alone))
    return outcome


def splits(pairs: data.Pairs, protocol: Protocol, alone: bool) -> Iterator[tuple[Any, Any]]:
    """Training and test pairs drawn at random; `alone`: no group is in both."""
    for repeat in range(protocol.repeats):
        rng = np.random.default_rng(repeat)
        order = rng.permutation(len(pairs.X))
        if alone:
            groups = rng.permutation(np.unique(pairs.group))
            known = np.isin(pairs.group[order], groups[: 3 * len(groups) // 4])
            train, test = order[known], order[~known]
        else:
            train, test = order[: -protocol.test], order[-protocol.test :]
        yield train[: protocol.train], test[: protocol.test]


def _inner(pairs: data.Pairs, train: Any, alone: bool) -> list[tuple[Any, Any]]:
    """Splits of the training pairs, or of some of them, by the rule of the outer ones."""
    some = train[:MOST_TO_CHOOSE_ON]
    count = INNER if len(some) < 100 else 1
    kind = GroupShuffleSplit if alone else ShuffleSplit
    found = kind(count, test_size=0.25, random_state=0).split(some, groups=pairs.group[some] if alone else None)
    return [(some[a], some[b]) for a, b in found]


def _dependency(pairs: data.Pairs, method: str) -> Predict:
    def predict(choice: Choice, train: Any, test: Any) -> Any:
        small = dict(choice)
        if method == COMPONENTS:
            small["components"] = min(choice["components"], len(train))
        model = regressor(method, small, len(train), preimage="linear").fit(pairs.X[train], pairs.Y[train])
        return model.predict(pairs.X[test])

    return predict


def _patches(pairs: data.Pairs) -> Predict:
    def predict(choice: Choice, train: Any, test: Any) -> Any:
        X, Y, new = pairs.X[train], pairs.Y[train], pairs.X[test]
        return patches.patchwise(X, Y, new, pairs.shape, choice["width"], choice["alpha"])

    return predict


def _methods(pairs: data.Pairs, train: Any) -> Iterator[tuple[str, Predict, list[Choice], list[Choice]]]:
    """Key, predictions, what to choose from, and the printed parameters."""
    some = train[:MOST_TO_CHOOSE_ON]
    median = float(np.median(pdist(pairs.X[some])))
    widths = [scale * median for scale in SCALES]
    for method in METHODS:
        own = {"components": SIZES} if method == COMPONENTS else {}
        held = {name: [value] for name, value in PAPER[method][0].items()}
        epsilons = {"epsilon": EPSILONS} if method == CONDITIONAL else {}
        printed = candidates(method, **epsilons, **held) if held else []
        choices = candidates(method, alpha=ALPHAS[method], width=widths, **own)
        yield method, _dependency(pairs, method), choices, printed
    parts = patches.patches(pairs.shape)
    distances = pdist(pairs.X[np.ix_(some, parts[len(parts) // 2])])
    widths = [scale * float(np.median(distances)) for scale in SCALES]
    choices = [{"alpha": alpha, "width": width} for alpha in RIDGES for width in widths]
    yield PATCHES, _patches(pairs), choices, []


def _table(
    pairs: data.Pairs, protocol: Protocol, drawn: list[Any], alone: bool, outcome: Outcome
) -> tuple[Table, dict[str, Any]]:
    """One protocol: errors of all methods, and predictions of the first draw."""
    columns = ["method", "as printed", "chosen", "chosen, nearest output", "paper"]
    title = (
        f"{pairs.name}, {protocol.train} + {protocol.test} pairs, {protocol.repeats} draws: mean squared error a pixel"
    )
    table, shown = Table(title, columns), {}
    errors: dict[str, dict[str, list[float]]] = {}
    chosen: dict[str, list[Choice]] = {}
    for train, test in drawn:
        inner = _inner(pairs, train, alone)
        for key, predict, choices, printed in _methods(pairs, train):
            pick = partial(select, error=partial(_error_of, pairs, predict), splits=inner)
            best = pick(choices)
            chosen.setdefault(key, []).append(best)
            guess = predict(best, train, test)
            found = {"chosen": guess, "nearest": pairs.Y[train][cdist(guess, pairs.Y[train]).argmin(axis=1)]}
            if printed:
                found["printed"] = predict(pick(printed), train, test)
            shown.setdefault(key, guess)
            for name, values in found.items():
                errors.setdefault(key, {}).setdefault(name, []).append(_error(pairs.Y[test], values))
        plain = {"mean of the outputs": pairs.Y[train].mean(axis=0), "nearest input": _nearest(pairs, train, test)}
        for name, values in plain.items():
            errors.setdefault(name, {}).setdefault("chosen", []).append(_error(pairs.Y[test], values))
    for key, found in errors.items():
        cells = [spread(found[name]) if name in found else None for name in ("printed", "chosen", "nearest")]
        table.rows.append([METHODS.get(key, key), *cells, PAPER.get(key, ({}, None))[1]])
    outcome.facts["chosen"][f"{pairs.name}, {protocol.train}"] = chosen
    return table, shown


def _error_of(pairs: data.Pairs, predict: Predict, choice: Choice, train: Any, check: Any) -> float:
    return _error(pairs.Y[check], predict(choice, train, check))


def _error(truth: Any, guess: Any) -> float:
    return float(np.mean((truth - guess) ** 2))


def _nearest(pairs: data.Pairs, train: Any, test: Any) -> Any:
    return pairs.Y[train][cdist(pairs.X[test], pairs.X[train]).argmin(axis=1)]


def _picture(settings: Settings, pairs: data.Pairs, test: Any, predictions: dict[str, Any], whole: bool) -> Any:
    """Inputs, truth, predictions in rows, some pairs of the first test part in columns; `whole`: faces are joined."""
    from bench.paper.common import draw

    some = np.arange(0, len(test), max(1, len(test) // SHOWN))[:SHOWN]
    outputs = {"truth": pairs.Y[test]} | predictions
    rows = {name: values[some].reshape(-1, *pairs.shape) for name, values in outputs.items()}
    inputs = pairs.X[test][some].reshape(-1, *pairs.shape)
    if whole:
        rows = {name: np.concatenate([inputs, values[:, :, ::-1]], axis=2) for name, values in rows.items()}
    else:
        rows = {"input": inputs} | rows
    figure, axes = draw.panels(len(rows), 1, width=7.4, height=0.8)
    for ax, (name, pictures) in zip(axes[:, 0], rows.items(), strict=True):
        draw.strip_of_pictures(ax, name.replace(" of ", "\nof "), pictures, 1.0, cmap="gray", vmin=0, vmax=1)
    path = settings.output / ("kde_faces.png" if whole else "kde_objects.png")
    return draw.save(figure, path, bbox_inches="tight")
