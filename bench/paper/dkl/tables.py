# SPDX-License-Identifier: BSD-3-Clause
"""
Beyond [DKL], which has no real data: six tables, one to three layers, and four other methods, on the same splits.

Once with 500 training samples, which all methods take exactly, and once with four fifths of each set or 10 000. What is
measured is kept line by line in `dkl_tables.jsonl`, so that a run that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import json
import time
from typing import Any, NamedTuple

import numpy as np

from bench.paper.common import data
from bench.paper.common.outcome import Outcome, Settings, Table, spread
from bench.paper.dkl.functions import Array
from bench.paper.dkl.peers import methods

SETS = ("yacht", "kin8nm", "power_plant", "elevators", "california_housing", "protein_casp")
FEW = 500
MANY = 10000
TESTED = 4000
SPLITS = {"few": 3, "many": 1}
MADE_UP = "made-up"


class Result(NamedTuple):
    """One method on one split: R^2, root mean squared error, and seconds of the processor for the fit."""

    set: str
    protocol: str
    split: int
    method: str
    n: int
    r2: float
    rmse: float
    seconds: float


def run(settings: Settings) -> Outcome:
    """Tables of R^2, of errors and of seconds, and a picture."""
    outcome = Outcome("dkl_tables", facts={"few": FEW, "many": MANY, "tested": TESTED, "splits": SPLITS})
    names = SETS[:1] if settings.quick else SETS
    absent = data.missing(names)
    if absent:
        outcome.sentences.append(data.sentence_of_missing(absent))
    present = [name for name in names if name not in absent] or [MADE_UP]
    found = measured(settings, present)
    for protocol in SPLITS:
        own = [one for one in found if one.protocol == protocol]
        if own:
            outcome.tables += [_table(own, *what) for what in _columns(protocol)]
    outcome.facts["results"] = [one._asdict() for one in found]
    outcome.pictures.append(_picture(settings, found))
    return outcome


def measured(settings: Settings, names: list[str]) -> list[Result]:
    """All cells, split by split, so that the first ones are whole first; from the file where it has them."""
    path = settings.output / "dkl_tables.jsonl"
    lines = [] if settings.quick or not path.exists() else path.read_text().splitlines()
    kept = [Result(**json.loads(line)) for line in lines]
    done = {one[:4] for one in kept}
    for split in range(1 if settings.quick else max(SPLITS.values())):
        for protocol, count in SPLITS.items():
            for name in names if split < count else ():
                for one in _split(settings, name, protocol, split, done):
                    kept.append(one)
                    if not settings.quick:
                        with path.open("a") as file:
                            file.write(json.dumps(one._asdict()) + "\n")
    return kept


def _split(settings: Settings, name: str, protocol: str, split: int, done: Any) -> Any:
    X, y = samples(name)
    train, test = parted(len(y), protocol, split)
    if settings.quick:
        train, test = train[:80], test[:100]
    if protocol == "many" and (len(y) < 2 * FEW or settings.quick):
        return
    for method, learn in methods(settings.quick).items():
        if (name, protocol, split, method) in done:
            continue
        start = time.process_time()
        predict = learn(X[train], y[train])
        seconds = time.process_time() - start
        error = np.mean((predict(X[test]) - y[test]) ** 2)
        r2 = 1 - error / np.mean((y[test] - y[test].mean()) ** 2)
        yield Result(name, protocol, split, method, len(train), float(r2), float(np.sqrt(error)), seconds)


def samples(name: str) -> tuple[Array, Array]:
    """One of SETS, or `made-up`: a function of two oblique directions of four features."""
    if name == MADE_UP:
        rng = np.random.default_rng(0)
        X = rng.normal(size=(400, 4))
        return X, np.sin(X.sum(axis=1)) + np.abs(X[:, 0] - X[:, 1]) + 0.1 * rng.normal(size=400)
    found = data.load(name)
    return np.asarray(found.X, dtype=np.float64), np.asarray(found.y, dtype=np.float64)


def parted(n: int, protocol: str, split: int) -> tuple[Any, Any]:
    """Four fifths, at most FEW or MANY of them, and what is left for the test, at most TESTED."""
    order = np.random.default_rng(split).permutation(n)
    four_fifths = 4 * n // 5
    most = FEW if protocol == "few" else MANY
    return order[: min(most, four_fifths)], order[four_fifths:][:TESTED]


def _columns(protocol: str) -> list[tuple[str, str]]:
    whose = (
        f"at most {FEW} training samples"
        if protocol == "few"
        else f"four fifths of the set for training, at most {MANY}"
    )
    return [
        (f"R^2, {whose}", "r2"),
        (f"root mean squared error, {whose}", "rmse"),
        (f"seconds of the processor, {whose}", "seconds"),
    ]


def _table(found: list[Result], title: str, what: str) -> Table:
    names = list(dict.fromkeys(one.set for one in found))
    table = Table(title, ["method", *[f"{name}, n = {_first(found, name).n}" for name in names]])
    for method in dict.fromkeys(one.method for one in found):
        row = []
        for name in names:
            values = [getattr(one, what) for one in found if (one.set, one.method) == (name, method)]
            row.append(None if not values else spread(values) if len(values) > 1 else f"{values[0]:.4g}")
        table.rows.append([method, *row])
    return table


def _first(found: list[Result], name: str) -> Result:
    return next(one for one in found if one.set == name)


def _picture(settings: Settings, found: list[Result]) -> Any:
    """What is left of the variance, set by set: a mark for each method, means over splits."""
    from bench.paper.common import draw

    protocols = [protocol for protocol in SPLITS if any(one.protocol == protocol for one in found)]
    figure, axes = draw.panels(1, len(protocols), width=5.2, height=4.8)
    lowest = min(1 - one.r2 for one in found)
    for ax, protocol in zip(axes[0], protocols, strict=True):
        own = [one for one in found if one.protocol == protocol]
        names = list(dict.fromkeys(one.set for one in own))
        for number, method in enumerate(dict.fromkeys(one.method for one in own)):
            left = [1 - np.mean([one.r2 for one in own if (one.set, one.method) == (name, method)]) for name in names]
            place = np.arange(len(names)) + 0.1 * (number - 3)
            ax.semilogy(place, left, label=method, **_style(number))
        ax.set_xticks(range(len(names)), [name.split("_")[0] for name in names], fontsize=9)
        ax.set_title(
            f"at most {FEW} training samples" if protocol == "few" else f"four fifths, at most {MANY}", fontsize=10
        )
        ax.set(ylabel="1 - R²: smaller is better", ylim=(0.7 * lowest, 1.4))
        ax.grid(axis="y", which="both", color="#dddddd", linewidth=0.5)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return draw.save(figure, settings.output / "dkl_tables.png")


def _style(number: int) -> dict[str, Any]:
    """Depths in three blues, filled; peers open, each with a shape of its own."""
    depth = number < 3
    colours = ("#9ecae1", "#4292c6", "#08306b", "#d6604d", "#e69f00", "#4d9221", "#8073ac")
    return {
        "linestyle": "none",
        "marker": "ooo^sDv"[number],
        "color": colours[number],
        "markerfacecolor": colours[number] if depth else "none",
        "markersize": 6 if number == 5 else 7,
    }
