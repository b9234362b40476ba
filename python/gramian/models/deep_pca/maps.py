# SPDX-License-Identifier: BSD-3-Clause
"""Two maps, to features and back."""

from typing import Any

import numpy as np

from gramian import _core
from gramian._validation import FloatArray
from gramian.features import Network, TorchFeatures


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

    def with_levels(self, theta: FloatArray, levels: _core.deep_pca.Predictor) -> _core.deep_pca.ParametricPredictor:
        """Return the engine's value of these maps with trained levels between them."""
        first, second = (self.forward, theta[: self.count].tolist()), (self._backward, theta[self.count :].tolist())
        return _core.deep_pca.ParametricPredictor(self.inputs, first, second, levels)


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
