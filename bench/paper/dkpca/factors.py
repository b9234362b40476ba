# SPDX-License-Identifier: BSD-3-Clause
"""
[DKPCA] Sec. 5.1, Fig. 7 and Fig. 8: does a component of the codes stand for one factor of the pictures?

IRS and MIG, learned from 200 pictures and judged on these or on all, and learned from all. Beside every method stand
random numbers: with few pictures of each value of a factor they have a large IRS too. What is measured is kept line by
line in `dkpca_factors.jsonl`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from gramian.metrics import irs, mig

from bench.paper.common import data
from bench.paper.common.outcome import Outcome, Settings, Table, spread
from bench.paper.dkpca import shapes
from bench.paper.dkpca.codes import KERNELS, NETWORKS, OF_ALL, Codes, Turns, choose, find
from bench.paper.dkpca.vaes import Scale

PICTURES, DRAWS, DRAWS_OF_NETWORKS = 200, 5, 1
NOISE = "random numbers"
SCALE, TURNS = Scale(channels=10, steps=800), Turns()
COUNTS = {"3DShapes": (10, 10, 10, 8, 4, 15), "Cars3D": (4, 24, 183), "SmallNORB": (5, 9, 18, 6)}
"""How many values each factor of the paper's sets has, Table B.1."""


class Score(NamedTuple):
    """One method on one set, with one draw of the pictures that it is learned from."""

    set: str
    method: str
    draw: int
    learned: str
    judged: str
    irs: float
    mig: float
    error: float | None
    seconds: float


def run(settings: Settings) -> Outcome:
    """All methods, one draw after the other."""
    outcome = Outcome("dkpca_factors", facts={"scale": SCALE.__dict__, "turns": TURNS._asdict()})
    sets = [shapes.shapes(shapes.SMALL if settings.quick else None)]
    try:
        sets += [] if settings.quick else [shapes.coil()]
    except data.MissingSet as missing:
        outcome.sentences.append(str(missing))
    if not networks_are_there(settings):
        outcome.sentences.append("PyTorch is not installed, or not for a quick run: there are no networks.")
    scores = measured(settings, sets)
    for known in sets:
        own = [score for score in scores if score.set == known.name]
        outcome.tables.append(table(known.name, own))
    outcome.tables.append(chances(2 if settings.quick else 20))
    outcome.facts["scores"] = [score._asdict() for score in scores]
    outcome.pictures.append(_picture(settings, sets, scores))
    return outcome


def networks_are_there(settings: Settings) -> bool:
    """Whether PyTorch is, and the run is not a quick one."""
    from importlib.util import find_spec

    return not settings.quick and find_spec("torch") is not None


def measured(settings: Settings, sets: list[shapes.Known]) -> list[Score]:
    """Everything, from the file where it has it."""
    path = settings.output / "dkpca_factors.jsonl"
    lines = [] if settings.quick or not path.exists() else path.read_text(encoding="utf-8").splitlines()
    kept = [Score(**json.loads(line)) for line in lines]
    networks = networks_are_there(settings)
    for draw in range(1 if settings.quick else DRAWS):
        for known in sets:
            done = {(score.method, score.learned) for score in kept if (score.set, score.draw) == (known.name, draw)}
            tasks = [task for task in _tasks(draw, networks) if task not in done]
            for score in _one_draw(known, draw, tasks, settings.quick):
                kept.append(score)
                if not settings.quick:
                    _keep(path, score)
    return kept


def _tasks(draw: int, networks: bool) -> list[tuple[str, str]]:
    """Methods, and whether they learn from some or all pictures; the latter once."""
    methods = [*KERNELS, *(NETWORKS if networks and draw < DRAWS_OF_NETWORKS else ())]
    tasks = [(name, "some") for name in (*methods, NOISE)]
    return tasks + [(name, "all") for name in methods if name in OF_ALL and draw == 0]


def _keep(path: Path, score: Score) -> None:
    with path.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(score._asdict()) + "\n")


def _one_draw(known: shapes.Known, draw: int, tasks: list[tuple[str, str]], quick: bool) -> Iterator[Score]:
    if not tasks:
        return
    count = 40 if quick else PICTURES
    rows = np.random.default_rng(draw).permutation(len(known.X))
    chosen, other, unseen = rows[:count], rows[count : 2 * count], rows[2 * count :]
    components = known.factors.shape[1]
    choice = choose(known.X[chosen], known.X[other], components)
    networks = known.shape, SCALE, TURNS
    for name, learned in tasks:
        own = chosen if learned == "some" else np.arange(len(known.X))
        codes = _noise(known, draw, own) if name == NOISE else None
        codes = codes or find(name, known.X[own], components, choice, draw, networks)
        everything, error = codes.encode(known.X), None
        if codes.decode is not None and learned == "some":
            error = float(np.mean((codes.decode(everything[unseen]) - known.X[unseen]) ** 2))
        for judged, Z, factors in (("some", codes.known, known.factors[own]), ("all", everything, known.factors)):
            if learned == "some" or judged == "all":
                scores = irs(Z, factors).score, mig(Z, factors)
                yield Score(known.name, name, draw, learned, judged, *scores, error, codes.seconds)


