# SPDX-License-Identifier: BSD-3-Clause
"""Deep kernel PCA of two levels: with gramian, with automatic differentiation, and as a reference in numpy."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

Array = NDArray[np.float64]
Call = Callable[[], Any]

SIZES = (3, 2)
UPPER = 1.0  # gamma of the second level
FEATURES = 34
INPUTS = 8  # of the samples that are transformed
LABELLED = 0.36
BETAS, EPSILON, RATE = (0.9, 0.999), 1e-8, 0.05
HALVINGS = 60
RACE_RATE, RACE_STEPS = 0.01, 2000  # the best of a grid, for torch


class Point(NamedTuple):
    """H_1, H_2 and the diagonals of Lambda_1, Lambda_2."""

    H: list[Array]
    values: list[Array]


def ionosphere_like(n: int, seed: int = 0) -> Array:
    """Two classes in [-1, 1], as radar returns: one is noise, the other one varies in six directions."""
    rng = np.random.default_rng(seed)
    noise = rng.random(n) < LABELLED
    varied = rng.standard_normal((n, 6)) @ rng.standard_normal((6, FEATURES)) / np.sqrt(6)
    X = np.where(noise[:, None], rng.uniform(-1, 1, (n, FEATURES)), 0.5 + 0.3 * varied)
    return np.clip(X + 0.1 * rng.standard_normal((n, FEATURES)), -1, 1)


@dataclass(frozen=True)
class Problem:
    """Gaussian kernels on both levels, eta = 1; the first one's width is the median of the squared distances."""

    n: int

    @cached_property
    def X(self) -> Array:
        """The samples."""
        return ionosphere_like(self.n)

    @cached_property
    def gamma(self) -> float:
        """Of the first level."""
        some = self.X[:2000]
        return float(1 / np.median(cdist(some, some, "sqeuclidean")[np.triu_indices(len(some), 1)]))

    @cached_property
    def K(self) -> Array:
        """The first Gram matrix."""
        return np.exp(-self.gamma * cdist(self.X, self.X, "sqeuclidean"))

    @cached_property
    def points(self) -> list[Point]:
        """Two, anywhere: the engine keeps what it knows of the last point."""
        return [self._point(seed) for seed in (1, 2)]

    @property
    def start(self) -> Point:
        """Where everybody begins."""
        return self.points[0]

    def _point(self, seed: int) -> Point:
        rng = np.random.default_rng(seed)
        H = [np.linalg.qr(rng.standard_normal((self.n, size)))[0] for size in SIZES]
        return Point(H, [rng.random(size) for size in SIZES])

    @cached_property
    def first_step(self) -> float:
        """What a search starts with: about the inverse of J's curvature."""
        return float(1 / np.linalg.norm(self.K, 2) ** 2)

    @cached_property
    def kernels(self) -> list[Any]:
        """As gramian has them."""
        from gramian.kernels import Gaussian

        return [Gaussian(gamma=self.gamma), Gaussian(gamma=UPPER)]


def gramian_objective(problem: Problem) -> Any:
    """The engine's objective, with eigenvalues as variables."""
    from gramian.models import DeepPCAObjective

    return DeepPCAObjective(problem.X, SIZES, problem.kernels, eigenvalues="joint")


def gramian_gradient(problem: Problem) -> Call:
    """The engine: J and its gradient, the first Gram matrix is there already."""
    J = gramian_objective(problem)
    points = [J.join(*point) for point in problem.points]
    return lambda: [J.value_and_gradient(x) for x in points]


def gramian_steps(problem: Problem, solver: str, steps: int) -> Call:
    """The engine: J at the start and after each of so many steps."""
    from gramian.optim import minimize_stiefel

    J = gramian_objective(problem)
    x = J.join(*problem.start)
    options: dict[str, Any] = {"max_iterations": steps, "gradient_tolerance": 0.0, "value_tolerance": 0.0}
    options |= {"step": RATE, "anneal": False} if solver == "adam" else {"step": problem.first_step}

    def run() -> Array:
        found = minimize_stiefel(_kept(J.value_and_gradient), x, J.shapes, solver, **options)  # type: ignore[arg-type]
        return np.array([iteration.value for iteration in found.history])

    return run


