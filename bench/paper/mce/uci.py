# SPDX-License-Identifier: BSD-3-Clause
"""
[MCE] Table 1: accuracy on six sets of the UCI repository, ten folds, features scaled to the unit range.

What is measured is kept line by line in `mce_uci.jsonl`, so that a run that was interrupted goes on where it stopped. A
fold that takes longer than FOLD_SECONDS is stopped and marked, and so is what is left of its cell.
"""

from __future__ import annotations

import json
import multiprocessing
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.model_selection import KFold

from bench.paper.common import data
from bench.paper.common.outcome import Outcome, Settings, Table, spread
from bench.paper.mce.methods import EPOCHS, accuracy, methods, scaled

SETS = {
    "wine": "wine",
    "ecoli": "ecoli",
    "banknote": "banknote",
    "yeast": "yeast",
    "segment": "segment",
    "robot": "wall_following_24",
}
FOLDS = 10
FOLD_SECONDS = 600.0
CELL_SECONDS = 900.0
"""No fold of a cell begins after so many: a cell with fewer than ten says how many it has."""
STOPPED = "stopped"

_ROWS = {
    "GMCE": "99.9 0.2 87.5 4.4 96.7 0.9 98.4 0.8 97.2 3.7 52.5 2.1",
    "GMCE-SGD": "98.8 0.9 84.5 5.0 95.5 0.9 96.1 1.5 93.3 6.0 60.3 4.4",
    "CEN-1": "99.5 1.0 87.5 3.2 82.3 7.1 94.6 1.6 96.1 5.0 55.8 5.0",
    "CEN-2": "99.4 0.9 86.3 6.0 94.5 0.8 96.7 1.1 97.2 5.1 59.6 4.0",
    "ERM": "99.9 0.2 72.1 20.5 91.0 3.7 98.1 1.1 93.9 5.2 45.9 6.4",
    "CV": "99.9 0.2 73.8 23.8 90.9 3.4 98.3 1.3 93.3 7.4 58.0 5.8",
    "MED": "92.0 4.3 42.1 47.7 81.1 6.2 27.3 26.4 93.3 7.8 31.2 14.1",
}
_COLUMNS = ("banknote", "ecoli", "robot", "segment", "wine", "yeast")
PAPER = {
    method: {
        name: (float(mean), float(deviation))
        for name, mean, deviation in zip(_COLUMNS, row.split()[::2], row.split()[1::2], strict=True)
    }
    for method, row in _ROWS.items()
}


class Fold(NamedTuple):
    """One cell's fold: accuracy in percent, or none if it was stopped; seconds of the processor, and of the clock."""

    set: str
    method: str
    fold: int
    accuracy: float | None
    seconds: float
    elapsed: float


def run(settings: Settings) -> Outcome:
    """All sets and methods, the cheap ones first."""
    outcome = Outcome("mce_uci", facts={"epochs": EPOCHS})
    names = ("wine",) if settings.quick else tuple(SETS)
    absent = data.missing(SETS[name] for name in names)
    if absent:
        outcome.sentences.append(data.sentence_of_missing(absent))
    present = [name for name in names if SETS[name] not in absent]
    found = measured(settings, present)
    for name in present:
        outcome.tables.append(table(name, [fold for fold in found if fold.set == name]))
    outcome.sentences.append(verdict(found))
    outcome.facts["folds"] = [fold._asdict() for fold in found]
    return outcome


def measured(settings: Settings, names: list[str]) -> list[Fold]:
    """Every fold of every cell, from the file where it has it."""
    path = settings.output / "mce_uci.jsonl"
    kept = [] if settings.quick or not path.exists() else [Fold(**json.loads(line)) for line in path.open()]
    worker = Worker()
    try:
        for name in names:
            for method in methods():
                for fold in _cell(worker, name, method, settings.quick, kept):
                    kept.append(fold)
                    if not settings.quick:
                        keep(path, fold)
    finally:
        worker.stop()
    return kept


