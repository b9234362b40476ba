# SPDX-License-Identifier: BSD-3-Clause
"""Back from weighted sums of images to outputs."""

from typing import Any

import numpy as np

from gramian import _core
from gramian.kernels import Kernel
from gramian.kernels.choice import KernelChoice, OpenKernel
from gramian.models._shared.feature_space import tell_of_astray
from gramian.models._shared.parts import row_count
from gramian.models._shared.samples import rows_of
from gramian.models.dependency.outputs import has_axes
from gramian.models.dependency.sequences import check_lengths, decode

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
    """Return outputs for new inputs that are no candidates; X: as the engine takes it."""
    engine = model._engine
    if callable(model.preimage):
        return model.preimage(engine.weights(X), _supports(model))
    if model.preimage == "sequence":
        positions = model.features_.shape[1] // len(model.symbols_)
        rows = engine.sequences(X, check_lengths(lengths, row_count(X), positions))
        return decode(rows, model.symbols_, model.Y_fit_[0])
    if model.preimage == "gaussian":
        preimages = engine.fixed_points(X)
        tell_of_astray(int(np.count_nonzero(preimages.converged == 0)), len(preimages.converged), _ASTRAY)
        found = preimages.points
    else:
        found = engine.apply(_core.serving.Verb.predict, X)
    return found[:, 0] if getattr(model.Y_fit_, "ndim", 2) == 1 else found


def _supports(model: Any) -> Any:
    """Return the outputs that weights are those of: rows where nothing else is known, axes where g(x) is a vector."""
    if has_axes(model):
        return np.eye(model.coefficients_.shape[1])
    samples = np.arange(len(model.output_squares_)) if model.Y_fit_ is None else model.Y_fit_
    return samples if model.output_supports_ is None else rows_of(samples, model.output_supports_)
