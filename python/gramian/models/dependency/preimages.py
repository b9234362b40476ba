# SPDX-License-Identifier: BSD-3-Clause
"""Back from weighted sums of images to outputs."""

from typing import Any

import numpy as np

from gramian._validation import FLOAT64
from gramian.kernels import Kernel
from gramian.kernels.choice import KernelChoice, OpenKernel
from gramian.models._shared.feature_space import gaussian_preimages
from gramian.models._shared.samples import rows_of
from gramian.models.dependency.outputs import has_axes, training_points
from gramian.models.dependency.sequences import check_lengths, decode
from gramian.points import check_points

CHOOSES = ("nearest", "candidates")
_PREIMAGES = (*CHOOSES, "linear", "gaussian", "sequence")
_ASTRAY = "nothing near the training outputs may be meant"


def check_preimage(preimage: Any, asked: KernelChoice, owner: str) -> None:
    """Refuse a way back that the output kernel does not have."""
    if callable(preimage):
        return
    if not isinstance(preimage, str) or preimage not in _PREIMAGES:
        listed = ", ".join(repr(name) for name in _PREIMAGES)
        raise ValueError(
            f"The 'preimage' parameter of {owner} must be one of {listed} or a function. Got {preimage!r}."
        )
    kernel = asked.kernel if isinstance(asked, OpenKernel) else asked
    if preimage in ("linear", "sequence") and not (isinstance(kernel, Kernel) and kernel._traits.inner_product):
        raise ValueError(f"preimage={preimage!r} is for the linear output kernel. Got output_kernel={kernel!r}.")
    if preimage == "gaussian" and not (isinstance(kernel, Kernel) and kernel._traits.proportional_slope):
        raise ValueError(f"preimage='gaussian' is for a Gaussian output kernel. Got output_kernel={kernel!r}.")


def chooses(preimage: Any) -> bool:
    """Tell whether predictions are some of given outputs."""
    return isinstance(preimage, str) and preimage in CHOOSES


def preimages(model: Any, X: Any, lengths: Any) -> Any:
    """Return outputs for new inputs."""
    if callable(model.preimage):
        return model.preimage(model.weights(X), _supports(model))
    points = np.eye(model.coefficients_.shape[1]) if has_axes(model) else _some(model, training_points(model))
    if model.preimage == "gaussian":
        dense = points.astype(np.float64, copy=False)
        found = gaussian_preimages(model.output_kernel_, dense, model.weights(X), _ASTRAY)
    else:
        found = model._model().linear(model._inputs(X), check_points(points, "Y").crossing(FLOAT64))
    if model.preimage == "sequence":
        symbols = model.symbols_
        known = check_lengths(lengths, len(found), found.shape[1] // len(symbols))
        return decode(found, symbols, known, model.Y_fit_[0])
    return found[:, 0] if getattr(model.Y_fit_, "ndim", 2) == 1 else found


def _supports(model: Any) -> Any:
    """Return the outputs that weights are those of: rows where nothing else is known, axes where g(x) is a vector."""
    if has_axes(model):
        return np.eye(model.coefficients_.shape[1])
    samples = np.arange(len(model.output_squares_)) if model.Y_fit_ is None else model.Y_fit_
    return _some(model, samples)


def _some(model: Any, samples: Any) -> Any:
    return samples if model.output_supports_ is None else rows_of(samples, model.output_supports_)
