# SPDX-License-Identifier: BSD-3-Clause
"""What do structured outputs by operator-valued kernels cost, against numpy and against the paper's own formulas?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.data import points, sampled_rows
from bench.measure import Contestant, WrongAnswer, best_seconds
from bench.memory import extra_bytes
from bench.peers import dependency as kde
from bench.registry import OURS, Contest, figure, row

OPERATORS = ("covariance", "conditional")
EXACT = [{"n": n, "operator": operator} for n in (1000, 3000) for operator in OPERATORS]
LOW_RANK = [{"n": n, "m": m} for n, m in ((1000, 60), (20_000, 200), (100_000, 200))]
TOP = [{"n": n, "training": training} for n, training in ((1000, 300), (10_000, 300), (10_000, 1000))]
LARGEST_GRAM = 20_000  # 3.2 GB
PREDICT = [
    {"n": n, "training": training, "operator": operator}
    for n, training in ((2000, 300), (100_000, 300), (100_000, 1000), (1_000_000, 1000))
    for operator in ("identity", *OPERATORS)
]
TOLERANCE = 1e-9
COMPARED = 200


@row("dependency-exact", EXACT)
def dependency_exact(n: int, operator: str) -> Contest:
    """Exact coefficients from both Gram matrices, O(n^3)."""
    problem = kde.Problem(n, operator)
    contestants = {OURS: kde.gramian_exact(problem), "numpy": kde.numpy_exact(problem)}
    if operator == "conditional":
        contestants["numpy root"] = kde.numpy_root(problem)
    return Contest(contestants, kde.exact_error(problem), TOLERANCE)


@row("dependency-kronecker", [{"n": n, "operator": operator} for n in (40, 100) for operator in OPERATORS], quick_n=40)
def dependency_kronecker(n: int, operator: str) -> Contest:
    """The same against the system of n^2 unknowns that is printed; "printed" uses its symmetry where there is one."""
    problem = kde.Problem(n, operator)
    contestants = {
        OURS: kde.gramian_exact(problem),
        "numpy": kde.numpy_exact(problem),
        "printed": kde.kronecker(problem),
    }
    if operator == "covariance":
        contestants["printed solve"] = kde.kronecker(problem, general=True)
    return Contest(contestants, kde.exact_error(problem), TOLERANCE)


@row("dependency-low-rank", LOW_RANK)
def dependency_low_rank(n: int, m: int) -> Contest:
    """The conditional covariance, pivots included; "uniform" has random pivots, "gram" forms both Gram matrices."""
    problem = kde.Problem(n)
    contestants = {
        OURS: kde.gramian_low_rank(problem, m),
        "numpy": kde.numpy_low_rank(problem, m),
        "numpy uniform": kde.numpy_low_rank(problem, m, "uniform"),
    }
    if n <= LARGEST_GRAM:
        contestants["numpy gram"] = kde.numpy_low_rank(problem, m, "gram")
    return Contest(contestants, kde.low_rank_error(problem, m), 1e-6)


@figure("dependency-low-rank-error", "%", [{"n": 1000, "m": m} for m in (60, 200)])
def dependency_low_rank_error(n: int, m: int) -> dict[str, float | str]:
    """How far the inner products of a low-rank model are from the exact ones, for new inputs and candidates."""
    problem = kde.Problem(n)
    X = points(COMPARED, kde.INPUTS, seed=5)
    Y = problem.outputs(X, seed=6)
    gammas = problem.gammas
    C = kde.numpy_exact(problem)()
    exact = kde.gaussian(X, problem.X, gammas[0]) @ C.T @ kde.gaussian(problem.Y, Y, gammas[1])

    def percent(inner: Any) -> float:
        return float(100 * np.linalg.norm(inner - exact) / np.linalg.norm(exact))

    models = {
        OURS: kde.gramian_low_rank(problem, m),
        "own greedy pivots": kde.gramian_low_rank(problem, m, pivoting="greedy"),
        "own pivots by gain": kde.gramian_low_rank(problem, m, pivoting="gain"),
        "numpy": kde.numpy_low_rank(problem, m),
        "numpy uniform": kde.numpy_low_rank(problem, m, "uniform"),
    }
    found: dict[str, float | str] = {
        name: percent(kde.inner_products(problem, fit(), X, Y)) for name, fit in models.items()
    }
    return found | {"printed": percent(kde.printed_inner_products(problem, m, X, Y))}


@figure("dependency-low-rank-memory", "MB", LOW_RANK[1:])
def dependency_low_rank_memory(n: int, m: int) -> dict[str, float | str]:
    """Peak memory of such a fit above the data."""
    return _megabytes(_low_rank_contestant, (OURS, "numpy"), n, m)


@row("dependency-top", TOP)
def dependency_top(n: int, training: int) -> Contest:
    """The best 5 of n candidates for each of n inputs, and an exact model of so many training samples."""
    ranking = kde.Ranking(n, training)
    contestants = {OURS: kde.gramian_top(ranking), "numpy": kde.numpy_top(ranking)}
    return Contest(contestants, _top_error(ranking), 1e-9)


@figure("dependency-top-memory", "MB", TOP[1:])
def dependency_top_memory(n: int, training: int) -> dict[str, float | str]:
    """Peak memory of the same above the data; all scores take 800 MB."""
    return _megabytes(_top_contestant, (OURS, "numpy"), n, training)


@figure("dependency-predict", "s", PREDICT)
def dependency_predict(n: int, training: int, operator: str) -> dict[str, float | str]:
    """Outputs of n inputs: the best training output, the weighted sum; beside them a conditional mean of the data."""
    problem = kde.Problem(training, operator)
    X = points(n, kde.INPUTS, seed=2)
    nearest, linear, mean = kde.predictions(problem, X)
    if (error := kde.predictions_error(problem, X, nearest(), linear())) > TOLERANCE:
        raise WrongAnswer(f"predictions are off by {error:.1e}")
    found = {"nearest": best_seconds(nearest), "linear": best_seconds(linear), "conditional mean": best_seconds(mean)}
    return {**found, "nearest / conditional mean": found["nearest"] / found["conditional mean"]}


def _top_error(ranking: kde.Ranking) -> Callable[[Any], float]:
    """How much worse the scores of the chosen candidates are than the best ones, place by place, for some inputs."""
    rows = sampled_rows(ranking.n)
    scores = ranking.scores(ranking.X[rows], ranking.candidates)
    best = np.sort(scores, axis=1)[:, : kde.TOP]

    def error(found: Any) -> float:
        if found.shape != (ranking.n, kde.TOP):
            return float("inf")
        return float(np.abs(np.take_along_axis(scores, found[rows], axis=1) - best).max())

    return error


def _megabytes(build: Callable[..., Contestant], names: tuple[str, ...], n: int, *shape: int) -> dict[str, float | str]:
    found = {name: extra_bytes(build, name, n, *shape) for name in names}
    return {name: value if isinstance(value, str) else value / 1e6 for name, value in found.items()}


def _low_rank_contestant(name: str, n: int, m: int) -> Contestant:
    problem = kde.Problem(n)
    assert len(problem.X) == len(problem.Y)  # they are there before the call
    build = kde.gramian_low_rank if name == OURS else kde.numpy_low_rank
    return Contestant(build(problem, min(m, n)))


def _top_contestant(name: str, n: int, training: int) -> Contestant:
    ranking = kde.Ranking(n, training)
    assert len(ranking.X) == len(ranking.candidates) and ranking.model is not None
    return Contestant(kde.gramian_top(ranking) if name == OURS else kde.numpy_top_in_blocks(ranking, 500))
