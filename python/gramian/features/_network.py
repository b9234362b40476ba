# SPDX-License-Identifier: BSD-3-Clause
"""Fully connected networks."""

import math
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian._validation import LARGEST_SIZE, check_choice, check_real, check_whole, refused
from gramian._value import FrozenValue
from gramian.features._base import Features

_ACTIVATIONS = ("relu", "sigmoid", "tanh", "identity")


class Network(FrozenValue, Features):
    r"""
    A fully connected network, :math:`z = a_L(W_L \, a_{L-1}(\ldots a_1(W_1 x + b_1) \ldots) + b_L)`.

    Parameters
    ----------
    layers : sequence of (int, str)
        For each layer, from the input on, how many outputs it has and its activation: ``"relu"``, ``"sigmoid"``,
        ``"tanh"`` or ``"identity"``.
    weight_deviation : float, optional
        Weights start as normal numbers with this standard deviation, cut off at two of them. 0 stands for one over the
        square root of the number of a layer's inputs. None is 0.1 as in [MCE], but for layers of sigmoids four over
        that root, with biases that centre inputs that are sigmoids too: with 0.1 their outputs are nearly constant.
    bias : float, default=0.1
        Where all biases start.
    dropout : float or sequence of float, default=0.0
        The share of a layer's outputs that a training step sets to 0, in [0, 1), while the others grow by one over what
        is left. A number holds for all layers but the last one; a sequence has one for each layer.

    Notes
    -----
    Theta has layer by layer the weights, outputs x inputs, row by row, and then the biases.

    Examples
    --------
    >>> from gramian.features import Network
    >>> Network([(16, "relu"), (8, "identity")]).sizes(inputs=4)
    Sizes(outputs=8, parameters=216)
    """

    layers: Sequence[tuple[int, str]]
    weight_deviation: float | None
    bias: float
    dropout: float | Sequence[float]

    def __init__(
        self,
        layers: Sequence[tuple[int, str]],
        *,
        weight_deviation: float | None = None,
        bias: float = 0.1,
        dropout: float | Sequence[float] = 0.0,
    ) -> None:
        self._store(layers=layers, weight_deviation=weight_deviation, bias=bias, dropout=dropout)

    def _lower(self, dimension: int) -> Any:
        if not isinstance(self.layers, list | tuple) or len(self.layers) == 0:
            domain = "a list with a pair for each layer, such as [(16, 'relu'), (8, 'relu')]"
            raise refused("layers", "Network", domain, self.layers, TypeError)
        pairs = [_layer(layer, f"layers[{number}]") for number, layer in enumerate(self.layers)]
        shares = self._shares()
        layers = tuple((*pair, share) for pair, share in zip(pairs, shares, strict=True))
        given = self.weight_deviation
        deviation = None if given is None else check_real(given, "weight_deviation", "Network", inclusive=True)
        return "network", layers, deviation, _finite(self.bias, "bias")

    def _shares(self) -> list[float]:
        """Return the dropout of each layer."""
        count = len(self.layers)
        if not isinstance(self.dropout, list | tuple):
            return [_share(self.dropout, "dropout")] * (count - 1) + [0.0]
        if len(self.dropout) != count:
            raise ValueError(
                f"The 'dropout' parameter of Network has {len(self.dropout)} entries for {count} layers: there must be "
                f"one for each."
            )
        return [_share(share, f"dropout[{number}]") for number, share in enumerate(self.dropout)]


def _layer(layer: Any, name: str) -> tuple[int, str]:
    if not isinstance(layer, list | tuple) or len(layer) != 2:
        raise refused(name, "Network", "a number of outputs and an activation", layer, TypeError)
    outputs = check_whole(layer[0], f"{name}[0]", "Network", LARGEST_SIZE)
    return outputs, check_choice(layer[1], f"{name}[1]", "Network", _ACTIVATIONS)


def _share(value: Any, name: str) -> float:
    return check_real(value, name, "Network", inclusive=True, below=1)


def _finite(value: Any, name: str) -> float:
    message = f"The {name!r} parameter of Network must be a finite number. Got {value!r} instead."
    if not isinstance(value, numbers.Real) or isinstance(value, bool | np.bool_):
        raise TypeError(message)
    if not math.isfinite(value):
        raise ValueError(message)
    return float(value)