def _kept(fun: Callable[[Array], Any]) -> Callable[[Array], Any]:
    """A search asks for the value at a point, and if it likes it for the gradient: one call answers both."""
    last: list[Any] = [None, None]

    def at(x: Array) -> Any:
        if last[0] is None or not np.array_equal(last[0], x):
            last[:] = x, fun(x)
        return last[1]

    return at


class Torch:
    """The problem in torch: residuals by their formulas, gradients by automatic differentiation."""

    def __init__(self, K: Any) -> None:
        import torch

        self.torch = torch
        self.K = K if isinstance(K, torch.Tensor) else torch.from_numpy(K)

    def parts(self, start: Point) -> list[Any]:
        """H_1, H_2 and the eigenvalues of both levels."""
        return [self.torch.from_numpy(part) for part in (*start.H, *start.values)]

    @staticmethod
    def gaussian(X: Any, gamma: float) -> Any:
        """A Gram matrix, in the product form."""
        squares = gamma * (X * X).sum(dim=1)
        return ((2 * gamma * X) @ X.T - squares[:, None] - squares).clamp(max=0).exp()

    def value(self, H1: Any, H2: Any, values1: Any, values2: Any) -> Any:
        """J. What the second level says of the first takes O(n^2 s): no array of n^2 s numbers."""
        K2 = self.gaussian(H1, UPPER)
        B = K2 * (H2 @ H2.T)
        back = 2 * UPPER * (B @ H1 - B.sum(dim=1, keepdim=True) * H1)
        R1 = self.K @ H1 + back - H1 * values1
        R2 = K2 @ H2 - H2 * values2
        return 0.5 * ((R1 * R1).sum() + (R2 * R2).sum())

    def value_and_gradient(self, parts: list[Any]) -> tuple[float, list[Any]]:
        """J with its gradient in all parts."""
        parts = [part.detach().requires_grad_() for part in parts]
        value = self.value(*parts)
        return float(value.detach()), list(self.torch.autograd.grad(value, parts))

    def top(self, K: Any, count: int) -> tuple[Any, Any]:
        """The largest eigenpairs."""
        values, vectors = self.torch.linalg.eigh(K)
        return vectors[:, -count:].flip(1).contiguous(), values[-count:].flip(0)

    def polar(self, A: Any) -> Any:
        """The nearest matrix with orthonormal columns, by an eigenproblem of its few columns."""
        values, V = self.torch.linalg.eigh(A.T @ A)
        return A @ ((V / values.sqrt()) @ V.T)


def torch_gradient(problem: Problem) -> Call:
    """As one writes it; the first Gram matrix is there already."""
    peer = Torch(problem.K)
    points = [peer.parts(point) for point in problem.points]

    def at(parts: list[Any]) -> tuple[float, Array]:
        value, gradient = peer.value_and_gradient(parts)
        return value, np.concatenate([part.numpy().ravel() for part in gradient])

    return lambda: [at(parts) for parts in points]


def torch_adam(problem: Problem, steps: int) -> Call:
    """So many steps of Riemannian Adam with a fixed rate."""
    peer = Torch(problem.K)
    start = peer.parts(problem.start)

    def run() -> Array:
        return np.array([value for value, _ in adam_course(peer, start, steps, lambda step: RATE)])

    return run


def adam_course(peer: Torch, parts: list[Any], steps: int, rate: Callable[[int], float]) -> Iterator[tuple[float, Any]]:
    """J and where it was taken: one second moment for a matrix, moments projected at the new point."""
    first = [peer.torch.zeros_like(part) for part in parts]
    second = [peer.torch.zeros(1 if part.ndim == 2 else len(part), dtype=part.dtype) for part in parts]
    for step in range(1, steps + 2):
        value, gradient = peer.value_and_gradient(parts)
        yield value, parts
        corrections = [1 - beta**step for beta in BETAS]
        moved = []
        for i, (part, found) in enumerate(zip(parts, gradient, strict=True)):
            matrix = part.ndim == 2
            slope = _tangent(part, found) if matrix else found
            first[i] = BETAS[0] * first[i] + (1 - BETAS[0]) * slope
            second[i] = BETAS[1] * second[i] + (1 - BETAS[1]) * ((slope * slope).sum() if matrix else slope * slope)
            size = (second[i] / corrections[1]).sqrt() + EPSILON
            stepped = part - rate(step) / corrections[0] * first[i] / size
            moved.append(peer.polar(stepped) if matrix else stepped)
            if matrix:
                first[i] = _tangent(moved[-1], first[i])
        parts = moved


