# SPDX-License-Identifier: BSD-3-Clause
"""Two-layer interpolation, [DKL] (Int): with gramian, and as one writes it with scipy's L-BFGS-B and numpy."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.lapack import dpotrf, dpotrs
from scipy.optimize import minimize

Array = NDArray[np.float64]
Call = Callable[[], Any]
HIDDEN = 2
SQUARED_CONSTANT = np.pi / 2  # of the printed Matérn kernel in two coordinates
VARIANTS = ("coefficients", "features")


class End(NamedTuple):
    """Images of the samples where a search has ended, and whether the best search of all peers is the bar for it."""

    images: Array
    judged: bool = False


@dataclass(frozen=True)
class Problem:
    """Samples of [DKL] h_1, a ridge along the diagonal; polynomials of degree p, and a Matérn kernel (s = 1) behind."""

    n: int
    p: int = 1
    restarts: int = 64

    @cached_property
    def X(self) -> Array:
        """Samples of a square."""
        return np.random.default_rng(0).uniform(-1, 1, (self.n, HIDDEN))

    @cached_property
    def y(self) -> Array:
        """Values with a little noise."""
        noise = np.random.default_rng(1).standard_normal(self.n)
        return 1 / (0.1 + np.abs(self.X[:, 0] - self.X[:, 1])) + 0.01 * noise

    @cached_property
    def features(self) -> Array:
        """Of the inner kernel (1 + <x, y>)^p: their inner products are its values."""
        a, b = self.X.T
        root = np.sqrt(2)
        linear, square = [np.ones(self.n), a, b], [np.ones(self.n), root * a, root * b, a * a, b * b, root * a * b]
        return np.ascontiguousarray(np.stack(linear if self.p == 1 else square, axis=1))

    @cached_property
    def inner(self) -> Array:
        """The inner Gram matrix."""
        return self.features @ self.features.T

    @cached_property
    def coefficients(self) -> Array:
        """Where the objective is asked for."""
        return np.random.default_rng(2).standard_normal((self.n, HIDDEN)) / np.sqrt(self.n)

    @cached_property
    def kernels(self) -> list[Any]:
        """As gramian has them."""
        from gramian.kernels import Polynomial, TensorMatern

        return [Polynomial(degree=self.p), SQUARED_CONSTANT * TensorMatern(s=1)]

    def value_of(self, images: Array) -> float:
        """The objective of the function with the smallest norm that has these images: no formula of a contestant."""
        weights = np.linalg.lstsq(self.features, images, rcond=None)[0]
        if np.abs(self.features @ weights - images).max() > 1e-6 * np.abs(images).max():
            return float("inf")
        M = SQUARED_CONSTANT * np.exp(-np.abs(images[:, None] - images).sum(axis=2))
        return float(self.y @ np.linalg.solve(M, self.y) + (weights**2).sum())


class Objective:
    """Value and gradient for scipy. The inner functions are B theta, and their squared norm is <theta, N theta>."""

    def __init__(self, problem: Problem, variant: str = "coefficients") -> None:
        self.by_features = variant == "features"
        self.B = problem.features if self.by_features else problem.inner
        self.y = problem.y
        self.spread = 1.0 if self.by_features else 1 / np.sqrt(problem.n)

    def start(self, rng: np.random.Generator) -> Array:
        """A random one."""
        return self.spread * rng.standard_normal(self.B.shape[1] * HIDDEN)

    def images(self, theta: Array) -> Array:
        """What the outer kernel sees."""
        return self.B @ theta.reshape(-1, HIDDEN)

    def __call__(self, theta: Array) -> tuple[float, Array]:
        theta = theta.reshape(-1, HIDDEN)
        Z = self.B @ theta
        first, second = (np.subtract.outer(z, z) for z in Z.T)
        M = np.abs(first)
        M += np.abs(second)
        np.negative(M, out=M)
        np.exp(M, out=M)
        M *= SQUARED_CONSTANT
        factor, failed = dpotrf(M, lower=1, clean=0)
        if failed:
            return 1e30, np.zeros(theta.size)
        a = dpotrs(factor, self.y, lower=1)[0]
        bar = np.empty_like(Z)
        for j, difference in enumerate((first, second)):
            np.sign(difference, out=difference)
            difference *= M
            bar[:, j] = 2 * a * (difference @ a)
        normed = theta if self.by_features else Z
        return float(self.y @ a + (theta * normed).sum()), (self.B.T @ bar + 2 * normed).ravel()


def gramian_restarts(problem: Problem) -> Call:
    """All starts at once in the engine's threads; the images of the best end."""
    import gramian

    model = gramian.DeepKernelInterpolator(
        problem.kernels, hidden=HIDDEN, n_init=problem.restarts, init="random", random_state=0
    )
    return lambda: End(model.fit(problem.X, problem.y).transform(problem.X), judged=True)


