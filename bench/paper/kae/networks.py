# SPDX-License-Identifier: BSD-3-Clause
"""Neural autoencoders, the peers of the kernel ones: with PyTorch where it is installed, else with scikit-learn."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "sigmoid": lambda a: 1.0 / (1.0 + np.exp(-a)),
    "relu": lambda a: np.maximum(a, 0.0),
    "tanh": np.tanh,
}
IN_SCIKIT_LEARN = {"sigmoid": "logistic", "relu": "relu", "tanh": "tanh"}


@dataclass(frozen=True)
class Network:
    """Weights and biases of each layer; the last layer is linear."""

    weights: Sequence[Array]
    biases: Sequence[Array]
    activation: str

    def reconstruct(self, X: Array) -> Array:
        """Return what comes out."""
        for layer, (W, b) in enumerate(zip(self.weights, self.biases, strict=True), start=1):
            X = X @ W + b
            if layer < len(self.weights):
                X = FUNCTIONS[self.activation](X)
        return X

    def error(self, X: Array) -> float:
        """Return the mean of |x - reconstruction|^2."""
        return float(((X - self.reconstruct(X)) ** 2).sum(axis=1).mean())


def library() -> str:
    """The name of what trains the networks here."""
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError:
        return "scikit-learn"
    return "torch"


def train(
    X: Array, hidden: Sequence[int], activation: str, epochs: int, rate: float = 1e-3, seed: int = 0, batch: int = 32
) -> Network:
    """Adam on the mean squared error, with the initial weights that the library takes."""
    fit = _train_torch if library() == "torch" else _train_scikit_learn
    return fit(np.asarray(X, dtype=np.float64), hidden, activation, epochs, rate, seed, batch)


def best_of(X: Array, candidates: Sequence[dict[str, Any]]) -> Network:
    """Return the network that reconstructs its own data best: arguments of `train` but the data."""
    return min((train(X, **candidate) for candidate in candidates), key=lambda network: network.error(X))


def _train_torch(
    X: Array, hidden: Sequence[int], activation: str, epochs: int, rate: float, seed: int, batch: int
) -> Network:
    import torch

    torch.manual_seed(seed)
    sizes = [X.shape[1], *hidden, X.shape[1]]
    layers = [torch.nn.Linear(a, b, dtype=torch.float64) for a, b in zip(sizes, sizes[1:], strict=False)]
    squash = {"sigmoid": torch.sigmoid, "relu": torch.relu, "tanh": torch.tanh}[activation]
    optimiser = torch.optim.Adam([p for layer in layers for p in layer.parameters()], lr=rate)
    data = torch.from_numpy(X)
    for _ in range(epochs):
        for rows in torch.randperm(len(data)).split(batch):
            out = data[rows]
            for layer in layers[:-1]:
                out = squash(layer(out))
            optimiser.zero_grad()
            (layers[-1](out) - data[rows]).square().mean().backward()
            optimiser.step()
    weights = [layer.weight.detach().numpy().T.copy() for layer in layers]
    return Network(weights, [layer.bias.detach().numpy().copy() for layer in layers], activation)


def _train_scikit_learn(
    X: Array, hidden: Sequence[int], activation: str, epochs: int, rate: float, seed: int, batch: int
) -> Network:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPRegressor

    model = MLPRegressor(
        hidden_layer_sizes=tuple(hidden),
        activation=IN_SCIKIT_LEARN[activation],
        alpha=0.0,
        batch_size=min(batch, len(X)),
        learning_rate_init=rate,
        max_iter=epochs,
        n_iter_no_change=epochs,  # as many epochs as PyTorch gets
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, X if X.shape[1] > 1 else X.ravel())
    return Network(model.coefs_, model.intercepts_, activation)