def keep(path: Path, fold: Fold) -> None:
    """Write it down."""
    with path.open("a") as lines:
        lines.write(json.dumps(fold._asdict()) + "\n")


def _cell(worker: Worker, name: str, method: str, quick: bool, kept: list[Fold]) -> Iterator[Fold]:
    """What is missing of a cell."""
    done = [fold for fold in kept if (fold.set, fold.method) == (name, method)]
    spent = sum(fold.elapsed for fold in done)
    wanted = 2 if quick else FOLDS
    for number in range(len(done), wanted):
        if spent > CELL_SECONDS or any(fold.accuracy is None for fold in done):
            return
        start = time.perf_counter()
        answer = worker.ask(name, method, number, 30 if quick else EPOCHS)
        elapsed = time.perf_counter() - start
        spent += elapsed
        reached, seconds = answer if answer else (None, elapsed)
        fold = Fold(name, method, number, reached, seconds, elapsed)
        done.append(fold)
        yield fold


class Worker:
    """Another process, which can be stopped in the middle of a fit."""

    def __init__(self) -> None:
        self._pool = _pool()

    def ask(self, *fold: Any) -> tuple[float, float] | None:
        """Accuracy and seconds; None where the time is over."""
        try:
            return self._pool.apply_async(one_fold, fold).get(FOLD_SECONDS)
        except multiprocessing.TimeoutError:
            self.stop()
            self._pool = _pool()
            return None

    def stop(self) -> None:
        """End it."""
        self._pool.terminate()
        self._pool.join()


def _pool() -> Any:
    return multiprocessing.get_context("spawn").Pool(1)


def one_fold(name: str, method: str, number: int, epochs: int) -> tuple[float, float]:
    """Percent of the fold that is right, and seconds of the processor for learning and predicting."""
    found = data.load(SETS[name])
    X, y = np.asarray(found.X, dtype=np.float64), found.y
    train, test = list(KFold(FOLDS, shuffle=True, random_state=0).split(X))[number]
    known, new = scaled(X[train], X[test])
    start = time.process_time()
    reached = accuracy(methods(epochs)[method], known, y[train], new, y[test])
    return 100 * reached, time.process_time() - start


def table(name: str, folds: list[Fold]) -> Table:
    """A row for each method."""
    shown = Table(f"{name}: accuracy in percent", ["method", "accuracy", "paper", "seconds a fold", "folds"])
    for method in methods():
        cell = [fold for fold in folds if fold.method == method]
        if cell:
            seconds = float(np.mean([fold.seconds for fold in cell]))
            printed = PAPER.get(method.split(",")[0] if "SGD" in method else method, {}).get(name)
            paper = f"{printed[0]} ± {printed[1]}" if printed else None
            shown.rows.append([method, reached(cell), paper, seconds, float(len(cell))])
    return shown


def reached(cell: list[Fold]) -> str:
    """`mean ± deviation` of the folds that ended."""
    values = [fold.accuracy for fold in cell if fold.accuracy is not None]
    if not values:
        return STOPPED
    return spread(values) if len(values) > 1 else f"{values[0]:.4g}"


def verdict(folds: list[Fold]) -> str:
    """Which cells of GMCE and GMCE-SGD are below what is printed by more than the printed deviation."""
    below, compared = [], 0
    for method in ("GMCE", "GMCE-SGD", "GMCE-SGD, ten batches an epoch"):
        for name, (mean, deviation) in PAPER[method.split(",")[0]].items():
            values = [fold.accuracy for fold in folds if (fold.set, fold.method) == (name, method) and fold.accuracy]
            compared += bool(values)
            if values and np.mean(values) < mean - deviation:
                below.append(f"{method} on {name} ({np.mean(values):.1f} against {mean} ± {deviation})")
    return (
        f"Cells of GMCE and GMCE-SGD below the paper's by more than its ±, of {compared}: {'; '.join(below) or 'none'}."
    )
