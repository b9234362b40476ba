# SPDX-License-Identifier: BSD-3-Clause
"""Explicit features and their gradients: with gramian, with automatic differentiation, and as a reference in numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Call = Callable[[], Any]


@dataclass(frozen=True)
class NetworkProblem:
    """A network on n points of d features, and a gradient in its features."""

    n: int
    d: int
    widths: Sequence[int]
    activation: str

    @cached_property
    def features(self) -> Any:
        """As gramian has it."""
        from gramian.features import Network

        return Network([(width, self.activation) for width in self.widths])

    @cached_property
    def data(self) -> tuple[Array, Array, Array]:
        """X, Zbar and theta."""
        rng = np.random.default_rng(0)
        theta = self.features.initial_parameters(self.d, seed=1)
        return rng.random((self.n, self.d)), rng.standard_normal((self.n, self.widths[-1])), theta

    def split(self, theta: Any) -> list[tuple[Any, Any]]:
        """Weights and biases of each layer."""
        parts, at, inputs = [], 0, self.d
        for width in self.widths:
            end = at + width * inputs
            parts.append((theta[at:end].reshape(width, inputs), theta[end : end + width]))
            at, inputs = end + width, width
        return parts


def gramian_network(problem: NetworkProblem) -> Call:
    """The engine, forwards and back."""
    X, Zbar, theta = problem.data
    return lambda: problem.features.adjoint(X, Zbar, theta)


def _module(problem: NetworkProblem) -> Any:
    import torch

    _, _, theta = problem.data
    activation = {"relu": torch.nn.ReLU, "sigmoid": torch.nn.Sigmoid, "tanh": torch.nn.Tanh}[problem.activation]
    layers: list[Any] = []
    for W, b in problem.split(torch.from_numpy(theta)):
        linear = torch.nn.Linear(W.shape[1], W.shape[0], dtype=torch.float64)
        with torch.no_grad():
            linear.weight.copy_(W)
            linear.bias.copy_(b)
        layers += [linear, activation()]
    return torch.nn.Sequential(*layers)


def torch_network(problem: NetworkProblem) -> Call:
    """torch.nn."""
    import torch

    module = _module(problem)
    X, Zbar = (torch.from_numpy(part) for part in problem.data[:2])

    def call() -> Array:
        found = torch.autograd.grad(module(X), list(module.parameters()), Zbar)
        return np.concatenate([part.numpy().ravel() for part in found])

    return call


def torch_features(problem: NetworkProblem) -> Call:
    """The same module as features of gramian's."""
    from gramian.features import TorchFeatures

    X, Zbar, theta = problem.data
    features = TorchFeatures(_module(problem))
    return lambda: features.adjoint(X, Zbar, theta)


def reference_network(problem: NetworkProblem) -> Array:
    """By the chain rule."""
    X, Zbar, theta = problem.data
    value: Any = {"relu": lambda x: np.maximum(x, 0), "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "tanh": np.tanh}
    slope: Any = {"relu": lambda z: z > 0, "sigmoid": lambda z: z * (1 - z), "tanh": lambda z: 1 - z * z}
    layers = problem.split(theta)
    outputs = [X]
    for W, b in layers:
        outputs.append(value[problem.activation](outputs[-1] @ W.T + b))
    bar, gradient = Zbar, []
    for number in range(len(layers) - 1, -1, -1):
        bar = bar * slope[problem.activation](outputs[number + 1])
        gradient += [bar.sum(axis=0), (bar.T @ outputs[number]).ravel()]
        bar = bar @ layers[number][0]
    return np.concatenate(gradient[::-1])


@dataclass(frozen=True)
class FourierProblem:
    """Random Fourier features of a Gaussian kernel with a width for each feature, learned through them."""

    n: int
    d: int
    p: int

    @cached_property
    def features(self) -> Any:
        """As gramian has them."""
        from gramian.features import RandomFourierFeatures
        from gramian.kernels import Gaussian

        return RandomFourierFeatures(Gaussian(length_scale=np.full(self.d, np.sqrt(self.d))), n_features=self.p)

    @cached_property
    def data(self) -> tuple[Array, Array, Array]:
        """X, Zbar and theta."""
        rng = np.random.default_rng(0)
        return (
            rng.random((self.n, self.d)),
            rng.standard_normal((self.n, self.p)),
            self.features.initial_parameters(self.d),
        )

    @cached_property
    def frequencies(self) -> Array:
        """Of the engine, read off its features of points near 0."""
        near = 1e-4
        Z = self.features.transform(near * np.eye(self.d))
        return np.arctan2(Z[:, self.p // 2 :], Z[:, : self.p // 2]).T / near


def gramian_fourier(problem: FourierProblem) -> Call:
    """The engine, forwards and back."""
    X, Zbar, theta = problem.data
    return lambda: problem.features.adjoint(X, Zbar, theta)


def torch_fourier(problem: FourierProblem) -> Call:
    """The formula with automatic differentiation."""
    import torch

    X, Zbar, start = (torch.from_numpy(part) for part in problem.data)
    W, half = torch.from_numpy(problem.frequencies), problem.p // 2

    def call() -> Array:
        theta = start.clone().requires_grad_()
        moved = theta - start
        angles = X @ (W * torch.exp(0.5 * moved[0] - moved[1:])).T
        Z = torch.cat([angles.cos(), angles.sin()], dim=1) / half**0.5
        return torch.autograd.grad(Z, theta, Zbar)[0].numpy()

    return call


def reference_fourier(problem: FourierProblem) -> Array:
    """By the chain rule, at the start."""
    X, Zbar, _ = problem.data
    W, half = problem.frequencies, problem.p // 2
    angles = X @ W.T
    bar = (np.cos(angles) * Zbar[:, half:] - np.sin(angles) * Zbar[:, :half]) / half**0.5
    columns = ((bar.T @ X) * W).sum(axis=0)
    return np.concatenate([[0.5 * columns.sum()], -columns])
