# SPDX-License-Identifier: BSD-3-Clause
"""Conditional mean embeddings in the span of landmarks, of samples that are summed up and not kept."""

import copy
from typing import Any, NamedTuple, cast

import numpy as np
from sklearn.utils.validation import check_consistent_length

from gramian import _core
from gramian._validation import FLOAT64, FloatArray
from gramian.functional import gram
from gramian.kernels import Kernel
from gramian.models._shared.counted import weighted_width
from gramian.models._shared.landmarks import IndexArray, is_automatic
from gramian.models._shared.parts import in_rows
from gramian.models._shared.samples import as_points, check_inputs, source
from gramian.models._shared.sums import require_known, seen, some_rows
from gramian.models.conditional_mean.landmarks import are_vectors, required_rows, vectors_of
from gramian.models.conditional_mean.outputs import Outputs, check_outputs
from gramian.normal import NormalSum
from gramian.points import SourcePoints, is_row_source

_NUMBERS_OF_BLOCK = 2**22


class Basis(NamedTuple):
    """What an embedding is a sum over: landmarks, and their outputs."""

    kernel: Kernel
    samples: Any
    rows: IndexArray
    """Where they are among those that they were chosen from."""
    output_kernel: Kernel
    outputs: Any
    """As they were given."""

    def targets(self, y: Any) -> FloatArray:
        """Return what is summed up of outputs: themselves, and their kernel values to those of the landmarks."""
        values = np.ascontiguousarray(as_points(y), dtype=FLOAT64)
        own = np.ascontiguousarray(as_points(self.outputs), dtype=FLOAT64)
        return np.hstack([values, gram(self.output_kernel, values, own)])

    def empty_sum(self) -> NormalSum:
        """Return a sum without samples."""
        outputs = as_points(self.outputs)
        return NormalSum(self.kernel, self.samples, outputs=outputs.shape[1] + len(outputs))


class Begun(NamedTuple):
    """The sums so far."""

    basis: Basis
    total: NormalSum
    weight: float
    """The sum of the weights."""


def takes_parts(model: Any) -> bool:
    """Tell whether a fit can be added to: one of landmarks, with a penalty that is given."""
    return model.learn is None and model.landmarks is not None and not model._precomputed and not model._has_function


def basis_of(model: Any, X: Any, outputs: Outputs, kernel: Any, weights: FloatArray | None) -> Basis:
    """Return the landmarks that a model chooses of samples, and their outputs."""
    require_vectors(model, kernel, outputs)
    n = len(outputs.samples)
    rows = required_rows(model, np.arange(n) if weights is None else np.flatnonzero(weights), n)
    return Basis(kernel, some_rows(X, rows), rows, cast(Kernel, outputs.kernel), outputs.samples[rows])


def require_vectors(model: Any, kernel: Any, outputs: Outputs) -> None:
    """Raise an error for inputs or outputs that can't be summed up."""
    if not are_vectors(kernel, outputs) or vectors_of(outputs) is None:
        raise ValueError(
            f"A {model._owner} of samples that are not kept needs inputs and outputs that are vectors, outputs dense, "
            f"and kernels of gramian.kernels: use fit with samples in memory."
        )


def first_sums(model: Any, asked: Any, X: Any, outputs: Outputs, weights: FloatArray | None) -> Begun:
    """Return the sums over the first samples, with the kernel and the landmarks that they lead to."""
    sight = seen(X)
    kernel = weighted_width(asked, sight, weights if sight is X else None)
    basis = basis_of(model, X, outputs, kernel, weights)
    return added(Begun(basis, basis.empty_sum(), 0.0), X, outputs.samples, weights)


def sums_up(model: Any, X: SourcePoints, outputs: Outputs) -> bool:
    """Tell whether `fit` reads rows by blocks: with landmarks, and where no candidates are to be compared."""
    chosen = model.landmarks
    some = chosen is not None and not (is_automatic(chosen) and model._switch.landmarks_of(X.rows) is None)
    return some and model.learn is None and isinstance(outputs.kernel, Kernel) and vectors_of(outputs) is not None


def check_part(model: Any, probe: Any, asked: tuple[Any, Any], X: Any, y: Any) -> tuple[Any, Outputs]:
    """Return samples and outputs of a call of `partial_fit`, outputs with the kernel of the first call."""
    if is_row_source(X):
        samples: Any = SourcePoints(X, "X")
        probe.n_features_in_ = samples.dimension
    else:
        samples = check_inputs(probe, asked[0], X)
    begun = vars(model).get("_sum")
    outputs = check_outputs(begun.basis.output_kernel if begun else asked[1], y)
    check_consistent_length(outputs.samples, range(samples.rows) if isinstance(samples, SourcePoints) else samples)
    return samples, outputs


def known(model: Any, X: Any, y: Any) -> Begun:
    """Return the sums of the calls before."""
    require_known(model, X)
    begun: Begun = model._sum
    if np.shape(y)[1:] != np.shape(begun.basis.outputs)[1:]:
        shape = np.shape(begun.basis.outputs)[1:]
        raise ValueError(f"y must have the outputs of the first call: shape (n, *{shape}).")
    # A sum that fails halfway has some of the rows: the model keeps its own.
    return begun._replace(total=copy.copy(begun.total))


def added(to: Begun, X: Any, y: Any, weights: FloatArray | None) -> Begun:
    """Return sums with more samples; X may be read by blocks."""
    n = len(y)
    step = max(1, _NUMBERS_OF_BLOCK // (len(to.basis.rows) + as_points(y).shape[1]))
    for first in range(0, n, step):
        count = min(step, n - first)
        part = slice(first, first + count)
        block = X.block(first, count, FLOAT64) if isinstance(X, SourcePoints) else X[part]
        to.total.add(block, to.basis.targets(y[part]), sample_weight=None if weights is None else weights[part])
    return to._replace(weight=to.weight + (float(n) if weights is None else float(weights.sum())))


def solved(state: Begun, penalty: float) -> dict[str, Any]:
    """Return what is learned from the sums, by the names of the attributes."""
    return solution(state.basis, state.total._system(), state.weight, penalty)


def solution(basis: Basis, system: _core.gram.NormalSystem, weight: float, penalty: float) -> dict[str, Any]:
    """Return the same of a system, of which `weight` is the sum of weights."""
    kernel, landmarks = source(basis.kernel, basis.samples)
    output_kernel, outputs = source(basis.output_kernel, np.ascontiguousarray(as_points(basis.outputs), dtype=FLOAT64))
    fit = _core.conditional_mean.fit_sums(
        kernel,
        in_rows(landmarks),
        output_kernel,
        outputs,
        system,
        weight,
        _core.conditional_mean.Options(lambda_=penalty),
    )
    return {
        "kernel_": basis.kernel,
        "penalty_": penalty,
        "cv_results_": None,
        "output_kernel_": basis.output_kernel,
        "factor_": fit.factor,
        "dual_coef_": fit.coefficients,
        "X_fit_": basis.samples[fit.pivots],
        "landmarks_": basis.rows[fit.pivots],
        "Y_fit_": basis.outputs[fit.output_pivots],
        "output_gram_": None,
        "classes_": None,
        "jitter_": 0.0,
        "_samples": None,
        "_mixing": fit.mixing,
        "_roots": None,
    }
