# SPDX-License-Identifier: BSD-3-Clause
"""Kernel ridge regression on landmarks, of samples that arrive one after the other."""

import copy
from typing import Any, NamedTuple

from gramian._validation import FloatArray
from gramian.kernels import Kernel
from gramian.models._shared.landmarks import IndexArray
from gramian.models._shared.sums import require_known, seen, some_rows
from gramian.models.kernel_ridge.data import is_searched
from gramian.models.kernel_ridge.fit import landmark_rows, solve_system
from gramian.models.kernel_ridge.kernel import is_of_scikit_learn, kernel_of
from gramian.normal import NormalSum
from gramian.points import SourcePoints


class _Begun(NamedTuple):
    """What the first call has chosen, and the normal equations so far."""

    kernel: Kernel
    samples: Any
    rows: IndexArray
    total: NormalSum


def takes_parts(model: Any) -> bool:
    """Tell whether a fit can be added to: one of landmarks, with an alpha and a width that need no search."""
    exact = model.alphas is not None or is_searched(model) or model.solver in ("cholesky", "cg")
    return not (exact or model._precomputed or model._has_function or is_of_scikit_learn(model.kernel))


def add_samples(model: Any, X: Any, y: FloatArray, weights: FloatArray | None, alphas: list[float]) -> dict[str, Any]:
    """Return what is learned of all samples so far, by the names of the attributes."""
    begun = vars(model).get("_sum")
    known = _begin(model, X, y, weights) if begun is None else _known(model, X, y)
    total: NormalSum = known.total
    total.add(X.source if isinstance(X, SourcePoints) else X, y, sample_weight=weights)
    learned = solve_system(known.kernel, (known.samples, known.rows), total._system(), alphas, y.ndim == 1)
    return {**learned, "_sum": total}


def _begin(model: Any, X: Any, y: FloatArray, weights: FloatArray | None) -> _Begun:
    """Return the kernel, the landmarks and an empty sum."""
    sight = seen(X)
    kernel = kernel_of(model, sight, weights if sight is X else None)
    if not isinstance(kernel, Kernel):
        raise ValueError(
            f"partial_fit of {model._owner} needs samples that are vectors, and a kernel of gramian.kernels: use fit."
        )
    rows = landmark_rows(model, len(y), model._seed)
    centres = some_rows(X, rows)
    total = NormalSum(kernel, centres, outputs=1 if y.ndim == 1 else y.shape[1])
    return _Begun(kernel, centres, rows, total)


def _known(model: Any, X: Any, y: FloatArray) -> _Begun:
    """Return those of the calls before."""
    require_known(model, X)
    if y.shape[1:] != model.dual_coef_.shape[1:]:
        raise ValueError(f"y must have the targets of the first call: shape (n, *{model.dual_coef_.shape[1:]}).")
    # A sum that fails halfway has some of the rows: the model keeps its own.
    return _Begun(model.kernel_, model.X_fit_, model.landmarks_, copy.copy(model._sum))
