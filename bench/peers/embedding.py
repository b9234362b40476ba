# SPDX-License-Identifier: BSD-3-Clause
"""Learning of conditional embeddings: with gramian, with automatic differentiation, and as a reference in numpy."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from sklearn.exceptions import ConvergenceWarning

Array = NDArray[np.float64]
Call = Callable[[], Any]
RATE, BETAS, SMALL = 0.1, (0.9, 0.999), 1e-8  # of Adam
TAU, EPSILON = 4 * np.e, 1e-15


class Course(NamedTuple):
    """What a few steps lead to: the objective at each of them, and parameters and complexity where it is lowest."""

    values: Array
    parameters: Array
    complexity: float


@dataclass(frozen=True)
class Problem:
    """Points of the unit cube in classes that a linear map divides; steps of Adam from parameters that are all 1."""

    n: int
    d: int
    classes: int = 10
    steps: int = 9

    @cached_property
    def X(self) -> Array:
        """Samples."""
        return np.random.default_rng(0).random((self.n, self.d))

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """Every class is there."""
        scores = self.X @ np.random.default_rng(1).standard_normal((self.d, self.classes))
        found = np.asarray((scores - scores.mean(axis=0)).argmax(axis=1), dtype=np.int64)
        found[: self.classes] = np.arange(self.classes)
        return found

    @cached_property
    def Y(self) -> Array:
        """A column for each class."""
        return np.eye(self.classes)[self.labels]

    @property
    def start(self) -> Array:
        """Logarithms: of the factor of the kernel, of each length scale, of lambda. Many lengths start at 10."""
        lengths = np.zeros(self.d) if self.d < 100 else np.full(self.d, np.log(10.0))
        return np.concatenate([[0.0], lengths, [0.0]])

    def estimator(self, **options: Any) -> Any:
        """gramian's, as the paper has it."""
        import gramian
        from gramian.kernels import Gaussian

        kernel = 1.0 * Gaussian(length_scale=np.exp(self.start[1:-1]))
        printed = {"learn": "rademacher", "penalty": 1.0, "max_iter": self.steps, "tol": 0.0, "random_state": 0}
        return gramian.EmbeddingClassifier(**{"kernel": kernel, "memory_budget": 2**40, **printed, **options})


def quietly(model: Any, X: Any, y: Any) -> Any:
    """So few steps are not the end, and that is what the warning would say."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


def gramian_course(problem: Problem) -> Call:
    """The engine: so many steps, each with an objective and a gradient, and the embedding at the end."""
    model, X, y = problem.estimator(), problem.X, problem.labels

    def course() -> Course:
        quietly(model, X, y)
        found = model.kernel_.parameters
        factor = next(value for name, value in found.items() if not name.endswith(("length_scale", "gamma")))
        lengths = next(value for name, value in found.items() if name.endswith("length_scale"))
        parameters = np.log(np.concatenate([[factor], lengths, [model.penalty_]]))
        return Course(model.history_["value"], parameters, model.complexity_)

    return course


def torch_course(problem: Problem) -> Call:
    """As one writes it with automatic differentiation; the last point's gradient is taken too, as gramian does."""
    import torch

    X, Y = torch.from_numpy(problem.X), torch.from_numpy(problem.Y)
    n, start = problem.n, torch.from_numpy(problem.start)

    def embed(theta: Any) -> tuple[Any, Any]:
        Z = X / theta[1:-1].exp()
        squares = (Z * Z).sum(dim=1)
        K = (theta[0] + (Z @ Z.T - 0.5 * (squares[:, None] + squares)).clamp(max=0)).exp()
        system = K + n * theta[-1].exp() * torch.eye(n, dtype=torch.float64)
        V = torch.cholesky_solve(Y, torch.linalg.cholesky(system))
        P = K @ V
        return _risk(P, Y), (0.5 * theta[0]).exp() * (V * P).sum().sqrt()

    def course() -> Course:
        theta = start.clone().requires_grad_()
        return _torch_steps(problem.steps, [theta], lambda: embed(theta), lambda: theta.detach().numpy().copy())

    return course


def _risk(P: Any, Y: Any) -> Any:
    return -(P * Y).sum(dim=1).clamp(EPSILON, 1).log().sum()


def _torch_steps(steps: int, learned: list[Any], embed: Callable[[], tuple[Any, Any]], shown: Call) -> Course:
    import torch

    optimiser = torch.optim.Adam(learned, lr=RATE, betas=BETAS, eps=SMALL)
    points = []
    for step in range(steps + 1):
        optimiser.zero_grad()
        risk, complexity = embed()
        value = risk + TAU * complexity
        value.backward()
        points.append((float(value.detach()), shown(), float(complexity.detach())))
        if step < steps:
            optimiser.step()
    return _course(points)


def _course(points: list[tuple[float, Array, float]]) -> Course:
    _, parameters, complexity = min(points, key=lambda point: point[0])
    return Course(np.array([point[0] for point in points]), parameters, complexity)


