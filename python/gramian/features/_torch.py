# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch modules as features. Nothing here is built against PyTorch, and it is imported where it is used."""

import copy
from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian._validation import FloatArray, check_choice, refused
from gramian._value import FrozenValue
from gramian.features._base import Features


class TorchFeatures(FrozenValue, Features):
    r"""
    A PyTorch module as features: it gives features and their gradients, and the engine has the loss and all else.

    Needs PyTorch: ``pip install gramian[torch]``.

    Parameters
    ----------
    module : torch.nn.Module
        Takes a tensor of shape (n, d) and returns one of shape (n, outputs). Images are unfolded within it, for
        instance by ``torch.nn.Unflatten(1, (1, 28, 28))`` in front. It is copied before it is used, and so never
        changed.
    dtype : {"float64", "float32"}, default="float64"
        What the module computes in. Features, gradients and theta are float64 either way.

    Notes
    -----
    Theta are the parameters of ``module.parameters()`` that ask for gradients, one behind the other. It starts as they
    are, whatever the seed. In training steps the module is in training mode. For the time of a pass PyTorch's generator
    is seeded from seed and step, so that dropout draws the same again. A module that learns outside of its parameters,
    as batch normalisation does, is refused. Modules run on the CPU, with PyTorch's own threads.
    """

    module: Any
    dtype: str

    def __init__(self, module: Any, *, dtype: str = "float64") -> None:
        self._store(module=module, dtype=dtype)

    def _lower(self, dimension: int) -> Any:
        torch = _torch()
        if not isinstance(self.module, torch.nn.Module):
            raise refused("module", "TorchFeatures", "a torch.nn.Module", self.module, TypeError)
        for name, part in self.module.named_modules():
            if getattr(part, "track_running_stats", False):
                raise ValueError(
                    f"The 'module' parameter of TorchFeatures has {type(part).__name__} as {name or 'itself'!r}, which "
                    f"learns outside of its parameters: set track_running_stats=False, or use LayerNorm or GroupNorm."
                )
        dtype = check_choice(self.dtype, "dtype", "TorchFeatures", ("float64", "float32"))
        return _ModuleMap(self.module, getattr(torch, dtype), dimension)

    def _key(self) -> tuple[Hashable, ...]:
        tensors = self.module.state_dict() if hasattr(self.module, "state_dict") else {}
        numbers = tuple((name, tensor.detach().cpu().double().numpy().tobytes()) for name, tensor in tensors.items())
        return repr(self.module), numbers, self.dtype


class _ModuleMap:
    """A copy of a module in the shape that the engine calls."""

    def __init__(self, module: Any, dtype: Any, inputs: int) -> None:
        self._torch = _torch()
        self._module = copy.deepcopy(module).to(device="cpu", dtype=dtype)
        self._dtype = dtype
        self._parameters = [p for p in self._module.parameters() if p.requires_grad]
        self._features: Any = None
        self.inputs = inputs
        self.parameter_count = sum(p.numel() for p in self._parameters)
        self.outputs = self._probe()

    def start(self, seed: int) -> FloatArray:
        """Return the parameters that the module came with."""
        if not self._parameters:
            return np.zeros(0)
        flat = self._torch.cat([p.detach().reshape(-1) for p in self._parameters])
        return _array(flat)

    def forward(
        self, theta: FloatArray, X: FloatArray, *, training: bool = False, seed: int = 0, step: int = 0
    ) -> FloatArray:
        """Return the module's outputs, and keep the graph behind them."""
        torch = self._torch
        self._features = None  # the graph of the last pass goes before the next one comes
        self._assign(theta)
        self._module.train(training)
        state = np.random.SeedSequence([seed, step]).generate_state(1, np.uint64)
        with torch.enable_grad(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(state[0]))
            self._features = self._call(torch.from_numpy(X).to(self._dtype))
        return _array(self._features.detach())

    def reverse(self, Zbar: FloatArray) -> FloatArray:
        """Return the gradient in the parameters."""
        torch = self._torch
        if not self._parameters or not self._features.requires_grad:
            return np.zeros(self.parameter_count)
        bar = torch.from_numpy(Zbar).to(self._dtype)
        found = torch.autograd.grad(self._features, self._parameters, bar, retain_graph=True, allow_unused=True)
        pieces = zip(self._parameters, found, strict=True)
        return _array(torch.cat([(torch.zeros_like(p) if g is None else g).reshape(-1) for p, g in pieces]))

    def _assign(self, theta: FloatArray) -> None:
        torch, at = self._torch, 0
        flat = torch.from_numpy(theta)
        with torch.no_grad():
            for parameter in self._parameters:
                parameter.copy_(flat[at : at + parameter.numel()].reshape(parameter.shape))
                at += parameter.numel()

    def _probe(self) -> int:
        """Return the number of outputs, from a pass of two rows of zeros."""
        self._module.eval()
        with self._torch.no_grad():
            rows = self._torch.zeros((2, self.inputs), dtype=self._dtype)
            try:
                return int(self._call(rows).shape[1])
            except RuntimeError as error:
                raise ValueError(
                    f"The 'module' parameter of TorchFeatures cannot take samples of {self.inputs} features: {error}"
                ) from error

    def _call(self, rows: Any) -> Any:
        features = self._module(rows)
        if not isinstance(features, self._torch.Tensor) or features.ndim != 2 or len(features) != len(rows):
            shape = tuple(features.shape) if isinstance(features, self._torch.Tensor) else type(features).__name__
            raise ValueError(
                f"The 'module' parameter of TorchFeatures must return a tensor of shape ({len(rows)}, outputs) for "
                f"{len(rows)} samples. Got {shape} instead."
            )
        return features


def _array(tensor: Any) -> FloatArray:
    array: npt.NDArray[Any] = tensor.numpy()
    return array.astype(np.float64)


def _torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise ImportError(
            "TorchFeatures needs PyTorch, which could not be imported: install it with `pip install gramian[torch]`, "
            "or as pytorch.org says for your machine."
        ) from error
    return torch