def _tangent(H: Any, Z: Any) -> Any:
    inner = H.T @ Z
    return Z - H @ (0.5 * (inner + inner.T))


def torch_descent(problem: Problem, steps: int) -> Call:
    """So many steps of the projected gradient, [DKPCA] Alg. 1."""
    peer = Torch(problem.K)
    start = peer.parts(problem.start)

    def run() -> Array:
        parts, step = start, problem.first_step
        value, gradient = peer.value_and_gradient(parts)
        course = [value]
        for _ in range(steps):
            for _ in range(HALVINGS):
                tried = [part - step * slope for part, slope in zip(parts, gradient, strict=True)]
                tried = [peer.polar(part) if part.ndim == 2 else part for part in tried]
                found, slopes = peer.value_and_gradient(tried)
                moves = [a - b for a, b in zip(tried, parts, strict=True)]
                slope = sum(float((g * move).sum()) for g, move in zip(gradient, moves, strict=True))
                square = sum(float((move * move).sum()) for move in moves)
                if found <= value + slope + square / (2 * step):
                    break
                step *= 0.5
            parts, value, gradient = tried, found, slopes
            course.append(value)
            step *= 1.5
        return np.array(course)

    return run


def reference_gradient(problem: Problem, point: Point) -> tuple[float, Array]:
    """J and its gradient by hand."""
    (H1, H2), (values1, values2) = point
    K2 = np.exp(-UPPER * cdist(H1, H1, "sqeuclidean"))
    P = H2 @ H2.T
    R1 = problem.K @ H1 - 2 * UPPER * _laplacian(K2 * P, H1) - H1 * values1
    R2 = K2 @ H2 - H2 * values2
    inner = R1 @ H1.T
    own = (R1 * H1).sum(axis=1)
    D = own[:, None] + own - inner - inner.T  # <r_i - r_j, h_i - h_j>
    cross = R2 @ H2.T
    weights = K2 * (0.5 * (cross + cross.T) - UPPER * P * D)
    first = problem.K @ R1 - R1 * values1 - 4 * UPPER * _laplacian(weights, H1) - 2 * UPPER * _laplacian(K2 * P, R1)
    second = K2 @ R2 - R2 * values2 - 2 * UPPER * (K2 * D) @ H2
    parts = [first, second, -(H1 * R1).sum(axis=0), -(H2 * R2).sum(axis=0)]
    value = 0.5 * float((R1 * R1).sum() + (R2 * R2).sum())
    return value, np.concatenate([part.ravel() for part in parts])


def _laplacian(B: Array, H: Array) -> Array:
    """For each row the sum of B_ij (h_i - h_j)."""
    return B.sum(axis=1)[:, None] * H - B @ H


def gramian_race(problem: Problem, target: float) -> Call:
    """The estimator from the samples: levelwise kernel PCA, and on until J is small enough."""
    import gramian

    model = gramian.DeepKernelPCA(SIZES, problem.kernels, max_iter=RACE_STEPS, tol=0.0)
    model.set_params(callback=lambda iteration: iteration.value <= target)

    def run() -> list[Array]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return list(model.fit(problem.X).hidden_features_)

    return run


def torch_race(problem: Problem, target: float) -> Call:
    """The same with Riemannian Adam, whose rate falls as half a cosine."""
    import torch

    X = torch.from_numpy(problem.X)

    def run() -> list[Array]:
        peer = Torch(Torch.gaussian(X, problem.gamma))
        H1, values1 = peer.top(peer.K, SIZES[0])
        H2, values2 = peer.top(peer.gaussian(H1, UPPER), SIZES[1])
        course = adam_course(peer, [H1, H2, values1, values2], RACE_STEPS, _cosine)
        parts = next((parts for value, parts in course if value <= target), [H1, H2])
        return [part.detach().numpy() for part in parts[:2]]

    return run


