# SPDX-License-Identifier: BSD-3-Clause
"""What does training a kernel autoencoder cost, against automatic differentiation?"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from bench.data import points
from bench.measure import Contestant, optional
from bench.memory import extra_bytes
from bench.peers import autoencoder as kae
from bench.peers import autoencoder_fit
from bench.registry import OURS, Contest, figure, row

TOLERANCE = 1e-8
GROWTH = (1000, 2000, 4000, 8000, 16000)


def circles(n: int) -> kae.Problem:
    """Three noisy circles through one number."""
    from bench.paper.kae import toys

    return kae.Problem(toys.circles(n).X, (1, 2), (3.0, 1.0))


def digits(n: int, code: int = 5) -> kae.Problem:
    """Handwritten digits through a few numbers."""
    from sklearn.datasets import load_digits

    X = load_digits().data / 16.0
    return kae.Problem(X[np.random.default_rng(0).permutation(len(X))[:n]], (code, 64), (0.1, 1.0))


def deep(n: int, layers: int, p: int) -> kae.Problem:
    """Normal points of p coordinates through layers of p outputs."""
    return kae.Problem(points(n, p), (p,) * layers, (0.5 / p,) * layers)


@row("kae-gradient-circles", [{"n": n} for n in (200, 1000, 2000, 8000)])
def kae_gradient_circles(n: int) -> Contest:
    """Joint objective and gradient, 2-1-2; the first Gram matrix is there already, for everybody."""
    return _joint(circles(n))


@row("kae-gradient-digits", [{"n": 1797}])
def kae_gradient_digits(n: int) -> Contest:
    """The same, 64-5-64."""
    return _joint(digits(n))


@row("kae-gradient-deep", [{"n": 1000, "L": 4, "p": 20}])
def kae_gradient_deep(n: int, L: int, p: int) -> Contest:
    """The same, four layers of twenty outputs."""
    return _joint(deep(n, L, p))


@row("kae-eliminated", [{"n": 1000}])
def kae_eliminated(n: int) -> Contest:
    """The last layer solved for, 64-5-64."""
    problem = digits(n)
    contestants = {
        OURS: kae.gramian_eliminated(problem),
        "torch": optional(kae.torch_explicit, problem),
        "torch autograd": optional(kae.torch_eliminated, problem),
    }
    return Contest(contestants, _error(kae.reference_eliminated(problem)), TOLERANCE)


@row("k2ae-eliminated", [{"n": 1000}])
def k2ae_eliminated(n: int) -> Contest:
    """The same in the feature space of a Gaussian kernel: its Gram matrix is all that is seen."""
    problem = digits(n)
    inner = np.exp(-0.05 * cdist(problem.X, problem.X, "sqeuclidean"))
    values, vectors = np.linalg.eigh(inner)
    factor = vectors * np.sqrt(np.maximum(values, 0))  # of full rank: nothing is gained by it
    contestants = {
        OURS: kae.gramian_eliminated(problem, inner, factor),
        "torch": optional(kae.torch_explicit, problem, inner),
        "torch autograd": optional(kae.torch_eliminated, problem, inner),
    }
    return Contest(contestants, _error(kae.reference_eliminated(problem, inner)), TOLERANCE)


@row("kae-fit-circles", [{"n": 500}])
def kae_fit_circles(n: int) -> Contest:
    """A whole fit, from one start until the objective is what both reach: L-BFGS, the last layer eliminated."""
    race = autoencoder_fit.Race(circles(n), penalty=1e-3)
    contestants = {OURS: race.gramian(), "torch": optional(race.torch)}
    return Contest(contestants, race.excess, TOLERANCE)


@figure(
    "kae-equal-iterations", "objective", [{"data": name, "n": n} for name, n in (("circles", 500), ("digits", 500))]
)
def kae_equal_iterations(data: str, n: int) -> dict[str, float | str]:
    """The objective after 100 iterations of L-BFGS from the same start; lower is better."""
    problem = circles(n) if data == "circles" else digits(n)
    return autoencoder_fit.after_iterations(problem, penalty=1e-3 if data == "circles" else 1e-5, iterations=100)


@figure("kae-gradient-per-objective", "times", [{"n": 1000, "L": L, "p": p} for L in (2, 3, 4) for p in (1, 5, 20)])
def kae_gradient_per_objective(n: int, L: int, p: int) -> dict[str, float | str]:
    """How many objectives a joint objective with its gradient costs."""
    problem = deep(n, L, p)
    ours = _best(kae.gramian_joint(problem)) / _best(kae.gramian_objective(problem))
    gradient, objective = (optional(build, problem) for build in (kae.torch_joint, kae.torch_objective))
    if gradient.call is None or objective.call is None:
        return {OURS: ours, "torch": gradient.note}
    return {OURS: ours, "torch": _best(gradient.call) / _best(objective.call)}


@figure("kae-growth", "exponent", [{"n": GROWTH[-1]}])
def kae_growth(n: int) -> dict[str, float | str]:
    """Of the joint gradient's time, from n = 1000 on; 2 is quadratic. With stored tiles, and without any."""
    sizes = [size for size in GROWTH if size <= n]

    def exponent(memory_budget: int) -> float:
        seconds = [_best(kae.gramian_joint(circles(size), memory_budget)) for size in sizes]
        return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])

    return {OURS: exponent(2**30), "nothing stored": exponent(1)}


@figure("kae-gradient-memory", "MB", [{"n": 32000}])
def kae_gradient_memory(n: int) -> dict[str, float | str]:
    """Peak memory of a joint gradient, 2-1-2, that stores no Gram matrix; one of them has 8192 MB."""
    value = extra_bytes(_memory_of, OURS, n)
    return {OURS: value if isinstance(value, str) else value / 1e6}


def _memory_of(name: str, n: int) -> Contestant:
    problem = circles(n)

    def build_and_call() -> Any:
        return kae.gramian_joint(problem, memory_budget=1)()

    return Contestant(build_and_call)


def _joint(problem: kae.Problem) -> Contest:
    contestants = {OURS: kae.gramian_joint(problem), "torch": optional(kae.torch_joint, problem)}
    return Contest(contestants, _error(kae.reference_joint(problem)), TOLERANCE)


def _error(expected: tuple[float, Any]) -> Callable[[Any], float]:
    """The larger one of the relative errors of value and gradient."""
    value, gradient = expected
    scale = np.abs(gradient).max()

    def error(answer: Any) -> float:
        if answer[1].shape != gradient.shape:
            return float("inf")
        return float(max(abs(answer[0] / value - 1), np.abs(answer[1] - gradient).max() / scale))

    return error


def _best(call: Callable[[], Any], repetitions: int = 7) -> float:
    call()
    seconds = []
    for _ in range(repetitions):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return min(seconds)