def _noise(known: shapes.Known, draw: int, chosen: Any) -> Codes:
    """Random numbers in place of codes."""
    Z = np.random.default_rng(1000 + draw).normal(size=(len(known.X), 2 * known.factors.shape[1]))
    return Codes(Z[chosen], lambda _: Z, None, 0.0)


def table(name: str, scores: list[Score]) -> Table:
    """A row for each method."""
    columns = ["method", "IRS, some", "IRS, some on all", "IRS, all", "MIG, some on all", "MIG, all"]
    shown = Table(f"{name}: learned from some pictures or from all", [*columns, "error", "seconds"])
    for method in in_order(scores):
        own = [score for score in scores if score.method == method]

        def cell(field: str, learned: str, judged: str, own: list[Score] = own) -> str | None:
            values = [getattr(score, field) for score in own if (score.learned, score.judged) == (learned, judged)]
            return summary(values)

        errors = [score.error for score in own if (score.learned, score.judged) == ("some", "all")]
        seconds = [score.seconds for score in own if score.learned == "some"]
        kinds = ("irs", "some", "some"), ("irs", "some", "all"), ("irs", "all", "all"), ("mig", "some", "all")
        cells = [cell(*kind) for kind in (*kinds, ("mig", "all", "all"))]
        error = summary([error for error in errors if error is not None])
        shown.rows.append([method, *cells, error, float(np.mean(seconds))])
    return shown


def in_order(scores: list[Score]) -> list[str]:
    """Methods that there are, random numbers last."""
    found = {score.method for score in scores}
    return [name for name in (*KERNELS, *NETWORKS, NOISE) if name in found]


def summary(values: list[float]) -> str | None:
    """`mean ± deviation`, or the one there is."""
    if not values:
        return None
    return spread(values) if len(values) > 1 else f"{values[0]:.4g}"


def chances(draws: int) -> Table:
    """What random numbers get on the paper's sets, where only the counts of the factors' values matter."""
    shown = Table(
        "IRS of random numbers, with the factors of the paper's sets drawn at random", ["set", "200 pictures", "20 000"]
    )
    for name, counts in COUNTS.items():
        cells = []
        for rows, times in ((PICTURES, draws), (20_000, 1)):
            cells.append(summary([chance(counts, rows, seed) for seed in range(times)]))
        shown.rows.append([name, *cells])
    return shown


def chance(counts: tuple[int, ...], rows: int, seed: int) -> float:
    """IRS of two normal components for each factor."""
    rng = np.random.default_rng(seed)
    factors = np.stack([rng.integers(count, size=rows) for count in counts], axis=1)
    return irs(rng.normal(size=(rows, 2 * len(counts))), factors).score


def _picture(settings: Settings, sets: list[shapes.Known], scores: list[Score]) -> Path:
    """IRS of every method, beside that of random numbers."""
    from bench.paper.common import draw

    figure, axes = draw.panels(1, len(sets), width=5.6, height=4.6)
    names = [name for name in in_order(scores) if name != NOISE]
    kinds = {("some", "some"): "200, judged on them", ("some", "all"): "200, on all", ("all", "all"): "all, on all"}
    for ax, known in zip(axes[0], sets, strict=True):
        for place, (kind, label) in enumerate(kinds.items()):
            colour, marker = draw.CLUSTERS[place], draw.MARKERS[place]
            for row, name in enumerate(names):
                own = [s.irs for s in scores if (s.set, s.method, s.learned, s.judged) == (known.name, name, *kind)]
                height = np.full(len(own), row + 0.22 * (place - 1))
                ax.scatter(own, height, s=22, color=colour, marker=marker, label=label if row == 0 else None)
            noise = [s.irs for s in scores if (s.set, s.method, s.learned, s.judged) == (known.name, NOISE, *kind)]
            if place < 2:
                ax.axvline(np.mean(noise), color=colour, linestyle="--", linewidth=1.2, zorder=0)
        ax.set_yticks(range(len(names)), names if ax is axes[0, 0] else [""] * len(names), fontsize=8)
        ax.invert_yaxis()
        ax.grid(axis="y", color="#eeeeee")
        ax.set_axisbelow(True)
        ax.set(xlabel="IRS; dashed: random numbers", title=known.name)
    labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(*labels, fontsize=8, loc="outside lower center", ncols=3, title="learned from", title_fontsize=8)
    return draw.save(figure, settings.output / "dkpca_factors.png")
