# SPDX-License-Identifier: BSD-3-Clause
"""What does learning a kernel for a conditional embedding cost, and what does predicting with it?"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.measure import Contestant, WrongAnswer, optional
from bench.memory import extra_bytes
from bench.peers import embedding as mce
from bench.registry import OURS, Contest, figure, row

TOLERANCE = 1e-8
SUPPORTS = {"n": 5000, "rows": 100_000}
GPC, SVM = "GaussianProcessClassifier", "SVC(probability=True)"


@row(
    "embedding-step",
    [{"n": 150, "d": 2, "m": 3, "steps": 100}, {"n": 1484, "d": 8, "m": 10, "steps": 5}]
    + [{"n": 5000, "d": 784, "m": 10, "steps": 2}],
)
def embedding_step(n: int, d: int, m: int, steps: int) -> Contest:
    """So many steps of Adam, ARD, each with objective and gradient on all samples; gramian embeds them once more."""
    return _steps(mce.Problem(n, d, m, steps - 1))


@row("embedding-batch", [{"n": 148, "d": 8, "m": 10, "steps": 100}, {"n": 500, "d": 784, "m": 10, "steps": 20}])
def embedding_batch(n: int, d: int, m: int, steps: int) -> Contest:
    """The same for so many samples as a batch has; the same ones each time, so that answers can be compared."""
    return _steps(mce.Problem(n, d, m, steps - 1))


@row("embedding-features", [{"n": 60_000, "d": 64, "p": 256, "steps": 3}])
def embedding_features(n: int, d: int, p: int, steps: int) -> Contest:
    """The same on a layer of p rectified units, p x p systems."""
    problem = mce.NetworkProblem(n, d, steps=steps - 1, p=p)
    return Contest(*_against_torch(problem, mce.gramian_network, mce.torch_network), TOLERANCE)


@figure("embedding-memory", "n^2 doubles", [{"n": 5000, "d": 784}])
def embedding_memory(n: int, d: int) -> dict[str, float | str]:
    """Peak memory of a fit of one step above the data: with the copy of the samples that a classifier keeps."""
    found = {name: extra_bytes(_one_step, name, n, d) for name in (OURS, "torch")}
    return {name: value if isinstance(value, str) else value / (8 * n * n) for name, value in found.items()}


@figure("embedding-predict", "ms for 1000 rows", [SUPPORTS])
def embedding_predict(n: int, rows: int) -> dict[str, float | str]:
    """Probabilities of two classes for so many rows from n samples; the peers get 2000 rows at a time, and fewer."""
    problem = mce.Problem(n, 8, 2)
    few = {SVM: max(1, rows // 10), GPC: max(1, rows // 50)}
    found: dict[str, float | str] = {OURS: _milliseconds(_embedded(problem), rows)}
    for name, build in ((SVM, mce.support_vectors), (GPC, mce.gaussian_process)):
        found[name] = _milliseconds(build(problem), few[name])
        found[f"{name} / {OURS}"] = float(found[name]) / float(found[OURS])
    return found


@figure("embedding-predict-memory", "MB", [SUPPORTS])
def embedding_predict_memory(n: int, rows: int) -> dict[str, float | str]:
    """Peak memory of the same above the data, all probabilities included."""
    value = extra_bytes(_prediction, OURS, n, rows)
    return {OURS: value if isinstance(value, str) else value / 1e6}


@figure("yeast-fit", "s", [{"n": 1484}], quick_n=1000)
def yeast_fit(n: int) -> dict[str, float | str]:
    """A whole fit on yeast: 1000 steps on all samples, the defaults, a grid of 25 SVCs on five folds, and a GPC."""
    from bench.paper.common import data
    from bench.paper.mce import methods

    found = data.load("yeast")
    X, _ = methods.scaled(found.X, found.X)
    X, y, builders = X[:n], found.y[:n], methods.methods()
    taken: dict[str, float | str] = {}
    for name in ("GMCE", "EmbeddingClassifier, its defaults", "SVC, grid of 25", "Gaussian process"):
        start = time.process_time()
        taken[name] = _seconds(lambda name=name: builders[name](X).fit(X, y))
        taken[f"{name}, of the processor"] = time.process_time() - start
    return taken


def _steps(problem: mce.Problem) -> Contest:
    contestants = {OURS: mce.gramian_course(problem), "torch": optional(mce.torch_course, problem)}
    return Contest(contestants, mce.course_error(mce.reference_course(problem)), TOLERANCE)


def _against_torch(problem: Any, ours: Any, torch: Any) -> tuple[dict[str, Any], Callable[[Any], float]]:
    """There is no third one: each is compared with torch, or with itself where there is none."""
    contestants = {OURS: ours(problem), "torch": optional(torch, problem)}
    call = contestants["torch"].call
    return contestants, mce.course_error(contestants[OURS]() if call is None else call())


def _one_step(name: str, n: int, d: int) -> Contestant:
    problem = mce.Problem(n, d, steps=int(name == OURS))
    assert len(problem.X) == len(problem.Y) == len(problem.labels)  # they are there before the call
    return Contestant(mce.gramian_course(problem)) if name == OURS else optional(mce.torch_course, problem)


def _prediction(name: str, n: int, rows: int) -> Contestant:
    model = _embedded(mce.Problem(n, 8, 2))
    X = np.random.default_rng(2).random((rows, 8))
    return Contestant(lambda: model.predict_proba(X))


def _embedded(problem: mce.Problem) -> Any:
    return problem.estimator(learn=None, penalty=1e-3).fit(problem.X, problem.labels)


def _milliseconds(model: Any, rows: int, block: int = 2000) -> float:
    """Best of three, for 1000 rows. All at once with gramian; others would need a matrix of all rows and samples."""
    X = np.random.default_rng(2).random((rows, model.n_features_in_))
    if type(model).__module__.startswith("gramian"):
        block = rows
    parts = [X[start : start + block] for start in range(0, rows, block)]

    def predict() -> Any:
        return np.concatenate([model.predict_proba(part) for part in parts])

    P = predict()
    if P.shape != (rows, 2) or np.abs(P.sum(axis=1) - 1).max() > 1e-9:
        raise WrongAnswer(f"{type(model).__name__}: probabilities have shape {P.shape} or don't add up to 1")
    return 1e6 * min(_seconds(predict) for _ in range(3)) / rows


def _seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call()
    return time.perf_counter() - start
