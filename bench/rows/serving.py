# SPDX-License-Identifier: BSD-3-Clause
"""What does a prediction of a fitted model cost: of one row, and of many?"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.measure import Call, Contestant, WrongAnswer
from bench.peers import serving as peers
from bench.registry import OURS, Contest, figure, row

TOLERANCE = 1e-8
CALLS, ROUNDS = 200, 15


@figure("serving-row", "us", [{"n": 1000, "d": 8}, {"n": 5000, "d": 8}])
def serving_row(n: int, d: int, clock: Callable[[], float] = time.perf_counter) -> dict[str, float | str]:
    """One row of a regression on n samples: the median over calls, of all libraries in turns."""
    problem = peers.Problem(n, d)
    x = np.random.default_rng(1).normal(size=(1, d))
    in_c = peers.InC(problem, 1)
    wanted = peers.kernel_ridge(problem)(x)
    predictions: dict[str, Any] = {
        OURS: peers.estimator(problem),
        "gramian in C": in_c,
        "KernelRidge": peers.kernel_ridge(problem),
        "GaussianProcessRegressor": peers.gaussian_process(problem).predict,
        "ONNX Runtime": peers.onnx(problem),
        "torch": peers.torch(problem),
    }
    calls = _checked(predictions, x, wanted)
    calls["SVC"] = _call(peers.support_vectors(problem), x)
    if callable(calls["gramian in C"]):
        calls["gramian in C"] = in_c.run
    calls["validation of scikit-learn"] = _validation(x)
    times = _medians({name: call for name, call in calls.items() if callable(call)}, clock)
    return {name: times[name] if callable(call) else call for name, call in calls.items()}


@row("serving-batch", [{"n": 1000, "d": 8, "rows": 100_000}])
def serving_batch(n: int, d: int, rows: int) -> Contest:
    """As many rows at once."""
    problem = peers.Problem(n, d)
    X = np.random.default_rng(1).normal(size=(rows, d))
    wanted = peers.kernel_ridge(problem)(X)
    predictions: dict[str, Any] = {
        OURS: peers.estimator(problem),
        "gramian in C": peers.InC(problem, rows),
        "KernelRidge": peers.kernel_ridge(problem),
        "ONNX Runtime": peers.onnx(problem),
        "torch": peers.torch(problem),
    }
    contestants = {name: _contestant(predict, X) for name, predict in predictions.items()}
    return Contest(contestants, lambda found: float(np.abs(np.asarray(found) - wanted).max()), TOLERANCE)


def _contestant(predict: Any, X: np.ndarray) -> Contestant:
    if not isinstance(predict, Contestant):
        return Contestant(_call(predict, X))
    return predict if predict.call is None else Contestant(_call(predict.call, X), predict.note)


def _call(predict: Callable[[np.ndarray], Any], X: np.ndarray) -> Callable[[], Any]:
    return lambda: predict(X)


def _checked(predictions: dict[str, Any], x: np.ndarray, wanted: np.ndarray) -> dict[str, Any]:
    """Calls without arguments, or why there is none; each answer is checked."""
    calls: dict[str, Any] = {}
    for name, predict in predictions.items():
        contestant = _contestant(predict, x)
        calls[name] = contestant.note if contestant.call is None else contestant.call
        if contestant.call is not None and not np.abs(np.asarray(contestant.call()) - wanted).max() <= TOLERANCE:
            raise WrongAnswer(name)
    return calls


def _validation(x: np.ndarray) -> Callable[[], Any]:
    """What scikit-learn's checks of one row cost by themselves."""
    from gramian.models._shared.compatibility import validate_data
    from sklearn.base import BaseEstimator

    learner = BaseEstimator()
    learner.n_features_in_ = x.shape[1]
    return lambda: validate_data(learner, x, dtype=np.float64, order="C", reset=False)


def _medians(calls: dict[str, Call], clock: Callable[[], float]) -> dict[str, float]:
    """Microseconds of a call: the median of rounds, in which each has its turn."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            call()
            start = clock()
            for _ in range(CALLS):
                call()
            taken[name].append((clock() - start) / CALLS * 1e6)
    return {name: statistics.median(times) for name, times in taken.items()}
