# SPDX-License-Identifier: BSD-3-Clause
"""Objectives of kernel autoencoders: with gramian, with automatic differentiation, and as a reference in numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

Array = NDArray[np.float64]
Call = Callable[[], Any]


@dataclass(frozen=True)
class Problem:
    """Gaussian layers on X, all with one penalty, and coefficients where the objective is asked for."""

    X: Array
    sizes: Sequence[int]
    """d_1 .. d_L."""
    gammas: Sequence[float]
    penalty: float = 1e-6
    seed: int = 0

    @cached_property
    def coefficients(self) -> list[Array]:
        """Normal numbers that give outputs of order 1."""
        rng, n = np.random.default_rng(self.seed), len(self.X)
        return [rng.standard_normal((n, size)) / np.sqrt(n) for size in self.sizes]

    @cached_property
    def flat(self) -> Array:
        """All of them as one vector."""
        return np.concatenate([part.ravel() for part in self.coefficients])

    @cached_property
    def layers(self) -> list[Any]:
        """The layers as gramian takes them."""
        import gramian
        from gramian.layers import Layer

        pairs = zip(self.gammas, self.sizes, strict=True)
        return [Layer(gramian.kernels.Gaussian(gamma=gamma), size, self.penalty) for gamma, size in pairs]


def gramian_joint(problem: Problem, memory_budget: int = 2**30) -> Call:
    """The engine: value and gradient in all coefficients."""
    from gramian.layers import Composition

    composition = Composition(problem.X, problem.layers, memory_budget=memory_budget)
    return lambda: composition.value_and_gradient(problem.flat, problem.X)


def gramian_objective(problem: Problem) -> Call:
    """The engine: the value alone."""
    from gramian.layers import Composition

    composition = Composition(problem.X, problem.layers)

    def objective() -> float:
        forward = composition.forward(problem.flat)
        return float(((forward.outputs[-1] - problem.X) ** 2).sum()) / len(problem.X) + forward.penalty

    return objective


def gramian_eliminated(problem: Problem, inner: Array | None = None, factor: Array | None = None) -> Call:
    """The engine, the last layer solved for. Of K2AE: its Gram matrix `inner`, and `factor` with C C^T equal to it."""
    import gramian
    from gramian.layers import Composition, Layer, RidgeOutput

    targets = problem.X if factor is None else factor
    source = problem.X if inner is None else gramian.InnerProducts(inner)
    composition = Composition(source, problem.layers[:-1])
    last = Layer(gramian.kernels.Gaussian(gamma=problem.gammas[-1]), targets.shape[1], problem.penalty)
    output = RidgeOutput(last, targets, problem.sizes[-2])
    flat = np.concatenate([part.ravel() for part in problem.coefficients[:-1]])

    def value_and_gradient() -> Any:
        forward = composition.forward(flat)
        value, gradient = output.value_and_gradient(forward.outputs[-1])
        return value + forward.penalty, composition.reverse(gradient)

    return value_and_gradient


class Torch:
    """The same with PyTorch; the first Gram matrix is computed once."""

    def __init__(self, problem: Problem, inner: Array | None = None) -> None:
        import torch

        self.torch, self.problem = torch, problem
        self.X = torch.from_numpy(problem.X)
        self.inner = None if inner is None else torch.from_numpy(inner)
        self.eye = torch.eye(len(problem.X), dtype=torch.float64)
        with torch.no_grad():
            self.K1 = self.gaussian(problem.gammas[0], self.X)
            if self.inner is not None:
                squares = self.inner.diagonal()
                self.K1 = (-problem.gammas[0] * (squares[:, None] + squares - 2 * self.inner)).exp()

    def gaussian(self, gamma: float, Z: Any) -> Any:
        """Its Gram matrix, in the product form."""
        squares = (Z * Z).sum(1)
        return (-gamma * (squares[:, None] + squares - 2 * (Z @ Z.T)).clamp_min(0)).exp()

    def forward(self, coefficients: Sequence[Any]) -> tuple[Any, Any]:
        """The last outputs of these layers, and the penalties."""
        K, penalty, Z = self.K1, 0.0, None
        for layer, part in enumerate(coefficients):
            K = K if layer == 0 else self.gaussian(self.problem.gammas[layer], Z)
            Z = K @ part
            penalty = penalty + self.problem.penalty * (part * Z).sum()
        return Z, penalty

    def joint(self, coefficients: Sequence[Any]) -> Any:
        """All coefficients are variables."""
        Z, penalty = self.forward(coefficients)
        return (Z - self.X).square().sum() / len(self.X) + penalty

    def system(self, K: Any) -> Any:
        """The Cholesky factor of K_L + n lambda I."""
        return self.torch.linalg.cholesky(K + len(K) * self.problem.penalty * self.eye)

    def eliminated(self, coefficients: Sequence[Any]) -> Any:
        """The last layer solved for, differentiated through its factorization."""
        Z, penalty = self.forward(coefficients)
        factor = self.system(self.gaussian(self.problem.gammas[-1], Z))
        if self.inner is not None:
            return self.problem.penalty * self.torch.cholesky_solve(self.inner, factor).trace() + penalty
        return self.problem.penalty * (self.X * self.torch.cholesky_solve(self.X, factor)).sum() + penalty

    def explicit(self, coefficients: Sequence[Any]) -> Any:
        """The same with the gradient in K_L by hand, [KAE] (54), so that no factorization is on the tape."""
        Z, penalty = self.forward(coefficients)
        K = self.gaussian(self.problem.gammas[-1], Z)
        with self.torch.no_grad():
            factor = self.system(K)
            if self.inner is not None:
                solved = self.torch.cholesky_solve(self.inner, factor)
                value, N = solved.trace(), self.torch.cholesky_solve(solved.T, factor)
            else:
                solved = self.torch.cholesky_solve(self.X, factor)
                value, N = (self.X * solved).sum(), solved @ solved.T
        moving = -self.problem.penalty * (N * K).sum()
        return self.problem.penalty * value + moving - moving.detach() + penalty

    def gradient_call(self, objective: Callable[[Sequence[Any]], Any], layers: int) -> Call:
        """Value and gradient at the coefficients of the problem."""
        parts = [self.torch.from_numpy(part).clone().requires_grad_() for part in self.problem.coefficients[:layers]]

        def value_and_gradient() -> Any:
            value = objective(parts)
            gradients = self.torch.autograd.grad(value, parts)
            return float(value.detach()), np.concatenate([part.numpy().ravel() for part in gradients])

        return value_and_gradient

    def objective_call(self) -> Call:
        """The joint value alone."""
        parts = [self.torch.from_numpy(part) for part in self.problem.coefficients]

        def value() -> float:
            with self.torch.no_grad():
                return float(self.joint(parts))

        return value


def torch_joint(problem: Problem) -> Call:
    """Automatic differentiation of the joint objective."""
    peer = Torch(problem)
    return peer.gradient_call(peer.joint, len(problem.sizes))


def torch_objective(problem: Problem) -> Call:
    """The joint objective alone."""
    return Torch(problem).objective_call()


def torch_eliminated(problem: Problem, inner: Array | None = None) -> Call:
    """Automatic differentiation through the factorization."""
    peer = Torch(problem, inner)
    return peer.gradient_call(peer.eliminated, len(problem.sizes) - 1)


def torch_explicit(problem: Problem, inner: Array | None = None) -> Call:
    """With the outer gradient by hand."""
    peer = Torch(problem, inner)
    return peer.gradient_call(peer.explicit, len(problem.sizes) - 1)


def reference_joint(problem: Problem) -> tuple[float, Array]:
    """Value and gradient from direct differences of coordinates, matrix by matrix."""
    n, penalty = len(problem.X), problem.penalty
    inputs, grams, value = [problem.X], [], 0.0
    for gamma, part in zip(problem.gammas, problem.coefficients, strict=True):
        K = np.exp(-gamma * cdist(inputs[-1], inputs[-1], "sqeuclidean"))
        grams.append(K)
        inputs.append(K @ part)
        value += penalty * float((part * inputs[-1]).sum())
    missing = inputs[-1] - problem.X
    bar, gradients = 2 / n * missing, []
    for layer in reversed(range(len(problem.sizes))):
        part, K = problem.coefficients[layer], grams.pop()
        gradients.append(K @ (bar + 2 * penalty * part))
        if layer:
            bar = gaussian_bar(problem.gammas[layer], inputs[layer], K, (bar + penalty * part) @ part.T)
    return value + float((missing**2).sum()) / n, np.concatenate([g.ravel() for g in reversed(gradients)])


def reference_eliminated(problem: Problem, inner: Array | None = None) -> tuple[float, Array]:
    """The same for one inner layer, the last layer solved for."""
    n, penalty, part = len(problem.X), problem.penalty, problem.coefficients[0]
    squares = cdist(problem.X, problem.X, "sqeuclidean")
    target = problem.X @ problem.X.T if inner is None else inner
    if inner is not None:
        squares = np.diagonal(inner)[:, None] + np.diagonal(inner) - 2 * inner
    K1 = np.exp(-problem.gammas[0] * squares)
    Z = K1 @ part
    K = np.exp(-problem.gammas[1] * cdist(Z, Z, "sqeuclidean"))
    inverse = np.linalg.inv(K + n * penalty * np.eye(n))
    bar = gaussian_bar(problem.gammas[1], Z, K, -penalty * inverse @ target @ inverse)
    value = penalty * float(np.trace(inverse @ target)) + penalty * float((part * Z).sum())
    return value, (K1 @ (bar + 2 * penalty * part)).ravel()


def gaussian_bar(gamma: float, Z: Array, K: Array, Kbar: Array) -> Array:
    """From the gradient in a Gaussian Gram matrix to that in its points."""
    W = (Kbar + Kbar.T) * K
    return -2 * gamma * (W.sum(axis=1)[:, None] * Z - W @ Z)