def _cosine(step: int) -> float:
    return RACE_RATE * 0.5 * (1 + float(np.cos(np.pi * (step - 1) / RACE_STEPS)))


def excess(problem: Problem, target: float) -> Callable[[Any], float]:
    """How far J of some features is above the target, with the eigenvalues that are best for them."""

    def error(H: Any) -> float:
        K2 = np.exp(-UPPER * cdist(H[0], H[0], "sqeuclidean"))
        A = [problem.K @ H[0] - 2 * UPPER * _laplacian(K2 * (H[1] @ H[1].T), H[0]), K2 @ H[1]]
        J = sum(0.5 * float(((a - h * (h * a).sum(axis=0)) ** 2).sum()) for a, h in zip(A, H, strict=True))
        orthonormal = max(float(np.abs(h.T @ h - np.eye(h.shape[1])).max()) for h in H)
        captured = float((H[0] * (problem.K @ H[0])).sum() / np.trace(problem.K))
        if orthonormal > 1e-9 or captured < 0.5:  # a small J at bottom eigenvectors is no answer
            return float("inf")
        return max(0.0, J / target - 1)

    return error


def gramian_shallow(X: Array, gamma: float, components: int) -> Call:
    """One level, centred: kernel PCA."""
    import gramian
    from gramian.kernels import Gaussian

    model = gramian.DeepKernelPCA(components, Gaussian(gamma=gamma), center=True)
    return lambda: model.fit(X).eigenvalues_[0]


def sklearn_shallow(X: Array, gamma: float, components: int) -> Call:
    """scikit-learn's."""
    from sklearn.decomposition import KernelPCA

    model = KernelPCA(components, kernel="rbf", gamma=gamma, eigen_solver="arpack")
    return lambda: model.fit(X).eigenvalues_


def centred_eigenvalues(X: Array, gamma: float, count: int) -> Array:
    """The largest ones of a centred Gaussian Gram matrix."""
    from scipy.linalg import eigh

    K = np.exp(-gamma * cdist(X, X, "sqeuclidean"))
    means = K.mean(axis=0)
    K += means.mean() - means - means[:, None]
    values = eigh(K, eigvals_only=True, subset_by_index=[len(K) - count, len(K) - 1])
    return np.asarray(values[::-1])


def fitted(n: int) -> Any:
    """A model of two Gaussian levels, on normal points."""
    import gramian

    from bench.data import points

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # J need not be small: new samples have equations all the same
        return gramian.DeepKernelPCA((5, 5), max_iter=100, extension="equations", random_state=0).fit(points(n, INPUTS))


def smoothed(model: Any) -> Any:
    """The same model with the smoother; it shares what was learned."""
    other = copy.copy(model)
    return other.set_params(extension="smoother")


def equation_error(model: Any, X: Array, features: Array) -> float:
    """How far features are from [DKPCA] (A.1) for one more sample, relative to the terms of each sample."""
    H1, H2 = model.hidden_features_
    h1, h2 = features[:, : H1.shape[1]], features[:, H1.shape[1] :]
    gammas = [kernel.gamma for kernel in model.kernels_]
    first = np.exp(-gammas[0] * cdist(X, model.X_fit_, "sqeuclidean"))
    upper = np.exp(-gammas[1] * cdist(h1, H1, "sqeuclidean"))
    weights = upper * (h2 @ H2.T)
    back = 2 * gammas[1] * (weights @ H1 - weights.sum(axis=1)[:, None] * h1) / model.eta_[1]
    left = np.hstack([h1 * model.eigenvalues_[0], h2 * model.eigenvalues_[1]])
    right = np.hstack([first @ H1 / model.eta_[0] + back, upper @ H2 / model.eta_[1]])
    scale = np.maximum(np.abs(left).max(axis=1), np.abs(right).max(axis=1))
    return float((np.abs(left - right).max(axis=1) / scale).max())
