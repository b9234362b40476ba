# SPDX-License-Identifier: BSD-3-Clause
"""Fits of all ways to the splits of a set, and what they predict."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bench.quality import sets, ways
from bench.quality.scores import scores

Record = dict[str, Any]


def run_set(name: str, names: Sequence[str], splits: int, quick: bool, tell: Callable[[Record], None]) -> list[Record]:
    """Return a record for each way and split."""
    X, y = sets.load(name, quick)
    records = []
    for number in range(splits):
        part = sets.split(X, y, number)
        for way in names:
            if ways.applies(way, len(part.y)):
                records.append({"set": name, "way": way, "split": number, **run_way(way, part, number, quick)})
                tell(records[-1])
    return records


def run_way(way: str, part: sets.Split, seed: int, quick: bool) -> Record:
    """Fit and predict; seconds are those of the processor, of all threads."""
    model = ways.WAYS[way][1](seed, quick)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # networks that have not converged: a table of defaults is wanted
        P = np.asarray(model.fit(part.X, part.y).predict_proba(part.X_test), dtype=np.float64)
    seconds = time.process_time() - start
    sizes = {"samples": len(part.y), "tested": len(part.y_test), "features": part.X.shape[1], "classes": part.classes}
    return {**scores(P, part.y_test), "seconds": seconds, **sizes}
