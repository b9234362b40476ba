# SPDX-License-Identifier: BSD-3-Clause
"""What does deep kernel PCA cost, against automatic differentiation and against kernel PCA?"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.data import default_gamma, points
from bench.measure import Contestant, WrongAnswer, best_seconds, optional
from bench.memory import extra_bytes
from bench.peers import deep_pca as dkpca
from bench.registry import OURS, Contest, figure, row

TOLERANCE = 1e-8
SMALL_J = 2.5e-4
STEPS = [{"n": n, "steps": steps} for n, steps in ((351, 20), (1000, 20))]
# What the code that was published with [DKPCA] took, when it was measured: it does not run with current packages.
PUBLISHED_SECONDS = {"published, Adam": 4.8, "published, projected gradient": 8.3}
PUBLISHED_MEGABYTES = {"published, Adam": 7600.0, "published, projected gradient": 5200.0}


@row("dkpca-gradient", [{"n": n} for n in (351, 1000, 3000)])
def dkpca_gradient(n: int) -> Contest:
    """J and its gradient at two points, two Gaussian levels; the first Gram matrix is there already, for everybody."""
    problem = dkpca.Problem(n)
    contestants = {OURS: dkpca.gramian_gradient(problem), "torch": optional(dkpca.torch_gradient, problem)}
    expected = [dkpca.reference_gradient(problem, point) for point in problem.points]

    def error(answers: Any) -> float:
        return max(map(_gradient_error, answers, expected))

    return Contest(contestants, error, TOLERANCE)


@row("dkpca-adam", STEPS)
def dkpca_adam(n: int, steps: int) -> Contest:
    """So many steps of Riemannian Adam, the gradient at the last point included."""
    problem = dkpca.Problem(n)
    return _courses(dkpca.gramian_steps(problem, "adam", steps), optional(dkpca.torch_adam, problem, steps))


@row("dkpca-projected", STEPS)
def dkpca_projected(n: int, steps: int) -> Contest:
    """So many steps of the projected gradient with backtracking, [DKPCA] Alg. 1."""
    problem = dkpca.Problem(n)
    return _courses(dkpca.gramian_steps(problem, "gd", steps), optional(dkpca.torch_descent, problem, steps))


@row("dkpca-race", [{"n": 351}])
def dkpca_race(n: int) -> Contest:
    """From the samples by way of levelwise kernel PCA to J = 2.5e-4; torch has Adam, which is what geoopt has."""
    problem = dkpca.Problem(n)
    contestants = {
        OURS: dkpca.gramian_race(problem, SMALL_J),
        "torch": optional(dkpca.torch_race, problem, SMALL_J),
    }
    return Contest(contestants, dkpca.excess(problem, SMALL_J), 1e-6)


@row("dkpca-shallow", [{"n": n, "d": 10, "k": 10} for n in (1000, 2000, 5000)])
def dkpca_shallow(n: int, d: int, k: int) -> Contest:
    """One level alone, centred: kernel PCA, its Gram matrix included."""
    X, gamma = points(n, d), default_gamma(d)
    contestants = {
        OURS: dkpca.gramian_shallow(X, gamma, k),
        "KernelPCA arpack": optional(dkpca.sklearn_shallow, X, gamma, k),
    }
    expected = dkpca.centred_eigenvalues(X, gamma, k)
    return Contest(contestants, lambda values: float(np.abs(values / expected - 1).max()), TOLERANCE)


@figure("dkpca-transform", "s", [{"n": n, "training": m} for n, m in ((2000, 300), (100_000, 300), (100_000, 1000))])
def dkpca_transform(n: int, training: int) -> dict[str, float | str]:
    """Features of n new samples, two Gaussian levels: by Newton's method on the equations, and smoothed."""
    model, X = dkpca.fitted(training), points(n, dkpca.INPUTS, seed=2)
    rows = X[: min(n, 1000)]
    if (error := dkpca.equation_error(model, rows, model.transform(X)[: len(rows)])) > TOLERANCE:
        raise WrongAnswer(f"the equations are off by {error:.1e}")
    newton = best_seconds(lambda: model.transform(X))
    smoother = best_seconds(lambda: dkpca.smoothed(model).transform(X))
    return {"equations": newton, "smoother": smoother, "equations / smoother": newton / smoother}