def scipy_restarts(problem: Problem, variant: str) -> Call:
    """One start after the other."""
    return lambda: best_end(problem, variant, range(problem.restarts))


class Processes:
    """The same in a process for each core, started beforehand, with one thread each."""

    def __init__(self, problem: Problem, cores: int) -> None:
        self.problem, self.cores = problem, cores
        self.pool = ProcessPoolExecutor(cores, multiprocessing.get_context("spawn"), initializer=_one_thread)
        list(self.pool.map(best_end, *self.shares("features", cores)))

    def shares(self, variant: str, restarts: int) -> tuple[list[Any], ...]:
        """Arguments of `best_end` for each process."""
        starts = [range(core, restarts, self.cores) for core in range(self.cores)]
        return [self.problem] * self.cores, [variant] * self.cores, starts

    def restarts(self, variant: str) -> Call:
        """The best of all processes."""
        arguments = self.shares(variant, self.problem.restarts)
        return lambda: min(self.pool.map(best_end, *arguments), key=lambda end: self.problem.value_of(end.images))


def best_end(problem: Problem, variant: str, starts: range) -> End:
    """Where the best of these starts ends."""
    objective = Objective(problem, variant)
    ends = (
        minimize(
            objective,
            objective.start(np.random.default_rng(start)),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 500},
        )
        for start in starts
    )
    return End(objective.images(min(ends, key=lambda end: end.fun).x))


def _one_thread() -> None:
    from threadpoolctl import threadpool_limits

    threadpool_limits(1)


def excess(problem: Problem, bar: float) -> Callable[[Any], float]:
    """How far an objective is above the bar, relatively; of the peers that set it only that it is a number."""

    def error(end: Any) -> float:
        value = problem.value_of(end.images)
        if not np.isfinite(value):
            return float("inf")
        return max(0.0, value / bar - 1) if end.judged else 0.0

    return error


def gramian_evaluation(problem: Problem) -> Call:
    """The engine's objective and gradient in the coefficients."""
    from gramian import _core
    from gramian.models._shared.layers import plan_layers

    plans = plan_layers("bench", problem.kernels, None, 1.0, [HIDDEN, 1])
    layers = [plan.crossing(HIDDEN) for plan in plans]
    options = _core.deep_regression.Options(
        mode=_core.deep_regression.Interpolation(), parameters=_core.deep_regression.InnerParameters.coefficients
    )
    objective = _core.deep_regression.Objective(problem.X, problem.y[:, None], layers, options, [])
    theta = problem.coefficients.ravel()
    return lambda: objective.evaluate(theta)


def scipy_evaluation(problem: Problem) -> Call:
    """What the search with scipy calls: few arrays, and LAPACK without checks."""
    objective, theta = Objective(problem), problem.coefficients.ravel()
    return lambda: objective(theta)


def plain_evaluation(problem: Problem) -> Call:
    """The same as one writes it, with an array for each step."""
    B, y, theta = problem.inner, problem.y, problem.coefficients

    def value_and_gradient() -> tuple[float, Array]:
        Z = B @ theta
        differences = [Z[:, [j]] - Z[:, j] for j in range(HIDDEN)]
        M = SQUARED_CONSTANT * np.exp(-sum(np.abs(part) for part in differences))
        a = cho_solve(cho_factor(M, lower=True), y)
        W = M * np.outer(a, a)
        bar = np.stack([2 * (W * np.sign(part)).sum(axis=1) for part in differences], axis=1)
        return float(y @ a + (theta * Z).sum()), (B.T @ bar + 2 * Z).ravel()

    return value_and_gradient


def evaluation_error(problem: Problem) -> Callable[[Any], float]:
    """Relative errors of value and gradient, against differences of coordinates and a general solver."""
    theta, Z = problem.coefficients, problem.inner @ problem.coefficients
    differences = Z[:, None] - Z
    M = SQUARED_CONSTANT * np.exp(-np.abs(differences).sum(axis=2))
    a = np.linalg.solve(M, problem.y)
    bar = 2 * np.einsum("i,ij,ijk,j->ik", a, M, np.sign(differences), a)
    value, gradient = float(problem.y @ a + (theta * Z).sum()), (problem.inner @ (bar + 2 * theta)).ravel()

    def error(found: Any) -> float:
        if np.shape(found[1]) != gradient.shape:
            return float("inf")
        off = np.abs(found[1] - gradient).max() / np.abs(gradient).max()
        return float(max(abs(found[0] / value - 1), off))

    return error


def gaussian_process(features: int) -> Any:
    """A length scale for each feature, amplitude and noise, on standardised columns."""
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    kernel = ConstantKernel(1.0) * RBF(np.full(features, np.sqrt(features))) + WhiteKernel(0.1)
    return make_pipeline(StandardScaler(), GaussianProcessRegressor(kernel, normalize_y=True, random_state=0))
