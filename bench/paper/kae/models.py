# SPDX-License-Identifier: BSD-3-Clause
"""Kernel autoencoders as the experiments use them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import gramian
import numpy as np
from gramian.layers import Composition, Layer, RidgeOutput
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning


@contextmanager
def few_iterations() -> Iterator[None]:
    """Where stopping before the optimum is what is wanted, it needs no warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def autoencoder(X: Any, size: int, gammas: Sequence[float], penalty: Any, iterations: int, **options: Any) -> Any:
    """Fit d - size - d with Gaussian kernels."""
    kernels = [gramian.kernels.Gaussian(gamma=gamma) for gamma in gammas]
    model = gramian.KernelAutoencoder(hidden=(size,), kernels=kernels, penalty=penalty, max_iter=iterations, **options)
    with few_iterations():
        return model.fit(X)


class FromUniformWeights:
    """
    d - 1 - d as the paper starts it, with the same weight for every sample: f(x) is then the density of the data.

    It is put together from gramian.layers, and minimised by SciPy; it has the methods of the estimator.
    """

    def __init__(self, X: Any, gammas: Sequence[float], penalty: float, iterations: int) -> None:
        self.X, self._kernels = X, [gramian.kernels.Gaussian(gamma=gamma) for gamma in gammas]
        encoder = Composition(X, [Layer(self._kernels[0], 1, penalty)])
        decoder = RidgeOutput(Layer(self._kernels[1], X.shape[1], penalty), X, code_size=1)

        def objective(weights: Any) -> tuple[float, Any]:
            forward = encoder.forward(weights)
            value, gradient = decoder.value_and_gradient(forward.outputs[0])
            return value + forward.penalty, encoder.reverse(gradient)

        weights = np.ones(len(X))
        weights /= np.sqrt((encoder.forward(weights).outputs[0] ** 2).mean())
        if iterations:
            options = {"maxiter": iterations, "maxfun": 10 * iterations}
            weights = minimize(objective, weights, jac=True, method="L-BFGS-B", options=options).x
        self._weights = weights[:, None]
        self.objective_, _ = objective(weights)
        self.embedding_ = encoder.forward(weights).outputs[0]
        self.distortion_, self._coefficients = decoder.distortion, decoder.coefficients

    def transform(self, X: Any) -> Any:
        """Return codes."""
        return gramian.product(self._kernels[0], X, self._weights, self.X)

    def inverse_transform(self, codes: Any) -> Any:
        """Return reconstructions."""
        return gramian.product(self._kernels[1], codes, self._coefficients, self.embedding_)
