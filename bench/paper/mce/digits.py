# SPDX-License-Identifier: BSD-3-Clause
"""
[MCE] Sec. 5, Fig. 2, top left: accuracy on the test part of MNIST against the number of training pictures.

A length scale for each pixel, learned with and without the complexity; the paper has 86.69 % and 86.96 % for 500
pictures, 96.05 % and 95.3 % for 5000. The Gaussian process is left out beyond GPC_MOST pictures: it would
take more than ten minutes.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import gramian
import numpy as np
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.svm import SVC

from bench.paper.common import mnist
from bench.paper.common.outcome import Outcome, Settings, Table, spread
from bench.paper.mce.methods import accuracy, gaussian

SIZES = (50, 100, 250, 500, 1000, 2000, 5000)
DRAWS = {50: 5, 100: 5, 250: 3, 500: 3}
"""Of training pictures; one for larger numbers."""
STEPS = 200
GPC_MOST = 1000
WITH, WITHOUT, DEFAULTS, SVM, GPC = (
    "MCE",
    "MCE without the complexity",
    "EmbeddingClassifier, its defaults",
    "SVC",
    "GPC",
)
PAPER = {(WITH, 500): 86.69, (WITHOUT, 500): 86.96, (WITH, 5000): 96.05, (WITHOUT, 5000): 95.3}


def builders(steps: int) -> dict[str, Any]:
    """All parameters start at 1, as in the paper; scikit-learn's classifiers are as they come."""
    return {
        WITH: lambda X: gaussian(X, steps),
        WITHOUT: lambda X: gaussian(X, steps, learn="erm"),
        DEFAULTS: lambda X: gramian.EmbeddingClassifier(random_state=0),
        SVM: lambda X: SVC(),
        GPC: lambda X: GaussianProcessClassifier(1.0 * RBF(1.0), random_state=0),
    }


def run(settings: Settings) -> Outcome:
    """All sizes; what is measured is kept in `mce_digits.jsonl`, so that a run that was interrupted goes on."""
    outcome = Outcome("mce_digits")
    found = mnist.pictures(settings, outcome)
    sizes = (50, 100) if settings.quick else SIZES
    path = settings.output / "mce_digits.jsonl"
    kept = {} if settings.quick else _kept(path)
    for size in sizes:
        for method in builders(STEPS):
            if method == GPC and size > GPC_MOST:
                continue
            for draw in range(1 if settings.quick else DRAWS.get(size, 1)):
                if (method, size, draw) not in kept:
                    kept[method, size, draw] = _one(found, method, size, draw, 20 if settings.quick else STEPS)
                    if not settings.quick:
                        _keep(path, (method, size, draw), kept[method, size, draw])
    outcome.tables.append(_table(found.name, sizes, kept))
    outcome.pictures.append(_picture(settings, sizes, kept))
    outcome.facts = {"steps": STEPS, "runs": [[*key, *value] for key, value in kept.items()]}
    return outcome


def _one(found: mnist.Pictures, method: str, size: int, draw: int, steps: int) -> tuple[float, float]:
    """Percent, and seconds of the processor for learning and predicting."""
    X, y = found.draw(size, seed=draw)
    start = time.process_time()
    reached = accuracy(builders(steps)[method], X, y, found.X_test, found.y_test)
    return 100 * reached, time.process_time() - start


def _kept(path: Path) -> dict[Any, tuple[float, float]]:
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.open()]
    return {(line["method"], line["size"], line["draw"]): (line["accuracy"], line["seconds"]) for line in lines}


def _keep(path: Path, key: tuple[str, int, int], value: tuple[float, float]) -> None:
    names = ("method", "size", "draw", "accuracy", "seconds")
    with path.open("a") as lines:
        lines.write(json.dumps(dict(zip(names, (*key, *value), strict=True))) + "\n")


def _of(kept: Any, method: str, size: int) -> list[tuple[float, float]]:
    return [value for (one, count, _), value in sorted(kept.items()) if (one, count) == (method, size)]


def _table(name: str, sizes: Any, kept: Any) -> Table:
    table = Table(f"{name}: accuracy in percent, and seconds", ["pictures", "draws"])
    for method in builders(STEPS):
        table.columns = [*table.columns, method, "seconds"]
    for size in sizes:
        row: list[Any] = [str(size), float(len(_of(kept, WITH, size)))]
        for method in builders(STEPS):
            runs = _of(kept, method, size)
            values = [reached for reached, _ in runs]
            shown = None if not runs else spread(values) if len(runs) > 1 else f"{values[0]:.4g}"
            row += [shown, float(np.mean([seconds for _, seconds in runs])) if runs else None]
        table.rows.append(row)
    return table


def _picture(settings: Settings, sizes: Any, kept: Any) -> Any:
    from bench.paper.common import draw

    figure, axes = draw.panels(1, 1, width=5.6, height=3.8)
    ax = axes[0, 0]
    for method, colour, marker in zip(builders(STEPS), (*draw.CLUSTERS, "black"), "osD^v", strict=True):
        there = [size for size in sizes if _of(kept, method, size)]
        means = [np.mean([reached for reached, _ in _of(kept, method, size)]) for size in there]
        ax.semilogx(there, means, color=colour, marker=marker, markersize=5, label=method)
    for label, colour in ((WITH, draw.CLUSTERS[0]), (WITHOUT, draw.CLUSTERS[1])):
        points = {size: value for (method, size), value in PAPER.items() if method == label and size in sizes}
        ax.plot(list(points), list(points.values()), "x", color=colour, label=f"{label}, paper" if points else None)
    ax.set(xlabel="training pictures", ylabel="accuracy, %")
    ax.legend(fontsize=8)
    return draw.save(figure, settings.output / "mce_digits.png")
