# SPDX-License-Identifier: BSD-3-Clause
"""`python -m bench.large.cells`: exact ridge regressions on the cells of a partition by k-means."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the error and the seconds of one set."""
    parser = argparse.ArgumentParser(prog="python -m bench.large.cells", description=__doc__)
    parser.add_argument("name", nargs="?", default="covtype", metavar="set", help="default: covtype")
    parser.add_argument("--cells", type=int, nargs="+", default=[24])
    parser.add_argument(
        "--length", type=float, nargs="+", default=[0.08], help="over the root of the number of columns"
    )
    parser.add_argument("--penalty", type=float, nargs="+", default=[2e-7], help="alpha over the number of rows")
    parser.add_argument("--tol", type=float, default=3e-3)
    parser.add_argument("--held-out", type=int, default=0, metavar="ROWS", help="test on so many training rows")
    options = parser.parse_args(arguments)
    from bench.large.sets import load

    task = load(options.name)
    if options.held_out:
        task = task.held_out(len(task.y), options.held_out)
    print("| Cells | Length | Penalty | Error | Seconds | CPU s | Largest cell | Iterations |")
    print("|---|---|---|---|---|---|---|---|")
    for cells in options.cells:
        for length in options.length:
            for penalty in options.penalty:
                print(measure(task, cells, length, penalty, options.tol), flush=True)
    return 0


def measure(task: Any, cells: int, length: float, penalty: float, tol: float) -> str:
    """Return a row of the table."""
    wall, cpu = time.perf_counter(), time.process_time()
    predicted, sizes, iterations = predict(task, cells, length, penalty, tol)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    figures = (f"{task.error(predicted):.4f}", f"{wall:.0f}", f"{cpu:.0f}", max(sizes), max(iterations))
    return f"| {cells} | {length} √d | {penalty:g} | " + " | ".join(map(str, figures)) + " |"


def predict(
    task: Any, cells: int, length: float, penalty: float, tol: float
) -> tuple[NDArray[np.float64], list[int], list[int]]:
    """Return predictions of the test rows, and of each cell the number of rows and of iterations."""
    import gramian
    from gramian.kernels import Gaussian
    from sklearn.cluster import MiniBatchKMeans

    parts = MiniBatchKMeans(cells, random_state=0, n_init=3, batch_size=4096).fit(task.X)
    cell, new_cell = parts.predict(task.X), parts.predict(task.X_test)
    kernel = Gaussian(length_scale=length * np.sqrt(task.X.shape[1]))
    predicted, sizes, iterations = np.zeros(len(task.y_test)), [], []
    for c in np.unique(new_cell):
        own, new = cell == c, new_cell == c
        model = gramian.KernelRidge(
            alpha=penalty * len(task.y), kernel=kernel, solver="cg", dtype="float32", tol=tol, random_state=0
        ).fit(task.X[own], task.y[own])
        predicted[new] = model.predict(task.X_test[new])
        sizes.append(int(own.sum()))
        iterations.append(int(model.n_iter_ or 0))
    return predicted, sizes, iterations


if __name__ == "__main__":
    raise SystemExit(main())