def reference_course(problem: Problem) -> Course:
    """The gradient by hand, and Adam by its formulas."""
    theta, points = problem.start.copy(), []
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    for step in range(problem.steps + 1):
        value, gradient, complexity = objective(problem, theta)
        points.append((value, theta, complexity))
        first = BETAS[0] * first + (1 - BETAS[0]) * gradient
        second = BETAS[1] * second + (1 - BETAS[1]) * gradient**2
        sizes = np.sqrt(second / (1 - BETAS[1] ** (step + 1))) + SMALL
        theta = theta - RATE * first / (1 - BETAS[0] ** (step + 1)) / sizes
    return _course(points)


def objective(problem: Problem, theta: Array) -> tuple[float, Array, float]:
    """Value, gradient and complexity."""
    X, Y, n = problem.X, problem.Y, problem.n
    Z = X / np.exp(theta[1:-1])
    squares = (Z * Z).sum(axis=1)
    K = np.exp(theta[0] + np.minimum(Z @ Z.T - 0.5 * (squares[:, None] + squares), 0))
    shift = n * np.exp(theta[-1])
    system = K.copy()
    system.flat[:: n + 1] += shift
    factor = cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
    V = cho_solve(factor, Y, check_finite=False)
    P = K @ V
    likely = (P * Y).sum(axis=1)
    norm = np.sqrt((V * P).sum())
    tau = TAU * np.exp(0.5 * theta[0])
    inside = (likely > EPSILON) & (likely < 1)
    G = -Y * np.where(inside, 1 / np.where(inside, likely, 1), 0)[:, None]
    M = cho_solve(factor, K @ G + tau / norm * P, check_finite=False)
    bar = ((G - M + 0.5 * tau / norm * V) @ V.T) * K  # in K, entry by entry
    bar = 0.5 * (bar + bar.T)
    lengths = 2 * (bar.sum(axis=1) @ (Z * Z) - ((bar @ Z) * Z).sum(axis=0))
    gradient = np.concatenate([[bar.sum() + 0.5 * tau * norm], lengths, [-shift * (M * V).sum()]])
    value = -np.log(np.clip(likely, EPSILON, 1)).sum() + tau * norm
    return float(value), gradient, float(tau * norm / TAU)


def course_error(expected: Course) -> Callable[[Any], float]:
    """Relative, of the objectives and of the complexity; absolute, of the logarithms of the parameters."""

    def error(found: Any) -> float:
        if found.values.shape != expected.values.shape or found.parameters.shape != expected.parameters.shape:
            return float("inf")
        relative = np.abs(found.values / expected.values - 1).max()
        moved = np.abs(found.parameters - expected.parameters).max() if len(expected.parameters) else 0.0
        return float(max(relative, moved, abs(found.complexity / expected.complexity - 1)))

    return error


@dataclass(frozen=True)
class NetworkProblem(Problem):
    """A linear kernel on one layer of rectified units: systems of p unknowns, [MCE] Alg. 2."""

    p: int = 256

    @cached_property
    def features(self) -> Any:
        """As gramian has them."""
        from gramian.features import Network

        return Network([(self.p, "relu")])


def gramian_network(problem: NetworkProblem) -> Call:
    """The engine."""
    model = problem.estimator(kernel=None, features=problem.features, sensitivity=1.0)

    def course() -> Course:
        quietly(model, problem.X, problem.labels)
        return Course(model.history_["value"], np.log([model.penalty_]), model.complexity_)

    return course


def torch_network(problem: NetworkProblem) -> Call:
    """The same with automatic differentiation, from the engine's weights."""
    import torch

    X, Y = torch.from_numpy(problem.X), torch.from_numpy(problem.Y)
    n, p, d = problem.n, problem.p, problem.d
    theta = torch.from_numpy(problem.features.initial_parameters(d, seed=0))

    def embed(W: Any, b: Any, log_lambda: Any) -> tuple[Any, Any]:
        Z = torch.relu(torch.addmm(b, X, W.T))
        system = Z.T @ Z + n * log_lambda.exp() * torch.eye(p, dtype=torch.float64)
        weights = torch.cholesky_solve(Z.T @ Y, torch.linalg.cholesky(system))
        return _risk(Z @ weights, Y), (weights * weights).sum().sqrt()

    def course() -> Course:
        W, b = theta[: p * d].reshape(p, d).clone().requires_grad_(), theta[p * d :].clone().requires_grad_()
        log_lambda = torch.zeros((), dtype=torch.float64, requires_grad=True)
        learned = [W, b, log_lambda]
        return _torch_steps(
            problem.steps, learned, lambda: embed(*learned), lambda: np.array([float(log_lambda.detach())])
        )

    return course


def support_vectors(problem: Problem) -> Any:
    """scikit-learn's, with probabilities."""
    from sklearn.svm import SVC

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # probability= is to go some day
        return SVC(probability=True, random_state=0).fit(problem.X, problem.labels)


def gaussian_process(problem: Problem) -> Any:
    """scikit-learn's, its kernel as it is; one step of Newton in place of up to 100 makes predictions no faster."""
    from sklearn.gaussian_process import GaussianProcessClassifier
    from sklearn.gaussian_process.kernels import RBF

    kernel = 1.0 * RBF(1.0)
    return GaussianProcessClassifier(kernel, optimizer=None, max_iter_predict=1).fit(problem.X, problem.labels)
