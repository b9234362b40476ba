# SPDX-License-Identifier: BSD-3-Clause
"""What does a search for concatenated kernels cost, against scipy; what does it bring, against Gaussian processes?"""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np

from bench.peers import deep_regression as dkl
from bench.registry import OURS, Contest, figure, geometric, row

SLACK = 1e-6
TRAINED = 0.75  # of all samples


RESTARTS = [{"n": 50, "p": 1, "restarts": 8}] + [{"n": 100, "p": p, "restarts": 64} for p in (1, 2)]


@row("deep-restarts", RESTARTS, quick_n=50)
def deep_restarts(n: int, p: int, restarts: int) -> Contest:
    """So many random starts of two-layer interpolation; the peers by coefficients as printed, or by features."""
    from bench.machine import usable_cores

    problem = dkl.Problem(n, p, restarts)
    cores = usable_cores()
    processes = dkl.Processes(problem, cores)
    alone = {f"scipy, {variant}": dkl.scipy_restarts(problem, variant) for variant in dkl.VARIANTS}
    together = {f"{cores} processes, {variant}": processes.restarts(variant) for variant in dkl.VARIANTS}
    bar = min(problem.value_of(call().images) for call in alone.values())
    return Contest({OURS: dkl.gramian_restarts(problem), **alone, **together}, dkl.excess(problem, bar), SLACK)


@row("deep-evaluation", [{"n": n} for n in (100, 500, 1000)])
def deep_evaluation(n: int) -> Contest:
    """One objective and its gradient in the inner coefficients, the outer layer solved for."""
    problem = dkl.Problem(n)
    contestants = {
        OURS: dkl.gramian_evaluation(problem),
        "numpy": dkl.plain_evaluation(problem),
        "numpy, few arrays": dkl.scipy_evaluation(problem),
    }
    return Contest(contestants, dkl.evaluation_error(problem), 1e-8)


@figure("deep-kin8nm", "RMSE, s", [{"n": 8192, "landmarks": 1000}])
def deep_kin8nm(n: int, landmarks: int) -> dict[str, float | str]:
    """A fit, penalties included, to three quarters of kin8nm; a Gaussian process on as many as take no longer."""
    import gramian

    from bench.paper.common import data

    found = data.load("kin8nm")
    order = np.random.default_rng(0).permutation(len(found.X))[:n]
    X, y, trained = found.X[order].astype(float), found.y[order].astype(float), int(TRAINED * n)
    train, test = (X[:trained], y[:trained]), (X[trained:], y[trained:])
    ours = gramian.DeepKernelRegressor(landmarks=landmarks, random_state=0)
    seconds, error = _fitted(ours, *train, *test)
    figures: dict[str, float | str] = {f"{OURS}, s": seconds, f"{OURS}, RMSE": error}
    for some in geometric(250, trained):
        theirs, their_error = _fitted(dkl.gaussian_process(X.shape[1]), X[:some], y[:some], *test)
        if theirs > seconds:
            break
        figures |= {"GP, s": theirs, "GP, RMSE": their_error, "GP, samples": float(some)}
    return figures


def _fitted(model: Any, X: Any, y: Any, new: Any, wanted: Any) -> tuple[float, float]:
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    seconds = time.perf_counter() - start
    return seconds, float(np.sqrt(np.mean((model.predict(new) - wanted) ** 2)))
