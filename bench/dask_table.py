# SPDX-License-Identifier: BSD-3-Clause
"""
`python -m bench.dask_table`: fits in one process and on two workers of dask, and writes the table of docs/dask.md.

It needs dask beside gramian. Rows are on the workers before a fit is timed, as they are in memory for the other one.
Answers are compared before the table is written.
"""

from __future__ import annotations

import importlib.metadata
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import dask.array as da
import gramian
import gramian.dask
import numpy as np
from distributed import Client, LocalCluster, wait

from bench.machine import cpu_model

PAGE = Path(__file__).resolve().parents[1] / "docs" / "dask.md"
BEGIN, END = "<!-- begin: python -m bench.dask_table -->\n", "<!-- end -->\n"
ROWS, COLUMNS, BLOCKS, WORKERS = (100_000, 1_000_000), 16, 8, 2
TOLERANCE, BUSY = 0.05, 2.0


class Way(NamedTuple):
    """An estimator of both kinds, with the same parameters."""

    name: str
    local: Callable[[], Any]
    spread: Callable[[], Any]
    labelled: bool


class Cost(NamedTuple):
    """What a fit took."""

    wall: float
    processor: float
    sent: float = 0.0
    """Bytes that workers sent, to each other and to the client."""


RIDGE = {"alpha": 1.0, "kernel": "rbf", "gamma": 0.03, "landmarks": 1000, "random_state": 0}
CLASSIFIER = {"learn": "median", "penalty": 1e-5, "landmarks": 500, "random_state": 0}
DEPENDENCY = {"kernel": "rbf", "penalty": 1e-4, "rank": 200, "preimage": "linear", "random_state": 0}
WAYS = (
    Way(
        "`KernelRidge`, 1000 landmarks",
        lambda: gramian.KernelRidge(solver="landmarks", **RIDGE),
        lambda: gramian.dask.KernelRidge(**RIDGE),
        False,
    ),
    Way(
        '`EmbeddingClassifier`, 500 landmarks, `learn="median"`',
        lambda: gramian.EmbeddingClassifier(**CLASSIFIER),
        lambda: gramian.dask.EmbeddingClassifier(**CLASSIFIER),
        True,
    ),
    Way(
        "`DependencyRegressor`, rank 200",
        lambda: gramian.DependencyRegressor(**DEPENDENCY),
        lambda: gramian.dask.DependencyRegressor(**DEPENDENCY),
        False,
    ),
)


def data(n: int) -> tuple[Any, Any]:
    """Samples, and one target for each."""
    X = np.random.default_rng(0).normal(size=(n, COLUMNS))
    return X, np.sin(X[:, 0]) + 0.5 * X[:, 1] * X[:, 2]


def cluster_of_two() -> LocalCluster:
    """Two processes with a thread each."""
    return LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None, memory_limit=0)


def local_fit(way: Way, X: Any, y: Any) -> tuple[Any, Cost]:
    """Fit in this process."""
    wall, processor = time.perf_counter(), time.process_time()
    model = way.local().fit(X, y)
    return model, Cost(time.perf_counter() - wall, time.process_time() - processor)


def spread_fit(client: Client, way: Way, X: Any, y: Any) -> tuple[Any, Cost]:
    """Fit on the workers, which have the rows."""
    before, own = _counters(client), time.process_time()
    wall = time.perf_counter()
    model = way.spread().fit(X, y)
    seconds, own = time.perf_counter() - wall, time.process_time() - own
    after = _counters(client)
    return model, Cost(seconds, own + after[0] - before[0], after[1] - before[1])


def compare(way: Way, n: int) -> tuple[Cost, Cost]:
    """What both fits took, of the same rows."""
    X, y = data(n)
    targets = (y > 0).astype(np.int64) if way.labelled else y
    local, single = local_fit(way, X, targets)
    with cluster_of_two() as cluster, Client(cluster) as client:
        rows = -(-n // BLOCKS)
        on_workers = client.persist([da.from_array(X, chunks=(rows, COLUMNS)), da.from_array(targets, chunks=rows)])
        wait(on_workers)
        model, both = spread_fit(client, way, *on_workers)
        scores = local.score(X[:5000], targets[:5000]), model.score(X[:5000], targets[:5000])
    if abs(scores[0] - scores[1]) > TOLERANCE:
        raise ValueError(f"{way.name}: scores are {scores[0]:.4f} and {scores[1]:.4f}.")
    return single, both


def table(sizes: tuple[int, ...] = ROWS) -> str:
    """The block of the page; a row is printed when it is there."""
    load = os.getloadavg()[0]
    quiet = load < BUSY
    kinds = ["processor seconds", "seconds"] if quiet else ["processor seconds"]
    heads = [f"{side}, {kind}" for kind in kinds for side in ("One process", "two workers")]
    lines = ["| Fit | Rows | " + " | ".join((*heads, "sent, MB")) + " |", "|---" * (len(heads) + 3) + "|"]
    for way in WAYS:
        for n in sizes:
            single, both = compare(way, n)
            walls = [single.wall, both.wall] if quiet else []
            cells = [f"{number:.1f}" for number in (single.processor, both.processor, *walls, both.sent / 1e6)]
            rows = f"{n:,}".replace(",", " ")
            lines.append(f"| {way.name} | {rows} | " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    return "\n".join(lines) + "\n\n" + _caption(load, quiet)


def _caption(load: float, quiet: bool) -> str:
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("dask", "distributed"))
    others = "" if quiet else " Other programs were running, so elapsed time says nothing and is left out."
    return (
        f"{COLUMNS} columns in {BLOCKS} blocks; one process of two threads, and two workers of one thread each,\n"
        f"which have their rows already. One run of each on two cores of {cpu_model()}, {versions}; load of\n"
        f"the machine {load:.1f} at the start, {os.getloadavg()[0]:.1f} at the end.{others}\n"
    )


def main() -> None:
    """Write the table between the marks of the page."""
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(before + BEGIN + "\n" + table() + "\n" + END + after, encoding="utf-8")


def _counters(client: Client) -> tuple[float, float]:
    """The processor seconds of all workers, and the bytes that they have sent."""
    found = client.run(_counters_of).values()
    return sum(seconds for seconds, _ in found), sum(sent for _, sent in found)


def _counters_of(dask_worker: Any) -> tuple[float, float]:
    return time.process_time(), float(dask_worker.transfer_outgoing_bytes_total)


if __name__ == "__main__":
    main()
