# SPDX-License-Identifier: BSD-3-Clause
"""From factors of low rank of a sample to the regression of all rows of dask arrays."""

import numbers
from typing import Any

import numpy as np

from gramian import _core
from gramian.dask.data import Training
from gramian.dask.moments import moments
from gramian.dask.spans import Span
from gramian.kernels.choice import PRECOMPUTED, is_function
from gramian.models._shared.landmarks import is_automatic
from gramian.models._shared.samples import as_points
from gramian.models._shared.words import ridge_called
from gramian.models.dependency import DependencyRegressor
from gramian.models.dependency.fit import SWITCH, dependency_options


def require_vectors(model: Any) -> None:
    """Raise an error for parameters that need samples in memory."""
    owner = type(model).__name__
    for name in ("kernel", "output_kernel"):
        kernel = getattr(model, name)
        if is_function(kernel) or (isinstance(kernel, str) and kernel == PRECOMPUTED):
            raise ValueError(
                f"The {name!r} parameter of {owner} must be one of gramian.kernels for dask arrays: use "
                f"gramian.{owner} with samples in memory."
            )
    if not isinstance(model.operator, str):
        raise ValueError(
            f"The 'operator' parameter of {owner} must be a name for dask arrays: use gramian.{owner} with samples in "
            f"memory."
        )
    if isinstance(model.preimage, str) and model.preimage == "sequence":
        raise ValueError(f"{owner} of dask arrays has no sequences: use gramian.{owner} with samples in memory.")
    if model.rank is None:
        raise ValueError(f"The 'rank' parameter of {owner} must not be None for dask arrays: use rank='auto'.")


def asked_ranks(model: Any, n: int) -> tuple[Any, int]:
    """Return the ranks for n rows, and how many columns are asked for."""
    if is_automatic(model.rank):
        count = SWITCH.landmarks_of(n, 0) or n
        return count, count
    pair = model.rank if isinstance(model.rank, tuple | list) else (model.rank,)
    return model.rank, min(n, max((int(rank) for rank in pair if isinstance(rank, numbers.Integral)), default=1))


def finish(model: DependencyRegressor, data: Training) -> None:
    """Replace what a regression has learned of a sample by what it is with these pivots for all rows."""
    inputs, outputs = model.input_supports_, model.output_supports_
    if inputs is None or outputs is None:
        raise ValueError(f"{type(model).__name__} of dask arrays needs a rank.")
    known = as_points(model.Y_fit_)
    spans = Span(model.kernel_, model.X_fit_), Span(model.output_kernel_, np.ascontiguousarray(known[outputs]))
    u, v = (span.engine for span in spans)
    if len(u.pivots) == 0 or len(v.pivots) == 0:
        return  # kernels are 0 everywhere, and so is what was learned
    sums = moments(*spans, data)
    chosen = DependencyRegressor(operator=model.operator, epsilon=model.epsilon, penalty=model.penalty_)
    options = dependency_options(chosen, len(data.X), None, None)
    with ridge_called("penalty"):
        coefficients = _core.dependency.coefficients_of_sums(
            sums.inputs, sums.between, sums.outputs, sums.weight, options
        )
    learned = {
        "coefficients_": coefficients,
        "input_factor_": u.root,
        "output_factor_": v.root,
        "input_supports_": inputs[u.pivots],
        "output_supports_": outputs[v.pivots],
        "input_residual_": sums.input_residual,
        "output_residual_": sums.output_residual,
        "X_fit_": model.X_fit_[u.pivots],
    }
    for name, value in learned.items():
        setattr(model, name, value)