@figure("dkpca-iteration", "s", [{"n": 1000}])
def dkpca_iteration(n: int) -> dict[str, float | str]:
    """One iteration of Riemannian Adam; beside it what the published code took for one, quoted and not measured."""
    steps = 20
    ours = best_seconds(dkpca.gramian_steps(dkpca.Problem(n), "adam", steps)) / steps
    ratios = {f"{name} / {OURS}": quoted / ours for name, quoted in PUBLISHED_SECONDS.items()}
    return {OURS: ours, **PUBLISHED_SECONDS, **ratios}


@figure("dkpca-iteration-memory", "MB", [{"n": 1000}])
def dkpca_iteration_memory(n: int) -> dict[str, float | str]:
    """Peak memory of such iterations above the data; beside it that of the published code, quoted."""
    return {**_memory(_iterations, 1e6, n), **PUBLISHED_MEGABYTES}


@figure("dkpca-memory", "n^2 doubles", [{"n": 1000}, {"n": 5000}])
def dkpca_memory(n: int) -> dict[str, float | str]:
    """Peak memory of a fit of two Gaussian levels above the data."""
    return _memory(_fit, 8.0 * n * n, n)


@figure("dkpca-landmarks-memory", "MB", [{"n": 2000, "m": 500}, {"n": 20_000, "m": 2000}])
def dkpca_subset_memory(n: int, m: int) -> dict[str, float | str]:
    """Peak memory above the data of a fit to m of n samples and the features of all n."""
    return _memory(_fit_and_transform, 1e6, n, m)


def _gradient_error(answer: Any, expected: tuple[float, Any]) -> float:
    """The larger one of the relative errors of value and gradient."""
    value, gradient = expected
    if answer[1].shape != gradient.shape:
        return float("inf")
    return float(max(abs(answer[0] / value - 1), np.abs(answer[1] - gradient).max() / np.abs(gradient).max()))


def _courses(ours: Callable[[], Any], torch: Contestant) -> Contest:
    """J at the start and after each step. There is no third one: each is compared with torch, or else with itself."""
    expected = ours() if torch.call is None else torch.call()

    def error(found: Any) -> float:
        return float(np.abs(found / expected - 1).max()) if found.shape == expected.shape else float("inf")

    return Contest({OURS: ours, "torch": torch}, error, TOLERANCE)


def _memory(build: Callable[..., Contestant], unit: float, n: int, *shape: int) -> dict[str, float | str]:
    value = extra_bytes(build, OURS, n, *shape)
    return {OURS: value if isinstance(value, str) else value / unit}


def _iterations(name: str, n: int) -> Contestant:
    problem = dkpca.Problem(n)
    assert len(problem.start.H) == 2 and problem.gamma > 0  # they are there before the call
    problem.__dict__.pop("K", None)
    return Contestant(lambda: dkpca.gramian_steps(problem, "adam", 5)())


def _fit(name: str, n: int) -> Contestant:
    model, X = _model(n), dkpca.ionosphere_like(n)
    return Contestant(lambda: _quietly(lambda: model.fit(X)))


def _fit_and_transform(name: str, n: int, m: int) -> Contestant:
    model, X = _model(n, landmarks=m), dkpca.ionosphere_like(n)
    return Contestant(lambda: _quietly(lambda: model.fit(X).transform(X)))


def _model(n: int, landmarks: int | None = None) -> Any:
    import gramian

    return gramian.DeepKernelPCA(dkpca.SIZES, landmarks=landmarks, max_iter=5, random_state=0)


def _quietly(call: Callable[[], Any]) -> Any:
    """So few iterations are not the end, and that is what the warning would say."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call()
