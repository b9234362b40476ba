# SPDX-License-Identifier: BSD-3-Clause
"""Two maps, to features and back, and what is minimised in their parameters."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FloatArray
from gramian.features import Network, TorchFeatures
from gramian.models.deep_pca.fit import Level, crossing

_GIB = 2**30


class Maps:
    """
    phi, psi and psi(phi(.)) as the binding takes them; theta has the parameters of phi, then those of psi.

    A map gives the gradient in its parameters and not in its input. So the gradient of reconstructions comes from the
    composition, whose parameters are those of both.
    """

    def __init__(self, forward: Any, back: Any, whole: Any, inputs: int) -> None:
        self.forward, self.whole, self._backward = forward, whole, back
        self.inputs = inputs
        self.outputs, self.count = _core.layers.features_sizes(forward, inputs)

    def start(self, seed: int) -> FloatArray:
        """Return where both maps start."""
        first = _core.layers.features_start(self.forward, self.inputs, seed)
        return np.concatenate([first, _core.layers.features_start(self._backward, self.outputs, (seed + 1) % 2**64)])

    def features(self, theta: FloatArray, X: FloatArray) -> FloatArray:
        """Return phi(X)."""
        own = np.ascontiguousarray(theta[: self.count])
        return _core.layers.features_forward(self.forward, X, own, False, 0, 0)

    def back(self, theta: FloatArray, Z: FloatArray) -> FloatArray:
        """Return psi(Z)."""
        own = np.ascontiguousarray(theta[self.count :])
        return _core.layers.features_forward(self._backward, np.ascontiguousarray(Z), own, False, 0, 0)


def check_maps(forward: Any, back: Any, inputs: int, owner: str) -> Maps:
    """Return both maps and their composition."""
    if isinstance(forward, Network) and isinstance(back, Network):
        first = forward._lower(inputs)
        middle, _ = _core.layers.features_sizes(first, inputs)
        second = back._lower(middle)
        whole: Any = (first[0], first[1] + second[1], *first[2:])
    elif isinstance(forward, TorchFeatures) and isinstance(back, TorchFeatures):
        whole, first, second = _torch_maps(forward, back, inputs)
    else:
        raise TypeError(
            f"The 'feature_map' and 'preimage_map' parameters of {owner} must be two Network or two TorchFeatures. "
            f"Got {forward!r} and {back!r} instead."
        )
    outputs, _ = _core.layers.features_sizes(whole, inputs)
    if outputs != inputs:
        raise ValueError(
            f"The 'preimage_map' parameter of {owner} must return {inputs} numbers, as many as a sample has. "
            f"It returns {outputs}."
        )
    return Maps(first, second, whole, inputs)


def _torch_maps(forward: TorchFeatures, back: TorchFeatures, inputs: int) -> tuple[Any, Any, Any]:
    from torch import nn

    first = forward._lower(inputs)
    middle, _ = _core.layers.features_sizes(first, inputs)
    whole = TorchFeatures(nn.Sequential(forward.module, back.module), dtype=forward.dtype)
    return whole._lower(inputs), first, back._lower(middle)


class MapObjective:
    """J + gamma sum |x - psi(phi(x))|^2 in theta, with the features and eigenvalues of all levels fixed."""

    def __init__(self, maps: Maps, X: FloatArray, pca: Any, gamma: float) -> None:
        self.maps, self.X, self.gamma = maps, X, gamma
        self.eta = float(pca.eta_[0])
        self.center = bool(pca._centred)
        H = pca.hidden_features_
        self.features = self._centred(H[0])
        sizes = [features.shape[1] for features in H]
        levels = [Level(*parts) for parts in zip(pca.kernels_, sizes, pca.eta_.tolist(), strict=True)]
        x = np.concatenate([features.ravel() for features in H])
        samples = np.ascontiguousarray(pca.X_fit_)
        J = _core.deep_pca.Objective(samples, crossing(levels, maps.outputs), False, self.center, _GIB)
        rest = J.state(x)["energy_gradient"][: H[0].size].reshape(H[0].shape) - self._gram_product(pca.X_fit_)
        self.rest = rest - H[0] * pca.eigenvalues_[0]  # of the first residual: what does not depend on theta
        self.above = float(np.sum(pca.residuals_[1:]))

    def __call__(self, theta: FloatArray) -> tuple[float, FloatArray]:
        """Return the value and its gradient."""
        Z = self.maps.features(theta, self.X)
        R = self._gram_product(Z) + self.rest
        C = self._centred(R)
        Zbar = np.einsum("ns,sp->np", C, _cross(self.features, Z)) + np.einsum("ns,sp->np", self.features, _cross(C, Z))
        own = np.ascontiguousarray(theta[: self.maps.count])
        gradient = np.zeros_like(theta)
        gradient[: self.maps.count] = _core.layers.features_reverse(
            self.maps.forward, self.X, Zbar / self.eta, own, False, 0, 0
        )
        errors = self._errors(theta)
        back = 2.0 * self.gamma * errors
        gradient += _core.layers.features_reverse(self.maps.whole, self.X, back, theta, False, 0, 0)
        # [DKPCA] (11): J + gamma sum |x - psi(phi(x))|^2
        value = 0.5 * float(np.sum(R * R)) + self.above + self.gamma * float(np.sum(errors * errors))
        return value, gradient

    def squared_error(self, theta: FloatArray) -> float:
        """Return the sum of squared errors of reconstructions."""
        return float(np.sum(self._errors(theta) ** 2))

    def _errors(self, theta: FloatArray) -> FloatArray:
        return _core.layers.features_forward(self.maps.whole, self.X, theta, False, 0, 0) - self.X

    def _gram_product(self, Z: FloatArray) -> FloatArray:
        """Return K_1 H_1 / eta_1 for K_1 = Z Z^T, centred if that was asked for."""
        return self._centred(np.einsum("np,sp->ns", Z, _cross(self.features, Z))) / self.eta

    def _centred(self, A: FloatArray) -> FloatArray:
        return A - A.mean(axis=0) if self.center else A


def _cross(A: npt.NDArray[Any], B: npt.NDArray[Any]) -> FloatArray:
    """Return A^T B; not by BLAS, whose threads would be in the way of the engine's."""
    return cast(FloatArray, np.einsum("ns,np->sp", A, B))
